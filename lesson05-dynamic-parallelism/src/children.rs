//! Parents and children: results, arguments and errors.

use crate::reference;
use common::check::{self, InputValues};
use common::{Row, Run, Slug, Unit, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// The memory that a parent may expect of its child.
pub const CHILD_RESULT: Row = Row::pair("child_result", Slug::RaceGlobal)
    .sizes(5_000, 500)
    .job(|run| squared_by_a_child(run, u32::try_from(run.size())?));

/// `child_result`: a child's squares are added up.
pub fn squared_by_a_child(run: &Run, n: u32) -> anyhow::Result<()> {
    let expected = reference::sum_of_squares(n);
    run.each(|| check::equal_value(sum_of_squares(run, n)?, expected))
}

/// The `child_result` kernels: the sum of the squares below `n`, which a child computes.
fn sum_of_squares(run: &Run, n: u32) -> anyhow::Result<u32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let squares = run.poisoned::<u32>(n as usize)?;
    let sum = DeviceBox::new(&0u32)?;
    // SAFETY: `squares` has n elements, `sum` is one; one block of one thread, as the kernels want.
    unsafe {
        launch!(function<<<1, 1, 0, stream>>>(squares.as_device_ptr(), n, sum.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sum.as_host_value()?)
}

/// The memory that a child may expect of its parent.
pub const CHILD_POINTER: Row = Row::pair("child_pointer", Slug::DeviceLaunch)
    .sizes(4096, 512)
    .isolated()
    .job(|run| reversed_by_children(run, &InputValues::seeded(6).ints(run.size().next_multiple_of(64), -1000, 1000)));

/// `child_pointer`: `input` is whole blocks of 64.
pub fn reversed_by_children(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_blocks(input);
    run.each(|| check::equal(&reversed_blocks(run, input)?, &expected))
}

/// The `child_pointer` kernels: each 64 elements in reverse.
fn reversed_blocks(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    anyhow::ensure!(n.is_multiple_of(64) && n > 0, "{n} elements are not a number of blocks of 64");
    let data = input.as_dbuf()?;
    let scratch = run.poisoned::<i32>(n)?;
    let out = run.poisoned::<i32>(n)?;
    // SAFETY: three buffers with an int for each of n / 64 blocks' 64 threads.
    unsafe {
        launch!(function<<<(n / 64) as u32, 64, 0, stream>>>(
            data.as_device_ptr(), scratch.as_device_ptr(), out.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}

/// The work after a child, and how a parent once waited, which nvcc refuses.
pub const CHILD_WAIT: Row = Row::of("child_wait")
    .compile_fail(crate::REFUSED)
    .correct(&["child_wait_correct"])
    .fixed(1)
    .job(|run| run.each(|| check::equal_value(doubled(run)?, 42)));

/// `child_wait_correct`: what a child and the grid after it make of an int.
fn doubled(run: &Run) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let value = DeviceBox::new(&0i32)?;
    // SAFETY: one int; one block of one thread, as the kernel wants.
    unsafe {
        launch!(function<<<1, 1, 0, stream>>>(value.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(value.as_host_value()?)
}

/// A launch that fails, and an error that nobody asks for.
pub const LAUNCH_ERROR: Row = Row::pair("launch_error", Slug::DeviceLaunch)
    .of_unit(Unit::Threads)
    .fixed(1025)
    .job(|run| counted_by_a_child(run, run.size()));

/// `launch_error`: a child of so many threads, which may be too many for a block.
pub fn counted_by_a_child(run: &Run, threads: usize) -> anyhow::Result<()> {
    let fits = threads <= 1024;
    let expected: Vec<i32> = (1..=threads as i32).map(|i| if fits { i } else { 0 }).collect();
    // cudaErrorInvalidConfiguration, if anybody asked.
    let code = if fits || run.kernel().is_broken() { 0 } else { 9 };
    run.each(|| {
        let (counted, error) = count_up(run, threads)?;
        check::equal(&counted, &expected)?;
        check::equal_value(error, code)
    })
}

/// The `launch_error` kernels: what a child of `threads` threads counts, and the error that its launch left.
fn count_up(run: &Run, threads: usize) -> anyhow::Result<(Vec<i32>, i32)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let out = vec![0i32; threads].as_slice().as_dbuf()?;
    let error = DeviceBox::new(&0i32)?;
    // SAFETY: `out` has an int for each thread of the child, `error` is one.
    unsafe {
        launch!(function<<<1, 1, 0, stream>>>(out.as_device_ptr(), threads as i32, error.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok((out.as_host_vec()?, error.as_host_value()?))
}

/// The codes that `launch_codes` found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// A launch as it should be; 1025 threads a block; a grid of 0 blocks; 1 MiB of shared memory; one tail launch too
    /// many; one launch too deep.
    pub codes: [i32; 6],
    /// Tail launches up to the one that failed.
    pub tail_launches: i32,
    /// Nested launches that ran.
    pub deepest: i32,
}

/// `launch_codes` and `launch_depths`: one launch for each way in which one can fail.
pub fn codes(run: &Run) -> anyhow::Result<Codes> {
    let several = run.function_named("launch_codes")?;
    let nested = run.function_named("launch_depths")?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let codes = [0i32; 6].as_slice().as_dbuf()?;
    let (deepest, depth) = (DeviceBox::new(&0i32)?, DeviceBox::new(&0i32)?);
    // SAFETY: `codes` has 6 ints, `deepest` and `depth` are one each; one block of one thread, as the kernels want.
    unsafe {
        launch!(several<<<1, 1, 0, stream>>>(codes.as_device_ptr()))?;
        launch!(nested<<<1, 1, 0, stream>>>(0i32, deepest.as_device_ptr(), depth.as_device_ptr()))?;
    }
    stream.synchronize()?;
    let codes = codes.as_host_vec()?;
    let all = [codes[0], codes[1], codes[2], codes[3], codes[4], depth.as_host_value()?];
    Ok(Codes { codes: all, tail_launches: codes[5], deepest: deepest.as_host_value()? })
}

/// `launch_stream`: the code of a launch into a stream that has been destroyed. It may cost a GPU's context.
pub fn stream_code(run: &Run) -> anyhow::Result<i32> {
    let function = run.function_named("launch_stream")?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let code = DeviceBox::new(&0i32)?;
    // SAFETY: one int; one block of one thread, as the kernel wants.
    unsafe {
        launch!(function<<<1, 1, 0, stream>>>(code.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(code.as_host_value()?)
}
