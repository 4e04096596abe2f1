//! The sum of a vector: `vector_sum_broken`, `_correct`, `_warp` and `_block` are launched alike.

use crate::{grid, reference};
use common::check::{self, InputValues};
use common::{Counter, Metric, Peer, PeerCall, Row, Run, Slug, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// One sum: an atomic for each thread, for each warp, for each block.
pub const VECTOR_SUM: Row = Row::pair("vector_sum", Slug::RaceGlobal)
    .ladder(&["vector_sum_warp", "vector_sum_block"])
    .charts(&[Metric::Sum(Counter::AtomicOperations)])
    .sizes(1 << 17, 2048)
    .gpu(100_000_000)
    .peer(Peer::Sum)
    .from_zero()
    .job(|run| summed(run, &InputValues::seeded(4).ints(run.size(), -5, 14)));

/// Each kernel's sum is the exact one.
pub fn summed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sum(values)?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(sum(run, values)?, expected))
}

fn sum(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let vector = values.as_dbuf()?;
    let result = DeviceBox::new(&0i32)?;
    // SAFETY: `vector` has n ints, `result` one; blocks of 256 threads suit all four kernels.
    unsafe {
        launch!(function<<<grid::striding(n), grid::BLOCK, 0, stream>>>(
            vector.as_device_ptr(), n, result.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    let sum = result.as_host_value()?;
    let call = PeerCall { from: vector.as_device_ptr().as_raw(), to: result.as_device_ptr().as_raw(), kept: 0, n };
    // SAFETY: `vector` has n ints, `result` one.
    unsafe { run.beside(&stream, call, || check::equal_value(result.as_host_value()?, sum)) };
    Ok(sum)
}
