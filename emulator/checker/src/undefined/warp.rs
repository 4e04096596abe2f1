//! The undefined bits of a warp's registers and of its threads' local memory.

use crate::undefined::locals::Locals;
use crate::undefined::origins::OriginId;
use crate::undefined::registers::RegisterBits;
use machine::code::Function;
use machine::exec::{Alu, Op};
use machine::registers::{Mask, Reg, Registers};

#[derive(Debug, Default)]
pub struct WarpUndefined {
    pub registers: RegisterBits,
    pub locals: Locals,
    /// The undefined bits that each lane brings to a meeting.
    pub(super) brought: Vec<Brought>,
    /// The operations about to run whose guard is undefined.
    guarded: Guarded,
}

/// Undefined bits that a lane brings to a meeting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brought {
    pub(super) value: u64,
    /// True if the other operands have undefined bits.
    pub(super) rest: bool,
    /// The origins of the value, and of the other operands.
    pub(super) origins: (OriginId, OriginId),
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

    /// Begins a meeting.
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

    /// Marks the result of `op` as undefined in these lanes, since `guard` is: whether they run `op` or not, its result
    /// is undefined, and that is not yet a decision. Returns false for an operation without a result.
    pub fn guard(&mut self, regs: &Registers, guard: Reg, op: &Op, guilty: Mask, runs: bool) -> bool {
        let steps = match op {
            Op::Alu(alu) => std::slice::from_ref(alu),
            Op::Steps(steps) => steps,
            _ => return false,
        };
        for alu in steps {
            self.registers.undefine_by(regs, guard, alu.args.d, guilty);
        }
        // The lanes that run it must not define the result either.
        self.guarded = Guarded { lanes: guilty, operations: if runs { steps.len() } else { 0 }, guard };
        true
    }
}
