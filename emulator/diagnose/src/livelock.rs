//! Why threads go round for ever, as far as the code tells: a lock that nobody gives back, a compare-and-swap that goes on
//! comparing with one value.

use super::makers::loaded_once;
use super::remedies;
use super::uses::tries_alike;
use finding::{Cause, Finding, LivelockReason, SourceLocation};
use machine::code::Code;
use machine::run::ending::{Fatal, LivelockClue, SetForOthers, Spot};

/// The findings that have ended a launch, with all that is known of them.
pub fn completed(fatal: Vec<Fatal>, code: &Code) -> Vec<Finding> {
    let completed = fatal.into_iter().map(|(mut finding, clue)| {
        clue.iter().for_each(|clue| complete(&mut finding, code, clue));
        remedies::add(finding)
    });
    completed.collect()
}

fn complete(finding: &mut Finding, code: &Code, clue: &LivelockClue) {
    if let Cause::Livelock(livelock) = &mut finding.cause {
        let kept = || clue.set.iter().find_map(|set| kept_lock(code, set));
        livelock.reason = kept().or_else(|| clue.spins.iter().find_map(|spin| not_reloaded(code, spin)));
    }
}

fn line(code: &Code, spot: &Spot) -> Option<SourceLocation> {
    code.user_lines(spot.pc, &spot.calls).0
}

/// A lock is taken by all in one line, and when it is free; a word that goes from hand to hand may be set in several, and each
/// waits for another value.
fn kept_lock(code: &Code, set: &SetForOthers) -> Option<LivelockReason> {
    let taken = line(code, &set.by)?;
    let is_tried = set.by.pc == set.look.pc || line(code, &set.look).as_ref() == Some(&taken);
    let is_lock = is_tried && set.looks.iter().all(|look| tries_alike(code, set.by.pc, *look));
    is_lock.then_some(LivelockReason::KeptLock { taken })
}

/// A compare-and-swap in a loop, and the load before the loop that it compares with.
fn not_reloaded(code: &Code, spin: &Spot) -> Option<LivelockReason> {
    let load = Spot { pc: loaded_once(code, spin.pc)?, calls: spin.calls.clone() };
    Some(LivelockReason::LoadedOnce { load: line(code, &load)?, swap: line(code, spin)? })
}
