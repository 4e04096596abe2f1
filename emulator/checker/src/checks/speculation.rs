//! Propagates the values of speculative loads until they have an effect ([`crate::speculation`]).

use super::{Checker, WarpState};
use crate::speculation::taint::{ReadSet, ReadSets};
use machine::code::Formal;
use machine::exec::Op;
use machine::exec::operands::{arithmetic, results, sources};
use machine::registers::{Mask, Reg, Registers};
use machine::watch::At;

impl Checker<'_> {
    /// Called before a group runs an instruction: `mask` are its lanes, `exec` those whose guard is true.
    #[inline(never)]
    pub(super) fn follow_values(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, mask: Mask, exec: Mask) {
        let instr = &at.launch.code.instrs[at.pc as usize];
        let guard = instr.guard.register();
        let (tainted, sets) = (&mut warp.reads.tainted, &mut self.speculation.sets);
        let mut used: Vec<(usize, ReadSet)> = Vec::new();
        let steps = arithmetic(&instr.op);
        for alu in steps {
            // The operands of later steps are not known yet.
            let exact = steps.len() == 1;
            tainted.alu(regs, (alu, exact), guard, (mask, exec), sets, |lane, reads| used.push((lane, reads)));
        }
        let mut decides = Vec::new();
        if steps.is_empty() {
            decides.extend(guard.into_iter().flat_map(|guard| tainted.lanes(regs, guard, mask)));
            sources(&instr.op, |reg| used.extend(tainted.lanes(regs, reg, exec)));
            if let Op::Return = instr.op {
                returned(at, |reg| used.extend(tainted.lanes(regs, reg, exec)));
            }
            results(&instr.op, |reg| tainted.define(regs, reg, exec));
        }
        if !decides.is_empty() && !self.enter_hammock(at, warp, Vec::new(), decides.clone()) {
            used.extend(decides);
        }
        for (lane, reads) in used {
            self.record_use(lane, reads);
        }
        if self.speculation.is_speculative(at.pc) && exec != 0 {
            let site = warp.trace.site(&mut self.trace.sites, at);
            let read = self.speculation.begin(&mut warp.reads, site, warp.order.clock());
            results(&instr.op, |reg| warp.reads.tainted.set_whole(regs, reg, exec, ReadSets::single(read)));
        }
    }

    /// Records that the values of these reads have an effect in a lane: their races are findings.
    pub(super) fn record_use(&mut self, lane: usize, reads: ReadSet) {
        let races = self.speculation.record_use(lane, reads);
        self.state.add_racing(races.len() as u64);
        races.into_iter().for_each(|race| self.findings.admit(race));
    }
}

/// Calls `found` with the registers in which the function at `at` returns its results.
fn returned(at: &At, mut found: impl FnMut(Reg)) {
    let code = at.launch.code;
    for result in &code.functions[code.function_at(at.pc)].results {
        if let Formal::Register(reg) = result {
            found(*reg);
        }
    }
}
