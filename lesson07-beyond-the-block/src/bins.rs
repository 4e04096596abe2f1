//! Histograms whose bins are spread over the shared memory of several blocks.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Peer, PeerCall, Row, Run, Slug, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// Blocks that add to each other's shared memory.
pub const BINS: Row = Row::pair("bins", Slug::RaceShared)
    .broken(&[("bins_early", Expect::Finding(Slug::RaceShared))])
    .also(&[("bins_broken", Slug::OutOfBounds), ("bins_early", Slug::OutOfBounds)])
    .ladder(&["bins_two", "bins_alone"])
    .from_capability(9)
    .isolated()
    .sizes(1 << 13, 1024)
    .seeds(16)
    .gpu(100_000_000)
    .peer(Peer::WideHistogram)
    .from_zero()
    .shows_from(2)
    .job(|run| counted(run, &InputValues::seeded(11).ints(run.size(), 0, COUNTS as i32 - 1), COUNTS));

/// More bins than one block can have.
pub const LARGE: Row = Row::of("large")
    .correct(&["large_pair", "large_halves"])
    .from_capability(9)
    .sizes(1 << 13, 1024)
    .seeds(4)
    .gpu(100_000_000)
    .peer(Peer::LargeHistogram)
    .from_zero()
    .job(|run| counted(run, &InputValues::seeded(13).ints(run.size(), 0, LARGE_COUNTS as i32 - 1), LARGE_COUNTS));

/// Bins of a histogram of [`BINS`].
pub const COUNTS: usize = 1 << 14;

/// Bins of a histogram of [`LARGE`].
pub const LARGE_COUNTS: usize = 1 << 16;

/// A thread takes several values, so that not each cluster hands over 16384 counts for 1024 of them.
const VALUES_A_THREAD: usize = 8;

/// The shape of a launch.
pub struct LaunchShape {
    pub blocks: u32,
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
}

/// The shape for n values. The fast kernels have at most two blocks for each of an H200's 132 multiprocessors, those
/// with 128 KiB of shared memory one.
pub fn shape(kernel: &str, n: usize) -> LaunchShape {
    let (threads, cluster, most_blocks) = match kernel {
        "bins_two" => (1024, 2, 264),
        "bins_alone" => (1024, 1, 264),
        "large_pair" | "large_halves" => (1024, 2, 132),
        _ => (256, 4, 1024),
    };
    let clusters = n.div_ceil(threads * cluster * VALUES_A_THREAD).clamp(1, most_blocks / cluster);
    let shared_bins = match kernel {
        "bins_alone" => COUNTS,
        "large_pair" | "large_halves" => LARGE_COUNTS / 2,
        _ => 0,
    };
    let shared = size_of::<u32>() * shared_bins;
    LaunchShape { blocks: (clusters * cluster) as u32, threads: threads as u32, shared: shared as u32 }
}

/// The values are as in the kernels' contract: below `counts`, the number of bins.
pub fn counted(run: &Run, values: &[i32], counts: usize) -> anyhow::Result<()> {
    check::at_most(values.len(), 1 << 30)?;
    let expected = reference::counts(values, counts);
    let v = values.as_dbuf()?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal(&histogram(run, &v, counts)?, &expected))
}

fn histogram(run: &Run, v: &DeviceBuffer<i32>, counts: usize) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = v.len() as u32;
    let LaunchShape { blocks, threads, shared } = shape(&run.kernel().name, v.len());
    if shared > 0 {
        function.allow_shared(shared)?;
    }
    let out = DeviceBuffer::<u32>::zeroed(counts)?;
    // SAFETY: `v` holds n ints below `counts`, and `out` so many counts.
    unsafe {
        launch!(function<<<blocks, threads, shared, stream>>>(
            v.as_device_ptr(), n, out.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    let found = out.as_host_vec()?;
    let call = PeerCall { from: v.as_device_ptr().as_raw(), to: out.as_device_ptr().as_raw(), kept: 0, n };
    // SAFETY: as for the launch.
    unsafe { run.beside(&stream, call, || check::equal(&out.as_host_vec()?, &found)) };
    Ok(found)
}
