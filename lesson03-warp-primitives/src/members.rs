//! Votes, matches and reductions under a mask: each block asks some lanes of one warp.

use crate::{WARP, reference};
use common::check::{self, Values};
use common::{Run, launch};
use cust::memory::bytemuck::Pod;
use cust::memory::{DeviceBox, DeviceCopy};
use cust::prelude::*;

pub const VOTES: &[&str] = &["vote_all", "vote_any", "vote_uni", "vote_ballot"];
pub const MATCHES: &[&str] = &["match_any", "match_any_64", "match_all", "match_all_64"];
/// They need compute capability 8.0.
pub const REDUCTIONS: &[&str] = &[
    "redux_add",
    "redux_min",
    "redux_min_signed",
    "redux_max",
    "redux_max_signed",
    "redux_and",
    "redux_or",
    "redux_xor",
];

/// Stands where a lane was not asked.
pub const NOT_ASKED: u32 = 0xdead_beef;

/// Masks and predicates, bit by bit: all combinations of four lanes; each lane alone, each lane the odd one out;
/// every first part of the warp, where nobody, everybody, every second lane says yes; and some by chance.
pub fn ballots(seed: u64) -> Vec<(u32, u32)> {
    let mut cases = Vec::new();
    for shift in [0, 14, 28] {
        cases.extend((1..16u32).flat_map(|members| (0..16u32).map(move |yes| (members << shift, yes << shift))));
    }
    for lane in 0..32 {
        cases.extend([(1 << lane, 1 << lane), (1 << lane, 0), (!0, 1 << lane), (!0, !(1 << lane))]);
        let first = u32::MAX >> (31 - lane);
        cases.extend([(first, 0), (first, first), (first, !0), (first, 0x5555_5555)]);
    }
    let mut values = Values::seeded(seed);
    cases.extend((0..64).map(|_| (1 + values.below(u64::from(u32::MAX)) as u32, values.next_u64() as u32)));
    cases
}

/// A lane's bit of each mask as an element.
pub fn spread(masks: &[u32]) -> Vec<u32> {
    masks.iter().flat_map(|mask| (0..WARP).map(move |lane| mask >> lane & 1)).collect()
}

/// One of [`VOTES`] in all of `cases`, against the count lane by lane.
pub fn vote(run: &Run, kernel: &str, cases: &[(u32, u32)]) -> anyhow::Result<()> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (members, predicates): (Vec<u32>, Vec<u32>) = cases.iter().copied().unzip();
    let (asked, yes) = (members.as_slice().as_dbuf()?, predicates.as_slice().as_dbuf()?);
    let answers = unasked(cases.len()).as_slice().as_dbuf()?;
    // SAFETY: `asked` and `yes` hold an element for each block, `answers` one for each thread.
    unsafe {
        launch!(function<<<cases.len() as u32, WARP as u32, 0, stream>>>(
            asked.as_device_ptr(), yes.as_device_ptr(), answers.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    let answer = |block: usize, _: usize| reference::vote(kernel, members[block], predicates[block]);
    check::equal(&answers.as_host_vec()?, &lane_by_lane(&members, answer))
}

/// `vote_broken` and `_correct`: does any other lane want?
pub fn others_want(run: &Run, wants: &[u32]) -> anyhow::Result<Vec<u32>> {
    crate::warps::by_warp(run, wants)
}

/// 1 for about one element in `kinds`, and 0 for the rest.
pub fn one_in(kinds: i32, seed: u64, n: usize) -> Vec<u32> {
    Values::seeded(seed).ints(n, 0, kinds - 1).iter().map(|&x| u32::from(x == 0)).collect()
}

/// Threads of a block of `pre_volta_correct`.
const TICKET_THREADS: u32 = 256;

/// `pre_volta_correct`: a ticket for each element that wants one ([`NOT_ASKED`] elsewhere), and how many there are.
pub fn tickets(run: &Run, want: &[u32]) -> anyhow::Result<(Vec<u32>, u32)> {
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

/// Whether those who want, and nobody else, have the tickets from 0 on, each once.
pub fn each_has_a_ticket(want: &[u32], tickets: &[u32], count: u32) -> anyhow::Result<()> {
    let (with, without): (Vec<_>, Vec<_>) = want.iter().zip(tickets).partition(|&(&want, _)| want != 0);
    check::equal_value(count as usize, with.len())?;
    check::multiset(&with.iter().map(|&(_, &ticket)| ticket).collect::<Vec<_>>(), &(0..count).collect::<Vec<_>>())?;
    check::equal_value(without.iter().filter(|&&(_, &ticket)| ticket != NOT_ASKED).count(), 0)
}

/// Masks, and for each lane a value of `kinds` different ones.
pub fn groups(seed: u64, blocks: usize, kinds: u64) -> (Vec<u32>, Vec<u64>) {
    let mut values = Values::seeded(seed);
    let mut members: Vec<u32> = (0..blocks).map(|_| 1 + values.below(u64::from(u32::MAX)) as u32).collect();
    members[0] = !0;
    // Two halves each, so that a comparison of one half only would be found out.
    let value = |kind: u64| ((kind % 2) << 32) | (kind / 2);
    let held = (0..blocks * WARP).map(|_| value(values.below(kinds))).collect();
    (members, held)
}

/// One of [`MATCHES`], against the comparison of every two lanes.
pub fn matches(run: &Run, kernel: &str, members: &[u32], held: &[u64]) -> anyhow::Result<()> {
    if kernel.ends_with("_64") {
        matched(run, kernel, members, held)
    } else {
        let low: Vec<u32> = held.iter().map(|&value| value as u32).collect();
        matched(run, kernel, members, &low)
    }
}

fn matched<T: DeviceCopy + Pod + PartialEq>(
    run: &Run,
    kernel: &str,
    members: &[u32],
    held: &[T],
) -> anyhow::Result<()> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let blocks = members.len() as u32;
    let (asked, values) = (members.as_dbuf()?, held.as_dbuf()?);
    let same = unasked(members.len()).as_slice().as_dbuf()?;
    let alike = |block: usize, lane: usize| {
        let held = &held[WARP * block..WARP * (block + 1)];
        reference::lanes_with(members[block], |other| held[other] == held[lane])
    };
    if kernel.starts_with("match_any") {
        // SAFETY: `asked` holds an element for each block, `values` and `same` one for each thread.
        unsafe {
            launch!(function<<<blocks, WARP as u32, 0, stream>>>(
                asked.as_device_ptr(), values.as_device_ptr(), same.as_device_ptr()
            ))?;
        }
        stream.synchronize()?;
        return check::equal(&same.as_host_vec()?, &lane_by_lane(members, alike));
    }
    let agree = unasked(members.len()).as_slice().as_dbuf()?;
    // SAFETY: as above, and `agree` holds an element for each thread.
    unsafe {
        launch!(function<<<blocks, WARP as u32, 0, stream>>>(
            asked.as_device_ptr(), values.as_device_ptr(), same.as_device_ptr(), agree.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    let all = |block: usize, lane: usize| if alike(block, lane) == members[block] { members[block] } else { 0 };
    check::equal(&same.as_host_vec()?, &lane_by_lane(members, all))?;
    check::equal(&agree.as_host_vec()?, &lane_by_lane(members, |block, lane| u32::from(all(block, lane) != 0)))
}

/// A value for each lane of so many warps.
pub fn held(seed: u64, blocks: usize) -> Vec<u32> {
    let mut values = Values::seeded(seed);
    (0..blocks * WARP).map(|_| values.next_u64() as u32).collect()
}

/// One of [`REDUCTIONS`], against the value of lane after lane.
pub fn reduce(run: &Run, kernel: &str, members: &[u32], held: &[u32]) -> anyhow::Result<()> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (asked, values) = (members.as_dbuf()?, held.as_dbuf()?);
    let results = unasked(members.len()).as_slice().as_dbuf()?;
    // SAFETY: `asked` holds an element for each block, `values` and `results` one for each thread.
    unsafe {
        launch!(function<<<members.len() as u32, WARP as u32, 0, stream>>>(
            asked.as_device_ptr(), values.as_device_ptr(), results.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    let result = |block: usize, _: usize| {
        let values = (0..WARP).filter(|lane| members[block] >> lane & 1 == 1).map(|lane| held[WARP * block + lane]);
        reference::reduction(kernel, values)
    };
    check::equal(&results.as_host_vec()?, &lane_by_lane(members, result))
}

fn unasked(blocks: usize) -> Vec<u32> {
    vec![NOT_ASKED; WARP * blocks]
}

/// What each lane of each block should hold: the answer where it is a member, and what was there before elsewhere.
fn lane_by_lane(members: &[u32], answer: impl Fn(usize, usize) -> u32) -> Vec<u32> {
    let mut all = unasked(members.len());
    for (block, members) in members.iter().enumerate() {
        for lane in (0..WARP).filter(|lane| members >> lane & 1 == 1) {
            all[WARP * block + lane] = answer(block, lane);
        }
    }
    all
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
