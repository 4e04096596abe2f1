//! Registers that depend on a read whose value is not known.

use machine::code::Instr;
use machine::exec::Op;
use machine::exec::operands::{results, sources};
use machine::registers::Reg;
use rustc_hash::FxHashSet;

/// The registers of one thread that hold no value yet.
#[derive(Clone, Debug, Default)]
pub struct Taint(FxHashSet<usize>);

impl Taint {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, reg: Reg) -> bool {
        !self.0.is_empty() && self.0.contains(&reg.mark())
    }

    pub fn add(&mut self, reg: Reg) {
        self.0.insert(reg.mark());
    }

    fn reads_any(&self, instr: &Instr) -> bool {
        let mut found = false;
        sources(&instr.op, |reg| found |= self.has(reg));
        found
    }

    /// Returns true if the thread cannot run an instruction before it knows more: what it does, or where it goes next,
    /// depends on a value that is not known. Arithmetic only hands that on, and a store waits in its place.
    pub fn stops(&self, instr: &Instr) -> bool {
        if self.0.is_empty() {
            return false;
        }
        if instr.guard.register().is_some_and(|reg| self.has(reg)) {
            return true;
        }
        match &instr.op {
            Op::Alu(_) | Op::Steps(_) => false,
            Op::Load(load) => self.has(load.base),
            Op::Store(store) => self.has(store.base),
            Op::Call(_) | Op::Return => true,
            _ => self.reads_any(instr),
        }
    }

    /// Follows the values of an instruction to its results.
    pub fn follow(&mut self, instr: &Instr) {
        if self.0.is_empty() {
            return;
        }
        let is_arithmetic = matches!(instr.op, Op::Alu(_) | Op::Steps(_));
        let spreads = is_arithmetic && self.reads_any(instr);
        results(&instr.op, |reg| {
            if spreads {
                self.0.insert(reg.mark());
            } else {
                self.0.remove(&reg.mark());
            }
        });
    }
}
