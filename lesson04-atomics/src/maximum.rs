//! The largest of many: an int by `atomicMax()`, a float by compare-and-swap.

use crate::grid;
use common::{PeerCall, Run, check, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// `array_max_broken`, `_correct` and `_tree`.
pub fn of_ints(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let vector = values.as_dbuf()?;
    let most = DeviceBox::new(&i32::MIN)?;
    // SAFETY: `vector` has n ints, `most` one; the tree wants blocks of 256 threads.
    unsafe {
        launch!(function<<<grid::striding(n), grid::BLOCK, 0, stream>>>(
            vector.as_device_ptr(), n, most.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    beside(run, &stream, &vector, &most)
}

/// `array_max_locals`: `locals` maxima between the elements and the one.
pub fn by_locals(run: &Run, values: &[i32], locals: u32) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let vector = values.as_dbuf()?;
    let most = DeviceBox::new(&i32::MIN)?;
    let local_most = vec![i32::MIN; locals as usize].as_slice().as_dbuf()?;
    // SAFETY: `vector` has n ints, `most` one, `local_most` as many as `locals` says.
    unsafe {
        launch!(function<<<grid::striding(n), grid::BLOCK, 0, stream>>>(
            vector.as_device_ptr(), n, most.as_device_ptr(), local_most.as_device_ptr(), locals
        ))?;
    }
    stream.synchronize()?;
    beside(run, &stream, &vector, &most)
}

/// The maximum that a launch has left in `most`, after a call of the peer on the same memory.
fn beside(run: &Run, stream: &Stream, vector: &DeviceBuffer<i32>, most: &DeviceBox<i32>) -> anyhow::Result<i32> {
    let answer = most.as_host_value()?;
    let (from, to) = (vector.as_device_ptr().as_raw(), most.as_device_ptr().as_raw());
    let call = PeerCall { from, to, kept: 0, n: grid::count(vector.len())? };
    // SAFETY: `vector` has n ints, `most` one.
    unsafe { run.beside(stream, call, || check::equal_value(most.as_host_value()?, answer)) };
    Ok(answer)
}

/// `atomic_max_float_broken`, `_correct` and `_bits`.
pub fn of_floats(run: &Run, values: &[f32]) -> anyhow::Result<f32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let vector = values.as_dbuf()?;
    let most = DeviceBox::new(&f32::NEG_INFINITY)?;
    // SAFETY: `vector` has n floats, `most` is one.
    unsafe {
        launch!(function<<<grid::striding(n), grid::BLOCK, 0, stream>>>(
            vector.as_device_ptr(), n, most.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok(most.as_host_value()?)
}
