//! Races of random kernels, against every pair of accesses compared one by one.
//!
//! The checker keeps a few accesses of each word and whole rows as one, and goes short ways where many lanes touch one
//! word or a warp does the same again. Here kernels are drawn at random, and each is judged three times: by a comparison
//! of all pairs, with no shadow memory at all; by the checker; and by the checker without its short ways. The checker may
//! report what the comparison finds and nothing else, must report one race of each byte, and must say the same to the last
//! word with its short ways and without, whatever the schedule, and whatever ran before.

mod kernel;
mod ptx;
mod reference;

use emulator::report::{Finding, Slug};
use emulator::{Checks, Config, Device, LaunchConfig, Order, Place, Policy, Profile, Program};
use kernel::{BUFFER, Kernel, kernel, one_step};
use proptest::prelude::*;
use reference::{Accesses, Pair, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Streams are numbered from 1.
const STREAMS: u32 = 3;

/// A kernel and when it is launched.
#[derive(Clone, Debug)]
struct Launch {
    kernel: Kernel,
    stream: u32,
    /// Streams, bit by bit, whose launches so far it waits for.
    waits: u32,
}

/// What is launched on one buffer, one after the other.
#[derive(Clone, Debug)]
struct Case {
    launches: Vec<Launch>,
    policy: Policy,
}

fn case() -> impl Strategy<Value = Case> {
    let kernel = || prop_oneof![5 => kernel(), 1 => one_step()];
    let waits = || prop_oneof![4 => Just(0u32), 1 => 0..1u32 << STREAMS];
    let stream = || prop_oneof![3 => Just(1u32), 3 => Just(2), 1 => 1..=STREAMS];
    let launch = move || (kernel(), stream(), waits());
    let policy = prop_oneof![
        Just(Policy::InOrder),
        (0u64..1000).prop_map(|seed| Policy::Random { seed }),
        (0u64..1000).prop_map(|seed| Policy::Adversarial { seed }),
    ];
    // The same again, first and last: memory is as a like launch has left it.
    let again = prop_oneof![2 => Just(None), 1 => Just(Some(false)), 1 => Just(Some(true))];
    let launches = (proptest::collection::vec(launch(), 1..4), again);
    (launches, policy).prop_map(|((launches, again), policy)| {
        let mut launches: Vec<Launch> =
            launches.into_iter().map(|(kernel, stream, waits)| Launch { kernel, stream, waits }).collect();
        if let Some(apart) = again {
            let first = launches[0].clone();
            launches.push(Launch { stream: first.stream % STREAMS + u32::from(apart), ..first });
        }
        Case { launches, policy }
    })
}

/// What the checker says of a launch.
struct Told {
    findings: Vec<Finding>,
    /// Accesses that raced, up to its end.
    racing: u64,
}

impl Case {
    /// When each launch is, and for each what it comes after.
    fn orders(&self) -> Vec<Order> {
        let mut now = vec![vec![0; STREAMS as usize + 1]; STREAMS as usize + 1];
        let order = |launch: &Launch| {
            let agent = launch.stream as usize;
            let mut clock = now[agent].clone();
            for other in (1..=STREAMS as usize).filter(|other| launch.waits >> (other - 1) & 1 != 0) {
                clock.iter_mut().zip(&now[other]).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            }
            clock[agent] += 1;
            now[agent].clone_from(&clock);
            Order { agent: launch.stream, clock }
        };
        self.launches.iter().map(order).collect()
    }

    /// What the checker says of each launch.
    fn run(&self, programs: &[Arc<Program>], one_by_one: bool) -> Vec<Told> {
        let mut device = Device::new(Profile::default());
        device.configure(Config { checks: Checks::Full, policy: self.policy.clone(), ..Config::default() });
        if one_by_one {
            device.judge_one_by_one();
        }
        let buffer = device.allocate(u64::from(BUFFER), Place::Device).unwrap();
        device.write(buffer, &[0; BUFFER as usize], &Order::default()).unwrap();
        let launch = |((Launch { kernel, .. }, order), program): ((&Launch, Order), &Arc<Program>)| {
            let module = device.load(program).unwrap();
            let (grid, block) = ([kernel.blocks, 1, 1], [kernel.threads, 1, 1]);
            let shape = LaunchConfig { grid, block, dynamic_shared: 0, cooperative: false };
            let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &order).unwrap();
            assert_eq!(report.fault, None, "{}", kernel.ptx());
            Told { findings: report.findings, racing: device.racing_accesses() }
        };
        self.launches.iter().zip(self.orders()).zip(programs).map(launch).collect()
    }

    /// What the comparison of all pairs says of each launch.
    fn verdicts(&self) -> Vec<Verdict> {
        let orders = self.orders();
        let accesses: Vec<Accesses> = self.launches.iter().map(|launch| Accesses::new(&launch.kernel)).collect();
        let verdict = |number: usize| {
            let mut verdict = Verdict::new();
            let kernel = &self.launches[number].kernel;
            verdict.add_own(kernel, &accesses[number]);
            let meets = |other: &usize| {
                let other = &self.launches[*other].kernel;
                !kernel.shared && !other.shared && kernel.window == other.window
            };
            for old in (0..number).filter(meets) {
                let agent = orders[old].agent as usize;
                if orders[old].clock[agent] > orders[number].clock[agent] {
                    let between: Vec<_> = (old + 1..number).filter(meets).map(|between| &accesses[between]).collect();
                    verdict.add_between(&accesses[old], &between, &accesses[number]);
                }
            }
            verdict
        };
        (0..self.launches.len()).map(verdict).collect()
    }

    /// What is wrong with the checker.
    fn objection(&self, verdicts: &[Verdict]) -> Option<String> {
        let texts: Vec<String> = self.launches.iter().map(|launch| launch.kernel.ptx()).collect();
        let parsed = |text: &String| Program::from_ptx(&[text]).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let programs: Vec<_> = texts.iter().map(|text| Arc::new(parsed(text))).collect();
        let (short, long) = (self.run(&programs, false), self.run(&programs, true));
        let object = |number: usize| {
            let text = &texts[number];
            let [short, long] = [&short[number], &long[number]];
            let against = |told: &Told, how: &str| {
                verdicts[number].objection(&told.races(text)).map(|what| format!("{how} short ways, {what}"))
            };
            let differs = || format!("{} accesses race with short ways, and {} without", short.racing, long.racing);
            let objection = against(long, "without")
                .or_else(|| against(short, "with"))
                .or_else(|| (short.racing != long.racing).then(differs));
            objection.map(|what| format!("launch {number}, {:?}: {what}\n{text}", self.policy))
        };
        (0..self.launches.len()).find_map(object)
    }
}

impl Told {
    /// The pairs of lines that are reported to race.
    fn races(&self, text: &str) -> BTreeSet<Pair> {
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
            let b = b.expect("a thread of this launch");
            (finding.slug, a.map(|a| a.min(b)), a.map_or(b, |a| a.max(b)))
        };
        self.findings.iter().filter(is_race).map(pair).collect()
    }
}

/// A hunt draws more: what the environment variable `PROPTEST_CASES` says.
fn cases() -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(10_000),
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_checker_agrees_with_a_comparison_of_all_pairs(case in case()) {
        let objection = case.objection(&case.verdicts());
        prop_assert!(objection.is_none(), "{}", objection.unwrap_or_default());
    }
}
