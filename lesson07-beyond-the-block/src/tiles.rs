//! Tiles of two arrays that bulk copies bring into shared memory.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch};
use cust::prelude::*;

/// Bulk copies, and the barrier object that counts their bytes.
pub const TILE: Row = Row::pair("tile", Slug::RaceShared)
    .broken(&[
        ("tile_bytes", Expect::Finding(Slug::RaceShared)),
        ("tile_refilled", Expect::Finding(Slug::RaceShared)),
        ("tile_parity", Expect::Finding(Slug::RaceShared)),
    ])
    .also(&[("tile_parity", Slug::Livelock)])
    .ladder(&["tile_large"])
    .from_capability(9)
    .isolated()
    .sizes(1 << 12, 1024)
    .gpu(100_000_000)
    .from_zero()
    // Less, and `tile_bytes` waits for ever: the second copies bring too few bytes.
    .shows_from(TILES_A_BLOCK * ELEMENTS)
    .job(|run| {
        let mut values = InputValues::seeded(7);
        multiplied(run, &values.ints(run.size(), -1000, 1000), &values.ints(run.size(), -1000, 1000))
    });

/// Threads of a block, and elements of a tile.
pub const BLOCK: u32 = 128;
pub const ELEMENTS: usize = 256;
/// A block takes two tiles, so that a barrier object has two phases. With a third one, a barrier that expects too few
/// bytes would wait for ever.
const TILES_A_BLOCK: usize = 2;
/// Elements of the one tile of a block of `tile_large`.
const LARGE_TILE: usize = 1024;
/// A bulk copy moves units of 16 bytes.
const UNIT: usize = 4;

/// Both inputs are copied to the device once for all runs.
pub fn multiplied(run: &Run, v: &[i32], w: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_in_pieces(&reference::products(v, w), ELEMENTS);
    let (v, w) = (in_whole_units(v)?, in_whole_units(w)?);
    run.moves(3 * size_of_val(&expected[..]) as u64);
    run.each(|| check::equal(&products(run, &v, &w, expected.len())?, &expected))
}

/// The values on the device, and zeros up to a whole unit.
pub(crate) fn in_whole_units(values: &[i32]) -> anyhow::Result<DeviceBuffer<i32>> {
    let mut all = values.to_vec();
    all.resize(values.len().next_multiple_of(UNIT), 0);
    Ok(all.as_slice().as_dbuf()?)
}

/// Blocks for n elements, each of [`BLOCK`] threads.
pub fn blocks(kernel: &str, n: usize) -> u32 {
    let of_block = if kernel == "tile_large" { LARGE_TILE } else { ELEMENTS * TILES_A_BLOCK };
    n.div_ceil(of_block).max(1) as u32
}

fn products(run: &Run, v: &DeviceBuffer<i32>, w: &DeviceBuffer<i32>, n: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    check::at_most(n, 1 << 30)?;
    let blocks = blocks(&run.kernel().name, n);
    let out = run.poisoned::<i32>(n)?;
    let (v, w) = (v.as_device_ptr(), w.as_device_ptr());
    // SAFETY: `v` and `w` hold n ints, rounded up to a whole unit, and `out` holds n.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(v, w, out.as_device_ptr(), n as u32))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
