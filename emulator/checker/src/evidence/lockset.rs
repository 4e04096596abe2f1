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
use machine::memory::space::Space;
use machine::registers::{Mask, Registers, lanes};
use machine::run::launch::Launch;
use machine::watch::{At, LastWrite, Touch};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words that are kept.
const MOST: usize = 4096;

/// Locks of one thread that are kept.
const HELD: usize = 8;

#[derive(Default)]
pub struct Lockset {
    /// By word of 4 bytes: who set it, and at which site.
    words: FxHashMap<Location, (Thread, u32)>,
    /// Words were left out: nothing is known of those that are not kept.
    is_full: bool,
    /// By thread: what it has taken, the latest last.
    held: FxHashMap<Thread, Vec<Hold>>,
    /// Words that have been given back by who took them, and the instructions that took them.
    locks: FxHashSet<Location>,
    takers: FxHashSet<u32>,
}

/// From a try that has changed a word to what its thread writes there next.
#[derive(Clone, Copy)]
struct Hold {
    place: Location,
    site: u32,
    taken: Moment,
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
        let LockWrite { site, tries, .. } = *write;
        let (block, warp) = (touch.at.block, touch.at.warp);
        let tag = (touch.space == Space::Shared).then_some(block);
        for lane in lanes(mask) {
            let first = touch.addresses[lane] & !3;
            let end = touch.addresses[lane] + u64::from(touch.bytes * touch.elements);
            for word in (first..end).step_by(4) {
                let holder = ((block, warp, lane as u32), site);
                if word == first {
                    self.changes_hands((tag, word), holder.0, write);
                }
                if let Some(known) = self.words.get_mut(&(tag, word)) {
                    *known = holder;
                } else if tries && self.words.len() < MOST {
                    self.words.insert((tag, word), holder);
                } else {
                    self.is_full |= tries;
                }
            }
        }
    }

    /// What taking and giving back says of a lock, before the word is set anew.
    fn changes_hands(&mut self, place: Location, thread: Thread, write: &LockWrite) {
        let before = self.words.get(&place).map(|(before, _)| *before);
        let held = before.and_then(|before| self.held.get_mut(&before));
        let open = held.and_then(|held| {
            let at = held.iter().position(|hold| hold.place == place && hold.given_back.is_none())?;
            Some((held, at))
        });
        match open {
            Some((held, at)) if before == Some(thread) && !write.compares => {
                held[at].given_back = Some(write.step);
                if self.locks.len() < MOST {
                    self.locks.insert(place);
                    self.takers.insert(held[at].taken.pc);
                }
                return;
            }
            // Another thread writes there, or it is compared and swapped again: no lock.
            Some((held, at)) => drop(held.remove(at)),
            None => {}
        }
        if !(write.tries && write.looks) || self.held.len() >= MOST && !self.held.contains_key(&thread) {
            return;
        }
        let held = self.held.entry(thread).or_default();
        if held.len() == HELD {
            held.remove(0);
        }
        held.push(Hold { place, site: write.site, taken: write.step, given_back: None });
    }

    /// The words that a thread holds at a step; `None` where that is open.
    fn held_at(&self, thread: Thread, step: Moment) -> Option<Vec<Hold>> {
        let held = match self.held.get(&thread) {
            Some(held) => held,
            None => return (self.held.len() < MOST).then(Vec::new),
        };
        let mut places = Vec::new();
        for hold in held {
            let ends = hold.given_back;
            // Without a fence between them all steps have one clock, and a loop may have come by again.
            if ends.is_some_and(|end| end.clock == hold.taken.clock && end.clock == step.clock) {
                return None;
            }
            if hold.taken.is_before(step) && ends.is_none_or(|end| step.is_before(end)) {
                places.push(*hold);
            }
        }
        (held.len() < HELD).then_some(places)
    }

    /// The locks under which two accesses were made, where no lock keeps both apart: one at least is known to be a lock.
    pub fn apart(&self, first: (Thread, Moment), second: (Thread, Moment)) -> Option<[Option<Location>; 2]> {
        if self.locks.is_empty() {
            return None;
        }
        let (ours, theirs) = (self.held_at(first.0, first.1)?, self.held_at(second.0, second.1)?);
        let is_shared = ours.iter().any(|hold| theirs.iter().any(|other| other.place == hold.place));
        let is_lock = |hold: &&Hold| self.locks.contains(&hold.place) || self.takers.contains(&hold.taken.pc);
        let locks = [ours, theirs].map(|held| held.iter().rev().find(is_lock).map(|hold| hold.place));
        (!is_shared && locks.iter().any(Option::is_some)).then_some(locks)
    }

    /// Where a thread has taken a word, if it has.
    pub fn taken_at(&self, thread: Thread, (block, address): Location) -> Option<u32> {
        let held = self.held.get(&thread)?;
        held.iter().rev().find(|hold| hold.place == (block, address & !3)).map(|hold| hold.site)
    }

    fn of(&self, (block, address): Location) -> Holder {
        match self.words.get(&(block, address & !3)) {
            Some(&(thread, site)) => Holder::Thread(thread, site),
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
    let mut written: Vec<(u64, u64)> = Vec::new();
    let mut changed = 0;
    for lane in lanes(mask) {
        let (address, new) = (touch.addresses[lane], regs.get(new, lane) & kept);
        let old = written.iter().rev().find(|(known, _)| *known == address).map(|(_, value)| *value);
        if old.unwrap_or_else(|| region.load_sized(address, touch.bytes)) != new {
            changed |= 1 << lane;
        }
        written.push((address, new));
    }
    changed
}
