//! Functions that every device has: `printf`, `assert`, `malloc` and `free` (CUDA C++ Programming Guide, "Formatted
//! Output", "Assertion", "Heap Memory Allocation"). Those of the device runtime are in [`super::device_calls`].

use super::block::Block;
use super::launch::Launch;
use super::printf::{self, GenericMemory};
use super::warp::Warp;
use crate::exec::Op;
use crate::exec::branch::{Builtin, CallOp, Callee, PassedArgument};
use crate::exec::runtime::DeviceCall;
use crate::memory::heap::BadFree;
use crate::memory::space::Space;
use crate::registers::{WARP, lanes};
use crate::watch::Watch;

/// A letter that is printed takes as long as so many bytes that are copied: it is looked up.
const BYTES_PER_LETTER: u64 = 16;

/// The outcome of a call.
pub(super) enum CallOutcome {
    Done,
    /// An assertion has failed.
    Asserted,
    /// A lane has freed what it may not.
    FreedBadly(usize, BadFree),
    /// It is for the device runtime.
    Device(DeviceCall),
}

/// Runs a function of the device runtime for the group that stands on its call.
pub(super) fn run<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, at: usize) -> CallOutcome {
    let pc = block.warps[which].groups[at].pc;
    let Op::Call(call) = &block.launch.code.instrs[pc as usize].op else { unreachable!("stopped at one") };
    let Callee::Builtin(builtin) = call.callee else { unreachable!("stopped at one") };
    if let Builtin::Device(call) = builtin {
        return CallOutcome::Device(call);
    }
    let Block { launch, warps, shared, linear, .. } = block;
    let launch: &Launch = launch;
    let warp = &mut warps[which];
    let group = warp.groups[at];
    warp.enter_window(group.frame);
    let mut text = Vec::new();
    let mut results = [0; WARP];
    for lane in lanes(group.mask) {
        let thread = Thread { launch, shared, warp, lane };
        let argument = |nth: usize| thread.argument(call, nth);
        match builtin {
            // Returns how many arguments it used, and -1 where there is no format.
            Builtin::Vprintf if argument(0) == 0 => results[lane] = u64::MAX,
            Builtin::Vprintf => {
                let format = thread.string(argument(0));
                let (printed, count) = printf::format(&format, argument(1), &thread);
                launch.tree.burn_for_bytes(BYTES_PER_LETTER * (format.len() + printed.len()) as u64);
                text.extend(printed);
                results[lane] = count;
            }
            Builtin::AssertFail => text.extend(printf::assertion(
                launch.block_index(*linear),
                launch.thread_index(32 * warp.index + lane as u32),
                &thread.string(argument(1)),
                argument(2) & 0xffff_ffff,
                &thread.string(argument(3)),
                &thread.string(argument(0)),
            )),
            Builtin::Device(_) => unreachable!("run above"),
            Builtin::Malloc => {
                let bytes = argument(0);
                let block = launch.memory.heap.allocate(bytes);
                launch.tree.burn_for_bytes(block.map_or(0, |_| bytes));
                if let (true, Some(base)) = (W::ON, block) {
                    watch.allocated(base, bytes);
                }
                results[lane] = block.unwrap_or(0);
            }
            Builtin::Free => {
                let address = argument(0);
                match launch.memory.heap.free(address) {
                    Ok(()) if W::ON => watch.freed(address),
                    Err(bad) if address != 0 => return CallOutcome::FreedBadly(lane, bad),
                    _ => {}
                }
            }
        }
    }
    // A launch that has failed prints no more.
    if !W::GOES_ON || !launch.has_fault() {
        let tree = &launch.tree;
        let output = if builtin == Builtin::AssertFail { &tree.assertions } else { &tree.printed };
        output.lock().expect("no worker panics with the lock").extend(text);
    }
    if builtin == Builtin::AssertFail {
        return CallOutcome::Asserted;
    }
    let parent = warp.frames[group.frame as usize];
    match call.results.first() {
        Some(PassedArgument::Memory { offset, bytes }) => {
            let start = (parent.local + offset) as usize;
            let bytes = *bytes as usize;
            for lane in lanes(group.mask) {
                let wide: Vec<u8> =
                    results[lane].to_le_bytes().into_iter().chain(std::iter::repeat(0)).take(bytes).collect();
                warp.locals[lane][start..start + bytes].copy_from_slice(&wide);
            }
            if W::ON {
                watch.define_local(&mut warp.watch, start as u64, bytes as u64, group.mask);
            }
        }
        Some(PassedArgument::Register(reg)) if reg.is_some() => {
            lanes(group.mask).for_each(|lane| warp.regs.set(*reg, lane, results[lane]));
            if W::ON {
                watch.define(&mut warp.watch, &warp.regs, *reg, group.mask);
            }
        }
        _ => {}
    }
    warp.groups[at].pc += 1;
    CallOutcome::Done
}

/// A thread's memory as the device runtime's functions see it.
struct Thread<'a, W: Watch> {
    launch: &'a Launch<'a>,
    shared: &'a crate::memory::Region,
    warp: &'a Warp<W>,
    lane: usize,
}

impl<W: Watch> Thread<'_, W> {
    fn argument(&self, call: &CallOp, nth: usize) -> u64 {
        match call.arguments.get(nth) {
            Some(PassedArgument::Memory { offset, bytes }) => {
                let frame = &self.warp.frames[self.warp.groups_frame(self.lane)];
                let start = (frame.local + offset) as usize;
                let mut wide = [0; 8];
                let bytes = (*bytes as usize).min(8);
                wide[..bytes].copy_from_slice(&self.warp.locals[self.lane][start..start + bytes]);
                u64::from_le_bytes(wide)
            }
            Some(PassedArgument::Register(reg)) => self.warp.regs.get(*reg, self.lane),
            None => 0,
        }
    }
}

impl<W: Watch> GenericMemory for Thread<'_, W> {
    fn byte(&self, address: u64) -> Option<u8> {
        let (space, address) = printf::split(address);
        let region = match space {
            Space::Shared => self.shared,
            Space::Param => &self.launch.params,
            Space::Local => return self.warp.own(self.lane, address, 1).map(|own| own[0]),
            _ => self.launch.memory.region(address)?,
        };
        region.contains(address, 1).then(|| region.load::<u8>(address))
    }
}

impl<W: Watch> Warp<W> {
    /// The frame that a lane is in.
    fn groups_frame(&self, lane: usize) -> usize {
        let group = self.groups.iter().find(|group| group.mask >> lane & 1 != 0);
        group.map_or(0, |group| group.frame as usize)
    }
}
