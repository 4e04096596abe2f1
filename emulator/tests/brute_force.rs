//! Races of straight-line kernels, against every pair of accesses compared one by one.
//!
//! The checker keeps a few accesses of each word and whole rows as one, and goes short ways where many lanes touch one
//! word or a warp does the same again. Here kernels are drawn at random, and a comparison of all pairs, with no shadow
//! memory at all, says whether there is a race. Both must agree, whatever the schedule, and whatever ran before.

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
    /// `st.relaxed`, likewise.
    Strong {
        wide: bool,
    },
}

impl Kind {
    /// The scope of a strong access.
    fn wide(self) -> Option<bool> {
        match self {
            Kind::Load | Kind::Store => None,
            Kind::Atomic { wide } | Kind::Strong { wide } => Some(wide),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Of threads `from..to` of each block in `blocks` (bit by bit), every `every`th accesses `size` bytes at
    /// `(base + stride * i) * size`, where `i` is its index, or its place among them if they are `packed`.
    Access {
        kind: Kind,
        size: u32,
        base: u32,
        stride: u32,
        from: u32,
        to: u32,
        every: u32,
        packed: bool,
        blocks: u32,
    },
    Barrier,
    WarpBarrier,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wide = any::<bool>();
    let kind = prop_oneof![
        2 => Just(Kind::Load),
        2 => Just(Kind::Store),
        3 => wide.prop_map(|wide| Kind::Atomic { wide }),
        1 => wide.prop_map(|wide| Kind::Strong { wide })
    ];
    let any_size = (kind, 0u32..5).prop_map(|(kind, log)| match kind {
        Kind::Load | Kind::Store => (kind, 1 << log),
        Kind::Atomic { .. } => (kind, 2 << (log % 3)),
        Kind::Strong { .. } => (kind, 1 << (log % 4)),
    });
    // Counters: little races, so that long kernels stay quiet.
    let word = prop_oneof![6 => Just(Kind::Atomic { wide: true }), 2 => Just(Kind::Load), 1 => Just(Kind::Store)];
    let word = word.prop_map(|kind| (kind, 4u32));
    prop_oneof![
        2 => list(any_size.boxed(), 1),
        1 => list(word.boxed(), 2),
    ]
}

/// Steps with accesses of these kinds and sizes, four to so many barriers of the block and one of the warp.
fn list(kind: BoxedStrategy<(Kind, u32)>, barriers: u32) -> impl Strategy<Value = Vec<Step>> {
    let edge = || prop_oneof![Just(0u32), Just(32), Just(64), 0..=THREADS];
    let who = (edge(), edge(), prop_oneof![4 => Just(1u32), 1 => 2u32..4], any::<bool>());
    let blocks = prop_oneof![Just(3u32), Just(1), Just(2)];
    // A stride of 0 sends all to one place.
    let access = (kind, 0u32..16, 0u32..3, who, blocks);
    let access = access.prop_map(|((kind, size), base, stride, (a, b, every, packed), blocks)| Step::Access {
        kind,
        size,
        base,
        stride,
        from: a.min(b),
        to: a.max(b),
        every,
        packed,
        blocks,
    });
    let step = prop_oneof![4 => access, barriers => Just(Step::Barrier), 1 => Just(Step::WarpBarrier)];
    proptest::collection::vec(step, 1..9)
}

/// First byte of what the `index`th thread accesses.
fn address(base: u32, stride: u32, size: u32, index: u32) -> u32 {
    (base + stride * index) * size % BYTES
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

/// All that the steps make of accesses.
fn accesses(steps: &[Step]) -> Vec<Access> {
    let mut all = Vec::new();
    for (step, what) in steps.iter().enumerate() {
        if let Step::Access { kind, size, base, stride, from, to, every, packed, blocks } = *what {
            for block in (0..BLOCKS).filter(|block| blocks >> block & 1 != 0) {
                for tid in (from..to).filter(|tid| tid % every == 0) {
                    let index = if packed { tid / every } else { tid };
                    all.push(Access { step, block, tid, kind, first: address(base, stride, size, index), size });
                }
            }
        }
    }
    all
}

/// True if two accesses touch a common byte, one of them writes, and they are not both strong, of the same bytes, in
/// scopes that meet.
fn conflict(a: &Access, b: &Access, same_block: bool) -> bool {
    let overlap = a.first < b.first + b.size && b.first < a.first + a.size;
    let writes = a.kind != Kind::Load || b.kind != Kind::Load;
    let strong = match (a.kind.wide(), b.kind.wide()) {
        (Some(x), Some(y)) => (same_block || x && y) && (a.first, a.size) == (b.first, b.size),
        _ => false,
    };
    overlap && writes && !strong
}

/// True if some two accesses of a launch conflict and are not ordered. `shared`: each block has its own memory.
fn has_race(steps: &[Step], shared: bool) -> bool {
    let all = accesses(steps);
    let races = |a: &Access, b: &Access| {
        let same_thread = (a.block, a.tid) == (b.block, b.tid);
        let ordered = steps[a.step..b.step].iter().any(|between| match between {
            Step::Barrier => a.block == b.block,
            Step::WarpBarrier => a.block == b.block && a.tid / 32 == b.tid / 32,
            Step::Access { .. } => false,
        });
        let apart = shared && a.block != b.block;
        !apart && !same_thread && !ordered && conflict(a, b, a.block == b.block)
    };
    all.iter().enumerate().any(|(i, a)| all[i..].iter().any(|b| races(a, b)))
}

/// True if some access of a launch conflicts with one of another launch of the same kernel.
fn has_race_between_launches(steps: &[Step]) -> bool {
    let all = accesses(steps);
    all.iter().any(|a| all.iter().any(|b| conflict(a, b, false)))
}

/// The kernel that makes these steps, `rounds` times.
fn ptx(steps: &[Step], rounds: u32, shared: bool) -> String {
    let space = if shared { "shared" } else { "global" };
    let scope = |wide| if wide { "gpu" } else { "cta" };
    let mut body = String::new();
    for step in steps {
        let Step::Access { kind, size, base, stride, from, to, every, packed, blocks } = *step else {
            let barrier = if matches!(step, Step::Barrier) { "bar.sync 0;" } else { "bar.warp.sync -1;" };
            writeln!(body, "    {barrier}").unwrap();
            continue;
        };
        writeln!(body, "    setp.ge.u32 %p1, %tid1, {from};").unwrap();
        writeln!(body, "    setp.lt.and.u32 %p1, %tid1, {to}, %p1;").unwrap();
        writeln!(body, "    shr.u32 %r1, {blocks}, %block;\n    and.b32 %r1, %r1, 1;").unwrap();
        writeln!(body, "    setp.ne.and.u32 %p1, %r1, 0, %p1;").unwrap();
        writeln!(body, "    rem.u32 %r1, %tid1, {every};\n    setp.eq.and.u32 %p1, %r1, 0, %p1;").unwrap();
        let index = if packed { format!("div.u32 %r1, %tid1, {every}") } else { "mov.u32 %r1, %tid1".into() };
        writeln!(body, "    {index};\n    mad.lo.u32 %r1, %r1, {stride}, {base};").unwrap();
        writeln!(body, "    mul.lo.u32 %r1, %r1, {size};\n    and.b32 %r1, %r1, {};", BYTES - 1).unwrap();
        writeln!(body, "    cvt.u64.u32 %rd2, %r1;\n    add.u64 %rd2, %rd2, %rd1;").unwrap();
        let access = match (kind, size) {
            (Kind::Load, 16) => format!("ld.{space}.v4.b32 {{%r2, %r3, %r4, %r5}}, [%rd2]"),
            (Kind::Store, 16) => format!("st.{space}.v4.b32 [%rd2], {{%tid1, %tid1, %tid1, %tid1}}"),
            (Kind::Load, _) => format!("ld.{space}.b{} %rd3, [%rd2]", 8 * size),
            (Kind::Store, _) => format!("st.{space}.b{} [%rd2], %rd4", 8 * size),
            (Kind::Atomic { wide }, 2) => format!("red.relaxed.{}.{space}.add.noftz.f16 [%rd2], %h1", scope(wide)),
            (Kind::Atomic { wide }, _) => {
                let value = if size == 4 { "%tid1" } else { "%rd4" };
                format!("red.relaxed.{}.{space}.add.u{} [%rd2], {value}", scope(wide), 8 * size)
            }
            (Kind::Strong { wide }, _) => format!("st.relaxed.{}.{space}.b{} [%rd2], %rd4", scope(wide), 8 * size),
        };
        writeln!(body, "    @%p1 {access};").unwrap();
    }
    let base = if shared { "mov.u64 %rd1, data" } else { "ld.param.u64 %rd1, [buffer]" };
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 buffer)\n{{
    .reg .pred %p1;\n    .reg .b16 %h1;\n    .reg .b32 %r<6>, %tid1, %block, %round;\n    .reg .b64 %rd<5>;\n    .shared .align 16 .b8 data[{BYTES}];
    mov.u32 %tid1, %tid.x;\n    mov.u32 %block, %ctaid.x;\n    cvt.u64.u32 %rd4, %tid1;\n    cvt.u16.u32 %h1, %tid1;
    mov.u32 %round, {rounds};\n    {base};\nagain:\n{body}
    sub.u32 %round, %round, 1;\n    setp.ne.u32 %p1, %round, 0;\n    @%p1 bra again;\n    ret;\n}}\n"
    )
}

/// What ran on the same memory before: the same kernel, ordered before or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
    Nothing,
    Ordered,
    Unordered,
}

/// True if the emulator reports a race of the kernel's last launch.
fn reports_race(text: &str, policy: Policy, before: Before) -> bool {
    let program = Arc::new(Program::from_ptx(&[text]).unwrap_or_else(|error| panic!("{error:?}\n{text}")));
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, ..Config::default() });
    let module = device.load(&program).unwrap();
    let buffer = device.allocate(u64::from(BYTES), Place::Device).unwrap();
    device.write(buffer, &[0; BYTES as usize], &Order::default()).unwrap();
    let shape = LaunchConfig { grid: [BLOCKS, 1, 1], block: [THREADS, 1, 1], dynamic_shared: 0, cooperative: false };
    let stream = |agent: u32| Order { agent, clock: (0..3).map(|other| u32::from(other == agent)).collect() };
    let mut launch = |order: &Order| {
        let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), order).unwrap();
        assert_eq!(report.fault, None, "{text}");
        let races = [Slug::RaceShared, Slug::RaceGlobal, Slug::RaceScope];
        report.findings.iter().any(|finding| races.contains(&finding.slug))
    };
    if before != Before::Nothing {
        launch(&stream(1));
    }
    launch(&stream(if before == Before::Unordered { 2 } else { 1 }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_checker_agrees_with_a_comparison_of_all_pairs(
        steps in steps(),
        rounds in 1u32..3,
        shared: bool,
        before in prop_oneof![2 => Just(Before::Nothing), 1 => Just(Before::Ordered), 1 => Just(Before::Unordered)],
        seed in 0u64..1000,
    ) {
        let text = ptx(&steps, rounds, shared);
        let all: Vec<Step> = (0..rounds).flat_map(|_| steps.iter().copied()).collect();
        let race = has_race(&all, shared);
        // Of older launches the checker keeps a word's last accesses, so it may miss one, but it makes none up.
        let maybe = before == Before::Unordered && !shared && has_race_between_launches(&steps);
        for policy in [Policy::InOrder, Policy::Random { seed }] {
            let reported = reports_race(&text, policy.clone(), before);
            prop_assert!(reported == race || reported && maybe, "{:?}, {:?}: {}\n{}", policy, before, reported, text);
        }
    }
}
