//! `reduce`: a sum within a block, by shuffles, and through shared memory, which is what it is compared with.

use crate::data::{self, int_at};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Result, ensure};

/// Threads of a block, and ints that each kernel adds up to one.
const BLOCK: u32 = 256;

/// (input, sums, n).
type Call = fn(&Run, &str, u64, u64, u32) -> Result<Step>;

/// Sums of single warps would say nothing: two million blocks of one warp take as long as they take to start.
const PEER: &str = "block_sum_correct";
const METHODS: &[(&str, Call)] = &[(PEER, counted), ("block_reduce_sum_correct", uncounted)];

/// (in, out, n)
fn counted(run: &Run, kernel: &str, from: u64, to: u64, n: u32) -> Result<Step> {
    let arguments = [Arg::Pointer(from), Arg::Pointer(to), Arg::Int(n as i32)];
    run.gpu.launch(kernel, n / BLOCK, BLOCK, &arguments)
}

/// (in, out)
fn uncounted(run: &Run, kernel: &str, from: u64, to: u64, n: u32) -> Result<Step> {
    run.gpu.launch(kernel, n / BLOCK, BLOCK, &[Arg::Pointer(from), Arg::Pointer(to)])
}

pub fn block_sum(run: &mut Run) -> Result<()> {
    let n: usize = run.at_scale(1 << 26, 1 << 26, 2048);
    let threads = BLOCK as usize;
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
    for (kernel, call) in METHODS {
        let calls = (0..inputs).map(|input| Ok(vec![call(run, kernel, from + (4 * input * n) as u64, to, n as u32)?]));
        methods.push(Method::new(*kernel, calls.collect::<Result<_>>()?, check));
    }
    run.group(&Group {
        job: "reduce",
        input: format!("blocks of {threads}"),
        n: n as u64,
        bytes: 4 * (n + sums) as u64,
        methods,
        peer: Some(PEER),
        poison: Box::new(move |run| data::poison(&run.gpu, to, sums)),
    })
}
