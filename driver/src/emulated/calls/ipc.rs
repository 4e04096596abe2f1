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
use crate::emulated::queue::LEGACY;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{HostMemory, HostOrder};
use std::ffi::c_uint;

/// The first bytes of a handle, which tell one of memory from one of an event.
const OF_MEMORY: &[u8; 8] = b"GPUmemry";
const OF_EVENT: &[u8; 8] = b"GPUevent";

/// `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`, which must be set. An H200 looks at no other flag.
const NEEDED_FLAG: c_uint = 1;

type HandleBytes = [u8; 64];

fn memory_handle(name: SharedName) -> HandleBytes {
    let mut handle = [0; 64];
    handle[..8].copy_from_slice(OF_MEMORY);
    handle[8..12].copy_from_slice(&name.process.to_le_bytes());
    handle[12..16].copy_from_slice(&name.file.to_le_bytes());
    handle[16..24].copy_from_slice(&name.bytes.to_le_bytes());
    handle
}

fn name_in(handle: &HandleBytes) -> CallResult<SharedName> {
    let four = |at: usize| u32::from_le_bytes([handle[at], handle[at + 1], handle[at + 2], handle[at + 3]]);
    if !handle.starts_with(OF_MEMORY) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let bytes = u64::from(four(16)) | u64::from(four(20)) << 32;
    Ok(SharedName { process: four(8), file: four(12), bytes })
}

/// Returns the handle of the allocation around `address`, which becomes shared memory.
pub(crate) unsafe fn memory_handle_of(handle: *mut CUipcMemHandle, address: CUdeviceptr) -> CallResult {
    // SAFETY: an out-pointer of the caller; a handle is 64 bytes.
    let handle = unsafe { out(handle.cast::<HandleBytes>())? };
    let context = current()?;
    let mut state = context.drain(context.lock()?)?;
    let allocation = state.check_range(address, 1)?;
    let is_mapped = state.virtual_memory.around(address).is_some();
    let is_of_pool = pool::is_of_pool(context.handle, allocation.base);
    let is_own = state.owned.contains_key(&allocation.base);
    if allocation.place != HostMemory::Device || is_mapped || is_of_pool || !is_own {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if !state.shared.exported.contains_key(&allocation.base) {
        let shared = SharedMemory::new(allocation.bytes)?;
        // SAFETY: the memory is as large as the allocation, and goes after it.
        unsafe { state.device.move_to(allocation.base, shared.start()) }.map_err(code)?;
        state.shared.exported.insert(allocation.base, shared);
        // Another process may write any of it.
        let contents = state.device.contents_at(allocation.base, allocation.bytes).map_err(code)?;
        let write = move |state: &mut ContextState, order: &HostOrder| {
            let _ = state.device.write(allocation.base, &contents, order);
        };
        state.submit(LEGACY, write)?;
        state = context.drain(state)?;
    }
    let shared = state.shared.exported.get(&allocation.base).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    handle.set(memory_handle(shared.name()));
    Ok(())
}

/// Maps memory of another process. Opened once more it has the same address.
pub(crate) unsafe fn open_memory(address: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    // SAFETY: a handle is 64 bytes.
    let name = name_in(&unsafe { std::mem::transmute::<CUipcMemHandle, HandleBytes>(handle) })?;
    let context = current()?;
    let mut state = context.lock()?;
    if flags & NEEDED_FLAG == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // The process that has exported the memory has it already.
    if name.process == std::process::id() {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    if let Some((start, opened)) = state.shared.opened.iter_mut().find(|(_, opened)| opened.name == name) {
        opened.count += 1;
        address.set(*start);
        return Ok(());
    }
    let memory = SharedMemory::open(name)?;
    let start = memory.start() as u64;
    // SAFETY: the mapping is as large, and stays until `close_memory` takes it from the device.
    unsafe { state.device.register_host(start, name.bytes) }.map_err(code)?;
    state.shared.opened.insert(start, OpenedMemory { _memory: memory, name, count: 1 });
    address.set(start);
    Ok(())
}

/// Unmaps memory of another process once it was closed as often as it was opened.
pub(crate) unsafe fn close_memory(address: CUdeviceptr) -> CallResult {
    let context = current()?;
    let mut state = context.drain(context.lock()?)?;
    let opened = state.shared.opened.get_mut(&address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
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
    bytes[..8].copy_from_slice(OF_EVENT);
    bytes[8..12].copy_from_slice(&std::process::id().to_le_bytes());
    handle.set(bytes);
    Ok(())
}

/// Makes an event that stands for one of another process. The errors are those of an H200.
pub(crate) unsafe fn open_event(event: *mut CUevent, handle: CUipcEventHandle) -> CallResult {
    may_call()?;
    // SAFETY: a handle is 64 bytes.
    let handle = unsafe { std::mem::transmute::<CUipcEventHandle, HandleBytes>(handle) };
    if !handle.starts_with(OF_EVENT) {
        return Err(CUDA_ERROR_MAP_FAILED);
    }
    if handle[8..12] == std::process::id().to_le_bytes() {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    // SAFETY: passed on as it came.
    unsafe { event::open(event) }
}
