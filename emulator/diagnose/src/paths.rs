//! Ways through the code, for advice alone: whether threads can come from one line to another without a barrier.
//!
//! What the compiler has made several of, by unrolling or inlining, counts as the one line of the source that it is. Calls are
//! stepped over, and count as a barrier if nobody comes out of them without one. In doubt there is a way.

use checker::Sites;
use finding::SourceLocation;
use machine::code::{Code, Guard, Instr, Location};
use machine::exec::Op;
use machine::exec::branch::{Branch, Callee};
use machine::exec::warp::Kind;

/// Steps of a walk, beyond which there is a way.
const MOST: usize = 1 << 16;

/// Whom a barrier holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// All threads of a block.
    Block,
    /// Lanes of a warp, or all threads of a block.
    Lanes,
}

/// The user's own instruction behind a site: itself, or the call that led there.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    pub pc: u32,
    location: &'a Location,
    /// The function that it stands in, as it is called.
    function: usize,
}

impl<'a> Own<'a> {
    pub fn of(code: &'a Code, sites: &Sites, site: u32) -> Option<Own<'a>> {
        let all = [sites.pc(site)].into_iter().chain(sites.calls(site));
        all.filter_map(|pc| Own::at(code, pc)).next()
    }

    /// The instruction at `pc`, if it is of a line of the user's.
    pub fn at(code: &'a Code, pc: u32) -> Option<Own<'a>> {
        let location = code.location(pc).filter(|it| !it.is_header)?;
        Some(Own { pc, location, function: function_at(code, pc)? })
    }

    pub fn line(&self) -> u32 {
        self.location.place.line
    }

    pub fn place(&self) -> SourceLocation {
        self.location.place.clone()
    }

    /// True if both stand in one function of the source: then their lines are in order.
    pub fn is_beside(&self, other: &Own) -> bool {
        let one_function = match (&self.location.function, &other.location.function) {
            (Some(one), Some(other)) => one == other,
            // Without names two calls of one line are taken for one function.
            (None, None) => {
                self.function == other.function && self.location.inlined_into == other.location.inlined_into
            }
            // Inlined here, and called there.
            _ => false,
        };
        one_function && self.location.place.file == other.location.place.file
    }

    /// Where else the compiler has put the same.
    fn copies(&self, code: &Code) -> Vec<u32> {
        let kind = std::mem::discriminant(&code.instrs[self.pc as usize].op);
        let is_it = |pc: &u32| {
            let is_alike = |it: Own| it.location.place == self.location.place && it.is_beside(self);
            std::mem::discriminant(&code.instrs[*pc as usize].op) == kind && Own::at(code, *pc).is_some_and(is_alike)
        };
        (0..code.instrs.len() as u32).filter(is_it).collect()
    }
}

fn function_at(code: &Code, pc: u32) -> Option<usize> {
    code.functions.partition_point(|function| function.entry <= pc).checked_sub(1)
}

/// Walks through the code that barriers end.
pub struct Paths<'a> {
    code: &'a Code,
    holds: Holds,
}

impl<'a> Paths<'a> {
    pub fn new(code: &'a Code, holds: Holds) -> Paths<'a> {
        Paths { code, holds }
    }

    /// True if a thread can come from one line to the other without a barrier.
    pub fn is_open(&self, from: &Own, to: &Own) -> bool {
        self.is_way(from, to, true)
    }

    /// True if a thread can come from one to the other at all.
    pub fn leads(&self, from: &Own, to: &Own) -> bool {
        self.is_way(from, to, false)
    }

    fn is_way(&self, from: &Own, to: &Own, barriers_end: bool) -> bool {
        let ends = to.copies(self.code);
        let mut walk = Walk::new(self.code);
        from.copies(self.code).into_iter().for_each(|pc| walk.leave(self.code, pc));
        while let Some(pc) = walk.next() {
            if ends.contains(&pc) || walk.steps > MOST {
                return true;
            }
            match &self.code.instrs[pc as usize] {
                instr if barriers_end && self.is_barrier(instr) => {}
                Instr { op: Op::Call(call), .. } => {
                    let callee = self.callee(pc, &call.callee);
                    // What is asked for may stand in it, or in what it calls.
                    walk.todo.extend(callee.filter(|&at| self.holds_any(at, &ends, 0)).map(|at| self.entry(at)));
                    if !barriers_end || callee.is_none_or(|at| self.may_pass(at, true, 0)) {
                        walk.todo.push(pc + 1);
                    }
                }
                _ => walk.leave(self.code, pc),
            }
        }
        false
    }

    /// True for a barrier, and for a call that nobody comes out of without one.
    pub fn is_held(&self, pc: u32) -> bool {
        match &self.code.instrs[pc as usize] {
            Instr { op: Op::Call(call), guard: Guard::Always, .. } => {
                let comes_out = |at: usize| !self.may_pass(at, true, 0) && self.may_pass(at, false, 0);
                self.callee(pc, &call.callee).is_some_and(comes_out)
            }
            instr => self.is_barrier(instr),
        }
    }

    /// True if an instruction is such a one, or a call that may come to one.
    pub fn has(&self, pc: u32, is_it: &dyn Fn(&Op) -> bool) -> bool {
        self.has_inside(pc, is_it, 0)
    }

    fn has_inside(&self, pc: u32, is_it: &dyn Fn(&Op) -> bool, depth: usize) -> bool {
        match &self.code.instrs[pc as usize].op {
            Op::Call(call) => match self.callee(pc, &call.callee) {
                Some(at) if depth < DEEPEST => self.body(at).any(|pc| self.has_inside(pc, is_it, depth + 1)),
                _ => true,
            },
            op => is_it(op),
        }
    }

    fn is_barrier(&self, instr: &Instr) -> bool {
        let holds = match &instr.op {
            Op::Barrier(it) => it.waits && !it.threads.is_some(),
            Op::Warp(it) => it.kind == Kind::Barrier && self.holds == Holds::Lanes,
            _ => false,
        };
        holds && instr.guard == Guard::Always
    }

    fn entry(&self, function: usize) -> u32 {
        self.code.functions[function].entry
    }

    fn callee(&self, pc: u32, callee: &Callee) -> Option<usize> {
        let Callee::Function(index) = callee else { return None };
        let at = function_at(self.code, pc)? as u32;
        let part = self.code.parts.iter().find(|part| (part.first..part.end).contains(&at))?;
        self.code.function(part, *index).map(|(at, _)| at as usize)
    }

    fn body(&self, function: usize) -> std::ops::Range<u32> {
        let end = self.code.functions.get(function + 1).map_or(self.code.instrs.len() as u32, |next| next.entry);
        self.entry(function)..end
    }

    /// True if a function, or one that it calls, has any of these instructions.
    fn holds_any(&self, function: usize, wanted: &[u32], depth: usize) -> bool {
        let body = self.body(function);
        let calls = |pc: u32| match &self.code.instrs[pc as usize].op {
            Op::Call(call) if depth < DEEPEST => self.callee(pc, &call.callee),
            _ => None,
        };
        wanted.iter().any(|pc| body.contains(pc))
            || body.clone().filter_map(calls).any(|at| self.holds_any(at, wanted, depth + 1))
    }

    /// True if a thread can come through a function, without a barrier if these end its way.
    fn may_pass(&self, function: usize, barriers_end: bool, depth: usize) -> bool {
        if depth > DEEPEST {
            return true;
        }
        let mut walk = Walk::new(self.code);
        walk.todo.push(self.entry(function));
        while let Some(pc) = walk.next() {
            match &self.code.instrs[pc as usize] {
                instr if barriers_end && self.is_barrier(instr) => {}
                Instr { op: Op::Return, .. } => return true,
                Instr { op: Op::Call(call), .. } => {
                    if self.callee(pc, &call.callee).is_none_or(|at| self.may_pass(at, barriers_end, depth + 1)) {
                        walk.todo.push(pc + 1);
                    }
                }
                _ => walk.leave(self.code, pc),
            }
        }
        false
    }
}

/// Calls inside of calls that are looked into.
const DEEPEST: usize = 6;

struct Walk {
    seen: Vec<bool>,
    todo: Vec<u32>,
    steps: usize,
}

impl Walk {
    fn new(code: &Code) -> Walk {
        Walk { seen: vec![false; code.instrs.len()], todo: Vec::new(), steps: 0 }
    }

    fn next(&mut self) -> Option<u32> {
        loop {
            let pc = self.todo.pop()?;
            // Behind the last instruction there is none.
            if self.seen.get_mut(pc as usize).is_some_and(|seen| !std::mem::replace(seen, true)) {
                self.steps += 1;
                return Some(pc);
            }
        }
    }

    /// Where a thread may be after the instruction at `pc`; behind a function's end, behind any of its calls.
    fn leave(&mut self, code: &Code, pc: u32) {
        let instr = &code.instrs[pc as usize];
        let mut goes_on = instr.guard != Guard::Always;
        match &instr.op {
            Op::Branch(Branch::To(target)) => self.todo.push(*target),
            Op::Branch(Branch::Table(table)) => self.todo.extend(&table.1),
            Op::Return => {
                let own = function_at(code, pc).map(|at| code.functions[at].index);
                let calls = |it: &Instr| match &it.op {
                    Op::Call(call) => matches!(call.callee, Callee::Function(index) if Some(index) == own),
                    _ => false,
                };
                self.todo.extend(
                    (0..code.instrs.len() as u32).filter(|&pc| calls(&code.instrs[pc as usize])).map(|pc| pc + 1),
                );
            }
            Op::Exit | Op::Trap => {}
            _ => goes_on = true,
        }
        if goes_on {
            self.todo.push(pc + 1);
        }
    }
}
