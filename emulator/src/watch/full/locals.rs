//! Undefined bits of local memory: each thread's own, with arguments and results on the stack of its calls (PTX ISA, "State
//! Spaces": `.local`, `.param`).

use super::WarpState;
use crate::registers::{Mask, lanes};

impl WarpState {
    /// What an earlier call has left on the stack from `local` on is nobody's any more.
    pub(super) fn forget_locals(&mut self, local: u64, mask: Mask) {
        for lane in lanes(mask) {
            self.locals[lane].truncate(local as usize);
            self.local_origins[lane].forget(local, u64::MAX - local);
        }
    }

    pub(super) fn copy_locals(&mut self, from: u64, to: u64, bytes: u64, mask: Mask) {
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

    pub(super) fn define_locals(&mut self, at: u64, bytes: u64, mask: Mask) {
        let range = at as usize..(at + bytes) as usize;
        for lane in lanes(mask) {
            let local = &mut self.locals[lane];
            if local.len() < range.end {
                local.resize(range.end, 0xff);
            }
            local[range.clone()].fill(0);
        }
    }
}
