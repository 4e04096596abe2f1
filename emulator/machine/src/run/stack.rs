//! Memory that a thread allocates on its stack while it runs: `alloca`, `stacksave`, `stackrestore` (PTX ISA, "Stack
//! Manipulation Instructions").
//!
//! It lies above all frames, from [`STACK`] on, and not between them: lanes that allocate different amounts then stay
//! in one call, whose frame begins at one address for all of them. What a function has allocated is given back when it
//! returns. It counts against the thread's local memory. Bounds are those of all that the thread has allocated, so an
//! access from one array into the next is let through, as with other local arrays (towards silence).

use super::launch::Launch;
use super::warp::Warp;
use crate::exec::IS_WHOLE;
use crate::exec::stack::StackOp;
use crate::registers::{Mask, WARP, lanes};
use crate::watch::Watch;
use std::ops::Range;

/// The first address, above any frame.
pub const STACK: u64 = 1 << 23;

/// One thread's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allocated {
    bytes: Vec<u8>,
    /// The calls that have allocated, by depth, and how much there was before.
    held: Vec<(u32, usize)>,
}

impl Allocated {
    fn range(&self, address: u64, bytes: u64) -> Option<Range<usize>> {
        let start = usize::try_from(address.checked_sub(STACK)?).ok()?;
        let end = start.checked_add(bytes as usize)?;
        (end <= self.bytes.len()).then_some(start..end)
    }

    #[inline]
    pub fn get(&self, address: u64, bytes: u64) -> Option<&[u8]> {
        self.range(address, bytes).map(|range| &self.bytes[range])
    }

    #[inline]
    pub fn get_mut(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        self.range(address, bytes).map(|range| &mut self.bytes[range])
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.held.clear();
    }

    fn top(&self) -> u64 {
        STACK + self.bytes.len() as u64
    }

    fn allocate(&mut self, depth: u32, start: u64, size: u64) {
        if self.held.last().is_none_or(|last| last.0 < depth) {
            self.held.push((depth, self.bytes.len()));
        }
        self.bytes.resize((start + size - STACK) as usize, 0);
    }

    /// The call of this depth ends.
    #[inline]
    pub fn leave(&mut self, depth: u32) {
        while let Some((_, before)) = self.held.pop_if(|last| last.0 >= depth) {
            self.bytes.truncate(before);
        }
    }
}

/// Runs the instruction for the lanes in `mask`, in a frame of this depth whose memory ends at `frames`; false where
/// there is no room.
pub fn run<W: Watch>(
    watch: &mut W,
    launch: &Launch,
    warp: &mut Warp<W>,
    op: &StackOp,
    depth: u32,
    frames: u64,
    mask: Mask,
) -> bool {
    if !IS_WHOLE {
        return false;
    }
    let most = u64::from(launch.profile.local_per_thread);
    warp.stacks.resize_with(WARP, Allocated::default);
    for lane in lanes(mask) {
        let top = warp.stacks[lane].top();
        match *op {
            StackOp::Allocate { d, size, align } => {
                let (start, size) = (top.next_multiple_of(align), warp.regs.get(size, lane));
                if size > most || frames + (start - STACK) + size > most {
                    return false;
                }
                launch.tree.burn_for_bytes(size);
                warp.stacks[lane].allocate(depth, start, size);
                warp.regs.set(d, lane, start);
                if W::ON {
                    watch.undefine_local(&mut warp.watch, top, start + size - top, lane);
                }
            }
            StackOp::Save { d } => warp.regs.set(d, lane, top),
            // `a` is the address that was saved; any other has no meaning, and does nothing here.
            StackOp::Restore { a } => {
                if let Some(bytes) = warp.regs.get(a, lane).checked_sub(STACK) {
                    warp.stacks[lane].bytes.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
                }
            }
        }
    }
    if let (true, StackOp::Allocate { d, .. } | StackOp::Save { d }) = (W::ON, *op) {
        watch.define(&mut warp.watch, &warp.regs, d, mask);
    }
    true
}
