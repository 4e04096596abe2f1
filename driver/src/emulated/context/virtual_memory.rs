//! Reserved addresses, physical memory, and which of it is mapped where (CUDA Driver API, "Virtual Memory Management").
//!
//! Adjacent accessible mappings form one allocation of the device. It grows at its end in place. Any other change of
//! mappings makes these allocations anew from the contents of the physical memory, and all of it then counts as
//! written. Reservations and memory belong to the context that made them; on hardware they belong to the process.

use super::state::ContextState;
use crate::emulated::base::outcome::{CallResult, code};
use cust_raw::CUresult::*;
use std::collections::BTreeMap;

/// Sizes and addresses are multiples of this, as on current GPUs.
pub(crate) const GRANULARITY: u64 = 2 << 20;

/// Memory that is made once, and can be mapped.
pub(crate) struct Physical {
    pub(crate) bytes: u64,
    /// Handles that the program has: `cuMemCreate` and `cuMemRetainAllocationHandle` give them.
    pub(crate) references: u64,
    /// `None`: never accessible so far, and so unwritten.
    contents: Option<Vec<u8>>,
}

#[derive(Clone, Copy)]
pub(crate) struct Mapping {
    pub(crate) handle: u64,
    pub(crate) bytes: u64,
    pub(crate) is_accessible: bool,
}

#[derive(Default)]
pub(crate) struct VirtualMemory {
    /// Bytes by address.
    pub(crate) reserved: BTreeMap<u64, u64>,
    /// By handle.
    pub(crate) physical: BTreeMap<u64, Physical>,
    /// By address.
    pub(crate) mapped: BTreeMap<u64, Mapping>,
}

impl Physical {
    pub(crate) fn new(bytes: u64) -> Physical {
        Physical { bytes, references: 1, contents: None }
    }
}

impl VirtualMemory {
    /// True if a range lies in one reservation.
    pub(crate) fn is_reserved(&self, address: u64, bytes: u64) -> bool {
        let before = self.reserved.range(..=address).next_back();
        let end = address.checked_add(bytes);
        before.is_some_and(|(start, length)| end.is_some_and(|end| end <= start + length))
    }

    /// Returns the mapping that holds an address, and where it begins.
    pub(crate) fn around(&self, address: u64) -> Option<(u64, Mapping)> {
        let (&start, mapping) = self.mapped.range(..=address).next_back()?;
        (address - start < mapping.bytes).then_some((start, *mapping))
    }

    /// Returns the addresses of the mappings that make up a range exactly.
    pub(crate) fn exactly(&self, address: u64, bytes: u64) -> CallResult<Vec<u64>> {
        let end = address.checked_add(bytes).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let (mut at, mut found) = (address, vec![]);
        while at < end {
            found.push(at);
            at += self.mapped.get(&at).ok_or(CUDA_ERROR_INVALID_VALUE)?.bytes;
        }
        if at == end && bytes > 0 { Ok(found) } else { Err(CUDA_ERROR_INVALID_VALUE) }
    }

    /// True if any part of a range is mapped.
    pub(crate) fn overlaps(&self, address: u64, bytes: u64) -> bool {
        let last = self.mapped.range(..address + bytes).next_back();
        last.is_some_and(|(start, mapping)| start + mapping.bytes > address)
    }

    /// Forgets memory that neither a handle nor a mapping refers to.
    pub(crate) fn sweep(&mut self) {
        let VirtualMemory { physical, mapped, .. } = self;
        physical
            .retain(|handle, memory| memory.references > 0 || mapped.values().any(|mapping| mapping.handle == *handle));
    }

    /// Returns the bytes of memory that is not accessible anywhere.
    pub(crate) fn idle_bytes(&self) -> u64 {
        let all: u64 = self.physical.values().map(|memory| memory.bytes).sum();
        let accessible = self.mapped.values().filter(|mapping| mapping.is_accessible);
        all.saturating_sub(accessible.map(|mapping| mapping.bytes).sum())
    }

    /// The stretches of adjacent accessible memory, and the handles of each.
    fn stretches(&self) -> BTreeMap<u64, Vec<(u64, u64)>> {
        let mut found: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
        let mut open = (0, 0);
        for (&start, mapping) in self.mapped.iter().filter(|(_, mapping)| mapping.is_accessible) {
            if start != open.1 {
                open.0 = start;
            }
            found.entry(open.0).or_default().push((mapping.handle, mapping.bytes));
            open.1 = start + mapping.bytes;
        }
        found
    }
}

impl ContextState {
    /// Returns the bytes of device memory that neither an allocation nor physical memory takes.
    pub(crate) fn free_memory(&self) -> u64 {
        self.device.free_memory().saturating_sub(self.virtual_memory.idle_bytes())
    }

    /// Changes what is mapped and accessible. To be called when no work is queued.
    pub(crate) fn remap(&mut self, change: impl FnOnce(&mut VirtualMemory)) -> CallResult {
        let before = self.virtual_memory.stretches();
        change(&mut self.virtual_memory);
        let after = self.virtual_memory.stretches();
        // Those that stay as they are, too: they grow by nothing.
        let grows =
            |start: &u64| Some((before.get(start)?, after.get(start)?)).filter(|(old, new)| new.starts_with(old));
        for (start, parts) in before.iter().filter(|(start, _)| grows(start).is_none()) {
            self.take_out(*start, parts)?;
        }
        for (start, parts) in &after {
            match grows(start) {
                Some((old, new)) => self.extend(*start, &new[old.len()..])?,
                None => self.put_in(*start, parts)?,
            }
        }
        self.virtual_memory.sweep();
        Ok(())
    }

    /// A stretch is accessible no longer: what it holds stays with the physical memory.
    fn take_out(&mut self, start: u64, parts: &[(u64, u64)]) -> CallResult {
        let mut at = start;
        for (handle, bytes) in parts {
            let contents = self.device.contents_at(at, *bytes).map_err(code)?;
            if let Some(memory) = self.virtual_memory.physical.get_mut(handle) {
                memory.contents = Some(contents);
            }
            at += bytes;
        }
        self.device.free(start).map_err(code)
    }

    /// A stretch gets more memory at its end.
    fn extend(&mut self, start: u64, parts: &[(u64, u64)]) -> CallResult {
        for (handle, bytes) in parts {
            let memory = self.virtual_memory.physical.get(handle);
            let contents = memory.and_then(|memory| memory.contents.as_deref());
            self.device.grow(start, *bytes, contents).map_err(code)?;
        }
        Ok(())
    }

    fn put_in(&mut self, start: u64, parts: &[(u64, u64)]) -> CallResult {
        let bytes: u64 = parts.iter().map(|(_, bytes)| bytes).sum();
        let of = |handle: &u64| self.virtual_memory.physical.get(handle).and_then(|memory| memory.contents.as_ref());
        if parts.iter().all(|(handle, _)| of(handle).is_none()) {
            return self.device.allocate_at(start, bytes, None).map_err(code);
        }
        let mut all = Vec::with_capacity(bytes as usize);
        for (handle, bytes) in parts {
            let before = all.len();
            all.extend(of(handle).into_iter().flatten());
            all.resize(before + *bytes as usize, 0);
        }
        self.device.allocate_at(start, bytes, Some(&all)).map_err(code)
    }
}
