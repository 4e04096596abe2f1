//! The names of groups, for launches of several shapes.

use common::{Row, Run, check, launch, launch_cooperative};
use cust::prelude::*;

/// Rank, size and place: in blocks, tiles and the grid.
pub const NAMES: Row =
    Row::of("names").correct(&["names_block", "names_tile", "names_grid"]).fixed(0).seeds(8).job(named);

/// Each thread of each launch has its own words.
pub fn named(run: &Run) -> anyhow::Result<()> {
    let kernel = &run.kernel().name;
    run.each(|| {
        let shapes = if kernel == "names_tile" { TILED } else { SHAPES };
        shapes.iter().try_for_each(|&(grid, block)| {
            let expected = expected(kernel, grid, block);
            check::equal(&words(run, grid, block, expected.len())?, &expected)
        })
    })
}

/// Words of each thread.
const WORDS: usize = 8;

/// Grids and blocks that are asked.
const SHAPES: &[([u32; 3], [u32; 3])] =
    &[([1, 1, 1], [1, 1, 1]), ([3, 1, 1], [40, 1, 1]), ([2, 3, 1], [8, 4, 2]), ([2, 2, 3], [4, 3, 5])];

/// Grids and blocks that are asked for tiles of 8.
const TILED: &[([u32; 3], [u32; 3])] = &[([1, 1, 1], [8, 1, 1]), ([4, 1, 1], [96, 1, 1])];

/// All words of a launch of this shape.
fn words(run: &Run, grid: [u32; 3], block: [u32; 3], count: usize) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let out = run.poisoned::<u32>(count)?;
    let (blocks, threads) = ((grid[0], grid[1], grid[2]), (block[0], block[1], block[2]));
    // SAFETY: `out` holds eight words for each thread.
    unsafe {
        match run.kernel().name.as_str() {
            "names_grid" => launch_cooperative!(function<<<blocks, threads, 0, stream>>>(out.as_device_ptr()))?,
            _ => launch!(function<<<blocks, threads, 0, stream>>>(out.as_device_ptr()))?,
        }
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}

/// All places of a shape, the first axis fastest.
fn places([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])))
}

/// The words of every thread, counted one by one.
fn expected(kernel: &str, grid: [u32; 3], block: [u32; 3]) -> Vec<u32> {
    let (blocks, threads): (u32, u32) = (grid.iter().product(), block.iter().product());
    let mut words = Vec::with_capacity(WORDS * (blocks * threads) as usize);
    for (b, [bx, by, bz]) in (0..).zip(places(grid)) {
        for (t, [tx, ty, tz]) in (0..).zip(places(block)) {
            words.extend(match kernel {
                "names_block" => [threads, t, bx, by, bz, tx, ty, tz],
                "names_tile" => [8, t % 8, t / 8, threads / 8, 8, t % 8, bx, tx],
                _ => [blocks * threads, b * threads + t, blocks, b, grid[0], grid[1], grid[2], 1],
            });
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_axis_is_the_fastest() {
        assert_eq!(places([2, 1, 2]).collect::<Vec<_>>(), [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]]);
        assert_eq!(expected("names_block", [1; 3], [2, 1, 1])[WORDS..], [2, 1, 0, 0, 0, 1, 0, 0]);
    }
}
