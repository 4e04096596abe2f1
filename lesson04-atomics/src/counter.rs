//! One counter: every thread of the grid adds one to it.

use crate::grid;
use common::{Row, Run, Slug, Unit, check, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// The slide's blocks of 1000 threads.
pub const COUNTER: Row = Row::pair("counter", Slug::RaceGlobal)
    .of_unit(Unit::Threads)
    .sizes(1_000_000, 4000)
    .job(|run| counted(run, of_blocks(run.size(), 1000)?));

/// Smaller blocks, and so more of them, since here the blocks matter.
pub const SCOPE: Row = Row::pair("counter_scope", Slug::RaceScope)
    .of_unit(Unit::Threads)
    .sizes(4000, 1000)
    .shows_from(251)
    .job(|run| counted(run, of_blocks(run.size(), 250)?));

/// The kernels ask for no bounds, so every thread launched counts.
pub fn counted(run: &Run, (blocks, threads): (u32, u32)) -> anyhow::Result<()> {
    run.each(|| check::equal_value(count(run, blocks, threads)?, (blocks * threads) as i32))
}

fn count(run: &Run, blocks: u32, threads: u32) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let counter = DeviceBox::new(&0i32)?;
    // SAFETY: the kernel touches one int, and `counter` is one.
    unsafe {
        launch!(function<<<blocks, threads, 0, stream>>>(counter.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(counter.as_host_value()?)
}

/// Blocks of at most `most` threads, and how many threads: all alike, for n elements, which are at least one.
fn of_blocks(n: usize, most: u32) -> anyhow::Result<(u32, u32)> {
    let n = grid::count(n)?;
    let threads = n.min(most);
    Ok((n.div_ceil(threads), threads))
}
