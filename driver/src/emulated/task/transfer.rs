//! Moves bytes between host and device, and notes what that finds.

use crate::emulated::base::host_memory::HostMemory;
use crate::emulated::base::settings;
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
use emulator::finding::{Finding, Slug};
use emulator::{HostOrder, MemoryError};

impl ContextState {
    /// Notes what a copy or a fill found; an address that went away meanwhile is the fault that a GPU would raise.
    pub(crate) fn moved(&mut self, result: Result<Vec<Finding>, MemoryError>) {
        match result {
            Ok(findings) => self.reports.moved(findings),
            Err(_) => self.fail(CUDA_ERROR_ILLEGAL_ADDRESS),
        }
    }

    pub(crate) fn upload(&mut self, to: u64, from: &[u8], order: &HostOrder) {
        self.read_back.goes_back(to, from.as_ptr() as u64, from.len() as u64);
        self.left_elsewhere = None;
        let result = self.device.write(to, from, order);
        self.moved(result);
    }

    /// As `upload`, for a synchronous copy from pageable memory.
    pub(crate) fn upload_pageable(&mut self, to: u64, from: &[u8], order: &HostOrder) {
        self.read_back.goes_back(to, from.as_ptr() as u64, from.len() as u64);
        let result = self.device.write_pageable(to, from, order);
        self.moved(result);
    }

    pub(crate) fn download(&mut self, mut to: HostMemory, from: u64, order: &HostOrder) {
        let (host, bytes) = (to.address(), to.bytes() as u64);
        let result = self.device.read(from, to.write(), order);
        let elsewhere = self.read_elsewhere(from, to.bytes());
        let result = match settings::notes_partial_copies() {
            true => result.map(|findings| self.read_back.hold_back(from, host, bytes, findings)),
            false => result,
        };
        self.moved(result);
        self.moved(Ok(elsewhere));
    }

    pub(crate) fn transfer(&mut self, to: u64, from: u64, bytes: usize, order: &HostOrder) {
        self.left_elsewhere = None;
        let result = self.device.copy(to, from, bytes as u64, order);
        self.moved(result);
    }

    /// Returns what a copy to the host of these bytes finds in the memory that the last launch left under another
    /// schedule. A shuffle's value that depends on the schedule is a finding only where it reaches the host.
    fn read_elsewhere(&mut self, from: u64, bytes: usize) -> Vec<Finding> {
        let Some(device) = &mut self.left_elsewhere else { return Vec::new() };
        let found = device.read(from, &mut vec![0; bytes], &HostOrder::default());
        found.unwrap_or_default().into_iter().filter(|finding| finding.slug == Slug::AbsentLane).collect()
    }
}
