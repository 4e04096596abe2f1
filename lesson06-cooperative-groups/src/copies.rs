//! `async_copy_*`: tiles that are copied into shared memory and turned round from there.

use common::{Run, check, launch};
use cust::prelude::*;

/// Threads of a block, and elements of a tile.
const BLOCK: u32 = 128;
pub const TILE: usize = 256;
/// A block takes several tiles, so that there is a next copy to start.
const TILES_A_BLOCK: usize = 4;
const MOST_BLOCKS: usize = 4096;

/// All `async_copy_*`.
pub fn reversed(run: &Run, input: &DeviceBuffer<i32>) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    check::at_most(n, 1 << 30)?;
    let blocks = n.div_ceil(TILE * TILES_A_BLOCK).clamp(1, MOST_BLOCKS) as u32;
    let out = run.poisoned::<i32>(n)?;
    // SAFETY: `input` and `out` hold n ints.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(input.as_device_ptr(), out.as_device_ptr(), n as u32))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
