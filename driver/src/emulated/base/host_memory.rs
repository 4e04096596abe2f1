//! Host memory that a copy reads or writes, and the addresses at which such memory can be.

use super::outcome::CallResult;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use emulator::Device;
use std::ffi::c_void;

/// Device memory starts where no host address can be; below, an address that is not ours is the program's own memory.
pub(crate) fn is_host(address: u64) -> bool {
    address < 1 << 48
}

/// True if the system knows these addresses. What does not may be passed to a copy, and must not end the program.
pub(crate) fn is_mapped(address: u64, bytes: usize) -> bool {
    // SAFETY: no pointers.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    let start = address & !(page - 1);
    let Some(end) = address.checked_add(bytes as u64) else { return false };
    // SAFETY: nothing is written back that was not to be; addresses that are not mapped make it fail.
    unsafe { libc::msync(start as *mut c_void, (end - start) as usize, libc::MS_ASYNC) == 0 }
}

/// Host memory of the caller's. Whoever makes one vouches that it outlives the copy it is used for.
#[derive(Clone, Copy)]
pub(crate) struct HostMemory {
    address: u64,
    bytes: usize,
}

impl HostMemory {
    /// # Safety
    /// Unless null, `address` is `bytes` of memory that stay readable, and for a destination writable, until the copy
    /// that uses them has run.
    pub(crate) unsafe fn new(address: *const c_void, bytes: usize) -> CallResult<HostMemory> {
        if address.is_null() || !is_host(address as u64) || !is_mapped(address as u64, bytes) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        Ok(HostMemory { address: address as u64, bytes })
    }

    pub(crate) fn part(&self, offset: usize, bytes: usize) -> HostMemory {
        assert!(offset + bytes <= self.bytes, "a part lies inside the whole");
        HostMemory { address: self.address + offset as u64, bytes }
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn read(&self) -> &[u8] {
        // SAFETY: `new` was told so.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.bytes) }
    }

    pub(crate) fn write(&mut self) -> &mut [u8] {
        // SAFETY: `new` was told so; the slice lives for one copy, during which nothing else of ours looks there.
        unsafe { std::slice::from_raw_parts_mut(self.address as *mut u8, self.bytes) }
    }

    /// CUDA knows this memory: it is page-locked, registered or unified.
    pub(crate) fn is_pinned(&self, device: &Device) -> bool {
        device.allocation(self.address).is_some()
    }
}
