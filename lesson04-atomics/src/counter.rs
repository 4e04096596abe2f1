//! Counters: a grid that counts its threads, and tickets by atomicInc().

use common::{Run, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// Every thread of the grid adds one to a counter that starts at 0.
pub fn count(run: &Run, blocks: u32, threads: u32) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let counter = DeviceBox::new(&0i32)?;
    // SAFETY: the kernel touches one int, and `counter` is one.
    unsafe {
        launch!(function<<<blocks, threads, 0, stream>>>(counter.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(counter.as_host_value()?)
}

/// atomicInc() in three kernels: what each thread got, and what the counter holds at the end.
pub mod inc {
    use super::*;
    use crate::grid;

    /// `atomic_inc_broken` and `_correct`: a ticket for each of n threads.
    pub fn tickets(run: &Run, n: u32) -> anyhow::Result<(Vec<u32>, u32)> {
        let function = run.function()?;
        let stream = Stream::new(StreamFlags::DEFAULT, None)?;
        let counter = DeviceBox::new(&0u32)?;
        let tickets = run.poisoned::<u32>(n as usize)?;
        // SAFETY: `tickets` has n elements, and the kernel's threads from n on do nothing.
        unsafe {
            launch!(function<<<grid::covering(n), grid::BLOCK, 0, stream>>>(
                counter.as_device_ptr(), tickets.as_device_ptr(), n
            ))?;
        }
        stream.synchronize()?;
        Ok((tickets.as_host_vec()?, counter.as_host_value()?))
    }

    /// `atomic_inc_ring`: one of `slots` slots for each of n threads, dealt in turn.
    pub fn ring(run: &Run, n: u32, slots: u32) -> anyhow::Result<(Vec<u32>, u32)> {
        let function = run.function()?;
        let stream = Stream::new(StreamFlags::DEFAULT, None)?;
        let next = DeviceBox::new(&0u32)?;
        let dealt = run.poisoned::<u32>(n as usize)?;
        // SAFETY: `dealt` has n elements, and the kernel's threads from n on do nothing.
        unsafe {
            launch!(function<<<grid::covering(n), grid::BLOCK, 0, stream>>>(
                next.as_device_ptr(), dealt.as_device_ptr(), slots, n
            ))?;
        }
        stream.synchronize()?;
        Ok((dealt.as_host_vec()?, next.as_host_value()?))
    }
}
