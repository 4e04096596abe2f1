//! The registers that an instruction reads and writes, for code that analyses kernels or follows values through them.

use super::async_copy::{Async, Given};
use super::branch::{BranchOp, Callee, PassedArgument};
use super::bulk_copy::Bulk;
use super::matrix::Fragments;
use super::mbarrier::{ObjectAction, Phase};
use super::op::Alu;
use super::op::Op;
use super::stack::StackOp;
use super::warp::Collective;
use crate::lanes::Args;
use crate::registers::Reg;

/// The steps of a register-to-register instruction, in order; empty for any other.
pub fn arithmetic(op: &Op) -> &[Alu] {
    match op {
        Op::Alu(alu) => std::slice::from_ref(alu),
        Op::Steps(steps) => steps,
        _ => &[],
    }
}

impl Args {
    /// The sources that are there.
    pub fn sources(&self) -> impl Iterator<Item = Reg> {
        [self.a, self.b, self.c, self.q].into_iter().filter(|reg| reg.is_some())
    }

    /// The results that are there.
    pub fn results(&self) -> impl Iterator<Item = Reg> {
        [self.d, self.e].into_iter().filter(|reg| reg.is_some())
    }
}

/// Calls `found` with each register that an instruction reads, its guard aside. A constant operand has a register as
/// well. The results that a `ret` leaves in registers are not among them: they belong to the function, not to the
/// instruction.
pub fn sources(op: &Op, mut found: impl FnMut(Reg)) {
    let mut all = |regs: &[Reg]| regs.iter().copied().filter(|reg| reg.is_some()).for_each(&mut found);
    match op {
        Op::Alu(_) | Op::Steps(_) => {
            arithmetic(op).iter().for_each(|alu| alu.args.sources().for_each(|reg| all(&[reg])))
        }
        Op::Load(it) => all(&[it.base]),
        Op::Store(it) => {
            all(&[it.base]);
            all(&it.src);
        }
        Op::Atomic(it) => {
            all(&[it.base, it.swap]);
            all(&it.src);
        }
        Op::Async(it) => {
            if let Async::Start(copy) = **it {
                all(&[copy.to.base, copy.from.base]);
                match copy.given {
                    Given::All => {}
                    Given::Bytes(reg) | Given::NotIf(reg, _) => all(&[reg]),
                }
            }
        }
        Op::Bulk(it) => match &**it {
            Bulk::Start(copy) => all(&copy.sources()),
            Bulk::StartTensor(copy) => copy.sources().for_each(|reg| all(&[reg])),
            Bulk::Store(store) => all(&store.sources()),
            Bulk::Replace(replacement) => all(&[replacement.map.base, replacement.value]),
            Bulk::Commit | Bulk::Wait { .. } => {}
        },
        Op::Mbarrier(it) => {
            all(&[it.base]);
            match it.action {
                ObjectAction::Arrive(arrive) => all(&[arrive.count, arrive.transactions]),
                ObjectAction::Init(reg) | ObjectAction::ExpectTx(reg) | ObjectAction::CompleteTx(reg) => all(&[reg]),
                ObjectAction::Test(Phase::State(reg) | Phase::Parity(reg)) => all(&[reg]),
                ObjectAction::Inval | ObjectAction::Track(_) => {}
            }
        }
        Op::Image(it) => all(&it.made_with()),
        Op::MapFence(it) => all(&[it.acquires.map_or(Reg::NONE, |map| map.base)]),
        Op::Barrier(it) => all(&[it.id, it.threads, it.predicate]),
        Op::Warp(it) => {
            all(&[it.members, it.a, it.b, it.c]);
            fragments(it, |fragments| {
                [&fragments.a, &fragments.b, &fragments.c].into_iter().for_each(|regs| all(regs))
            });
        }
        Op::Branch(BranchOp::Table(table)) => all(&[table.0]),
        Op::Sleep(reg) => all(&[*reg]),
        Op::Call(call) => {
            if let Callee::Indirect(reg) = call.callee {
                all(&[reg]);
            }
            passed(&call.arguments).for_each(|reg| all(&[reg]));
        }
        Op::Stack(StackOp::Allocate { size: reg, .. } | StackOp::Restore { a: reg }) => all(&[*reg]),
        Op::Stack(StackOp::Save { .. })
        | Op::Special(_)
        | Op::Branch(BranchOp::To(_))
        | Op::Return
        | Op::Exit
        | Op::Trap
        | Op::Fence(_)
        | Op::ProxyFence(_)
        | Op::ClusterArrive(_)
        | Op::ActiveMask(_)
        | Op::GridDependency(_)
        | Op::Nop => {}
    }
}

/// Calls `found` with each register that an instruction writes.
pub fn results(op: &Op, mut found: impl FnMut(Reg)) {
    let mut all = |regs: &[Reg]| regs.iter().copied().filter(|reg| reg.is_some()).for_each(&mut found);
    match op {
        Op::Alu(_) | Op::Steps(_) => {
            arithmetic(op).iter().for_each(|alu| alu.args.results().for_each(|reg| all(&[reg])))
        }
        Op::Load(it) => all(&it.dst),
        Op::Atomic(it) => all(&it.dst),
        Op::Image(it) => all(&it.results()),
        Op::Special(read) => all(&[read.d]),
        Op::Warp(it) => {
            all(&[it.d, it.p]);
            fragments(it, |fragments| all(&fragments.d));
        }
        Op::Barrier(it) => all(&[it.dst]),
        Op::Mbarrier(it) => all(&[it.dst]),
        Op::ActiveMask(reg) => all(&[*reg]),
        Op::Stack(StackOp::Allocate { d, .. } | StackOp::Save { d }) => all(&[*d]),
        Op::Call(call) => passed(&call.results).for_each(|reg| all(&[reg])),
        Op::Stack(StackOp::Restore { .. })
        | Op::Store(_)
        | Op::Sleep(_)
        | Op::Async(_)
        | Op::Bulk(_)
        | Op::Branch(_)
        | Op::Return
        | Op::Exit
        | Op::Trap
        | Op::Fence(_)
        | Op::ProxyFence(_)
        | Op::MapFence(_)
        | Op::ClusterArrive(_)
        | Op::GridDependency(_)
        | Op::Nop => {}
    }
}

fn fragments(op: &Collective, then: impl FnOnce(&Fragments)) {
    if let Some(fragments) = &op.fragments {
        then(fragments);
    }
}

fn passed(all: &[PassedArgument]) -> impl Iterator<Item = Reg> {
    all.iter().filter_map(|passed| match passed {
        PassedArgument::Register(reg) => Some(*reg),
        PassedArgument::Memory { .. } => None,
    })
}
