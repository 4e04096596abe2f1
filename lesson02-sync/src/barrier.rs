//! Barriers in branches: one block each.

use crate::reference;
use common::check::{self, InputValues};
use common::{Row, Run, Slug, launch};
use cust::prelude::*;

/// Two barriers, one on each side of a branch, where one is meant.
pub const SIDES: Row = Row::pair("barrier_sides", Slug::BarrierDivergence)
    .correct(&["barrier_sides_returns"])
    .fixed(200)
    .isolated()
    .job(|run| smoothed(run, &InputValues::seeded(3).ints(run.size(), -1000, 1000), 56));

/// `barrier_sides`: where threads may return before the barrier there are `spare` more of them than elements.
pub fn smoothed(run: &Run, input: &[i32], spare: usize) -> anyhow::Result<()> {
    let expected = reference::smoothed(input);
    let spare = if run.kernel().name == "barrier_sides_returns" { spare } else { 0 };
    let threads = (input.len() + spare).min(256) as u32;
    run.each(|| check::equal(&smooth(run, input, threads)?, &expected))
}

/// The `barrier_sides` kernels: each element's mean with its neighbours. `threads` may be more than there are elements
/// for `barrier_sides_returns`, whose other threads leave at once.
fn smooth(run: &Run, input: &[i32], threads: u32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    anyhow::ensure!(n <= threads as usize && threads <= 256, "{n} elements do not fit {threads} threads of 256");
    let data = input.as_dbuf()?;
    let means = run.poisoned::<i32>(n)?;
    // SAFETY: both buffers hold n ints, one for each thread that does not leave.
    unsafe {
        launch!(function<<<1, threads, 0, stream>>>(data.as_device_ptr(), means.as_device_ptr(), n as i32))?;
    }
    stream.synchronize()?;
    Ok(means.as_host_vec()?)
}

/// A barrier of a warp for lanes that wait at another one.
pub const ELSEWHERE: Row = Row::pair("barrier_elsewhere", Slug::Deadlock)
    .fixed(128)
    .isolated()
    .job(|run| summed_by_warp(run, &InputValues::seeded(4).ints(run.size(), -1000, 1000)));

/// `barrier_elsewhere`.
pub fn summed_by_warp(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sums(input, 32);
    run.each(|| check::equal(&warp_sums(run, input)?, &expected))
}

/// The `barrier_elsewhere` kernels: a sum for each warp.
fn warp_sums(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    anyhow::ensure!(n.is_multiple_of(32) && n <= 1024, "{n} elements are not a number of whole warps of one block");
    let data = input.as_dbuf()?;
    let sums = run.poisoned::<i32>(n / 32)?;
    // SAFETY: `data` holds an int for each thread, `sums` one for each warp.
    unsafe {
        launch!(function<<<1, n as u32, 0, stream>>>(data.as_device_ptr(), sums.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}
