//! `chain`: shares of a sum in three launches, of which two may be dependent ones, beside ordinary ones.

use crate::data::{self, mixed};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};
use lesson07_beyond_the_block::chain::{BLOCK, blocks};

const PEER: &str = "chain_plain";

/// The kernels take at most 2^21 elements.
fn sizes(run: &Run) -> Vec<usize> {
    run.at_scale(vec![1 << 14, 1 << 17, 1 << 20, 1 << 21], vec![1 << 17, 1 << 20], vec![1000])
}

pub fn chain(run: &mut Run) -> Result<()> {
    for n in sizes(run) {
        if let Err(error) = of_size(run, n) {
            run.skip(&format!("chain, n = {n}"), &error);
        }
    }
    Ok(())
}

/// The values are as in the kernels' contract: from 1 to 1000.
fn value(i: u64) -> u32 {
    1 + mixed(i) as u32 % 1000
}

fn of_size(run: &mut Run, n: usize) -> Result<()> {
    // Inputs may stay in the cache: the job measures the time between launches.
    let inputs = 4;
    let first_blocks = blocks(n as u32);
    let sizes = [inputs * n, n, first_blocks as usize, 1];
    let rooms = sizes.iter().map(|&words| run.gpu.room::<u32>(words)).collect::<Result<Vec<_>>>()?;
    let [from, out, parts, total] = [0, 1, 2, 3].map(|at| rooms[at].as_device_ptr().as_raw());
    run.host.upload(from, inputs * n, |i| value(i as u64))?;
    let check = |run: &Run, input: usize| {
        let of_input = |i: usize| u64::from(value((input * n + i) as u64));
        let sum: u64 = (0..n).map(of_input).sum();
        let wrong = run.host.first_wrong(out, n, |i, word| u64::from(word) == 1_000_000 * of_input(i) / sum)?;
        ensure!(wrong.is_none(), "share {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };
    let call = |input: usize, kernel: &str| -> Result<Vec<Step>> {
        let v = Arg::Pointer(from + (4 * input * n) as u64);
        let [out, parts, total] = [out, parts, total].map(Arg::Pointer);
        let n = Arg::Unsigned(n as u32);
        let launches = [
            ("chain_parts", first_blocks, vec![v.clone(), n.clone(), parts.clone()]),
            ("chain_total", 1, vec![parts.clone(), Arg::Unsigned(first_blocks), total.clone()]),
            (kernel, first_blocks, vec![v, n, parts, total, out]),
        ];
        let launch =
            |(kernel, blocks, arguments): (&str, u32, Vec<Arg>)| run.gpu.launch(kernel, blocks, BLOCK, &arguments);
        // The first launch is an ordinary one: it writes what the third one of the call before has written.
        let is_dependent = |name: &str| kernel != PEER && name != "chain_parts";
        let steps = launches.into_iter().map(|it| {
            let is_dependent = is_dependent(it.0);
            let step = launch(it)?;
            Ok(if is_dependent { step.dependent() } else { step })
        });
        steps.collect()
    };
    let mut methods = Vec::new();
    for kernel in [PEER, "chain_correct"] {
        let calls = (0..inputs).map(|input| call(input, kernel));
        methods.push(Method::new(kernel, calls.collect::<Result<_>>()?, check));
    }
    run.group(&Group {
        job: "chain",
        input: "random".into(),
        n: n as u64,
        bytes: 0,
        methods,
        peer: Some(PEER),
        poison: Box::new(move |run| data::poison(&run.gpu, out, n)),
    })
}
