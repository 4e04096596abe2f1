//! Threads and places of a launch, as a finding names them.

use super::accessed::Accessed;
use super::block::Block;
use super::launch::Launch;
use super::warp::Group;
use crate::exec::Op;
use crate::exec::async_copy::Async;
use crate::exec::bulk_copy::{Bulk, UNIT};
use crate::exec::tensor_copy::TensorDirection;
use crate::memory::space::Space;
use crate::watch::Watch;
use finding::{Access, AccessKind, Action, MemoryAccess, ThreadName, Threads};

/// A thread of a launch, as CUDA names it.
pub fn thread_name(launch: &Launch, block: u64, thread: u32) -> ThreadName {
    launch.grid_of(block).thread(block, thread)
}

/// One end of a finding; `calls` are the calls that led to the instruction, innermost first.
pub fn access(launch: &Launch, block: u64, thread: u32, pc: u32, calls: &[u32], action: Action) -> Access {
    let (location, called_from) = launch.code.user_lines(pc, calls);
    let grid = launch.grid_of(block);
    let instr = launch.code.instrs.get(pc as usize);
    Access {
        location,
        called_from,
        ptx_line: instr.map_or(0, |instr| instr.line),
        thread: Some(grid.thread(block, thread)),
        launched_by: grid.launched_by(launch.code),
        memory: instr.and_then(|instr| memory_access(&instr.op, &action)),
        action,
    }
}

/// Threads of one warp, with what they did at `pc`.
pub fn threads_at<W: Watch>(
    block: &Block<W>,
    warp: u32,
    group: &Group,
    action: impl FnOnce(Threads) -> Action,
) -> Access {
    let threads = Threads::of_warp(warp, group.mask);
    let calls = block.warps[warp as usize].calls(group.frame);
    let first = threads.first();
    let mut end = access(&block.launch, block.linear, first, group.pc, &calls, action(threads));
    end.thread = None;
    end
}

/// The memory that an instruction accesses, in the space that it says itself.
pub fn memory_access(op: &Op, action: &Action) -> Option<MemoryAccess> {
    if let Op::Async(it) = op {
        let Async::Start(copy) = &**it else { return None };
        let space = if is_source(action) { Space::Global } else { Space::Shared };
        return Some(MemoryAccess { kind: AccessKind::AsyncCopy, space, scope: None, bytes: copy.bytes });
    }
    if let Op::Bulk(it) = op {
        let (space, bytes) = match &**it {
            Bulk::Start(copy) => (if is_source(action) { copy.from_space } else { copy.to_space }, UNIT as u32),
            Bulk::StartTensor(copy) => {
                let is_global = (copy.direction == TensorDirection::Load) == is_source(action);
                (if is_global { Space::Global } else { Space::Shared }, UNIT as u32)
            }
            Bulk::Store(store) => (Space::Shared, store.elements * store.ty.bytes()),
            _ => return None,
        };
        return Some(MemoryAccess { kind: AccessKind::AsyncCopy, space, scope: None, bytes });
    }
    let Accessed { kind, space, bytes, elements, semantics, .. } = Accessed::by(op)?;
    let scope = semantics.is_strong().then_some(semantics.scope);
    Some(MemoryAccess { kind, space, scope, bytes: bytes * elements })
}

/// True for the side of an asynchronous copy that it reads.
fn is_source(action: &Action) -> bool {
    match action {
        Action::Earlier { action, .. } => is_source(action),
        action => matches!(action, Action::StartedCopyFrom),
    }
}
