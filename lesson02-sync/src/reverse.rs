//! Turning a vector round: in one block, and in many.

use crate::reference;
use common::{Row, Run, Slug, check, launch};
use cust::prelude::*;

/// In one block: a barrier between a store and another thread's load.
pub const REVERSE: Row =
    Row::pair("reverse", Slug::RaceShared).fixed(64).job(|run| in_a_block(run, &check::ramp(run.size())));

/// `reverse`.
pub fn in_a_block(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed(input);
    run.each(|| check::equal(&in_one_block(run, input)?, &expected))
}

/// One block turns up to 64 elements round, in place.
fn in_one_block(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
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

/// In many blocks: no barrier reaches beyond its block, the end of a kernel does.
pub const GLOBALREVERSE: Row = Row::pair("globalreverse", Slug::RaceGlobal)
    .sizes(1 << 18, 1000)
    .gpu(100_000_000)
    .from_zero()
    .shows_from(65)
    .job(|run| in_a_grid(run, &check::ramp(run.size())));

/// Threads and elements of a block in the `globalreverse` kernels.
const BLOCK: u32 = 64;

/// `globalreverse`: the correct kernel is the second of two.
pub fn in_a_grid(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed(input);
    run.moves(4 * size_of_val(input) as u64); // Each element is read and written twice.
    run.each(|| {
        let reversed = match run.kernel().is_broken() {
            true => in_one_kernel(run, input)?,
            false => in_two_kernels(run, input)?,
        };
        check::equal(&reversed, &expected)
    })
}

/// `globalreverse_broken`: both steps in one kernel.
fn in_one_kernel(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
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
fn in_two_kernels(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
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
