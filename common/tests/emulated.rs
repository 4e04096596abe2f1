//! Trials on the emulated device, with kernels of lesson 4 and a few of its own in PTX.

use common::testing::{Bench, Outcome};
use common::{KernelFile, Row, Run, Schedule, Slug, check, launch};
use cust::memory::{DeviceBox, DeviceBuffer};
use cust::prelude::{SliceExt, Stream, StreamFlags};

static FILES: &[KernelFile] = &[
    KernelFile {
        name: "counter",
        source_path: "cuda/lesson04/counter.cu",
        source: include_str!("../../cuda/lesson04/counter.cu"),
        ptx: include_str!("../../cuda/ptx/lesson04/counter.ptx"),
        shipped: None,
        fixes: &[],
    },
    KernelFile {
        name: "reverse",
        source_path: "cuda/lesson02/reverse.cu",
        source: include_str!("../../cuda/lesson02/reverse.cu"),
        ptx: include_str!("../../cuda/ptx/lesson02/reverse.ptx"),
        shipped: None,
        fixes: &[],
    },
    // Counts by one compare-and-swap a thread, and does not look.
    KernelFile {
        name: "missed",
        source_path: "missed.ptx",
        source: "",
        ptx: "\
.version 8.0
.target sm_75
.address_size 64
.visible .entry missed(.param .u64 at)
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [at];
    ld.volatile.global.u32 %r1, [%rd1];
    add.u32 %r2, %r1, 1;
    atom.global.cas.b32 %r3, [%rd1], %r1, %r2;
    ret;
}
",
        shipped: None,
        fixes: &[],
    },
    // Stores to address 0, whatever it is given.
    KernelFile {
        name: "stray",
        source_path: "stray.ptx",
        source: "",
        ptx: "\
.version 8.0
.target sm_75
.address_size 64
.visible .entry stray()
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    mov.u64 %rd1, 0;
    mov.u32 %r1, 7;
    st.global.u32 [%rd1], %r1;
    ret;
}
",
        shipped: None,
        fixes: &[],
    },
];

static ROWS: &[Row] = &[
    Row::pair("counter", Slug::RaceGlobal),
    Row::pair("reverse", Slug::RaceShared),
    Row::of("missed").broken(&[("missed", common::Expect::WrongResult)]),
    Row::of("stray").broken(&[("stray", common::Expect::Finding(Slug::OutOfBounds))]),
];

fn bench() -> Bench {
    let bench = Bench::open(FILES, ROWS).expect("the emulator is always there");
    assert_eq!(bench.device(), common::DeviceKind::Emulator, "these tests are about the emulator");
    bench
}

fn count(run: &Run) -> anyhow::Result<()> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let blocks = run.size().div_ceil(64) as u32;
    run.each(|| {
        let counter = DeviceBox::new(&0i32)?;
        // SAFETY: the kernel touches one int, and `counter` is one.
        unsafe { launch!(function<<<blocks, 64, 0, stream>>>(counter.as_device_ptr()))? };
        stream.synchronize()?;
        check::equal_value(counter.as_host_value()?, 64 * blocks as i32)
    })
}

fn counted(kernel: usize, size: usize, schedule: Schedule, seeds: std::ops::Range<u64>) -> Outcome {
    let bench = bench();
    let kernel = &bench.kernels("counter").unwrap()[kernel];
    bench.run(kernel, size, schedule, seeds, count).unwrap()
}

#[test]
fn the_broken_counter_is_caught_on_its_line_and_the_correct_one_is_silent() {
    let bench = bench();
    for kernel in bench.kernels("counter").unwrap() {
        for (schedule, seeds) in [(Schedule::InOrder, 0..1), (Schedule::Random, 0..8)] {
            let outcome = bench.run(&kernel, 512, schedule, seeds, count).unwrap();
            assert_eq!(bench.judge(&kernel, &outcome), Ok(()), "{} {schedule}", kernel.name);
        }
    }
}

#[test]
fn a_wrong_answer_without_a_finding_gets_what_else_its_run_shows() {
    let bench = bench();
    let kernel = bench.kernel("missed", "missed");
    let mut outcome = bench.run(&kernel, 128, Schedule::InOrder, 0..1, count).unwrap();
    assert!(outcome.findings.is_empty() && outcome.notes.is_empty(), "{outcome:?}");
    bench.look_for_hints(&kernel, &mut outcome, count);
    let said: Vec<&str> = outcome.notes.iter().map(|note| note.cause.key()).collect();
    assert!(said.contains(&"swap-failed-unseen"), "{said:?}");
    // The first lane of each warp changes the counter; the others find another value.
    let wrote = outcome.wrote.as_ref().expect("one thread has changed the counter last");
    let (found, left) = wrote.change.clone().expect("an atomic operation finds a value");
    assert_eq!((wrote.access.thread.map(|thread| thread.linear), wrote.names_block), (Some(32), true));
    assert_eq!((found.bits, left.as_str()), (3, "4"));
    // A finding says it already.
    let mut racing = bench.run(&bench.kernels("counter").unwrap()[0], 128, Schedule::InOrder, 0..1, count).unwrap();
    bench.look_for_hints(&bench.kernels("counter").unwrap()[0], &mut racing, count);
    assert!(racing.summary.wrong_runs == 1 && racing.notes.is_empty(), "{racing:?}");
}

#[test]
fn a_reported_run_happens_again_exactly() {
    let all = counted(0, 512, Schedule::Random, 0..16);
    assert_eq!(all.summary.runs, 16);
    assert!(!all.findings.is_empty());
    for merged in &all.findings {
        let again = counted(0, merged.run.size, merged.run.schedule, merged.run.seed..merged.run.seed + 1);
        let same = again.findings.iter().any(|found| found.finding == merged.finding);
        assert!(same, "{:#?}\nis not among\n{:#?}", merged.finding, again.findings);
    }
}

#[test]
fn how_the_seeds_are_spread_over_workers_changes_nothing() {
    let together = counted(0, 256, Schedule::Random, 0..12);
    let wrong =
        (0..12).filter(|&seed| counted(0, 256, Schedule::Random, seed..seed + 1).summary.wrong_runs == 1).count();
    assert_eq!(together.summary.wrong_runs, wrong as u64);
}

#[test]
fn a_wrong_argument_stops_the_trial_before_the_launch() {
    let bench = bench();
    let kernel = &bench.kernels("reverse").unwrap()[1];
    let error = bench
        .run(kernel, 64, Schedule::InOrder, 0..1, |run| {
            let function = run.function()?;
            let stream = Stream::new(StreamFlags::DEFAULT, None)?;
            let data = check::ramp(64).as_slice().as_dbuf()?;
            // SAFETY: nothing is launched, since the count should be an int.
            run.each(|| unsafe { launch!(function<<<1, 64, 0, stream>>>(data.as_device_ptr(), data.len())) })
        })
        .unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("argument 2 of `reverse_correct` has 8 bytes (`usize`)"), "{text}");
    assert!(text.contains("declares 4 bytes"), "{text}");
}

#[test]
fn a_poisoned_buffer_that_nobody_wrote_is_undefined_to_the_host() {
    let bench = bench();
    let kernel = &bench.kernels("counter").unwrap()[1];
    let outcome = bench
        .run(kernel, 1, Schedule::InOrder, 0..1, |run| {
            run.each(|| {
                let buffer: DeviceBuffer<u32> = run.poisoned(4)?;
                check::equal(&buffer.as_host_vec()?, &[0xa5a5_a5a5; 4])
            })
        })
        .unwrap();
    assert_eq!(outcome.summary.wrong_runs, 0, "{:?}", outcome.summary);
    let slugs: Vec<_> = outcome.findings.iter().map(|merged| merged.finding.slug).collect();
    assert_eq!(slugs, [Slug::UndefinedValue]);
}

#[test]
fn after_a_fault_the_other_runs_get_a_new_context() {
    let bench = bench();
    let kernel = &bench.kernels("stray").unwrap()[0];
    let outcome = bench
        .run(kernel, 1, Schedule::Random, 0..5, |run| {
            let function = run.function()?;
            let stream = Stream::new(StreamFlags::DEFAULT, None)?;
            run.each(|| {
                // SAFETY: whatever it does, it does to the emulated device.
                unsafe { launch!(function<<<1, 1, 0, stream>>>())? };
                Ok(stream.synchronize()?)
            })
        })
        .unwrap();
    assert_eq!((outcome.summary.runs, outcome.summary.wrong_runs), (5, 5));
    assert!(outcome.summary.first_wrong.as_ref().unwrap().why.is_stopped(), "{:?}", outcome.summary);
    assert_eq!(outcome.findings.iter().map(|merged| merged.finding.slug).collect::<Vec<_>>(), [Slug::OutOfBounds]);
    assert_eq!(outcome.findings[0].runs, 5);
}

#[test]
fn a_trial_that_runs_nothing_is_an_error() {
    let bench = bench();
    let kernel = &bench.kernels("counter").unwrap()[1];
    let error = bench.run(kernel, 1, Schedule::InOrder, 0..1, |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("never called `run.each`"), "{error}");
}
