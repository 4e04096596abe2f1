//! `tile`: products of two arrays that bulk copies bring into shared memory, beside the driver's copy of as many bytes.

use crate::data::{self, mixed};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson07_beyond_the_block::tiles::{BLOCK, ELEMENTS, blocks};

/// Each takes (v, w, out, n).
const METHODS: &[&str] = &["tile_correct", "tile_large"];
const PEER: &str = "cuMemcpyDtoDAsync";

const FULL: usize = 1 << 28;

pub fn tile(run: &mut Run) -> Result<()> {
    let n = run.at_scale(FULL, FULL, 4096);
    // Both inputs of all calls lie side by side: the second one of a call is the next call's first one.
    let inputs = run.inputs(12 * n);
    let (from, out) = (run.gpu.room::<u32>((inputs + 1) * n)?, run.gpu.room::<u32>(n)?);
    let (from, out) = (from.as_device_ptr().as_raw(), out.as_device_ptr().as_raw());
    run.host.upload(from, (inputs + 1) * n, |i| mixed(i as u64) as u32)?;
    let place = |input: usize| from + (4 * input * n) as u64;

    let product = move |input: usize, i: usize| {
        // Pieces come out in reverse, and n is a multiple of their size.
        let from = (input * n + i / ELEMENTS * ELEMENTS + ELEMENTS - 1 - i % ELEMENTS) as u64;
        (mixed(from) as u32).wrapping_mul(mixed(from + n as u64) as u32)
    };
    let check = |run: &Run, input: usize| {
        let wrong = run.host.first_wrong(out, n, |i, word| word == product(input, i))?;
        ensure!(wrong.is_none(), "int {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };
    let mut methods = Vec::new();
    for kernel in METHODS {
        let call = |n: u32, input: usize| {
            let arguments =
                [Arg::Pointer(place(input)), Arg::Pointer(place(input + 1)), Arg::Pointer(out), Arg::Unsigned(n)];
            run.gpu.launch(kernel, blocks(kernel, n as usize), BLOCK, &arguments)
        };
        run.also_at(FULL, |n| call(n, 0).map(drop))?;
        let calls = (0..inputs).map(|input| Ok(vec![call(n as u32, input)?]));
        methods.push(Method::new(*kernel, calls.collect::<Result<_>>()?, check));
    }
    // A copy of one and a half arrays reads and writes as much as the kernels do.
    let room = run.gpu.room::<u32>(n * 3 / 2)?;
    let copied = room.as_device_ptr().as_raw();
    let copies = (0..inputs).map(|input| vec![Step::Copy { to: copied, from: place(input), bytes: 6 * n }]);
    let is_copied = |run: &Run, input: usize| {
        let word = |i: usize| mixed((input * n + i) as u64) as u32;
        let wrong = run.host.first_wrong(copied, n * 3 / 2, |i, found| found == word(i))?;
        ensure!(wrong.is_none(), "int {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };
    methods.push(Method::new(PEER, copies.collect(), is_copied));
    run.group(&Group {
        job: "tile",
        input: "random".into(),
        n: n as u64,
        bytes: 12 * n as u64,
        methods,
        peer: Some(PEER),
        poison: Box::new(move |run| {
            data::poison(&run.gpu, out, n)?;
            data::poison(&run.gpu, copied, n * 3 / 2)
        }),
    })
}
