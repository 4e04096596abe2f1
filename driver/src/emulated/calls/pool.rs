//! Stream-ordered allocation and memory pools (CUDA Driver API, "Stream Ordered Memory Allocator").
//!
//! An allocation is there at once, a free when its stream gets there. Whoever uses the memory must come after its
//! stream has got to the allocation, and before the free: both count as writes of all of it. Pools are names with
//! attributes: all take from the one device memory, and nothing is kept back after a free.

use super::device;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::handle;
use crate::emulated::context::state::ContextState;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::types::{CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE, CUmemLocation};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::HostMemory;
use emulator::finding::HostOperation;
use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard, Once};

/// Pools belong to the device, not to a context. Each has the attributes that were set.
struct Pools {
    default: u64,
    current: u64,
    attributes: BTreeMap<u64, BTreeMap<u32, u64>>,
}

fn pools() -> MutexGuard<'static, Pools> {
    static POOLS: LazyLock<Mutex<Pools>> = LazyLock::new(|| {
        let default = handle::fresh();
        Mutex::new(Pools { default, current: default, attributes: BTreeMap::from([(default, BTreeMap::new())]) })
    });
    POOLS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Pools {
    fn find(&mut self, pool: CUmemoryPool) -> CallResult<&mut BTreeMap<u32, u64>> {
        self.attributes.get_mut(&(pool as u64)).ok_or(CUDA_ERROR_INVALID_VALUE)
    }
}

/// Memory that a graph allocates is not implemented. That is said once.
fn not_in_graph(state: &mut ContextState, stream: u64) -> CallResult {
    static SAID: Once = Once::new();
    if !state.is_captured(stream)? {
        return Ok(());
    }
    SAID.call_once(|| words::complain(&say!("unsupported-graph-memory")));
    Err(CUDA_ERROR_NOT_SUPPORTED)
}

pub(crate) unsafe fn allocate_async(address: *mut CUdeviceptr, bytes: usize, stream: CUstream) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    not_in_graph(&mut state, key)?;
    let at = state.allocate(bytes, HostMemory::Device)?;
    address.set(at);
    let begun = state.submit(key, move |state, order| {
        // A free that the host did not wait for may have come before.
        if let Ok(findings) = state.device.begins_or_ends(at, HostOperation::Allocate, order) {
            state.moved(Ok(findings));
        }
    });
    begun.map(drop)
}

pub(crate) unsafe fn allocate_from_pool(
    address: *mut CUdeviceptr,
    bytes: usize,
    pool: CUmemoryPool,
    stream: CUstream,
) -> CallResult {
    pools().find(pool)?;
    // SAFETY: passed on as it came.
    unsafe { allocate_async(address, bytes, stream) }
}

pub(crate) unsafe fn free_async(address: CUdeviceptr, stream: CUstream) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    let allocation = state.check_range(address, 1)?;
    if allocation.base != address || allocation.place != HostMemory::Device {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    not_in_graph(&mut state, key)?;
    let freed = state.submit(key, move |state, order| {
        if let Ok(findings) = state.device.begins_or_ends(address, HostOperation::Free, order) {
            state.moved(Ok(findings));
        }
        if state.device.free(address).is_err() {
            // Freed a second time before the first took effect.
            state.freed_again(address);
            state.fail(CUDA_ERROR_INVALID_VALUE);
        }
    });
    freed.map(drop)
}

pub(crate) unsafe fn default_pool(pool: *mut CUmemoryPool, device: CUdevice) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(pool)? }.set(pools().default as CUmemoryPool);
    Ok(())
}

pub(crate) unsafe fn device_pool(pool: *mut CUmemoryPool, device: CUdevice) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(pool)? }.set(pools().current as CUmemoryPool);
    Ok(())
}

/// The device number, where a location and a kind of allocation are such that a pool of ours serves them.
///
/// # Safety
/// `location` is null or the caller's.
unsafe fn served(location: *const CUmemLocation, kind: c_uint) -> CallResult<CUdevice> {
    may_call()?;
    if location.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    let location = unsafe { location.read_unaligned() };
    if location.kind != CU_MEM_LOCATION_TYPE_DEVICE || kind != CU_MEM_ALLOCATION_TYPE_PINNED {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    Ok(location.id)
}

pub(crate) unsafe fn default_pool_at(
    pool: *mut CUmemoryPool,
    location: *const CUmemLocation,
    kind: c_uint,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { default_pool(pool, served(location, kind)?) }
}

pub(crate) unsafe fn pool_at(pool: *mut CUmemoryPool, location: *const CUmemLocation, kind: c_uint) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { device_pool(pool, served(location, kind)?) }
}

pub(crate) unsafe fn set_pool_at(location: *const CUmemLocation, kind: c_uint, pool: CUmemoryPool) -> CallResult {
    // SAFETY: a pointer of the caller.
    unsafe { set_device_pool(served(location, kind)?, pool) }
}

pub(crate) unsafe fn set_device_pool(device: CUdevice, pool: CUmemoryPool) -> CallResult {
    device::check(device)?;
    let mut pools = pools();
    pools.find(pool)?;
    pools.current = pool as u64;
    Ok(())
}

pub(crate) unsafe fn create(pool: *mut CUmemoryPool, properties: *const CUmemPoolProps) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let pool = unsafe { out(pool)? };
    if properties.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let handle = handle::fresh();
    pools().attributes.insert(handle, BTreeMap::new());
    pool.set(handle as CUmemoryPool);
    Ok(())
}

pub(crate) unsafe fn destroy(pool: CUmemoryPool) -> CallResult {
    may_call()?;
    let mut pools = pools();
    pools.find(pool)?;
    if pool as u64 == pools.default {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    pools.attributes.remove(&(pool as u64));
    if pools.current == pool as u64 {
        pools.current = pools.default;
    }
    Ok(())
}

/// The one device sees its own pools, whatever is set.
pub(crate) unsafe fn set_access(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) -> CallResult {
    may_call()?;
    pools().find(pool)?;
    for i in 0..count {
        if map.is_null() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: `count` descriptions of the caller's, which begin with a location.
        let location = unsafe { map.add(i).cast::<CUmemLocation>().read_unaligned() };
        if location.kind != CU_MEM_LOCATION_TYPE_DEVICE {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        device::check(location.id)?;
    }
    Ok(())
}

pub(crate) unsafe fn access(
    flags: *mut CUmemAccess_flags,
    pool: CUmemoryPool,
    location: *mut cust_raw::CUmemLocation,
) -> CallResult {
    may_call()?;
    pools().find(pool)?;
    // SAFETY: a location of the caller's, laid out as ours.
    device::check(unsafe { served(location.cast(), CU_MEM_ALLOCATION_TYPE_PINNED)? })?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(flags)? }.set(CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    Ok(())
}

/// Nothing is kept back, so there is nothing to trim.
pub(crate) unsafe fn trim(pool: CUmemoryPool, _keep: usize) -> CallResult {
    may_call()?;
    pools().find(pool).map(drop)
}

/// The three flags of reuse are `int`, the others 64 bits wide.
fn is_flag(attribute: c_uint) -> bool {
    attribute <= CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES as u32
}

/// The width of a newer attribute is not known here.
fn check_attribute(attribute: c_uint) -> CallResult {
    let known = 1..=CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_HIGH as u32;
    if known.contains(&attribute) { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

pub(crate) unsafe fn set_attribute(pool: CUmemoryPool, attribute: c_uint, value: *mut c_void) -> CallResult {
    may_call()?;
    check_attribute(attribute)?;
    if value.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives a value of the attribute's type.
    let value = unsafe {
        if is_flag(attribute) {
            value.cast::<u32>().read_unaligned().into()
        } else {
            value.cast::<u64>().read_unaligned()
        }
    };
    pools().find(pool)?.insert(attribute, value);
    Ok(())
}

pub(crate) unsafe fn attribute(pool: CUmemoryPool, attribute: c_uint, value: *mut c_void) -> CallResult {
    may_call()?;
    check_attribute(attribute)?;
    let default = u64::from(is_flag(attribute));
    let set = pools().find(pool)?.get(&attribute).copied().unwrap_or(default);
    if is_flag(attribute) {
        // SAFETY: the caller gives a place of the attribute's type.
        unsafe { out(value.cast::<u32>())? }.set(set as u32);
    } else {
        // SAFETY: the caller gives a place of the attribute's type.
        unsafe { out(value.cast::<u64>())? }.set(set);
    }
    Ok(())
}
