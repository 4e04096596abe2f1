//! Critical sections: a sum behind a lock, and accounts that have a lock each.

use crate::grid;
use common::{Run, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// Threads of a block: few, so that few elements make several blocks. Each waits for its turn.
const BLOCK: u32 = 64;

/// All `lock`, `lock_scope` and `lock_syncwarp` kernels are launched alike.
pub fn sum(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
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

/// The `lock_order` kernels: what a ring of accounts holds after all transfers. They start with nothing.
pub fn balances(run: &Run, transfers: &[i32], accounts: u32) -> anyhow::Result<Vec<i32>> {
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
