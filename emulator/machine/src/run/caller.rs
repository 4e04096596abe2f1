//! A thread that calls a function of the device runtime: its arguments, its result, and the memory that they point to.

use super::block::Block;
use super::warp::{Group, Warp};
use crate::exec::branch::{CallOp, PassedArgument};
use crate::memory::space::{self, Space};
use crate::watch::Watch;

/// A thread that calls.
pub(super) struct Caller<'c, 'a, W: Watch> {
    pub block: &'c mut Block<'a, W>,
    pub which: usize,
    pub group: Group,
    pub lane: usize,
    pub call: &'c CallOp,
}

impl<'a, W: Watch> Caller<'_, 'a, W> {
    fn warp(&mut self) -> &mut Warp<W> {
        &mut self.block.warps[self.which]
    }

    fn thread(&self) -> u32 {
        32 * self.which as u32 + self.lane as u32
    }

    pub fn key(&self) -> (u64, u32) {
        (self.block.linear, self.thread())
    }

    pub fn calls(&self) -> Vec<u32> {
        self.block.warps[self.which].calls(self.group.frame)
    }

    /// Up to 8 bytes of an argument, from byte `skip`.
    pub fn argument_part(&self, nth: usize, skip: usize, bytes: usize) -> u64 {
        let warp = &self.block.warps[self.which];
        match self.call.arguments.get(nth) {
            Some(PassedArgument::Memory { offset, bytes: size }) => {
                let start = (warp.frames[self.group.frame as usize].local + offset) as usize + skip;
                let mut wide = [0; 8];
                let bytes = bytes.min((*size as usize).saturating_sub(skip));
                wide[..bytes].copy_from_slice(&warp.locals[self.lane][start..start + bytes]);
                u64::from_le_bytes(wide)
            }
            Some(PassedArgument::Register(reg)) => warp.regs.get(*reg, self.lane),
            None => 0,
        }
    }

    pub fn argument(&self, nth: usize) -> u64 {
        self.argument_part(nth, 0, 8)
    }

    pub fn shape(&self, nth: usize) -> [u32; 3] {
        [0, 4, 8].map(|skip| self.argument_part(nth, skip, 4) as u32)
    }

    /// Writes the call's result.
    pub fn give(&mut self, watch: &mut W, value: u64) {
        let (call, group, lane) = (self.call, self.group, self.lane);
        let warp = self.warp();
        match call.results.first() {
            Some(PassedArgument::Memory { offset, bytes }) => {
                let start = (warp.frames[group.frame as usize].local + offset) as usize;
                let bytes = (*bytes as usize).min(8);
                warp.locals[lane][start..start + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
                if W::ON {
                    watch.define_local(&mut warp.watch, start as u64, bytes as u64, 1 << lane);
                }
            }
            Some(PassedArgument::Register(reg)) if reg.is_some() => {
                warp.regs.set(*reg, lane, value);
                if W::ON {
                    watch.define(&mut warp.watch, &warp.regs, *reg, 1 << lane);
                }
            }
            _ => {}
        }
    }

    /// Writes what an argument points to; false where there is no memory.
    pub fn put(&mut self, watch: &mut W, address: u64, value: u64, bytes: u64) -> bool {
        let value = &value.to_le_bytes()[..bytes as usize];
        let space = space::of_generic(address);
        let at = address.wrapping_sub(space::window(space));
        let lane = self.lane;
        if space == Space::Local {
            let warp = self.warp();
            let Some(place) = warp.own_mut(lane, at, bytes) else { return false };
            place.copy_from_slice(value);
            if W::ON {
                watch.define_local(&mut warp.watch, at, bytes, 1 << lane);
            }
            return true;
        }
        let launch = self.block.launch.clone();
        let region = match space {
            Space::Shared => Some(&self.block.shared),
            Space::Param => None,
            _ => launch.memory.region(address),
        };
        let Some(region) = region.filter(|region| region.contains(at, bytes)) else { return false };
        region.write_bytes(at, value);
        if W::ON {
            watch.define_memory(space, region.base(), at, bytes, &mut self.block.watch);
        }
        true
    }
}
