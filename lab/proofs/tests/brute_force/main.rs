//! Races of random kernels, against every pair of accesses compared one by one.
//!
//! The checker keeps a few accesses of each word and whole rows as one, and has fast paths where many lanes touch one
//! word or a warp does the same again. Here kernels are drawn at random, and each is judged in four ways:
//!
//! - by a comparison of all pairs that knows the kernel's text and nothing of the checker;
//! - by the checker's own plain rule ([`Judgement::Rule`]);
//! - by its shadow memory, one access at a time;
//! - by its shadow memory with all fast paths.
//!
//! The checker may report what the comparison and the rule find and nothing else, and must report one race of each
//! byte. It must say the same to the last word with its fast paths and without (but see `synchronising`), whatever the
//! schedule, and whatever ran before.

mod kernel;
mod ptx;
mod reference;
mod scopes;
mod synchronising;

use emulator::finding::{Finding, Slug};
use emulator::{Config, Device, HostMemory, HostOrder, Judgement, LaunchConfig, Policy, Profile, Program};
use kernel::{BUFFER, BYTES, Kernel, Kind, Step, Way, kernel, one_step, own_word};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use reference::{Accesses, Operation, Pair, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Streams are numbered from 1.
const STREAMS: u32 = 3;

#[derive(Clone, Debug)]
enum Work {
    Launch(Kernel),
    Host(Operation),
}

/// Something to do, and when.
#[derive(Clone, Debug)]
struct Task {
    work: Work,
    stream: u32,
    /// Streams, bit by bit, whose tasks so far it waits for.
    waits: u32,
}

/// The tasks on one buffer, one after the other.
#[derive(Clone, Debug)]
struct Case {
    tasks: Vec<Task>,
    policy: Policy,
}

fn case() -> impl Strategy<Value = Case> {
    let host = (0..BYTES / 4, 1..=BYTES / 4, any::<bool>());
    let host = host.prop_map(|(first, words, writes)| {
        Work::Host(Operation { words: (first, (first + words).min(BYTES / 4)), writes })
    });
    let one_step = || one_step().prop_map(Work::Launch);
    let work = || prop_oneof![15 => kernel().prop_map(Work::Launch), 3 => one_step(), 2 => host.clone()];
    let waits = || prop_oneof![4 => Just(0u32), 1 => 0..1u32 << STREAMS];
    let stream = || prop_oneof![3 => Just(1u32), 3 => Just(2), 1 => 1..=STREAMS];
    let task = (work(), stream(), waits()).prop_map(|(work, stream, waits)| Task { work, stream, waits });
    let policy = prop_oneof![
        Just(Policy::InOrder),
        (0u64..1000).prop_map(|seed| Policy::Random { seed }),
        (0u64..1000).prop_map(|seed| Policy::Adversarial { seed }),
    ];
    // The first task again, as the last: memory is as a like launch has left it.
    let again = prop_oneof![2 => Just(None), 1 => Just(Some(false)), 1 => Just(Some(true))];
    let tasks = (proptest::collection::vec(task, 1..4), again);
    (tasks, policy).prop_map(|((mut tasks, again), policy)| {
        if let Some(apart) = again {
            let first = tasks[0].clone();
            tasks.push(Task { stream: first.stream % STREAMS + u32::from(apart), ..first });
        }
        Case { tasks, policy }
    })
}

/// Two launches of streams that nothing orders make accesses that do not race. A third one waits for the second alone,
/// and so may race with what that has displaced.
fn displaced() -> impl Strategy<Value = Case> {
    let two = prop_oneof![3 => Just((Kind::Load, None)), 2 => Just((Kind::Update, Some(true)))];
    let last = prop_oneof![
        3 => Just((Kind::Store, None)),
        1 => Just((Kind::Load, None)),
        1 => Just((Kind::Update, Some(true))),
        1 => Just((Kind::Store, Some(true))),
    ];
    let kernels = (two, last, 0..3usize).prop_flat_map(|(two, last, before)| {
        // A launch before them, which the first one is ordered after.
        let kinds = [Some(last).filter(|_| before == 0), Some(two), Some(two), Some(last)];
        kinds.into_iter().flatten().map(own_word).collect::<Vec<_>>()
    });
    (kernels, 0..4u32).prop_map(|(kernels, waits)| {
        let first = kernels.len() - 3;
        let task = |(number, kernel)| Task {
            work: Work::Launch(kernel),
            stream: if number <= first { 1 } else { (number - first + 1) as u32 },
            waits: if number == first + 2 { [0b010, 0b010, 0b011, 0][waits as usize] } else { 0 },
        };
        Case { tasks: (0..).zip(kernels).map(task).collect(), policy: Policy::InOrder }
    })
}

/// The checker's results for a task.
struct Judged {
    findings: Vec<Finding>,
    /// Accesses that raced.
    racing: u64,
}

/// The results that are expected of it.
enum Wanted {
    Races(Verdict),
    /// A race may be reported, and it must be.
    Race(bool, bool),
}

impl Task {
    fn text(&self) -> String {
        match &self.work {
            Work::Launch(kernel) => kernel.ptx(),
            Work::Host(operation) => format!("{operation:?}"),
        }
    }

    fn has(&self, is_such: impl Fn(&Way) -> bool) -> bool {
        let Work::Launch(kernel) = &self.work else { return false };
        kernel.unrolled().any(|(_, _, step)| matches!(step, Step::Access { way, .. } if is_such(&way)))
    }

    fn operation(&self) -> Option<Operation> {
        match &self.work {
            Work::Host(operation) => Some(*operation),
            Work::Launch(_) => None,
        }
    }

    fn program(&self) -> Option<Arc<Program>> {
        let Work::Launch(kernel) = &self.work else { return None };
        let text = kernel.ptx();
        Some(Arc::new(Program::from_ptx(&[&text]).unwrap_or_else(|error| panic!("{error:?}\n{text}"))))
    }

    /// Returns the window in the buffer: shared memory is nowhere in it, and what the host does is in the first one.
    fn window(&self) -> Option<u32> {
        match &self.work {
            Work::Launch(kernel) => (!kernel.shared).then_some(kernel.window),
            Work::Host(_) => Some(0),
        }
    }
}

impl Case {
    /// True if as many accesses race with short ways. Of an older launch a word's last write is kept, and in which
    /// order the lanes of a step come to parts of a word is no promise.
    fn counts(&self, number: usize) -> bool {
        let has_parts = |task: &Task| task.has(|way| way.size / way.elements < 4);
        !self.tasks[..number].iter().any(has_parts)
    }

    /// When each task is.
    fn orders(&self) -> Vec<HostOrder> {
        let mut now = vec![vec![0; STREAMS as usize + 1]; STREAMS as usize + 1];
        let order = |task: &Task| {
            let agent = task.stream as usize;
            let mut clock = now[agent].clone();
            for other in (1..=STREAMS as usize).filter(|other| task.waits >> (other - 1) & 1 != 0) {
                clock.iter_mut().zip(&now[other]).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            }
            clock[agent] += 1;
            now[agent].clone_from(&clock);
            HostOrder { agent: task.stream, clock, overlaps: None }
        };
        self.tasks.iter().map(order).collect()
    }

    /// Returns the checker's results for each task.
    fn run(&self, programs: &[Option<Arc<Program>>], judgement: Judgement) -> Vec<Judged> {
        let mut device = Device::new(Profile::default());
        device.configure(Config { judgement, policy: self.policy.clone(), ..Config::default() });
        let buffer = device.allocate(u64::from(BUFFER), HostMemory::Device).unwrap();
        device.write(buffer, &[0; BUFFER as usize], &HostOrder::default()).unwrap();
        let mut told = Vec::new();
        for ((task, order), program) in self.tasks.iter().zip(self.orders()).zip(programs) {
            let before = device.racing_accesses();
            let findings = match (&task.work, program) {
                (Work::Launch(kernel), Some(program)) => {
                    let module = device.load(program).unwrap();
                    let (grid, block) = ([kernel.blocks, 1, 1], [kernel.threads, 1, 1]);
                    let shape = LaunchConfig { grid, block, dynamic_shared: 0, cooperative: false, cluster: None };
                    let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &order).unwrap();
                    assert_eq!(report.fault, None, "{}", kernel.ptx());
                    report.findings
                }
                (Work::Host(Operation { words: (first, end), writes }), _) => {
                    let (from, bytes) = (buffer + u64::from(4 * first), 4 * (end - first));
                    let mut copy = vec![0; bytes as usize];
                    match writes {
                        true => device.fill(from, &[0], bytes.into(), &order).unwrap(),
                        false => device.read(from, &mut copy, &order).unwrap(),
                    }
                }
                (Work::Launch(_), None) => unreachable!("a launch has a program"),
            };
            told.push(Judged { findings, racing: device.racing_accesses() - before });
        }
        told
    }

    /// Returns the results of the comparison of all pairs for each task.
    fn wanted(&self) -> Vec<Wanted> {
        let orders = self.orders();
        let nothing = || Accesses::of(Vec::new());
        let accesses = |task: &Task| match &task.work {
            Work::Launch(kernel) => Accesses::new(kernel),
            Work::Host(_) => nothing(),
        };
        let accesses: Vec<Accesses> = self.tasks.iter().map(accesses).collect();
        let wanted = |number: usize| {
            let task = &self.tasks[number];
            let meets = |other: &usize| task.window().is_some() && self.tasks[*other].window() == task.window();
            let is_unordered = |old: &usize| {
                let agent = orders[*old].agent as usize;
                orders[*old].clock[agent] > orders[number].clock[agent]
            };
            let unordered: Vec<usize> = (0..number).filter(meets).filter(is_unordered).collect();
            let host = |but: usize| -> Vec<Operation> {
                let others = (0..number).filter(|other| *other != but);
                others.filter_map(|other| self.tasks[other].operation()).collect()
            };
            let between =
                |old: usize| (old + 1..number).filter(meets).map(|at| &accesses[at]).collect::<Vec<&Accesses>>();
            match &task.work {
                Work::Launch(kernel) => {
                    let mut verdict = Verdict::new();
                    verdict.add_own(kernel, &accesses[number]);
                    for &old in &unordered {
                        let (between, host) = (between(old), host(old));
                        match self.tasks[old].operation() {
                            Some(operation) => verdict.add_host(&operation, &between, &host, &accesses[number]),
                            None => verdict.add_between(&accesses[old], &between, &host, &accesses[number]),
                        }
                    }
                    Wanted::Races(verdict)
                }
                Work::Host(operation) => {
                    // Earlier work of the host is not judged, and may hide what kernels did.
                    let is_alone = host(number).is_empty();
                    let each = unordered.iter().map(|&old| operation.between(&accesses[old], &between(old)));
                    let (may, must) = each.fold((false, false), |(a, b), (c, d)| (a || c, b || d));
                    Wanted::Race(may, must && is_alone)
                }
            }
        };
        (0..self.tasks.len()).map(wanted).collect()
    }

    /// Returns what the checker says of a launch and the rule does not, or the other way round. `must` and `may` are
    /// the races
    /// by the rule, without covered accesses and with them.
    fn disagreement(&self, number: usize, told: &Judged, [must, may]: [&Judged; 2]) -> Option<String> {
        self.tasks[number].program()?;
        let text = self.tasks[number].text();
        let races = told.races(&text);
        if let Some(alarm) = races.difference(&may.races(&text)).next() {
            return Some(format!("{alarm:?} is no race by the rule"));
        }
        // Any access that the later one was compared with may stand for others like it.
        let is_told = |&(.., second): &Pair| races.iter().any(|(_, a, b)| [*a, Some(*b)].contains(&Some(second)));
        // The checker keeps the last write and read of a word from an older launch.
        if let Some(missed) = must.pairs(&text).iter().find(|pair| pair.1.is_some() && !is_told(pair)) {
            return Some(format!("{missed:?} is a race by the rule"));
        }
        let is_counted = number > 0 || told.racing <= may.racing;
        (!is_counted).then(|| format!("by the rule {} accesses race, not {}", may.racing, told.racing))
    }

    /// Returns what is wrong with the checker.
    fn objection(&self, wanted: &[Wanted]) -> Option<String> {
        let programs: Vec<_> = self.tasks.iter().map(Task::program).collect();
        let run = |judgement| self.run(&programs, judgement);
        let [short, long] = [Judgement::Fast, Judgement::OneByOne].map(run);
        let [may, must] = [Judgement::Rule, Judgement::RuleUncovered].map(run);
        let object = |number: usize| {
            let text = self.tasks[number].text();
            let [short, long, may, must] = [&short[number], &long[number], &may[number], &must[number]];
            let against = |told: &Judged| match &wanted[number] {
                Wanted::Races(verdict) => verdict.objection(&told.races(&text)),
                Wanted::Race(may, must) => {
                    let is_told = told.findings.iter().any(|finding| finding.slug == Slug::RaceGlobal);
                    (is_told && !may || !is_told && *must).then(|| format!("told: {is_told}"))
                }
            };
            let differs = || format!("{} accesses race with short ways, and {} without", short.racing, long.racing);
            let objection = against(long)
                .map(|what| format!("without short ways, {what}"))
                .or_else(|| against(short).map(|what| format!("with short ways, {what}")))
                .or_else(|| against(may).map(|what| format!("by the rule, {what}")))
                .or_else(|| against(must).map(|what| format!("by the rule without covered accesses, {what}")))
                .or_else(|| self.disagreement(number, short, [must, may]))
                .or_else(|| (short.racing != long.racing && self.counts(number)).then(differs));
            objection.map(|what| format!("task {number}, {:?}: {what}\n{text}", self.policy))
        };
        (0..self.tasks.len()).find_map(object)
    }
}

impl Judged {
    /// The pairs of lines that are reported to race, the lower one first.
    fn races(&self, text: &str) -> BTreeSet<Pair> {
        let sorted = |(slug, first, second): Pair| match first {
            Some(first) => (slug, Some(first.min(second)), first.max(second)),
            None => (slug, None, second),
        };
        self.pairs(text).into_iter().map(sorted).collect()
    }

    /// The pairs of lines that are reported to race, the earlier access first.
    fn pairs(&self, text: &str) -> BTreeSet<Pair> {
        let lines: Vec<&str> = text.lines().collect();
        let place = |line: u32| -> usize {
            let text = lines[line as usize - 1];
            let number = text.rsplit_once("// ").and_then(|(_, number)| number.parse().ok());
            number.unwrap_or_else(|| panic!("no access: {text}"))
        };
        let is_race =
            |finding: &&Finding| matches!(finding.slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope);
        let pair = |finding: &Finding| {
            let [first, second] = &finding.accesses[..] else { panic!("{finding:?}") };
            let [a, b] = [first, second].map(|access| access.thread.map(|_| place(access.ptx_line)));
            (finding.slug, a, b.expect("a thread of this launch"))
        };
        self.findings.iter().filter(is_race).map(pair).collect()
    }
}

/// The same cases each time. A hunt draws others, as the variables `PROPTEST_CASES` and `PROPTEST_RNG_SEED` say: in one
/// of some 300,000 a word that is reported anyway has one pair of lines more without the short ways.
fn cases(sample: u32, whole: u32) -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig {
            cases: skipped::share(sample, whole),
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::default()
        },
    }
}

proptest! {
    #![proptest_config(cases(4000, 16_000))]

    #[test]
    fn the_checker_agrees_with_a_comparison_of_all_pairs(case in prop_oneof![12 => case(), 1 => displaced()]) {
        let objection = case.objection(&case.wanted());
        prop_assert!(objection.is_none(), "{}", objection.unwrap_or_default());
    }
}
