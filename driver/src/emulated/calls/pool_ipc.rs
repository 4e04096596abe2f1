//! Memory pools that processes of one machine share (CUDA Driver API, "Stream Ordered Memory Allocator").
//!
//! The file descriptor of a pool leads to a file with the pool's name. An allocation moves into shared memory when its
//! pointer is exported, and keeps its address; the exported data is the name of that memory. A process that imports
//! it maps the memory at an address of its own, as for [`super::ipc`]. The errors are those of an H200.

use super::ipc::{Handle, HandleKind, share};
use super::pool::{Pool, PoolPlace, pools};
use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::current_or_only;
use crate::emulated::context::handle;
use crate::emulated::context::shared_memory::{OpenedMemory, SharedMemory, make_file, read_file};
use crate::emulated::context::state::ContextState;
use crate::types::{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_LOCATION_TYPE_HOST_NUMA};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::io::Write;
use std::os::fd::IntoRawFd;

/// A pool that was exported, in this process or in another one.
pub(super) struct ImportedPool {
    name: PoolName,
    /// How often it was imported, and not destroyed.
    pub(super) handles: u64,
    /// Its pointers that are mapped here.
    pub(super) pointers: u64,
}

/// The name of a pool on this machine: a process, and the handle that it has there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PoolName {
    process: u32,
    pool: u64,
}

const MAGIC: &[u8; 8] = b"GPU pool";
const FILE_BYTES: usize = 24;

impl PoolName {
    fn file(self, place: PoolPlace) -> [u8; FILE_BYTES] {
        let mut bytes = [0; FILE_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.pool.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.process.to_le_bytes());
        bytes[20] = (place == PoolPlace::Host).into();
        bytes
    }

    fn of_file(bytes: &[u8; FILE_BYTES]) -> Option<(PoolName, PoolPlace)> {
        let (magic, rest) = bytes.split_first_chunk::<8>()?;
        let (pool, rest) = rest.split_first_chunk()?;
        let (process, rest) = rest.split_first_chunk()?;
        let name = PoolName { process: u32::from_le_bytes(*process), pool: u64::from_le_bytes(*pool) };
        let place = if rest[0] == 1 { PoolPlace::Host } else { PoolPlace::Device };
        (magic == MAGIC).then_some((name, place))
    }
}

/// Checks which kinds of handle a new pool shall have: none, or file descriptors. Managed memory has none, and the
/// host's memory only where it is that of a NUMA node.
pub(super) fn check_handle_kinds(kinds: c_uint, place: PoolPlace, location: c_uint) -> CallResult {
    let is_shareable = match place {
        PoolPlace::Device => true,
        PoolPlace::Host => location == CU_MEM_LOCATION_TYPE_HOST_NUMA,
        PoolPlace::ManagedByDevice | PoolPlace::ManagedByHost | PoolPlace::Managed => false,
    };
    match kinds {
        0 => Ok(()),
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR if is_shareable => Ok(()),
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

fn check_kind(kind: c_uint, flags: c_ulonglong) -> CallResult {
    if kind == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR && flags == 0 { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

/// Allocates memory of the host that can be shared. It has one address for host and device, and so is shared from the
/// beginning.
pub(super) fn allocate_on_host(state: &mut ContextState, bytes: usize) -> CallResult<u64> {
    let memory = SharedMemory::new(bytes as u64)?;
    let address = memory.start() as u64;
    // SAFETY: the mapping is as large, and goes after the allocation.
    unsafe { state.device.register_host(address, bytes as u64) }.map_err(code)?;
    state.own(address);
    state.managed.add(address, bytes);
    state.shared.exported.insert(address, memory);
    Ok(address)
}

/// Returns a file descriptor, which the caller closes.
pub(crate) unsafe fn export_pool(
    descriptor: *mut c_void,
    pool: CUmemoryPool,
    kind: c_uint,
    flags: c_ulonglong,
) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller, for an `int`.
    let descriptor = unsafe { out(descriptor.cast::<c_int>())? };
    let mut pools = pools();
    let Pool { place, handle_kinds, .. } = *pools.find_own(pool)?;
    check_kind(kind, flags)?;
    if handle_kinds & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let name = PoolName { process: std::process::id(), pool: pool as u64 };
    let mut file = make_file(c"gpu-pool", 0)?;
    file.write_all(&name.file(place)).map_err(|_| CUDA_ERROR_OUT_OF_MEMORY)?;
    descriptor.set(file.into_raw_fd());
    Ok(())
}

/// Returns the pool behind a file descriptor: the same one each time, and never the one that was exported.
pub(crate) unsafe fn import_pool(
    pool: *mut CUmemoryPool,
    descriptor: *mut c_void,
    kind: c_uint,
    flags: c_ulonglong,
) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let pool = unsafe { out(pool)? };
    check_kind(kind, flags)?;
    let read = read_file(descriptor as c_int).as_ref().and_then(PoolName::of_file);
    let (name, place) = read.ok_or(CUDA_ERROR_UNKNOWN)?;
    let mut pools = pools();
    for (handle, known) in &mut pools.pools {
        if let Some(imported) = known.imported.as_mut().filter(|imported| imported.name == name) {
            imported.handles += 1;
            pool.set(*handle as CUmemoryPool);
            return Ok(());
        }
    }
    let handle = handle::fresh();
    let imported = Some(ImportedPool { name, handles: 1, pointers: 0 });
    pools.pools.insert(handle, Pool { place, imported, ..Pool::default() });
    pool.set(handle as CUmemoryPool);
    Ok(())
}

/// Returns what another process needs to use an allocation of a pool.
pub(crate) unsafe fn export_pointer(data: *mut CUmemPoolPtrExportData, address: CUdeviceptr) -> CallResult {
    // SAFETY: an out-pointer of the caller; the data is 64 bytes.
    let data = unsafe { out(data.cast::<[u8; 64]>())? };
    let context = current_or_only()?;
    let state = context.drain(context.lock()?)?;
    let allocation = state.check_range(address, 1)?;
    let (pool, handle_kinds) = pools()
        .starting_at(context.handle, address)
        .map(|(handle, pool)| (handle as u64, pool.handle_kinds))
        .ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if handle_kinds & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let memory = share(&context, state, allocation)?;
    data.set(Handle { kind: HandleKind::PoolPointer, memory, pool }.bytes());
    Ok(())
}

/// Maps an allocation of an imported pool. Imported once more it has the same address, and is freed once.
pub(crate) unsafe fn import_pointer(
    address: *mut CUdeviceptr,
    pool: CUmemoryPool,
    data: *mut CUmemPoolPtrExportData,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    if data.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's data, which is 64 bytes.
    let data = Handle::of_bytes(&unsafe { data.cast::<[u8; 64]>().read_unaligned() }, HandleKind::PoolPointer)?;
    let context = current_or_only()?;
    // A free of the same pointer may wait in a stream.
    let mut state = context.drain(context.lock()?)?;
    let mut pools = pools();
    let (imported, place) = match pools.find(pool)? {
        Pool { imported: Some(imported), place, .. } => (imported, *place),
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    };
    if imported.name != (PoolName { process: data.memory.process, pool: data.pool }) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let of_pool = Some(pool as u64);
    let mut opened = state.shared.opened.iter();
    if let Some((start, _)) = opened.find(|(_, opened)| opened.pool == of_pool && opened.name == data.memory) {
        address.set(*start);
        return Ok(());
    }
    let memory = SharedMemory::open(data.memory)?;
    let start = memory.start() as u64;
    // SAFETY: the mapping is as large, and stays until `close` takes it from the device.
    unsafe { state.device.register_host(start, data.memory.bytes) }.map_err(code)?;
    imported.pointers += 1;
    let place = place.memory();
    let opened = OpenedMemory { _memory: memory, name: data.memory, pool: of_pool, place, count: 1 };
    state.shared.opened.insert(start, opened);
    address.set(start);
    Ok(())
}

/// Unmaps an allocation of an imported pool. To be called when no work that uses it is queued.
pub(crate) fn close(state: &mut ContextState, address: u64) -> CallResult {
    state.device.free(address).map_err(code)?;
    forget(state, address);
    Ok(())
}

/// Unmaps an allocation of an imported pool that the device no longer has.
pub(crate) fn forget(state: &mut ContextState, address: u64) {
    let opened = state.shared.opened.remove(&address);
    let mut pools = pools();
    if let Some(pool) = opened.and_then(|opened| opened.pool).and_then(|pool| pools.pools.get_mut(&pool)) {
        pool.imported.iter_mut().for_each(|imported| imported.pointers -= 1);
    }
}

/// Returns the pool of an allocation, and the kinds of handle that it can be exported as.
pub(super) fn pool_of(state: &ContextState, context: u64, address: u64) -> Option<(u64, c_uint)> {
    if let Some(opened) = state.shared.opened.get(&address) {
        return Some((opened.pool?, 0));
    }
    pools().starting_at(context, address).map(|(handle, pool)| (handle as u64, pool.handle_kinds))
}
