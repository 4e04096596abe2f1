//! Turning a vector round: in one block, and in many.

use common::{Run, check, launch};
use cust::prelude::*;

/// Threads and elements of a block in the `globalreverse` kernels.
const BLOCK: u32 = 64;

/// One block turns up to 64 elements round, in place.
pub fn in_one_block(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let data = input.as_dbuf()?;
    let n = input.len();
    // SAFETY: `data` holds n ints, one for each thread.
    unsafe {
        launch!(function<<<1, n as u32, 0, stream>>>(data.as_device_ptr(), n as i32))?;
    }
    stream.synchronize()?;
    Ok(data.as_host_vec()?)
}

/// `globalreverse_broken`: both steps in one kernel.
pub fn in_one_kernel(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (n, blocks) = shape(input.len())?;
    let d = input.as_dbuf()?;
    let e = run.poisoned::<i32>(input.len())?;
    // SAFETY: `d` and `e` hold n ints each, and threads from n on touch neither.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(d.as_device_ptr(), e.as_device_ptr(), n))?;
    }
    stream.synchronize()?;
    Ok(e.as_host_vec()?)
}

/// `globalreverse_blocks`, then `globalreverse_correct`. What orders them is that both go to one stream.
pub fn in_two_kernels(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let blockwise = run.function_named("globalreverse_blocks")?;
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (n, blocks) = shape(input.len())?;
    let d = input.as_dbuf()?;
    let e = run.poisoned::<i32>(input.len())?;
    // SAFETY: `d` and `e` hold n ints each, and threads from n on touch neither.
    unsafe {
        launch!(blockwise<<<blocks, BLOCK, 0, stream>>>(d.as_device_ptr(), n))?;
        launch!(function<<<blocks, BLOCK, 0, stream>>>(d.as_device_ptr(), e.as_device_ptr(), n))?;
    }
    stream.synchronize()?;
    Ok(e.as_host_vec()?)
}

/// The kernels' `n`, and how many blocks cover it. A launch has at least one block, also for no elements.
fn shape(n: usize) -> anyhow::Result<(i32, u32)> {
    check::at_most(n, 1 << 30)?;
    Ok((n as i32, (n as u32).div_ceil(BLOCK).max(1)))
}
