//! Words that compare-and-swaps and exchanges try: who set each last, and who holds it as a lock.
//!
//! A try that fails, or that puts back what was there, sets nothing. Yet it counts as an update where races are judged, so
//! the last recorded update of a lock is as a rule somebody's try. Kept for reports alone: of threads that wait for ever, and
//! of races where each side holds another lock. A lock is a word that a thread has taken by a try and set back by something
//! else. Where that is open, or words are beyond what is kept, nothing is said.

use crate::order::copies::whereabouts;
use crate::order::release::{Location, Thread};
use crate::sites::Sites;
use crate::sites::touched::{Clock, Touched};
use machine::code::Code;
use machine::exec::Op;
use machine::exec::atomic::{Atomic, Operation};
use machine::lanes::at_one;
use machine::memory::space::Space;
use machine::registers::{Mask, Registers, lanes};
use machine::run::launch::Launch;
use machine::watch::{At, LastWrite, Touch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Words that are kept.
const MOST: usize = 4096;

/// Locks of one thread that are kept.
const HELD: usize = 8;

#[derive(Default)]
pub struct Lockset {
    /// By word of 4 bytes.
    words: FxHashMap<Location, Word>,
    /// Words were left out: nothing is known of those that are not kept.
    is_full: bool,
    /// By thread: what it has taken and given back, the latest last.
    given_back: FxHashMap<Thread, Vec<Hold>>,
    /// Holds so far.
    holds: u64,
    /// Words that have been given back by who took them, and the instructions that took them.
    locks: FxHashSet<Location>,
    takers: FxHashSet<u32>,
}

/// Who has set a word, and at which site.
struct Word {
    thread: Thread,
    site: u32,
    /// The thread has set it by a try, and nobody has written there since.
    taken: Option<Taken>,
}

#[derive(Clone, Copy)]
struct Taken {
    site: u32,
    step: Moment,
    /// Of all holds, which.
    number: u64,
}

/// From a try that has changed a word to what its thread writes there next.
#[derive(Clone, Copy)]
struct Hold {
    place: Location,
    taken: Taken,
    given_back: Option<Moment>,
}

/// Where a thread is: its warp's clock, and an instruction.
#[derive(Clone, Copy)]
pub struct Moment {
    pub clock: Clock,
    pub pc: u32,
}

impl Moment {
    fn is_before(self, other: Moment) -> bool {
        (self.clock, self.pc) < (other.clock, other.pc)
    }
}

/// A write that may take a lock or give it back.
struct LockWrite {
    site: u32,
    step: Moment,
    /// It may leave the word as it was.
    tries: bool,
    /// It is a compare-and-swap.
    compares: bool,
    /// What it finds is looked at.
    looks: bool,
}

/// What is known of the last writer of a word that was last touched by a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Thread(Thread, u32),
    /// No thread of the launch has set it.
    Nobody,
    Unknown,
}

impl Lockset {
    /// Lanes of `mask` may set words that are locks.
    #[inline(always)]
    pub fn note(&mut self, touch: &Touch, mask: Mask, clock: Clock, site: impl FnOnce() -> u32) {
        let At { launch, pc, .. } = touch.at;
        let tries = tries(launch.code, pc);
        if tries || !self.words.is_empty() {
            let (compares, looks) = match &launch.code.instrs[pc as usize].op {
                Op::Atomic(it) => (it.operation == Operation::CompareExchange, it.looked_at),
                _ => (false, false),
            };
            self.wrote(touch, mask, &LockWrite { site: site(), step: Moment { clock, pc }, tries, compares, looks });
        }
    }

    /// Who wrote a word last, of which `write` is recorded: what has set it, where that is known.
    pub fn last_write(
        &self,
        launch: &Launch,
        sites: &Sites,
        write: Touched,
        space: Space,
        address: u64,
    ) -> Option<LastWrite> {
        let tag = (space == Space::Shared).then_some(whereabouts(launch, write.thread).0);
        let code = launch.code;
        let holder = match tries(code, sites.pc(write.how.site())) {
            true => self.of((tag, address)),
            false => Holder::Unknown,
        };
        let (site, (block, thread)) = match holder {
            Holder::Thread((block, warp, lane), site) => (site, (block, 32 * warp + lane)),
            Holder::Nobody => return None,
            Holder::Unknown => (write.how.site(), whereabouts(launch, write.thread)),
        };
        let pc = sites.pc(site);
        let is_update = matches!(code.instrs[pc as usize].op, Op::Atomic(_));
        let has_set = !is_update || matches!(holder, Holder::Thread(..));
        Some(LastWrite { block, thread, pc, calls: sites.calls(site), has_set })
    }

    /// The lanes of `mask` write.
    fn wrote(&mut self, touch: &Touch, mask: Mask, write: &LockWrite) {
        let (block, warp) = (touch.at.block, touch.at.warp);
        let tag = (touch.space == Space::Shared).then_some(block);
        for lane in lanes(mask) {
            let first = touch.addresses[lane] & !3;
            let end = touch.addresses[lane] + u64::from(touch.bytes * touch.elements);
            for word in (first..end).step_by(4) {
                self.wrote_word((tag, word), (block, warp, lane as u32), write, word == first);
            }
        }
    }

    /// A hold is of the first word of what a lane has taken.
    fn wrote_word(&mut self, place: Location, thread: Thread, write: &LockWrite, is_first: bool) {
        let LockWrite { site, step, tries, looks, .. } = *write;
        let has_room = self.words.len() < MOST;
        let entry = match self.words.entry(place) {
            Entry::Vacant(_) if !(tries && has_room) => {
                self.is_full |= tries;
                return;
            }
            entry => entry,
        };
        let word = entry.or_insert(Word { thread, site, taken: None });
        let before = std::mem::replace(word, Word { thread, site, taken: None });
        if !is_first {
            word.taken = before.taken.filter(|_| before.thread == thread);
            return;
        }
        match before.taken {
            Some(taken) if before.thread == thread && !write.compares => {
                self.gives_back(thread, Hold { place, taken, given_back: Some(step) });
            }
            // Where another thread writes, or it is compared and swapped again, it was no lock.
            _ if tries && looks => {
                self.holds += 1;
                word.taken = Some(Taken { site, step, number: self.holds });
            }
            _ => {}
        }
    }

    fn gives_back(&mut self, thread: Thread, hold: Hold) {
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

    /// All that a thread has taken, the latest last. A lock is as a rule one of few words.
    fn taken_by(&self, thread: Thread) -> Vec<Hold> {
        let given_back = self.given_back.get(&thread).into_iter().flatten().copied();
        let open = self.words.iter().filter(|(_, word)| word.thread == thread);
        let open = open.filter_map(|(&place, word)| word.taken.map(|taken| Hold { place, taken, given_back: None }));
        let mut all: Vec<Hold> = given_back.chain(open).collect();
        all.sort_by_key(|hold| hold.taken.number);
        all
    }

    /// The words that a thread holds at a step; `None` where that is open.
    fn held_at(&self, thread: Thread, step: Moment) -> Option<Vec<Hold>> {
        let mut held = self.taken_by(thread);
        if self.is_full || held.len() >= HELD || held.is_empty() && self.given_back.len() >= MOST {
            return None;
        }
        // Without a fence between them all steps have one clock, and a loop may have come by again.
        let is_open = |hold: &Hold| {
            let taken = hold.taken.step.clock;
            hold.given_back.is_some_and(|end| end.clock == taken && end.clock == step.clock)
        };
        if held.iter().any(is_open) {
            return None;
        }
        held.retain(|hold| hold.taken.step.is_before(step) && hold.given_back.is_none_or(|end| step.is_before(end)));
        Some(held)
    }

    /// The locks under which two accesses were made, where no lock keeps both apart: one at least is known to be a lock.
    pub fn apart(&self, first: (Thread, Moment), second: (Thread, Moment)) -> Option<[Option<Location>; 2]> {
        if self.locks.is_empty() {
            return None;
        }
        let (ours, theirs) = (self.held_at(first.0, first.1)?, self.held_at(second.0, second.1)?);
        let is_shared = ours.iter().any(|hold| theirs.iter().any(|other| other.place == hold.place));
        let is_lock = |hold: &&Hold| self.locks.contains(&hold.place) || self.takers.contains(&hold.taken.step.pc);
        let locks = [ours, theirs].map(|held| held.iter().rev().find(is_lock).map(|hold| hold.place));
        (!is_shared && locks.iter().any(Option::is_some)).then_some(locks)
    }

    /// Where a thread has taken a word, if it has.
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
fn tries(code: &Code, pc: u32) -> bool {
    let op = &code.instrs[pc as usize].op;
    matches!(op, Op::Atomic(it) if matches!(it.operation, Operation::CompareExchange | Operation::Exchange))
}

/// Lanes of `mask` whose exchange, or compare-and-swap that succeeds, puts another value in place of what is there; lanes
/// going one after the other.
pub fn changing(touch: &Touch, atomic: &Atomic, regs: &Registers, mask: Mask) -> Mask {
    let new = match atomic.operation {
        Operation::Exchange => atomic.src[0],
        Operation::CompareExchange => atomic.swap,
        _ => return mask,
    };
    let (Some(region), true) = (touch.region, touch.bytes <= 8) else { return mask };
    let kept = u64::MAX >> (64 - 8 * touch.bytes);
    let value = |lane: usize| regs.get(new, lane) & kept;
    let changes = |&lane: &usize| {
        let address = touch.addresses[lane];
        let before = at_one(touch.addresses, address) & mask & ((1 << lane) - 1);
        let old = match before {
            0 => region.load_sized(address, touch.bytes),
            _ => value(31 - before.leading_zeros() as usize),
        };
        old != value(lane)
    };
    lanes(mask).filter(changes).fold(0, |all, lane| all | 1 << lane)
}
