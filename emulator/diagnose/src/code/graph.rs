//! The control-flow graph: edges inside each function, and which calls lead from one to another.

use super::Reading;
use machine::code::{InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::branch::Callee;
use machine::exec::warp::CollectiveKind;

/// Whom a barrier holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// All threads of a block.
    Block,
    /// Lanes of a warp, or all threads of a block.
    Lanes,
}

/// Facts that are worked out of the code once. Functions are named by their position in [`KernelCode::functions`].
pub struct Graph {
    /// The calls of each function.
    pub callers: Vec<Vec<u32>>,
    /// The basic block of each instruction; a call and a barrier end one.
    blocks: Vec<u32>,
    /// The functions that a thread can come through, by [`way`]: in any way, without a barrier of the block, without
    /// any.
    passed: [Vec<bool>; 3],
}

/// An index into [`Graph::passed`].
fn way(without: Option<Holds>) -> usize {
    without.map_or(0, |holds| 1 + holds as usize)
}

impl Graph {
    pub fn new(code: &KernelCode) -> Graph {
        let mut callers = vec![Vec::new(); code.functions.len()];
        let mut begins = vec![false; code.instrs.len() + 1];
        for pc in 0..code.instrs.len() as u32 {
            if let Some(function) = callee(code, pc) {
                callers[function].push(pc);
            }
            code.instrs[pc as usize].targets().iter().for_each(|target| begins[*target as usize] = true);
            let op = &code.instrs[pc as usize].op;
            begins[pc as usize + 1] |=
                matches!(op, Op::Branch(_) | Op::Call(_) | Op::Return | Op::Exit | Op::Trap | Op::Barrier(_));
        }
        let block = begins[..code.instrs.len()].iter().scan(0, |block, begins| {
            *block += u32::from(*begins);
            Some(*block)
        });
        let blocks = block.collect();
        Graph { callers, blocks, passed: [None, Some(Holds::Block), Some(Holds::Lanes)].map(|it| passed(code, it)) }
    }

    pub fn is_passed(&self, function: usize, without: Option<Holds>) -> bool {
        self.passed[way(without)][function]
    }
}

/// The functions that a thread can come through without a barrier. Who calls itself alone never comes back.
fn passed(code: &KernelCode, without: Option<Holds>) -> Vec<bool> {
    let mut passed = vec![false; code.functions.len()];
    let is_passed = |passed: &[bool], function: usize| {
        let (mut seen, mut todo) = (vec![false; code.instrs.len()], vec![code.functions[function].entry]);
        while let Some(pc) = todo.pop() {
            if seen.get_mut(pc as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            if matches!(code.instrs[pc as usize].op, Op::Return) {
                return true;
            }
            todo.extend(next(code, pc, |callee| passed[callee], without));
        }
        false
    };
    loop {
        let more: Vec<usize> =
            (0..passed.len()).filter(|function| !passed[*function] && is_passed(&passed, *function)).collect();
        if more.is_empty() {
            return passed;
        }
        more.into_iter().for_each(|function| passed[function] = true);
    }
}

/// Returns where a thread may be next in the same function, if no barrier holds it. Calls are stepped over, and code
/// that is not known comes back.
pub fn next(
    code: &KernelCode,
    pc: u32,
    is_passed: impl Fn(usize) -> bool,
    without: Option<Holds>,
) -> impl Iterator<Item = u32> {
    let instr = &code.instrs[pc as usize];
    let goes_on = match &instr.op {
        Op::Branch(_) | Op::Return | Op::Exit | Op::Trap => false,
        Op::Call(_) => callee(code, pc).is_none_or(is_passed),
        _ => !without.is_some_and(|holds| is_barrier(code, pc, holds)),
    };
    let goes_on = goes_on || instr.guard != InstrGuard::Always;
    instr.targets().iter().copied().chain(goes_on.then_some(pc + 1))
}

/// The function that a call leads to, where the code says it.
pub fn callee(code: &KernelCode, pc: u32) -> Option<usize> {
    let Op::Call(call) = &code.instrs[pc as usize].op else { return None };
    let Callee::Function(index) = call.callee else { return None };
    let own = code.function_at(pc) as u32;
    let part = code.parts.iter().find(|part| (part.first..part.end).contains(&own))?;
    code.function(part, index).map(|(at, _)| at as usize)
}

fn is_barrier(code: &KernelCode, pc: u32, holds: Holds) -> bool {
    let instr = &code.instrs[pc as usize];
    let is_one = match &instr.op {
        Op::Barrier(it) => it.waits && !it.threads.is_some(),
        Op::Warp(it) => it.kind == CollectiveKind::Barrier && holds == Holds::Lanes,
        _ => false,
    };
    is_one && instr.guard == InstrGuard::Always
}

impl Reading<'_> {
    /// True for a barrier, and for a call that nobody comes out of without one.
    pub fn is_held(&self, pc: u32, holds: Holds) -> bool {
        let passed = |function, without| self.graph().is_passed(function, without);
        match callee(self.code, pc).filter(|_| self.instr(pc).guard == InstrGuard::Always) {
            Some(function) => passed(function, None) && !passed(function, Some(holds)),
            None => is_barrier(self.code, pc, holds),
        }
    }

    /// True if an instruction is such a one, or a call that may come to one.
    pub fn may_do(&self, pc: u32, is_it: impl Fn(&Op) -> bool) -> bool {
        let (mut seen, mut todo) = (vec![false; self.code.functions.len()], vec![pc]);
        while let Some(pc) = todo.pop() {
            match (callee(self.code, pc), self.op(pc)) {
                (Some(function), _) if std::mem::replace(&mut seen[function], true) => {}
                (Some(function), _) => todo.extend(self.code.body(function)),
                (None, Op::Call(_)) => return true,
                (None, op) if is_it(op) => return true,
                _ => {}
            }
        }
        false
    }

    /// True if a thread that comes to `from` comes to `to` next, and no other does: they stand in one basic block, and
    /// no barrier between them.
    pub fn in_one_run(&self, from: u32, to: u32) -> bool {
        let block = |pc: u32| self.graph().blocks[pc as usize];
        from < to && block(from) == block(to) && self.instr(from).guard == InstrGuard::Always
    }
}
