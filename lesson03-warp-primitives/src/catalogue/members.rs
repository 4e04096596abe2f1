//! Votes, matches and reductions under a mask: each block asks some lanes of one warp.

use crate::warps::by_warp;
use crate::{WARP, reference};
use common::check::{self, InputValues};
use common::{Row, Run, Slug, launch};
use cust::memory::DeviceCopy;
use cust::memory::bytemuck::Pod;
use cust::prelude::*;

/// Four votes; and a pair in which each lane asks whether any other wants.
pub const VOTE: Row = Row::pair("vote", Slug::MaskMismatch)
    .correct(VOTES)
    .fixed(WARP)
    .seeds(8)
    .isolated()
    // Nobody wants, one wants, two want.
    .job(|run| voted(run, &ballots(1), &spread(&[0, 0x80, 0x4000_0080])));

const VOTES: &[&str] = &["vote_all", "vote_any", "vote_uni", "vote_ballot"];

/// `ballots` are members and their predicates; `wants`, for the pair, a value for each lane of some warps.
pub fn voted(run: &Run, ballots: &[(u32, u32)], wants: &[u32]) -> anyhow::Result<()> {
    if VOTES.contains(&run.kernel().name.as_str()) {
        return run.each(|| vote(run, ballots));
    }
    let expected = reference::others_want(wants);
    run.each(|| check::equal(&by_warp(run, wants)?, &expected))
}

/// Masks and predicates, bit by bit. There are all combinations of four lanes; each lane alone, each lane the odd
/// one out. For every first part of the warp nobody, everybody or every second lane says yes; and some are by
/// chance.
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
    let mut values = InputValues::seeded(seed);
    cases.extend((0..64).map(|_| (1 + values.below(u64::from(u32::MAX)) as u32, values.next_u64() as u32)));
    cases
}

/// A lane's bit of each mask as an element.
fn spread(masks: &[u32]) -> Vec<u32> {
    masks.iter().flat_map(|mask| (0..WARP).map(move |lane| mask >> lane & 1)).collect()
}

/// One of [`VOTES`] in all of `cases`, against the count lane by lane.
fn vote(run: &Run, cases: &[(u32, u32)]) -> anyhow::Result<()> {
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
    let answer = |block: usize, _: usize| reference::vote(&run.kernel().name, members[block], predicates[block]);
    check::equal(&answers.as_host_vec()?, &lane_by_lane(&members, answer))
}

/// Groups of lanes, of 32 bits and of 64.
pub const MATCH: Row = Row::of("match")
    .correct(&["match_any", "match_any_64", "match_all", "match_all_64"])
    .fixed(WARP)
    .seeds(8)
    // From one kind of value to so many that hardly two lanes agree.
    .job(|run| matched(run, &[1, 2, 5, 64, 1000].map(|kinds| groups(kinds, 40, kinds))));

/// Masks, and the values of their lanes, against the comparison of every two lanes.
pub fn matched(run: &Run, groups: &[(Vec<u32>, Vec<u64>)]) -> anyhow::Result<()> {
    let is_64 = run.kernel().name.ends_with("_64");
    run.each(|| {
        groups.iter().try_for_each(|(members, held)| {
            if is_64 {
                return compared(run, members, held);
            }
            let low: Vec<u32> = held.iter().map(|&value| value as u32).collect();
            compared(run, members, &low)
        })
    })
}

fn compared<T: DeviceCopy + Pod + PartialEq>(run: &Run, members: &[u32], held: &[T]) -> anyhow::Result<()> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let blocks = members.len() as u32;
    let (asked, values) = (members.as_dbuf()?, held.as_dbuf()?);
    let same = unasked(members.len()).as_slice().as_dbuf()?;
    let alike = |block: usize, lane: usize| {
        let held = &held[WARP * block..WARP * (block + 1)];
        reference::lanes_with(members[block], |other| held[other] == held[lane])
    };
    if run.kernel().name.starts_with("match_any") {
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

/// Masks, and for each lane a value of `kinds` different ones.
pub fn groups(seed: u64, blocks: usize, kinds: u64) -> (Vec<u32>, Vec<u64>) {
    let mut values = InputValues::seeded(seed);
    let mut members: Vec<u32> = (0..blocks).map(|_| 1 + values.below(u64::from(u32::MAX)) as u32).collect();
    members[0] = !0;
    // Two halves each, so that a comparison of one half only would be found out.
    let value = |kind: u64| ((kind % 2) << 32) | (kind / 2);
    let held = (0..blocks * WARP).map(|_| value(values.below(kinds))).collect();
    (members, held)
}

/// Eight reductions, from compute capability 8.0 on.
pub const REDUX: Row = Row::of("redux").correct(REDUCTIONS).fixed(WARP).seeds(8).from_capability(8).job(|run| {
    let (members, _) = groups(7, 100, 2);
    reduced(run, &members, &held(8, members.len()))
});

const REDUCTIONS: &[&str] = &[
    "redux_add",
    "redux_min",
    "redux_min_signed",
    "redux_max",
    "redux_max_signed",
    "redux_and",
    "redux_or",
    "redux_xor",
];

/// Each member of a mask has the reduction of what its members hold.
pub fn reduced(run: &Run, members: &[u32], held: &[u32]) -> anyhow::Result<()> {
    run.each(|| reduce(run, members, held))
}

/// A value for each lane of so many warps.
pub fn held(seed: u64, blocks: usize) -> Vec<u32> {
    let mut values = InputValues::seeded(seed);
    (0..blocks * WARP).map(|_| values.next_u64() as u32).collect()
}

/// One of [`REDUCTIONS`], against the value of lane after lane.
fn reduce(run: &Run, members: &[u32], held: &[u32]) -> anyhow::Result<()> {
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
        reference::reduction(&run.kernel().name, values)
    };
    check::equal(&results.as_host_vec()?, &lane_by_lane(members, result))
}

/// Stands where a lane was not asked.
const NOT_ASKED: u32 = 0xdead_beef;

fn unasked(blocks: usize) -> Vec<u32> {
    vec![NOT_ASKED; WARP * blocks]
}

/// Returns the values that each lane of each block should hold: the answer where it is a member, and what was there
/// before elsewhere.
fn lane_by_lane(members: &[u32], answer: impl Fn(usize, usize) -> u32) -> Vec<u32> {
    let mut all = unasked(members.len());
    for (block, members) in members.iter().enumerate() {
        for lane in (0..WARP).filter(|lane| members >> lane & 1 == 1) {
            all[WARP * block + lane] = answer(block, lane);
        }
    }
    all
}
