//! Moves bytes between host and device, and notes what that finds.

use crate::emulated::base::host_memory::HostMemory;
use crate::emulated::base::settings;
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
use emulator::finding::{
    Access, AccessKind, Action, BufferSide, Cause, Finding, HostOperation, Severity, Slug, Space, Where,
};
use emulator::{HostOrder, MemoryError};

/// Device memory that an operation of the host touches.
pub(crate) struct HostTouch {
    pub(crate) operation: HostOperation,
    pub(crate) writes: bool,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
}

impl HostTouch {
    pub(crate) fn read(operation: HostOperation, address: u64, bytes: u64) -> HostTouch {
        HostTouch { operation, writes: false, address, bytes }
    }

    pub(crate) fn write(operation: HostOperation, address: u64, bytes: u64) -> HostTouch {
        HostTouch { operation, writes: true, address, bytes }
    }
}

impl ContextState {
    /// Notes what a copy or a fill found in these parts of memory. An address that went away meanwhile is a finding,
    /// and the fault that a GPU would raise.
    pub(crate) fn moved(&mut self, result: Result<Vec<Finding>, MemoryError>, touched: &[HostTouch]) {
        match result {
            Ok(findings) => self.reports.moved(findings),
            Err(_) => {
                let gone = touched.iter().find_map(|touch| self.gone(touch));
                self.reports.moved(gone.into_iter().collect());
                self.fail(CUDA_ERROR_ILLEGAL_ADDRESS);
            }
        }
    }

    /// Returns the finding for an access of memory that is not allocated now. Its address was part of an allocation
    /// when the copy or the fill was submitted, or belongs to a node of a graph that allocates it.
    fn gone(&self, touch: &HostTouch) -> Option<Finding> {
        let &HostTouch { operation, writes, address, bytes } = touch;
        if self.device.contains(address, bytes) {
            return None;
        }
        let kind = if writes { AccessKind::Store } else { AccessKind::Load };
        let (slug, place, cause) = match self.device.freed_around(address) {
            Some(old) => {
                let place = Where::Freed { offset: address - old.base, bytes: old.bytes };
                (Slug::UseAfterFree, place, Cause::UseAfterFree { kind, heap: false })
            }
            None => {
                let place = Where::GlobalAddress { bytes: bytes as u32, address };
                let (space, side) = (Space::Global, BufferSide::Past);
                (Slug::OutOfBounds, place, Cause::OutOfBounds { kind, bytes, space, side })
            }
        };
        Some(Finding {
            slug,
            severity: Severity::Error,
            kernel: String::new(),
            accesses: vec![Access::of_host(Action::Host { operation, writes })],
            headline: None,
            place,
            cause,
            remedies: Vec::new(),
            count: 1,
        })
    }

    pub(crate) fn upload(&mut self, to: u64, from: &[u8], order: &HostOrder) {
        self.read_back.goes_back(to, from.as_ptr() as u64, from.len() as u64);
        self.left_elsewhere = None;
        let result = self.device.write(to, from, order);
        self.moved(result, &[HostTouch::write(HostOperation::CopyFromHost, to, from.len() as u64)]);
    }

    /// As `upload`, for a synchronous copy from pageable memory.
    pub(crate) fn upload_pageable(&mut self, to: u64, from: &[u8], order: &HostOrder) {
        self.read_back.goes_back(to, from.as_ptr() as u64, from.len() as u64);
        let result = self.device.write_pageable(to, from, order);
        self.moved(result, &[HostTouch::write(HostOperation::CopyFromPageable, to, from.len() as u64)]);
    }

    pub(crate) fn download(&mut self, mut to: HostMemory, from: u64, order: &HostOrder) {
        let (host, bytes) = (to.address(), to.bytes() as u64);
        let result = self.device.read(from, to.write(), order);
        let elsewhere = self.read_elsewhere(from, to.bytes());
        let result = match settings::notes_partial_copies() {
            true => result.map(|findings| self.read_back.hold_back(from, host, bytes, findings)),
            false => result,
        };
        self.moved(result, &[HostTouch::read(HostOperation::CopyToHost, from, bytes)]);
        self.reports.moved(elsewhere);
    }

    pub(crate) fn transfer(&mut self, to: u64, from: u64, bytes: usize, order: &HostOrder) {
        self.left_elsewhere = None;
        let (operation, bytes) = (HostOperation::CopyOnDevice, bytes as u64);
        let result = self.device.copy(to, from, bytes, order);
        let touched = [HostTouch::read(operation, from, bytes), HostTouch::write(operation, to, bytes)];
        self.moved(result, &touched);
    }

    /// Returns what a copy to the host of these bytes finds in the memory that the last launch left under another
    /// schedule. A shuffle's value that depends on the schedule is a finding only where it reaches the host.
    fn read_elsewhere(&mut self, from: u64, bytes: usize) -> Vec<Finding> {
        let Some(device) = &mut self.left_elsewhere else { return Vec::new() };
        let found = device.read(from, &mut vec![0; bytes], &HostOrder::default());
        found.unwrap_or_default().into_iter().filter(|finding| finding.slug == Slug::AbsentLane).collect()
    }
}
