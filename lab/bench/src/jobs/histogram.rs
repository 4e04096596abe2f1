//! `histogram` of bytes, beside `cub::DeviceHistogram` with counters of 32 bits.

use crate::data::{self, Bytes, counts};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson04_atomics::histogram::grid;
use peers::Peer;

const BINS: usize = 256;

/// Each takes (bytes, n, bins), with blocks and threads as in lesson 4.
const METHODS: &[&str] = &["histogram_global", "histogram_correct", "histogram_lanes"];

const FULL: usize = 1 << 28;

pub fn histogram(run: &mut Run) -> Result<()> {
    for bytes in Bytes::ALL {
        let n = run.at_scale(FULL, FULL, 10_007);
        if let Err(error) = of_bytes(run, bytes, n) {
            run.skip(&format!("histogram, {}", bytes.name()), &error);
        }
    }
    Ok(())
}

fn of_bytes(run: &mut Run, bytes: Bytes, n: usize) -> Result<()> {
    let inputs = run.inputs(n);
    let pitch = n.next_multiple_of(16);
    let (room, bins) = (run.gpu.room::<u8>(inputs * pitch)?, run.gpu.room::<u32>(BINS)?);
    let (at, bins) = (room.as_device_ptr().as_raw(), bins.as_device_ptr().as_raw());
    run.host.upload(at, inputs * pitch / 4, |i| bytes.word_at(i as u64))?;
    let place = |input: usize| at + (input * pitch) as u64;

    // The first and the last input are looked at.
    let ends = [0, inputs - 1].map(|input| counts(&run.host, bytes, (input * pitch) as u64, n));
    let check = |run: &Run, input: usize| {
        let told = run.host.download(bins, BINS)?;
        let wrong = (0..BINS).find(|&bin| told[bin] != ends[usize::from(input > 0)][bin]);
        ensure!(wrong.is_none(), "bin {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };

    let call = |n: u32, bytes: u64, kernel: &str| -> Result<Vec<Step>> {
        let (blocks, threads) = grid(kernel, n);
        let arguments = [Arg::Pointer(bytes), Arg::Unsigned(n), Arg::Pointer(bins)];
        // Clearing the bins is part of the call, as it is of CUB's.
        let clear = Step::Fill { at: bins, value: 0, words: BINS };
        Ok(vec![clear, run.gpu.launch(kernel, blocks, threads, &arguments)?])
    };
    let mut methods = Vec::new();
    methods.extend(run.peer_method(Peer::Histogram, (0..inputs).map(place), (bins, n as u32), check)?);
    for kernel in METHODS {
        run.also_at(FULL, |n| call(n, place(0), kernel).map(drop))?;
        let calls = (0..inputs).map(|input| call(n as u32, place(input), kernel));
        methods.push(Method::new(*kernel, calls.collect::<Result<_>>()?, check));
    }
    run.group(&Group {
        job: "histogram",
        input: bytes.name().into(),
        n: n as u64,
        bytes: n as u64,
        methods,
        peer: Some(Peer::Histogram.name()),
        poison: Box::new(move |run| data::poison(&run.gpu, bins, BINS)),
    })
}
