//! What a launch costs in host memory: the buffers and little more unchecked, at most ten
//! bytes of shadow for a byte touched with all checks on, nothing for bytes not touched.
//!
//! One test, so that nothing else runs in this process while it measures. Linux only: it reads `/proc`.
#![cfg(target_os = "linux")]

use emulator::{Checks, Config, Device, HostMemory, LaunchConfig, Order, Policy, Profile, Program};
use std::sync::Arc;

const COPY: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<8>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd1, %r4, 4;
    ld.param.u64 %rd2, [to];
    ld.param.u64 %rd3, [from];
    add.u64 %rd4, %rd2, %rd1;
    add.u64 %rd5, %rd3, %rd1;
    ld.global.u32 %r2, [%rd5];
    st.global.u32 [%rd4], %r2;
    ret;
}";

const MIB: u64 = 1 << 20;

/// A line of `/proc/self/status`, in bytes.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|line| line.starts_with(key)).expect(key);
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number") * 1024
}

/// Copies the first `touched` bytes between two buffers of `bytes`; returns the growth of resident memory.
fn growth(checks: Checks, bytes: u64, touched: u64) -> u64 {
    let before = status("VmRSS:");
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy: Policy::InOrder, workers: 1, ..Config::default() });
    let module = device.load(&Arc::new(Program::from_ptx(&[COPY]).unwrap())).unwrap();
    let order = Order::default();
    let buffers = [(); 2].map(|()| device.allocate(bytes, HostMemory::Device).unwrap());
    device.fill(buffers[1], &[7], touched, &order).unwrap();
    let parameters: Vec<u8> = buffers.iter().flat_map(|buffer| buffer.to_le_bytes()).collect();
    let config = LaunchConfig {
        grid: [(touched / 1024) as u32, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
    };
    let report = device.launch(&module, 0, &config, &parameters, &order).unwrap();
    assert_eq!((report.fault, report.findings.len()), (None, 0));
    status("VmRSS:") - before
}

#[test]
fn memory_stays_within_its_bounds() {
    let fast = growth(Checks::Fast, 64 * MIB, 64 * MIB);
    let buffers = 128 * MIB;
    assert!(fast <= buffers * 12 / 10 + 100 * MIB, "fast mode took {} MiB", fast / MIB);

    // 8 MiB touched in two buffers of 512 MiB: the rest has neither memory nor shadow.
    let checked = growth(Checks::Full, 512 * MIB, 4 * MIB);
    let touched = 8 * MIB;
    assert!(checked <= touched * 11 + 32 * MIB, "checked mode took {} MiB for {} MiB", checked / MIB, touched / MIB);
    assert!(checked > touched, "the measurement itself: {checked}");
}
