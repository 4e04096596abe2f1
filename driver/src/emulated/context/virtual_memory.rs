//! Reserved addresses, physical memory, and which of it is mapped where (CUDA Driver API, "Virtual Memory Management").
//!
//! Adjacent accessible mappings form one allocation of the device. It grows at its end in place. Any other change of
//! mappings makes these allocations anew from the contents of the physical memory, and all of it then counts as
//! written. Memory that processes share lies in files, which each maps. Reservations and memory belong to the context
//! that made them; on hardware they belong to the process. What is made before there is a context belongs to the first.

use super::shared_memory::{HostPages, SharedMemory};
use super::state::ContextState;
use crate::emulated::base::outcome::{CallResult, code};
use cust_raw::CUresult::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Sizes and addresses are multiples of this, as on current GPUs.
pub(crate) const GRANULARITY: u64 = 2 << 20;

/// Memory that is made once, and can be mapped.
pub(crate) struct Physical {
    pub(crate) bytes: u64,
    /// Handles that the program has: `cuMemCreate` and `cuMemRetainAllocationHandle` give them.
    pub(crate) references: u64,
    contents: Contents,
    /// The kinds of handle under which other processes get it (`CUmemAllocationHandleType`).
    pub(crate) handle_kinds: u32,
    /// The program asked for memory that the device compresses. It is stored as any other.
    pub(crate) is_compressed: bool,
    /// A descriptor was given out, so that another process may have it.
    is_exported: bool,
}

/// The contents of physical memory.
enum Contents {
    /// It was never accessible so far.
    Unwritten,
    /// While it is accessible, the allocation that it is part of holds what is valid.
    Own(Vec<u8>),
    /// Memory that several processes may map. `is_written` is false as long as it was never accessible, and no other
    /// process had it.
    Shared { memory: SharedMemory, is_written: bool },
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
    /// The memory of the host in which stretches with shared parts lie, by the address of the stretch. Goes after them.
    hosts: BTreeMap<u64, HostPages>,
}

/// Addresses and physical memory of contexts that are gone, for the calls that end them: on a GPU they outlive the
/// context. Their contents do not.
#[derive(Default)]
pub(crate) struct LeftBehind {
    /// Bytes by address.
    reserved: BTreeMap<u64, u64>,
    /// References by handle.
    physical: BTreeMap<u64, u64>,
}

static LEFT_BEHIND: Mutex<LeftBehind> = Mutex::new(LeftBehind { reserved: BTreeMap::new(), physical: BTreeMap::new() });

pub(crate) fn left_behind() -> MutexGuard<'static, LeftBehind> {
    LEFT_BEHIND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps what a context has when it goes.
pub(crate) fn leave_behind(memory: &VirtualMemory) {
    let mut left = left_behind();
    left.reserved.extend(&memory.reserved);
    left.physical.extend(memory.physical.iter().map(|(handle, physical)| (*handle, physical.references)));
}

impl LeftBehind {
    /// The end of the highest range. A new context gives no addresses below it, so none has two meanings.
    pub(crate) fn end(&self) -> Option<u64> {
        self.reserved.iter().map(|(start, bytes)| start + bytes).max()
    }

    /// True if the range lies in a reserved one.
    pub(crate) fn has(&self, address: u64, bytes: u64) -> bool {
        let before = self.reserved.range(..=address).next_back();
        before.is_some_and(|(start, all)| address - start < *all && bytes <= all - (address - start))
    }

    pub(crate) fn free(&mut self, address: u64, bytes: u64) -> bool {
        let is_reserved = self.reserved.get(&address) == Some(&bytes);
        is_reserved && self.reserved.remove(&address).is_some()
    }

    pub(crate) fn release(&mut self, handle: u64) -> bool {
        let Some(references) = self.physical.get_mut(&handle).filter(|references| **references > 0) else {
            return false;
        };
        *references -= 1;
        if *references == 0 {
            self.physical.remove(&handle);
        }
        true
    }
}

impl Physical {
    pub(crate) fn new(bytes: u64, handle_kinds: u32) -> CallResult<Physical> {
        let contents = match handle_kinds {
            0 => Contents::Unwritten,
            _ => Contents::Shared { memory: SharedMemory::new(bytes)?, is_written: false },
        };
        Ok(Physical { bytes, references: 1, contents, handle_kinds, is_compressed: false, is_exported: false })
    }

    /// Returns the memory behind a file descriptor.
    pub(crate) fn import(descriptor: c_int) -> CallResult<Physical> {
        let memory = SharedMemory::of_descriptor(descriptor).ok_or(CUDA_ERROR_UNKNOWN)?;
        let bytes = memory.name().bytes;
        let contents = Contents::Shared { memory, is_written: true };
        let (handle_kinds, is_compressed) = (0, false);
        Ok(Physical { bytes, references: 1, contents, handle_kinds, is_compressed, is_exported: false })
    }

    /// Returns a descriptor of the file that other processes map, and true for the first one. From then on all of the
    /// memory counts as written.
    pub(crate) fn export(&mut self) -> CallResult<(c_int, bool)> {
        match &mut self.contents {
            Contents::Shared { memory, is_written } if self.handle_kinds != 0 => {
                *is_written = true;
                let is_first = !std::mem::replace(&mut self.is_exported, true);
                Ok((memory.descriptor()?, is_first))
            }
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }

    fn is_written(&self) -> bool {
        match &self.contents {
            Contents::Unwritten => false,
            Contents::Own(_) => true,
            Contents::Shared { is_written, .. } => *is_written,
        }
    }

    fn shared(&self) -> Option<&SharedMemory> {
        match &self.contents {
            Contents::Shared { memory, .. } => Some(memory),
            Contents::Unwritten | Contents::Own(_) => None,
        }
    }

    /// Returns what it holds while it is not accessible.
    fn bytes_held(&self) -> Option<Cow<'_, [u8]>> {
        match &self.contents {
            Contents::Own(contents) => Some(Cow::Borrowed(contents)),
            Contents::Shared { memory, is_written: true } => Some(Cow::Owned(memory.contents())),
            Contents::Unwritten | Contents::Shared { .. } => None,
        }
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

    /// Returns the memory that is mapped at an address.
    pub(crate) fn physical_at(&self, address: u64) -> Option<&Physical> {
        self.physical.get(&self.around(address)?.1.handle)
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
        let physical = &self.virtual_memory.physical;
        let is_shared = |(handle, _): &(u64, u64)| physical.get(handle).is_some_and(|memory| memory.shared().is_some());
        // Those that stay as they are, too: they grow by nothing. One with shared parts lies in pages of its own.
        let can_grow = |old: &[_], new: &[_]| new.starts_with(old) && (old == new || !new.iter().any(is_shared));
        let growing: Vec<u64> = before
            .iter()
            .filter(|(start, old)| after.get(start).is_some_and(|new| can_grow(old, new)))
            .map(|(start, _)| *start)
            .collect();
        let grows = |start: &u64| Some((before.get(start)?, after.get(start)?)).filter(|_| growing.contains(start));
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
            match self.virtual_memory.physical.get_mut(handle).map(|memory| &mut memory.contents) {
                Some(Contents::Shared { is_written, .. }) => *is_written = true,
                Some(contents) => *contents = Contents::Own(self.device.contents_at(at, *bytes).map_err(code)?),
                None => {}
            }
            at += bytes;
        }
        self.device.free(start).map_err(code)?;
        self.virtual_memory.hosts.remove(&start);
        Ok(())
    }

    /// A stretch gets more memory at its end.
    fn extend(&mut self, start: u64, parts: &[(u64, u64)]) -> CallResult {
        for (handle, bytes) in parts {
            let memory = self.virtual_memory.physical.get(handle);
            let contents = memory.and_then(|memory| memory.bytes_held());
            self.device.grow(start, *bytes, contents.as_deref()).map_err(code)?;
        }
        Ok(())
    }

    fn put_in(&mut self, start: u64, parts: &[(u64, u64)]) -> CallResult {
        let bytes: u64 = parts.iter().map(|(_, bytes)| bytes).sum();
        let physical = &self.virtual_memory.physical;
        let parts: Vec<&Physical> = parts.iter().filter_map(|(handle, _)| physical.get(handle)).collect();
        let is_written = parts.iter().any(|memory| memory.is_written());
        let contents = is_written.then(|| {
            let mut all = Vec::with_capacity(bytes as usize);
            for memory in &parts {
                let before = all.len();
                all.extend_from_slice(memory.bytes_held().as_deref().unwrap_or_default());
                all.resize(before + memory.bytes as usize, 0);
            }
            all
        });
        self.device.allocate_at(start, bytes, contents.as_deref()).map_err(code)?;
        if parts.iter().all(|memory| memory.shared().is_none()) {
            return Ok(());
        }
        let mut pages = HostPages::new(bytes)?;
        // SAFETY: as many pages, which go after the allocation.
        unsafe { self.device.move_to(start, pages.start()) }.map_err(code)?;
        let mut at = 0;
        for memory in parts {
            // Only now: another process may write the shared memory meanwhile, which a copy to it would undo.
            if let Some(shared) = memory.shared() {
                pages.replace(at, shared)?;
            }
            at += memory.bytes;
        }
        self.virtual_memory.hosts.insert(start, pages);
        Ok(())
    }
}
