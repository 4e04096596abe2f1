//! Critical sections: a sum behind a lock, and accounts that have a lock each.

use crate::{grid, reference};
use common::check::{self, InputValues};
use common::{Row, Run, Slug, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// A lock by compare-and-swap: what it must order, and what it costs.
pub const LOCK: Row = Row::pair("lock", Slug::RaceGlobal)
    .ladder(&["lock_acquire", "lock_warp", "lock_atomic"])
    .sizes(100, 100)
    .gpu(20_000)
    .from_zero()
    .job(|run| summed(run, &few(run)));

/// The lock again, where the scope of its fences is at stake.
pub const SCOPE: Row =
    Row::pair("lock_scope", Slug::RaceScope).sizes(72, 72).from_zero().shows_from(65).job(|run| summed(run, &few(run)));

/// A barrier of a warp inside the critical section.
pub const SYNCWARP: Row =
    Row::pair("lock_syncwarp", Slug::Livelock).fixed(48).isolated().job(|run| summed(run, &few(run)));

/// Returns the values that are added up behind a lock.
fn few(run: &Run) -> Vec<i32> {
    InputValues::seeded(7).ints(run.size(), -5, 14)
}

/// `lock`, `lock_scope` and `lock_syncwarp`: one thread after the other adds its value.
pub fn summed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sum(values)?;
    run.each(|| check::equal_value(sum(run, values)?, expected))
}

/// Threads of a block: few, so that few elements make several blocks. Each waits for its turn.
const BLOCK: u32 = 64;

/// All `lock`, `lock_scope` and `lock_syncwarp` kernels are launched alike.
fn sum(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(values.len())?;
    let vector = values.as_dbuf()?;
    let sum = DeviceBox::new(&0i32)?;
    let lock = DeviceBox::new(&0i32)?;
    // SAFETY: `vector` has n ints, `sum` and `lock` one; threads from n on touch none of them.
    unsafe {
        launch!(function<<<n.div_ceil(BLOCK).max(1), BLOCK, 0, stream>>>(
            vector.as_device_ptr(), n, sum.as_device_ptr(), lock.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok(sum.as_host_value()?)
}

/// Two locks for each transfer, and the order in which they are taken.
pub const ORDER: Row = Row::pair("lock_order", Slug::Livelock)
    .fixed(48)
    .isolated()
    .job(|run| transferred(run, &InputValues::seeded(8).ints(run.size(), 1, 100), 2));

/// `lock_order`: transfers round a ring of accounts.
pub fn transferred(run: &Run, transfers: &[i32], accounts: u32) -> anyhow::Result<()> {
    let expected = reference::balances(transfers, accounts as usize);
    run.each(|| check::equal(&balances(run, transfers, accounts)?, &expected))
}

/// The `lock_order` kernels: what a ring of accounts holds after all transfers. They start with nothing.
fn balances(run: &Run, transfers: &[i32], accounts: u32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = grid::count(transfers.len())?;
    let transfers = transfers.as_dbuf()?;
    let balance = DeviceBuffer::<i32>::zeroed(accounts as usize)?;
    let locks = DeviceBuffer::<i32>::zeroed(accounts as usize)?;
    // SAFETY: `transfers` has n ints, `balance` and `locks` one for each account; threads from n on touch none of them.
    unsafe {
        launch!(function<<<n.div_ceil(BLOCK).max(1), BLOCK, 0, stream>>>(
            transfers.as_device_ptr(), n, balance.as_device_ptr(), locks.as_device_ptr(), accounts
        ))?;
    }
    stream.synchronize()?;
    Ok(balance.as_host_vec()?)
}
