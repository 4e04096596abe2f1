//! The sum of a vector: `vector_sum_broken`, `_correct`, `_warp` and `_block` are launched alike.

use crate::grid;
use common::{Run, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

pub fn sum(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let vector = values.as_dbuf()?;
    let result = DeviceBox::new(&0i32)?;
    // SAFETY: `vector` has n ints, `result` one; blocks of 256 threads suit all four kernels.
    unsafe {
        launch!(function<<<grid::striding(n), grid::BLOCK, 0, stream>>>(
            vector.as_device_ptr(), n, result.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok(result.as_host_value()?)
}
