//! Keep what is positive: one job, many ways to hand out the places.

use crate::{grid, reference, sample};
use common::check::{self, Mismatch};
use common::{Counter, Metric, Peer, PeerCall, Row, Run, Slug, Unit, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// The bright pixels of a picture: a counter hands out places in an array.
pub const FILTER: Row = Row::pair("filter", Slug::RaceGlobal)
    .of_unit(Unit::Bytes)
    .ladder(&["filter_shared", "filter_warp", "filter_groups", "filter_scan", "filter_lookback", "filter_tiles"])
    .charts(&[Metric::Sum(Counter::AtomicOperations)])
    .sizes(0, 4096)
    .figure("every filter against the share of elements kept")
    .reads(sample::FILE)
    .gpu(100_000_000)
    .peer(Peer::SelectIf)
    .from_zero()
    .shows_from(64)
    .job(|run| filtered(run, &above_average(&run.input()), None));

/// Greys above the average become positive, so that `src > 0` keeps what is bright.
fn above_average(greys: &[u8]) -> Vec<i32> {
    let sum: i64 = greys.iter().map(|&grey| i64::from(grey)).sum();
    // Just below the average, so that the brightest is kept even where all are alike.
    let average = (sum - 1).div_euclid(greys.len().max(1) as i64) as i32;
    greys.iter().map(|&grey| i32::from(grey) - average).collect()
}

/// `filter`, with blocks of so many threads for the kernels whose tiles depend on it, if it matters.
pub fn filtered(run: &Run, src: &[i32], threads: Option<u32>) -> anyhow::Result<()> {
    let expected = reference::filter(src);
    run.moves(4 * (src.len() + expected.len()) as u64);
    run.each(|| {
        let kept = keep(run, src, threads)?;
        match run.kernel().name.as_str() {
            // These keep the order too.
            "filter_scan" | "filter_lookback" => check::equal(&kept, &expected),
            _ => same_elements(&kept, &expected),
        }
    })
}

/// The elements that a block of `filter_shared` takes: NPER_THREAD rounds of its size.
pub const SHARED_TILE: u32 = 8 * 256;
/// The elements that one block of the scan counts and scatters.
pub const SCAN_TILE: u32 = 256;
/// Threads of the one block that scans the tiles' counts.
pub const OFFSETS_BLOCK: u32 = 1024;
/// The elements that each thread of `filter_tiles` and `filter_lookback` takes.
pub const TILE_A_THREAD: u32 = 32;

/// Threads of a block of `filter_tiles` and `filter_lookback`: what was measured to be fast. One warp for small inputs,
/// so that these have several tiles too.
pub fn tile_threads(n: usize) -> u32 {
    if n < 1 << 20 { 32 } else { 352 }
}

/// The elements that a kernel of `filter` kept, in the order in which it stored them. `threads` is the size of a block
/// of `filter_tiles` and `filter_lookback`, if it matters.
pub fn keep(run: &Run, src: &[i32], threads: Option<u32>) -> anyhow::Result<Vec<i32>> {
    let n = grid::count(src.len())?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let source = src.as_dbuf()?;
    let kept = DeviceBox::new(&0u32)?;
    let dst = run.poisoned::<i32>(src.len())?;

    match run.kernel().name.as_str() {
        "filter_scan" => scan(run, &stream, &source, &dst, &kept, n)?,
        "filter_tiles" | "filter_lookback" => {
            let threads = threads.unwrap_or_else(|| tile_threads(src.len()));
            tiles(run, &stream, &source, &dst, &kept, (n, threads))?;
        }
        kernel => {
            let function = run.function()?;
            let blocks = if kernel == "filter_shared" { n.div_ceil(SHARED_TILE).max(1) } else { grid::covering(n) };
            // SAFETY: `source` and `dst` have n ints, and no kernel of this lesson counts more than n elements.
            unsafe {
                launch!(function<<<blocks, grid::BLOCK, 0, stream>>>(
                    dst.as_device_ptr(), kept.as_device_ptr(), source.as_device_ptr(), n
                ))?;
            }
        }
    }
    stream.synchronize()?;

    let elements = stored(&dst, &kept)?;
    let [from, to] = [&source, &dst].map(|buffer| buffer.as_device_ptr().as_raw());
    let call = PeerCall { from, to, kept: kept.as_device_ptr().as_raw(), n };
    // SAFETY: as for the launches.
    unsafe { run.beside(&stream, call, || same_elements(&stored(&dst, &kept)?, &elements)) };
    Ok(elements)
}

/// The elements that were kept.
fn stored(dst: &DeviceBuffer<i32>, kept: &DeviceBox<u32>) -> anyhow::Result<Vec<i32>> {
    let kept = kept.as_host_value()? as usize;
    if kept > dst.len() {
        return Err(Mismatch::new(say!("too-many-kept", kept, n = dst.len())).into());
    }
    // Only what was kept was ever stored.
    let mut elements = vec![0; kept];
    dst.index(0..kept).copy_to(&mut elements)?;
    Ok(elements)
}

/// Count, scan, scatter: each launch waits for the one before, since they share a stream.
fn scan(
    run: &Run,
    stream: &Stream,
    source: &DeviceBuffer<i32>,
    dst: &DeviceBuffer<i32>,
    kept: &DeviceBox<u32>,
    n: u32,
) -> anyhow::Result<()> {
    let (count, offsets) = (run.function_named("filter_scan_count")?, run.function_named("filter_scan_offsets")?);
    let scatter = run.function()?;
    let tiles = n.div_ceil(SCAN_TILE);
    let tile = run.poisoned::<u32>(tiles as usize)?;
    // SAFETY: `source` and `dst` have n ints, `tile` an element for each block of the first and the last launch.
    unsafe {
        if tiles > 0 {
            launch!(count<<<tiles, SCAN_TILE, 0, stream>>>(source.as_device_ptr(), n, tile.as_device_ptr()))?;
        }
        launch!(offsets<<<1, OFFSETS_BLOCK, 0, stream>>>(tile.as_device_ptr(), tiles, kept.as_device_ptr()))?;
        if tiles > 0 {
            launch!(scatter<<<tiles, SCAN_TILE, 0, stream>>>(
                dst.as_device_ptr(), source.as_device_ptr(), n, tile.as_device_ptr()
            ))?;
        }
    }
    // `tile` is freed when this returns; no launch may still need it.
    stream.synchronize()?;
    Ok(())
}

/// One pass, a block for each tile. What blocks tell each other is in words that start at 0.
fn tiles(
    run: &Run,
    stream: &Stream,
    source: &DeviceBuffer<i32>,
    dst: &DeviceBuffer<i32>,
    kept: &DeviceBox<u32>,
    (n, threads): (u32, u32),
) -> anyhow::Result<()> {
    let function = run.function()?;
    let blocks = n.div_ceil(TILE_A_THREAD * threads).max(1);
    // `filter_lookback`: the counter of tickets, and a word for each tile. `filter_tiles`: one word.
    let work = DeviceBuffer::<u64>::zeroed(1 + blocks as usize)?;
    // SAFETY: `source` and `dst` have n ints and begin where the driver put them, at a multiple of 256 bytes; `work`
    // has a word for each block and one more.
    unsafe {
        launch!(function<<<blocks, threads, 0, stream>>>(
            dst.as_device_ptr(), kept.as_device_ptr(), source.as_device_ptr(), n, work.as_device_ptr()
        ))?;
    }
    // `work` is freed when this returns.
    stream.synchronize()?;
    if run.kernel().name == "filter_tiles" {
        // Ready for the next launch.
        let mut first = [u64::MAX];
        work.index(0..1).copy_to(&mut first)?;
        check::equal_value(first[0], 0)?;
    }
    Ok(())
}

/// The same elements, each as often, in any order: compared by how often each value occurs, since sorting
/// 100 million elements takes far longer than keeping them.
fn same_elements(got: &[i32], expected: &[i32]) -> anyhow::Result<()> {
    let least = expected.iter().copied().min().unwrap_or(0);
    let most = expected.iter().copied().max().unwrap_or(0);
    if i64::from(most) - i64::from(least) > 1 << 16 {
        return check::multiset(got, expected);
    }
    let tally = |values: &[i32]| -> anyhow::Result<Vec<u32>> {
        let mut counts = vec![0; (most - least) as usize + 1];
        for &value in values {
            match usize::try_from(i64::from(value) - i64::from(least)).ok().and_then(|at| counts.get_mut(at)) {
                Some(count) => *count += 1,
                None => return Err(Mismatch::new(say!("not-to-keep", value)).into()),
            }
        }
        Ok(counts)
    };
    check::equal_value(got.len(), expected.len())?;
    check::equal(&tally(got)?, &tally(expected)?)
}

/// The places alone, one atomic for each warp, under a mask that is asked for once or twice.
pub const ACTIVEMASK: Row = Row::wrong_result_pair("filter_activemask")
    .of_unit(Unit::Bytes)
    .sizes(0, 4096)
    .reads(sample::FILE)
    .from_zero()
    .shows_from(64)
    .job(|run| scattered(run, &above_average(&run.input())));

/// `filter_activemask`: it gives out places, and the next step of the program stores there.
pub fn scattered(run: &Run, src: &[i32]) -> anyhow::Result<()> {
    let expected = reference::filter(src);
    run.each(|| {
        let dst = scatter(src, &places(run, src)?, expected.len())?;
        same_elements(&dst, &expected).map_err(|why| Mismatch::new(say!("after-scatter", why = why.to_string())).into())
    })
}

/// Marks an element that was given no place.
const NO_PLACE: u32 = u32::MAX;

/// `filter_activemask_broken` and `_correct`: the place each element was given.
fn places(run: &Run, src: &[i32]) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(src.len())?;
    let source = src.as_dbuf()?;
    let kept = DeviceBox::new(&0u32)?;
    let places = vec![NO_PLACE; src.len()].as_slice().as_dbuf()?;
    // SAFETY: `source` and `places` have n elements.
    unsafe {
        launch!(function<<<grid::covering(n), grid::BLOCK, 0, stream>>>(
            places.as_device_ptr(), kept.as_device_ptr(), source.as_device_ptr(), n
        ))?;
    }
    stream.synchronize()?;
    Ok(places.as_host_vec()?)
}

/// Stores each kept element at its place, as the next step of a program would: in a world of particles, some are
/// now lost and some there twice.
fn scatter(src: &[i32], places: &[u32], kept: usize) -> anyhow::Result<Vec<i32>> {
    let mut dst = vec![0; kept];
    let mut twice = None;
    for (at, (&value, &place)) in src.iter().zip(places).enumerate().filter(|&(_, (_, &place))| place != NO_PLACE) {
        match dst.get_mut(place as usize) {
            Some(slot) if *slot != 0 => _ = twice.get_or_insert((at, place)),
            Some(slot) => *slot = value,
            None => return Err(Mismatch::new(say!("no-such-place", place, kept)).at(at, places).into()),
        }
    }
    let holes = dst.iter().filter(|&&value| value == 0).count();
    match twice {
        None => Ok(dst),
        Some((at, place)) => {
            let first = Mismatch::new(say!("places-twice", place)).at(at, places);
            Err(first.and(say!("places-missed", holes, kept)).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_free_and_nothing_else() {
        assert!(same_elements(&[3, 1, 1], &[1, 3, 1]).is_ok());
        assert!(same_elements(&[], &[]).is_ok());
        for wrong in [&[3, 1][..], &[3, 3, 1], &[3, 1, 4], &[3, 1, i32::MIN]] {
            assert!(same_elements(wrong, &[1, 3, 1]).is_err(), "{wrong:?}");
        }
        assert!(same_elements(&[1, i32::MAX], &[i32::MAX, 1]).is_ok());
    }

    #[test]
    fn a_place_given_twice_leaves_a_hole() {
        assert_eq!(scatter(&[7, -1, 8], &[1, NO_PLACE, 0], 2).unwrap(), [8, 7]);
        assert!(scatter(&[7, 8], &[0, 0], 2).is_err());
        assert!(scatter(&[7, 8], &[0, 2], 2).is_err());
    }

    #[test]
    fn the_bright_are_positive_and_there_is_always_one() {
        assert_eq!(above_average(&[0, 10, 20]), [-9, 1, 11]);
        assert_eq!(above_average(&[7, 7]), [1, 1]);
        assert_eq!(above_average(&[0, 0]), [1, 1]);
        assert!(above_average(&[]).is_empty());
    }
}
