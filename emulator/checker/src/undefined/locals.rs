//! Undefined bits of local memory: each thread's own, with arguments and results on the stack of its calls (PTX ISA,
//! "State Spaces": `.local`, `.param`).

use crate::undefined::origins::MemoryOrigins;
use machine::registers::{Mask, WARP, lanes};
use machine::run::stack::STACK;

/// The local memory of a warp, by lane.
#[derive(Debug, Default)]
pub struct Locals {
    bytes: Vec<Vec<u8>>,
    /// The shadow of what each thread has allocated on its stack.
    stacks: Vec<Vec<u8>>,
    /// The origins of undefined bytes.
    origins: Vec<MemoryOrigins>,
}

impl Locals {
    /// Begins a warp; its tables stay allocated.
    pub fn begin(&mut self) {
        self.origins.resize_with(WARP, MemoryOrigins::default);
        self.origins.iter_mut().for_each(MemoryOrigins::clear);
        self.bytes.resize_with(WARP, Vec::new);
        self.bytes.iter_mut().for_each(Vec::clear);
        self.stacks.iter_mut().for_each(Vec::clear);
    }

    pub fn origins(&self, lane: usize) -> &MemoryOrigins {
        &self.origins[lane]
    }

    pub fn origins_mut(&mut self, lane: usize) -> &mut MemoryOrigins {
        &mut self.origins[lane]
    }

    /// Drops the shadow that an earlier call has left on the stack from `local` on, which no longer belongs to any
    /// call.
    pub fn forget(&mut self, local: u64, mask: Mask) {
        for lane in lanes(mask) {
            self.bytes[lane].truncate(local as usize);
            self.origins[lane].forget(local, STACK - local);
        }
    }

    /// Returns the shadow that holds `address`, and the offset in it.
    pub fn own(&self, lane: usize, address: u64) -> (&[u8], u64) {
        match (address.checked_sub(STACK), self.stacks.get(lane)) {
            (Some(above), Some(stack)) => (stack, above),
            _ => (&self.bytes[lane], address),
        }
    }

    pub fn own_mut(&mut self, lane: usize, address: u64) -> (&mut Vec<u8>, u64) {
        match (address.checked_sub(STACK), self.stacks.get_mut(lane)) {
            (Some(above), Some(stack)) => (stack, above),
            _ => (&mut self.bytes[lane], address),
        }
    }

    /// Records that a thread has allocated on its stack: nothing has been written there.
    pub fn undefine(&mut self, at: u64, bytes: u64, lane: usize) {
        self.stacks.resize_with(WARP, Vec::new);
        self.stacks[lane].truncate((at - STACK) as usize);
        self.origins[lane].forget(at, bytes);
    }

    pub fn copy(&mut self, from: u64, to: u64, bytes: u64, mask: Mask) {
        for lane in lanes(mask) {
            let local = &mut self.bytes[lane];
            let (from, to, bytes) = (from as usize, to as usize, bytes as usize);
            let end = from.max(to) + bytes;
            if local.len() < end {
                local.resize(end, 0xff);
            }
            local.copy_within(from..from + bytes, to);
            self.origins[lane].copy(to as u64, from as u64, bytes as u64);
        }
    }

    pub fn define(&mut self, at: u64, bytes: u64, mask: Mask) {
        for lane in lanes(mask) {
            let (local, at) = self.own_mut(lane, at);
            let range = at as usize..(at + bytes) as usize;
            if local.len() < range.end {
                local.resize(range.end, 0xff);
            }
            local[range].fill(0);
        }
    }
}
