//! A message from one block to another: all `flag` and `flag_scope` kernels are launched alike.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// The order that a flag must bring along.
pub const FLAG: Row = Row::pair("flag", Slug::RaceGlobal)
    .ladder(&["flag_acquire"])
    .sizes(100_000, 500)
    .from_zero()
    .shows_from(1)
    .job(|run| squared_elsewhere(run, &ints(run)));

/// The scope of a fence and of an atomic.
pub const SCOPE: Row = Row::pair("flag_scope", Slug::RaceScope)
    .broken(&[("flag_scope_atomic", Expect::Finding(Slug::RaceScope))])
    .sizes(100_000, 500)
    .from_zero()
    .shows_from(1)
    .isolated()
    .job(|run| squared_elsewhere(run, &ints(run)));

fn ints(run: &Run) -> Vec<i32> {
    InputValues::seeded(5).ints(run.size(), -1000, 1000)
}

/// The reading block has the squares of what the other one wrote.
pub fn squared_elsewhere(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::squares(input);
    run.each(|| check::equal(&squares(run, input)?, &expected))
}

/// Threads of a block; any number would do.
const BLOCK: u32 = 64;

/// Returns the squares of `input` that the reading block got, by way of a buffer that the writing block fills.
fn squares(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = i32::try_from(input.len())?;
    let data = input.as_dbuf()?;
    let message = run.poisoned::<i32>(input.len())?;
    let received = run.poisoned::<i32>(input.len())?;
    let flag = DeviceBox::new(&0i32)?;
    let arrivals = DeviceBox::new(&0u32)?;
    // SAFETY: three buffers of n ints each, and two words that start at 0; two blocks, as the kernels want.
    unsafe {
        launch!(function<<<2, BLOCK, 0, stream>>>(
            data.as_device_ptr(), message.as_device_ptr(), flag.as_device_ptr(), arrivals.as_device_ptr(),
            received.as_device_ptr(), n
        ))?;
    }
    stream.synchronize()?;
    Ok(received.as_host_vec()?)
}
