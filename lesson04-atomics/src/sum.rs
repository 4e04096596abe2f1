//! The sum of a vector: `vector_sum_broken`, `_correct`, `_warp` and `_block` are launched alike.

use crate::grid;
use common::{PeerCall, Run, check, launch};
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
    let sum = result.as_host_value()?;
    let call = PeerCall { from: vector.as_device_ptr().as_raw(), to: result.as_device_ptr().as_raw(), kept: 0, n };
    // SAFETY: `vector` has n ints, `result` one.
    unsafe { run.beside(&stream, call, || check::equal_value(result.as_host_value()?, sum)) };
    Ok(sum)
}
