//! `reduce`: a sum within a block and within a warp, by shuffles and through shared memory. The latter is what the others
//! are compared with.

use crate::data::{self, int_at};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};

/// Kernels that give a sum for each so many threads, the first one through shared memory.
struct Kind {
    input: &'static str,
    threads: u32,
    kernels: &'static [(&'static str, Call)],
}

/// (input, sums, n).
type Call = fn(&Run, &str, u64, u64, u32, u32) -> Result<Step>;

const KINDS: &[Kind] = &[
    Kind {
        input: "blocks of 256",
        threads: 256,
        kernels: &[("block_sum_correct", counted), ("block_reduce_sum_correct", uncounted)],
    },
    Kind {
        input: "single warps",
        threads: 32,
        kernels: &[
            ("lockstep_sum_correct", uncounted),
            ("lockstep_sum_shuffle", uncounted),
            ("warp_sum_full", uncounted),
        ],
    },
];

/// (in, out, n)
fn counted(run: &Run, kernel: &str, from: u64, to: u64, n: u32, threads: u32) -> Result<Step> {
    let arguments = [Arg::Pointer(from), Arg::Pointer(to), Arg::Int(n as i32)];
    run.gpu.launch(kernel, n / threads, threads, &arguments)
}

/// (in, out)
fn uncounted(run: &Run, kernel: &str, from: u64, to: u64, n: u32, threads: u32) -> Result<Step> {
    run.gpu.launch(kernel, n / threads, threads, &[Arg::Pointer(from), Arg::Pointer(to)])
}

pub fn block_sum(run: &mut Run) -> Result<()> {
    for kind in KINDS {
        if let Err(error) = of_kind(run, kind) {
            run.skip(&format!("reduce, {}", kind.input), &error);
        }
    }
    Ok(())
}

fn of_kind(run: &mut Run, kind: &Kind) -> Result<()> {
    let n: usize = run.at_scale(1 << 26, 1 << 26, 2048);
    let threads = kind.threads as usize;
    let (inputs, sums) = (run.inputs(4 * n), n / threads);
    let (from, to) = (run.gpu.room::<u32>(inputs * n)?, run.gpu.room::<u32>(sums)?);
    let (from, to) = (from.as_device_ptr().as_raw(), to.as_device_ptr().as_raw());
    run.host.upload(from, inputs * n, |i| int_at(i as u64) as u32)?;
    let check = |run: &Run, input: usize| {
        let wrong = run.host.first_wrong(to, sums, |block, word| {
            let first = input * n + block * threads;
            word as i32 == (first..first + threads).map(|i| int_at(i as u64)).sum::<i32>()
        })?;
        ensure!(wrong.is_none(), "sum {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };
    let mut methods = Vec::new();
    for (kernel, call) in kind.kernels {
        let calls = (0..inputs)
            .map(|input| Ok(vec![call(run, kernel, from + (4 * input * n) as u64, to, n as u32, kind.threads)?]));
        methods.push(Method::new(*kernel, calls.collect::<Result<_>>()?, check));
    }
    run.group(&Group {
        job: "reduce",
        input: kind.input.into(),
        n: n as u64,
        bytes: 4 * (n + sums) as u64,
        methods,
        peer: Some(kind.kernels[0].0),
        poison: Box::new(move |run| data::poison(&run.gpu, to, sums)),
    })
}
