//! Which instructions a thread can come to from others.

use super::graph::{Holds, callee, next};
use super::{Reading, function_at};
use machine::code::Guard;
use machine::exec::Op;

/// What a way must not lead over.
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

/// A place on a way: whether a thread that comes to the end of its function goes on behind a call of it. In a function that it has
/// come to by a call on its way it does not: that call was stepped over.
type Step = (u32, bool);

impl Reading<'_> {
    /// True if a thread can come from one of these instructions to one of those, out of its own function as well.
    pub fn is_way(&self, from: &[u32], to: &[u32], without: Without) -> bool {
        self.walk(self.behind(from, true), to, without)
    }

    /// The same for one call of a function.
    pub fn is_way_inside(&self, from: u32, to: u32) -> bool {
        self.walk(self.behind(&[from], false), &[to], Without::default())
    }

    /// True if a thread can come from the start of its function to an instruction round all of these.
    pub fn is_way_round(&self, round: &[u32], to: u32) -> bool {
        let entry = self.code.functions[function_at(self.code, to)].entry;
        self.walk(vec![(entry, false)], &[to], Without { any_of: round, ..Without::default() })
    }

    fn behind(&self, from: &[u32], returns: bool) -> Vec<Step> {
        let mut todo = Vec::new();
        from.iter().for_each(|pc| self.leave(*pc, returns, None, &mut todo));
        todo
    }

    fn walk(&self, mut todo: Vec<Step>, to: &[u32], without: Without) -> bool {
        let mut seen = [vec![false; self.code.instrs.len()], vec![false; self.code.instrs.len()]];
        while let Some((pc, returns)) = todo.pop() {
            // Behind the last instruction there is none.
            if seen[usize::from(returns)].get_mut(pc as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            if to.contains(&pc) {
                return true;
            }
            if self.instr(pc).guard == Guard::Always && without.any_of.contains(&pc) {
                continue;
            }
            todo.extend(callee(self.code, pc).map(|function| (self.code.functions[function].entry, false)));
            self.leave(pc, returns, without.barrier, &mut todo);
        }
        false
    }

    /// Where a thread may be behind an instruction.
    fn leave(&self, pc: u32, returns: bool, without: Option<Holds>, todo: &mut Vec<Step>) {
        let graph = self.graph();
        let is_passed = |function| graph.is_passed(function, without);
        todo.extend(next(self.code, pc, is_passed, without).map(|pc| (pc, returns)));
        if returns && matches!(self.op(pc), Op::Return) {
            todo.extend(graph.callers[function_at(self.code, pc)].iter().map(|call| (call + 1, true)));
        }
    }
}
