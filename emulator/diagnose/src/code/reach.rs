//! Which instructions a thread can come to from others.

use super::Reading;
use super::graph::{Holds, callee, next};
use machine::code::InstrGuard;
use machine::exec::Op;

/// The instructions and the barrier that a path must not pass.
#[derive(Clone, Copy, Default)]
pub struct Without<'a> {
    pub barrier: Option<Holds>,
    pub any_of: &'a [u32],
}

impl Without<'_> {
    pub fn barrier(holds: Holds) -> Without<'static> {
        Without { barrier: Some(holds), any_of: &[] }
    }
}

/// A place on a way: whether a thread that comes to the end of its function goes on behind a call of it. In a function
/// that it has come to by a call on its way it does not: that call was stepped over.
type ReachPoint = (u32, bool);

impl Reading<'_> {
    /// True if a thread can come from one of these instructions to one of those, out of its own function as well.
    pub fn is_way(&self, from: &[u32], to: &[u32], without: Without) -> bool {
        self.walk(self.behind(from, true), to, without)
    }

    /// As `is_way`, for one call of a function.
    pub fn is_way_inside(&self, from: u32, to: u32) -> bool {
        self.walk(self.behind(&[from], false), &[to], Without::default())
    }

    /// True if a thread can come from the start of its function to an instruction round all of these.
    pub fn is_way_round(&self, round: &[u32], to: u32) -> bool {
        let entry = self.code.functions[self.code.function_at(to)].entry;
        self.walk(vec![(entry, false)], &[to], Without { any_of: round, ..Without::default() })
    }

    fn behind(&self, from: &[u32], returns: bool) -> Vec<ReachPoint> {
        let mut todo = Vec::new();
        from.iter().for_each(|pc| self.leave(*pc, returns, None, &mut todo));
        todo
    }

    fn walk(&self, mut todo: Vec<ReachPoint>, to: &[u32], without: Without) -> bool {
        let mut seen = [vec![false; self.code.instrs.len()], vec![false; self.code.instrs.len()]];
        while let Some((pc, returns)) = todo.pop() {
            // Behind the last instruction there is none.
            if seen[usize::from(returns)].get_mut(pc as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            if to.contains(&pc) {
                return true;
            }
            if self.instr(pc).guard == InstrGuard::Always && without.any_of.contains(&pc) {
                continue;
            }
            todo.extend(callee(self.code, pc).map(|function| (self.code.functions[function].entry, false)));
            self.leave(pc, returns, without.barrier, &mut todo);
        }
        false
    }

    /// Adds the steps at which a thread may be after an instruction.
    fn leave(&self, pc: u32, returns: bool, without: Option<Holds>, todo: &mut Vec<ReachPoint>) {
        let graph = self.graph();
        let is_passed = |function| graph.is_passed(function, without);
        todo.extend(next(self.code, pc, is_passed, without).map(|pc| (pc, returns)));
        if returns && matches!(self.op(pc), Op::Return) {
            todo.extend(graph.callers[self.code.function_at(pc)].iter().map(|call| (call + 1, true)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::code::{Function, Instr, KernelCode, KernelPart, NO_LOCATION};
    use machine::decode::Frame;
    use machine::exec::branch::{BranchOp, CallOp, Callee};
    use machine::exec::class::Class;

    /// Functions one after the other, the first of them the kernel.
    fn code(functions: &[&[Op]]) -> KernelCode {
        let mut code = KernelCode::default();
        for (index, body) in functions.iter().enumerate() {
            let entry = code.instrs.len() as u32;
            let (params, results) = (Vec::new(), Vec::new());
            code.functions.push(Function { index, entry, frame: Frame::default(), local_bytes: 0, params, results });
            code.instrs.extend(body.iter().map(|op| Instr {
                op: op.clone(),
                guard: InstrGuard::Always,
                class: Class::Control,
                line: 1,
                location: NO_LOCATION,
            }));
        }
        let (name, end) = ("kernel".into(), functions.len() as u32);
        code.parts = vec![KernelPart { name, end, ..KernelPart::default() }];
        code
    }

    fn call(function: usize) -> Op {
        Op::Call(Box::new(CallOp { callee: Callee::Function(function), arguments: Vec::new(), results: Vec::new() }))
    }

    #[test]
    fn a_call_comes_back_to_its_own_line_and_a_function_to_all_of_its_calls() {
        let code = code(&[&[call(1), Op::Exit, call(1), Op::Return], &[Op::Nop, Op::Return]]);
        let reading = Reading::new(&code);
        let is_way = |from, to| reading.is_way(&[from], &[to], Without::default());
        // The first call is followed by the end, and neither is entered by who has come back.
        assert_eq!([is_way(0, 1), is_way(0, 2), is_way(2, 3), is_way(2, 4)], [true, false, true, false]);
        assert_eq!([is_way(4, 1), is_way(4, 3), is_way(4, 2)], [true, true, false]);
        assert!(reading.is_way_round(&[], 1) && !reading.is_way_round(&[0], 1));
    }

    #[test]
    fn who_calls_itself_alone_never_comes_back() {
        let code = code(&[&[call(1), call(2), Op::Return], &[Op::Nop, Op::Return], &[call(2), Op::Return]]);
        let reading = Reading::new(&code);
        let is_way = |from, to| reading.is_way(&[from], &[to], Without::default());
        assert!(is_way(3, 1) && is_way(3, 5) && !is_way(3, 2) && !is_way(3, 6));
    }

    #[test]
    fn a_jump_back_makes_a_loop() {
        let code = code(&[&[Op::Nop, Op::Nop, Op::Branch(BranchOp::To(1)), Op::Return]]);
        let reading = Reading::new(&code);
        assert_eq!([0, 1, 2, 3].map(|pc| reading.is_in_loop(pc)), [false, true, true, false]);
    }
}
