//! Tests of the traces of some kernels of the lessons.

use emulator::finding::{Slug, ThreadName};
use emulator::{
    Checks, Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchReport, Observe, Policy, Profile, Program,
};
use std::path::Path;
use std::sync::Arc;
use trace::{Access, ArrayName, Bound, Does, Event, Trace, TracePlace, What};

/// An argument of a kernel.
enum Given {
    /// A buffer of so many ints, each its own index.
    Ints(u32),
    Number(u32),
}
use Given::{Ints, Number};

/// One launch of a lesson's kernel, and its trace.
fn traced(
    file: &str,
    kernel: &str,
    (grid, block): (u32, u32),
    given: &[Given],
    policy: Policy,
    bound: Option<Bound>,
) -> (LaunchReport, Option<Trace>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../cuda/ptx/{file}.ptx"));
    let text = std::fs::read_to_string(&path).expect("a stored PTX");
    let program = Arc::new(Program::from_ptx(&[&text]).expect("it loads"));
    let mut device = Device::new(Profile::default());
    device.configure(Config { policy, workers: 1, ..Config::default() });
    device.observe(Observe { trace: bound, ..Observe::default() });
    let module = device.load(&program).expect("it loads");
    let order = HostOrder::default();
    let index = program.kernels().iter().position(|it| it.name == kernel).expect("a kernel of the file");
    let mut parameters = vec![0; program.kernels()[index].parameter_bytes as usize];
    for (one, parameter) in given.iter().zip(&program.kernels()[index].parameters) {
        let bytes = match *one {
            Number(number) => number.to_le_bytes().to_vec(),
            Ints(count) => {
                let ints: Vec<u8> = (0..count).flat_map(u32::to_le_bytes).collect();
                let address = device.allocate(ints.len() as u64, HostMemory::Device).expect("there is room");
                device.write(address, &ints, &order).expect("it is there");
                address.to_le_bytes().to_vec()
            }
        };
        parameters[parameter.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    let shape =
        LaunchConfig { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    let report = device.launch(&module, index, &shape, &parameters, &order).expect("it launches");
    (report, device.observed().trace)
}

fn whole(file: &str, kernel: &str, shape: (u32, u32), given: &[Given]) -> Trace {
    let (_, trace) = traced(file, kernel, shape, given, Policy::InOrder, Some(Bound::default()));
    let trace = trace.expect("it was asked for");
    assert_eq!(trace.left_out, 0);
    trace
}

fn line(trace: &Trace, event: &Event) -> u32 {
    let site = &trace.sites[event.who.expect("lanes").site];
    site.location.as_ref().expect("a line").line
}

fn access(event: &Event) -> &Access {
    match &event.what {
        What::Access(access) => access,
        other => panic!("no access: {other:?}"),
    }
}

#[test]
fn both_accesses_of_a_race_are_in_the_trace_in_their_order() {
    for policy in [Policy::InOrder, Policy::Reverse, Policy::Random { seed: 3 }, Policy::Adversarial { seed: 3 }] {
        let shape = (1, 64);
        let given = [Ints(64), Number(64)];
        let bound = Some(Bound::default());
        let (report, trace) = traced("lesson02/reverse", "reverse_broken", shape, &given, policy.clone(), bound);
        let trace = trace.unwrap();
        assert_eq!(trace.findings.len(), report.findings.len());
        let found = trace.findings.iter().find(|found| found.finding.slug == Slug::RaceShared).expect("the race");
        let positions: Vec<usize> = found.accesses.iter().map(|at| at.expect("in the trace")).collect();
        assert!(positions.is_sorted() && found.at == Some(positions[1]), "{policy:?}: {found:?}");
        let mut elements = Vec::new();
        for (&position, end) in positions.iter().zip(&found.finding.accesses) {
            let event = &trace.events[position];
            assert_eq!(line(&trace, event), end.location.as_ref().unwrap().line);
            let ThreadName { linear, .. } = end.thread.unwrap();
            let by_lane = &access(event).by_lane;
            let lane = by_lane.iter().find(|lane| u32::from(lane.lane) == linear % 32).expect("the finding's thread");
            assert_eq!(event.who.unwrap().warp, linear / 32);
            let TracePlace::Element { array, index } = lane.place else { panic!("no array: {lane:?}") };
            assert!(matches!(&trace.arrays[array].name, ArrayName::Shared { name, .. } if name == "s"));
            elements.push(index);
        }
        assert!(elements[0] == elements[1] && elements[0].is_some(), "{elements:?}");
    }
}

#[test]
fn a_run_is_the_same_with_a_trace_and_without() {
    let given = || [Ints(64), Number(64)];
    for policy in [Policy::InOrder, Policy::Pct { seed: 1, depth: 3 }, Policy::Adversarial { seed: 1 }] {
        let run = |bound| traced("lesson02/reverse", "reverse_broken", (1, 64), &given(), policy.clone(), bound);
        let (bare, none) = run(None);
        let (report, some) = run(Some(Bound::default()));
        assert!(none.is_none());
        assert_eq!(bare.findings, report.findings);
        assert_eq!(bare.counters, report.counters);
        assert_eq!(some.unwrap().time, report.counters.thread_instructions);
    }
}

#[test]
fn a_barrier_is_arrived_at_and_opens() {
    let trace = whole("lesson02/reverse", "reverse_correct", (1, 64), &[Ints(64), Number(64)]);
    assert!(trace.findings.is_empty());
    let opens = trace.events.iter().position(|event| matches!(event.what, What::Opens { .. })).expect("it opens");
    let arrivals = trace.events[..opens].iter().filter(|event| matches!(event.what, What::Arrives { barrier: 0, .. }));
    let warps: Vec<u32> = arrivals.map(|event| event.who.unwrap().warp).collect();
    assert_eq!(warps, [0, 1]);
    let What::Opens { released, .. } = &trace.events[opens].what else { unreachable!() };
    assert_eq!(released.iter().map(|it| (it.warp, it.lanes.0)).collect::<Vec<_>>(), [(0, !0), (1, !0)]);
    // An event that follows it in the source follows it in the trace.
    let after = |event: &&Event| event.who.is_some() && matches!(event.what, What::Access(_));
    let loads: Vec<u32> = trace.events[opens..].iter().filter(after).map(|event| line(&trace, event)).collect();
    assert!(!loads.is_empty() && loads.iter().all(|&line| line == 28), "{loads:?}");
}

#[test]
fn a_shuffle_says_whose_value_each_lane_gets() {
    let trace = whole("lesson03/all_reduce", "all_reduce_correct", (1, 32), &[Ints(32), Ints(32)]);
    let meetings = trace.events.iter().filter_map(|event| match &event.what {
        What::Meets { function, exchanges } => Some((*function, exchanges)),
        _ => None,
    });
    let meetings: Vec<_> = meetings.collect();
    assert_eq!(meetings.len(), 5);
    for ((function, exchanges), distance) in meetings.into_iter().zip([16, 8, 4, 2, 1]) {
        assert_eq!((function, exchanges.len()), ("__shfl_xor_sync()", 32));
        for one in exchanges {
            let from = one.from.expect("a shuffle has a source");
            assert_eq!(from, one.lane ^ distance);
            assert_eq!(one.gets, exchanges[from as usize].brings);
        }
    }
}

#[test]
fn lanes_split_at_a_branch_and_join() {
    let trace = whole("lesson02/barrier_sides", "barrier_sides_correct", (1, 64), &[Ints(64), Ints(64), Number(64)]);
    let splits = trace.events.iter().filter_map(|event| match &event.what {
        What::Split { others, at_branch: true } => Some((event.who.unwrap().lanes.0, others.0)),
        _ => None,
    });
    let splits: Vec<_> = splits.collect();
    assert!(!splits.is_empty());
    assert!(splits.iter().all(|(these, others)| these & others == 0 && these | others == !0), "{splits:x?}");
    let joined = |event: &Event| matches!(&event.what, What::Join { groups } if groups.len() == 2);
    assert!(trace.events.iter().any(joined));
}

#[test]
fn a_child_grid_is_launched_begins_and_ends() {
    let given = [Ints(200), Number(200), Ints(1)];
    let trace = whole("lesson05/child_result", "child_result_correct", (1, 1), &given);
    let at =
        |is_it: &dyn Fn(&What) -> bool| trace.events.iter().position(|event| is_it(&event.what)).expect("it is told");
    let launches = at(&|what| matches!(what, What::Launches { grid: 1, lane: 0 }));
    let begins = at(&|what| matches!(what, What::BlockBegins { in_block: 1 }));
    let ends = at(&|what| matches!(what, What::GridEnds { grid: 1 }));
    assert!(launches < begins && begins < ends);
    let grids: Vec<_> = trace.launches[0].grids.iter().map(|grid| (grid.kernel.as_str(), grid.first_block)).collect();
    assert_eq!(grids, [("child_result_correct", 0), ("square_all", 1), ("add_up", 3)]);
    assert_eq!(
        trace.launches[0].block(2).map(|(grid, index)| (grid.kernel.as_str(), index)),
        Some(("square_all", [1, 0, 0]))
    );
}

#[test]
fn what_a_parent_and_its_child_race_for_is_found_in_both_grids() {
    let given = [Ints(200), Number(200), Ints(1)];
    let trace = whole("lesson05/child_result", "child_result_broken", (1, 1), &given);
    let found = &trace.findings[0];
    assert_eq!(found.finding.slug, Slug::RaceGlobal);
    let blocks = found.accesses.iter().map(|at| trace.events[at.expect("in the trace")].who.unwrap().block);
    let blocks: Vec<u64> = blocks.collect();
    assert!(blocks.contains(&0) && blocks.iter().any(|&block| block > 0), "{blocks:?}");
}

#[test]
fn atomic_operations_tell_what_they_found() {
    let trace = whole("lesson04/counter", "counter_correct", (1, 64), &[Ints(1), Number(64)]);
    let atomics =
        trace.events.iter().filter(|event| matches!(&event.what, What::Access(it) if it.does == Does::Atomic));
    let lanes = atomics.flat_map(|event| &access(event).by_lane);
    let found: Vec<u64> = lanes.map(|lane| lane.found[0].0).collect();
    assert_eq!(found, (0..64).collect::<Vec<u64>>());
}

#[test]
fn of_a_big_run_the_first_events_are_kept() {
    let given = || [Ints(1 << 14), Number(1 << 14)];
    let run = |bound| traced("lesson04/counter", "counter_broken", (64, 256), &given(), Policy::InOrder, bound);
    let whole = run(Some(Bound { events: usize::MAX, bytes: usize::MAX })).1.unwrap();
    assert_eq!(whole.left_out, 0);
    for bound in [Bound { events: 100, bytes: usize::MAX }, Bound { events: usize::MAX, bytes: 20_000 }] {
        let (report, cut) = run(Some(bound));
        let cut = cut.unwrap();
        let kept = cut.events.len();
        assert!(kept > 20 && kept <= 100, "{kept}");
        assert_eq!(cut.left_out as usize, whole.events.len() - kept);
        // The last step goes on to its end in either.
        assert_eq!(cut.events[..kept - 1], whole.events[..kept - 1]);
        assert_eq!(cut.time, whole.time);
        assert_eq!(report.findings, run(None).0.findings);
        let positions = cut.findings.iter().flat_map(|found| found.accesses.iter().flatten());
        assert!(positions.copied().all(|position| position < kept));
    }
}

#[test]
fn a_launch_without_full_checks_leaves_no_events() {
    let text = ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n{\nret;\n}\n";
    let program = Arc::new(Program::from_ptx(&[text]).expect("it loads"));
    for checks in [Checks::Fast, Checks::Counters] {
        let mut device = Device::new(Profile::default());
        device.configure(Config { checks, workers: 1, ..Config::default() });
        device.observe(Observe { trace: Some(Bound::default()), ..Observe::default() });
        let module = device.load(&program).expect("it loads");
        let shape =
            LaunchConfig { grid: [2, 1, 1], block: [32, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
        device.launch(&module, 0, &shape, &[], &HostOrder::default()).expect("it launches");
        let trace = device.observed().trace.expect("it was asked for");
        assert!(device.observed().trace.is_none());
        assert!(trace.events.is_empty() && !trace.launches[0].is_traced, "{checks:?}");
        assert_eq!(trace.time, 64);
    }
}
