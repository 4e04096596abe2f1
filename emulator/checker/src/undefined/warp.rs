//! What is undefined in a warp's registers and its threads' local memory.

use crate::undefined::locals::Locals;
use crate::undefined::origins::Origin;
use crate::undefined::registers::RegisterBits;
use machine::code::Function;
use machine::exec::{Alu, Op};
use machine::registers::{Mask, Reg, Registers};

#[derive(Debug, Default)]
pub struct WarpUndefined {
    pub registers: RegisterBits,
    pub locals: Locals,
    /// What each lane brings to a meeting.
    pub(super) brought: Vec<Brought>,
    /// For the operations about to run, how many these are.
    guarded: Guarded,
}

/// Undefined bits that a lane brings to a meeting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brought {
    pub(super) value: u64,
    /// Whether all the rest has any.
    pub(super) rest: bool,
    /// What is behind the value, and behind the rest.
    pub(super) origins: (Origin, Origin),
}

/// Lanes whose guard was undefined, and the guard.
#[derive(Debug)]
struct Guarded {
    lanes: Mask,
    operations: usize,
    guard: Reg,
}

impl Default for Guarded {
    fn default() -> Guarded {
        Guarded { lanes: 0, operations: 0, guard: Reg::NONE }
    }
}

impl WarpUndefined {
    pub fn begin(&mut self, regs: &Registers, kernel: &Function, exists: Mask) {
        self.registers.begin(regs, kernel, exists);
        self.locals.begin();
        self.guarded = Guarded::default();
    }

    /// A meeting begins.
    pub fn meet(&mut self) {
        self.brought.clear();
    }

    #[inline(always)]
    pub fn alu(&mut self, regs: &Registers, alu: &Alu, mask: Mask) {
        self.registers.alu(regs, alu, mask);
        if self.guarded.operations != 0 {
            self.registers.undefine_by(regs, self.guarded.guard, alu.args.d, self.guarded.lanes);
            self.guarded.operations -= 1;
        }
    }

    /// `guard` is undefined in these lanes: whether they run `op` or not, its result is undefined, and that is not yet a decision.
    /// False for an operation without one.
    pub fn guard(&mut self, regs: &Registers, guard: Reg, op: &Op, guilty: Mask, runs: bool) -> bool {
        let steps = match op {
            Op::Alu(alu) => std::slice::from_ref(alu),
            Op::Steps(steps) => steps,
            _ => return false,
        };
        for alu in steps {
            self.registers.undefine_by(regs, guard, alu.args.d, guilty);
        }
        // Those lanes that do run it must not define it either.
        self.guarded = Guarded { lanes: guilty, operations: if runs { steps.len() } else { 0 }, guard };
        true
    }
}
