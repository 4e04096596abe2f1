//! Asynchronous copies (PTX ISA, "cp.async": a weak memory operation, ordered with nothing until its thread has waited
//! for it).
//!
//! A copy is judged as accesses of a separate thread. That thread begins with the view and accesses of the thread that
//! starts the copy, and publishes nothing. Such threads are in warps after those of the block
//! ([`Launch::copying_warps`]), lane by lane, and the numbers of a warp's copies are their clock. So two copies are
//! ordered only if the thread has waited for the first. If a thread has waited, what it publishes includes its copies.
//! Both accesses are judged when the copy starts, whenever its bytes move.

use crate::sites::touched::{Clock, RecordedAccess};
use machine::code::KernelCode;
use machine::exec::Op;
use machine::exec::bulk_copy::Bulk;
use machine::registers::{Mask, WARP, lanes};
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::watch::{StartedCopy, Touch};
use rustc_hash::FxHashMap;

/// A warp's copies.
#[derive(Clone, Debug)]
pub struct WarpCopies {
    /// The warp of the threads that stand for the copies.
    by: u32,
    /// The last copy that each lane has waited for.
    waited: [Clock; WARP],
    /// The number of the copy that is being judged; 0 for none.
    now: Clock,
    /// The lanes whose copy repeats the last one to its destination.
    again: Mask,
}

/// The copies that a block's warps have started.
#[derive(Debug, Default)]
pub struct StartedCopies {
    /// The last copy to each destination: address and bytes of the source, and all bytes.
    sources: FxHashMap<u64, (u64, u32, u32)>,
    /// The site of each copy and the lanes whose bytes have not moved, by warp and number.
    under_way: FxHashMap<(u32, u32), (u32, Mask)>,
}

impl StartedCopies {
    pub fn clear(&mut self) {
        self.sources.clear();
        self.under_way.clear();
    }

    /// Returns the lanes whose copy repeats the last one to its destination, and records their copies as the last ones.
    /// The result is the same whichever of two such copies comes last. Whatever changes the source between them races
    /// with one of the two, or orders them. (Cooperative groups let all lanes that have nothing left to copy repeat the
    /// last one's.)
    pub fn repeated(&mut self, touch: &Touch, copy: &StartedCopy) -> Mask {
        let repeats = |&lane: &usize| {
            let source = (copy.from[lane], copy.given[lane], touch.bytes);
            self.sources.insert(touch.addresses[lane], source) == Some(source)
        };
        lanes(touch.mask).filter(repeats).fold(0, |mask, lane| mask | 1 << lane)
    }

    pub fn starts(&mut self, warp: u32, number: u32, site: u32, mask: Mask) {
        let (known, lanes) = self.under_way.entry((warp, number)).or_default();
        *known = site;
        *lanes |= mask;
    }

    /// Records that a lane's bytes are about to move. Returns the site of the copy.
    pub fn moves(&mut self, copy: &UnderWay) -> u32 {
        let key = (copy.warp, copy.number);
        let Some((site, lanes)) = self.under_way.get_mut(&key) else { return 0 };
        let site = *site;
        *lanes &= !(1 << copy.lane);
        if *lanes == 0 {
            self.under_way.remove(&key);
        }
        site
    }
}

impl WarpCopies {
    /// Returns the state of a warp whose copies count as accesses of warp `by`.
    pub fn new(by: u32) -> WarpCopies {
        WarpCopies { by, waited: [0; WARP], now: 0, again: 0 }
    }

    /// Begins the judgement of copy `number`; `again` are the lanes whose copy repeats the last one to its destination.
    pub fn begin(&mut self, number: Clock, again: Mask) {
        (self.now, self.again) = (number, again);
    }

    /// Ends the judgement of a copy.
    pub fn end(&mut self) {
        self.now = 0;
    }

    /// Records that a lane has waited for its copies up to that number.
    pub fn wait(&mut self, lane: usize, last: Clock) {
        self.waited[lane] = self.waited[lane].max(last);
    }

    /// Returns the copies that these lanes have waited for, as lanes of another warp.
    pub fn of(&self, mask: Mask) -> Vec<(u32, Mask, Clock)> {
        let mut parts: Vec<(u32, Mask, Clock)> = Vec::new();
        for lane in lanes(mask).filter(|&lane| self.waited[lane] != 0) {
            match parts.iter_mut().find(|(.., clock)| *clock == self.waited[lane]) {
                Some((_, lanes, _)) => *lanes |= 1 << lane,
                None => parts.push((self.by, 1 << lane, self.waited[lane])),
            }
        }
        parts
    }

    /// Returns the number of the copy that is being judged.
    pub fn now(&self) -> Option<Clock> {
        Some(self.now).filter(|now| *now != 0)
    }

    /// True for a lane whose copy repeats the last one to its destination.
    pub fn is_again(&self, lane: u32) -> bool {
        self.again >> lane & 1 != 0
    }

    /// True if `lane` has waited for this copy of its own.
    pub fn has_waited(&self, lane: u32, (warp, copying): (u32, u32), clock: Clock) -> bool {
        (warp, copying) == (self.by, lane) && self.waited[lane as usize] >= clock
    }
}

/// True for an asynchronous copy of this launch.
pub fn is_copy(launch: &Launch, touched: RecordedAccess) -> bool {
    let is_later = |warps| (warps..launch.multiplying_warps()).contains(&(touched.warp() % launch.warp_stride()));
    !touched.info.is_older() && launch.copying_warps().is_some_and(is_later)
}

/// Returns block and thread of a recorded access; for an asynchronous copy the thread that started it.
pub fn whereabouts(launch: &Launch, thread: u32) -> (u64, u32) {
    let per_block = launch.warp_stride() * 32;
    let (block, thread) = (u64::from(thread / per_block), thread % per_block);
    (block, launch.copying_warps().map_or(thread, |warps| thread % (32 * warps)))
}

/// True for an instruction that starts an asynchronous copy.
pub fn starts_copy(code: &KernelCode, pc: u32) -> bool {
    code.instrs.get(pc as usize).is_some_and(|instr| match &instr.op {
        Op::Async(_) => true,
        Op::Bulk(op) => !matches!(**op, Bulk::Replace(_)),
        _ => false,
    })
}
