//! A histogram whose bins are spread over the shared memory of a cluster of blocks.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// Blocks that add to each other's shared memory.
pub const BINS: Row = Row::pair("bins", Slug::RaceShared)
    .broken(&[("bins_early", Expect::Finding(Slug::RaceShared))])
    .also(&[("bins_broken", Slug::OutOfBounds), ("bins_early", Slug::OutOfBounds)])
    .from_capability(9)
    .isolated()
    .sizes(1 << 13, 1024)
    .seeds(16)
    .gpu(100_000_000)
    .from_zero()
    .shows_from(2)
    .job(|run| counted(run, &InputValues::seeded(11).ints(run.size(), 0, COUNTS as i32 - 1)));

/// Bins of the histogram.
pub const COUNTS: usize = 1 << 14;

/// Threads of a block, and blocks of a cluster.
const BLOCK: usize = 256;
const CLUSTER: usize = 4;
/// A thread takes several values, so that not each cluster hands over 16384 counts for 1024 of them.
const VALUES_A_THREAD: usize = 8;
const MOST_CLUSTERS: usize = 256;

/// The values are as in the kernels' contract: from 0 to 16383.
pub fn counted(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    check::at_most(values.len(), 1 << 30)?;
    let expected = reference::counts(values, COUNTS);
    let v = values.as_dbuf()?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal(&counts(run, &v)?, &expected))
}

fn counts(run: &Run, v: &DeviceBuffer<i32>) -> anyhow::Result<Vec<u32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let clusters = v.len().div_ceil(BLOCK * CLUSTER * VALUES_A_THREAD).clamp(1, MOST_CLUSTERS);
    let (blocks, n) = ((clusters * CLUSTER) as u32, v.len() as u32);
    let out = DeviceBuffer::<u32>::zeroed(COUNTS)?;
    // SAFETY: `v` holds n ints below `COUNTS`, and `out` so many counts.
    unsafe {
        launch!(function<<<blocks, BLOCK as u32, 0, stream>>>(v.as_device_ptr(), n, out.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
