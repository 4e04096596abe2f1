//! Undefined bits of local memory: each thread's own, with arguments and results on the stack of its calls (PTX ISA, "State
//! Spaces": `.local`, `.param`).

use crate::checks::WarpState;
use machine::registers::{Mask, WARP, lanes};
use machine::run::stack::STACK;

impl WarpState {
    /// What an earlier call has left on the stack from `local` on is nobody's any more.
    pub fn forget_locals(&mut self, local: u64, mask: Mask) {
        for lane in lanes(mask) {
            self.locals[lane].truncate(local as usize);
            self.local_origins[lane].forget(local, STACK - local);
        }
    }

    /// The shadow that holds `address`, and where.
    pub fn own_bits(&self, lane: usize, address: u64) -> (&[u8], u64) {
        match (address.checked_sub(STACK), self.stacks.get(lane)) {
            (Some(above), Some(stack)) => (stack, above),
            _ => (&self.locals[lane], address),
        }
    }

    pub fn own_bits_mut(&mut self, lane: usize, address: u64) -> (&mut Vec<u8>, u64) {
        match (address.checked_sub(STACK), self.stacks.get_mut(lane)) {
            (Some(above), Some(stack)) => (stack, above),
            _ => (&mut self.locals[lane], address),
        }
    }

    /// A thread has allocated on its stack: nobody has written there.
    pub fn undefine_stack(&mut self, at: u64, bytes: u64, lane: usize) {
        self.stacks.resize_with(WARP, Vec::new);
        self.stacks[lane].truncate((at - STACK) as usize);
        self.local_origins[lane].forget(at, bytes);
    }

    pub fn copy_locals(&mut self, from: u64, to: u64, bytes: u64, mask: Mask) {
        for lane in lanes(mask) {
            let local = &mut self.locals[lane];
            let (from, to, bytes) = (from as usize, to as usize, bytes as usize);
            let end = from.max(to) + bytes;
            if local.len() < end {
                local.resize(end, 0xff);
            }
            local.copy_within(from..from + bytes, to);
            self.local_origins[lane].copy(to as u64, from as u64, bytes as u64);
        }
    }

    pub fn define_locals(&mut self, at: u64, bytes: u64, mask: Mask) {
        for lane in lanes(mask) {
            let (local, at) = self.own_bits_mut(lane, at);
            let range = at as usize..(at + bytes) as usize;
            if local.len() < range.end {
                local.resize(range.end, 0xff);
            }
            local[range].fill(0);
        }
    }
}
