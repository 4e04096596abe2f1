//! The shadow of a warp's registers: one bit for each bit, 1 = undefined.
//!
//! In addition there is a mark for each slot: the lanes that have an undefined bit. So arithmetic of lanes that have
//! none costs one look at the marks. It is done without a branch: an instruction has up to six operands, and branches
//! on the width of each would be mispredicted often. Lanes that hold nothing yet are marked as wholly undefined, so a
//! new frame writes no bits.

use crate::undefined::masks::Masks;
use crate::undefined::origins::{LEFT_OUT, OriginId, RegisterOrigins, frame};
use machine::code::Function;
use machine::exec::Alu;
use machine::lanes::Args;
use machine::registers::{MARKS, Mask, Reg, Registers, WARP, Width, lanes};
use machine::watch::Window;

#[derive(Debug, Default)]
pub struct RegisterBits {
    /// The undefined bits, valid if the lane is marked and not wholly undefined. A double has its low half in its first
    /// slot.
    slots: Vec<[u32; WARP]>,
    /// By slot, the lanes that are undefined in every bit.
    whole: Vec<Mask>,
    marks: UndefinedMarks,
    /// The origins of undefined bits.
    pub(super) origins: RegisterOrigins,
    /// The results of `activemask`.
    pub(super) masks: Masks,
}

/// The lanes with undefined bits: one mark for each slot, one for each predicate, and one that is always 0 for absent
/// operands ([`Reg::mark`]). Wider registers are marked in each of their slots. Frames are consecutive: the marks of a
/// frame begin where both its slots and its predicates have room.
#[derive(Debug, Default)]
struct UndefinedMarks {
    list: Vec<Mask>,
}

const STEP: usize = MARKS as usize;

impl UndefinedMarks {
    /// Returns the index where a frame's marks begin.
    #[inline(always)]
    fn frame(regs: &Registers) -> usize {
        STEP * (regs.base + regs.pred_base)
    }

    fn reserve(&mut self, regs: &Registers, slots: usize, preds: usize) {
        let end = UndefinedMarks::frame(regs) + STEP * slots.max(preds).max(1);
        if self.list.len() < end {
            self.list.resize(end, 0);
        }
    }

    #[inline(always)]
    fn get(&self, regs: &Registers, reg: Reg) -> Mask {
        self.list[UndefinedMarks::frame(regs) + reg.mark()]
    }

    /// Returns the marks of a register's slots, or of a predicate.
    #[inline(always)]
    fn each(&mut self, regs: &Registers, reg: Reg) -> impl Iterator<Item = &mut Mask> {
        let first = UndefinedMarks::frame(regs) + reg.mark();
        let count = if reg.width == Width::Pred { 1 } else { reg.width.slots() as usize };
        self.list[first..].iter_mut().step_by(STEP).take(count)
    }

    /// Returns the marks of all of an instruction's operands together, and of its sources.
    #[inline(always)]
    fn of_alu(&self, regs: &Registers, args: &Args) -> (Mask, Mask) {
        let frame = &self.list[UndefinedMarks::frame(regs)..];
        let mark = |reg: Reg| frame[reg.mark()];
        let sources = mark(args.a) | mark(args.b) | mark(args.c) | mark(args.q);
        (sources | mark(args.d) | mark(args.e), sources)
    }
}

impl RegisterBits {
    fn reserve(&mut self, regs: &Registers, slots: usize, preds: usize) {
        if self.slots.len() < regs.base + slots {
            self.slots.resize(regs.base + slots, [0; WARP]);
            self.whole.resize(regs.base + slots, 0);
        }
        self.marks.reserve(regs, slots, preds);
    }

    /// Begins a warp.
    pub fn begin(&mut self, regs: &Registers, kernel: &Function, exists: Mask) {
        self.origins.clear();
        self.masks.clear();
        self.enter(regs, kernel, exists);
    }

    /// Begins a frame: its registers are undefined, except its constants.
    pub fn enter(&mut self, regs: &Registers, function: &Function, mask: Mask) {
        let (slots, preds) = (function.frame.slots as usize, function.frame.preds as usize);
        self.reserve(regs, slots, preds);
        // Other lanes may be in this frame already.
        self.whole[regs.base..regs.base + slots].iter_mut().for_each(|whole| *whole |= mask);
        let marks = &mut self.marks.list[UndefinedMarks::frame(regs)..];
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

    /// Returns the undefined bits of a register in one lane.
    pub fn get(&self, regs: &Registers, reg: Reg, lane: usize) -> u64 {
        let at = regs.base + reg.index as usize;
        match reg.width {
            _ if self.marks.get(regs, reg) >> lane & 1 == 0 => 0,
            Width::None => 0,
            Width::Pred => 1,
            Width::Word => self.word_at(at, lane).into(),
            Width::Double | Width::Quad => self.wide_at(at, lane),
        }
    }

    fn word_at(&self, at: usize, lane: usize) -> u32 {
        if self.whole[at] >> lane & 1 != 0 { !0 } else { self.slots[at][lane] }
    }

    fn wide_at(&self, at: usize, lane: usize) -> u64 {
        u64::from(self.word_at(at, lane)) | u64::from(self.word_at(at + 1, lane)) << 32
    }

    fn set_words(&mut self, at: usize, lane: usize, words: &[u32]) {
        for (at, &undefined) in (at..).zip(words) {
            self.whole[at] &= !(1 << lane);
            self.slots[at][lane] = undefined;
        }
    }

    /// Returns the undefined bits of the high half of a quad.
    pub fn get_high(&self, regs: &Registers, reg: Reg, lane: usize) -> u64 {
        if reg.width == Width::Quad { self.get(regs, high_half(reg), lane) } else { 0 }
    }

    /// Sets one lane's undefined bits; for a quad, those of both halves.
    pub fn set(&mut self, regs: &Registers, reg: Reg, lane: usize, undefined: u64) {
        let at = regs.base + reg.index as usize;
        let [low, high] = [undefined as u32, (undefined >> 32) as u32];
        match reg.width {
            Width::None | Width::Pred => {}
            Width::Word => self.set_words(at, lane, &[low]),
            Width::Double => self.set_words(at, lane, &[low, high]),
            Width::Quad => self.set_words(at, lane, &[low, high, low, high]),
        }
        let any = undefined != 0 && (reg.width != Width::Word || low != 0);
        self.mark(regs, reg, lane, any);
    }

    fn mark(&mut self, regs: &Registers, reg: Reg, lane: usize, any: bool) {
        let mark = |mark: &mut Mask| *mark = *mark & !(1 << lane) | u32::from(any) << lane;
        self.marks.each(regs, reg).for_each(mark);
    }

    /// Sets those of a quad's high half, after [`RegisterBits::set`].
    pub fn set_high(&mut self, regs: &Registers, reg: Reg, lane: usize, undefined: u64) {
        if reg.width == Width::Quad {
            let any = undefined | self.get(regs, reg, lane) != 0;
            let words = [undefined as u32, (undefined >> 32) as u32];
            self.set_words(regs.base + reg.index as usize + 2, lane, &words);
            self.mark(regs, reg, lane, any);
        }
    }

    /// True if some lane in `mask` may have an undefined bit.
    #[inline(always)]
    pub fn is_tainted(&self, regs: &Registers, reg: Reg, mask: Mask) -> bool {
        self.marks.get(regs, reg) & mask != 0
    }

    /// Returns the lanes of `mask` with an undefined bit.
    pub fn undefined_lanes(&self, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        if !self.is_tainted(regs, reg, mask) {
            return 0;
        }
        lanes(mask).map(|lane| u32::from(self.get(regs, reg, lane) | self.get_high(regs, reg, lane) != 0) << lane).sum()
    }

    /// Marks a register as defined.
    #[inline(always)]
    pub fn define(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        if self.is_tainted(regs, reg, mask) {
            self.marks.each(regs, reg).for_each(|mark| *mark &= !mask);
        }
    }

    fn undefine(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        let slots = (regs.base + reg.index as usize..).take(reg.width.slots() as usize);
        slots.for_each(|at| self.whole[at] |= mask);
        self.marks.each(regs, reg).for_each(|mark| *mark |= mask);
    }

    /// Marks a register as overwritten with a defined value.
    #[inline(always)]
    pub fn renew(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        self.masks.forget(regs, reg, mask);
        self.define(regs, reg, mask);
    }

    /// Records that a register is about to be overwritten with a value that is no mask.
    #[inline(always)]
    pub fn forget_mask(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        self.masks.forget(regs, reg, mask);
    }

    /// Records that `activemask` at `site` returned to these lanes their own mask.
    pub fn asked(&mut self, regs: &Registers, reg: Reg, mask: Mask, site: u32) {
        self.define(regs, reg, mask);
        self.masks.asked(regs, reg, mask, site);
    }

    /// Marks `to` as undefined in these lanes because `from` is.
    pub fn undefine_by(&mut self, regs: &Registers, from: Reg, to: Reg, mask: Mask) {
        self.undefine(regs, to, mask);
        self.origins.spread(regs, from, to, mask);
    }

    /// Marks a register as undefined because the access that should have provided its value is omitted.
    pub fn leave_out(&mut self, regs: &Registers, reg: Reg, mask: Mask) {
        self.masks.forget(regs, reg, mask);
        self.undefine(regs, reg, mask);
        lanes(mask).for_each(|lane| self.origins.set(regs, reg, lane, LEFT_OUT));
    }

    /// Marks a register as undefined in these lanes, each with its own origin.
    pub fn undefine_for(&mut self, regs: &Registers, reg: Reg, origins: &[(usize, OriginId)]) {
        for &(lane, origin) in origins {
            self.masks.forget(regs, reg, 1 << lane);
            self.undefine(regs, reg, 1 << lane);
            self.origins.set(regs, reg, lane, origin);
        }
    }

    /// Returns the lanes of `mask` whose value depends on an omitted access.
    pub fn misled(&self, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        let is_it = |lane: &usize| self.origins.get(regs, reg, *lane) == LEFT_OUT;
        lanes(self.undefined_lanes(regs, reg, mask)).filter(is_it).fold(0, |all, lane| all | 1 << lane)
    }

    /// Returns the lanes of `mask` with an undefined bit, each with its origin.
    pub fn guilty(&self, regs: &Registers, reg: Reg, mask: Mask) -> Vec<(usize, OriginId)> {
        let guilty = lanes(self.undefined_lanes(regs, reg, mask));
        guilty.map(|lane| (lane, self.origins.get(regs, reg, lane))).collect()
    }

    /// Propagates undefined bits through an instruction that is about to run.
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
        if !self.masks.is_empty() {
            self.masks.pass(&[(&source, from.1)], (&target, to.1), mask);
        }
    }
}

/// The second 64 bits of a quad.
fn high_half(quad: Reg) -> Reg {
    Reg::new(quad.index + 2, Width::Double)
}

#[cfg(test)]
mod tests {
    use super::*;

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
