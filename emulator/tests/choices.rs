//! Choices that are made from outside: what there is to choose from, and lists that do not fit.

use emulator::choices::{ChoiceKind, ChoiceOptions, Misfit, ScheduleChoice, Stop};
use emulator::finding::Slug;
use emulator::{Config, Device, HostMemory, HostOrder, LaunchConfig, LaunchReport, Policy, Profile, Program};
use std::path::Path;
use std::sync::Arc;

/// 64 threads of lesson 2's `reverse_broken` on a device of their own.
fn reverse(policy: Policy) -> LaunchReport {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuda/ptx/lesson02/reverse.ptx");
    let program = Arc::new(Program::from_ptx(&[&std::fs::read_to_string(path).expect("stored")]).expect("it loads"));
    let mut device = Device::new(Profile::default());
    device.configure(Config { policy, workers: 1, ..Config::default() });
    let module = device.load(&program).expect("it loads");
    let kernel = program.kernels().iter().position(|kernel| kernel.name == "reverse_broken").expect("a kernel");
    let order = HostOrder::default();
    let data = device.allocate(256, HostMemory::Device).expect("there is room");
    device.fill(data, &[7], 256, &order).expect("it is there");
    let parameters = [&data.to_le_bytes()[..], &64u32.to_le_bytes()].concat();
    let shape =
        LaunchConfig { grid: [1, 1, 1], block: [64, 1, 1], dynamic_shared: 0, cooperative: false, cluster: None };
    device.launch(&module, kernel, &shape, &parameters, &order).expect("it launches")
}

fn asked(report: &LaunchReport) -> &ChoiceOptions {
    match &report.stop {
        Some(Stop::Unanswered(options)) => options,
        other => panic!("nobody is asked: {other:?}"),
    }
}

#[test]
fn somebody_is_told_the_warps_with_their_lanes_and_lines() {
    let report = reverse(Policy::InOrder.asking_after(&[]));
    assert!(report.choices.is_empty() && report.findings.is_empty());
    let ChoiceOptions::Warps { block, warps } = asked(&report) else { panic!("{:?}", report.stop) };
    assert_eq!((block.number, block.kernel.as_str(), block.index), (0, "reverse_broken", [0; 3]));
    assert_eq!(warps.iter().map(|warp| warp.warp).collect::<Vec<_>>(), [0, 1]);
    for warp in warps {
        let [group] = &warp.groups[..] else { panic!("a warp begins as one group: {warp:?}") };
        let place = group.location.as_ref().expect("a line");
        assert_eq!((group.lanes, place.file.as_str(), place.line), (!0, "cuda/lesson02/reverse.cu", 13));
    }
}

#[test]
fn who_chooses_the_other_warp_first_sees_the_race_the_other_way() {
    let lines = |first: u32| {
        let choice = asked(&reverse(Policy::InOrder.asking_after(&[]))).choice(1, first);
        let report = reverse(Policy::InOrder.after(&[choice]));
        assert_eq!((report.choices[0], &report.stop), (choice, &None));
        let race = report.findings.iter().find(|it| it.slug == Slug::RaceShared).expect("the race");
        race.accesses.iter().map(|end| end.thread.expect("a thread").linear / 32).collect::<Vec<_>>()
    };
    assert_eq!((lines(0), lines(1)), (vec![0, 1], vec![1, 0]));
}

/// The kernel has no branch: its warps split where a schedule splits them. One that does, its record, and where a group
/// is chosen.
fn splitting() -> (Policy, Vec<ScheduleChoice>, usize) {
    let found = (0..50).find_map(|seed| {
        let policy = Policy::Adversarial { seed };
        let record = reverse(policy.clone().recorded()).choices;
        let at = record.iter().position(|choice| choice.kind == ChoiceKind::Group)?;
        Some((policy, record, at))
    });
    found.expect("some seed splits a warp")
}

#[test]
fn lanes_that_have_parted_are_told_apart() {
    let (policy, record, at) = splitting();
    let report = reverse(policy.asking_after(&record[..at]));
    let ChoiceOptions::Groups { groups, .. } = asked(&report) else { panic!("{:?}", report.stop) };
    assert_eq!(groups.len() as u32, record[at].answers);
    let lanes = groups.iter().fold(0u32, |all, group| {
        assert!(group.lanes != 0 && all & group.lanes == 0 && group.location.is_some());
        all | group.lanes
    });
    assert_ne!(lanes, 0);
}

#[test]
fn a_list_that_does_not_fit_is_refused_at_its_place() {
    let (policy, record, _) = splitting();
    assert!(record.len() > 8);
    let misfit = |choices: &[ScheduleChoice]| match reverse(policy.clone().after(choices)).stop {
        Some(Stop::Misfit(misfit)) => misfit,
        other => panic!("it fits: {other:?}"),
    };
    let was = record[5];
    let given = |changed: ScheduleChoice| [&record[..5], &[changed], &record[6..]].concat();
    let asked = Some((was.kind, was.answers));
    for changed in [
        ScheduleChoice { kind: ChoiceKind::Copy, ..was },
        ScheduleChoice { answers: was.answers + 1, ..was },
        ScheduleChoice { pick: was.answers, ..was },
    ] {
        assert_eq!(misfit(&given(changed)), Misfit { place: 5, given: changed, asked });
    }
    // Too many.
    let more = [&record[..], &[was]].concat();
    assert_eq!(misfit(&more), Misfit { place: record.len(), given: was, asked: None });
}
