//! The values that registers and memory get, passed on to the parts that track undefined bits; and the values that must
//! not be undefined.

use super::{BlockState, Checker, WarpState};
use crate::evidence::here::Here;
use crate::undefined::origins::{LEFT_OUT, OriginId};
use crate::undefined::report::Reporter;
use finding::Decision;
use machine::code::Function;
use machine::exec::warp::Collective;
use machine::exec::{Alu, Op};
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, Width};
use machine::watch::{At, CollectiveGroup, GuardRead, ValueEvents, Window};

impl Checker<'_> {
    /// Reports that something depends on undefined values of these lanes.
    pub(super) fn depends(
        &mut self,
        at: &At,
        warp: &mut WarpState,
        what: Decision,
        reg: Option<Reg>,
        mut guilty: Vec<(usize, OriginId)>,
    ) {
        let misled = guilty.extract_if(.., |(_, origin)| *origin == LEFT_OUT);
        let misled = misled.fold(0, |all, (lane, _)| all | 1 << lane);
        // An access with such an address or operand is not made, and its lane continues.
        if misled != 0 && !matches!(what, Decision::Address | Decision::CopySize | Decision::Atomic) {
            warp.astray |= misled;
            self.strays = true;
        }
        guilty.retain(|(lane, _)| warp.astray >> lane & 1 == 0);
        let site = warp.trace.site(&mut self.trace.sites, at);
        let reporter = Reporter {
            undefined: self.state.undefined(),
            past: self.state.past(),
            findings: &mut self.findings,
            sites: &self.trace.sites,
            number: self.number,
        };
        reporter.depends(at, site, what, reg, &guilty);
    }

    #[cold]
    fn undefined_register(
        &mut self,
        at: &At,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        mask: Mask,
        what: Decision,
    ) {
        let guilty = warp.undefined.registers.guilty(regs, reg, mask);
        if !guilty.is_empty() {
            self.depends(at, warp, what, Some(reg), guilty);
        }
    }
}

impl ValueEvents for Checker<'_> {
    fn define_memory(&mut self, space: Space, base: u64, address: u64, bytes: u64, block: &mut BlockState) {
        match space {
            Space::Shared => block.undefined.fill(address - base, bytes, false),
            _ => self.state.undefined_mut().fill_known(base, address - base, bytes, false),
        }
    }

    fn enter_frame(&mut self, warp: &mut WarpState, regs: &Registers, function: &Function, local: u64, mask: Mask) {
        warp.undefined.registers.enter(regs, function, mask);
        warp.undefined.locals.forget(local, mask);
    }

    fn copy_register(&mut self, warp: &mut WarpState, from: (Window, Reg), to: (Window, Reg), mask: Mask) {
        warp.undefined.registers.copy(from, to, mask);
    }

    fn copy_local(&mut self, warp: &mut WarpState, from: u64, to: u64, bytes: u64, mask: Mask) {
        warp.undefined.locals.copy(from, to, bytes, mask);
    }

    fn undefine_local(&mut self, warp: &mut WarpState, at: u64, bytes: u64, lane: usize) {
        warp.undefined.locals.undefine(at, bytes, lane);
    }

    fn define_local(&mut self, warp: &mut WarpState, at: u64, bytes: u64, mask: Mask) {
        warp.undefined.locals.define(at, bytes, mask);
    }

    #[inline(always)]
    fn alu(&mut self, warp: &mut WarpState, regs: &Registers, alu: &Alu, mask: Mask) {
        warp.undefined.alu(regs, alu, mask);
    }

    fn left_out(&mut self, warp: &mut WarpState, regs: &Registers, results: &[Reg], mask: Mask, writes: bool) {
        results.iter().for_each(|&reg| warp.undefined.registers.leave_out(regs, reg, mask));
        if writes {
            self.state.undefined_mut().lose();
        }
    }

    fn define(&mut self, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask) {
        warp.undefined.registers.renew(regs, reg, mask);
    }

    fn active_mask(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask) {
        let site = warp.trace.site(&mut self.trace.sites, at);
        warp.undefined.registers.asked(regs, reg, mask, site);
        if let Some(hints) = &mut self.trace.hints {
            hints.asked(at, site, mask, warp.trace.live());
        }
    }

    #[inline(always)]
    fn guard(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, guard: &GuardRead, mask: Mask) {
        let GuardRead { pred, op, runs } = *guard;
        let reg = Reg::new(pred, Width::Pred);
        if warp.undefined.registers.is_tainted(regs, reg, mask) {
            let guilty = warp.undefined.registers.undefined_lanes(regs, reg, mask);
            if !warp.undefined.guard(regs, reg, op, guilty, runs) {
                let what = match op {
                    Op::Branch(_) | Op::Return | Op::Exit => Decision::Branch,
                    _ => Decision::Condition,
                };
                let origins = if what == Decision::Branch {
                    warp.undefined.registers.guilty(regs, reg, guilty)
                } else {
                    Vec::new()
                };
                let is_hammock = !origins.is_empty() && self.enter_hammock(at, warp, origins, Vec::new());
                if !is_hammock {
                    self.undefined_register(at, warp, regs, reg, guilty, what);
                }
            }
        }
    }

    #[inline(always)]
    fn decide(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask, what: Decision) {
        if warp.undefined.registers.is_tainted(regs, reg, mask) {
            self.undefined_register(at, warp, regs, reg, mask, what);
        }
    }

    fn gather(&mut self, warp: &mut WarpState, regs: &Registers, op: &Collective, group: Mask) {
        warp.undefined.gather(regs, op, group);
    }

    fn collective(&mut self, meeting: &CollectiveGroup, warp: &mut WarpState, regs: &Registers) {
        let CollectiveGroup { at, op, group, out, .. } = meeting;
        let WarpState { undefined, trace, .. } = warp;
        if let Some(hints) = &mut self.trace.hints {
            hints.shuffled(at, trace.site(&mut self.trace.sites, at), op.kind, group & !out.p);
        }
        let here = Here { number: self.number, sites: &mut self.trace.sites, warp: trace, exited: None };
        self.state.undefined_mut().give(meeting, undefined, regs, here);
    }
}
