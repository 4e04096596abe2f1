//! `bins`: a histogram of 16384 bins over clusters and in one block, beside `cub::DeviceHistogram`.

use crate::data::{self, mixed};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson07_beyond_the_block::bins::{COUNTS, LaunchShape, shape};
use peers::Peer;

/// Each takes (v, n, out).
const METHODS: &[&str] = &["bins_correct", "bins_two", "bins_alone"];

const FULL: usize = 1 << 28;

/// The name of an input, and its values.
type Input = (&'static str, fn(u64) -> u32);

/// The product of two random numbers is more often small.
const INPUTS: [Input; 2] = [
    ("random", |i| mixed(i) as u32 % COUNTS as u32),
    ("skewed", |i| {
        let [one, other] = [mixed(i) as u32, (mixed(i) >> 32) as u32].map(|it| it % COUNTS as u32);
        one * other / COUNTS as u32
    }),
];

pub fn bins(run: &mut Run) -> Result<()> {
    let n = run.at_scale(FULL, FULL, 10_007);
    for input in INPUTS {
        if let Err(error) = of_ints(run, input, n) {
            run.skip(&format!("bins, {}", input.0), &error);
        }
    }
    Ok(())
}

fn of_ints(run: &mut Run, (name, value): Input, n: usize) -> Result<()> {
    let inputs = run.inputs(4 * n);
    // Each input begins at a multiple of 16 bytes.
    let pitch = n.next_multiple_of(4);
    let (room, out) = (run.gpu.room::<u32>(inputs * pitch)?, run.gpu.room::<u32>(COUNTS)?);
    let (at, out) = (room.as_device_ptr().as_raw(), out.as_device_ptr().as_raw());
    run.host.upload(at, inputs * pitch, |i| value(i as u64))?;
    let place = |input: usize| at + (4 * input * pitch) as u64;

    // The first and the last input are looked at.
    let ends = [0, inputs - 1].map(|input| {
        let mut counts = vec![0u32; COUNTS];
        (0..n).for_each(|i| counts[value((input * pitch + i) as u64) as usize] += 1);
        counts
    });
    let check = |run: &Run, input: usize| {
        let found = run.host.download(out, COUNTS)?;
        let wrong = (0..COUNTS).find(|&bin| found[bin] != ends[usize::from(input > 0)][bin]);
        ensure!(wrong.is_none(), "bin {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };

    let call = |n: usize, from: u64, kernel: &str| -> Result<Vec<Step>> {
        let LaunchShape { blocks, threads, shared } = shape(kernel, n);
        if shared > 0 {
            run.gpu.allow_shared(kernel, shared)?;
        }
        let arguments = [Arg::Pointer(from), Arg::Unsigned(n as u32), Arg::Pointer(out)];
        // Clearing the bins is part of the call, as it is of CUB's.
        let clear = Step::Fill { at: out, value: 0, words: COUNTS };
        Ok(vec![clear, run.gpu.launch(kernel, blocks, threads, &arguments)?.with_shared(shared)])
    };
    let mut methods = Vec::new();
    methods.extend(run.peer_method(Peer::WideHistogram, (0..inputs).map(place), (out, n as u32), check)?);
    for kernel in METHODS {
        run.also_at(FULL, |n| call(n as usize, place(0), kernel).map(drop))?;
        let calls = (0..inputs).map(|input| call(n, place(input), kernel));
        methods.push(Method::new(*kernel, calls.collect::<Result<_>>()?, check));
    }
    run.group(&Group {
        job: "bins",
        input: name.into(),
        n: n as u64,
        bytes: 4 * n as u64,
        methods,
        peer: Some(Peer::WideHistogram.name()),
        poison: Box::new(move |run| data::poison(&run.gpu, out, COUNTS)),
    })
}
