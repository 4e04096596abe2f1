//! Races of random kernels, against every pair of accesses compared one by one.
//!
//! The checker keeps a few accesses of each word and whole rows as one, and goes short ways where many lanes touch one
//! word or a warp does the same again. Here kernels are drawn at random, and a comparison of all pairs, with no shadow
//! memory at all, says whether there is a race. Both must agree, whatever the schedule, and whatever ran before.

mod kernel;
mod ptx;
mod reference;

use emulator::report::Slug;
use emulator::{Checks, Config, Device, LaunchConfig, Order, Place, Policy, Profile, Program};
use kernel::{BUFFER, Kernel, kernel, one_step};
use proptest::prelude::*;
use std::sync::Arc;

/// A kernel, and the stream that it is launched in.
struct Launch<'a> {
    kernel: &'a Kernel,
    program: Arc<Program>,
    stream: u32,
}

impl<'a> Launch<'a> {
    fn new(kernel: &'a Kernel, stream: u32) -> Launch<'a> {
        let text = kernel.ptx();
        let program = Program::from_ptx(&[&text]).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        Launch { kernel, program: Arc::new(program), stream }
    }
}

/// Launches one after the other on one buffer; true if the last one reports a race.
fn reports_race(launches: &[Launch], policy: &Policy) -> bool {
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy: policy.clone(), ..Config::default() });
    let buffer = device.allocate(u64::from(BUFFER), Place::Device).unwrap();
    device.write(buffer, &[0; BUFFER as usize], &Order::default()).unwrap();
    let mut launch = |Launch { kernel, program, stream }: &Launch| {
        let module = device.load(program).unwrap();
        let (grid, block) = ([kernel.blocks, 1, 1], [kernel.threads, 1, 1]);
        let shape = LaunchConfig { grid, block, dynamic_shared: 0, cooperative: false };
        let order = Order { agent: *stream, clock: (0..3).map(|other| u32::from(other == *stream)).collect() };
        let report = device.launch(&module, 0, &shape, &buffer.to_le_bytes(), &order).unwrap();
        assert_eq!(report.fault, None, "{}", kernel.ptx());
        let races = [Slug::RaceShared, Slug::RaceGlobal, Slug::RaceScope];
        report.findings.iter().any(|finding| races.contains(&finding.slug))
    };
    launches.iter().map(&mut launch).last().unwrap_or(false)
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        Just(Policy::InOrder),
        (0u64..1000).prop_map(|seed| Policy::Random { seed }),
        (0u64..1000).prop_map(|seed| Policy::Adversarial { seed }),
    ]
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
    fn the_checker_agrees_with_a_comparison_of_all_pairs(
        last in prop_oneof![5 => kernel(), 1 => one_step()],
        again: bool,
        others in proptest::collection::vec((prop_oneof![kernel(), one_step()], 1u32..3), 0..3),
        policy in policy(),
    ) {
        // The last one is in stream 1, and what is in stream 2 is not ordered before it.
        let first = again.then(|| Launch::new(&last, 1));
        let launches: Vec<Launch> = first.into_iter().chain(others.iter().map(|(kernel, stream)| Launch::new(kernel, *stream))).chain([Launch::new(&last, 1)]).collect();
        let alone = reference::within(&last);
        let unordered = others.iter().filter(|(_, stream)| *stream == 2);
        let with: Vec<_> = unordered.map(|(other, _)| reference::between(other, &last)).collect();
        // Launches between the two may have hidden the older one.
        let must = alone.must || others.len() == 1 && with.iter().any(|with| with.must);
        let may = alone.may || with.iter().any(|with| with.may);
        let reported = reports_race(&launches, &policy);
        prop_assert!(if reported { may } else { !must }, "{:?}: {}\n{}", policy, reported, last.ptx());
    }
}
