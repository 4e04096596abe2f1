//! The sum and the largest in one launch: `last_block_broken`, `_correct`, `_packed` and `_max`.

use crate::{grid, reference};
use common::check::{self, InputValues};
use common::{Peer, PeerCall, Row, Run, Slug, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// A few blocks of many loads each; for the many schedules more and smaller ones.
pub const LAST_BLOCK: Row = Row::pair("last_block", Slug::RaceGlobal)
    .ladder(&["last_block_packed", "last_block_max"])
    .sizes(1 << 18, 4096)
    .gpu(100_000_000)
    .peer(Peer::Sum)
    .own_peer("last_block_max", Peer::Max)
    .from_zero()
    .shows_from(1025)
    .job(|run| finished_by_the_last(run, &InputValues::seeded(10).ints(run.size(), -1000, 1000)));

/// Sums, and the largest.
pub fn finished_by_the_last(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = match run.kernel().name.as_str() {
        "last_block_max" => reference::maximum(values),
        _ => reference::sum(values)?,
    };
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(reduced(run, values)?, expected))
}

/// Ints of one thread and iteration: eight loads of four.
const PER_THREAD: u32 = 32;
/// Blocks that a large GPU runs at the same time, two on each multiprocessor.
const MOST_BLOCKS: u32 = 264;

/// Blocks, and threads of each, for n ints: on a full GPU as large as may be, for few ints small, so that there are
/// several.
pub fn grid(n: u32) -> (u32, u32) {
    let threads = if n < MOST_BLOCKS * 32 * PER_THREAD { 32 } else { 512 };
    (n.div_ceil(threads * PER_THREAD).clamp(1, MOST_BLOCKS), threads)
}

/// The sum of `values`, or their maximum; and what the kernel counts with is as it was.
fn reduced(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let (blocks, threads) = grid(n);
    let vector = values.as_dbuf()?;
    let result = run.poisoned::<i32>(1)?;
    let done = DeviceBox::new(&0u32)?;
    match run.kernel().name.as_str() {
        "last_block_packed" => {
            let word = DeviceBox::new(&0u64)?;
            // SAFETY: `vector` has n ints; `result` and `word` are one each.
            unsafe {
                launch!(function<<<blocks, threads, 0, stream>>>(
                    vector.as_device_ptr(), n, result.as_device_ptr(), word.as_device_ptr()
                ))?;
            }
            stream.synchronize()?;
            check::equal_value(word.as_host_value()?, 0)?;
        }
        name => {
            let is_max = name == "last_block_max";
            let parts = if is_max { [i32::MIN].as_dbuf()? } else { run.poisoned(blocks as usize)? };
            // SAFETY: `vector` has n ints, `parts` one for each block, or one in all; `result` and `done` are one each.
            unsafe {
                launch!(function<<<blocks, threads, 0, stream>>>(
                    vector.as_device_ptr(), n, result.as_device_ptr(), parts.as_device_ptr(), done.as_device_ptr()
                ))?;
            }
            stream.synchronize()?;
            if is_max {
                check::equal(&parts.as_host_vec()?, &[i32::MIN])?;
            }
        }
    }
    check::equal_value(done.as_host_value()?, 0)?;
    let told = || -> anyhow::Result<i32> {
        let mut answer = [0];
        result.copy_to(&mut answer)?;
        Ok(answer[0])
    };
    let answer = told()?;
    let call = PeerCall { from: vector.as_device_ptr().as_raw(), to: result.as_device_ptr().as_raw(), kept: 0, n };
    // SAFETY: `vector` has n ints, `result` one.
    unsafe { run.beside(&stream, call, || check::equal_value(told()?, answer)) };
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_ints_have_several_blocks_and_many_fill_the_gpu() {
        assert_eq!(grid(0), (1, 32));
        assert_eq!(grid(4096), (4, 32));
        assert_eq!(grid(1 << 28), (MOST_BLOCKS, 512));
    }
}
