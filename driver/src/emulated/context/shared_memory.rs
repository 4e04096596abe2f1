//! Memory that processes of one machine share: a file without a name, mapped into each.

use crate::emulated::base::outcome::CallResult;
use cust_raw::CUresult::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::null_mut;

/// Memory of a context that other processes may use, and theirs that it uses.
#[derive(Default)]
pub(crate) struct SharedMemories {
    /// By the address of the allocation.
    pub(crate) exported: BTreeMap<u64, SharedMemory>,
    /// By the address at which it is mapped.
    pub(crate) opened: BTreeMap<u64, OpenedMemory>,
}

/// Memory of another process.
pub(crate) struct OpenedMemory {
    /// Unmapped with this.
    pub(crate) _memory: SharedMemory,
    pub(crate) name: SharedName,
    /// How often it was opened, and not closed.
    pub(crate) count: u64,
}

/// The name of shared memory: the file of a process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedName {
    pub(crate) process: u32,
    pub(crate) file: u32,
    pub(crate) bytes: u64,
}

/// A mapped file, unmapped with this.
pub(crate) struct SharedMemory {
    start: *mut u8,
    bytes: usize,
    file: File,
}

// SAFETY: it does nothing but unmap the memory, once.
unsafe impl Send for SharedMemory {}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: mapped with this size in `map`. Who uses the memory is gone before.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

impl SharedMemory {
    /// Makes memory of so many bytes, of zeros.
    pub(crate) fn new(bytes: u64) -> CallResult<SharedMemory> {
        // SAFETY: a text that ends with NUL. The file is ours.
        let file = unsafe {
            let file = libc::memfd_create(c"gpu".as_ptr(), libc::MFD_CLOEXEC);
            if file < 0 {
                return Err(CUDA_ERROR_OUT_OF_MEMORY);
            }
            File::from_raw_fd(file)
        };
        file.set_len(bytes).map_err(|_| CUDA_ERROR_OUT_OF_MEMORY)?;
        SharedMemory::map(file, bytes)
    }

    /// Maps memory of another process.
    pub(crate) fn open(name: SharedName) -> CallResult<SharedMemory> {
        let path = format!("/proc/{}/fd/{}", name.process, name.file);
        let file = File::options().read(true).write(true).open(path).map_err(|_| CUDA_ERROR_INVALID_VALUE)?;
        // Another file may have the number by now.
        if file.metadata().map_or(0, |data| data.len()) != name.bytes {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        SharedMemory::map(file, name.bytes)
    }

    fn map(file: File, bytes: u64) -> CallResult<SharedMemory> {
        let bytes = usize::try_from(bytes).map_err(|_| CUDA_ERROR_OUT_OF_MEMORY)?;
        let (access, shared) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
        // SAFETY: a new mapping, at an address that is free.
        let start = unsafe { libc::mmap(null_mut(), bytes, access, shared, file.as_raw_fd(), 0) };
        match start == libc::MAP_FAILED {
            true => Err(CUDA_ERROR_OUT_OF_MEMORY),
            false => Ok(SharedMemory { start: start.cast(), bytes, file }),
        }
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }

    pub(crate) fn name(&self) -> SharedName {
        SharedName { process: std::process::id(), file: self.file.as_raw_fd() as u32, bytes: self.bytes as u64 }
    }
}
