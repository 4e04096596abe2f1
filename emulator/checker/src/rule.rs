//! The definition of a data race.
//!
//! Two accesses are a *data race* (PTX ISA, "Memory Consistency Model", "Conflict and Data-races") if
//!
//! 1. they *conflict*: both touch the same byte, and at least one of them writes ([`conflict`]);
//! 2. neither *happens before* the other ([`Current::ordered`]), by what the ISA calls causality order;
//! 3. they are not *morally strong*: both strong (atomic, volatile, `.relaxed` or stronger), of the same bytes and
//!    size, and each in the scope of the other ([`are_morally_strong`]).
//!
//! # Algorithm
//!
//! Happens-before is kept by vector clocks, as in FastTrack (Flanagan and Freund, PLDI 2009) and in ThreadSanitizer:
//!
//! - a *thread* is a lane of a warp;
//! - the *epoch* of an access is [`RecordedAccess::thread`] and [`RecordedAccess::clock`]. The clock is its warp's, and
//!   advances at each barrier, fence and releasing access;
//! - the *vector clock* of a thread is a [`View`](crate::order::clock::View), which barriers, fences and acquiring
//!   accesses join with those of others;
//! - the *shadow memory* is [`Cells`](crate::fast::cells::Cells), with the last accesses of each word.
//!
//! Accesses are judged in the order in which they are emulated, so the later one cannot happen before the earlier one.
//! The earlier one happens before the later one if the vector clock of the later one's thread covers its epoch. For a
//! pair that nothing orders, it makes no difference which one this run made first.
//!
//! [`race`] compares one pair. Every race of two accesses by kernels comes from it; the host's copies and fills are
//! judged in `past::host`. Which earlier accesses an access is compared with is another question. [`history`] is the
//! plain answer: with all of them. [`fast`](crate::fast) drops an access once a newer one races with all that the old
//! one can still race with. Tests compare the two on random kernels (`lab/proofs/tests/brute_force/`) and on each pair
//! of programs (`lab/proofs/tests/files/alike.rs`).
//!
//! Both report a race for the same accesses. The rule reports each racing pair. [`fast`](crate::fast) may omit a pair
//! whose earlier access a newer one [covers], since it reports the pair of the newer one. So pairs may come in another
//! order, and a pair of lines may be shown with other threads.
//!
//! # Beyond the pair
//!
//! - A strong read that has observed a write orders the accesses after it behind that write ("observation order"). That
//!   is no property of a pair: [`history`] defines it, and `fast::observation` takes such pairs out.
//! - Two volatile accesses do not race, as the ISA has it. `gpu-check` finds what such a pair changes by comparing
//!   schedules.
//! - A race of a load that nvcc speculates counts once its value has an effect (`speculation`).
//! - `docs/memory-model.md` has the rest, with the direction in which each one errs.

pub mod history;

use crate::access::actor::{Actor, Current};
use crate::access::race::{Race, ReleaseSeen};
use crate::access::warp_access::WarpAccess;
use crate::order::release::{PendingRelease, Reach};
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use machine::exec::Op;
use machine::exec::memory::Scope;

/// A race checker of one memory region. There are two, the [plain](history::PlainChecker) one and the
/// [fast](crate::fast::checker::FastChecker) one, which must come to the same verdict.
pub trait RaceChecker {
    /// Judges and records the access that each lane is about to make. Calls `found` with each race, its element and the
    /// offset of its word.
    fn judge(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64));

    /// Judges a read of the word at offset `word` against the writes before it, without recording it. Calls `found`
    /// with every race.
    fn judge_read(&mut self, current: &Current, word: u64, new: RecordedAccess, found: &mut impl FnMut(Race));

    /// Records a read that is not judged now, for later launches.
    fn note_read(&mut self, word: u64, read: RecordedAccess);
}

/// Returns the race of an earlier access with `new`, if the two race. With hints wanted, a morally strong pair is
/// returned too, marked as allowed. If the earlier access stands for several lanes, the first lane that races counts.
#[inline(always)]
pub fn race(current: &Current, earlier: RecordedAccess, new: RecordedAccess) -> Option<Race> {
    if earlier.info.is_none() || !conflict(earlier.info, new.info) {
        return None;
    }
    earlier.parts().find_map(|earlier| race_of_one(current, earlier, new))
}

/// True if both touch a byte, and one of them writes. Both must be accesses of the same word.
#[inline(always)]
pub fn conflict(a: AccessInfo, b: AccessInfo) -> bool {
    a.bytes() & b.bytes() != 0 && (a.writes() || b.writes())
}

/// As `race`, for an access of one lane.
fn race_of_one(current: &Current, earlier: RecordedAccess, new: RecordedAccess) -> Option<Race> {
    if !conflict(earlier.info, new.info) || current.happens_after(earlier) {
        return None;
    }
    if let Some(launch) = earlier.launch() {
        let race = Race { launch: Some(launch), ..Race::of(earlier, new) };
        return (!are_morally_strong_across_launches(earlier.info, new.info)).then_some(race);
    }
    match (are_morally_strong(current, earlier, new), current.actor.wants_hints()) {
        (true, false) => None,
        (true, true) => Some(Race { is_allowed: true, ..Race::of(earlier, new) }),
        (false, _) => Some(explained(current, earlier, new)),
    }
}

/// True if both are strong, of the same bytes and size, and each is in the scope of the other.
fn are_morally_strong(current: &Current, earlier: RecordedAccess, new: RecordedAccess) -> bool {
    let reaches = reaches(current, earlier, new);
    are_of_one_place(earlier.info, new.info) && reaches.is_some_and(|(theirs, ours)| theirs.meets(ours))
}

/// True if both are of the same bytes and size.
fn are_of_one_place(a: AccessInfo, b: AccessInfo) -> bool {
    a.size() == b.size() && a.bytes() == b.bytes()
}

/// The scopes of two strong accesses, each around its block.
fn reaches(current: &Current, earlier: RecordedAccess, new: RecordedAccess) -> Option<(Reach, Reach)> {
    let reach = |touched: RecordedAccess| {
        let block = current.actor.block_of(touched.warp());
        Some(Reach::in_launch(current.actor.launch(), touched.info.scope()?, block, touched.info.site()))
    };
    reach(earlier).zip(reach(new))
}

/// As `are_morally_strong`, where the earlier access is of another launch, of which no thread is known. Only scopes of
/// the device or wider reach there.
fn are_morally_strong_across_launches(earlier: AccessInfo, new: AccessInfo) -> bool {
    let is_wide = |info: AccessInfo| info.scope() >= Some(Scope::Device);
    is_wide(earlier) && is_wide(new) && earlier.size() == new.size()
}

/// Returns a race with what is missing between its accesses: a wider scope, or a fence after a look at a flag.
fn explained(current: &Current, earlier: RecordedAccess, new: RecordedAccess) -> Race {
    let (warp, lane, clock) = (earlier.warp(), earlier.lane(), earlier.clock);
    let (block, within) = current.place(warp);
    let strong = reaches(current, earlier, new).filter(|_| are_of_one_place(earlier.info, new.info));
    let narrow = match strong {
        Some((theirs, ours)) => Some(ours.denies(theirs)),
        None => current.view().denied_by(block, within, lane as usize, clock),
    };
    // The releases that its thread has observed and not acquired.
    let patterns = &current.actor.order().patterns()[current.lane as usize];
    let knows =
        |pending: &&PendingRelease| pending.narrow.is_none() && current.knows(&pending.released.1, warp, lane, clock);
    let observed_before_barrier = || {
        let mut views = patterns.told.observed.iter().map(|(_, view)| view);
        views.any(|view| current.knows(view, warp, lane, clock)).then_some(ReleaseSeen::BeforeBarrier)
    };
    let seen = || {
        let pending = patterns.pending.iter().find(knows);
        pending.map(|pending| ReleaseSeen::At(pending.seen)).or_else(observed_before_barrier)
    };
    Race { narrow, unfenced: if narrow.is_none() { seen() } else { None }, ..Race::of(earlier, new) }
}

impl Current<'_> {
    /// True if an earlier access happens before the current one; if it stands for several lanes, those of all.
    #[inline(always)]
    pub fn ordered(&self, earlier: RecordedAccess) -> bool {
        if earlier.info.is_spread() {
            return earlier.parts().all(|part| self.happens_after(part));
        }
        self.happens_after(earlier)
    }

    /// As `ordered`, for an access of one lane. It is of the same thread, or its epoch is in the thread's vector clock.
    /// An asynchronous copy also happens before if the thread has waited for it.
    #[inline(always)]
    fn happens_after(&self, earlier: RecordedAccess) -> bool {
        if let Some(launch) = earlier.launch() {
            return self.actor.is_after(launch, self.lane);
        }
        earlier.thread == self.actor.warp() * 32 + self.lane && !self.actor.is_by_proxy()
            || self.knows(self.view(), earlier.warp(), earlier.lane(), earlier.clock)
            || self.actor.order().copied().is_some_and(|copied| self.has_waited(copied, earlier))
    }

    /// True if each access that is morally strong with `new` is morally strong with `old`, too, where both have one
    /// scope. The caller must also check [`Current::is_far`], for narrow accesses by the block of `new` where
    /// `old` is another block's.
    pub fn reaches_as_far(&self, old: RecordedAccess, new: RecordedAccess) -> bool {
        new.info.scope().is_none() || new.info.is_wide() || self.is_in_its_block(old.warp())
    }
}

/// True if `new` touches all bytes of `old` and is weak or equally strong. If it also conflicts with as much, reaches
/// as far and happens after `old`, then `old` can be dropped.
#[inline(always)]
pub fn covers(new: AccessInfo, old: AccessInfo) -> bool {
    let as_strong = || new.scope() == old.scope() && new.kind() == old.kind() && new.size() == old.size();
    old.bytes() & !new.bytes() == 0 && (new.scope().is_none() || as_strong())
}

impl Actor<'_> {
    /// True if `by` is strong and observes the value of `write`, or of a similar write that hands it on: of the same
    /// bytes and size, and each in the scope of the other.
    pub fn reads_from(&self, write: RecordedAccess, by: RecordedAccess) -> bool {
        let block = |touched: RecordedAccess| self.block_of(touched.warp());
        let reach = |touched: RecordedAccess, scope| Reach::in_launch(self.launch(), scope, block(touched), 0);
        let scopes = by.info.scope().zip(write.info.scope());
        by.info.is_like_strong(write.info) && scopes.is_some_and(|(a, b)| reach(by, a).meets(reach(write, b)))
    }

    pub fn is_update(&self, touched: RecordedAccess) -> bool {
        !touched.info.is_older() && matches!(self.op(touched.info.site()), Op::Atomic(_))
    }

    /// True if `by`, the access right after `write`, has observed it: it is a read, or an update that hands it on.
    pub fn links(&self, write: RecordedAccess, by: RecordedAccess) -> bool {
        self.reads_from(write, by) && (by.info.kind() == RecordedKind::Read || self.is_update(by))
    }
}
