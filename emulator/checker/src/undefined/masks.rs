//! Registers that hold a result of `activemask` (PTX ISA, "activemask": the lanes that happen to execute it together).
//!
//! The mask of a shuffle can be right only by design, and this one is a matter of luck. So if a shuffle goes wrong with
//! it, the report shows where it was obtained. Tracked through arithmetic, calls and moves, not through memory. A
//! register computed from several values counts only while it still holds that very mask, so this errs towards silence.

use crate::undefined::origins::place;
use machine::lanes::Args;
use machine::registers::{Mask, Reg, Registers};

/// A mask that some lanes got, and the register that holds it now.
#[derive(Clone, Copy, Debug)]
struct HeldMask {
    /// The register, as [`crate::undefined::origins`] numbers it.
    place: usize,
    lanes: Mask,
    value: Mask,
    /// The site of the `activemask`.
    site: u32,
}

/// The greatest number of masks that are kept; the oldest is dropped.
const MOST: usize = 16;

#[derive(Debug, Default)]
pub struct Masks {
    held: Vec<HeldMask>,
}

impl Masks {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// Records that `activemask` at `site` returned to `lanes` their own mask.
    pub fn asked(&mut self, regs: &Registers, reg: Reg, lanes: Mask, site: u32) {
        self.forget(regs, reg, lanes);
        self.hold(HeldMask { place: place(regs, reg), lanes, value: lanes, site });
    }

    fn hold(&mut self, held: HeldMask) {
        if self.held.len() == MOST {
            self.held.remove(0);
        }
        self.held.push(held);
    }

    /// Records that a register is overwritten with another value.
    pub fn forget(&mut self, regs: &Registers, reg: Reg, lanes: Mask) {
        if !self.is_empty() && reg.is_some() {
            let place = place(regs, reg);
            self.held.iter_mut().filter(|held| held.place == place).for_each(|held| held.lanes &= !lanes);
            self.held.retain(|held| held.lanes != 0);
        }
    }

    /// Records that the lanes' registers of a frame are new.
    pub fn forget_all(&mut self, lanes: Mask, frame: impl Iterator<Item = usize> + Clone) {
        let is_inside = |held: &&mut HeldMask| frame.clone().any(|place| place == held.place);
        self.held.iter_mut().filter(is_inside).for_each(|held| held.lanes &= !lanes);
        self.held.retain(|held| held.lanes != 0);
    }

    /// Propagates masks from an instruction's sources to its result.
    pub fn follow(&mut self, regs: &Registers, args: &Args, lanes: Mask) {
        self.pass(&[args.a, args.b, args.c, args.q].map(|reg| (regs, reg)), (regs, args.d), lanes);
    }

    /// As `follow`, between two windows of registers.
    pub fn pass(&mut self, from: &[(&Registers, Reg)], (regs, to): (&Registers, Reg), lanes: Mask) {
        let sources = from.iter().filter(|(_, reg)| reg.is_some()).map(|(regs, reg)| place(regs, *reg));
        let handed: Vec<HeldMask> = {
            let is_source =
                |held: &&HeldMask| held.lanes & lanes != 0 && sources.clone().any(|place| place == held.place);
            self.held.iter().filter(is_source).copied().collect()
        };
        self.forget(regs, to, lanes);
        if to.is_some() {
            let place = place(regs, to);
            handed.into_iter().for_each(|held| self.hold(HeldMask { place, lanes: held.lanes & lanes, ..held }));
        }
    }

    /// Returns the site of the `activemask` that `lane` got the mask in a register from.
    pub fn source(&self, regs: &Registers, reg: Reg, lane: usize) -> Option<u32> {
        if self.is_empty() || !reg.is_some() {
            return None;
        }
        let (place, value) = (place(regs, reg), regs.get(reg, lane) as Mask);
        let holds = |held: &&HeldMask| held.place == place && held.lanes >> lane & 1 != 0 && held.value == value;
        self.held.iter().rev().find(holds).map(|held| held.site)
    }
}
