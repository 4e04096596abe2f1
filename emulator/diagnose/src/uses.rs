//! What becomes of a loaded value, for advice alone: whether it decides a jump, or where its thread stores. And whether threads
//! that try a word all try it for the same.
//!
//! Read from the code: registers of the kernel itself and how its arithmetic makes one of the other. What comes from elsewhere
//! (other memory, functions, lanes) may be anything. In doubt the answer is no.

use machine::code::{Code, Guard, Instr};
use machine::decode::Constant;
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::exec::branch::Branch;
use machine::exec::memory::Load;
use machine::exec::stack::Stack;
use machine::lanes::Args;
use machine::memory::space::Space;
use machine::registers::{Reg, Width};
use rustc_hash::FxHashMap;

/// What a register is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Constants and the kernel's arguments: the same in all threads.
    Uniform,
    /// The loaded value, and nothing else that threads differ in.
    Loaded,
    Anything,
}

/// Passes over the code, for loops.
const PASSES: usize = 2;

/// True if the value that the load at `load` finds chooses alone where its thread stores later: with it goes nothing in which threads
/// differ, such as their index. Were it the same for all, all would store to one place.
pub fn chooses_a_place(code: &Code, load: u32) -> bool {
    let made = made(code, load);
    let own = kernel(code);
    let loaded = |reg: Reg| made.get(&reg) == Some(&Of::Loaded);
    (load + 1..own).any(|pc| match &code.instrs[pc as usize].op {
        Op::Store(store) => matches!(store.space, Space::Global | Space::Shared) && loaded(store.base),
        _ => false,
    })
}

/// True if a thread that comes to `from` comes to `to` next, and no other does: they stand in one basic block, and no barrier of the
/// block between them.
pub fn in_one_run(code: &Code, from: u32, to: u32) -> bool {
    let is_straight = (from..to).all(|pc| match &code.instrs[pc as usize] {
        Instr { op: Op::Branch(_) | Op::Call(_) | Op::Return | Op::Exit | Op::Barrier(_), .. } => false,
        Instr { guard, .. } => pc != from || *guard == Guard::Always,
    });
    let inside = |target: &u32| (from + 1..=to).contains(target);
    let is_entered = code.instrs.iter().any(|instr| match &instr.op {
        Op::Branch(Branch::To(target)) => inside(target),
        Op::Branch(Branch::Table(table)) => table.1.iter().any(inside),
        _ => false,
    });
    from < to && is_straight && !is_entered
}

/// True if the guard of the instruction at `jump`, right behind the load, is made of what it finds.
pub fn decides(code: &Code, load: u32, jump: u32, guard: Guard) -> bool {
    let (Guard::If(pred) | Guard::Unless(pred), true) = (guard, jump < kernel(code)) else { return false };
    let Op::Load(it) = &code.instrs[load as usize].op else { return false };
    let mut made: Vec<Reg> = loaded_by(it).collect();
    for pc in load + 1..jump {
        for args in arithmetic(&code.instrs[pc as usize].op) {
            if sources(args).any(|reg| made.contains(&reg)) {
                made.extend(results(args));
            }
        }
    }
    made.contains(&Reg { index: pred, width: Width::Pred })
}

/// True for a plain load or store whose line also does the other to the same address, as `*p += v` does.
pub fn updates_in_one_line(code: &Code, pc: u32) -> bool {
    let address = |pc: u32| match &code.instrs[pc as usize].op {
        Op::Load(it) => Some((false, it.space, it.base, it.offset)),
        Op::Store(it) => Some((true, it.space, it.base, it.offset)),
        _ => None,
    };
    let line = |pc: u32| code.location(pc).map(|it| (&it.place.file, it.place.line));
    let (Some((stores, space, base, offset)), Some(own)) = (address(pc), line(pc)) else { return false };
    let is_other = |other: u32| address(other) == Some((!stores, space, base, offset)) && line(other) == Some(own);
    match stores {
        true => (0..pc).rev().take_while(|&other| line(other) == Some(own)).any(is_other),
        false => (pc + 1..code.instrs.len() as u32).take_while(|&other| line(other) == Some(own)).any(is_other),
    }
}

/// True if two tries of one word wait for the same: exchanges, or compare-and-swaps that compare with one value in all threads
/// and rounds, as a lock does.
pub fn tries_alike(code: &Code, one: u32, other: u32) -> bool {
    let (Op::Atomic(a), Op::Atomic(b)) = (&code.instrs[one as usize].op, &code.instrs[other as usize].op) else {
        return false;
    };
    match (a.operation, b.operation) {
        (Operation::Exchange, Operation::Exchange) => true,
        (Operation::CompareExchange, Operation::CompareExchange) => {
            let one = origin(code, one, a.src[0], DEPTH);
            one.is_some() && one == origin(code, other, b.src[0], DEPTH)
        }
        _ => false,
    }
}

/// Where a value that all threads have alike comes from.
#[derive(PartialEq, Eq)]
enum Origin {
    Constant(Constant),
    /// An instruction that makes it of such values.
    Made(u32),
}

/// Instructions that are followed back.
const DEPTH: u32 = 8;

/// Only registers that one instruction makes, or that a copy of a constant fills: others may differ by branch or by round.
fn origin(code: &Code, at: u32, reg: Reg, depth: u32) -> Option<Origin> {
    let next = code.functions.partition_point(|function| function.entry <= at);
    let function = &code.functions[next.checked_sub(1)?];
    if let Some((_, constant)) = function.frame.constants.iter().find(|(it, _)| *it == reg) {
        return matches!(constant, Constant::Bits(_) | Constant::Global { .. })
            .then(|| Origin::Constant(constant.clone()));
    }
    let end = code.functions.get(next).map_or(code.instrs.len() as u32, |next| next.entry);
    let makes = |pc: &u32| written(&code.instrs[*pc as usize].op).contains(&reg);
    let mut all = (function.entry..end).filter(makes);
    let (Some(maker), None, Some(less)) = (all.next(), all.next(), depth.checked_sub(1)) else { return None };
    match &code.instrs[maker as usize].op {
        Op::Load(it) if it.space == Space::Param && maker < kernel(code) => Some(Origin::Made(maker)),
        Op::Alu(alu) => {
            let mut of: Vec<Origin> =
                sources(&alu.args).map(|reg| origin(code, maker, reg, less)).collect::<Option<_>>()?;
            match of.len() {
                1 => of.pop(),
                _ => Some(Origin::Made(maker)),
            }
        }
        _ => None,
    }
}

/// The registers that an instruction writes.
pub(super) fn written(op: &Op) -> Vec<Reg> {
    match op {
        Op::Load(it) => loaded_by(it).collect(),
        Op::Special(read) => vec![read.d],
        Op::Atomic(it) => it.dst.to_vec(),
        Op::Warp(it) => vec![it.d, it.p],
        Op::Barrier(it) => vec![it.dst],
        Op::ActiveMask(reg) => vec![*reg],
        Op::Mbarrier(it) => vec![it.dst],
        Op::Stack(Stack::Allocate { d, .. } | Stack::Save { d }) => vec![*d],
        _ => arithmetic(op).flat_map(results).collect(),
    }
}

/// Where the kernel's own instructions end.
fn kernel(code: &Code) -> u32 {
    code.functions.get(1).map_or(code.instrs.len() as u32, |next| next.entry)
}

fn made(code: &Code, load: u32) -> FxHashMap<Reg, Of> {
    let mut made: FxHashMap<Reg, Of> = FxHashMap::default();
    let Some(function) = code.functions.first().filter(|_| load < kernel(code)) else { return made };
    for (reg, constant) in &function.frame.constants {
        let is_uniform = matches!(constant, Constant::Bits(_) | Constant::Global { .. });
        made.insert(*reg, if is_uniform { Of::Uniform } else { Of::Anything });
    }
    let constants: Vec<Reg> = function.frame.constants.iter().map(|(reg, _)| *reg).collect();
    for _ in 0..PASSES {
        for pc in 0..kernel(code) {
            let op = &code.instrs[pc as usize].op;
            let mut now: Vec<(Reg, Of)> = Vec::new();
            match op {
                Op::Load(it) if pc == load => now.extend(loaded_by(it).map(|reg| (reg, Of::Loaded))),
                Op::Load(it) => {
                    let of = if it.space == Space::Param { Of::Uniform } else { Of::Anything };
                    now.extend(loaded_by(it).map(|reg| (reg, of)));
                }
                Op::Special(read) => now.push((read.d, Of::Anything)),
                Op::Atomic(it) => now.extend(it.dst.iter().map(|reg| (*reg, Of::Anything))),
                Op::Warp(it) => now.extend([(it.d, Of::Anything), (it.p, Of::Anything)]),
                Op::Barrier(it) => now.push((it.dst, Of::Anything)),
                Op::ActiveMask(reg) => now.push((*reg, Of::Anything)),
                _ => {
                    for args in arithmetic(op) {
                        let of = |reg: Reg| made.get(&reg).copied().unwrap_or(Of::Anything);
                        let all = sources(args).map(of).fold(Of::Uniform, |all, of| match (all, of) {
                            (Of::Anything, _) | (_, Of::Anything) => Of::Anything,
                            (Of::Loaded, _) | (_, Of::Loaded) => Of::Loaded,
                            _ => Of::Uniform,
                        });
                        put(&mut made, results(args).map(|reg| (reg, all)), &constants);
                    }
                }
            }
            put(&mut made, now.into_iter(), &constants);
        }
    }
    made
}

/// A register that is made in several ways may be any of them.
fn put(made: &mut FxHashMap<Reg, Of>, now: impl Iterator<Item = (Reg, Of)>, constants: &[Reg]) {
    for (reg, of) in now.filter(|(reg, _)| reg.is_some() && !constants.contains(reg)) {
        made.entry(reg).and_modify(|known| *known = if *known == of { of } else { Of::Anything }).or_insert(of);
    }
}

fn loaded_by(load: &Load) -> impl Iterator<Item = Reg> {
    load.dst.into_iter().filter(|reg| reg.is_some())
}

pub(super) fn arithmetic(op: &Op) -> impl Iterator<Item = &Args> {
    let all = match op {
        Op::Alu(alu) => std::slice::from_ref(alu),
        Op::Steps(steps) => steps,
        _ => &[],
    };
    all.iter().map(|alu| &alu.args)
}

pub(super) fn sources(args: &Args) -> impl Iterator<Item = Reg> {
    [args.a, args.b, args.c, args.q].into_iter().filter(|reg| reg.is_some())
}

fn results(args: &Args) -> impl Iterator<Item = Reg> {
    [args.d, args.e].into_iter().filter(|reg| reg.is_some())
}
