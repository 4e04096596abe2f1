//! The device's memory as the host sees it: allocations, copies, fills.

use super::{Device, contents_of};
use crate::recording::{Base64Bytes, Command};
use checker::{DeviceState, HostRange};
use finding::{Finding, HostMemory, HostOperation};
use machine::memory::NoAllocation;
use machine::types::{Allocation, Checks, HostOrder, MemoryError};

impl Device {
    /// Bytes not yet allocated.
    pub fn free_memory(&self) -> u64 {
        self.memory.free_bytes()
    }

    /// Fresh memory reads as undefined under [`Checks::Full`]. Aligned to 512 bytes.
    pub fn allocate(&mut self, bytes: u64, place: HostMemory) -> Result<u64, MemoryError> {
        let address = self.provide(bytes, place)?;
        self.note(|| Command::Allocate { address, bytes, place, contents: None });
        Ok(address)
    }

    /// Returns an address, a multiple of `align`, for allocations to come ([`Device::allocate_at`]).
    pub fn reserve(&mut self, bytes: u64, align: u64) -> Result<u64, MemoryError> {
        self.memory.reserve(bytes, align)
    }

    /// Ends a reservation of so many bytes ([`Device::reserve`]), in which nothing is allocated.
    pub fn end_reservation(&mut self, address: u64, bytes: u64) {
        self.memory.end_reservation(address, bytes);
    }

    /// As `allocate`, at a reserved address where nothing is allocated now. With contents, all of it counts as written.
    pub fn allocate_at(&mut self, address: u64, bytes: u64, contents: Option<&[u8]>) -> Result<(), MemoryError> {
        let place = HostMemory::Device;
        self.place(address, bytes, place, contents)?;
        let contents = || contents.map(|contents| Base64Bytes(contents.to_vec()));
        self.note(|| Command::Allocate { address, bytes, place, contents: contents() });
        Ok(())
    }

    /// Makes the allocation at `address` longer, up to where nothing is allocated. What it gains reads as undefined
    /// unless there are contents, which count as written. Whoever uses it comes after all that was done so far.
    pub fn grow(&mut self, address: u64, more: u64, contents: Option<&[u8]>) -> Result<(), MemoryError> {
        let old = self.memory.range(address, 0)?.bytes();
        self.memory.grow(address, old + more)?;
        self.state.grow_memory(address, old + more, contents.is_none());
        contents.map_or(Ok(()), |contents| self.set_host(address + old, contents))?;
        if let Some(recorder) = &mut self.recorder {
            // A recording has no word for it: the old memory goes, and one with the same contents comes.
            let region = self.memory.range(address, old + more)?;
            let (bytes, contents) = (old + more, Some(contents_of(region)));
            recorder.note(Command::Free { address });
            recorder.note(Command::Allocate { address, bytes, place: HostMemory::Device, contents });
        }
        Ok(())
    }

    /// Returns what memory holds, without checks.
    pub fn contents_at(&self, address: u64, bytes: u64) -> Result<Vec<u8>, MemoryError> {
        let mut contents = vec![0; bytes as usize];
        self.memory.range(address, bytes)?.read_bytes(address, &mut contents);
        Ok(contents)
    }

    /// As `allocate`, for the device's own use.
    pub(super) fn provide(&mut self, bytes: u64, place: HostMemory) -> Result<u64, MemoryError> {
        let address = self.memory.allocate(bytes, place)?;
        // Host memory may hold what the host wrote without telling.
        self.state.add_memory(address, bytes, place == HostMemory::Device);
        Ok(address)
    }

    /// Memory at an address of a recording, with its contents if it has any.
    pub(crate) fn place(
        &mut self,
        address: u64,
        bytes: u64,
        place: HostMemory,
        contents: Option<&[u8]>,
    ) -> Result<(), MemoryError> {
        self.memory.place(address, bytes, place)?;
        self.state.add_memory(address, bytes, place == HostMemory::Device && contents.is_none());
        contents.map_or(Ok(()), |contents| self.set_host(address, contents))
    }

    /// Writes to the host's own memory, as the host does.
    pub(crate) fn set_host(&mut self, address: u64, contents: &[u8]) -> Result<(), MemoryError> {
        if !contents.is_empty() {
            self.memory.range(address, contents.len() as u64)?.write_bytes(address, contents);
        }
        Ok(())
    }

    /// True if that is allocated.
    pub(crate) fn has(&self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        self.memory.range(address, bytes).map(|_| ())
    }

    /// Gives no addresses below this one from now on.
    pub fn skip_to(&mut self, next: u64) {
        self.memory.skip_to(next);
    }

    /// # Safety
    /// `address .. address + bytes` is readable and writable host memory until `free`d.
    pub unsafe fn register_host(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        // SAFETY: passed on to the caller.
        unsafe { self.memory.register(address, bytes) }?;
        self.state.add_memory(address, bytes, false);
        self.note(|| Command::Allocate { address, bytes, place: HostMemory::Registered, contents: None });
        Ok(())
    }

    /// Moves the contents of the allocation at `address` to memory of the caller's, where they stay.
    ///
    /// # Safety
    /// As [`machine::memory::Memory::move_to`].
    pub unsafe fn move_to(&mut self, address: u64, host: *mut u8) -> Result<(), MemoryError> {
        // SAFETY: passed on to the caller.
        unsafe { self.memory.move_to(address, host) }
    }

    /// `address` must be the start of a live allocation. The address range is never handed out again.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.release(address)?;
        self.note(|| Command::Free { address });
        Ok(())
    }

    pub(super) fn release(&mut self, address: u64) -> Result<(), MemoryError> {
        self.memory.free(address)?;
        self.state.forget_memory(address);
        Ok(())
    }

    /// A stream has got to where the life of this allocation begins or ends, as `operation` says. Whoever uses it must
    /// have an order with that. Findings: a race with an unordered launch.
    pub fn begins_or_ends(
        &mut self,
        address: u64,
        operation: HostOperation,
        order: &HostOrder,
    ) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, 1)?;
        let (base, bytes) = (region.base(), region.bytes());
        let found = match self.config.checks {
            Checks::Full => {
                self.state.host_operation(HostRange { region, address: base, bytes }, true, order, operation)
            }
            _ => None,
        };
        let findings: Vec<Finding> = found.into_iter().collect();
        self.trace_host(operation, true, (base, bytes), &findings);
        Ok(findings)
    }

    /// Reads the word of a condition for a conditional node of a graph. Findings: a race with an unordered launch.
    pub fn read_condition(&mut self, address: u64, order: &HostOrder) -> Result<(u32, Vec<Finding>), MemoryError> {
        let mut word = [0; 4];
        let region = self.memory.range(address, word.len() as u64)?;
        region.read_bytes(address, &mut word);
        let (bytes, operation) = (word.len() as u64, HostOperation::Condition);
        let found = match self.config.checks {
            Checks::Full => self.state.host_operation(HostRange { region, address, bytes }, false, order, operation),
            _ => None,
        };
        let findings: Vec<Finding> = found.into_iter().collect();
        self.trace_host(operation, false, (address, bytes), &findings);
        Ok((u32::from_le_bytes(word), findings))
    }

    /// The freed allocation that held `address`, if nothing holds it now.
    pub fn freed_around(&self, address: u64) -> Option<Allocation> {
        match self.memory.missing(address, 1) {
            NoAllocation::Freed(old) => Some(old),
            _ => None,
        }
    }

    /// True if one live allocation holds all these bytes.
    pub fn contains(&self, address: u64, bytes: u64) -> bool {
        self.has(address, bytes).is_ok()
    }

    /// The allocation that began at `address` and has been freed.
    pub fn freed(&self, address: u64) -> Option<Allocation> {
        self.freed_around(address).filter(|old| old.base == address)
    }

    /// The live allocation that holds `address`; what kernels allocate is not the host's.
    pub fn allocation(&self, address: u64) -> Option<Allocation> {
        self.memory.allocation(address).filter(|allocation| allocation.place != HostMemory::Heap)
    }

    /// Bytes that kernels may allocate, all blocks together. 8 MiB where nothing is said.
    pub fn limit_heap(&mut self, bytes: u64) {
        self.memory.heap.set_limit(bytes);
        self.note(|| Command::LimitHeap { bytes });
    }

    /// Device to host. Findings: a race with an unordered launch, undefined bytes reaching the host.
    pub fn read(&mut self, address: u64, to: &mut [u8], order: &HostOrder) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, to.len() as u64)?;
        region.read_bytes(address, to);
        let mut findings = Vec::new();
        if self.config.checks == Checks::Full {
            let range = HostRange { region, address, bytes: to.len() as u64 };
            findings.extend(self.state.host_operation(range, false, order, HostOperation::CopyToHost));
            findings.extend(self.state.undefined_read(range));
        }
        let bytes = to.len() as u64;
        self.trace_host(HostOperation::CopyToHost, false, (address, bytes), &findings);
        self.note(|| Command::Read { address, bytes, order: order.clone() });
        Ok(findings)
    }

    /// The program itself reads or writes a byte of memory that the device sees too, while work may be queued.
    pub fn host_access(&mut self, address: u64, writes: bool, order: &HostOrder) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, 1)?;
        let range = HostRange { region, address, bytes: 1 };
        let found = match self.config.checks {
            Checks::Full => {
                let operation = if writes { HostOperation::Write } else { HostOperation::Read };
                self.state.host_operation(range, writes, order, operation)
            }
            _ => None,
        };
        Ok(found.into_iter().collect())
    }

    /// Reports that the program accesses a byte of page-locked memory while a copy of this kind may still use it.
    /// `None` if the address is not in such memory, or without checks.
    pub fn host_access_beside_copy(&self, address: u64, writes: bool, copy: HostOperation) -> Option<Finding> {
        let region = self.memory.range(address, 1).ok().filter(|_| self.config.checks == Checks::Full)?;
        Some(checker::touched_beside_copy(HostRange { region, address, bytes: 1 }, writes, copy))
    }

    /// Host to device.
    pub fn write(&mut self, address: u64, from: &[u8], order: &HostOrder) -> Result<Vec<Finding>, MemoryError> {
        self.write_by(HostOperation::CopyFromHost, address, from, order)
    }

    /// A synchronous copy to the device whose source is pageable.
    pub fn write_pageable(
        &mut self,
        address: u64,
        from: &[u8],
        order: &HostOrder,
    ) -> Result<Vec<Finding>, MemoryError> {
        self.write_by(HostOperation::CopyFromPageable, address, from, order)
    }

    fn write_by(
        &mut self,
        operation: HostOperation,
        address: u64,
        from: &[u8],
        order: &HostOrder,
    ) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, from.len() as u64)?;
        region.write_bytes(address, from);
        let range = HostRange { region, address, bytes: from.len() as u64 };
        let findings = host_write(&mut self.state, self.config.checks, range, order, operation);
        self.trace_host(operation, true, (address, from.len() as u64), &findings);
        self.note(|| Command::Write {
            address,
            contents: Base64Bytes(from.to_vec()),
            order: order.clone(),
            is_pageable: operation == HostOperation::CopyFromPageable,
        });
        Ok(findings)
    }

    /// Repeats `pattern` `count` times.
    pub fn fill(
        &mut self,
        address: u64,
        pattern: &[u8],
        count: u64,
        order: &HostOrder,
    ) -> Result<Vec<Finding>, MemoryError> {
        let bytes = count.checked_mul(pattern.len() as u64).ok_or(MemoryError::InvalidAddress)?;
        let region = self.memory.range(address, bytes)?;
        // Whole patterns at a time, some 64 KiB each.
        let chunk = pattern.repeat((65536 / pattern.len().max(1)).max(1));
        let mut at = 0;
        while at < bytes {
            let step = (bytes - at).min(chunk.len() as u64);
            region.write_bytes(address + at, &chunk[..step as usize]);
            at += step;
        }
        let range = HostRange { region, address, bytes };
        let findings = host_write(&mut self.state, self.config.checks, range, order, HostOperation::Fill);
        self.trace_host(HostOperation::Fill, true, (address, bytes), &findings);
        self.note(|| Command::Fill { address, pattern: Base64Bytes(pattern.to_vec()), count, order: order.clone() });
        Ok(findings)
    }

    /// Between two places of this device (overlap allowed).
    pub fn copy(&mut self, to: u64, from: u64, bytes: u64, order: &HostOrder) -> Result<Vec<Finding>, MemoryError> {
        let source = self.memory.range(from, bytes)?;
        let target = self.memory.range(to, bytes)?;
        target.copy_bytes(to, source, from, bytes);
        let (read, written) = ((from, bytes), (to, bytes));
        let from = HostRange { region: source, address: from, bytes };
        let to = HostRange { region: target, address: to, bytes };
        let operation = HostOperation::CopyOnDevice;
        let mut findings = Vec::new();
        if self.config.checks == Checks::Full {
            findings.extend(self.state.host_operation(from, false, order, operation));
        }
        let of_write = host_write(&mut self.state, self.config.checks, to, order, operation);
        // After the write, which defined all of it: an undefined source stays undefined.
        self.state.copy(to, from);
        self.trace_host(operation, false, read, &findings);
        self.trace_host(operation, true, written, &of_write);
        self.note(|| Command::Copy { to: written.0, from: read.0, bytes, order: order.clone() });
        findings.extend(of_write);
        Ok(findings)
    }

    /// From here on these bytes count as never written (poison before a launch).
    pub fn mark_undefined(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        let region = self.memory.range(address, bytes)?;
        self.state.fill(HostRange { region, address, bytes }, true);
        self.note(|| Command::MarkUndefined { address, bytes });
        Ok(())
    }

    /// Records that some work was not run that might have written the allocations at `addresses`, or others. Later
    /// reads of unwritten values are not reported, nor are their consequences.
    pub fn miss_work(&mut self, addresses: impl IntoIterator<Item = u64>) {
        self.state.miss_work();
        for address in addresses {
            if let Some(Allocation { base, bytes, .. }) = self.allocation(address) {
                // Its contents may be older than those that a real run would read.
                let _ = self.mark_undefined(base, bytes);
            }
        }
    }

    fn trace_host(&mut self, operation: HostOperation, writes: bool, (at, bytes): (u64, u64), findings: &[Finding]) {
        if let Some(tracer) = &mut self.tracer {
            tracer.host(operation, writes, at, bytes, findings);
        }
    }
}

/// The host has written a range: it is defined now, and may race.
fn host_write(
    state: &mut DeviceState,
    checks: Checks,
    range: HostRange,
    order: &HostOrder,
    operation: HostOperation,
) -> Vec<Finding> {
    state.fill(range, false);
    match checks {
        Checks::Fast | Checks::Counters => Vec::new(),
        Checks::Full => state.host_operation(range, true, order, operation).into_iter().collect(),
    }
}
