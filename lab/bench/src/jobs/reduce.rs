//! `sum` and `max` of a vector of ints, beside `cub::DeviceReduce`.

use crate::data::{self, MOST_INT, int_at, sum_and_most};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson04_atomics::{grid, last_block};
use lesson06_cooperative_groups as lesson06;
use peers::Peer;

/// One input, and where the answer goes. All addresses are the device's.
struct Place {
    v: u64,
    n: u32,
    result: u64,
    /// The initial value of a result.
    start: u32,
    /// An int for each block.
    parts: u64,
    /// Words that every call leaves as they were: a counter at 0, a maximum at `i32::MIN`, a word of 64 bits at 0.
    done: u64,
    most: u64,
    word: u64,
}

/// Room for the parts of blocks.
const PARTS: u32 = 4096;

/// A function that returns the steps which one call enqueues.
type Call = fn(&Run, &str, &Place) -> Result<Vec<Step>>;

/// The kernels of each job, from the slowest to the fastest.
const SUMS: &[(&str, Call)] = &[
    ("vector_sum_warp", by_one),
    ("vector_sum_block", by_one),
    ("sum_kernel_block", by_four),
    ("sum_kernel_tile", by_four),
    ("sum_kernel_reduce", by_four),
    ("last_block_correct", by_last),
    ("last_block_packed", by_last),
];
const MAXIMA: &[(&str, Call)] = &[("array_max_tree", by_one), ("last_block_max", by_last)];

/// (v, n, result): the result is set first, then a thread takes one element at a time.
fn by_one(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let arguments = [Arg::Pointer(place.v), Arg::Unsigned(place.n), Arg::Pointer(place.result)];
    Ok(vec![place.set(), run.gpu.launch(kernel, grid::striding(place.n), grid::BLOCK, &arguments)?])
}

/// (result, v, n): lesson 6's, four elements at a time.
fn by_four(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let blocks = lesson06::sum::blocks(place.n as usize)?;
    let arguments = [Arg::Pointer(place.result), Arg::Pointer(place.v), Arg::Unsigned(place.n)];
    let launch = run.gpu.launch(kernel, blocks, lesson06::sum::BLOCK, &arguments)?;
    Ok(vec![place.set(), launch.with_shared(lesson06::sum::shared_bytes(kernel))])
}

/// (v, n, result), and what the blocks meet in: nothing is set first.
fn by_last(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let (blocks, threads) = last_block::grid(place.n);
    ensure!(blocks <= PARTS, "{blocks} blocks have more parts than there is room for");
    let mut arguments = vec![Arg::Pointer(place.v), Arg::Unsigned(place.n), Arg::Pointer(place.result)];
    arguments.extend(match kernel {
        "last_block_packed" => vec![Arg::Pointer(place.word)],
        "last_block_max" => vec![Arg::Pointer(place.most), Arg::Pointer(place.done)],
        _ => vec![Arg::Pointer(place.parts), Arg::Pointer(place.done)],
    });
    Ok(vec![run.gpu.launch(kernel, blocks, threads, &arguments)?])
}

impl Place {
    /// Our own clearing of the result, which is part of the call.
    fn set(&self) -> Step {
        Step::Fill { at: self.result, value: self.start, words: 1 }
    }
}

pub fn sum(run: &mut Run) -> Result<()> {
    reduced(run, "sum", SUMS, Peer::Sum, 0)
}

pub fn max(run: &mut Run) -> Result<()> {
    reduced(run, "max", MAXIMA, Peer::Max, i32::MIN as u32)
}

fn reduced(run: &mut Run, job: &'static str, kernels: &[(&str, Call)], peer: Peer, start: u32) -> Result<()> {
    let sizes: &[usize] = run.at_scale(
        &[1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24, 1 << 26, 1 << 28, 1 << 30],
        &[1 << 20, 1 << 28],
        &[1000, 5003],
    );
    for &n in sizes {
        if let Err(error) = of_size(run, job, kernels, peer, start, n) {
            run.skip(&format!("{job}, n = {n}"), &error);
        }
    }
    Ok(())
}

fn of_size(run: &mut Run, job: &'static str, kernels: &[(&str, Call)], peer: Peer, start: u32, n: usize) -> Result<()> {
    let inputs = run.inputs(4 * n);
    // Each input begins at a multiple of 16 bytes.
    let pitch = n.next_multiple_of(4);
    let (room, result) = (run.gpu.room::<u32>(inputs * pitch)?, run.gpu.room::<u32>(1)?);
    let (v, result) = (room.as_device_ptr().as_raw(), result.as_device_ptr().as_raw());
    run.host.upload(v, inputs * pitch, |i| int_at(i as u64) as u32)?;
    let (parts, kept) = (run.gpu.room::<u32>(PARTS as usize)?, run.gpu.room::<u32>(4)?);
    let (parts, word) = (parts.as_device_ptr().as_raw(), kept.as_device_ptr().as_raw());
    let (done, most) = (word + 8, word + 12);
    run.gpu.fill(word, 0, 3)?;
    run.gpu.fill(most, i32::MIN as u32, 1)?;
    let v_of = |input: usize| v + (4 * input * pitch) as u64;
    let place = |input: usize| Place { v: v_of(input), n: n as u32, result, start, parts, done, most, word };

    // The first and the last input are looked at.
    let ends = [0, inputs - 1].map(|input| sum_and_most(&run.host, (input * pitch) as u64, n));
    let answer = |input: usize| {
        let (sum, most) = ends[usize::from(input > 0)];
        if peer == Peer::Sum { sum } else { i64::from(most) }
    };
    let told = move |run: &Run| -> Result<i64> { Ok(i64::from(run.host.download(result, 1)?[0] as i32)) };
    let check = |run: &Run, input: usize| {
        let (told, wanted) = (told(run)?, answer(input));
        ensure!(told == wanted, "the answer is {told}, and should be {wanted}");
        Ok(())
    };

    let mut methods = Vec::new();
    methods.extend(run.peer_method(peer, (0..inputs).map(|input| place(input).v), (result, n as u32), check)?);
    for (kernel, call) in kernels {
        run.also_at(1 << 30, |n| call(run, kernel, &Place { n, ..place(0) }).map(drop))?;
        let calls = (0..inputs).map(|input| call(run, kernel, &place(input))).collect::<Result<_>>()?;
        methods.push(Method::new(*kernel, calls, check));
    }
    let group = Group {
        job,
        input: "random".into(),
        n: n as u64,
        bytes: 4 * n as u64,
        methods,
        peer: Some(peer.name()),
        poison: Box::new(move |run| data::poison(&run.gpu, result, 1)),
    };
    if peer == Peer::Max {
        each_place_counts(run, &group, v, n)?;
    }
    run.group(&group)
}

/// The largest element of random ints is there many times, so that a kernel may overlook most of them. Here it is in
/// one place: at the beginning, at the end, and between them.
fn each_place_counts(run: &mut Run, group: &Group, v: u64, n: usize) -> Result<()> {
    for at in [0, 1, n / 3, n / 2, n - 2, n - 1] {
        let address = v + 4 * at as u64;
        run.gpu.fill(address, (MOST_INT + 1) as u32, 1)?;
        for method in &group.methods {
            (group.poison)(run)?;
            method.calls[0].iter().try_for_each(|step| step.enqueue(&run.gpu.stream))?;
            run.gpu.stream.synchronize()?;
            // Every check compares with the answer without it, and so must fail.
            if (method.check)(run, 0).is_ok() {
                run.is_wrong(format!("max, n = {n}, {}: the largest element, at {at}, is overlooked", method.name));
            }
        }
        run.gpu.fill(address, int_at(at as u64) as u32, 1)?;
    }
    Ok(())
}
