//! The instructions where the paths of a branch rejoin, for branches that an aligned barrier may follow before that.
//!
//! This is the branch's immediate post-dominator: the first instruction that is on all paths from it. A path that leads
//! straight to the thread's end does not count, since it does not rejoin. So the guard at a kernel's top has one path
//! left, and no two that could rejoin. If the paths meet only at the end, they do not rejoin. In a function they rejoin
//! at its return.

use crate::evidence::exited::ends;
use machine::code::{InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::branch::{BranchOp, CallOp, Callee};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The paths do not rejoin before the thread's end.
pub const NOWHERE: u32 = u32::MAX;
/// The paths rejoin where the function returns to.
pub const RETURN: u32 = u32::MAX - 1;

/// The tasks at an instruction, one bit each.
pub mod mark {
    pub const PARTS: u8 = 1;
    pub const REJOINS: u8 = 2;
    pub const RETURNS: u8 = 4;
}

/// A branch that an aligned barrier may follow before its paths rejoin.
#[derive(Clone, Copy, Debug)]
pub struct Parting {
    /// An instruction, or [`RETURN`] or [`NOWHERE`].
    pub rejoin: u32,
    /// True if the branch may run again before that: its paths are iterations of a loop.
    pub loops: bool,
}

/// The branches and the instructions where they rejoin, for a launch's code.
#[derive(Debug, Default)]
pub struct Rejoins {
    /// The marks of each instruction; empty if there are none.
    marks: Vec<u8>,
    partings: FxHashMap<u32, Parting>,
}

impl Rejoins {
    pub fn new(code: &KernelCode) -> Rejoins {
        let waits = functions_that_wait(code);
        if !waits.contains(&true) {
            return Rejoins::default();
        }
        let mut rejoins = Rejoins { marks: vec![0; code.instrs.len()], partings: FxHashMap::default() };
        for (function, _) in waits.iter().enumerate().filter(|(_, waits)| **waits) {
            rejoins.add(&Graph::new(code, function, &waits));
        }
        if rejoins.partings.is_empty() {
            return Rejoins::default();
        }
        for (instr, mark) in code.instrs.iter().zip(&mut rejoins.marks) {
            *mark |= if matches!(instr.op, Op::Return) { mark::RETURNS } else { 0 };
        }
        rejoins
    }

    #[inline(always)]
    pub fn marks(&self, pc: u32) -> u8 {
        self.marks.get(pc as usize).copied().unwrap_or(0)
    }

    pub fn parting(&self, pc: u32) -> Parting {
        self.partings[&pc]
    }

    fn add(&mut self, graph: &Graph) {
        let mut marks = Vec::new();
        for pc in graph.body.clone().filter(|pc| graph.parts(*pc)) {
            let rejoin = graph.rejoin(pc);
            let Some(loops) = graph.loops_with_a_barrier(pc, rejoin) else { continue };
            self.partings.insert(pc, Parting { rejoin, loops });
            marks.push((pc, mark::PARTS));
            if rejoin < RETURN {
                marks.push((rejoin, mark::REJOINS));
            }
        }
        for (pc, mark) in marks {
            self.marks[pc as usize] |= mark;
        }
    }
}

fn is_aligned(op: &Op) -> bool {
    matches!(op, Op::Barrier(it) if it.aligned)
}

/// Returns the function that a call in `function` leads to, if it is direct.
fn callee(code: &KernelCode, function: usize, call: &CallOp) -> Option<usize> {
    let Callee::Function(index) = call.callee else { return None };
    let part = code.parts.iter().find(|part| (part.first..part.end).contains(&(function as u32)))?;
    code.function(part, index).map(|(at, _)| at as usize)
}

/// True for a call that may reach an aligned barrier.
fn may_wait(code: &KernelCode, function: usize, call: &CallOp, waits: &[bool]) -> bool {
    match call.callee {
        Callee::Function(_) => callee(code, function, call).is_some_and(|callee| waits[callee]),
        Callee::Indirect(_) => waits.iter().any(|waits| *waits),
        Callee::Builtin(_) => false,
    }
}

fn functions_that_wait(code: &KernelCode) -> Vec<bool> {
    let instrs = |function: usize| code.body(function).map(|pc| &code.instrs[pc as usize].op);
    let mut waits: Vec<bool> = (0..code.functions.len()).map(|it| instrs(it).any(is_aligned)).collect();
    loop {
        let calls_one =
            |it: usize| instrs(it).any(|op| matches!(op, Op::Call(call) if may_wait(code, it, call, &waits)));
        let more: Vec<usize> = (0..waits.len()).filter(|it| !waits[*it] && calls_one(*it)).collect();
        if more.is_empty() {
            return waits;
        }
        more.into_iter().for_each(|it| waits[it] = true);
    }
}

/// The control-flow graph of one function: its instructions, numbered from 0, and one node for its end.
struct Graph<'a> {
    code: &'a KernelCode,
    function: usize,
    waits: &'a [bool],
    body: Range<u32>,
    is_kernel: bool,
    next: Vec<Vec<usize>>,
    /// The immediate post-dominator of each instruction; `None` if no path leads to the end.
    rejoins: Vec<Option<usize>>,
    /// True for instructions that are a barrier or that one may follow.
    before_barrier: Vec<bool>,
}

impl<'a> Graph<'a> {
    fn new(code: &'a KernelCode, function: usize, waits: &'a [bool]) -> Graph<'a> {
        let is_kernel = code.parts.iter().any(|part| part.first as usize == function);
        let body = code.body(function);
        let mut graph = Graph {
            code,
            function,
            waits,
            body,
            is_kernel,
            next: Vec::new(),
            rejoins: Vec::new(),
            before_barrier: Vec::new(),
        };
        let all: Vec<Vec<usize>> = graph.body.clone().map(|pc| graph.successors(pc)).collect();
        let end = all.len();
        let ends = |at: usize| is_kernel && at < end && ends(code, graph.body.start + at as u32);
        graph.next = all.iter().map(|next| next.iter().copied().filter(|at| !ends(*at)).collect()).collect();
        for (at, next) in graph.next.iter_mut().enumerate() {
            if next.is_empty() && is_kernel && !matches!(code.instrs[graph.body.start as usize + at].op, Op::Trap) {
                next.push(end);
            }
        }
        graph.next.push(Vec::new());
        // If a loop is left only by the thread's end, that end is a path like others.
        let reaching = backwards(&graph.next, [end]);
        for at in (0..end).filter(|at| !reaching[*at] && all[*at].iter().any(|next| ends(*next))) {
            graph.next[at].push(end);
        }
        graph.rejoins = post_dominators(&graph.next);
        let waiting = (0..end).filter(|at| graph.is_wait(graph.body.start + *at as u32));
        graph.before_barrier = backwards(&graph.next, waiting);
        graph
    }

    fn op(&self, pc: u32) -> &Op {
        &self.code.instrs[pc as usize].op
    }

    fn is_guarded(&self, pc: u32) -> bool {
        self.code.instrs[pc as usize].guard != InstrGuard::Always
    }

    fn is_wait(&self, pc: u32) -> bool {
        match self.op(pc) {
            Op::Call(call) => may_wait(self.code, self.function, call, self.waits),
            op => is_aligned(op),
        }
    }

    /// True if threads may leave it by several paths, or run it or not.
    fn parts(&self, pc: u32) -> bool {
        match self.op(pc) {
            Op::Branch(BranchOp::Table(_)) => true,
            Op::Call(call) if matches!(call.callee, Callee::Indirect(_)) => true,
            Op::Branch(_) | Op::Return | Op::Exit | Op::Trap => self.is_guarded(pc),
            _ => self.is_guarded(pc) && self.is_wait(pc),
        }
    }

    fn successors(&self, pc: u32) -> Vec<usize> {
        let end = self.body.len();
        let local = |pc: u32| if self.body.contains(&pc) { (pc - self.body.start) as usize } else { end };
        let mut next = match self.op(pc) {
            Op::Branch(BranchOp::To(target)) => vec![local(*target)],
            Op::Branch(BranchOp::Table(table)) => table.1.iter().map(|target| local(*target)).collect(),
            Op::Return if !self.is_kernel => vec![end],
            Op::Return | Op::Exit | Op::Trap => vec![],
            _ => vec![local(pc + 1)],
        };
        if self.is_guarded(pc) {
            next.push(local(pc + 1));
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    fn rejoin(&self, pc: u32) -> u32 {
        match self.rejoins[(pc - self.body.start) as usize] {
            Some(at) if at < self.body.len() && !ends(self.code, self.body.start + at as u32) => {
                self.body.start + at as u32
            }
            Some(_) if !self.is_kernel => RETURN,
            _ => NOWHERE,
        }
    }

    /// Returns true if the branch may run again before `rejoin`; `None` if no barrier can come before that.
    fn loops_with_a_barrier(&self, pc: u32, rejoin: u32) -> Option<bool> {
        let from = (pc - self.body.start) as usize;
        let until = if rejoin < RETURN { (rejoin - self.body.start) as usize } else { self.body.len() };
        if !self.before_barrier[from] {
            return None;
        }
        let (mut seen, mut todo) = (vec![false; self.next.len()], self.next[from].clone());
        let mut waits = self.is_wait(pc);
        while let Some(at) = todo.pop() {
            if at == until || at == self.body.len() || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            waits |= self.is_wait(self.body.start + at as u32);
            todo.extend(&self.next[at]);
        }
        waits.then_some(seen[from])
    }
}

/// Returns the nodes from which a path leads to one of `to`, including these.
fn backwards(next: &[Vec<usize>], to: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let before = reversed(next);
    let (mut reaching, mut todo) = (vec![false; next.len()], Vec::from_iter(to));
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut reaching[at], true) {
            todo.extend(&before[at]);
        }
    }
    reaching
}

fn reversed(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (at, next) in next.iter().enumerate() {
        next.iter().for_each(|to| before[*to].push(at));
    }
    before
}

/// Returns the immediate post-dominators; the last node is the end (Cooper, Harvey and Kennedy, "A Simple, Fast
/// Dominance Algorithm", on the reversed graph).
fn post_dominators(next: &[Vec<usize>]) -> Vec<Option<usize>> {
    let (end, before) = (next.len() - 1, reversed(next));
    let mut order = vec![usize::MAX; next.len()];
    let mut postorder = Vec::new();
    let (mut seen, mut stack) = (vec![false; next.len()], vec![(end, 0)]);
    seen[end] = true;
    while let Some((at, tried)) = stack.last_mut() {
        match before[*at].get(*tried) {
            Some(&to) => {
                *tried += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order[*at] = postorder.len();
                postorder.push(*at);
                stack.pop();
            }
        }
    }
    let mut found: Vec<Option<usize>> = vec![None; next.len()];
    found[end] = Some(end);
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for &at in postorder.iter().rev().skip(1) {
            let mut new = None;
            for &to in next[at].iter().filter(|to| found[**to].is_some()) {
                let (mut one, mut other) = (to, new.unwrap_or(to));
                while one != other {
                    let low = if order[one] < order[other] { &mut one } else { &mut other };
                    *low = found[*low].expect("nearer to the end");
                }
                new = Some(one);
            }
            if new.is_some() && found[at] != new {
                found[at] = new;
                changes = true;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `edges` of each node; the last is the end.
    fn rejoins(edges: &[&[usize]]) -> Vec<Option<usize>> {
        post_dominators(&edges.iter().map(|next| next.to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn ways_rejoin_behind_both_sides_and_behind_a_loop() {
        // 0 branches to 1 and 2, which rejoin at 3; 3 loops to 0 or continues to 4, the end.
        assert_eq!(rejoins(&[&[1, 2], &[3], &[3], &[0, 4], &[]])[..4], [Some(3), Some(3), Some(3), Some(4)]);
        // One side ends by itself.
        assert_eq!(rejoins(&[&[1, 2], &[3], &[3], &[]])[0], Some(3));
        // 1 never returns.
        assert_eq!(rejoins(&[&[1, 2], &[1], &[3], &[]])[..2], [Some(2), None]);
    }
}
