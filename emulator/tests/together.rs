//! Tests of facts that are kept, or looked up, once for many lanes: they stand for each of them.

use emulator::finding::Slug;
use emulator::{Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, Profile, Program};
use std::sync::Arc;

/// Returns the findings of this many blocks of this many threads that do this with a buffer of zeros, each word of
/// which is at `%word` for the lane of its number.
fn findings(blocks: u32, threads: u32, body: &str) -> Vec<Slug> {
    let text = format!(
        "
.version 8.3
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 buffer)
{{
    .reg .pred %p<4>;
    .reg .b32 %thread, %warp, %lane, %block, %x;
    .reg .b64 %first, %word;
    ld.param.u64 %first, [buffer];
    mov.u32 %block, %ctaid.x;
    mov.u32 %thread, %tid.x;
    shr.u32 %warp, %thread, 5;
    and.b32 %lane, %thread, 31;
    mad.wide.u32 %word, %lane, 4, %first;
{body}
    ret;
}}
"
    );
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, ..Config::default() });
    let module = device.load(&Arc::new(Program::from_ptx(&[&text]).unwrap())).unwrap();
    let buffer = device.allocate(128, HostMemory::Device).unwrap();
    device.write(buffer, &[0; 128], &HostOrder::default()).unwrap();
    let shape = LaunchConfig {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        cluster: None,
    };
    let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &HostOrder::default()).unwrap();
    assert_eq!(report.fault, None);
    report.findings.iter().map(|finding| finding.slug).collect()
}

#[test]
fn a_write_comes_after_every_reader_of_its_line() {
    // Two warps read a row, one after the other, and a third writes it.
    let body = |barrier: &str| {
        format!(
            "
    setp.eq.u32 %p1, %warp, 2;
    setp.eq.u32 %p2, %warp, 0;
    @!%p1 ld.global.u32 %x, [%word];
    {barrier};
    @%p1 st.global.u32 [%word], %thread;"
        )
    };
    assert_eq!(findings(1, 96, &body("bar.sync 0")), []);
    assert_eq!(findings(1, 96, &body("@!%p2 bar.sync 1, 64")), [Slug::RaceGlobal]);
}

#[test]
fn a_lane_knows_what_it_has_seen_itself() {
    // The first block stores and sets a flag. In the second all lanes look at a word in one step, and these saw the
    // flag before.
    let body = |saw: u32| {
        format!(
            "
    setp.eq.u32 %p1, %block, 0;
    setp.eq.and.u32 %p2, %thread, 0, %p1;
    setp.lt.u32 %p3, %thread, {saw};
    @%p2 st.global.u32 [%first], 7;
    @%p2 st.release.gpu.global.u32 [%first+4], 1;
    @%p1 ret;
    @%p3 ld.acquire.gpu.global.u32 %x, [%first+4];
    ld.acquire.gpu.global.u32 %x, [%first+8];
    ld.global.u32 %x, [%first];"
        )
    };
    assert_eq!(findings(2, 32, &body(32)), []);
    assert_eq!(findings(2, 32, &body(1)), [Slug::RaceGlobal]);
}

#[test]
fn each_of_many_tries_that_fail_is_known() {
    // All lanes try in vain to change a word, these meet, and one of them stores there.
    let body = |met: u32| {
        format!(
            "
    shr.u32 %x, {met}, %lane;
    and.b32 %x, %x, 1;
    setp.ne.u32 %p1, %x, 0;
    setp.eq.u32 %p2, %lane, 31;
    atom.relaxed.gpu.global.cas.b32 %x, [%first], 1, 2;
    @%p1 bar.warp.sync {met};
    @%p2 st.global.u32 [%first], %x;"
        )
    };
    assert_eq!(findings(1, 32, &body(!0)), []);
    // The first of a word counts as what the others have found: see docs/limits.md.
    for lane in 1..31 {
        assert_eq!(findings(1, 32, &body(!(1 << lane))), [Slug::RaceGlobal], "lane {lane}");
    }
}
