//! Words that compare-and-swaps and exchanges try to change: the thread that set each last, and the threads that hold
//! it as a lock.
//!
//! A try that fails, or that writes the value that was there, sets nothing. Yet it counts as an update where races are
//! judged, so the last recorded update of a lock is usually the try of some thread. Used for reports only: of threads
//! that wait without end, and of races between threads that hold different locks.
//!
//! A word is a lock if the thread that has changed it by a try later writes the value back that it found: 0, 1, 0.
//! Other words are compared and swapped too, such as the parents of a union-find or the head of a list, and protect
//! nothing. A semaphore may look like a lock here; the code tells it apart (`diagnose`). Words beyond the number that
//! is kept are not reported.

use crate::evidence::lack::{HeldLock, MissingOrder};
use crate::order::copies::whereabouts;
use crate::order::release::{Location, Thread};
use crate::sites::Sites;
use crate::sites::touched::{Clock, RecordedAccess};
use machine::code::KernelCode;
use machine::exec::Op;
use machine::exec::atomic::{Atomic, Operation, apply};
use machine::exec::memory::StoreOp;
use machine::lanes::at_one;
use machine::memory::space::Space;
use machine::registers::{Mask, Registers, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::{At, LastWrite, Touch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// The greatest number of words that are kept.
const MOST: usize = 4096;

/// The greatest number of locks that are kept for a thread.
const HELD: usize = 8;

#[derive(Default)]
pub struct Lockset {
    /// The last writer of each word of 4 bytes.
    words: FxHashMap<Location, WordSetter>,
    /// True if words were left out: words that are not kept may be set or not.
    is_full: bool,
    /// The words that each thread has taken and given back, the latest last.
    given_back: FxHashMap<Thread, Vec<LockHold>>,
    /// The number of holds so far.
    holds: u64,
    /// The words that have been given back by the thread that took them. Below, the instructions that took them.
    locks: FxHashSet<Location>,
    takers: FxHashSet<u32>,
}

/// The thread that has set a word, and the site.
struct WordSetter {
    thread: Thread,
    site: u32,
    /// Set if the thread has set it by a try, and no other write followed.
    taken: Option<Taken>,
}

#[derive(Clone, Copy)]
struct Taken {
    site: u32,
    step: ThreadProgress,
    /// The value that the word had before, which is that of a free lock.
    free: u64,
    /// The number of this hold among all.
    number: u64,
}

/// The period from a try that has changed a word to the next write of its thread there.
#[derive(Clone, Copy)]
struct LockHold {
    place: Location,
    taken: Taken,
    released: Option<Release>,
}

/// The write that releases a lock.
#[derive(Clone, Copy)]
struct Release {
    step: ThreadProgress,
    site: u32,
}

/// The progress of a thread: its warp's clock, and an instruction.
#[derive(Clone, Copy)]
pub struct ThreadProgress {
    pub clock: Clock,
    pub pc: u32,
}

impl ThreadProgress {
    fn is_before(self, other: ThreadProgress) -> bool {
        (self.clock, self.pc) < (other.clock, other.pc)
    }
}

/// A write that may take or release a lock.
struct LockWrite {
    site: u32,
    step: ThreadProgress,
    /// True for a compare-and-swap or an exchange whose result is used.
    takes: bool,
    /// True if it may add a word to those that are kept.
    tries: bool,
}

/// The values that a lane's write finds and leaves, by lane. Only for lanes that change the word.
pub type LaneChanges = [Option<(u64, u64)>; WARP];

/// The last writer of a word whose last recorded access is a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Thread(Thread, u32),
    /// No thread of the launch has set it.
    Nobody,
    Unknown,
}

impl Lockset {
    /// Records that lanes of `mask` may set words that are locks.
    #[inline(always)]
    pub fn note(
        &mut self,
        touch: &Touch,
        mask: Mask,
        clock: Clock,
        site: impl FnOnce() -> u32,
        changes: impl FnOnce() -> LaneChanges,
    ) {
        let At { launch, pc, .. } = touch.at;
        let tries = tries(launch.code, pc);
        if tries || !self.words.is_empty() {
            let looks = matches!(&launch.code.instrs[pc as usize].op, Op::Atomic(it) if it.looked_at);
            let write = LockWrite { site: site(), step: ThreadProgress { clock, pc }, tries, takes: tries && looks };
            self.wrote(touch, mask, &write, &changes());
        }
    }

    /// Returns the last writer of a word whose last recorded write is `write`: the access that has set it, if it is
    /// known.
    pub fn last_write(
        &self,
        launch: &Launch,
        sites: &Sites,
        write: RecordedAccess,
        space: Space,
        address: u64,
    ) -> Option<LastWrite> {
        let tag = (space == Space::Shared).then_some(whereabouts(launch, write.thread).0);
        let code = launch.code;
        let holder = match tries(code, sites.pc(write.info.site())) {
            true => self.of((tag, address)),
            false => Holder::Unknown,
        };
        let (site, (block, thread)) = match holder {
            Holder::Thread((block, warp, lane), site) => (site, (block, 32 * warp + lane)),
            Holder::Nobody => return None,
            Holder::Unknown => (write.info.site(), whereabouts(launch, write.thread)),
        };
        let pc = sites.pc(site);
        let is_update = matches!(code.instrs[pc as usize].op, Op::Atomic(_));
        let has_set = !is_update || matches!(holder, Holder::Thread(..));
        Some(LastWrite { block, thread, pc, calls: sites.calls(site), has_set })
    }

    /// Records writes of the lanes of `mask`.
    fn wrote(&mut self, touch: &Touch, mask: Mask, write: &LockWrite, changes: &LaneChanges) {
        let (block, warp) = (touch.at.block, touch.at.warp);
        let tag = (touch.space == Space::Shared).then_some(block);
        for lane in lanes(mask) {
            let Some(change) = changes[lane] else { continue };
            let first = touch.addresses[lane] & !3;
            let end = touch.addresses[lane] + u64::from(touch.bytes * touch.elements);
            for word in (first..end).step_by(4) {
                self.wrote_word((tag, word), (block, warp, lane as u32), write, (word == first).then_some(change));
            }
        }
    }

    /// Records a write of one word. A hold is kept for the first word that a lane has taken, for which `change` has the
    /// values.
    fn wrote_word(&mut self, place: Location, thread: Thread, write: &LockWrite, change: Option<(u64, u64)>) {
        let LockWrite { site, step, tries, takes } = *write;
        let has_room = self.words.len() < MOST;
        let entry = match self.words.entry(place) {
            Entry::Vacant(_) if !(tries && has_room) => {
                self.is_full |= tries;
                return;
            }
            entry => entry,
        };
        let word = entry.or_insert(WordSetter { thread, site, taken: None });
        let before = std::mem::replace(word, WordSetter { thread, site, taken: None });
        let Some((found, left)) = change else {
            word.taken = before.taken.filter(|_| before.thread == thread);
            return;
        };
        match before.taken {
            Some(taken) if before.thread == thread && left == taken.free => {
                self.gives_back(thread, LockHold { place, taken, released: Some(Release { step, site }) });
            }
            // If another thread writes, or this one writes another value, the word was no lock.
            _ if takes => {
                self.holds += 1;
                word.taken = Some(Taken { site, step, free: found, number: self.holds });
            }
            _ => {}
        }
    }

    fn gives_back(&mut self, thread: Thread, hold: LockHold) {
        if self.locks.len() < MOST {
            self.locks.insert(hold.place);
            self.takers.insert(hold.taken.step.pc);
        }
        if self.given_back.len() < MOST || self.given_back.contains_key(&thread) {
            let held = self.given_back.entry(thread).or_default();
            if held.len() == HELD {
                held.remove(0);
            }
            held.push(hold);
        }
    }

    /// Returns all that a thread has taken, the latest last. Usually a lock is one of few words.
    fn taken_by(&self, thread: Thread) -> Vec<LockHold> {
        let given_back = self.given_back.get(&thread).into_iter().flatten().copied();
        let open = self.words.iter().filter(|(_, word)| word.thread == thread);
        let open = open.filter_map(|(&place, word)| word.taken.map(|taken| LockHold { place, taken, released: None }));
        let mut all: Vec<LockHold> = given_back.chain(open).collect();
        all.sort_by_key(|hold| hold.taken.number);
        all
    }

    /// Returns the words that a thread holds at a step; `None` if this is not known.
    fn held_at(&self, thread: Thread, step: ThreadProgress) -> Option<Vec<LockHold>> {
        let mut held = self.taken_by(thread);
        if self.is_full || held.len() >= HELD || held.is_empty() && self.given_back.len() >= MOST {
            return None;
        }
        // Without a fence between them all steps have one clock, and a loop may have run again.
        let is_ambiguous = |hold: &LockHold| {
            let taken = hold.taken.step.clock;
            hold.released.is_some_and(|end| end.step.clock == taken && taken == step.clock)
        };
        if held.iter().any(is_ambiguous) {
            return None;
        }
        held.retain(|hold| hold.taken.step.is_before(step) && hold.released.is_none_or(|end| step.is_before(end.step)));
        Some(held)
    }

    /// Returns what is wrong with the locks of the threads of two accesses. `None` if one lock protects both, or if no
    /// word that they took is known to be a lock.
    pub fn lack(&self, first: (Thread, ThreadProgress), second: (Thread, ThreadProgress)) -> Option<MissingOrder> {
        if self.locks.is_empty() {
            return None;
        }
        let (ours, theirs) = (self.held_at(first.0, first.1)?, self.held_at(second.0, second.1)?);
        let is_shared = ours.iter().any(|hold| theirs.iter().any(|other| other.place == hold.place));
        if is_shared {
            return None;
        }
        for (access, other, is_first) in [(first, second.0, true), (second, first.0, false)] {
            if let Some((taken, site)) = self.released_before(access, other) {
                return Some(MissingOrder::ReleasedEarly { taken, site, is_first });
            }
        }
        let is_lock = |hold: &&LockHold| self.locks.contains(&hold.place) || self.takers.contains(&hold.taken.step.pc);
        let named = |hold: &LockHold| HeldLock { place: hold.place, taken: hold.taken.site };
        let locks = [ours, theirs].map(|held| held.iter().rev().find(is_lock).map(named));
        locks.iter().any(Option::is_some).then_some(MissingOrder::Locks(locks))
    }

    /// Returns the sites where a thread took and released a lock before its access, in the code as in time, if the
    /// other thread takes that lock too.
    fn released_before(&self, (thread, step): (Thread, ThreadProgress), other: Thread) -> Option<(u32, u32)> {
        let others = self.taken_by(other);
        let is_before = |end: &Release| end.step.is_before(step) && end.step.pc < step.pc;
        let is_common = |hold: &&LockHold| others.iter().any(|it| it.place == hold.place);
        let ours = self.taken_by(thread);
        let released = |hold: &LockHold| Some((hold.taken.site, hold.released.filter(is_before)?.site));
        ours.iter().rev().filter(is_common).find_map(released)
    }

    /// Returns the instructions that took words which the same threads have given back.
    pub fn into_takers(self) -> FxHashSet<u32> {
        self.takers
    }

    /// Returns the site where a thread has taken a word, if it has.
    pub fn taken_at(&self, thread: Thread, (block, address): Location) -> Option<u32> {
        let place = (block, address & !3);
        self.taken_by(thread).iter().rev().find(|hold| hold.place == place).map(|hold| hold.taken.site)
    }

    fn of(&self, (block, address): Location) -> Holder {
        match self.words.get(&(block, address & !3)) {
            Some(word) => Holder::Thread(word.thread, word.site),
            None if self.is_full => Holder::Unknown,
            None => Holder::Nobody,
        }
    }
}

/// True for an operation that may leave the word as it was: a compare-and-swap or an exchange.
fn tries(code: &KernelCode, pc: u32) -> bool {
    let op = &code.instrs[pc as usize].op;
    matches!(op, Op::Atomic(it) if matches!(it.operation, Operation::CompareExchange | Operation::Exchange))
}

/// Returns the changes made by the atomic operations of the lanes in `mask`, applied in lane order.
pub fn atomic_changes(touch: &Touch, atomic: &Atomic, regs: &Registers, mask: Mask) -> LaneChanges {
    let b = |lane: usize| regs.get(atomic.src[0], lane);
    let apply = |lane: usize, old: u64| {
        let swap = regs.get(atomic.swap, lane);
        apply(atomic.operation, atomic.ty, false, old, b(lane), swap)
    };
    changes(touch, mask, apply, true)
}

/// Returns the changes made by the stores of the active lanes. A store of the present value is a change too.
pub fn store_changes(touch: &Touch, store: &StoreOp, regs: &Registers) -> LaneChanges {
    changes(touch, touch.mask, |lane, _| regs.get(store.src[0], lane), false)
}

/// Returns the changes of lanes in `mask`, in lane order. `write` returns the value that a lane leaves for the one that
/// it finds. With `skips_unchanged` a lane that leaves the value that it finds has no change.
fn changes(touch: &Touch, mask: Mask, write: impl Fn(usize, u64) -> u64, skips_unchanged: bool) -> LaneChanges {
    let mut all = [None; WARP];
    // No lock is wider than this.
    let (Some(region), 1..=8) = (touch.region, touch.bytes) else { return all };
    let bytes = touch.bytes;
    let kept = u64::MAX >> (64 - 8 * bytes);
    for lane in lanes(mask) {
        let address = touch.addresses[lane];
        let before = at_one(touch.addresses, address) & mask & ((1 << lane) - 1);
        let last = lanes(before).filter_map(|lane| all[lane]).last();
        let found = last.map_or_else(|| region.load_sized(address, bytes), |(_, left)| left);
        let left = write(lane, found) & kept;
        all[lane] = (!skips_unchanged || left != found).then_some((found, left));
    }
    all
}
