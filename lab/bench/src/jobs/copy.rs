//! `copy` and `memset`: all that the memory gives.

use crate::data::{self, mixed};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson01_vectorized::copy::{MOST_BLOCKS, shape};

/// Each takes (out, in, n), with blocks and threads as in the lesson.
const METHODS: &[&str] = &["ladder_int", "ladder_int2", "ladder_int4", "ladder_each", "ladder_four"];
const PEER: &str = "cuMemcpyDtoDAsync";

/// 1 MiB to 4 GiB, in ints.
fn sizes(run: &Run) -> Vec<usize> {
    let mib: &[usize] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
    let ints = |mib: &[usize]| mib.iter().map(|mib| mib << 18).collect();
    run.at_scale(ints(mib), ints(&[1, 64, 1024]), vec![4099, 8192])
}

pub fn copy(run: &mut Run) -> Result<()> {
    for n in sizes(run) {
        if let Err(error) = of_size(run, n) {
            run.skip(&format!("copy, n = {n}"), &error);
        }
    }
    Ok(())
}

fn of_size(run: &mut Run, n: usize) -> Result<()> {
    let inputs = run.inputs(8 * n);
    // Each input begins at a multiple of 16 bytes.
    let pitch = n.next_multiple_of(4);
    let (from, to) = (run.gpu.room::<u32>(inputs * pitch)?, run.gpu.room::<u32>(inputs * pitch)?);
    let (from, to) = (from.as_device_ptr().as_raw(), to.as_device_ptr().as_raw());
    run.host.upload(from, inputs * pitch, |i| mixed(i as u64) as u32)?;
    let place = |input: usize| (to + (4 * input * pitch) as u64, from + (4 * input * pitch) as u64);

    let mut calls = vec![(
        PEER,
        (0..inputs)
            .map(|input| {
                let (to, from) = place(input);
                Ok(vec![Step::Copy { to, from, bytes: 4 * n }])
            })
            .collect::<Result<Vec<_>>>()?,
    )];
    for kernel in METHODS {
        let (blocks, threads) = shape(kernel, n as u32, MOST_BLOCKS);
        let each = (0..inputs).map(|input| {
            let (to, from) = place(input);
            let arguments = [Arg::Pointer(to), Arg::Pointer(from), Arg::Int(n as i32)];
            Ok(vec![run.gpu.launch(kernel, blocks, threads, &arguments)?])
        });
        calls.push((*kernel, each.collect::<Result<_>>()?));
    }

    let check = |run: &Run, input: usize| {
        let first = (input * pitch) as u64;
        let wrong = run.host.first_wrong(place(input).0, n, |i, word| word == mixed(first + i as u64) as u32)?;
        ensure!(wrong.is_none(), "int {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };
    let methods = calls.into_iter().map(|(name, calls)| Method::new(name, calls, check));
    let group = Group {
        job: "copy",
        input: "random".into(),
        n: n as u64,
        bytes: 8 * n as u64,
        methods: methods.collect(),
        peer: Some(PEER),
        poison: Box::new(|run| data::poison(&run.gpu, to, inputs * pitch)),
    };
    run.group(&group)
}

pub fn memset(run: &mut Run) -> Result<()> {
    for n in sizes(run) {
        if let Err(error) = set_of_size(run, n) {
            run.skip(&format!("memset, n = {n}"), &error);
        }
    }
    Ok(())
}

fn set_of_size(run: &mut Run, n: usize) -> Result<()> {
    const VALUE: u32 = 0x0102_0304;
    let inputs = run.inputs(4 * n);
    let room = run.gpu.room::<u32>(inputs * n)?;
    let at = room.as_device_ptr().as_raw();
    let place = |input: usize| at + (4 * input * n) as u64;
    let calls = (0..inputs).map(|input| vec![Step::Fill { at: place(input), value: VALUE, words: n }]);
    let method = Method::new("cuMemsetD32Async", calls.collect(), |run, input| {
        let wrong = run.host.first_wrong(place(input), n, |_, word| word == VALUE)?;
        ensure!(wrong.is_none(), "int {} is wrong", wrong.unwrap_or(0));
        Ok(())
    });
    let group = Group {
        job: "memset",
        input: "one value".into(),
        n: n as u64,
        bytes: 4 * n as u64,
        methods: vec![method],
        peer: None,
        poison: Box::new(|run| data::poison(&run.gpu, at, inputs * n)),
    };
    run.group(&group)
}
