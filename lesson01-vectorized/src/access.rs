//! Reads at a stride and at an offset: where a warp's 32 elements lie decides how many sectors they take.

use common::{Run, launch};
use cust::prelude::*;

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

/// What `n` threads read out of `source`, the stride or offset being `by`.
pub fn read(run: &Run, kernel: &str, source: &DeviceBuffer<i32>, n: usize, by: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    anyhow::ensure!(needed(kernel, n, by) <= source.len(), "{} elements are too few", source.len());
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
