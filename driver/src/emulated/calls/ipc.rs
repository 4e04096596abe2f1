//! Memory and events that processes of one machine share (CUDA Driver API, "Memory Management": `cuIpc...`).
//!
//! An allocation moves into shared memory when its handle is taken, and keeps its address. Another process maps it at
//! an address of its own. Each process checks its own accesses: what another one does at the same time is not seen, and
//! counts as written before. A process runs its work when something waits for it, which another process cannot do. So a
//! stream that records an event of several processes is waited for at once, and whoever waits for such an event in
//! another process finds it complete.

use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::base::process::may_call;
use crate::emulated::calls::{event, pool};
use crate::emulated::context::current::current;
use crate::emulated::context::shared_memory::{OpenedMemory, SharedMemory, SharedName};
use crate::emulated::context::state::ContextState;
use crate::emulated::context::{Context, Locked};
use crate::emulated::queue::LEGACY;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Allocation, HostMemory, HostOrder};
use std::ffi::c_uint;

/// `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`, which must be set. An H200 looks at no other flag.
const NEEDED_FLAG: c_uint = 1;

type HandleBytes = [u8; 64];

/// The kind of a handle. Its first bytes name the kind, so that no handle is taken for one of another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HandleKind {
    Memory,
    /// An allocation of a pool.
    PoolPointer,
    Event,
}

impl HandleKind {
    fn magic(self) -> [u8; 8] {
        match self {
            HandleKind::Memory => *b"GPUmemry",
            HandleKind::PoolPointer => *b"GPUpoolp",
            HandleKind::Event => *b"GPUevent",
        }
    }
}

/// The handle of shared memory.
pub(super) struct Handle {
    pub(super) kind: HandleKind,
    pub(super) memory: SharedName,
    /// The handle of the memory's pool in the process that exports it, or 0.
    pub(super) pool: u64,
}

impl Handle {
    pub(super) fn bytes(&self) -> HandleBytes {
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(&self.kind.magic());
        bytes[8..12].copy_from_slice(&self.memory.process.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.memory.file.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.memory.bytes.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.pool.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.memory.inode.to_le_bytes());
        bytes
    }

    /// Reads a handle.
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_VALUE` if the bytes are no handle of this kind.
    pub(super) fn of_bytes(bytes: &HandleBytes, kind: HandleKind) -> CallResult<Handle> {
        let four = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let eight = |at: usize| u64::from(four(at)) | u64::from(four(at + 4)) << 32;
        if !bytes.starts_with(&kind.magic()) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let memory = SharedName { process: four(8), file: four(12), bytes: eight(16), inode: eight(32) };
        Ok(Handle { kind, memory, pool: eight(24) })
    }
}

/// Moves an allocation of the device into shared memory, where it stays, and returns the name of that. To be called
/// when no work is queued.
pub(super) fn share<'a>(context: &'a Context, mut state: Locked<'a>, allocation: Allocation) -> CallResult<SharedName> {
    if !state.shared.exported.contains_key(&allocation.base) {
        let shared = SharedMemory::new(allocation.bytes)?;
        // SAFETY: the memory is as large as the allocation. It is dropped after that is freed, and by the order of the
        // fields of `ContextState` after the device.
        unsafe { state.device.move_to(allocation.base, shared.start()) }.map_err(code)?;
        state.shared.exported.insert(allocation.base, shared);
        state = count_as_written(context, state, allocation.base, allocation.bytes)?;
    }
    let shared = state.shared.exported.get(&allocation.base).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    Ok(shared.name())
}

/// Makes memory count as written, as another process may write any of it from now on. To be called when no work is
/// queued, and before another process can have the memory: it is written with what it holds.
pub(super) fn count_as_written<'a>(
    context: &'a Context,
    mut state: Locked<'a>,
    address: u64,
    bytes: u64,
) -> CallResult<Locked<'a>> {
    let contents = state.device.contents_at(address, bytes).map_err(code)?;
    let write = move |state: &mut ContextState, order: &HostOrder| {
        let _ = state.device.write(address, &contents, order);
    };
    state.submit(LEGACY, write)?;
    context.drain(state)
}

/// Returns the handle of the allocation around `address`, which becomes shared memory.
pub(crate) unsafe fn memory_handle_of(handle: *mut CUipcMemHandle, address: CUdeviceptr) -> CallResult {
    // SAFETY: an out-pointer of the caller; a handle is 64 bytes.
    let handle = unsafe { out(handle.cast::<HandleBytes>())? };
    let context = current()?;
    let state = context.drain(context.lock()?)?;
    let allocation = state.check_range(address, 1)?;
    let is_mapped = state.virtual_memory.around(address).is_some();
    let is_of_pool = pool::is_of_pool(context.handle, allocation.base);
    let is_own = state.owned.contains_key(&allocation.base);
    if allocation.place != HostMemory::Device || is_mapped || is_of_pool || !is_own {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let memory = share(&context, state, allocation)?;
    handle.set(Handle { kind: HandleKind::Memory, memory, pool: 0 }.bytes());
    Ok(())
}

/// Maps memory of another process. Opened once more it has the same address.
pub(crate) unsafe fn open_memory(address: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    // SAFETY: a handle is 64 bytes.
    let handle = unsafe { std::mem::transmute::<CUipcMemHandle, HandleBytes>(handle) };
    let name = Handle::of_bytes(&handle, HandleKind::Memory)?.memory;
    let context = current()?;
    let mut state = context.lock()?;
    if flags & NEEDED_FLAG == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // The process that has exported the memory has it already.
    if name.process == std::process::id() {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    if let Some((start, opened)) = state.shared.opened_memory(name) {
        opened.count += 1;
        address.set(*start);
        return Ok(());
    }
    let memory = SharedMemory::open(name)?;
    let start = memory.start() as u64;
    // SAFETY: the mapping is as large, and stays until `close_memory` takes it from the device.
    unsafe { state.device.register_host(start, name.bytes) }.map_err(code)?;
    state
        .shared
        .opened
        .insert(start, OpenedMemory { _memory: memory, name, pool: None, place: HostMemory::Device, count: 1 });
    address.set(start);
    Ok(())
}

/// Unmaps memory of another process once it was closed as often as it was opened.
pub(crate) unsafe fn close_memory(address: CUdeviceptr) -> CallResult {
    let context = current()?;
    let mut state = context.drain(context.lock()?)?;
    let opened = state.shared.opened.get_mut(&address).filter(|opened| opened.pool.is_none());
    let opened = opened.ok_or(CUDA_ERROR_INVALID_VALUE)?;
    opened.count -= 1;
    if opened.count == 0 {
        state.device.free(address).map_err(code)?;
        state.shared.opened.remove(&address);
    }
    Ok(())
}

/// Returns the handle of an event that was made for several processes.
pub(crate) unsafe fn event_handle_of(handle: *mut CUipcEventHandle, event: CUevent) -> CallResult {
    // SAFETY: an out-pointer of the caller; a handle is 64 bytes.
    let handle = unsafe { out(handle.cast::<HandleBytes>())? };
    let flags = event::flags(event)?;
    if flags & event::OPENED != 0 {
        return Err(CUDA_ERROR_INVALID_HANDLE);
    }
    if flags & event::OF_PROCESSES != event::OF_PROCESSES {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mut bytes = [0; 64];
    bytes[..8].copy_from_slice(&HandleKind::Event.magic());
    bytes[8..12].copy_from_slice(&std::process::id().to_le_bytes());
    handle.set(bytes);
    Ok(())
}

/// Makes an event that stands for one of another process. The errors are those of an H200.
pub(crate) unsafe fn open_event(event: *mut CUevent, handle: CUipcEventHandle) -> CallResult {
    may_call()?;
    // SAFETY: a handle is 64 bytes.
    let handle = unsafe { std::mem::transmute::<CUipcEventHandle, HandleBytes>(handle) };
    if !handle.starts_with(&HandleKind::Event.magic()) {
        return Err(CUDA_ERROR_MAP_FAILED);
    }
    if handle[8..12] == std::process::id().to_le_bytes() {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    // SAFETY: passed on as it came.
    unsafe { event::open(event) }
}
