//! Barriers and loops of the code, for advice alone. It is read from top to bottom, as it is laid out in the PTX; where a jump may
//! go round a barrier, or anything else is open, nothing is said.

use super::uses::decides;
use checker::polls::{POLL, is_polled, is_quiet};
use machine::code::{Code, Guard, Instr};
use machine::exec::Op;
use machine::exec::branch::Branch;

/// A barrier for the whole block that every thread passes on its way from `from` to `to`.
pub fn barrier_between(code: &Code, from: u32, to: u32) -> Option<u32> {
    let jumps_over = |barrier: u32| {
        (from..barrier).any(|pc| match &code.instrs[pc as usize].op {
            Op::Branch(Branch::To(target)) => (barrier + 1..=to).contains(target),
            Op::Branch(Branch::Table(table)) => table.1.iter().any(|target| (barrier + 1..=to).contains(target)),
            _ => false,
        })
    };
    (from + 1..to).find(|&pc| is_barrier(code, pc) && !jumps_over(pc))
}

fn is_barrier(code: &Code, pc: u32) -> bool {
    let instr = &code.instrs[pc as usize];
    instr.guard == Guard::Always && matches!(&instr.op, Op::Barrier(it) if it.waits && !it.threads.is_some())
}

/// How a thread waits for what it loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polled {
    /// It looks again and again.
    Again,
    /// It has looked once, before the loop at this address, which does nothing and never ends: so compilers leave a loop that
    /// waits for a plain load.
    Once(u32),
}

pub fn polled(code: &Code, load: u32) -> Option<Polled> {
    if is_polled(code, load) {
        return Some(Polled::Again);
    }
    let end = (load + POLL).min(code.instrs.len() as u32);
    let way = (load + 1..end).take_while(|&pc| is_quiet(code, pc));
    let mut loops = way.filter_map(|pc| match &code.instrs[pc as usize] {
        Instr { guard: Guard::Always, .. } => None,
        Instr { op: Op::Branch(Branch::To(target)), guard, .. } if decides(code, load, pc, *guard) => {
            [*target, pc + 1].into_iter().find(|&start| is_endless(code, start))
        }
        _ => None,
    });
    loops.next().map(Polled::Once)
}

/// True for a loop that does nothing that other threads could see, and that nothing leaves.
fn is_endless(code: &Code, start: u32) -> bool {
    let end = (start + POLL).min(code.instrs.len() as u32);
    let mut way = (start..end).take_while(|&pc| is_quiet(code, pc));
    let jump = way.find_map(|pc| match &code.instrs[pc as usize] {
        Instr { op: Op::Branch(Branch::To(target)), guard, .. } => Some((*target, *guard, pc)),
        _ => None,
    });
    jump.is_some_and(|(target, guard, pc)| guard == Guard::Always && (start..=pc).contains(&target))
}

/// True if a jump goes back over a barrier: it stands in a loop.
pub fn is_in_loop(code: &Code, barrier: u32) -> bool {
    (barrier..code.instrs.len() as u32).any(|pc| match &code.instrs[pc as usize].op {
        Op::Branch(Branch::To(target)) => *target <= barrier,
        _ => false,
    })
}
