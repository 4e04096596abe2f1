//! Loads that get older values, and stores that precede earlier ones in the coherence order: the schedule's choice
//! among what the memory model (PTX ISA, "Memory Consistency Model") still allows.
//!
//! The checker says how many writes each lane may go back, the schedule how many it does, and the values come from
//! [`OlderValues`]. A store may get a position in the coherence order before writes that have run already. Then memory
//! keeps the value of the last of those, and only a load that goes back gets the store's.
//!
//! An atomic operation may find an older value, too, if it can be the immediate successor of the write of that. It can
//! if it leaves the value as it is, or if the next one is a store. Lanes of one instruction that meet at one address
//! get the latest value, one after the other.
//!
//! A strong load of several elements looks equally far back for each, so that it meets a strong store of several
//! elements whole. The ISA leaves their order open ("Vector Data-types"); CUB's scans put a tile's state and its sum
//! into one such access, and an H200 was not seen to tear one. Which way it errs: towards silence.

use crate::exec::atomic::{Atomic, Operation, apply};
use crate::memory::Region;
use crate::memory::history::OlderValues;
use crate::memory::space::Space;
use crate::registers::{Registers, WARP, lanes};
use crate::schedule::{ChoicePoint, Schedule};
use crate::watch::{Late, Older, Room, Touch, Watch};

/// The older values of memory, and the schedule that chooses among them.
pub struct Delay<'a> {
    pub schedule: &'a mut dyn Schedule,
    /// Every load gets the latest value, and every store the last position.
    pub is_prompt: bool,
    pub shared: &'a mut OlderValues,
    pub global: &'a mut OlderValues,
}

impl Delay<'_> {
    fn history(&self, space: Space) -> Option<&OlderValues> {
        match space {
            Space::Shared => Some(self.shared),
            Space::Global => Some(self.global),
            _ => None,
        }
    }

    /// Chooses the values that the lanes of a load get. `None` if all get the latest.
    pub fn choose_values<W: Watch>(
        &mut self,
        touch: &Touch,
        watch: &mut W,
        block: &W::Block,
        warp: &W::Warp,
    ) -> Option<Box<Older>> {
        if self.is_prompt {
            return None;
        }
        let mut older = watch.older(touch, block, warp)?;
        let mut any = false;
        let Older { back, value } = &mut *older;
        let elements = touch.elements as usize;
        for lane in 0..WARP {
            let least = back[..elements].iter().map(|back| back[lane]).min().unwrap_or(0);
            let together = touch.semantics.is_strong().then(|| self.pick(least));
            for element in 0..elements {
                if back[element][lane] == 0 {
                    continue;
                }
                let chosen = together.unwrap_or_else(|| self.pick(back[element][lane]));
                let address = touch.addresses[lane] + u64::from(touch.bytes) * element as u64;
                let found = self.history(touch.space).filter(|_| chosen != 0);
                let found = found.and_then(|history| history.value(address, chosen));
                back[element][lane] = if found.is_some() { chosen as u8 } else { 0 };
                value[element][lane] = found.unwrap_or(0);
                any |= found.is_some();
            }
        }
        any.then(|| {
            watch.goes_back(&older);
            older
        })
    }

    /// Chooses how many earlier writes the store of each lane precedes in the coherence order. `None` if no store
    /// precedes any, so that memory gets them all.
    pub fn choose_positions<W: Watch>(
        &mut self,
        touch: &Touch,
        watch: &mut W,
        block: &W::Block,
        warp: &W::Warp,
    ) -> Option<Box<[u8; WARP]>> {
        if self.is_prompt {
            return None;
        }
        let mut back = watch.behind(touch, block, warp)?;
        let mut any = false;
        for (back, &address) in back.iter_mut().zip(touch.addresses).filter(|(back, _)| **back != 0) {
            let history = self.history(touch.space)?;
            let places = (1..8).filter(|&n| *back >> n & 1 != 0 && history.value(address, n).is_some());
            let places: Vec<usize> = places.collect();
            let chosen = if places.is_empty() { 0 } else { self.schedule.choose(ChoicePoint::Behind(places.len())) };
            *back = chosen.checked_sub(1).map_or(0, |at| places[at] as u8);
            any |= chosen != 0;
        }
        any.then(|| {
            watch.goes_behind(&back);
            back
        })
    }

    /// Chooses the values that each lane's atomic operation finds and writes. `None` if all find the latest.
    pub fn choose_update<W: Watch>(
        &mut self,
        touch: &Touch,
        (op, regs): (&Atomic, &Registers),
        watch: &mut W,
        block: &W::Block,
        warp: &W::Warp,
    ) -> Option<Box<Late>> {
        if self.is_prompt {
            return None;
        }
        let room = watch.room(touch, op, block, warp)?;
        let Room { reads, keeps, writes } = &*room;
        let mut late = Late::NONE;
        for lane in lanes(touch.mask).filter(|&lane| reads[lane] != 0) {
            let history = self.history(touch.space)?;
            let kept = u64::MAX >> (64 - 8 * touch.bytes);
            let (b, swap) = (regs.get(op.src[0], lane), regs.get(op.swap, lane));
            let fails = |found| op.operation == Operation::CompareExchange && found != b & kept;
            let new = |found| apply(op.operation, op.ty, touch.space == Space::Global, found, b, swap) & kept;
            let is_one = |&(back, found): &(u8, u64)| {
                let bits = match () {
                    () if fails(found) => reads,
                    () if new(found) == found => keeps,
                    () => writes,
                };
                bits[lane] >> back & 1 != 0
            };
            let found = (1..8).filter_map(|back| Some((back, history.value(touch.addresses[lane], back.into())?)));
            let places: Vec<(u8, u64)> = found.filter(is_one).collect();
            let chosen = if places.is_empty() { 0 } else { self.schedule.choose(ChoicePoint::Back(places.len())) };
            if let Some(&(back, found)) = chosen.checked_sub(1).and_then(|at| places.get(at)) {
                (late.back[lane], late.found[lane], late.new[lane]) = (back, found, new(found));
                late.fails |= u32::from(fails(found)) << lane;
            }
        }
        (late.mask() != 0).then(|| {
            watch.goes_late(&late);
            Box::new(late)
        })
    }

    /// Inserts a write before the last `back` writes in the coherence order. Memory does not change.
    pub fn insert_write(&mut self, space: Space, address: u64, back: u8, value: u64) {
        match space {
            Space::Shared => self.shared.put_behind(address, back.into(), value),
            Space::Global => self.global.put_behind(address, back.into(), value),
            _ => {}
        }
    }

    /// Chooses one of the last `most` older values, or the latest.
    fn pick(&mut self, most: u8) -> usize {
        if most == 0 { 0 } else { self.schedule.choose(ChoicePoint::Back(most.into())) }
    }

    /// Records the value that a store is about to overwrite. Reads it from `region`.
    pub fn record_overwrite(&mut self, space: Space, region: &Region, address: u64, bytes: u32) {
        if bytes <= 8 {
            self.record_old_value(space, address, region.load_sized(address, bytes));
        }
    }

    /// Records `old`, which a write has just overwritten.
    pub fn record_old_value(&mut self, space: Space, address: u64, old: u64) {
        match space {
            Space::Shared => self.shared.keep(address, old),
            Space::Global => self.global.keep(address, old),
            _ => {}
        }
    }
}
