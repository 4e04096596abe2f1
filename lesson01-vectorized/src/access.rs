//! Reads at a stride and at an offset: where a warp's 32 elements lie decides how many sectors they take.

use crate::reference;
use common::check::{self, InputValues};
use common::{Row, Run, launch};
use cust::prelude::*;

/// The same number of elements, from places at more and more of a distance.
pub const ACCESS: Row = Row::of("access")
    .correct(&["access_strided", "access_offset"])
    .sizes(1 << 14, 1000)
    .from_zero()
    .figure("sectors and bytes of a load, by width, stride and offset")
    .job(|run| read_by_each(run, InputValues::seeded(4), distances(&run.kernel().name)));

/// One element for each of n threads, by each of these strides or offsets in turn.
pub fn read_by_each(run: &Run, mut values: InputValues, distances: &[usize]) -> anyhow::Result<()> {
    let (kernel, n) = (&run.kernel().name, run.size());
    let most = needed_by_all(kernel, n, distances)?;
    let input = values.ints(most, i32::MIN, i32::MAX);
    let source = input.as_slice().as_dbuf()?;
    run.each(|| {
        for &by in distances {
            let expected = reference::read(kernel, &input, n, by);
            check::equal(&read(run, &source, n, by)?, &expected)?;
        }
        Ok(())
    })
}

/// Threads of a block.
const BLOCK: u32 = 128;

/// Distances between the elements of neighbouring threads, in ints.
pub const STRIDES: [usize; 8] = [1, 2, 3, 4, 6, 8, 16, 32];
/// Ints between the start of the buffer and the first element read.
pub const OFFSETS: [usize; 9] = [0, 1, 2, 4, 7, 8, 9, 16, 31];

/// The strides or offsets that the lesson tries.
pub fn distances(kernel: &str) -> &'static [usize] {
    if kernel == "access_strided" { &STRIDES } else { &OFFSETS }
}

/// Elements that must be there for `n` threads to read theirs.
pub fn needed(kernel: &str, n: usize, by: usize) -> usize {
    if kernel == "access_strided" { n.saturating_sub(1) * by + 1 } else { n + by }
}

/// Elements that must be there for all of these distances.
pub fn needed_by_all(kernel: &str, n: usize, distances: &[usize]) -> anyhow::Result<usize> {
    for &by in distances {
        anyhow::ensure!(needed(kernel, n, by) <= i32::MAX as usize, say!("too-far", n = n.to_string(), by));
    }
    Ok(distances.iter().map(|&by| needed(kernel, n, by)).max().unwrap_or(0))
}

/// Returns what `n` threads read out of `source`, the stride or offset being `by`.
pub fn read(run: &Run, source: &DeviceBuffer<i32>, n: usize, by: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    anyhow::ensure!(needed(&run.kernel().name, n, by) <= source.len(), "{} elements are too few", source.len());
    let read = run.poisoned::<i32>(n)?;
    let blocks = (n as u32).div_ceil(BLOCK).max(1);
    // SAFETY: `read` holds n ints, and `source` all that n threads reach.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(
            read.as_device_ptr(), source.as_device_ptr(), n as i32, by as i32
        ))?;
    }
    stream.synchronize()?;
    Ok(read.as_host_vec()?)
}
