//! A square matrix that pairs of blocks transpose in place.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch};
use cust::prelude::*;

/// Blocks that read each other's shared memory.
pub const MIRROR: Row = Row::pair("mirror", Slug::RaceShared)
    .broken(&[("mirror_late", Expect::Finding(Slug::RaceShared)), ("mirror_ended", Expect::Finding(Slug::OutOfBounds))])
    .also(&[("mirror_broken", Slug::OutOfBounds), ("mirror_late", Slug::OutOfBounds)])
    .correct(&["mirror_split"])
    .from_capability(9)
    .isolated()
    .sizes(100 * 100, 64 * 64)
    .seeds(32)
    .gpu(8192 * 8192)
    .from_zero()
    .shows_from(1)
    .job(|run| {
        let side = run.size().isqrt();
        transposed(run, &InputValues::seeded(12).ints(side * side, -1000, 1000), side)
    });

/// A tile's rows and columns, and the rows of a block's threads.
const TILE: usize = 32;
const STEP: u32 = 8;

/// The kernel works in place, so each run copies the matrix to the device.
pub fn transposed(run: &Run, values: &[i32], side: usize) -> anyhow::Result<()> {
    check::at_most(side, 1 << 15)?;
    let expected = reference::transposed(values, side);
    run.moves(2 * size_of_val(values) as u64);
    run.each(|| check::equal(&in_place(run, values, side)?, &expected))
}

fn in_place(run: &Run, values: &[i32], side: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let tiles = side.div_ceil(TILE).max(1) as u32;
    let m = values.as_dbuf()?;
    // SAFETY: `m` holds side * side ints.
    unsafe {
        launch!(function<<<(2, tiles, tiles), (TILE as u32, STEP), 0, stream>>>(m.as_device_ptr(), side as u32))?;
    }
    stream.synchronize()?;
    Ok(m.as_host_vec()?)
}
