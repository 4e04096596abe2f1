//! `filter`: keep the positive ints, in any order or in theirs, beside `cub::DeviceSelect::If` and `thrust::copy_if`.

use crate::data::{self, Order, Sieve, check_kept};
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::Result;
use cust::memory::DeviceBuffer;
use lesson04_atomics::filter::{OFFSETS_BLOCK, SCAN_TILE, SHARED_TILE, TILE_A_THREAD, tile_threads};
use lesson04_atomics::grid::BLOCK;
use peers::Peer;

/// One input, and where the answer goes. All addresses are the device's.
struct Place {
    src: u64,
    n: u32,
    dst: u64,
    kept: u64,
    /// An element for each 256 of the input.
    tile: u64,
    /// A word of 64 bits that every call leaves at 0.
    asked: u64,
    /// A word of 64 bits for each tile, and one more.
    work: u64,
}

/// A function that returns the steps which one call enqueues.
type Call = fn(&Run, &str, &Place) -> Result<Vec<Step>>;

const METHODS: &[(&str, Order, Call)] = &[
    ("filter_correct", Order::Free, |run, kernel, place| free(run, kernel, place, BLOCK, BLOCK)),
    ("filter_shared", Order::Free, |run, kernel, place| free(run, kernel, place, SHARED_TILE, BLOCK)),
    ("filter_warp", Order::Free, |run, kernel, place| free(run, kernel, place, BLOCK, BLOCK)),
    ("filter_groups", Order::Free, |run, kernel, place| free(run, kernel, place, BLOCK, BLOCK)),
    ("filter_tiles", Order::Free, tiles),
    ("filter_scan", Order::Kept, scan),
    ("filter_lookback", Order::Kept, lookback),
];

/// (dst, kept, src, n), after the count has been cleared: a block of `threads` for each `tile` elements.
fn free(run: &Run, kernel: &str, place: &Place, tile: u32, threads: u32) -> Result<Vec<Step>> {
    let &Place { src, n, dst, kept, .. } = place;
    let clear = Step::Fill { at: kept, value: 0, words: 1 };
    let arguments = [Arg::Pointer(dst), Arg::Pointer(kept), Arg::Pointer(src), Arg::Unsigned(n)];
    Ok(vec![clear, run.gpu.launch(kernel, n.div_ceil(tile).max(1), threads, &arguments)?])
}

/// Count, scan, scatter.
fn scan(run: &Run, _: &str, place: &Place) -> Result<Vec<Step>> {
    let &Place { src, n, dst, kept, tile, .. } = place;
    let tiles = n.div_ceil(SCAN_TILE);
    let (src, dst, kept, tile) = (Arg::Pointer(src), Arg::Pointer(dst), Arg::Pointer(kept), Arg::Pointer(tile));
    let n = Arg::Unsigned(n);
    Ok(vec![
        run.gpu.launch("filter_scan_count", tiles, SCAN_TILE, &[src.clone(), n.clone(), tile.clone()])?,
        run.gpu.launch("filter_scan_offsets", 1, OFFSETS_BLOCK, &[tile.clone(), Arg::Unsigned(tiles), kept])?,
        run.gpu.launch("filter_scan", tiles, SCAN_TILE, &[dst, src, n, tile])?,
    ])
}

/// (dst, kept, src, n, asked): nothing is cleared first.
fn tiles(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let threads = tile_threads(place.n as usize);
    let blocks = place.n.div_ceil(TILE_A_THREAD * threads).max(1);
    let [dst, kept, src, asked] = [place.dst, place.kept, place.src, place.asked].map(Arg::Pointer);
    Ok(vec![run.gpu.launch(kernel, blocks, threads, &[dst, kept, src, Arg::Unsigned(place.n), asked])?])
}

/// (dst, kept, src, n, work), after all words have been cleared.
fn lookback(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let threads = tile_threads(place.n as usize);
    let blocks = place.n.div_ceil(TILE_A_THREAD * threads).max(1);
    let [dst, kept, src, work] = [place.dst, place.kept, place.src, place.work].map(Arg::Pointer);
    let clear = Step::Fill { at: place.work, value: 0, words: 2 * (1 + blocks as usize) };
    Ok(vec![clear, run.gpu.launch(kernel, blocks, threads, &[dst, kept, src, Arg::Unsigned(place.n), work])?])
}

const FULL: usize = 100_000_000;

pub fn filter(run: &mut Run) -> Result<()> {
    let shares: &[u64] = run.at_scale(&[0, 1, 10, 25, 50, 75, 90, 100], &[1, 50, 100], &[0, 10, 50, 100]);
    for &percent in shares {
        let n = run.at_scale(FULL, FULL, 20_011);
        if let Err(error) = of_share(run, percent, n) {
            run.skip(&format!("filter, {percent} % kept"), &error);
        }
    }
    Ok(())
}

fn of_share(run: &mut Run, percent: u64, n: usize) -> Result<()> {
    let inputs = run.inputs(4 * n).min(4);
    let sieves: Vec<Sieve> = (0..inputs as u64).map(|seed| Sieve { percent, n, seed }).collect();
    let sources: Vec<DeviceBuffer<u32>> = sieves.iter().map(|_| run.gpu.room(n)).collect::<Result<_>>()?;
    for (sieve, source) in sieves.iter().zip(&sources) {
        run.host.upload(source.as_device_ptr().as_raw(), n, |i| sieve.at(i) as u32)?;
    }
    let tiles = n.div_ceil(BLOCK as usize);
    let words = 2 * (1 + tiles);
    let rooms: Vec<DeviceBuffer<u32>> =
        [n, 1, tiles, 2, words].into_iter().map(|words| run.gpu.room(words)).collect::<Result<_>>()?;
    let [dst, kept, tile, asked, work] = [0, 1, 2, 3, 4].map(|room: usize| rooms[room].as_device_ptr().as_raw());
    run.gpu.fill(asked, 0, 2)?;
    let place = |input: usize| {
        let src = sources[input].as_device_ptr().as_raw();
        Place { src, n: n as u32, dst, kept, tile, asked, work }
    };

    // The first and the last input are looked at.
    let ends = [&sieves[0], &sieves[inputs - 1]].map(|sieve| sieve.kept(&run.host));
    let (sieves, ends) = (&sieves, &ends);
    let check = move |run: &Run, input: usize, kept: u32, order| {
        check_kept(&run.host, dst, kept, &sieves[input], &ends[usize::from(input > 0)], order)
    };

    let mut methods = Vec::new();
    for peer in [Peer::SelectIf, Peer::CopyIf] {
        let library: Option<Vec<_>> =
            (0..inputs).map(|input| run.peer(peer, place(input).src, dst, kept, n as u32)).collect::<Result<_>>()?;
        if let Some(calls) = library {
            let (steps, told): (Vec<_>, Vec<_>) = calls.into_iter().map(|(step, told)| (vec![step], told)).unzip();
            methods.push(Method::new(peer.name(), steps, move |run, input| {
                let on_host = peer == Peer::CopyIf;
                let kept = if on_host { told[input].get() } else { run.host.download(kept, 1)?[0] };
                check(run, input, kept, Order::Kept)
            }));
        }
    }
    for &(kernel, order, call) in METHODS {
        run.also_at(FULL, |n| call(run, kernel, &Place { n, ..place(0) }).map(drop))?;
        let calls = (0..inputs).map(|input| call(run, kernel, &place(input))).collect::<Result<_>>()?;
        methods.push(Method::new(kernel, calls, move |run, input| {
            check(run, input, run.host.download(kept, 1)?[0], order)
        }));
    }
    run.group(&Group {
        job: "filter",
        input: format!("{percent} % kept"),
        n: n as u64,
        bytes: 4 * (n + ends[0].len()) as u64,
        methods,
        peer: Some(Peer::SelectIf.name()),
        poison: Box::new(move |run| {
            data::poison(&run.gpu, dst, n)?;
            data::poison(&run.gpu, tile, tiles)?;
            data::poison(&run.gpu, work, words)?;
            data::poison(&run.gpu, kept, 1)
        }),
    })
}
