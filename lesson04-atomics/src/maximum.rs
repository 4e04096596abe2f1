//! The largest of many: an int by `atomicMax()`, a float by compare-and-swap.

use crate::{grid, reference};
use common::check::{self, InputValues};
use common::{Peer, PeerCall, Row, Run, Slug, Unit, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// An atomic that CUDA does not have: the largest float, by compare-and-swap.
pub const ATOMIC_MAX_FLOAT: Row = Row::pair("atomic_max_float", Slug::RaceGlobal)
    .of_unit(Unit::Floats)
    .ladder(&["atomic_max_float_bits"])
    .sizes(1 << 14, 2048)
    .gpu(100_000_000)
    .from_zero()
    .job(|run| largest_float(run, &floats(run.size())));

/// Both signs, and a NaN here and there.
fn floats(n: usize) -> Vec<f32> {
    let spread = InputValues::seeded(5).floats(n).into_iter().map(|value| 2000.0 * value - 1000.0);
    spread.enumerate().map(|(i, value)| if i % 7 == 3 { f32::NAN } else { value }).collect()
}

/// `atomic_max_float`: the largest that is a number.
pub fn largest_float(run: &Run, values: &[f32]) -> anyhow::Result<()> {
    let expected = reference::maximum_float(values);
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(of_floats(run, values)?, expected))
}

/// `atomic_max_float_broken`, `_correct` and `_bits`.
fn of_floats(run: &Run, values: &[f32]) -> anyhow::Result<f32> {
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

/// One maximum: one place, then a thousand, then a tree.
pub const ARRAY_MAX: Row = Row::pair("array_max", Slug::RaceGlobal)
    .ladder(&["array_max_locals", "array_max_tree"])
    .sizes(1 << 17, 2048)
    .gpu(100_000_000)
    .peer(Peer::Max)
    .from_zero()
    .job(|run| largest(run, &InputValues::seeded(6).ints(run.size(), -1_000_000, 1_000_000), 1024));

/// `array_max`; one kernel has `locals` maxima between the elements and the one.
pub fn largest(run: &Run, values: &[i32], locals: u32) -> anyhow::Result<()> {
    let expected = reference::maximum(values);
    run.moves(size_of_val(values) as u64);
    run.each(|| {
        let most = match run.kernel().name.as_str() {
            "array_max_locals" => by_locals(run, values, locals)?,
            _ => of_ints(run, values)?,
        };
        check::equal_value(most, expected)
    })
}

/// `array_max_broken`, `_correct` and `_tree`.
fn of_ints(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
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
fn by_locals(run: &Run, values: &[i32], locals: u32) -> anyhow::Result<i32> {
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
