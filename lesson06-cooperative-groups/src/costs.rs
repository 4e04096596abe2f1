//! The cost of barriers: a loop of steps, with a barrier after each.

use crate::reference;
use crate::reverse::most_blocks;
use common::{Counter, Metric, Row, Run, Unit, check, launch, launch_cooperative};
use cust::prelude::*;

/// No barrier; one of a warp, of a block, of the grid.
pub const BARRIER_COST: Row = Row::of("barrier_cost")
    .of_unit(Unit::Threads)
    .correct(&["barrier_cost_none", "barrier_cost_warp", "barrier_cost_block", "barrier_cost_grid"])
    .sizes(4096, 512)
    .from_zero()
    .seeds(16)
    .charts(&[Metric::Sum(Counter::Barriers), Metric::Sum(Counter::Instructions)])
    .job(|run| stepped(run, 8));

/// Runs this many steps, with a barrier after each.
pub fn stepped(run: &Run, barriers: u32) -> anyhow::Result<()> {
    let expected = reference::stepped(threads(run.size()), barriers);
    run.each(|| check::equal(&numbers(run, barriers)?, &expected))
}

/// Threads of a block.
const BLOCK: u32 = 256;

/// Threads that are launched for so many elements: whole blocks, and at least one.
fn threads(n: usize) -> usize {
    n.max(1).next_multiple_of(BLOCK as usize)
}

/// Each thread's number after `barriers` steps.
fn numbers(run: &Run, barriers: u32) -> anyhow::Result<Vec<u32>> {
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
