//! Which registers hold what `activemask` gave (PTX ISA, "activemask": the lanes that happen to execute it together).
//!
//! A mask that a shuffle is called with can be right only by design, and this one is a matter of luck. So where a
//! shuffle goes wrong under it, the report shows where it was asked for. Followed through arithmetic, calls and moves,
//! not through memory. A register made of several values counts only while it still holds the very mask, so the errors
//! are towards silence.

use crate::undefined::origins::place;
use machine::lanes::Args;
use machine::registers::{Mask, Reg, Registers};

/// What some lanes got, and where it is now.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// As [`crate::undefined::origins`] numbers registers.
    place: usize,
    lanes: Mask,
    value: Mask,
    /// Of the `activemask`.
    site: u32,
}

/// More are not kept: the oldest goes.
const MOST: usize = 16;

#[derive(Debug, Default)]
pub struct Masks {
    held: Vec<Held>,
}

impl Masks {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// `activemask` at `site` gave `lanes` their own mask.
    pub fn asked(&mut self, regs: &Registers, reg: Reg, lanes: Mask, site: u32) {
        self.forget(regs, reg, lanes);
        self.hold(Held { place: place(regs, reg), lanes, value: lanes, site });
    }

    fn hold(&mut self, held: Held) {
        if self.held.len() == MOST {
            self.held.remove(0);
        }
        self.held.push(held);
    }

    /// Written with something else.
    pub fn forget(&mut self, regs: &Registers, reg: Reg, lanes: Mask) {
        if !self.is_empty() && reg.is_some() {
            let place = place(regs, reg);
            self.held.iter_mut().filter(|held| held.place == place).for_each(|held| held.lanes &= !lanes);
            self.held.retain(|held| held.lanes != 0);
        }
    }

    /// The lanes' registers of a frame are new.
    pub fn forget_all(&mut self, lanes: Mask, frame: impl Iterator<Item = usize> + Clone) {
        let is_inside = |held: &&mut Held| frame.clone().any(|place| place == held.place);
        self.held.iter_mut().filter(is_inside).for_each(|held| held.lanes &= !lanes);
        self.held.retain(|held| held.lanes != 0);
    }

    /// An instruction hands on what its sources hold.
    pub fn follow(&mut self, regs: &Registers, args: &Args, lanes: Mask) {
        self.pass(&[args.a, args.b, args.c, args.q].map(|reg| (regs, reg)), (regs, args.d), lanes);
    }

    /// As `follow`, between two windows of registers.
    pub fn pass(&mut self, from: &[(&Registers, Reg)], (regs, to): (&Registers, Reg), lanes: Mask) {
        let sources = from.iter().filter(|(_, reg)| reg.is_some()).map(|(regs, reg)| place(regs, *reg));
        let handed: Vec<Held> = {
            let is_source = |held: &&Held| held.lanes & lanes != 0 && sources.clone().any(|place| place == held.place);
            self.held.iter().filter(is_source).copied().collect()
        };
        self.forget(regs, to, lanes);
        if to.is_some() {
            let place = place(regs, to);
            handed.into_iter().for_each(|held| self.hold(Held { place, lanes: held.lanes & lanes, ..held }));
        }
    }

    /// Where `lane` asked for the mask that it has in a register.
    pub fn source(&self, regs: &Registers, reg: Reg, lane: usize) -> Option<u32> {
        if self.is_empty() || !reg.is_some() {
            return None;
        }
        let (place, value) = (place(regs, reg), regs.get(reg, lane) as Mask);
        let holds = |held: &&Held| held.place == place && held.lanes >> lane & 1 != 0 && held.value == value;
        self.held.iter().rev().find(holds).map(|held| held.site)
    }
}
