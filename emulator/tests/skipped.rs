//! Accesses that are not allowed: where all is checked they are left out and the launch goes on; else it ends there.

use emulator::finding::Slug;
use emulator::{
    Checks, Config, Device, Fault, HostMemory, HostOrder, LaunchConfig, LaunchReport, Policy, Profile, Program,
};
use std::sync::Arc;

/// Returns the report of a launch of `body`, and the first word of its buffer of 4 bytes at `%a` then; `%t` is the
/// thread in its block.
fn run(checks: Checks, grid: u32, body: &str) -> (LaunchReport, u32) {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 f, .param \
         .b64 v);\n\
         .global .align 1 .b8 said[6] = {{115, 97, 105, 100, 10, 0}};\n\
         .visible .entry kernel(.param .u64 at)\n{{\n.reg .b64 %a, %e;\n.reg .b32 %r, %k, %t;\n.reg .pred %p;\n\
         ld.param.u64 %a, [at];\nmov.u32 %t, %tid.x;\n{body}\nret;\n}}"
    );
    let program = Arc::new(Program::from_ptx(&[&text]).unwrap());
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks, policy: Policy::InOrder, workers: 1, ..Config::default() });
    let module = device.load(&program).unwrap();
    let order = HostOrder::default();
    let buffer = device.allocate(4, HostMemory::Device).unwrap();
    device.fill(buffer, &[0], 4, &order).unwrap();
    let config =
        LaunchConfig { grid: [grid, 1, 1], block: [128, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, 0, &config, &buffer.to_le_bytes(), &order).unwrap();
    let mut word = [0; 4];
    device.read(buffer, &mut word, &order).unwrap();
    (report, u32::from_le_bytes(word))
}

fn slugs(report: &LaunchReport) -> Vec<Slug> {
    report.findings.iter().map(|finding| finding.slug).collect()
}

#[test]
fn only_a_checked_launch_goes_on() {
    let body = "ld.global.u32 %r, [%a+4];\natom.global.add.u32 %r, [%a], 1;";
    for (checks, reached) in [(Checks::Full, 128), (Checks::Fast, 0), (Checks::Counters, 0)] {
        let (report, word) = run(checks, 1, body);
        assert_eq!(
            (slugs(&report), report.fault),
            (vec![Slug::OutOfBounds], Some(Fault::IllegalAddress)),
            "{checks:?}"
        );
        assert_eq!(word, reached, "{checks:?}");
    }
}

/// A million of them, each by another thread or in another round.
#[test]
fn one_line_is_told_once() {
    let body = "mov.u32 %k, 0;\nagain:\nld.global.u32 %r, [%a+4];\nadd.u32 %k, %k, 1;\nsetp.lt.u32 %p, %k, 512;\n\
        @%p bra again;";
    let (report, _) = run(Checks::Full, 16, body);
    assert_eq!(slugs(&report), [Slug::OutOfBounds]);
    assert_eq!(report.findings[0].count, 16 * 4 * 512, "one for each warp's instruction");
}

/// The first decides what the host hears.
#[test]
fn each_line_is_told() {
    let (report, _) = run(Checks::Full, 1, "ld.global.u32 %r, [%a+2];\nld.global.u32 %r, [%a+4];\ntrap;");
    assert_eq!(
        (slugs(&report), report.fault),
        (vec![Slug::Misaligned, Slug::OutOfBounds], Some(Fault::MisalignedAddress))
    );
    assert_eq!(report.ended_at, None);
}

#[test]
fn a_launch_that_has_failed_prints_no_more() {
    let print = "{ .param .b64 f; .param .b64 v; .param .b32 r; mov.u64 %e, said; cvta.global.u64 %e, %e; \
        st.param.b64 [f], %e;\n\
                 mov.u64 %e, 0; st.param.b64 [v], %e; call.uni (r), vprintf, (f, v); }\n";
    let printed = |body: &str| run(Checks::Full, 1, body).0.printed.len();
    assert_eq!(printed(print), 128 * 5);
    assert_eq!(printed(&format!("ld.global.u32 %r, [%a+4];\n{print}")), 0);
}
