//! atomicInc() in three kernels: what each thread got, and what the counter holds at the end.

use crate::grid;
use common::{Row, Run, Unit, check, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// A ticket for each thread, and a ring of ten slots.
pub const ATOMIC_INC: Row = Row::wrong_result_pair("atomic_inc")
    .of_unit(Unit::Threads)
    .ladder(&["atomic_inc_ring"])
    .sizes(100_000, 2000)
    .from_zero()
    .job(|run| dealt(run, grid::count(run.size())?, 10));

/// Tickets for n threads, or a ring of so many slots.
pub fn dealt(run: &Run, n: u32, slots: u32) -> anyhow::Result<()> {
    let is_ring = run.kernel().name == "atomic_inc_ring";
    run.each(|| if is_ring { dealt_in_turn(run, n, slots) } else { tickets_differ(run, n) })
}

/// Every ticket from 0 on once, and the counter beyond the last.
fn tickets_differ(run: &Run, n: u32) -> anyhow::Result<()> {
    let (mut tickets, count) = tickets(run, n)?;
    check::equal_value(count, n)?;
    tickets.sort_unstable();
    check::equal(&tickets, &(0..n).collect::<Vec<_>>())
}

/// Slot s is dealt to every thread whose turn is s, s + slots, s + 2 * slots and so on.
fn dealt_in_turn(run: &Run, n: u32, slots: u32) -> anyhow::Result<()> {
    let (mut dealt, next) = ring(run, n, slots)?;
    let mut expected: Vec<u32> = (0..n).map(|turn| turn % slots).collect();
    dealt.sort_unstable();
    expected.sort_unstable();
    check::equal(&dealt, &expected)?;
    check::equal_value(next, n % slots)
}

/// `atomic_inc_broken` and `_correct`: a ticket for each of n threads.
fn tickets(run: &Run, n: u32) -> anyhow::Result<(Vec<u32>, u32)> {
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
fn ring(run: &Run, n: u32, slots: u32) -> anyhow::Result<(Vec<u32>, u32)> {
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
