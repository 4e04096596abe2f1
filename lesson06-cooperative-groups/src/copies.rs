//! Tiles that are copied into shared memory and reversed from there.

use crate::reference;
use common::check::{self, InputValues};
use common::{Counter, Expect, Metric, Row, Run, Slug, launch};
use cust::prelude::*;

/// Copies that a group starts, and has to wait for.
pub const ASYNC_COPY: Row = Row::pair("async_copy", Slug::RaceShared)
    .from_capability(8)
    .broken(&[("async_copy_reused", Expect::Finding(Slug::RaceShared))])
    .ladder(&["async_copy_loads", "async_copy_stages"])
    .sizes(1 << 16, 2048)
    .gpu(100_000_000)
    .from_zero()
    .shows_from(TILE + 1)
    .charts(&[
        Metric::Sum(Counter::GlobalLoads),
        Metric::Sum(Counter::AsyncCopies),
        Metric::Sum(Counter::SharedStores),
        Metric::Sum(Counter::Instructions),
    ])
    .job(|run| copied(run, &InputValues::seeded(6).ints(run.size(), -1000, 1000)));

/// The values are copied to the device once for all runs.
pub fn copied(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_in_pieces(values, TILE);
    let input = values.as_dbuf()?;
    run.moves(2 * size_of_val(values) as u64);
    run.each(|| check::equal(&reversed(run, &input)?, &expected))
}

/// Threads of a block, and elements of a tile.
const BLOCK: u32 = 128;
const TILE: usize = 256;
/// A block takes several tiles, so that there is a next copy to start.
const TILES_A_BLOCK: usize = 4;
const MOST_BLOCKS: usize = 4096;

fn reversed(run: &Run, input: &DeviceBuffer<i32>) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    check::at_most(n, 1 << 30)?;
    let blocks = n.div_ceil(TILE * TILES_A_BLOCK).clamp(1, MOST_BLOCKS) as u32;
    let out = run.poisoned::<i32>(n)?;
    // SAFETY: `input` and `out` hold n ints.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(input.as_device_ptr(), out.as_device_ptr(), n as u32))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
