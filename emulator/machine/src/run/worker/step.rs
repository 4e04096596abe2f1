//! The interpreter's loop: one group of threads, instruction after instruction, until
//! something happens that concerns more than this group.

use super::Worker;
use crate::code::{Instr, InstrGuard};
use crate::exec::async_copy::Async;
use crate::exec::branch::BranchOp;
use crate::exec::special::{ClockRead, ClockRegister};
use crate::exec::stack::StackOp;
use crate::exec::{Alu, Op};
use crate::memory::Region;
use crate::memory::history::OlderValues;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, Reg, lanes};
use crate::run::access::{self, AccessContext, InvalidAccess};
use crate::run::async_copies;
use crate::run::block::Block;
use crate::run::call;
use crate::run::delay::Delay;
use crate::run::images;
use crate::run::launch::Launch;
use crate::run::stop::GroupStop;
use crate::run::tensor_maps;
use crate::run::warp::{Frame, Group, Wait, Warp};
use crate::schedule::{BinaryChoice, PartsAt};
use crate::watch::{At, GuardRead, Watch};
use finding::Decision;

/// The state that a block has for all its warps.
struct Around<'b, W: Watch> {
    block: u64,
    shared: &'b Region,
    history: &'b mut OlderValues,
    watch: &'b mut W::Block,
}

/// The target of a branch for a group, and what is left of the group.
struct Turned {
    pc: u32,
    mask: Mask,
    /// The group was split, so the schedule chooses again.
    apart: bool,
}

impl<W: Watch> Worker<'_, W> {
    /// Runs group `at` of warp `which` for up to `slice` warp instructions. Returns what is left of them and why it
    /// stopped. Stops before an instruction at or past `limit`.
    pub fn run_group(
        &mut self,
        block: &mut Block<W>,
        which: usize,
        at: usize,
        slice: u64,
        limit: u32,
    ) -> (u64, GroupStop) {
        let Block { launch, linear, warps, shared, history, watch, .. } = block;
        let launch: &Launch = launch;
        let mut around = Around { block: *linear, shared, history, watch };
        let instrs = launch.code.instrs.as_slice();
        let warp = &mut warps[which];
        let Group { mut pc, mut mask, frame, .. } = warp.groups[at];
        warp.enter_window(frame);
        let (block, index) = (*linear, warp.index);
        let place = move |pc: u32| At { launch, block, warp: index, pc, frame };
        let mut left = slice;
        let mut threads = 0u64;

        // The loop breaks with the reason for which the group is left, at `pc` with `mask`.
        let why = loop {
            if left == 0 {
                break GroupStop::Slice;
            }
            if pc >= limit {
                break GroupStop::Choose;
            }
            left -= 1;
            let instr = &instrs[pc as usize];
            let here = place(pc);
            let exec = instr.guard.lets(&warp.regs, mask);
            threads += u64::from(exec.count_ones());
            self.announce_instruction(&here, warp, around.watch, instr, mask, exec);
            if exec == 0 {
                pc += 1;
                continue;
            }
            match &instr.op {
                Op::Alu(alu) => self.compute(warp, alu, exec),
                Op::Steps(steps) => steps.iter().for_each(|alu| self.compute(warp, alu, exec)),
                Op::Load(load) => {
                    self.looks |= load.semantics.is_strong();
                    let made_with = [(load.base, Decision::Address)];
                    let run = self.access(&here, warp, &mut around, &made_with, exec, |context, warp, mask| {
                        access::load(context, warp, load, mask)
                    });
                    if let Err(why) = run {
                        break why;
                    }
                    if self.manner.shows_each_event && load.space.is_shared_by_threads() {
                        pc += 1;
                        break GroupStop::Choose;
                    }
                }
                Op::Store(store) => {
                    let made_with = [(store.base, Decision::Address)];
                    let run = self.access(&here, warp, &mut around, &made_with, exec, |context, warp, mask| {
                        access::store(context, warp, store, mask)
                    });
                    if let Err(why) = run {
                        break why;
                    }
                    if self.gives_way() || self.manner.shows_each_event && store.space.is_shared_by_threads() {
                        pc += 1;
                        break GroupStop::Choose;
                    }
                }
                Op::Atomic(atomic) => {
                    self.looks = true;
                    let made_with = [(atomic.base, Decision::Address)];
                    let run = self.access(&here, warp, &mut around, &made_with, exec, |context, warp, mask| {
                        access::atomic(context, warp, atomic, mask)
                    });
                    if let Err(why) = run {
                        break why;
                    }
                    if self.gives_way() || self.manner.shows_each_event {
                        pc += 1;
                        break GroupStop::Choose;
                    }
                }
                Op::Async(op) => {
                    let run = self.access(&here, warp, &mut around, &made_with(op), exec, |context, warp, mask| {
                        async_copies::run(context, warp, op, mask)
                    });
                    if let Err(why) = run {
                        break why;
                    }
                    if self.manner.shows_each_event {
                        pc += 1;
                        break GroupStop::Choose;
                    }
                }
                Op::Image(op) => {
                    let made_with = op.made_with().map(|reg| (reg, Decision::Address));
                    let run = self.access(&here, warp, &mut around, &made_with, exec, |context, warp, mask| {
                        images::run(context, warp, op, mask)
                    });
                    if let Err(why) = run {
                        break why;
                    }
                    if self.manner.shows_each_event {
                        pc += 1;
                        break GroupStop::Choose;
                    }
                }
                Op::Branch(branch) => {
                    let turned = match branch {
                        BranchOp::To(target) => self.branch(warp, &here, *target, mask, exec),
                        BranchOp::Table(table) => {
                            mask = alone(warp, &here, mask, exec);
                            match self.branch_by_table(warp, &here, table, mask) {
                                Some(turned) => turned,
                                None => break GroupStop::WildJump,
                            }
                        }
                    };
                    (pc, mask) = (turned.pc, turned.mask);
                    if turned.apart {
                        break GroupStop::Choose;
                    }
                    continue;
                }
                Op::Fence(fence) => {
                    if W::ON {
                        self.watch.fence(&here, fence, around.watch, &mut warp.watch, exec);
                    }
                    // Between workers the host's own fence keeps the kernel's promise.
                    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
                    if self.manner.shows_each_event {
                        pc += 1;
                        break GroupStop::Choose;
                    }
                }
                Op::ProxyFence(space) => {
                    if W::ON {
                        self.watch.proxy_fence(&here, &mut warp.watch, exec, *space);
                    }
                }
                Op::MapFence(fence) => {
                    if W::ON {
                        tensor_maps::fence(&mut self.watch, &here, fence, around.watch, warp, exec);
                    }
                }
                Op::ActiveMask(d) => {
                    if W::ON {
                        self.watch.active_mask(&here, &mut warp.watch, &warp.regs, *d, exec);
                    }
                    lanes(exec).for_each(|lane| warp.regs.set(*d, lane, u64::from(exec)));
                }
                Op::Stack(op) => {
                    if let Err(why) = self.stack(warp, &here, op, exec) {
                        break why;
                    }
                }
                Op::Special(read) => self.read_clock(warp, read, slice - left, exec),
                Op::Sleep(nanoseconds) => self.sleep(warp, *nanoseconds, exec),
                Op::GridDependency(op) => {
                    if W::ON {
                        self.watch.grid_dependency(&here, *op, &mut warp.watch, exec);
                    }
                }
                Op::Nop => {}
                // The rest is not the group's alone. Lanes that the guard holds back go on by themselves.
                Op::Warp(_) => {
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::Collective;
                }
                Op::ClusterArrive(_) => {
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::ClusterArrive;
                }
                Op::Barrier(_) => {
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::Barrier;
                }
                Op::Mbarrier(_) => {
                    self.looks = true;
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::Mbarrier;
                }
                Op::Bulk(_) => {
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::Bulk;
                }
                Op::Call(call) => {
                    mask = alone(warp, &here, mask, exec);
                    match call::enter(&mut self.watch, here, warp, at, call, mask) {
                        Ok(entry) => (pc, mask) = (entry.pc, entry.mask),
                        Err(why) => break why,
                    }
                    break GroupStop::Choose;
                }
                Op::Return => {
                    mask = alone(warp, &here, mask, exec);
                    if warp.frames[frame as usize].depth == 0 {
                        break GroupStop::Exit(mask);
                    }
                    pc = call::leave(&mut self.watch, launch, warp, at, mask);
                    break GroupStop::Choose;
                }
                Op::Exit => {
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::Exit(mask);
                }
                Op::Trap => {
                    mask = alone(warp, &here, mask, exec);
                    break GroupStop::Trap;
                }
            }
            pc += 1;
        };
        warp.groups[at].pc = pc;
        warp.groups[at].mask = mask;
        let ran = slice - left;
        warp.advance(ran);
        self.instructions += ran;
        self.time = self.time.max(warp.clock());
        self.thread_instructions += threads;
        (left, why)
    }

    /// Makes the accesses of an instruction with `run`, which is given the lanes that are left. Lanes whose accesses
    /// are invalid are skipped if the launch goes on without them.
    #[inline(always)]
    fn access(
        &mut self,
        here: &At,
        warp: &mut Warp<W>,
        around: &mut Around<W>,
        made_with: &[(Reg, Decision)],
        exec: Mask,
        run: impl Fn(&mut AccessContext<W>, &mut Warp<W>, Mask) -> Result<(), InvalidAccess>,
    ) -> Result<(), GroupStop> {
        let op = &here.launch.code.instrs[here.pc as usize].op;
        let mut remaining = self.may_access(here, warp, made_with, op, exec);
        while let Err(invalid) = run(&mut self.context(around, here), warp, remaining) {
            if is_of_peer(here, op, &invalid) {
                return Err(GroupStop::OfPeer(invalid.remaining));
            }
            match self.skip(here, warp, around.shared, op, &invalid) {
                Some(others) => remaining = others,
                None => return Err(GroupStop::InvalidAccess(invalid)),
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn announce_instruction(
        &mut self,
        here: &At,
        warp: &mut Warp<W>,
        block: &mut W::Block,
        instr: &Instr,
        mask: Mask,
        exec: Mask,
    ) {
        if W::ON {
            self.watch.stands(here, block, &mut warp.watch, &warp.regs, mask, exec);
            self.watch.executed(here, &warp.regs, instr, mask, exec);
            if let InstrGuard::If(pred) | InstrGuard::Unless(pred) = instr.guard {
                let guard = GuardRead { pred, op: &instr.op, runs: exec != 0 };
                self.watch.guard(here, &mut warp.watch, &warp.regs, &guard, mask);
            }
        }
    }

    #[inline(always)]
    fn compute(&mut self, warp: &mut Warp<W>, alu: &Alu, exec: Mask) {
        if W::ON {
            self.watch.alu(&mut warp.watch, &warp.regs, alu, exec);
        }
        alu.kernel.run(&mut warp.regs, &alu.args, exec);
    }

    #[inline(always)]
    fn context<'c>(&'c mut self, around: &'c mut Around<W>, here: &At<'c>) -> AccessContext<'c, W> {
        AccessContext {
            launch: here.launch,
            block: around.block,
            pc: here.pc,
            frame: here.frame,
            shared: around.shared,
            owner: around.block,
            shift: 0,
            watch: &mut self.watch,
            block_watch: around.watch,
            delay: (W::ON && self.manner.is_adverse).then_some(Delay {
                schedule: &mut *self.schedule,
                is_prompt: self.is_prompt,
                shared: around.history,
                global: &mut self.history,
            }),
        }
    }

    /// Asks an adversarial schedule whether a group stops after its write.
    #[inline(always)]
    fn gives_way(&mut self) -> bool {
        self.manner.is_adverse && !self.manner.is_free() && self.schedule.decide(BinaryChoice::Wrote)
    }

    #[inline(always)]
    fn branch(&mut self, warp: &mut Warp<W>, here: &At, target: u32, mask: Mask, exec: Mask) -> Turned {
        if W::ON {
            self.watch.branch(here, &mut warp.watch, exec, mask & !exec);
        }
        if exec != mask {
            if W::ON {
                self.watch.part(here, &mut warp.watch, exec, mask & !exec);
            }
            push(warp, here.pc + 1, mask & !exec, here.frame);
            return Turned { pc: target, mask: exec, apart: true };
        }
        // A lane may fall behind its warp even where all go the same way.
        let behind = self.schedule.parts(mask, PartsAt::Branch);
        if behind == 0 || behind == mask {
            return Turned { pc: target, mask, apart: false };
        }
        push(warp, target, behind, here.frame);
        Turned { pc: target, mask: mask & !behind, apart: true }
    }

    /// The lanes that go where the first one goes; `None` where that is outside the table.
    fn branch_by_table(
        &mut self,
        warp: &mut Warp<W>,
        here: &At,
        table: &(Reg, Vec<u32>),
        mask: Mask,
    ) -> Option<Turned> {
        let (index, targets) = table;
        if W::ON {
            self.watch.decide(here, &mut warp.watch, &warp.regs, *index, mask, Decision::Branch);
        }
        let indices = warp.regs.slot(index.index);
        let first = indices[mask.trailing_zeros() as usize];
        let same: Mask = lanes(mask).map(|lane| u32::from(indices[lane] == first) << lane).sum();
        let &target = targets.get(first as usize)?;
        let apart = same != mask;
        if apart {
            if W::ON {
                self.watch.part(here, &mut warp.watch, same, mask & !same);
            }
            // The others look up their own target when their turn comes.
            push(warp, here.pc, mask & !same, here.frame);
        }
        Some(Turned { pc: target, mask: same, apart })
    }

    fn stack(&mut self, warp: &mut Warp<W>, here: &At, op: &StackOp, exec: Mask) -> Result<(), GroupStop> {
        if let (true, StackOp::Allocate { size: asked, .. } | StackOp::Restore { a: asked }) = (W::ON, *op) {
            self.watch.decide(here, &mut warp.watch, &warp.regs, asked, exec, Decision::StackSize);
        }
        let Frame { local, depth, function, .. } = warp.frames[here.frame as usize];
        let frames = local + here.launch.code.functions[function as usize].local_bytes;
        match crate::run::stack::run(&mut self.watch, here.launch, warp, op, depth, frames, exec) {
            true => Ok(()),
            false => Err(GroupStop::StackOverflow),
        }
    }

    /// Advances the warp's clock. Sleeps of different warps overlap.
    fn sleep(&mut self, warp: &mut Warp<W>, nanoseconds: Reg, exec: Mask) {
        let asked = warp.regs.slot(nanoseconds.index);
        let longest = lanes(exec).map(|lane| u64::from(asked[lane])).max().unwrap_or(0);
        warp.sleep(longest.min(MOST_SLEEP));
        self.slept = self.slept.max(warp.slept());
    }

    /// The group has run `ran` instructions in its present turn.
    fn read_clock(&mut self, warp: &mut Warp<W>, read: &ClockRead, ran: u64, exec: Mask) {
        if W::ON {
            self.watch.define(&mut warp.watch, &warp.regs, read.d, exec);
        }
        let now = if read.global {
            let since = self.instructions + ran + self.slept;
            self.time = self.time.max(since);
            self.launch.tree.begins + since
        } else {
            warp.clock() + ran
        };
        let value = clock(read, now);
        lanes(exec).for_each(|lane| warp.regs.set(read.d, lane, value));
    }
}

/// Maximum sleep of `nanosleep` in nanoseconds, from the PTX ISA.
const MOST_SLEEP: u64 = 1_000_000;

/// Returns true if an access outside this block's shared memory is of the shared memory of another block of the
/// cluster. Copies and images have no such accesses.
#[cold]
fn is_of_peer(here: &At, op: &Op, invalid: &InvalidAccess) -> bool {
    here.launch.has_peers()
        && matches!(op, Op::Load(_) | Op::Store(_) | Op::Atomic(_))
        && invalid.space == Space::Shared
        && space::in_cluster(invalid.address).0.is_some()
}

/// Lanes of a group that go on elsewhere.
#[inline(always)]
fn push<W: Watch>(warp: &mut Warp<W>, pc: u32, mask: Mask, frame: u32) {
    warp.groups.push(Group { pc, mask, frame, wait: Wait::Ready });
}

/// Splits off the lanes of `mask` that a guard holds back from an instruction; returns the others.
#[inline(always)]
fn alone<W: Watch>(warp: &mut Warp<W>, here: &At, mask: Mask, exec: Mask) -> Mask {
    if exec != mask {
        push(warp, here.pc + 1, mask & !exec, here.frame);
    }
    exec
}

/// The registers that a copy is started with, and what each decides.
fn made_with(op: &Async) -> [(Reg, Decision); 3] {
    let (to, from, given) = match op {
        Async::Start(copy) => (copy.to.base, copy.from.base, copy.given.register()),
        _ => (Reg::NONE, Reg::NONE, Reg::NONE),
    };
    [(to, Decision::Address), (from, Decision::Address), (given, Decision::CopySize)]
}

#[inline]
fn clock(read: &ClockRead, now: u64) -> u64 {
    match read.part {
        ClockRegister::Low => now & 0xffff_ffff,
        ClockRegister::High => now >> 32,
        ClockRegister::Whole => now,
    }
}
