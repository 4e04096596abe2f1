//! `barrier_cost_*`: a loop of steps, with a barrier after each.

use crate::reverse::most_blocks;
use common::{Run, launch, launch_cooperative};
use cust::prelude::*;

/// Threads of a block.
const BLOCK: u32 = 256;

/// Threads that are launched for so many elements: whole blocks, and at least one.
pub fn threads(n: usize) -> usize {
    n.max(1).next_multiple_of(BLOCK as usize)
}

/// Each thread's number after `barriers` steps.
pub fn numbers(run: &Run, barriers: u32) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let threads = threads(run.size());
    let blocks = u32::try_from(threads)? / BLOCK;
    let out = run.poisoned::<u32>(threads)?;
    // SAFETY: `out` has an element for each thread.
    unsafe {
        if run.kernel().name == "barrier_cost_grid" {
            anyhow::ensure!(blocks <= most_blocks(&function)?, "{blocks} blocks cannot be there at once");
            launch_cooperative!(function<<<blocks, BLOCK, 0, stream>>>(out.as_device_ptr(), barriers))?;
        } else {
            launch!(function<<<blocks, BLOCK, 0, stream>>>(out.as_device_ptr(), barriers))?;
        }
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
