//! Why threads go round for ever, as far as the code tells: a lock that nobody gives back, a compare-and-swap that goes
//! on comparing with one value.

use super::code::loops::PollLoop;
use super::code::{Reading, is_arithmetic};
use super::remedies;
use finding::{Cause, Finding, LivelockReason, SourceLocation};
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::run::ending::{Fatal, LivelockClue, SetForOthers, Spot};

/// The findings that have ended a launch, with all that is known of them.
pub fn completed(fatal: Vec<Fatal>, reading: &Reading) -> Vec<Finding> {
    let completed = fatal.into_iter().map(|(mut finding, clue)| {
        clue.iter().for_each(|clue| complete(&mut finding, reading, clue));
        remedies::add(finding)
    });
    completed.collect()
}

fn complete(finding: &mut Finding, reading: &Reading, clue: &LivelockClue) {
    if let Cause::Livelock(livelock) = &mut finding.cause {
        let kept = || clue.set.iter().find_map(|set| kept_lock(reading, set));
        let loaded = || clue.spins.iter().find_map(|spin| loaded_once(reading, spin));
        livelock.reason =
            kept().or_else(loaded).or_else(|| clue.spins.iter().find_map(|spin| flag_loaded_once(reading, spin)));
    }
}

fn line(reading: &Reading, spot: &Spot) -> Option<SourceLocation> {
    reading.code.user_lines(spot.pc, &spot.calls).0
}

/// A lock is taken by all in one line, and when it is free; a word that goes from hand to hand may be set in several,
/// and each waits for another value.
fn kept_lock(reading: &Reading, set: &SetForOthers) -> Option<LivelockReason> {
    let taken = line(reading, &set.by)?;
    let is_tried = set.by.pc == set.look.pc || line(reading, &set.look).as_ref() == Some(&taken);
    let is_lock = is_tried && set.looks.iter().all(|look| tries_alike(reading, set.by.pc, *look));
    is_lock.then_some(LivelockReason::KeptLock { taken })
}

/// True if two tries of one word wait for the same: exchanges, or compare-and-swaps that compare with one value.
fn tries_alike(reading: &Reading, one: u32, other: u32) -> bool {
    let (Op::Atomic(a), Op::Atomic(b)) = (reading.op(one), reading.op(other)) else { return false };
    match (a.operation, b.operation) {
        (Operation::Exchange, Operation::Exchange) => true,
        (Operation::CompareExchange, Operation::CompareExchange) => {
            reading.is_one_value((one, a.src[0]), (other, b.src[0]))
        }
        _ => false,
    }
}

/// The load that gave a compare-and-swap its value to compare with, of the same place, if no round of its loop comes to
/// it again and none takes what the last one found.
fn loaded_once(reading: &Reading, spin: &Spot) -> Option<LivelockReason> {
    let Op::Atomic(it) = &reading.code.instrs.get(spin.pc as usize)?.op else { return None };
    if it.operation != Operation::CompareExchange {
        return None;
    }
    let made = reading.made_of(spin.pc, it.src[0])?;
    let is_of_place = |pc: &u32| match reading.op(*pc) {
        Op::Load(load) => (load.space, load.base, load.offset) == (it.space, it.base, it.offset),
        _ => false,
    };
    let load = made.writers().find(is_of_place)?;
    let is_alone = made.writers().all(|pc| pc == load || is_arithmetic(reading.op(pc)));
    if !is_alone || reading.is_way_inside(spin.pc, load) {
        return None;
    }
    let load = Spot { pc: load, calls: spin.calls.clone() };
    Some(LivelockReason::LoadedOnce { load: line(reading, &load)?, swap: line(reading, spin)? })
}

/// The plain load by which a thread came into a loop that loads nothing: compilers leave a loop so that waits for a
/// plain flag.
fn flag_loaded_once(reading: &Reading, spin: &Spot) -> Option<LivelockReason> {
    let came = |pc: &u32| {
        let once = matches!(reading.op(*pc), Op::Load(_)).then(|| reading.polled(*pc)).flatten();
        matches!(once, Some(PollLoop::Once(start)) if reading.is_way_inside(spin.pc, start))
    };
    reading
        .around(spin.pc)
        .any(|pc| came(&pc))
        .then(|| line(reading, spin))
        .flatten()
        .map(|at| LivelockReason::FlagLoadedOnce { at })
}
