//! A line that many warps have read: whoever writes there must come after every one of them, not after the last alone.

use emulator::finding::Slug;
use emulator::{Checks, Config, Device, HostMemory, LaunchConfig, Order, Profile, Program};
use std::sync::Arc;

/// Three warps: the first and the second read a row of words, one after the other. The third writes it after `barrier`, which the
/// second comes to, and the first if it is one of the block's.
fn findings(barrier: &str) -> Vec<Slug> {
    let text = format!(
        "
.version 8.3
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 buffer)
{{
    .reg .pred %p<3>;
    .reg .b32 %t, %w, %x;
    .reg .b64 %a;
    ld.param.u64 %a, [buffer];
    mov.u32 %t, %tid.x;
    shr.u32 %w, %t, 5;
    and.b32 %x, %t, 31;
    mad.wide.u32 %a, %x, 4, %a;
    setp.eq.u32 %p1, %w, 2;
    setp.eq.u32 %p2, %w, 0;
    @!%p1 ld.global.u32 %x, [%a];
    {barrier};
    @%p1 st.global.u32 [%a], %t;
    ret;
}}
"
    );
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, ..Config::default() });
    let module = device.load(&Arc::new(Program::from_ptx(&[&text]).unwrap())).unwrap();
    let buffer = device.allocate(128, HostMemory::Device).unwrap();
    device.write(buffer, &[0; 128], &Order::default()).unwrap();
    let shape = LaunchConfig { grid: [1; 3], block: [96, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &Order::default()).unwrap();
    assert_eq!(report.fault, None);
    report.findings.iter().map(|finding| finding.slug).collect()
}

#[test]
fn a_write_comes_after_every_reader() {
    assert_eq!(findings("bar.sync 0"), []);
    assert_eq!(findings("@!%p2 bar.sync 1, 64"), [Slug::RaceGlobal]);
}
