//! The interpreter's loop: one group of threads, instruction after instruction, until
//! something happens that concerns more than this group.

use super::access::{self, Context, Trouble};
use super::async_copies;
use super::block::Block;
use super::code::Guard;
use super::delay::Delay;
use super::grid::Worker;
use super::launch::Launch;
use super::warp::{Frame, Group, Wait};
use crate::exec::Op;
use crate::exec::branch::Branch;
use crate::exec::special::{Clock, Read};
use crate::exec::stack::Stack;
use crate::registers::{Mask, lanes};
use crate::schedule::{Doubt, Where};
use crate::watch::{At, Watch};

/// Why a group stopped.
pub enum Stop {
    /// Its slice is used up.
    Slice,
    /// Diverged, met another group, or called: choose again.
    Choose,
    /// These lanes have ended.
    Exit(Mask),
    /// At a block barrier; the group stands on the instruction.
    Barrier,
    /// At a warp-level `.sync`; the group stands on the instruction.
    Collective,
    /// At a call of a function of the device runtime; the group stands on the instruction.
    Builtin,
    /// At an operation on a barrier object; the group stands on the instruction.
    Mbarrier,
    Trap,
    /// `brx.idx` outside its table, a call to no function.
    WildJump,
    Trouble(Trouble),
    /// The launch has been ended already.
    Ended,
    /// No host memory, or local memory used up.
    StackOverflow,
}

impl<W: Watch> Worker<'_, W> {
    /// Runs group `at` of warp `which` for up to `slice` warp instructions; returns what
    /// is left of them and why it stopped. Stops before an instruction at or past `limit`.
    pub fn run_group(&mut self, block: &mut Block<W>, which: usize, at: usize, slice: u64, limit: u32) -> (u64, Stop) {
        let Block { launch, linear, warps, shared, history, watch: block_watch, .. } = block;
        let launch: &Launch = launch;
        let instrs = launch.code.instrs.as_slice();
        let warp = &mut warps[which];
        let Group { mut pc, mut mask, frame, .. } = warp.groups[at];
        warp.enter_window(frame);
        let mut left = slice;
        let mut threads = 0u64;

        macro_rules! stop {
            ($why:expr) => {{
                let why = $why;
                warp.groups[at].pc = pc;
                warp.groups[at].mask = mask;
                break why;
            }};
        }
        // Splits off the lanes that a guard holds back from an instruction that stops the group.
        macro_rules! alone {
            ($exec:expr) => {{
                if $exec != mask {
                    warp.groups.push(Group { pc: pc + 1, mask: mask & !$exec, frame, wait: Wait::Ready });
                    mask = $exec;
                }
            }};
        }
        macro_rules! memory {
            ($run:expr) => {{
                let mut cx = Context {
                    launch,
                    block: *linear,
                    pc,
                    frame,
                    shared,
                    watch: &mut self.watch,
                    block_watch: &mut *block_watch,
                    delay: (W::ON && self.manner.is_adverse).then_some(Delay {
                        schedule: &mut *self.schedule,
                        is_prompt: self.is_prompt,
                        shared: &mut *history,
                        global: &mut self.history,
                    }),
                };
                if let Err(trouble) = $run(&mut cx, warp) {
                    stop!(Stop::Trouble(trouble));
                }
                pc += 1;
            }};
        }
        macro_rules! wrote {
            () => {
                if self.manner.is_adverse && self.schedule.may(Doubt::Wrote) {
                    stop!(Stop::Choose);
                }
            };
        }

        let why = loop {
            if left == 0 {
                stop!(Stop::Slice);
            }
            if pc >= limit {
                stop!(Stop::Choose);
            }
            left -= 1;
            let instr = &instrs[pc as usize];
            let exec = match instr.guard {
                Guard::Always => mask,
                Guard::If(pred) => mask & warp.regs.pred(pred),
                Guard::Unless(pred) => mask & !warp.regs.pred(pred),
            };
            threads += u64::from(exec.count_ones());
            if W::ON {
                let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                self.watch.executed(&here, &warp.regs, instr, mask, exec);
            }
            if W::ON
                && let Guard::If(pred) | Guard::Unless(pred) = instr.guard
            {
                let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                self.watch.guard(&here, &mut warp.watch, &warp.regs, pred, &instr.op, mask, exec != 0);
            }
            if exec == 0 {
                pc += 1;
                continue;
            }
            match &instr.op {
                Op::Alu(alu) => {
                    if W::ON {
                        self.watch.alu(&mut warp.watch, &warp.regs, alu, exec);
                    }
                    alu.kernel.run(&mut warp.regs, &alu.args, exec);
                    pc += 1;
                }
                Op::Steps(steps) => {
                    for alu in steps {
                        if W::ON {
                            self.watch.alu(&mut warp.watch, &warp.regs, alu, exec);
                        }
                        alu.kernel.run(&mut warp.regs, &alu.args, exec);
                    }
                    pc += 1;
                }
                Op::Load(load) => {
                    self.looks |= load.semantics.is_strong();
                    memory!(|cx: &mut Context<W>, warp| access::load(cx, warp, load, exec))
                }
                Op::Store(store) => {
                    memory!(|cx: &mut Context<W>, warp| access::store(cx, warp, store, exec));
                    wrote!();
                }
                Op::Atomic(atomic) => {
                    self.looks = true;
                    memory!(|cx: &mut Context<W>, warp| access::atomic(cx, warp, atomic, exec));
                    wrote!();
                }
                Op::Async(operation) => {
                    memory!(|cx: &mut Context<W>, warp| async_copies::run(cx, warp, operation, exec));
                }
                Op::Branch(Branch::To(target)) => {
                    let mut taken = exec;
                    if W::ON {
                        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                        self.watch.branch(&here, &mut warp.watch, taken, mask & !taken);
                    }
                    if taken == mask {
                        // A lane may fall behind its warp even where all go the same way.
                        let behind = self.schedule.parts(mask, Where::Branch);
                        if behind == 0 || behind == mask {
                            pc = *target;
                            continue;
                        }
                        warp.groups.push(Group { pc: *target, mask: behind, frame, wait: Wait::Ready });
                        taken = mask & !behind;
                        pc = *target;
                    } else {
                        if W::ON {
                            let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                            self.watch.part(&here, &mut warp.watch, taken, mask & !taken);
                        }
                        warp.groups.push(Group { pc: pc + 1, mask: mask & !taken, frame, wait: Wait::Ready });
                        pc = *target;
                    }
                    mask = taken;
                    stop!(Stop::Choose);
                }
                Op::Branch(Branch::Table(table)) => {
                    let (index, targets) = &**table;
                    alone!(exec);
                    if W::ON {
                        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                        self.watch.decide(&here, &mut warp.watch, &warp.regs, *index, exec, "a branch");
                    }
                    let first = warp.regs.slot(index.index)[exec.trailing_zeros() as usize];
                    let same: Mask = lanes(exec).map(|l| u32::from(warp.regs.slot(index.index)[l] == first) << l).sum();
                    let Some(&target) = targets.get(first as usize) else {
                        stop!(Stop::WildJump);
                    };
                    if same != exec {
                        if W::ON {
                            let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                            self.watch.part(&here, &mut warp.watch, same, exec & !same);
                        }
                        // The others look up their own target when their turn comes.
                        warp.groups.push(Group { pc, mask: exec & !same, frame, wait: Wait::Ready });
                    }
                    mask = same;
                    pc = target;
                    if same != exec {
                        stop!(Stop::Choose);
                    }
                }
                Op::Warp(_) => {
                    alone!(exec);
                    stop!(Stop::Collective);
                }
                Op::Barrier(_) => {
                    alone!(exec);
                    stop!(Stop::Barrier);
                }
                Op::Mbarrier(_) => {
                    self.looks = true;
                    alone!(exec);
                    stop!(Stop::Mbarrier);
                }
                Op::ClusterArrive(releases) => {
                    if W::ON {
                        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                        self.watch.cluster_arrive(&here, *releases, &mut warp.watch, exec);
                    }
                    pc += 1;
                }
                Op::Fence(fence) => {
                    if W::ON {
                        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                        self.watch.fence(&here, fence, block_watch, &mut warp.watch, exec);
                    }
                    // Between workers the host's own fence keeps the kernel's promise.
                    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
                    pc += 1;
                }
                Op::ActiveMask(d) => {
                    if W::ON {
                        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                        self.watch.active_mask(&here, &mut warp.watch, &warp.regs, *d, exec);
                    }
                    lanes(exec).for_each(|lane| warp.regs.set(*d, lane, u64::from(exec)));
                    pc += 1;
                }
                Op::Stack(op) => {
                    if let (true, Stack::Allocate { size: asked, .. } | Stack::Restore { a: asked }) = (W::ON, *op) {
                        let here = At { launch, block: *linear, warp: warp.index, pc, frame };
                        self.watch.decide(&here, &mut warp.watch, &warp.regs, asked, exec, "a stack's size");
                    }
                    let Frame { local, depth, function, .. } = warp.frames[frame as usize];
                    let frames = local + launch.code.functions[function as usize].local_bytes;
                    let most = u64::from(launch.profile.local_per_thread);
                    if let Err(why) = super::stack::run(&mut self.watch, warp, op, depth, frames, most, exec) {
                        stop!(why);
                    }
                    pc += 1;
                }
                Op::Special(read) => {
                    if W::ON {
                        self.watch.define(&mut warp.watch, &warp.regs, read.d, exec);
                    }
                    let ran = warp.clock + (slice - left);
                    let value = clock(read, if read.global { self.instructions + ran } else { ran });
                    lanes(exec).for_each(|lane| warp.regs.set(read.d, lane, value));
                    pc += 1;
                }
                Op::Call(call) => {
                    alone!(exec);
                    stop!(if matches!(call.callee, crate::exec::branch::Callee::Builtin(_)) {
                        Stop::Builtin
                    } else {
                        match super::call::enter(&mut self.watch, launch, *linear, warp, at, call, pc, mask) {
                            Ok(entry) => {
                                pc = entry.pc;
                                mask = entry.mask;
                                Stop::Choose
                            }
                            Err(why) => why,
                        }
                    });
                }
                Op::Return => {
                    alone!(exec);
                    if warp.frames[frame as usize].depth == 0 {
                        stop!(Stop::Exit(mask));
                    }
                    pc = super::call::leave(&mut self.watch, launch, warp, at, mask);
                    stop!(Stop::Choose);
                }
                Op::Exit => {
                    alone!(exec);
                    stop!(Stop::Exit(mask));
                }
                Op::Trap => {
                    alone!(exec);
                    stop!(Stop::Trap);
                }
                Op::Nop => pc += 1,
            }
        };
        let ran = slice - left;
        warp.clock += ran;
        self.instructions += ran;
        self.thread_instructions += threads;
        (left, why)
    }
}

#[inline]
fn clock(read: &Read, now: u64) -> u64 {
    match read.part {
        Clock::Low => now & 0xffff_ffff,
        Clock::High => now >> 32,
        Clock::Whole => now,
    }
}
