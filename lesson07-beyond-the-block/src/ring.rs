//! A long array that streams through a ring of stages in shared memory.

use crate::reference;
use common::check::{self, InputValues};
use common::{Row, Run, Slug, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// Copies that run ahead through a ring of stages.
pub const RING: Row = Row::pair("ring", Slug::RaceShared)
    .also(&[("ring_broken", Slug::Livelock)])
    .ladder(&["ring_four"])
    .from_capability(9)
    .isolated()
    .sizes(1 << 13, 2048)
    .gpu(100_000_000)
    .from_zero()
    .shows_from(2 * ELEMENTS + 1)
    .job(|run| streamed(run, &InputValues::seeded(10).ints(run.size(), -1000, 1000)));

/// Threads of a block: four warps that read, and one that fills the stages.
const BLOCK: u32 = 160;
/// Elements of a tile.
const ELEMENTS: usize = 128;
/// A block takes several tiles, so that each stage is filled again.
const TILES_A_BLOCK: usize = 8;
const MOST_BLOCKS: usize = 1024;

/// The array is copied to the device once for all runs, with zeros up to a whole tile.
pub fn streamed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    check::at_most(values.len(), 1 << 30)?;
    let tiles = values.len().div_ceil(ELEMENTS);
    let blocks = tiles.div_ceil(TILES_A_BLOCK).clamp(1, MOST_BLOCKS);
    let expected = reference::sums_of_blocks(values, ELEMENTS, blocks);
    let mut whole = values.to_vec();
    whole.resize(tiles * ELEMENTS, 0);
    let v = whole.as_slice().as_dbuf()?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal(&sums(run, &v, tiles as u32, blocks)?, &expected))
}

fn sums(run: &Run, v: &DeviceBuffer<i32>, tiles: u32, blocks: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let out = DeviceBuffer::<i32>::zeroed(blocks)?;
    // SAFETY: `v` holds so many tiles, and `out` an int for each block.
    unsafe {
        launch!(function<<<blocks as u32, BLOCK, 0, stream>>>(v.as_device_ptr(), tiles, out.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
