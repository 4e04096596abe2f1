//! Every method of every job, launched as on a GPU, on small inputs of the emulated one: the answers are right, and the
//! emulator finds nothing. A method whose kernel does not exist fails here too.

use bench::data::{self, Order, POISON, Sieve, check_kept};
use bench::device::{Arg, Gpu, Step};
use bench::jobs::JOBS;
use bench::measure::{Group, Method};
use bench::run::{Run, Scale, all};
use driver::Choice;

fn run() -> Run {
    words::Language::English.speak();
    Run::new(Gpu::open(Choice::Emulator).unwrap(), Scale::Check).unwrap()
}

#[test]
fn every_method_of_every_job_is_right() {
    let run = run();
    let jobs: Vec<_> = JOBS.iter().collect();
    let (report, wrong) = all(run, &jobs).unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    assert!(report.records.is_empty(), "the emulated GPU's time means nothing");
}

#[test]
fn what_does_nothing_or_the_wrong_thing_is_refused() {
    let mut run = run();
    let room = run.gpu.room::<u32>(2).unwrap();
    let (at, other) = (room.as_device_ptr().as_raw(), room.as_device_ptr().as_raw() + 4);
    let is_seven = |run: &Run, _: usize| {
        anyhow::ensure!(run.host.download(at, 1)?[0] == 7, "it is not 7");
        Ok(())
    };
    let set = |at: u64, value: u32| vec![Step::Fill { at, value, words: 1 }];
    let group = Group {
        job: "sum",
        input: "none".into(),
        n: 1,
        bytes: 4,
        methods: vec![
            Method::new("right", vec![set(at, 7)], is_seven),
            Method::new("idle", vec![Vec::new()], is_seven),
            Method::new("misses", vec![set(other, 7)], is_seven),
            Method::new("right once", vec![set(at, 7), set(at, 8)], is_seven),
        ],
        peer: None,
        poison: Box::new(move |run| data::poison(&run.gpu, at, 2)),
    };
    run.group(&group).unwrap();
    let wrong: Vec<bool> = ["right:", "idle:", "misses:", "right once:"]
        .map(|name| run.wrong.iter().any(|what| what.contains(name)))
        .into();
    assert_eq!(wrong, [false, true, true, true], "{:?}", run.wrong);
}

#[test]
fn a_launch_with_arguments_of_other_sizes_is_refused() {
    let run = run();
    let arguments = [Arg::Pointer(0), Arg::Pointer(0), Arg::Int(0)];
    assert!(run.gpu.launch("ladder_int", 1, 32, &arguments).is_ok());
    assert!(run.gpu.launch("ladder_int", 1, 32, &arguments[..2]).is_err());
    assert!(run.gpu.launch("ladder_int", 1, 32, &[Arg::Pointer(0), Arg::Pointer(0), Arg::Pointer(0)]).is_err());
    assert!(run.gpu.launch("ladder_none", 1, 32, &arguments).is_err());
}

#[test]
fn a_block_larger_than_the_kernel_takes_is_refused() {
    let run = run();
    let arguments = [Arg::Pointer(0), Arg::Pointer(0), Arg::Pointer(0), Arg::Unsigned(0), Arg::Pointer(0)];
    assert!(run.gpu.launch("filter_tiles", 1, 352, &arguments).is_ok());
    assert!(run.gpu.launch("filter_tiles", 1, 384, &arguments).is_err(), "it has launch bounds");
}

/// A filter's output with one change each, and which orders still take it.
#[test]
fn outputs_of_filters_are_checked_element_by_element() {
    let run = run();
    let sieve = Sieve { percent: 50, n: 10_000, seed: 1 };
    let expected = sieve.kept(&run.host);
    let kept = expected.len();
    let room = run.gpu.room::<u32>(sieve.n).unwrap();
    let dst = room.as_device_ptr().as_raw();
    let told = |change: &dyn Fn(&mut Vec<u32>), count: usize| {
        let mut output: Vec<u32> = expected.iter().map(|&value| value as u32).collect();
        output.resize(sieve.n, POISON);
        change(&mut output);
        run.host.upload(dst, sieve.n, |i| output[i]).unwrap();
        [Order::Kept, Order::Free]
            .map(|order| check_kept(&run.host, dst, count as u32, &sieve, &expected, order).is_ok())
    };
    let dropped = (0..sieve.n).find(|&i| !sieve.is_kept(i)).unwrap();
    assert_eq!(told(&|_| (), kept), [true, true], "right");
    assert_eq!(told(&|output| output.swap(3, kept - 1), kept), [false, true], "another order");
    assert_eq!(told(&|output| output[..kept].reverse(), kept), [false, true], "reversed");
    assert_eq!(told(&|output| output[5] = output[6], kept), [false, false], "one twice, one missing");
    assert_eq!(
        told(&|output| output[5] = -sieve.at(dropped) as u32, kept),
        [false, false],
        "one that is not to be kept"
    );
    assert_eq!(told(&|output| output[5] = sieve.at(dropped) as u32, kept), [false, false], "a negative one");
    assert_eq!(told(&|output| output[kept - 1] = POISON, kept), [false, false], "the last is not written");
    assert_eq!(told(&|output| output[sieve.n - 1] = 1, kept), [false, false], "written after the last");
    assert_eq!(told(&|_| (), kept - 1), [false, false], "the count is low");
    assert_eq!(told(&|_| (), kept + 1), [false, false], "the count is high");
}
