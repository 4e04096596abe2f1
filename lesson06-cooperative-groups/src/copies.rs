//! `async_copy_*`: tiles that are copied into shared memory and turned round from there.

use crate::reference;
use common::check;
use common::{Run, launch};
use cust::prelude::*;

/// Threads of a block, and elements of a tile.
const BLOCK: u32 = 128;
pub const TILE: usize = 256;
/// A block takes several tiles, so that there is a next copy to start.
const TILES_A_BLOCK: usize = 4;
const MOST_BLOCKS: usize = 4096;

/// Runs `kernel` once for each run of this size, on values that are uploaded once.
pub fn job(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let function = run.function()?;
    let n = u32::try_from(values.len())?;
    anyhow::ensure!(n <= 1 << 30, "{n} elements are too many: these kernels count up to 2^30");
    let expected = reference::reversed_in_pieces(values, TILE);
    let blocks = values.len().div_ceil(TILE * TILES_A_BLOCK).clamp(1, MOST_BLOCKS) as u32;
    let input = values.as_dbuf()?;
    run.moves(2 * size_of_val(values) as u64);
    run.each(|| {
        let stream = Stream::new(StreamFlags::DEFAULT, None)?;
        let out = run.poisoned::<i32>(values.len())?;
        // SAFETY: `input` and `out` hold n ints.
        unsafe {
            launch!(function<<<blocks, BLOCK, 0, stream>>>(input.as_device_ptr(), out.as_device_ptr(), n))?;
        }
        stream.synchronize()?;
        check::equal(&out.as_host_vec()?, &expected)
    })
}
