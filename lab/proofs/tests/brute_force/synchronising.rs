//! Random kernels whose threads try, look, release and fence, without branches and so without waiting: a lock's
//! contenders, a flag's readers. Their order is too much for a comparison of all pairs. But whether there is a race
//! must be the same with the checker's short ways and without. Of many races at one word it tells some, and other pairs
//! of lines with short ways than without.

use emulator::finding::{Finding, Slug};
use emulator::{Config, Device, HostMemory, HostOrder, Judgement, LaunchConfig, Policy, Profile, Program};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// Bytes of the words that all accesses fall in.
const BYTES: usize = 64;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Swap,
    Exchange,
    Add,
    Load,
    Store,
    Fence,
    Barrier,
    WarpBarrier,
}

/// One instruction, by lanes of warps of blocks, each bit by bit.
#[derive(Clone, Copy, Debug)]
struct Step {
    operation: Operation,
    /// One of [`ORDERS`], and one of [`SCOPES`].
    order: usize,
    scope: usize,
    lanes: u32,
    warps: u32,
    blocks: u32,
    /// The word is the first, plus the lane's number with only these bits left.
    word: u32,
    spread: u32,
    /// A swap compares with this, plus the lane's number with only these bits left.
    compared: u32,
    varied: u32,
    /// If the access is of a part of the word, the size of that in bits and its first byte.
    part: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Kernel {
    steps: Vec<Step>,
    rounds: u32,
    is_shared: bool,
    bits: u32,
    /// The number of blocks.
    grid: u32,
    policy: Policy,
}

/// The semantics that a load, a store and an atomic operation may have.
const ORDERS: [[&str; 3]; 4] = [
    ["", "", ".relaxed"],
    [".relaxed", ".relaxed", ".relaxed"],
    [".acquire", ".release", ".acquire"],
    [".acquire", ".release", ".acq_rel"],
];

/// Each thread of a warp's quarter zeroes a word of shared memory.
const ZEROED: &str = "    mov.b64 %rd6, 0;
    setp.lt.u32 %p1, %r1, 8;
    mad.wide.u32 %rd2, %r1, 8, %rd1;
    @%p1 st.shared.b64 [%rd2], %rd6;
    bar.sync 0;
";

const SCOPES: [&str; 3] = [".gpu", ".gpu", ".cta"];

fn step() -> impl Strategy<Value = Step> {
    use Operation::*;
    let operation = prop_oneof![
        6 => Just(Swap), 2 => Just(Exchange), 2 => Just(Add), 3 => Just(Load), 2 => Just(Store), 2 => Just(Fence),
        1 => Just(Barrier), 1 => Just(WarpBarrier)
    ];
    let lanes = prop_oneof![4 => Just(!0u32), 2 => (0u32..32).prop_map(|lane| 1 << lane), 2 => any::<u32>()];
    let some = || prop_oneof![3 => Just(0b11u32), 1 => Just(0b01), 1 => Just(0b10)];
    let word = (0..2u32, prop_oneof![4 => Just(0u32), 1 => 0..4u32]);
    let compared = (0..3u32, prop_oneof![2 => Just(0u32), 1 => 0..4u32]);
    let made = (operation, 0..ORDERS.len(), 0..SCOPES.len());
    (made, lanes, some(), some(), word, compared).prop_map(|(made, lanes, warps, blocks, word, compared)| {
        let (operation, order, scope) = made;
        let ((word, spread), (compared, varied)) = (word, compared);
        Step { operation, order, scope, lanes, warps, blocks, word, spread, compared, varied, part: None }
    })
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        Just(Policy::InOrder),
        (0u64..1000).prop_map(|seed| Policy::Random { seed }),
        (0u64..1000).prop_map(|seed| Policy::Adversarial { seed }),
    ]
}

fn kernel() -> impl Strategy<Value = Kernel> {
    let steps = proptest::collection::vec(step(), 2..9);
    let bits = prop_oneof![3 => Just(32u32), 1 => Just(64)];
    (steps, 1..4u32, any::<bool>(), bits, policy()).prop_map(|(steps, rounds, is_shared, bits, policy)| Kernel {
        steps,
        rounds,
        is_shared,
        bits,
        grid: 2,
        policy,
    })
}

/// One thread accesses a word and releases a flag. One of another block or warp acquires the flag and accesses the word
/// as well, mostly in the same way; then others follow. So accesses are ordered after those of threads that their scope
/// leaves out.
fn handed_on() -> impl Strategy<Value = Kernel> {
    use Operation::*;
    let by = |warps, blocks, word| move |step: Step| Step { warps, blocks, word, ..step };
    let data = |scopes: &[usize]| one(&[Load, Load, Store, Store, Add, Swap], scopes, &[0, 1, 1, 1, 1]);
    let (narrow, any) = ([1, 2, 2], [1, 2]);
    let fence = || proptest::option::weighted(0.3, one(&[Fence], &[1, 1, 2], &[0, 1]));
    let releases = one(&[Store, Store, Exchange, Add], &[1, 1, 1, 1, 2], &[1, 2, 2, 2, 3]);
    let acquires = one(&[Load, Load, Add, Swap], &[1, 1, 1, 1, 2], &[1, 2, 2, 2, 3]);
    let second = prop_oneof![5 => Just((0b01, 0b10)), 1 => Just((0b10, 0b01))];
    let third = prop_oneof![4 => Just((0b10, 0b10)), 1 => Just((0b01, 0b10)), 1 => Just((0b10, 0b01))];
    let extra = || proptest::option::weighted(0.1, data(&narrow));
    let begin = (data(&narrow), extra(), fence(), releases);
    let next = (second, acquires, fence(), proptest::option::of(data(&narrow)), extra());
    let last = proptest::collection::vec((third, data(&any), proptest::bool::weighted(0.2)), 1..3);
    (begin, next, last, policy()).prop_map(move |((first, extra, fence, release), next, last, policy)| {
        let ((warps, blocks), acquire, acquired, other, another) = next;
        let begin = [Some(first), extra, fence, Some(by(0b01, 0b01, 1)(release)), Some(by(warps, blocks, 1)(acquire))];
        let next = [acquired, other.or(Some(first)), another].into_iter().flatten().map(by(warps, blocks, 0));
        let last = last.into_iter().flat_map(|((warps, blocks), step, meets)| {
            let step = by(warps, blocks, 0)(step);
            meets.then_some(Step { operation: Barrier, ..step }).into_iter().chain([step])
        });
        let steps = begin.into_iter().flatten().chain(next).chain(last).collect();
        Kernel::of(steps, 2, policy)
    })
}

/// A thread of one block writes a word, and then perhaps a part of it plainly. One of the other block reads the word,
/// mostly so that it observes the write. Then it and its neighbours access the word or a part of it again.
fn observed() -> impl Strategy<Value = Kernel> {
    use Operation::*;
    // One lane of a swap finds what it compares with, if the second lane has exchanged the word before: those below it
    // fail, and it succeeds.
    let swap = (one(&[Swap], &[1, 1, 2], &[1]), 1..16u32, 0..2u32);
    let swap = swap.prop_map(|(step, lanes, compared)| Step { lanes: lanes | 6, compared, varied: 3, ..step });
    let exchange = one(&[Exchange], &[1], &[1]).prop_map(|step| Step { lanes: 2, ..step });
    let writes = prop_oneof![
        1 => (exchange, swap).prop_map(|(first, second)| vec![first, second]),
        2 => proptest::collection::vec(one(&[Store, Add, Exchange], &[1, 1, 2], &[1]), 1..3),
    ];
    let in_part = || proptest::option::weighted(0.2, part());
    // Its own store may take an earlier position than the value that it then reads.
    let reads =
        (proptest::option::weighted(0.2, one(&[Store], &[1], &[1])), one(&[Load, Load, Add], &[1, 1, 1, 2], &[1]));
    let again = one(&[Load, Load, Store, Add], &[1, 1, 2], &[0, 0, 1]);
    let again = (again, in_part(), prop_oneof![4 => Just(0b01u32), 1 => Just(0b10)], proptest::bool::weighted(0.2));
    let again = proptest::collection::vec(again, 1..4);
    let hides = (one(&[Store], &[1], &[0]), in_part());
    (writes, hides, reads, again, policy()).prop_map(|(writes, (hides, hidden), (stores, read), again, policy)| {
        let other = |step: Step| Step { blocks: 0b10, ..step };
        let again = again.into_iter().flat_map(|(step, part, warps, meets)| {
            let step = Step { warps, ..other(step) }.in_part(part);
            meets.then_some(Step { operation: Barrier, ..step }).into_iter().chain([step])
        });
        let hides = hidden.map(|part| hides.in_part(Some(part)));
        let reads = stores.into_iter().chain([read]).map(other);
        Kernel::of(writes.into_iter().chain(hides).chain(reads).chain(again).collect(), 2, policy)
    })
}

/// A byte or half of a word.
fn part() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![(0..4u32).prop_map(|byte| (8, byte)), (0..2u32).prop_map(|half| (16, 2 * half))]
}

/// One thread writes a word, a second one reads it strongly, and two more access it. Each of the first two may tell
/// each of the last two: a thread that comes after both keeps what the reader has observed for one that comes after the
/// reader alone.
fn observed_for_others() -> impl Strategy<Value = Kernel> {
    use Operation::*;
    let writes = one(&[Store, Store, Add], &[1], &[1]);
    let reads = one(&[Load, Load, Add], &[1], &[1]);
    let others = || one(&[Load, Load, Store], &[1], &[0, 0, 1]);
    let tells = prop_oneof![2 => Just([true, false, true, true]), 1 => any::<[bool; 4]>()];
    (writes, reads, others(), others(), tells, policy()).prop_map(|(writes, reads, third, fourth, tells, policy)| {
        let by = |step: Step, thread: usize, word: u32| Step {
            warps: 1 << (thread % 2),
            blocks: 1 << (thread / 2),
            word,
            ..step
        };
        // From the first thread and from the second to the third, and to the fourth.
        let words = (1..).zip(tells.into_iter().zip([(0, 2), (0, 3), (1, 2), (1, 3)]));
        let words: Vec<_> =
            words.filter(|(_, (tells, _))| *tells).map(|(word, (_, threads))| (word, threads)).collect();
        let flag = |operation, order| Step { operation, order, scope: 1, ..writes };
        let accesses = [writes, reads, third, fourth];
        let of_thread = |thread: usize| {
            let acquires = words.iter().filter(move |(_, (_, to))| *to == thread);
            let releases = words.iter().filter(move |(_, (from, _))| *from == thread);
            let acquires = acquires.map(move |(word, _)| by(flag(Load, 2), thread, *word));
            let releases = releases.map(move |(word, _)| by(flag(Store, 2), thread, *word));
            acquires.chain([by(accesses[thread], thread, 0)]).chain(releases).collect::<Vec<_>>()
        };
        Kernel::of((0..4).flat_map(of_thread).collect(), 2, policy)
    })
}

/// Five blocks read a word, and some of them tell the last block, which then writes the word.
fn told_by_readers() -> impl Strategy<Value = Kernel> {
    use Operation::*;
    const LAST: u32 = 0b10_0000;
    let (read, written) = (one(&[Load], &[1], &[0, 0, 1]), one(&[Store, Store, Add], &[1, 1, 2], &[0, 1]));
    let releases = one(&[Add, Add, Exchange], &[1], &[3]);
    let acquires = one(&[Load, Add], &[1], &[2, 3]);
    // Mostly all five read, and four of them tell.
    let readers = prop_oneof![3 => Just(0b11111u32), 1 => 1..0b10_0000u32];
    let tellers = prop_oneof![3 => (0..5u32).prop_map(|block| 0b11111 & !(1 << block)), 1 => 1..0b10_0000u32];
    let blocks = (readers, tellers);
    (read, releases, acquires, written, blocks, policy()).prop_map(
        |(read, releases, acquires, written, (readers, tellers), policy)| {
            let by = |step: Step, blocks, word| Step { blocks, word, ..step };
            let steps =
                vec![by(read, readers, 0), by(releases, tellers, 1), by(acquires, LAST, 1), by(written, LAST, 0)];
            Kernel::of(steps, 6, policy)
        },
    )
}

/// A block reads a word and tells another one, which reads it as well. Then a neighbour of that block writes it for its
/// own block.
fn read_from_afar() -> impl Strategy<Value = Kernel> {
    use Operation::*;
    let reads = || one(&[Load, Load, Add], &[1], &[1]);
    let (releases, acquires) = (one(&[Store, Exchange], &[1], &[2, 3]), one(&[Load, Add], &[1], &[2, 3]));
    let writes = one(&[Store, Add, Load], &[1, 2, 2], &[0, 1, 1]);
    (reads(), releases, acquires, reads(), writes, policy()).prop_map(
        |(first, releases, acquires, second, writes, policy)| {
            let by = |step: Step, warps, blocks, word| Step { warps, blocks, word, ..step };
            let steps = vec![
                first,
                by(releases, 0b01, 0b01, 1),
                by(acquires, 0b01, 0b10, 1),
                by(second, 0b01, 0b10, 0),
                by(writes, 0b10, 0b10, 0),
            ];
            Kernel::of(steps, 2, policy)
        },
    )
}

/// A step of the first thread at the first word, with one of each: what is listed twice is drawn twice as often.
fn one(operations: &[Operation], scopes: &[usize], orders: &[usize]) -> impl Strategy<Value = Step> + use<> {
    let [scopes, orders] = [scopes, orders].map(|list| proptest::sample::select(list.to_vec()));
    let operation = proptest::sample::select(operations.to_vec());
    // A swap that compares with 1 mostly fails.
    let compared = prop_oneof![2 => Just(0u32), 1 => Just(1)];
    (operation, orders, scopes, compared).prop_map(|(operation, order, scope, compared)| {
        let (spread, varied, part) = (0, 0, None);
        Step { operation, order, scope, lanes: 1, warps: 1, blocks: 1, word: 0, spread, compared, varied, part }
    })
}

impl Kernel {
    /// Returns the kernel of these steps, done once, on words of global memory.
    fn of(steps: Vec<Step>, grid: u32, policy: Policy) -> Kernel {
        Kernel { steps, rounds: 1, is_shared: false, bits: 32, grid, policy }
    }

    /// Returns this kernel with one lane of each warp, no loop and at most four steps: sixteen accesses at most.
    fn small(mut self) -> Kernel {
        self.steps.truncate(4);
        self.steps.iter_mut().for_each(|step| step.lanes = 1);
        Kernel { rounds: 1, ..self }
    }

    fn ptx(&self) -> String {
        let mut body = String::new();
        self.steps.iter().for_each(|step| step.write(&mut body, self.is_shared, self.bits).unwrap());
        let base = if self.is_shared { "mov.u64 %rd1, data" } else { "ld.param.u64 %rd1, [buffer]" };
        // The buffer is zero already.
        let zeroed = if self.is_shared { ZEROED } else { "" };
        let rounds = self.rounds;
        format!(
            "
.version 8.3
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 buffer)
{{
    .reg .pred %p<3>;
    .reg .b32 %r<5>, %lane, %warp, %block, %round;
    .reg .b64 %rd<7>;
    .shared .align 16 .b8 data[{BYTES}];
    mov.u32 %r1, %tid.x;
    and.b32 %lane, %r1, 31;
    shr.u32 %warp, %r1, 5;
    mov.u32 %block, %ctaid.x;
    mov.u32 %round, 0;
    {base};
{zeroed}again:
{body}    add.u32 %round, %round, 1;
    setp.lt.u32 %p1, %round, {rounds};
    @%p1 bra again;
    ret;
}}
"
        )
    }

    /// Returns the checker's findings, with their lines, and the number of accesses that race.
    fn judged(&self, program: &Arc<Program>, judgement: Judgement) -> (BTreeSet<(Slug, Vec<u32>)>, u64) {
        let mut device = Device::new(Profile::default());
        device.configure(Config { judgement, policy: self.policy.clone(), ..Config::default() });
        let buffer = device.allocate(BYTES as u64, HostMemory::Device).unwrap();
        device.write(buffer, &[0; BYTES], &HostOrder::default()).unwrap();
        let module = device.load(program).unwrap();
        let shape = LaunchConfig {
            grid: [self.grid, 1, 1],
            block: [64, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &HostOrder::default()).unwrap();
        assert_eq!(report.fault, None);
        let lines = |finding: &Finding| {
            let mut lines: Vec<u32> = finding.accesses.iter().map(|access| access.ptx_line).collect();
            lines.sort_unstable();
            lines
        };
        let findings = report.findings.iter().map(|finding| (finding.slug, lines(finding)));
        (findings.collect(), device.racing_accesses())
    }
}

impl Step {
    /// Returns the access of a part of the word, if it is a load or a store.
    fn in_part(self, part: Option<(u32, u32)>) -> Step {
        let has_parts = matches!(self.operation, Operation::Load | Operation::Store);
        Step { part: part.filter(|_| has_parts), ..self }
    }

    fn write(&self, text: &mut String, is_shared: bool, bits: u32) -> std::fmt::Result {
        let Step { lanes, warps, blocks, word, spread, compared, varied, part, .. } = *self;
        let (size, byte) = part.unwrap_or((bits, 0));
        let scope = SCOPES[self.scope];
        let [loads, stores, updates] = ORDERS[self.order];
        let scoped = |order: &str| if order.is_empty() { String::new() } else { format!("{order}{scope}") };
        let space = if is_shared { "shared" } else { "global" };
        let register = if bits == 32 { ["%r4", "%r3", "%r2"] } else { ["%rd5", "%rd4", "%rd3"] };
        let [old, compare, new] = register;
        let atom = format!("atom{}.{space}", scoped(updates));
        let instruction = match self.operation {
            Operation::Barrier => return writeln!(text, "    bar.sync 0;"),
            Operation::WarpBarrier => return writeln!(text, "    bar.warp.sync 0xffffffff;"),
            Operation::Fence => {
                format!("fence.{}{scope}", if self.order == 0 { "sc" } else { "acq_rel" })
            }
            Operation::Swap => format!("{atom}.cas.b{bits} {old}, [%rd2], {compare}, {new}"),
            Operation::Exchange => format!("{atom}.exch.b{bits} {old}, [%rd2], {new}"),
            Operation::Add => format!("{atom}.add.u{bits} {old}, [%rd2], {new}"),
            Operation::Load => format!("ld{}.{space}.b{size} {old}, [%rd2+{byte}]", scoped(loads)),
            Operation::Store => format!("st{}.{space}.b{size} [%rd2+{byte}], {new}", scoped(stores)),
        };
        for (bits, by) in [(lanes, "lane"), (warps, "warp"), (blocks, "block")] {
            writeln!(text, "    shr.u32 %r1, {bits}, %{by};\n    and.b32 %r1, %r1, 1;")?;
            let and = if by == "lane" { ("", "") } else { (".and", ", %p1") };
            writeln!(text, "    setp.ne{}.u32 %p1, %r1, 0{};", and.0, and.1)?;
        }
        writeln!(text, "    and.b32 %r1, %lane, {spread};\n    add.u32 %r1, %r1, {word};")?;
        writeln!(text, "    mad.wide.u32 %rd2, %r1, {}, %rd1;", bits / 8)?;
        writeln!(text, "    and.b32 %r1, %lane, {varied};\n    add.u32 %r3, %r1, {compared};")?;
        writeln!(text, "    add.u32 %r2, %lane, 1;\n    and.b32 %r2, %r2, 3;")?;
        if bits == 64 {
            writeln!(text, "    cvt.u64.u32 %rd3, %r2;\n    cvt.u64.u32 %rd4, %r3;")?;
        }
        writeln!(text, "    @%p1 {instruction};")?;
        // A use of what it has found.
        let (ty, kept) = if bits == 32 { ("b32", "%r1") } else { ("b64", "%rd6") };
        match self.operation {
            Operation::Store | Operation::Fence => Ok(()),
            _ => writeln!(text, "    @%p1 mov.{ty} {kept}, {old};"),
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(1000, 4000))]

    #[test]
    fn short_ways_say_the_same_of_kernels_that_synchronise(kernel in kernel()) {
        let text = kernel.ptx();
        let program = Arc::new(Program::from_ptx(&[&text]).unwrap_or_else(|error| panic!("{error:?}\n{text}")));
        let (short, long) = (kernel.judged(&program, Judgement::Fast), kernel.judged(&program, Judgement::OneByOne));
        let is_told = short.0.is_empty() == long.0.is_empty();
        prop_assert!(is_told, "with short ways {short:?}, without {long:?}, {:?}\n{text}", kernel.policy);
    }
}

proptest! {
    #![proptest_config(crate::cases(2000, 8000))]

    /// So few accesses that the checker still keeps all strong ones of a word: it agrees with the rule to the last one.
    #[test]
    fn the_rule_says_the_same_of_small_kernels_that_synchronise(
        kernel in prop_oneof![
            4 => kernel().prop_map(Kernel::small),
            4 => handed_on(),
            4 => observed(),
            1 => observed_for_others(),
            2 => told_by_readers(),
            1 => read_from_afar(),
        ]
    ) {
        let text = kernel.ptx();
        let program = Arc::new(Program::from_ptx(&[&text]).unwrap_or_else(|error| panic!("{error:?}\n{text}")));
        let judged = |judgement| kernel.judged(&program, judgement);
        let ((told, count), (may, most)) = (judged(Judgement::Fast), judged(Judgement::Rule));
        let alarms = &told - &may;
        prop_assert!(alarms.is_empty(), "no race by the rule: {alarms:?}, {:?}\n{text}", kernel.policy);
        // If a write takes an earlier position, the checker may count one more access of a word that races anyway.
        let is_counted = count <= most || matches!(kernel.policy, Policy::Adversarial { .. });
        prop_assert!(is_counted, "by the rule {most} accesses race, not {count}, {:?}\n{text}", kernel.policy);
        // Fast paths take a thread's store for its update of the word before, though only the store may be observed.
        let ((told, _), (must, _)) = (judged(Judgement::OneByOne), judged(Judgement::RuleUncovered));
        let is_told = |(_, lines): &&(Slug, Vec<u32>)| {
            told.iter().any(|(_, others)| lines.iter().any(|line| others.contains(line)))
        };
        let missed: Vec<_> = must.iter().filter(|race| !is_told(race)).collect();
        prop_assert!(missed.is_empty(), "races by the rule: {missed:?} beside {told:?}, {:?}\n{text}", kernel.policy);
    }
}
