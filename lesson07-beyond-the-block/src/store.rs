//! Squares that bulk copies store, and the last block adds up.

use crate::reference;
use crate::tiles::in_whole_units;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// Bulk copies out of shared memory, through the asynchronous proxy.
pub const STORE: Row = Row::pair("store", Slug::RaceShared)
    .broken(&[
        ("store_reused", Expect::Finding(Slug::RaceShared)),
        ("store_unfinished", Expect::Finding(Slug::RaceGlobal)),
    ])
    .from_capability(9)
    .sizes(1 << 12, 1024)
    .from_zero()
    .shows_from(ELEMENTS + 1)
    .job(|run| squared(run, &InputValues::seeded(9).ints(run.size(), -1000, 1000)));

/// Threads of a block, and elements of a tile.
const BLOCK: u32 = 128;
const ELEMENTS: usize = 256;
/// A block takes several tiles, so that it writes to its tile again.
const TILES_A_BLOCK: usize = 3;
const MOST_BLOCKS: usize = 4096;

/// The squares are right, and so is their sum.
pub fn squared(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::squares(values);
    let v = in_whole_units(values)?;
    run.each(|| {
        let (squares, total) = stored(run, &v, values.len())?;
        check::equal(&squares, &expected)?;
        check::equal(&[total], &[reference::total(&expected)])
    })
}

fn stored(run: &Run, v: &DeviceBuffer<i32>, n: usize) -> anyhow::Result<(Vec<i32>, i32)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    check::at_most(n, 1 << 30)?;
    let blocks = n.div_ceil(ELEMENTS * TILES_A_BLOCK).clamp(1, MOST_BLOCKS) as u32;
    let out = run.poisoned::<i32>(v.len())?;
    let (done, total) = (DeviceBuffer::from_slice(&[0u32])?, DeviceBuffer::from_slice(&[0i32])?);
    let counts = (done.as_device_ptr(), total.as_device_ptr());
    // SAFETY: `v` and `out` hold n ints, rounded up to a whole unit. `done` and `total` are one number each.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(
            v.as_device_ptr(), out.as_device_ptr(), n as u32, counts.0, counts.1
        ))?;
    }
    stream.synchronize()?;
    let mut squares = out.as_host_vec()?;
    squares.truncate(n);
    Ok((squares, total.as_host_vec()?[0]))
}
