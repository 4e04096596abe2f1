//! Memory that processes of one machine share: a file without a name, mapped into each.

use crate::emulated::base::outcome::CallResult;
use cust_raw::CUresult::*;
use emulator::HostMemory;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_int, c_uint};
use std::fs::{File, Metadata};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::ptr::null_mut;

/// Memory of a context that other processes may use, and theirs that it uses.
#[derive(Default)]
pub(crate) struct SharedMemories {
    /// By the address of the allocation.
    pub(crate) exported: BTreeMap<u64, SharedMemory>,
    /// By the address at which it is mapped.
    pub(crate) opened: BTreeMap<u64, OpenedMemory>,
}

impl SharedMemories {
    /// Returns the memory that `cuIpcOpenMemHandle` has opened under this name, and where it is mapped.
    pub(crate) fn opened_memory(&mut self, name: SharedName) -> Option<(&u64, &mut OpenedMemory)> {
        self.opened.iter_mut().find(|(_, opened)| opened.name == name && opened.pool.is_none())
    }

    /// Returns true if an allocation of an imported pool is mapped there.
    pub(crate) fn is_of_imported_pool(&self, address: u64) -> bool {
        self.opened.get(&address).is_some_and(|opened| opened.pool.is_some())
    }
}

/// Memory of another process, or once more of this one.
pub(crate) struct OpenedMemory {
    /// Unmapped with this.
    pub(crate) _memory: SharedMemory,
    pub(crate) name: SharedName,
    /// The imported pool that it is of.
    pub(crate) pool: Option<u64>,
    /// The place that the program is told.
    pub(crate) place: HostMemory,
    /// How often it was opened, and not closed.
    pub(crate) count: u64,
}

/// The name of shared memory: the file of a process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedName {
    pub(crate) process: u32,
    pub(crate) file: u32,
    pub(crate) bytes: u64,
    /// The number that the file has on the machine: another one may get its descriptor.
    pub(crate) inode: u64,
}

/// A mapped file, unmapped with this.
pub(crate) struct SharedMemory {
    start: *mut u8,
    bytes: usize,
    file: File,
}

// SAFETY: the mapping belongs to the process: any thread may use it and unmap it.
unsafe impl Send for SharedMemory {}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: mapped with this size in `map`. Who uses the memory is gone before.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

/// Makes an empty file without a name on disk.
pub(crate) fn make_file(name: &CStr, flags: c_uint) -> CallResult<File> {
    // SAFETY: a text that ends with NUL. The file is ours.
    unsafe {
        match libc::memfd_create(name.as_ptr(), flags) {
            ..0 => Err(CUDA_ERROR_OUT_OF_MEMORY),
            file => Ok(File::from_raw_fd(file)),
        }
    }
}

/// Reads the beginning of a file of the caller's, which stays open where it is.
pub(crate) fn read_file<const BYTES: usize>(descriptor: c_int) -> Option<[u8; BYTES]> {
    if descriptor < 0 {
        return None;
    }
    // SAFETY: not closed here. A number that is no open descriptor fails to be read.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
    let mut bytes = [0; BYTES];
    file.read_exact_at(&mut bytes, 0).ok()?;
    Some(bytes)
}

impl SharedMemory {
    /// Makes memory of so many bytes, of zeros.
    pub(crate) fn new(bytes: u64) -> CallResult<SharedMemory> {
        let file = make_file(c"gpu-memory", libc::MFD_CLOEXEC)?;
        file.set_len(bytes).map_err(|_| CUDA_ERROR_OUT_OF_MEMORY)?;
        SharedMemory::map(file, bytes)
    }

    /// Maps memory of another process.
    pub(crate) fn open(name: SharedName) -> CallResult<SharedMemory> {
        let path = format!("/proc/{}/fd/{}", name.process, name.file);
        let file = File::options().read(true).write(true).open(path).map_err(|_| CUDA_ERROR_INVALID_VALUE)?;
        // Another file may have the descriptor by now.
        let is_it = |data: Metadata| (data.len(), data.ino()) == (name.bytes, name.inode);
        if !file.metadata().is_ok_and(is_it) {
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
        let inode = self.file.metadata().map_or(0, |data| data.ino());
        let file = self.file.as_raw_fd() as u32;
        SharedName { process: std::process::id(), file, bytes: self.bytes as u64, inode }
    }

    /// Maps the memory behind a file descriptor of the caller's, which stays open. `None` if it is no such memory.
    pub(crate) fn of_descriptor(descriptor: c_int) -> Option<SharedMemory> {
        // Its link tells a file of ours.
        let link = std::fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
        if !link.as_os_str().as_bytes().starts_with(b"/memfd:gpu-memory") {
            return None;
        }
        // SAFETY: not closed here, and open.
        let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) }).try_clone().ok()?;
        let bytes = file.metadata().ok()?.len();
        SharedMemory::map(file, bytes).ok()
    }

    /// Returns another descriptor of its file, which the caller closes, and which child processes inherit.
    pub(crate) fn descriptor(&self) -> CallResult<c_int> {
        // SAFETY: an open file.
        match unsafe { libc::dup(self.file.as_raw_fd()) } {
            ..0 => Err(CUDA_ERROR_OUT_OF_MEMORY),
            descriptor => Ok(descriptor),
        }
    }

    /// Returns a copy of what it holds. Another process may write it meanwhile.
    pub(crate) fn contents(&self) -> Vec<u8> {
        let mut copy = vec![0; self.bytes];
        // SAFETY: mapped with this size, and read by its pointer alone.
        unsafe { std::ptr::copy_nonoverlapping(self.start, copy.as_mut_ptr(), self.bytes) };
        copy
    }
}

/// Pages of the host, some of which are shared memory. Unmapped with this.
pub(crate) struct HostPages {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: as for `SharedMemory`.
unsafe impl Send for HostPages {}

impl Drop for HostPages {
    fn drop(&mut self) {
        // SAFETY: mapped with this size in `new`. Who uses the memory is gone before.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

impl HostPages {
    pub(crate) fn new(bytes: u64) -> CallResult<HostPages> {
        let bytes = usize::try_from(bytes).map_err(|_| CUDA_ERROR_OUT_OF_MEMORY)?;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, at an address that is free.
        let start = unsafe { libc::mmap(null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, kind, -1, 0) };
        match start == libc::MAP_FAILED {
            true => Err(CUDA_ERROR_OUT_OF_MEMORY),
            false => Ok(HostPages { start: start.cast(), bytes }),
        }
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }

    /// Maps shared memory in place of the pages from byte `at` on.
    pub(crate) fn replace(&mut self, at: u64, memory: &SharedMemory) -> CallResult {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_FIXED);
        assert!(at as usize + memory.bytes <= self.bytes);
        // SAFETY: within these pages, to which the device has a pointer only, and no work runs.
        let mapped = unsafe {
            let start = self.start.add(at as usize);
            libc::mmap(start.cast(), memory.bytes, access, kind, memory.file.as_raw_fd(), 0)
        };
        if mapped == libc::MAP_FAILED { Err(CUDA_ERROR_OUT_OF_MEMORY) } else { Ok(()) }
    }
}
