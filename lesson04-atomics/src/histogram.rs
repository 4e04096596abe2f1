//! How often each byte occurs: all the histogram kernels are launched alike.

use crate::grid;
use common::{Run, launch};
use cust::prelude::*;

/// Elements of one thread. A block's private histogram pays only if the block counts much more than 256 bytes.
const PER_THREAD: u32 = 16;

pub fn of_bytes(run: &Run, bytes: &[u8]) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(bytes.len())?;
    let data = bytes.as_dbuf()?;
    let bins = [0u32; 256].as_dbuf()?;
    let blocks = grid::striding(n.div_ceil(PER_THREAD));
    // SAFETY: `data` has n bytes and `bins` a bin for each value of a byte.
    unsafe {
        launch!(function<<<blocks, grid::BLOCK, 0, stream>>>(data.as_device_ptr(), n, bins.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(bins.as_host_vec()?)
}
