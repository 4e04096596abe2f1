//! Undefined guards (`@p`): what they make undefined, and where they decide something.

use crate::checks::{Checker, WarpState};
use finding::Decision;
use machine::exec::Op;
use machine::registers::{Mask, Reg, Registers};
use machine::watch::At;

impl Checker<'_> {
    /// `reg` guards `op`, and is undefined in some lanes of `mask`.
    #[expect(clippy::too_many_arguments, reason = "an instruction, its guard and its place")]
    pub fn undefined_guard(
        &mut self,
        at: &At,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        op: &Op,
        mask: Mask,
        runs: bool,
    ) {
        let guilty = warp.bits.undefined_lanes(regs, reg, mask);
        // Whether it runs or not, its result is undefined; that is not yet a decision.
        let steps = match op {
            Op::Alu(alu) => std::slice::from_ref(alu),
            Op::Steps(steps) => steps,
            _ => &[],
        };
        for alu in steps {
            warp.bits.undefine(regs, alu.args.d, guilty);
            warp.bits.origins.spread(regs, reg, alu.args.d, guilty);
        }
        match op {
            // Those lanes that do run it must not define it either.
            Op::Alu(_) | Op::Steps(_) => self.held = (guilty, if runs { steps.len() } else { 0 }, reg),
            Op::Branch(_) | Op::Return | Op::Exit => {
                self.undefined_register(at, warp, regs, reg, guilty, Decision::Branch);
            }
            _ => self.undefined_register(at, warp, regs, reg, guilty, Decision::Condition),
        }
    }
}
