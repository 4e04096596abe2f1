//! A sum for each block: `block_sum_broken` and `_correct` are launched alike.

use common::{Run, check, launch};
use cust::prelude::*;

/// Threads and elements of a block.
pub const BLOCK: usize = 256;

/// The sum of each 256 elements, and of those that are left.
pub fn sums(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    check::at_most(n, 1 << 30)?;
    let blocks = n.div_ceil(BLOCK);
    let data = input.as_dbuf()?;
    let sums = run.poisoned::<i32>(blocks)?;
    // A launch has at least one block; for no elements there is nothing to launch.
    if blocks > 0 {
        // SAFETY: `data` holds n ints, `sums` one for each block.
        unsafe {
            launch!(function<<<blocks as u32, BLOCK as u32, 0, stream>>>(
                data.as_device_ptr(), sums.as_device_ptr(), n as i32
            ))?;
        }
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}
