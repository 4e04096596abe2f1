//! One launch of a kernel that is written down as the lines of its body.

use emulator::finding::Finding;
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchReport, Policy, Profile, Program};
use std::sync::Arc;

/// Runs `grid` blocks of `block` threads and returns their report. The kernel does `body`, with `%t` its thread, `%b`
/// its block and `%a` a buffer of 4096 zeros; lines are those of its `.loc`s.
pub fn report(grid: u32, block: u32, policy: Policy, body: &str) -> LaunchReport {
    report_of(Device::new(Profile::default()), grid, block, policy, body)
}

/// The report of a launch on this device.
pub fn report_of(mut device: Device, grid: u32, block: u32, policy: Policy, body: &str) -> LaunchReport {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 at)\n{{\n\
         .reg .b64 %a, %c;\n.reg .b32 %r, %s, %o, %t, %b, %i;\n.reg .pred %p, %q;\n.shared .align 4 .u32 tile[64];\n\
         ld.param.u64 %a, [at];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n{body}\nret;\n}}\n.file 1 \"kernel.cu\""
    );
    let program = Arc::new(Program::from_ptx(&[&text]).unwrap());
    device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: 1 << 25, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let buffer = device.allocate(4096, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4096, &order).unwrap();
    let config =
        LaunchConfig { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap()
}

/// The lines of a finding's ends.
pub fn lines(finding: &Finding) -> Vec<u32> {
    finding.accesses.iter().filter_map(|access| access.location.as_ref()).map(|at| at.line).collect()
}
