//! Histograms over clusters and in one block, beside `cub::DeviceHistogram`: `bins`, of 16384 bins, and `large`, of
//! 65536.

use crate::data::{self, mixed};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson07_beyond_the_block::bins::{COUNTS, LARGE_COUNTS, LaunchShape, shape};
use peers::Peer;

struct Histogram {
    job: &'static str,
    counts: usize,
    /// Each takes (v, n, out).
    methods: &'static [&'static str],
    peer: Peer,
}

static BINS: Histogram = Histogram {
    job: "bins",
    counts: COUNTS,
    methods: &["bins_correct", "bins_two", "bins_alone"],
    peer: Peer::WideHistogram,
};

static LARGE: Histogram = Histogram {
    job: "large",
    counts: LARGE_COUNTS,
    methods: &["large_pair", "large_halves"],
    peer: Peer::LargeHistogram,
};

const FULL: usize = 1 << 28;

/// The name of an input, and its values for a number of bins.
type Input = (&'static str, fn(u64, u64) -> u32);

/// The product of two random numbers is more often small.
const INPUTS: [Input; 2] = [
    ("random", |i, counts| (mixed(i) % counts) as u32),
    ("skewed", |i, counts| {
        let [one, other] = [mixed(i) & 0xffff_ffff, mixed(i) >> 32].map(|it| it % counts);
        (one * other / counts) as u32
    }),
];

pub fn bins(run: &mut Run) -> Result<()> {
    of_all_inputs(run, &BINS)
}

pub fn large(run: &mut Run) -> Result<()> {
    of_all_inputs(run, &LARGE)
}

fn of_all_inputs(run: &mut Run, histogram: &Histogram) -> Result<()> {
    let n = run.at_scale(FULL, FULL, 10_007);
    for input in INPUTS {
        if let Err(error) = of_ints(run, histogram, input, n) {
            run.skip(&format!("{}, {}", histogram.job, input.0), &error);
        }
    }
    Ok(())
}

fn of_ints(run: &mut Run, histogram: &Histogram, (name, value): Input, n: usize) -> Result<()> {
    let &Histogram { job, counts, methods: kernels, peer } = histogram;
    let value = |i: u64| value(i, counts as u64);
    let inputs = run.inputs(4 * n);
    // Each input begins at a multiple of 16 bytes.
    let pitch = n.next_multiple_of(4);
    let (room, out) = (run.gpu.room::<u32>(inputs * pitch)?, run.gpu.room::<u32>(counts)?);
    let (at, out) = (room.as_device_ptr().as_raw(), out.as_device_ptr().as_raw());
    run.host.upload(at, inputs * pitch, |i| value(i as u64))?;
    let place = |input: usize| at + (4 * input * pitch) as u64;

    // The first and the last input are looked at.
    let ends = [0, inputs - 1].map(|input| {
        let mut found = vec![0u32; counts];
        (0..n).for_each(|i| found[value((input * pitch + i) as u64) as usize] += 1);
        found
    });
    let check = |run: &Run, input: usize| {
        let found = run.host.download(out, counts)?;
        let wrong = (0..counts).find(|&bin| found[bin] != ends[usize::from(input > 0)][bin]);
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
        let clear = Step::Fill { at: out, value: 0, words: counts };
        Ok(vec![clear, run.gpu.launch(kernel, blocks, threads, &arguments)?.with_shared(shared)])
    };
    let mut methods = Vec::new();
    methods.extend(run.peer_method(peer, (0..inputs).map(place), (out, n as u32), check)?);
    for kernel in kernels {
        run.also_at(FULL, |n| call(n as usize, place(0), kernel).map(drop))?;
        let calls = (0..inputs).map(|input| call(n, place(input), kernel));
        methods.push(Method::new(*kernel, calls.collect::<Result<_>>()?, check));
    }
    run.group(&Group {
        job,
        input: name.into(),
        n: n as u64,
        bytes: 4 * n as u64,
        methods,
        peer: Some(peer.name()),
        poison: Box::new(move |run| data::poison(&run.gpu, out, counts)),
    })
}
