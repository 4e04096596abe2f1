//! The shadow of a warp's registers: one bit for each bit, 1 = undefined.
//!
//! Beside the bits stands, for each slot, which lanes may have an undefined one, so that
//! arithmetic of lanes that have none costs one look at these marks. It is made without a branch: an instruction has up to six
//! operands, and a branch on the width of each would be foreseen badly.

use crate::undefined::masks::Masks;
use crate::undefined::origins::{LEFT_OUT, Origin, RegisterOrigins, frame};
use machine::code::Function;
use machine::decode::Lay;
use machine::exec::Alu;
use machine::lanes::Args;
use machine::registers::{MARKS, Mask, Reg, Registers, WARP, Width, lanes};
use machine::watch::Window;

#[derive(Debug, Default)]
pub struct RegisterBits {
    slots: Vec<[u32; WARP]>,
    marks: Marks,
    /// Whence undefined bits came.
    pub(super) origins: RegisterOrigins,
    /// What `activemask` gave.
    pub(super) masks: Masks,
}

/// Which lanes have something undefined: one mark for each slot, which wider registers have in each of theirs, one for each
/// predicate, and one that is always 0 for operands that are not there ([`Reg::mark`]). Frames lie one after the other, so those
/// of a frame begin where both its slots and its predicates have room.
#[derive(Debug, Default)]
struct Marks {
    list: Vec<Mask>,
}

const STEP: usize = MARKS as usize;

impl Marks {
    /// Where a frame's marks begin.
    #[inline(always)]
    fn frame(regs: &Registers) -> usize {
        STEP * (regs.base + regs.pred_base)
    }

    fn reserve(&mut self, regs: &Registers, slots: usize, preds: usize) {
        let end = Marks::frame(regs) + STEP * slots.max(preds).max(1);
        if self.list.len() < end {
            self.list.resize(end, 0);
        }
    }

    #[inline(always)]
    fn get(&self, regs: &Registers, reg: Reg) -> Mask {
        self.list[Marks::frame(regs) + reg.mark()]
    }

    /// The marks of a register's slots, or of a predicate.
    #[inline(always)]
    fn each(&mut self, regs: &Registers, reg: Reg) -> impl Iterator<Item = &mut Mask> {
        let first = Marks::frame(regs) + reg.mark();
        let count = if reg.width == Width::Pred { 1 } else { reg.width.slots() as usize };
        self.list[first..].iter_mut().step_by(STEP).take(count)
    }

    /// What any of an instruction's operands has, and any of its sources.
    #[inline(always)]
    fn of_alu(&self, regs: &Registers, args: &Args) -> (Mask, Mask) {
        let frame = &self.list[Marks::frame(regs)..];
        let mark = |reg: Reg| frame[reg.mark()];
        let sources = mark(args.a) | mark(args.b) | mark(args.c) | mark(args.q);
        (sources | mark(args.d) | mark(args.e), sources)
    }
}

impl RegisterBits {
    fn reserve(&mut self, regs: &Registers, slots: usize, preds: usize) {
        if self.slots.len() < regs.base + slots {
            self.slots.resize(regs.base + slots, [0; WARP]);
        }
        self.marks.reserve(regs, slots, preds);
    }

    /// A warp begins.
    pub fn begin(&mut self, regs: &Registers, kernel: &Function, exists: Mask) {
        self.origins.clear();
        self.masks.clear();
        self.enter(regs, kernel, exists);
    }

    /// A new frame: its registers hold nothing yet, its constants do.
    pub fn enter(&mut self, regs: &Registers, function: &Function, mask: Mask) {
        let (slots, preds) = (function.frame.slots as usize, function.frame.preds as usize);
        self.reserve(regs, slots, preds);
        let (low, high) = (twice(mask), twice(mask >> 16));
        for (&lay, slot) in function.frame.lays.iter().zip(regs.base..) {
            // Other lanes may be in this frame already, and a double's lanes lie over two slots.
            let words = match lay {
                Lay::Words => mask,
                Lay::LowLanes => low,
                Lay::HighLanes => high,
            };
            paint(&mut self.slots[slot], words, !0);
        }
        let marks = &mut self.marks.list[Marks::frame(regs)..];
        let of_slots = marks.iter_mut().step_by(STEP).take(slots);
        of_slots.for_each(|mark| *mark |= mask);
        let of_preds = marks.iter_mut().skip(1).step_by(STEP).take(preds);
        of_preds.for_each(|mark| *mark |= mask);
        for (reg, _) in &function.frame.constants {
            self.define(regs, *reg, mask);
        }
        if !self.origins.is_empty() {
            self.origins.forget(mask, frame(regs, slots, preds));
        }
        if !self.masks.is_empty() {
            self.masks.forget_all(mask, frame(regs, slots, preds));
        }
    }

    /// Undefined bits of a register in one lane.
    pub fn get(&self, regs: &Registers, reg: Reg, lane: usize) -> u64 {
        let at = regs.base + reg.index as usize;
        match reg.width {
            Width::None => 0,
            Width::Pred => u64::from(self.marks.get(regs, reg) >> lane & 1),
            Width::Word => u64::from(self.slots[at][lane]),
            Width::Double | Width::Quad => self.wide_at(at, lane),
        }
    }

    /// Doubles are 32 lanes of 64 bits over two slots, as in the register file.
    fn wide_at(&self, at: usize, lane: usize) -> u64 {
        let (slot, index) = (at + lane / 16, lane % 16 * 2);
        u64::from(self.slots[slot][index]) | u64::from(self.slots[slot][index + 1]) << 32
    }

    fn set_wide(&mut self, at: usize, lane: usize, undefined: u64) {
        let (slot, index) = (at + lane / 16, lane % 16 * 2);
        self.slots[slot][index] = undefined as u32;
        self.slots[slot][index + 1] = (undefined >> 32) as u32;
    }

    /// The high half of a quad.
    pub fn get_high(&self, regs: &Registers, reg: Reg, lane: usize) -> u64 {
        if reg.width == Width::Quad { self.wide_at(regs.base + reg.index as usize + 2, lane) } else { 0 }
    }

    /// Sets undefined bits lane by lane; call [`RegisterBits::settle`] after.
    pub fn set(&mut self, regs: &Registers, reg: Reg, lane: usize, undefined: u64) {
        let at = regs.base + reg.index as usize;
        match reg.width {
            Width::None => {}
            Width::Pred => {
                let set = |mark: &mut Mask| *mark = *mark & !(1 << lane) | u32::from(undefined != 0) << lane;
                self.marks.each(regs, reg).for_each(set);
            }
            Width::Word => self.slots[at][lane] = undefined as u32,
            Width::Double => self.set_wide(at, lane, undefined),
            Width::Quad => {
                self.set_wide(at, lane, undefined);
                self.set_wide(at + 2, lane, undefined);
            }
        }
    }

    pub fn set_high(&mut self, regs: &Registers, reg: Reg, lane: usize, undefined: u64) {
        if reg.width == Width::Quad {
            self.set_wide(regs.base + reg.index as usize + 2, lane, undefined);
        }
    }

    /// Brings a register's marks in line with its bits.
    pub fn settle(&mut self, regs: &Registers, reg: Reg) {
        let at = regs.base + reg.index as usize;
        let undefined = match reg.width {
            Width::None | Width::Pred => return,
            Width::Word => (0..WARP).fold(0, |all, lane| all | u32::from(self.slots[at][lane] != 0) << lane),
            _ => (0..WARP).fold(0, |all, lane| {
                let bits = self.get(regs, reg, lane) | self.get_high(regs, reg, lane);
                all | u32::from(bits != 0) << lane
            }),
        };
        self.marks.each(regs, reg).for_each(|mark| *mark = undefined);
    }

    /// True if some lane in `mask` may have an undefined bit.
    #[inline(always)]
    pub fn is_tainted(&self, regs: &Registers, reg: Reg, mask: Mask) -> bool {
        self.marks.get(regs, reg) & mask != 0
    }

    /// Lanes of `mask` with an undefined bit.
    pub fn undefined_lanes(&self, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        if !self.is_tainted(regs, reg, mask) {
            return 0;
        }
        lanes(mask).map(|lane| u32::from(self.get(regs, reg, lane) | self.get_high(regs, reg, lane) != 0) << lane).sum()
    }

    /// Written with something defined.
    #[inline(always)]
    pub fn define(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        if self.is_tainted(regs, reg, mask) {
            self.clean(regs, reg, mask);
        }
    }

    fn clean(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        let at = regs.base + reg.index as usize;
        match reg.width {
            Width::None | Width::Pred => {}
            Width::Word => paint(&mut self.slots[at], mask, 0),
            Width::Double | Width::Quad => {
                let words = [twice(mask), twice(mask >> 16)];
                let slots = &mut self.slots[at..at + reg.width.slots() as usize];
                slots.iter_mut().zip(words.iter().cycle()).for_each(|(slot, &words)| paint(slot, words, 0));
            }
        }
        self.marks.each(regs, reg).for_each(|mark| *mark &= !mask);
    }

    fn undefine(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        lanes(mask).for_each(|lane| self.set(regs, reg, lane, !0));
        self.settle(regs, reg);
    }

    /// Written with something new and defined.
    #[inline(always)]
    pub fn renew(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        self.masks.forget(regs, reg, mask);
        self.define(regs, reg, mask);
    }

    /// About to be written with something else than a mask.
    #[inline(always)]
    pub fn forget_mask(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        self.masks.forget(regs, reg, mask);
    }

    /// `activemask` at `site` gave these lanes their own mask.
    pub fn asked(&mut self, regs: &Registers, reg: Reg, mask: Mask, site: u32) {
        self.define(regs, reg, mask);
        self.masks.asked(regs, reg, mask, site);
    }

    /// `to` is undefined in these lanes because `from` is.
    pub fn undefine_by(&mut self, regs: &Registers, from: Reg, to: Reg, mask: Mask) {
        self.undefine(regs, to, mask);
        self.origins.spread(regs, from, to, mask);
    }

    /// About to be written with what an access should have brought that is left out.
    pub fn leave_out(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        self.masks.forget(regs, reg, mask);
        self.undefine(regs, reg, mask);
        lanes(mask).for_each(|lane| self.origins.set(regs, reg, lane, LEFT_OUT));
    }

    /// Lanes of `mask` that have such a value.
    pub fn misled(&self, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        let is_it = |lane: &usize| self.origins.get(regs, reg, *lane) == LEFT_OUT;
        lanes(self.undefined_lanes(regs, reg, mask)).filter(is_it).fold(0, |all, lane| all | 1 << lane)
    }

    /// Lanes of `mask` with an undefined bit, each with where that comes from.
    pub fn guilty(&self, regs: &Registers, reg: Reg, mask: Mask) -> Vec<(usize, Origin)> {
        let guilty = lanes(self.undefined_lanes(regs, reg, mask));
        guilty.map(|lane| (lane, self.origins.get(regs, reg, lane))).collect()
    }

    /// Passes undefined bits through an instruction that is about to run.
    #[inline(always)]
    pub fn alu(&mut self, regs: &Registers, alu: &Alu, mask: Mask) {
        let args = &alu.args;
        if !self.masks.is_empty() {
            self.masks.follow(regs, args, mask);
        }
        let (any, of_sources) = self.marks.of_alu(regs, args);
        if any & mask == 0 {
            return;
        }
        if of_sources & mask == 0 {
            self.define(regs, args.d, mask);
            self.define(regs, args.e, mask);
            return;
        }
        self.flow(regs, alu, mask);
    }

    #[cold]
    fn flow(&mut self, regs: &Registers, alu: &Alu, mask: Mask) {
        let args = &alu.args;
        let sources = [args.a, args.b, args.c, args.q];
        for lane in lanes(mask) {
            let undefined = sources.map(|reg| self.get(regs, reg, lane));
            let high = sources.iter().any(|&reg| self.get_high(regs, reg, lane) != 0);
            let result = match high {
                true => !0,
                false => (alu.flow)(sources.map(|reg| regs.get(reg, lane)), undefined),
            };
            let origin = self.origins.first(regs, &sources, &undefined, lane);
            for reg in [args.d, args.e] {
                self.set(regs, reg, lane, result);
                self.origins.set(regs, reg, lane, origin);
            }
        }
        self.settle(regs, args.d);
        self.settle(regs, args.e);
    }

    /// Copies a register between two windows.
    pub fn copy(&mut self, from: (Window, Reg), to: (Window, Reg), mask: Mask) {
        let at = |window: Window| {
            let mut regs = Registers::default();
            regs.base = window.slots;
            regs.pred_base = window.preds;
            regs
        };
        let (source, target) = (at(from.0), at(to.0));
        for lane in lanes(mask) {
            let (low, high) = (self.get(&source, from.1, lane), self.get_high(&source, from.1, lane));
            self.set(&target, to.1, lane, low);
            self.set_high(&target, to.1, lane, high);
            let origin = self.origins.get(&source, from.1, lane);
            self.origins.set(&target, to.1, lane, origin);
        }
        self.settle(&target, to.1);
        if !self.masks.is_empty() {
            self.masks.pass(&[(&source, from.1)], (&target, to.1), mask);
        }
    }
}

/// Each of the low 16 bits twice, side by side.
fn twice(mask: Mask) -> Mask {
    let apart = [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)];
    let even = apart.iter().fold(mask & 0xffff, |bits, (by, kept)| (bits | bits << by) & kept);
    even | even << 1
}

/// Sets the lanes in `mask`: most often all; else a blend, so that it costs the same for any mask.
#[inline(always)]
fn paint(slot: &mut [u32; WARP], mask: Mask, bits: u32) {
    if mask == !0 {
        return slot.fill(bits);
    }
    for (lane, old) in slot.iter_mut().enumerate() {
        *old = if mask >> lane & 1 != 0 { bits } else { *old };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_of_a_double_is_two_words() {
        for mask in [0, 1, 0x8000, 0xffff, 0x1234_a5c3] {
            assert_eq!(twice(mask), lanes(mask & 0xffff).map(|lane| 0b11 << (2 * lane)).sum::<Mask>(), "{mask:#x}");
        }
    }

    #[test]
    fn what_is_defined_is_defined_in_its_lanes_alone() {
        let regs = Registers::default();
        for width in [Width::Word, Width::Double, Width::Quad] {
            let reg = Reg::new(1, width);
            for mask in [!0, 0x0001_8001, 0xffff_0000] {
                let mut bits = RegisterBits::default();
                bits.reserve(&regs, 6, 0);
                bits.undefine(&regs, reg, !0);
                bits.define(&regs, reg, mask);
                assert_eq!(bits.undefined_lanes(&regs, reg, !0), !mask, "{width:?}");
                let high = if width == Width::Quad { !mask } else { 0 };
                let undefined = |lane: &usize| bits.get_high(&regs, reg, *lane) != 0;
                assert_eq!((0..WARP).filter(undefined).map(|lane| 1 << lane).sum::<Mask>(), high, "{width:?}");
            }
        }
    }
}
