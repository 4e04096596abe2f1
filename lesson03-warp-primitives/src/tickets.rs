//! Tickets for the lanes that want one: what the masks replaced.

use common::check::{self, InputValues};
use common::{Row, Run, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// A vote under a mask, and its form without one, which nvcc refuses.
pub const PRE_VOLTA: Row = Row::of("pre_volta")
    .compile_fail(crate::REFUSED)
    .correct(&["pre_volta_correct"])
    .sizes(100_000, 1000)
    .from_zero()
    .job(|run| ticketed(run, &one_in(3, 9, run.size())));

/// A ticket for each element that is not 0.
pub fn ticketed(run: &Run, want: &[u32]) -> anyhow::Result<()> {
    run.each(|| {
        let (tickets, count) = tickets(run, want)?;
        each_has_a_ticket(want, &tickets, count)
    })
}

/// 1 for about one element in `kinds`, and 0 for the rest.
pub fn one_in(kinds: i32, seed: u64, n: usize) -> Vec<u32> {
    InputValues::seeded(seed).ints(n, 0, kinds - 1).iter().map(|&x| u32::from(x == 0)).collect()
}

/// Stands where an element wants no ticket.
const NOT_ASKED: u32 = 0xdead_beef;

/// Threads of a block of `pre_volta_correct`.
const TICKET_THREADS: u32 = 256;

/// `pre_volta_correct`: a ticket for each element that wants one ([`NOT_ASKED`] elsewhere), and how many there are.
fn tickets(run: &Run, want: &[u32]) -> anyhow::Result<(Vec<u32>, u32)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    check::at_most(want.len(), 1 << 31)?;
    let n = want.len() as u32;
    let wanted = want.as_dbuf()?;
    let count = DeviceBox::new(&0u32)?;
    let tickets = vec![NOT_ASKED; want.len()].as_slice().as_dbuf()?;
    // SAFETY: `wanted` and `tickets` have n elements, and the kernel's threads from n on touch neither.
    unsafe {
        launch!(function<<<n.div_ceil(TICKET_THREADS).max(1), TICKET_THREADS, 0, stream>>>(
            wanted.as_device_ptr(), n, count.as_device_ptr(), tickets.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok((tickets.as_host_vec()?, count.as_host_value()?))
}

/// True if those who want, and nobody else, have the tickets from 0 on, each once.
fn each_has_a_ticket(want: &[u32], tickets: &[u32], count: u32) -> anyhow::Result<()> {
    let (with, without): (Vec<_>, Vec<_>) = want.iter().zip(tickets).partition(|&(&want, _)| want != 0);
    check::equal_value(count as usize, with.len())?;
    check::multiset(&with.iter().map(|&(_, &ticket)| ticket).collect::<Vec<_>>(), &(0..count).collect::<Vec<_>>())?;
    check::equal_value(without.iter().filter(|&&(_, &ticket)| ticket != NOT_ASKED).count(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_given_twice_or_to_the_wrong_one_is_found() {
        let want = [1, 0, 1];
        assert!(each_has_a_ticket(&want, &[1, NOT_ASKED, 0], 2).is_ok());
        for (tickets, count) in [([0, NOT_ASKED, 0], 2), ([0, 1, 1], 2), ([0, NOT_ASKED, 1], 3), ([0, NOT_ASKED, 2], 2)]
        {
            assert!(each_has_a_ticket(&want, &tickets, count).is_err(), "{tickets:?} {count}");
        }
    }
}
