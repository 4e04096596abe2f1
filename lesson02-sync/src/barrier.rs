//! Barriers in branches: one block each.

use common::{Run, launch};
use cust::prelude::*;

/// The `barrier_sides` kernels: each element's mean with its neighbours. `threads` may be more than there are elements
/// for `barrier_sides_returns`, whose other threads leave at once.
pub fn smoothed(run: &Run, input: &[i32], threads: u32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    anyhow::ensure!(n <= threads as usize && threads <= 256, "{n} elements do not fit {threads} threads of 256");
    let data = input.as_dbuf()?;
    let smooth = run.poisoned::<i32>(n)?;
    // SAFETY: both buffers hold n ints, one for each thread that does not leave.
    unsafe {
        launch!(function<<<1, threads, 0, stream>>>(data.as_device_ptr(), smooth.as_device_ptr(), n as i32))?;
    }
    stream.synchronize()?;
    Ok(smooth.as_host_vec()?)
}

/// The `barrier_elsewhere` kernels: a sum for each warp.
pub fn warp_sums(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
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
