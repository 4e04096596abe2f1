//! Operations that the ISA leaves undefined, and that end the launch: misused barriers (PTX ISA, "bar, barrier"), jumps
//! and calls to nowhere ("brx.idx", "call"), a call stack that is used up.

use super::arrivals::Arrival;
use super::block::Block;
use super::call::MOST_CALLS;
use super::ending::{LaunchEnding, of_block};
use super::sites::{access, threads_at};
use super::warp::{Group, Wait};
use crate::exec::Op;
use crate::exec::branch::BranchOp;
use crate::memory::heap::BadFree;
use crate::registers::Reg;
use crate::types::Fault;
use crate::watch::Watch;
use finding::{Action, BarrierMisuse, Cause, Slug};

/// Why a barrier does not take a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    NoSuchBarrier(u32),
    /// A thread count that no barrier can have.
    Count(u32),
    /// A thread has arrived in this phase already.
    ArrivesTwice(Arrival),
    /// A thread waits for the barrier of its cluster, and has not arrived.
    WaitsUnarrived,
    /// Others wait for another number of threads.
    CountsDiffer(Arrival),
    /// Others bring another reduction, or none.
    ReductionsDiffer(Arrival),
}

/// Group `at` of warp `which` stands on a barrier that cannot be.
pub(super) fn of_barrier<W: Watch>(block: &Block<W>, which: usize, at: usize, misuse: Misuse) -> LaunchEnding {
    let group = block.warps[which].groups[at];
    let threads = match &block.launch.code.instrs[group.pc as usize].op {
        Op::Barrier(op) => op.threads,
        // The barrier of a cluster has no count.
        _ => Reg::NONE,
    };
    let comes = |misuse| threads_at(block, which as u32, &group, |threads| Action::Misused { threads, misuse });
    let came = |earlier: &Arrival, misuse| {
        let stood = Group { pc: earlier.pc, mask: earlier.mask, frame: earlier.frame, wait: Wait::Ready };
        threads_at(block, earlier.warp, &stood, |threads| Action::Misused { threads, misuse })
    };
    let (cause, ends) = match misuse {
        Misuse::NoSuchBarrier(number) => {
            (Cause::NoSuchBarrier { number }, vec![comes(BarrierMisuse::CameTo { barrier: number })])
        }
        Misuse::Count(count) => {
            let count = count.into();
            (Cause::BarrierCount { count }, vec![comes(BarrierMisuse::GaveCount { count })])
        }
        Misuse::ArrivesTwice(first) => {
            (Cause::ArrivesTwice, vec![came(&first, BarrierMisuse::ArrivedFirst), comes(BarrierMisuse::ArrivedAgain)])
        }
        Misuse::WaitsUnarrived => (Cause::WaitsUnarrived, vec![comes(BarrierMisuse::WaitedUnarrived)]),
        Misuse::CountsDiffer(first) => {
            let lane = group.mask.trailing_zeros() as usize;
            let given = match threads.is_some() {
                true => BarrierMisuse::GaveCount { count: block.warps[which].regs.get(threads, lane) },
                false => BarrierMisuse::CameForWholeBlock,
            };
            let known = BarrierMisuse::GaveCount { count: first.count.into() };
            (Cause::CountsDiffer, vec![came(&first, known), comes(given)])
        }
        Misuse::ReductionsDiffer(first) => (
            Cause::ReductionsDiffer,
            vec![came(&first, BarrierMisuse::CameFirst), comes(BarrierMisuse::CameWithAnotherOperation)],
        ),
    };
    let slug = match misuse {
        Misuse::NoSuchBarrier(_) => Slug::OutOfBounds,
        _ => Slug::BarrierDivergence,
    };
    LaunchEnding::found(of_block(&block.launch, block.linear, slug, cause, ends), Fault::IllegalInstruction)
}

/// Group `at` jumps or calls where there is no code.
pub(super) fn wild_jump<W: Watch>(block: &Block<W>, which: usize, at: usize) -> LaunchEnding {
    let warp = &block.warps[which];
    let group = warp.groups[at];
    let lane = group.mask.trailing_zeros() as usize;
    let (table, action) = match &block.launch.code.instrs[group.pc as usize].op {
        Op::Branch(BranchOp::Table(table)) => {
            (Some(table.1.len()), Action::TookEntry { entry: warp.regs.get(table.0, lane) })
        }
        _ => (None, Action::CalledNothing),
    };
    let calls = warp.calls(group.frame);
    let end = access(&block.launch, block.linear, 32 * warp.index + lane as u32, group.pc, &calls, action);
    LaunchEnding::found(
        of_block(&block.launch, block.linear, Slug::OutOfBounds, Cause::NoCode { table }, vec![end]),
        Fault::IllegalAddress,
    )
}

/// A lane of group `at` gives `free` what is no live block of the heap.
pub(super) fn bad_free<W: Watch>(block: &Block<W>, which: usize, at: usize, lane: usize, bad: BadFree) -> LaunchEnding {
    let warp = &block.warps[which];
    let group = warp.groups[at];
    let calls = warp.calls(group.frame);
    let (slug, cause) = match bad {
        BadFree::Twice(old) => (Slug::UseAfterFree, Cause::FreedTwice { bytes: old.bytes }),
        BadFree::Foreign => (Slug::OutOfBounds, Cause::FreedForeign),
    };
    let thread = 32 * warp.index + lane as u32;
    let end = access(&block.launch, block.linear, thread, group.pc, &calls, Action::Freed);
    LaunchEnding::found(of_block(&block.launch, block.linear, slug, cause, vec![end]), Fault::LaunchFailed)
}

/// Group `at` calls deeper than a thread's stack reaches.
pub(super) fn stack_used_up<W: Watch>(block: &Block<W>, which: usize, at: usize) -> LaunchEnding {
    let warp = &block.warps[which];
    let group = warp.groups[at];
    let depth = warp.frames[group.frame as usize].depth;
    let thread = 32 * warp.index + group.mask.trailing_zeros();
    let by_call = !matches!(block.launch.code.instrs[group.pc as usize].op, Op::Stack(_));
    let action = if by_call { Action::CalledDeep { depth: depth + 1 } } else { Action::AllocatedOnStack };
    // Its own line says it: a list of thousands of calls would not.
    let end = access(&block.launch, block.linear, thread, group.pc, &[], action);
    let bytes = block.launch.profile.local_per_thread.into();
    let cause = Cause::StackUsedUp { by_call, bytes, most_calls: MOST_CALLS.into() };
    LaunchEnding::found(
        of_block(&block.launch, block.linear, Slug::OutOfBounds, cause, vec![end]),
        Fault::StackOverflow,
    )
}
