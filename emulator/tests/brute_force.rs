//! Races of straight-line kernels, against every pair of accesses compared one by one.
//!
//! The checker keeps a few accesses of each word and whole rows as one. Here kernels are
//! drawn at random, and a comparison of all pairs, with no shadow memory at all, says
//! whether there is a race. Both must agree, whatever the schedule.

use emulator::report::Slug;
use emulator::{Checks, Config, Device, LaunchConfig, Order, Place, Policy, Profile, Program};
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::Arc;

const THREADS: u32 = 64;
const BLOCKS: u32 = 2;
/// Bytes of the buffer; addresses wrap.
const BYTES: u32 = 256;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Load,
    Store,
    /// `red.add` of device scope, or of the block's.
    Atomic {
        wide: bool,
    },
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Threads `from..to` of each block in `blocks` (bit by bit) access `size` bytes at `(base + stride * tid) * size`.
    Access {
        kind: Kind,
        size: u32,
        base: u32,
        stride: u32,
        from: u32,
        to: u32,
        blocks: u32,
    },
    Barrier,
    WarpBarrier,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![
        Just(Kind::Load),
        Just(Kind::Store),
        Just(Kind::Atomic { wide: true }),
        Just(Kind::Atomic { wide: false })
    ];
    let edge = || prop_oneof![Just(0u32), Just(32), Just(64), 0..=THREADS];
    let access = (kind, 0u32..5, 0u32..16, 0u32..3, edge(), edge(), prop_oneof![Just(3u32), Just(1), Just(2)]);
    let access = access.prop_map(|(kind, log, base, stride, a, b, blocks)| {
        let size = if kind == Kind::Load || kind == Kind::Store { 1 << log } else { 4 << (log % 2) };
        Step::Access { kind, size, base, stride, from: a.min(b), to: a.max(b), blocks }
    });
    let step = prop_oneof![4 => access, 1 => Just(Step::Barrier), 1 => Just(Step::WarpBarrier)];
    proptest::collection::vec(step, 1..9)
}

/// First byte of what thread `tid` accesses.
fn address(base: u32, stride: u32, size: u32, tid: u32) -> u32 {
    (base + stride * tid) * size % BYTES
}

/// One access of one thread, as the comparison sees it.
struct Access {
    step: usize,
    block: u32,
    tid: u32,
    kind: Kind,
    first: u32,
    size: u32,
}

/// True if some two accesses conflict, are not ordered and are not morally strong. `shared`: each block has its own memory.
fn has_race(steps: &[Step], shared: bool) -> bool {
    let mut all = Vec::new();
    for (step, what) in steps.iter().enumerate() {
        if let Step::Access { kind, size, base, stride, from, to, blocks } = *what {
            for block in (0..BLOCKS).filter(|block| blocks >> block & 1 != 0) {
                for tid in from..to {
                    all.push(Access { step, block, tid, kind, first: address(base, stride, size, tid), size });
                }
            }
        }
    }
    let races = |a: &Access, b: &Access| {
        let overlap = a.first < b.first + b.size && b.first < a.first + a.size && !(shared && a.block != b.block);
        let writes = a.kind != Kind::Load || b.kind != Kind::Load;
        let same_thread = (a.block, a.tid) == (b.block, b.tid);
        let ordered = steps[a.step..b.step].iter().any(|between| match between {
            Step::Barrier => a.block == b.block,
            Step::WarpBarrier => a.block == b.block && a.tid / 32 == b.tid / 32,
            Step::Access { .. } => false,
        });
        let strong = match (a.kind, b.kind) {
            (Kind::Atomic { wide: x }, Kind::Atomic { wide: y }) => {
                (a.block == b.block || x && y) && (a.first, a.size) == (b.first, b.size)
            }
            _ => false,
        };
        overlap && writes && !same_thread && !ordered && !strong
    };
    all.iter().enumerate().any(|(i, a)| all[i..].iter().any(|b| races(a, b)))
}

/// The kernel that makes these steps.
fn ptx(steps: &[Step], shared: bool) -> String {
    let space = if shared { "shared" } else { "global" };
    let mut body = String::new();
    for step in steps {
        let Step::Access { kind, size, base, stride, from, to, blocks } = *step else {
            let barrier = if matches!(step, Step::Barrier) { "bar.sync 0;" } else { "bar.warp.sync -1;" };
            writeln!(body, "    {barrier}").unwrap();
            continue;
        };
        writeln!(body, "    setp.ge.u32 %p1, %tid1, {from};").unwrap();
        writeln!(body, "    setp.lt.and.u32 %p1, %tid1, {to}, %p1;").unwrap();
        writeln!(body, "    shr.u32 %r1, {blocks}, %block;\n    and.b32 %r1, %r1, 1;").unwrap();
        writeln!(body, "    setp.ne.and.u32 %p1, %r1, 0, %p1;").unwrap();
        writeln!(body, "    mad.lo.u32 %r1, %tid1, {stride}, {base};").unwrap();
        writeln!(body, "    mul.lo.u32 %r1, %r1, {size};\n    and.b32 %r1, %r1, {};", BYTES - 1).unwrap();
        writeln!(body, "    cvt.u64.u32 %rd2, %r1;\n    add.u64 %rd2, %rd2, %rd1;").unwrap();
        let access = match (kind, size) {
            (Kind::Load, 16) => format!("ld.{space}.v4.b32 {{%r2, %r3, %r4, %r5}}, [%rd2]"),
            (Kind::Store, 16) => format!("st.{space}.v4.b32 [%rd2], {{%tid1, %tid1, %tid1, %tid1}}"),
            (Kind::Load, _) => format!("ld.{space}.b{} %rd3, [%rd2]", 8 * size),
            (Kind::Store, _) => format!("st.{space}.b{} [%rd2], %rd4", 8 * size),
            (Kind::Atomic { wide }, _) => {
                let (scope, value) = (if wide { "gpu" } else { "cta" }, if size == 4 { "%tid1" } else { "%rd4" });
                format!("red.relaxed.{scope}.{space}.add.u{} [%rd2], {value}", 8 * size)
            }
        };
        writeln!(body, "    @%p1 {access};").unwrap();
    }
    let base = if shared { "mov.u64 %rd1, data" } else { "ld.param.u64 %rd1, [buffer]" };
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 buffer)\n{{
    .reg .pred %p1;\n    .reg .b32 %r<6>, %tid1, %block;\n    .reg .b64 %rd<5>;\n    .shared .align 16 .b8 data[{BYTES}];
    mov.u32 %tid1, %tid.x;\n    mov.u32 %block, %ctaid.x;\n    cvt.u64.u32 %rd4, %tid1;\n    {base};\n{body}    ret;\n}}\n"
    )
}

/// True if the emulator reports a race.
fn reports_race(text: &str, policy: Policy) -> bool {
    let program = Arc::new(Program::from_ptx(&[text]).unwrap_or_else(|error| panic!("{error:?}\n{text}")));
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, ..Config::default() });
    let module = device.load(&program).unwrap();
    let buffer = device.allocate(u64::from(BYTES), Place::Device).unwrap();
    let order = Order::default();
    device.write(buffer, &[0; BYTES as usize], &order).unwrap();
    let shape = LaunchConfig { grid: [BLOCKS, 1, 1], block: [THREADS, 1, 1], dynamic_shared: 0, cooperative: false };
    let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &order).unwrap();
    assert_eq!(report.fault, None, "{text}");
    let races = [Slug::RaceShared, Slug::RaceGlobal, Slug::RaceScope];
    report.findings.iter().any(|finding| races.contains(&finding.slug))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_checker_agrees_with_a_comparison_of_all_pairs(steps in steps(), shared: bool, seed in 0u64..1000) {
        let text = ptx(&steps, shared);
        let race = has_race(&steps, shared);
        for policy in [Policy::InOrder, Policy::Random { seed }] {
            prop_assert_eq!(reports_race(&text, policy.clone()), race, "{:?}\n{}", policy, text);
        }
    }
}
