//! Quicksort, a grid for each part.

use crate::reference;
use common::check::{self, InputValues};
use common::{Row, Run, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// As the data wants: how deep it goes depends on the values.
pub const QUICKSORT: Row = Row::of("quicksort")
    .correct(&["quicksort_correct"])
    .sizes(5_000, 300)
    .seeds(16)
    .job(|run| sorted(run, &InputValues::seeded(7).ints(run.size(), -100_000, 100_000)));

/// The list is as the CPU sorts it.
pub fn sorted(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sorted(input);
    run.each(|| check::equal(&sort(run, input)?, &expected))
}

fn sort(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let data = input.as_dbuf()?;
    let error = DeviceBox::new(&0i32)?;
    let n = i32::try_from(input.len())?;
    // SAFETY: `data` has n ints, `error` is one; one block of one thread, as the kernel wants.
    unsafe {
        launch!(function<<<1, 1, 0, stream>>>(data.as_device_ptr(), 0i32, n, 0i32, error.as_device_ptr()))?;
    }
    stream.synchronize()?;
    check::launched(error.as_host_value()?)?;
    Ok(data.as_host_vec()?)
}
