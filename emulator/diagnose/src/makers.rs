//! Which lines make a register, for advice alone: where an index comes from that turns out the same in two threads, and which line
//! would have written a variable that a thread has not.
//!
//! Read from the code of one function, against the flow: all instructions that may write a register, and what they make it of.
//! Memory, shuffles and calls are where that ends. What a thread can go round is told by the ways through the function's code.

use super::paths::Own;
use super::uses::{arithmetic, sources, written};
use checker::Sites;
use finding::SourceLocation;
use machine::code::{Code, Formal, Guard};
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::exec::branch::{Branch, Passed};
use machine::registers::Reg;
use std::collections::VecDeque;
use std::ops::Range;

/// Registers that are followed.
const MOST: usize = 64;

/// What a register is made of, in one function.
pub struct Makers<'a> {
    code: &'a Code,
    /// The function's instructions.
    body: Range<u32>,
    /// The registers behind the one that was asked for, itself first, and who writes each.
    registers: Vec<(Reg, Vec<u32>)>,
    /// An argument of the function is among what they are made of.
    is_given: bool,
}

impl<'a> Makers<'a> {
    pub fn of(code: &'a Code, pc: u32, reg: Reg) -> Option<Makers<'a>> {
        let next = code.functions.partition_point(|function| function.entry <= pc);
        let function = code.functions.get(next.checked_sub(1)?)?;
        let end = code.functions.get(next).map_or(code.instrs.len() as u32, |next| next.entry);
        let body = function.entry..end;
        let is_argument =
            |reg: Reg| function.params.iter().any(|formal| matches!(formal, Formal::Register(it) if *it == reg));
        let is_constant = |reg: Reg| function.frame.constants.iter().any(|(it, _)| *it == reg);
        let mut is_given = false;
        let mut todo = VecDeque::from([reg]);
        let mut registers: Vec<(Reg, Vec<u32>)> = Vec::new();
        while let Some(reg) = todo.pop_front() {
            is_given |= is_argument(reg);
            if !reg.is_some()
                || is_constant(reg)
                || is_argument(reg)
                || registers.iter().any(|(known, _)| *known == reg)
            {
                continue;
            }
            if registers.len() == MOST {
                return None;
            }
            let writers: Vec<u32> = body.clone().filter(|&pc| writes(&code.instrs[pc as usize].op, reg)).collect();
            for &pc in &writers {
                todo.extend(arithmetic(&code.instrs[pc as usize].op).flat_map(sources));
            }
            registers.push((reg, writers));
        }
        Some(Makers { code, body, registers, is_given })
    }

    /// The user's line, other than that of `site`, in which the value is worked out last.
    pub fn line(&self, sites: &Sites, site: u32) -> Option<SourceLocation> {
        let own = Own::of(self.code, sites, site)?;
        let all = self.registers.iter().flat_map(|(_, writers)| writers);
        let is_made = |pc: &&u32| matches!(self.code.instrs[**pc as usize].op, Op::Alu(_) | Op::Steps(_));
        let beside = all.filter(is_made).filter_map(|&pc| Own::at(self.code, pc)).filter(|it| it.is_beside(&own));
        // What stands behind it is another round's; and pointers are made ready wherever the compiler likes, mostly above.
        beside.filter(|it| it.line() < own.line()).max_by_key(Own::line).map(|it| it.place())
    }

    /// An atomic operation that gives part of the value, and that a thread can go round on its way to `to`.
    pub fn avoidable_atomic(&self, to: u32) -> Option<u32> {
        let all = self.registers.iter().flat_map(|(_, writers)| writers);
        let mut atomics = all.copied().filter(|&pc| matches!(self.code.instrs[pc as usize].op, Op::Atomic(_)));
        atomics.find(|&pc| self.has_way(to, &[pc]))
    }

    /// Who writes the one register of these that a thread at `to` may not have written; nothing where there are several, or where
    /// a call or another lane may have given what nobody has written.
    pub fn of_unwritten(&self, to: u32) -> Option<&[u32]> {
        let mut writers = self.registers.iter().flat_map(|(_, writers)| writers);
        let is_own = |op: &Op| !matches!(op, Op::Call(_) | Op::Warp(_));
        if self.is_given || !writers.all(|pc| is_own(&self.code.instrs[*pc as usize].op)) {
            return None;
        }
        let mut all = self.registers.iter().filter(|(_, writers)| self.has_way(to, writers));
        match (all.next(), all.next()) {
            (Some((_, writers)), None) => Some(writers),
            _ => None,
        }
    }

    /// True if a thread can come from the function's start to `to` round all of these.
    fn has_way(&self, to: u32, round: &[u32]) -> bool {
        self.walk(vec![self.body.start], to, round)
    }

    /// True if a thread at `from` can come to `to` in the same call.
    fn leads(&self, from: u32, to: u32) -> bool {
        self.walk(vec![from + 1], to, &[])
    }

    fn walk(&self, mut todo: Vec<u32>, to: u32, round: &[u32]) -> bool {
        let mut seen = vec![false; self.body.len()];
        while let Some(pc) = todo.pop() {
            if pc == to {
                return true;
            }
            let Some(at) = pc.checked_sub(self.body.start).filter(|at| (*at as usize) < seen.len()) else { continue };
            let instr = &self.code.instrs[pc as usize];
            if std::mem::replace(&mut seen[at as usize], true) || instr.guard == Guard::Always && round.contains(&pc) {
                continue;
            }
            let mut goes_on = instr.guard != Guard::Always;
            match &instr.op {
                Op::Branch(Branch::To(target)) => todo.push(*target),
                Op::Branch(Branch::Table(table)) => todo.extend(&table.1),
                Op::Return | Op::Exit | Op::Trap => {}
                _ => goes_on = true,
            }
            if goes_on {
                todo.push(pc + 1);
            }
        }
        false
    }
}

/// The load that gave a compare-and-swap its value to compare with, of the same place, if no round of its loop comes to it again
/// and none takes what the last one found.
pub fn loaded_once(code: &Code, swap: u32) -> Option<u32> {
    let Op::Atomic(it) = &code.instrs.get(swap as usize)?.op else { return None };
    if it.operation != Operation::CompareExchange {
        return None;
    }
    let makers = Makers::of(code, swap, it.src[0])?;
    let writers: Vec<u32> = makers.registers.iter().flat_map(|(_, writers)| writers.iter().copied()).collect();
    let is_of_place = |pc: &u32| match &code.instrs[*pc as usize].op {
        Op::Load(load) => (load.space, load.base, load.offset) == (it.space, it.base, it.offset),
        _ => false,
    };
    let load = writers.iter().copied().find(is_of_place)?;
    let is_alone =
        writers.iter().all(|pc| *pc == load || matches!(code.instrs[*pc as usize].op, Op::Alu(_) | Op::Steps(_)));
    (is_alone && !makers.leads(swap, load)).then_some(load)
}

fn writes(op: &Op, reg: Reg) -> bool {
    match op {
        Op::Call(call) => call.results.iter().any(|it| matches!(it, Passed::Register(it) if *it == reg)),
        op => written(op).contains(&reg),
    }
}
