//! The shuffles: one launch tries every distance with every width.

use crate::{WARP, reference};
use common::{Row, Run, Slug, check, launch};
use cust::prelude::*;

/// Four shuffles; and a pair of which even lanes alone take part.
pub const EXCHANGE: Row = Row::pair("exchange", Slug::AbsentLane)
    .correct(EACH)
    .fixed(WARP)
    .seeds(8)
    // Every lane holds another value, so that a wrong source shows.
    .job(|run| exchanged(run, &std::array::from_fn(|lane| 1000 + 7 * lane as i32)));

/// One kernel for each shuffle.
pub const EACH: &[&str] = &["exchange_idx", "exchange_up", "exchange_down", "exchange_xor"];

/// A shuffle with every distance and width, or a warp of which the even lanes take part.
pub fn exchanged(run: &Run, values: &[i32; WARP]) -> anyhow::Result<()> {
    let kernel = run.kernel().name.as_str();
    if EACH.contains(&kernel) {
        let expected = expected(kernel, values);
        run.each(|| check::equal(&every(run, values)?, &expected))
    } else {
        let expected = expected_of_evens(values);
        run.each(|| check::equal(&evens(run, values)?, &expected))
    }
}

/// 1, 2, 4, 8, 16, 32.
const WIDTHS: usize = 6;

/// Returns the number of distances that `kernel` is asked for.
fn distances(kernel: &str) -> usize {
    // First the 32 lanes that all can read, then 32 rotations.
    if kernel == "exchange_idx" { 2 * WARP } else { WARP }
}

/// The lane that `lane` reads: the rule of the CUDA guide, for the kernel of that name.
pub fn source(kernel: &str, lane: usize, distance: usize, width: usize) -> usize {
    match kernel {
        "exchange_idx" if distance < WARP => reference::lane_by_index(lane, distance, width),
        "exchange_idx" => reference::lane_by_index(lane, lane + distance, width),
        "exchange_up" => reference::lane_up(lane, distance, width),
        "exchange_down" => reference::lane_down(lane, distance, width),
        _ => reference::lane_by_xor(lane, distance, width),
    }
}

/// Returns the results that all blocks of `kernel` should give, block after block.
fn expected(kernel: &str, values: &[i32; WARP]) -> Vec<i32> {
    let mut all = Vec::new();
    for width in (0..WIDTHS).map(|log| 1 << log) {
        for distance in 0..distances(kernel) {
            all.extend((0..WARP).map(|lane| values[source(kernel, lane, distance, width)]));
        }
    }
    all
}

/// Every distance and width, block after block.
fn every(run: &Run, values: &[i32; WARP]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let distances = distances(&run.kernel().name);
    let input = values.as_dbuf()?;
    let output = run.poisoned::<i32>(WIDTHS * distances * WARP)?;
    // SAFETY: `input` holds 32 ints, `output` 32 for each block of the grid.
    unsafe {
        launch!(function<<<(distances as u32, WIDTHS as u32), WARP as u32, 0, stream>>>(
            input.as_device_ptr(), output.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok(output.as_host_vec()?)
}

/// The value that stands where a kernel writes nothing.
const NOTHING: i32 = -1;

/// `exchange_broken` and `_correct`: one warp of which the even lanes exchange values; [`NOTHING`] at odd ones.
fn evens(run: &Run, values: &[i32; WARP]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let output = [NOTHING; WARP].as_dbuf()?;
    // SAFETY: `input` and `output` hold 32 ints each.
    unsafe {
        launch!(function<<<1, WARP as u32, 0, stream>>>(input.as_device_ptr(), output.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(output.as_host_vec()?)
}

/// Returns the values that the even lanes should get: the next even lane's value, and the last one its own.
fn expected_of_evens(values: &[i32; WARP]) -> Vec<i32> {
    let next = |lane: usize| if lane + 2 < WARP { values[lane + 2] } else { values[lane] };
    (0..WARP).map(|lane| if lane % 2 == 0 { next(lane) } else { NOTHING }).collect()
}
