//! The histogram of bytes: all its kernels are launched alike, in blocks that suit them.

use crate::{grid, reference, sample};
use common::{Counter, Metric, Peer, PeerCall, Row, Run, Slug, Unit, check, launch};
use cust::prelude::*;

/// Many bins: 256 places instead of one, and a copy of them for each block.
pub const HISTOGRAM: Row = Row::pair("histogram", Slug::RaceShared)
    .of_unit(Unit::Bytes)
    .ladder(&["histogram_global", "histogram_lanes"])
    .charts(&[Metric::Sum(Counter::GlobalLoads), Metric::Sum(Counter::AtomicConflicts)])
    .sizes(0, 4096)
    .reads(sample::FILE)
    .gpu(100_000_000)
    .peer(Peer::Histogram)
    .from_zero()
    .shows_from(64)
    .job(|run| binned(run, &run.input()));

/// The private histogram again, and its second barrier.
pub const BARRIER: Row = Row::pair("histogram_barrier", Slug::RaceShared)
    .of_unit(Unit::Bytes)
    .sizes(0, 4096)
    .reads(sample::FILE)
    .from_zero()
    .shows_from(64)
    .job(|run| binned(run, &run.input()));

/// Every bin has as many as there are bytes of its value.
pub fn binned(run: &Run, bytes: &[u8]) -> anyhow::Result<()> {
    let expected = reference::histogram(bytes);
    run.moves(bytes.len() as u64);
    run.each(|| check::equal(&of_bytes(run, bytes)?, &expected))
}

/// Elements of one thread. A block's private histogram pays only if the block counts much more than 256 bytes.
const PER_THREAD: u32 = 16;
/// `histogram_lanes` on a large GPU: bytes of one thread and iteration, threads of a block, and blocks that run at the
/// same time, two on each multiprocessor.
const LANES: (u32, u32, u32) = (32, 1024, 264);

/// Blocks, and threads of each.
pub fn grid(kernel: &str, n: u32) -> (u32, u32) {
    let (per_thread, threads, most) = LANES;
    match kernel {
        "histogram_lanes" if n >= per_thread * threads * most => (most, threads),
        _ => (grid::striding(n.div_ceil(PER_THREAD)), grid::BLOCK),
    }
}

fn of_bytes(run: &Run, bytes: &[u8]) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(bytes.len())?;
    let data = bytes.as_dbuf()?;
    let bins = [0u32; 256].as_dbuf()?;
    let (blocks, threads) = grid(&run.kernel().name, n);
    // SAFETY: `data` has n bytes and `bins` a bin for each value of a byte.
    unsafe {
        launch!(function<<<blocks, threads, 0, stream>>>(data.as_device_ptr(), n, bins.as_device_ptr()))?;
    }
    stream.synchronize()?;
    let counts = bins.as_host_vec()?;
    let call = PeerCall { from: data.as_device_ptr().as_raw(), to: bins.as_device_ptr().as_raw(), kept: 0, n };
    // SAFETY: as for the launch.
    unsafe { run.beside(&stream, call, || check::equal(&bins.as_host_vec()?, &counts)) };
    Ok(counts)
}
