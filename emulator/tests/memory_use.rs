//! The cost of a launch in host memory: the buffers and little more unchecked, at most ten bytes of shadow for a byte
//! touched with all checks on, nothing for bytes not touched.
//!
//! One test, so that nothing else runs in this process while it measures. Linux only: it reads `/proc`.
#![cfg(target_os = "linux")]

use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
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

/// Each grid launches two more, fire-and-forget: they go on for ever, and so deep that no grid is complete before the
/// last.
const TREE: &str = "
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 a, .param .b64 b);
.visible .entry tree()
{
    .reg .b32 %r, %i;
    .reg .b64 %at, %kernel;
    .reg .pred %p;
    mov.u64 %kernel, tree;
    mov.u32 %i, 0;
  again:
    {
    .param .b64 p0;
    st.param.b64 [p0+0], %kernel;
    .param .align 4 .b8 p1[12];
    st.param.b32 [p1+0], 1;
    st.param.b32 [p1+4], 1;
    st.param.b32 [p1+8], 1;
    .param .align 4 .b8 p2[12];
    st.param.b32 [p2+0], 1;
    st.param.b32 [p2+4], 1;
    st.param.b32 [p2+8], 1;
    .param .b32 p3;
    st.param.b32 [p3+0], 0;
    .param .b64 r0;
    call.uni (r0), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3);
    ld.param.b64 %at, [r0+0];
    }
    setp.eq.s64 %p, %at, 0;
    @%p bra done;
    {
    .param .b64 p0;
    st.param.b64 [p0+0], %at;
    .param .b64 p1;
    st.param.b64 [p1+0], STREAM;
    .param .b32 r1;
    call.uni (r1), __cudaCDP2LaunchDeviceV2, (p0, p1);
    ld.param.b32 %r, [r1+0];
    }
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, 2;
    @%p bra again;
  done:
    ret;
}";

/// Returns the memory that a tree of launches without an end takes until its fuel is used up, by the stream that grids
/// launch into.
fn growth_of_tree(stream: &str, policy: Policy) -> u64 {
    let before = status("VmRSS:");
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: 1 << 21, ..Config::default() });
    let text = TREE.replace("STREAM", stream);
    let module = device.load(&Arc::new(Program::from_ptx(&[&text]).unwrap())).unwrap();
    let config =
        LaunchConfig { grid: [1, 1, 1], block: [1, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &[], &HostOrder::default()).unwrap();
    assert!(report.fault.is_some() || !report.findings.is_empty(), "it has no end");
    status("VmHWM:").saturating_sub(before)
}

const MIB: u64 = 1 << 20;

/// A line of `/proc/self/status`, in bytes.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|line| line.starts_with(key)).expect(key);
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number") * 1024
}

/// A thread allocates a mebibyte, touches each of its pages and frees it, as often as its fuel allows.
const HEAP: &str = "
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 a);
.extern .func free (.param .b64 a);
.visible .entry heap()
{
    .reg .b64 %p, %at, %end;
    .reg .pred %more;
  again:
    { .param .b64 a, r; st.param.b64 [a], 1048576; call.uni (r), malloc, (a); ld.param.b64 %p, [r]; }
    mov.u64 %at, %p;
    add.u64 %end, %p, 1048576;
  touch:
    st.global.u32 [%at], 1;
    add.u64 %at, %at, 4096;
    setp.lt.u64 %more, %at, %end;
    @%more bra touch;
    { .param .b64 a; st.param.b64 [a], %p; call.uni free, (a); }
    bra again;
}";

/// Returns the growth of resident memory while that runs, some three thousand times.
fn growth_of_heap(checks: Checks) -> u64 {
    let before = status("VmRSS:");
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy: Policy::InOrder, workers: 1, fuel: 1 << 24, ..Config::default() });
    let module = device.load(&Arc::new(Program::from_ptx(&[HEAP]).unwrap())).unwrap();
    let config =
        LaunchConfig { grid: [1, 1, 1], block: [1, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &[], &HostOrder::default()).unwrap();
    assert_eq!(report.fault, Some(emulator::Fault::Timeout), "it has no end");
    assert!(report.counters.thread_instructions > 1 << 13, "{:?}", report.counters);
    status("VmHWM:").saturating_sub(before)
}

/// Copies the first `touched` bytes between two buffers of `bytes`; returns the growth of resident memory.
fn growth(checks: Checks, bytes: u64, touched: u64) -> u64 {
    let before = status("VmRSS:");
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy: Policy::InOrder, workers: 1, ..Config::default() });
    let module = device.load(&Arc::new(Program::from_ptx(&[COPY]).unwrap())).unwrap();
    let order = HostOrder::default();
    let buffers = [(); 2].map(|()| device.allocate(bytes, HostMemory::Device).unwrap());
    device.fill(buffers[1], &[7], touched, &order).unwrap();
    let parameters: Vec<u8> = buffers.iter().flat_map(|buffer| buffer.to_le_bytes()).collect();
    let config = LaunchConfig {
        grid: [(touched / 1024) as u32, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        cluster: None,
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

    for checks in [Checks::Fast, Checks::Full] {
        let heap = growth_of_heap(checks);
        assert!(heap < checked.max(fast) + 16 * MIB, "blocks that were freed took {} MiB", heap / MIB);
    }

    for stream in ["0", "3", "4"] {
        let tree = growth_of_tree(stream, Policy::InOrder);
        assert!(tree < 950 * MIB, "launches into stream {stream} took {} MiB", tree / MIB);
    }
}
