//! Calls inside a warp: frames, arguments, results.
//!
//! A frame is shared by all lanes that made the same call from the same place in the same
//! frame, whenever they made it. So lanes that call a function apart can still meet in
//! it. Frames that lanes are in at the same time never share register slots: a double's
//! lanes lie over two slots, so another function's words there would be another lane's
//! double.

use super::launch::Launch;
use super::stop::GroupStop;
use super::warp::{Frame, Group, Wait, Warp};
use crate::code::{Formal, function_of_address};
use crate::exec::branch::{CallOp, Callee, PassedArgument};
use crate::registers::{Mask, Reg, lanes};
use crate::watch::{At, Watch, Window};
use finding::Decision;

/// The greatest depth of calls, however little memory they take.
pub const MOST_CALLS: u32 = 4096;

/// A look at a frame takes so much less than an instruction.
const LOOKS_PER_FUEL: usize = 64;

/// Memory of a warp's registers that is new takes so much longer than what is copied.
const GROWTH: usize = 4;

/// The callee's first instruction, and the lanes that go there (an indirect call may split the group).
pub struct CalleeEntry {
    pub pc: u32,
    pub mask: Mask,
}

fn window(frame: &Frame) -> Window {
    Window { slots: frame.slots as usize, preds: frame.preds as usize }
}

/// Opens a frame for group `at`, which stands on the call at `here`.
pub fn enter<W: Watch>(
    watch: &mut W,
    here: At,
    warp: &mut Warp<W>,
    at: usize,
    call: &CallOp,
    mask: Mask,
) -> Result<CalleeEntry, GroupStop> {
    let mut mask = mask;
    let At { launch, block, pc, frame: caller, .. } = here;
    let index = match &call.callee {
        Callee::Function(index) => *index,
        Callee::Indirect(reg) => {
            if W::ON {
                watch.decide(&here, &mut warp.watch, &warp.regs, *reg, mask, Decision::Call);
            }
            let first = warp.regs.get(*reg, mask.trailing_zeros() as usize);
            let same: Mask = lanes(mask).map(|l| u32::from(warp.regs.get(*reg, l) == first) << l).sum();
            if same != mask {
                warp.groups.push(Group { pc, mask: mask & !same, frame: caller, wait: Wait::Ready });
                mask = same;
            }
            function_of_address(first).ok_or(GroupStop::WildJump)?
        }
        Callee::Builtin(_) => return Err(GroupStop::Builtin),
    };
    let (position, callee) = launch.code.function(launch.part, index).ok_or(GroupStop::WildJump)?;
    let parent = warp.frames[caller as usize];
    let calling = &launch.code.functions[parent.function as usize];
    let (slots, mut looks) = free_slots(launch, warp, at, parent.slots + calling.frame.slots, position, pc + 1);
    let new = Frame {
        function: position,
        parent: caller,
        return_pc: pc + 1,
        depth: parent.depth + 1,
        slots,
        preds: parent.preds + calling.frame.preds,
        local: parent.local + calling.local_bytes,
        last_child: 0,
        earlier_child: parent.last_child,
    };
    let top = new.local + callee.local_bytes;
    // Deep recursion ends here, as it does on a GPU when the stack is full.
    if top > u64::from(launch.profile.local_per_thread) || new.depth > MOST_CALLS {
        return Err(GroupStop::StackOverflow);
    }
    let mut frame = parent.last_child;
    while frame != 0 && !warp.frames[frame as usize].is_same_call(&new) {
        frame = warp.frames[frame as usize].earlier_child;
        looks += 1;
    }
    if frame == 0 {
        frame = warp.frames.len() as u32;
        warp.frames.push(new);
        warp.frames[caller as usize].last_child = frame;
    }
    if looks >= LOOKS_PER_FUEL {
        launch.tree.burn((looks / LOOKS_PER_FUEL) as u64);
    }
    let held = warp.regs.bytes();
    warp.regs.reserve((new.slots + callee.frame.slots) as usize, (new.preds + callee.frame.preds) as usize);
    for lane in lanes(mask) {
        let local = &mut warp.locals[lane];
        if (local.len() as u64) < top {
            local.resize(top as usize, 0);
        }
    }

    launch.tree.burn_for_bytes((GROWTH * (warp.regs.bytes() - held)) as u64);
    let passed: u64 = callee.params.iter().map(Formal::bytes).sum();
    launch.tree.burn_for_bytes(8 * u64::from(callee.frame.slots) + passed * u64::from(mask.count_ones()));

    warp.enter_window(frame);
    warp.fill_constants(launch, block, callee, new.local, mask, |_| true);
    if W::ON {
        watch.enter_frame(&mut warp.watch, &warp.regs, callee, new.local, mask);
        watch.called(&here, &mut warp.watch, frame);
    }
    let (outer, inner) = (window(&parent), window(&new));
    for (passed, formal) in call.arguments.iter().zip(&callee.params) {
        copy(watch, warp, (outer, parent.local), end(passed), (inner, new.local), formal_end(formal), mask);
    }
    warp.groups[at].frame = frame;
    warp.enter_window(frame);
    Ok(CalleeEntry { pc: callee.entry, mask })
}

/// Returns the first slot of a callee's registers, and how many frames were looked at. It is in the frame that other
/// lanes are in by the same call, else behind every frame that some lane is in. `own` is the first slot behind the
/// caller's.
fn free_slots<W: Watch>(
    launch: &Launch,
    warp: &Warp<W>,
    at: usize,
    own: u32,
    function: u32,
    return_pc: u32,
) -> (u32, usize) {
    let caller = warp.groups[at].frame;
    let (mut first, mut looks) = (own, 0);
    for (_, group) in warp.groups.iter().enumerate().filter(|(other, _)| *other != at) {
        // A frame's slots lie behind those of all that it was called from.
        let innermost = &warp.frames[group.frame as usize];
        first = first.max(innermost.slots + launch.code.functions[innermost.function as usize].frame.slots);
        let mut index = group.frame;
        // A frame is opened after its parent.
        while index > caller {
            let frame = &warp.frames[index as usize];
            looks += 1;
            if (frame.function, frame.parent, frame.return_pc) == (function, caller, return_pc) {
                return (frame.slots, looks);
            }
            index = frame.parent;
        }
    }
    (first, looks)
}

/// Closes the frame of group `at` for `mask`, which is all of it; returns where to go on.
pub fn leave<W: Watch>(watch: &mut W, launch: &Launch, warp: &mut Warp<W>, at: usize, mask: Mask) -> u32 {
    let inner = warp.frames[warp.groups[at].frame as usize];
    let outer = warp.frames[inner.parent as usize];
    let callee = &launch.code.functions[inner.function as usize];
    let passed: u64 = callee.results.iter().map(Formal::bytes).sum();
    launch.tree.burn_for_bytes(passed * u64::from(mask.count_ones()));
    if let crate::exec::Op::Call(call) = &launch.code.instrs[inner.return_pc as usize - 1].op {
        for (passed, formal) in call.results.iter().zip(&callee.results) {
            let (from, to) = ((window(&inner), inner.local), (window(&outer), outer.local));
            copy(watch, warp, from, formal_end(formal), to, end(passed), mask);
        }
    }
    if !warp.stacks.is_empty() {
        lanes(mask).for_each(|lane| warp.stacks[lane].leave(inner.depth));
    }
    warp.groups[at].frame = inner.parent;
    warp.enter_window(inner.parent);
    inner.return_pc
}

/// One end of a transfer.
enum TransferEnd {
    Memory { offset: u64, bytes: u64 },
    Register(Reg),
}

fn end(passed: &PassedArgument) -> TransferEnd {
    match *passed {
        PassedArgument::Memory { offset, bytes } => TransferEnd::Memory { offset, bytes },
        PassedArgument::Register(reg) => TransferEnd::Register(reg),
    }
}

fn formal_end(formal: &Formal) -> TransferEnd {
    match *formal {
        Formal::Memory { offset, bytes } => TransferEnd::Memory { offset, bytes },
        Formal::Register(reg) => TransferEnd::Register(reg),
    }
}

fn copy<W: Watch>(
    watch: &mut W,
    warp: &mut Warp<W>,
    (from_window, from_local): (Window, u64),
    from: TransferEnd,
    (to_window, to_local): (Window, u64),
    to: TransferEnd,
    mask: Mask,
) {
    match (from, to) {
        // `_`: nobody wants it.
        (_, TransferEnd::Register(Reg::NONE)) => {}
        (TransferEnd::Memory { offset, bytes }, TransferEnd::Memory { offset: target, bytes: room }) => {
            let (start, target, bytes) = (from_local + offset, to_local + target, bytes.min(room));
            for lane in lanes(mask) {
                let range = start as usize..(start + bytes) as usize;
                warp.locals[lane].copy_within(range, target as usize);
            }
            if W::ON {
                watch.copy_local(&mut warp.watch, start, target, bytes, mask);
            }
        }
        (TransferEnd::Register(from), TransferEnd::Register(to)) => {
            for lane in lanes(mask) {
                warp.regs.base = from_window.slots;
                warp.regs.pred_base = from_window.preds;
                let value = warp.regs.get_quad(from, lane);
                warp.regs.base = to_window.slots;
                warp.regs.pred_base = to_window.preds;
                warp.regs.set_quad(to, lane, value);
            }
            if W::ON {
                watch.copy_register(&mut warp.watch, (from_window, from), (to_window, to), mask);
            }
        }
        // A register where memory belongs: the linker refuses such calls.
        _ => {}
    }
}
