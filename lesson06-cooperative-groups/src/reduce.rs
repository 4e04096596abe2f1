//! `reduce_sum_*`: a sum for each block, by a function that takes any group.

use common::{Run, check, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// Threads and elements of a block: no power of two, and that is the point.
pub const BLOCK: usize = 96;

/// What each block has added up.
pub struct Sums {
    pub sums: Vec<i32>,
    pub squares: Vec<i32>,
}

/// Runs the kernel of this run on `values`.
pub fn sums(run: &Run, values: &[i32]) -> anyhow::Result<Sums> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    check::at_most(values.len(), 1 << 30)?;
    let blocks = values.len().div_ceil(BLOCK);
    let input = values.as_dbuf()?;
    let sums = DeviceBuffer::<i32>::zeroed(blocks)?;
    let squares = DeviceBuffer::<i32>::zeroed(blocks)?;
    // A launch has at least one block; for no elements there is nothing to launch.
    if blocks > 0 {
        // SAFETY: `input` holds n ints, `sums` and `squares` one for each block.
        unsafe {
            launch!(function<<<blocks as u32, BLOCK as u32, 0, stream>>>(
                input.as_device_ptr(), values.len() as u32, sums.as_device_ptr(), squares.as_device_ptr()
            ))?;
        }
    }
    stream.synchronize()?;
    Ok(Sums { sums: sums.as_host_vec()?, squares: squares.as_host_vec()? })
}
