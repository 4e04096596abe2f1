//! Stream-ordered allocation and memory pools (CUDA Driver API, "Stream Ordered Memory Allocator").
//!
//! An allocation is there at once, a free when its stream gets there. Whoever uses the memory must come after its
//! stream has got to the allocation, and before the free: both count as writes of all of it.
//!
//! Pools are names with attributes and figures. All of one place take from the same memory. Nothing is kept back after
//! a free, though the figures say so as those of a real pool do.

use super::device;
use super::pool_ipc::{self, ImportedPool};
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::handle;
use crate::emulated::context::state::ContextState;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::types::{
    CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE,
    CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, CU_MEM_LOCATION_TYPE_NONE, CUmemLocation,
    CUmemPoolPropsValues,
};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{HostMemory, HostOrder};
use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::{LazyLock, Mutex, MutexGuard};

/// Pools belong to the device, not to a context.
pub(super) struct Pools {
    /// The figures of the memory that graphs allocate.
    graphs: Pool,
    /// The default pool of each place.
    defaults: BTreeMap<PoolPlace, u64>,
    /// The pool of each place that allocations without a pool take from.
    current: BTreeMap<PoolPlace, u64>,
    pub(super) pools: BTreeMap<u64, Pool>,
    /// The pool and the bytes of each allocation, by context and address.
    allocations: BTreeMap<(u64, u64), (u64, u64)>,
}

/// The place of a pool's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PoolPlace {
    #[default]
    Device,
    /// Page-locked memory of the host.
    Host,
    /// Managed memory that is the device's at first, and that is the host's.
    ManagedByDevice,
    ManagedByHost,
    /// Managed memory without a place that it prefers.
    Managed,
}

impl PoolPlace {
    const ALL: [PoolPlace; 5] =
        [PoolPlace::Device, PoolPlace::Host, PoolPlace::ManagedByDevice, PoolPlace::ManagedByHost, PoolPlace::Managed];

    pub(super) fn memory(self) -> HostMemory {
        match self {
            PoolPlace::Device => HostMemory::Device,
            PoolPlace::Host => HostMemory::PageLocked,
            PoolPlace::ManagedByDevice | PoolPlace::ManagedByHost | PoolPlace::Managed => HostMemory::Unified,
        }
    }
}

/// A pool reserves memory in steps of this size.
const RESERVED_STEP: u64 = 32 << 20;

#[derive(Default)]
pub(super) struct Pool {
    pub(super) place: PoolPlace,
    /// The kinds of handle under which other processes get it (`CUmemAllocationHandleType`).
    pub(super) handle_kinds: c_uint,
    /// The pool that this one stands for, if it was exported somewhere and imported here.
    pub(super) imported: Option<ImportedPool>,
    /// `cuMemPoolSetAccess` was called for the device. Memory of the host is not the device's before that.
    pub(super) is_opened: bool,
    /// The attributes that were set.
    pub(super) attributes: BTreeMap<u32, u64>,
    pub(super) used: HighWater,
    /// The memory that a real pool would hold. It shrinks when the pool is trimmed, and when the host synchronizes.
    pub(super) reserved: HighWater,
}

/// A number of bytes, and the most that it was since it was set to 0.
#[derive(Clone, Copy, Default)]
pub(super) struct HighWater {
    pub(super) now: u64,
    pub(super) most: u64,
}

impl HighWater {
    fn set(&mut self, bytes: u64) {
        *self = HighWater { now: bytes, most: self.most.max(bytes) };
    }
}

impl Pool {
    pub(super) fn takes(&mut self, bytes: u64) {
        self.used.set(self.used.now + bytes);
        self.reserved.set(self.reserved.now.max(self.used.now.next_multiple_of(RESERVED_STEP)));
    }

    pub(super) fn gives(&mut self, bytes: u64) {
        self.used.set(self.used.now.saturating_sub(bytes));
    }

    /// Returns a figure of the memory of graphs, by its number in `CUgraphMem_attribute`. What is reserved counts as
    /// used until it is trimmed (seen on an H200).
    pub(super) fn of_graphs(&self, attribute: u32) -> CallResult<u64> {
        let most_used = self.used.most.next_multiple_of(RESERVED_STEP).max(self.reserved.now);
        let figures = [self.reserved.now, most_used, self.reserved.now, self.reserved.most];
        figures.get(attribute as usize).copied().ok_or(CUDA_ERROR_INVALID_VALUE)
    }

    /// Sets the most of a figure of graphs back to what is now.
    pub(super) fn set_back(&mut self, attribute: u32, value: u64) -> CallResult {
        match (attribute, value) {
            (1, 0) => self.used.most = self.used.now,
            (3, 0) => self.reserved.most = self.reserved.now,
            _ => return Err(CUDA_ERROR_INVALID_VALUE),
        }
        Ok(())
    }

    pub(super) fn trim(&mut self, keep: u64) {
        let needed = self.used.now.max(keep).checked_next_multiple_of(RESERVED_STEP).unwrap_or(u64::MAX);
        self.reserved.set(self.reserved.now.min(needed));
    }
}

pub(super) fn pools() -> MutexGuard<'static, Pools> {
    static POOLS: LazyLock<Mutex<Pools>> = LazyLock::new(|| {
        let defaults = BTreeMap::from(PoolPlace::ALL.map(|place| (place, handle::fresh())));
        let pool = |(&place, &pool): (&PoolPlace, &u64)| (pool, Pool { place, ..Pool::default() });
        let pools = defaults.iter().map(pool).collect();
        let (current, allocations) = (defaults.clone(), BTreeMap::new());
        Mutex::new(Pools { graphs: Pool::default(), defaults, current, pools, allocations })
    });
    POOLS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Pools {
    pub(super) fn find(&mut self, pool: CUmemoryPool) -> CallResult<&mut Pool> {
        self.pools.get_mut(&(pool as u64)).ok_or(CUDA_ERROR_INVALID_VALUE)
    }

    /// Finds a pool of this process: those that were imported are neither allocated from nor have they figures here.
    pub(super) fn find_own(&mut self, pool: CUmemoryPool) -> CallResult<&mut Pool> {
        self.find(pool).and_then(|pool| match pool.imported {
            None => Ok(pool),
            Some(_) => Err(CUDA_ERROR_INVALID_VALUE),
        })
    }

    /// Returns the pool of the allocation that starts at `address`.
    pub(super) fn starting_at(&self, context: u64, address: u64) -> Option<(CUmemoryPool, &Pool)> {
        let (pool, _) = self.allocations.get(&(context, address))?;
        Some((*pool as CUmemoryPool, self.pools.get(pool)?))
    }
}

/// The host has waited for work: pools keep what they are told to keep, and what is in use.
pub(crate) fn synchronized() {
    const THRESHOLD: u32 = CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as u32;
    for pool in pools().pools.values_mut() {
        pool.trim(pool.attributes.get(&THRESHOLD).copied().unwrap_or(0));
    }
}

/// Returns true if the memory at `address` is of a pool.
pub(crate) fn is_of_pool(context: u64, address: CUdeviceptr) -> bool {
    pools().allocations.contains_key(&(context, address))
}

/// Counts memory of a pool as given back.
pub(crate) fn freed(context: u64, address: CUdeviceptr) {
    let mut pools = pools();
    let Some((pool, bytes)) = pools.allocations.remove(&(context, address)) else { return };
    if let Some(pool) = pools.pools.get_mut(&pool) {
        pool.gives(bytes);
    }
}

/// A context has ended, and what it has allocated with it.
pub(crate) fn context_ended(context: u64) {
    let keys = (context, 0)..=(context, u64::MAX);
    let addresses: Vec<u64> = pools().allocations.range(keys).map(|((_, address), _)| *address).collect();
    addresses.into_iter().for_each(|address| freed(context, address));
}

/// Reads or changes the figures of the memory that graphs allocate.
pub(super) fn with_graphs<T>(change: impl FnOnce(&mut Pool) -> T) -> T {
    change(&mut pools().graphs)
}

pub(crate) unsafe fn allocate_async(address: *mut CUdeviceptr, bytes: usize, stream: CUstream) -> CallResult {
    let pool = pools().current[&PoolPlace::Device];
    // SAFETY: passed on as they came.
    unsafe { allocate(address, bytes, pool, stream) }
}

unsafe fn allocate(address: *mut CUdeviceptr, bytes: usize, pool: u64, stream: CUstream) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    // Nothing is null, which is no error here, other than for `cuMemAlloc` (seen on an H200).
    if bytes == 0 {
        address.set(0);
        return Ok(());
    }
    if state.is_captured(key)? {
        address.set(state.capture_allocation(context.number, key, bytes)?);
        return Ok(());
    }
    let (place, is_shared) =
        pools().pools.get(&pool).map_or_else(Default::default, |pool| (pool.place, pool.handle_kinds != 0));
    let at = match place {
        PoolPlace::Host if is_shared => pool_ipc::allocate_on_host(&mut state, bytes)?,
        _ => state.allocate(bytes, place.memory())?,
    };
    address.set(at);
    let mut pools = pools();
    pools.allocations.insert((context.handle, at), (pool, bytes as u64));
    if let Some(pool) = pools.pools.get_mut(&pool) {
        pool.takes(bytes as u64);
    }
    drop(pools);
    state.submit(key, move |state, order| state.begins(at, order)).map(drop)
}

pub(crate) unsafe fn allocate_from_pool(
    address: *mut CUdeviceptr,
    bytes: usize,
    pool: CUmemoryPool,
    stream: CUstream,
) -> CallResult {
    pools().find_own(pool)?;
    // SAFETY: passed on as it came.
    unsafe { allocate(address, bytes, pool as u64, stream) }
}

/// Frees memory when the stream gets there. Freeing null does nothing.
pub(crate) unsafe fn free_async(address: CUdeviceptr, stream: CUstream) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if address == 0 {
        return Ok(());
    }
    if state.is_captured(key)? {
        return state.capture_free(key, address);
    }
    if state.shared.is_of_imported_pool(address) {
        let ends = move |state: &mut ContextState, order: &HostOrder| {
            state.ends(address, order);
            pool_ipc::forget(state, address);
        };
        return state.submit(key, ends).map(drop);
    }
    let allocation = state.check_range(address, 1)?;
    let is_mapped = state.virtual_memory.around(address).is_some();
    let is_of_pool = is_of_pool(context.handle, address);
    if allocation.base != address || is_mapped || allocation.place != HostMemory::Device && !is_of_pool {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    freed(context.handle, address);
    state.free_of_graph(address)?;
    let ends = move |state: &mut ContextState, order: &HostOrder| {
        state.managed.remove(address);
        state.forget_advice(address);
        state.ends(address, order);
    };
    state.submit(key, ends).map(drop)
}

pub(crate) unsafe fn default_pool(pool: *mut CUmemoryPool, device: CUdevice) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(pool)? }.set(pools().defaults[&PoolPlace::Device] as CUmemoryPool);
    Ok(())
}

pub(crate) unsafe fn device_pool(pool: *mut CUmemoryPool, device: CUdevice) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(pool)? }.set(pools().current[&PoolPlace::Device] as CUmemoryPool);
    Ok(())
}

/// Returns the place of a location's memory of this kind of allocation. An H200 has pools for the device and for the
/// host, its NUMA nodes included, and managed ones for both.
///
/// # Safety
/// `location` is null or the caller's.
unsafe fn place_of(location: *const CUmemLocation, kind: c_uint) -> CallResult<PoolPlace> {
    may_call()?;
    if location.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    let location = unsafe { location.read_unaligned() };
    let is_device = match location.kind {
        CU_MEM_LOCATION_TYPE_NONE if kind == CU_MEM_ALLOCATION_TYPE_MANAGED => return Ok(PoolPlace::Managed),
        CU_MEM_LOCATION_TYPE_DEVICE => {
            device::check(location.id)?;
            true
        }
        CU_MEM_LOCATION_TYPE_HOST..=CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => false,
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    };
    match kind {
        CU_MEM_ALLOCATION_TYPE_PINNED if is_device => Ok(PoolPlace::Device),
        CU_MEM_ALLOCATION_TYPE_PINNED => Ok(PoolPlace::Host),
        CU_MEM_ALLOCATION_TYPE_MANAGED if is_device => Ok(PoolPlace::ManagedByDevice),
        CU_MEM_ALLOCATION_TYPE_MANAGED => Ok(PoolPlace::ManagedByHost),
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

pub(crate) unsafe fn default_pool_at(
    pool: *mut CUmemoryPool,
    location: *const CUmemLocation,
    kind: c_uint,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let (pool, place) = unsafe { (out(pool)?, place_of(location, kind)?) };
    pool.set(pools().defaults[&place] as CUmemoryPool);
    Ok(())
}

pub(crate) unsafe fn pool_at(pool: *mut CUmemoryPool, location: *const CUmemLocation, kind: c_uint) -> CallResult {
    // SAFETY: pointers of the caller.
    let (pool, place) = unsafe { (out(pool)?, place_of(location, kind)?) };
    pool.set(pools().current[&place] as CUmemoryPool);
    Ok(())
}

pub(crate) unsafe fn set_pool_at(location: *const CUmemLocation, kind: c_uint, pool: CUmemoryPool) -> CallResult {
    // SAFETY: a pointer of the caller.
    set_pool(unsafe { place_of(location, kind)? }, pool)
}

/// Makes `pool` the one that allocations at its place take from.
fn set_pool(place: PoolPlace, pool: CUmemoryPool) -> CallResult {
    let mut pools = pools();
    if pools.find_own(pool)?.place != place {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    pools.current.insert(place, pool as u64);
    Ok(())
}

pub(crate) unsafe fn set_device_pool(device: CUdevice, pool: CUmemoryPool) -> CallResult {
    device::check(device)?;
    set_pool(PoolPlace::Device, pool)
}

pub(crate) unsafe fn create(pool: *mut CUmemoryPool, properties: *const CUmemPoolProps) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let pool = unsafe { out(pool)? };
    if properties.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct; its enums are read as numbers, as a caller's may be no value of theirs.
    let kind = unsafe { std::ptr::addr_of!((*properties).allocType).cast::<c_uint>().read_unaligned() };
    if kind == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above. An H200 says so of a device that is not there, too.
    let place = unsafe { place_of(std::ptr::addr_of!((*properties).location).cast(), kind) };
    let place = place.map_err(|_| CUDA_ERROR_INVALID_VALUE)?;
    // SAFETY: as above.
    let properties = unsafe { properties.cast::<CUmemPoolPropsValues>().read_unaligned() };
    let handle_kinds = properties.handleTypes;
    pool_ipc::check_handle_kinds(handle_kinds, place, properties.location.kind)?;
    let handle = handle::fresh();
    pools().pools.insert(handle, Pool { place, handle_kinds, ..Pool::default() });
    pool.set(handle as CUmemoryPool);
    Ok(())
}

pub(crate) unsafe fn destroy(pool: CUmemoryPool) -> CallResult {
    may_call()?;
    let mut pools = pools();
    if let Some(imported) = &mut pools.find(pool)?.imported {
        if imported.pointers > 0 {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        imported.handles -= 1;
        if imported.handles > 0 {
            return Ok(());
        }
    }
    if pools.defaults.values().any(|default| *default == pool as u64) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    pools.pools.remove(&(pool as u64));
    // Where it was the current one, the default one is again.
    let Pools { defaults, current, .. } = &mut *pools;
    for (place, current) in current.iter_mut().filter(|(_, current)| **current == pool as u64) {
        *current = defaults[place];
    }
    Ok(())
}

/// Remembers what the device may do with a pool of the host. It may use the memory of every pool, whatever is set.
pub(crate) unsafe fn set_access(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) -> CallResult {
    may_call()?;
    pools().find(pool)?;
    for i in 0..count {
        if map.is_null() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: `count` descriptions of the caller's: a location, and flags that may be no value of their enum.
        let (place, flags) = unsafe {
            let description = map.add(i);
            let flags = (&raw const (*description).flags).cast::<c_uint>().read_unaligned();
            (place_of(description.cast(), CU_MEM_ALLOCATION_TYPE_PINNED)?, flags)
        };
        if place == PoolPlace::Device {
            pools().find(pool)?.is_opened = flags != 0;
        }
    }
    Ok(())
}

pub(crate) unsafe fn access(
    flags: *mut CUmemAccess_flags,
    pool: CUmemoryPool,
    location: *mut cust_raw::CUmemLocation,
) -> CallResult {
    may_call()?;
    let (of_pool, is_opened) = pools().find(pool).map(|pool| (pool.place, pool.is_opened))?;
    // SAFETY: a location of the caller's, laid out as ours.
    let from = unsafe { place_of(location.cast(), CU_MEM_ALLOCATION_TYPE_PINNED)? };
    let access = match (of_pool, from) {
        (PoolPlace::Device, PoolPlace::Host) => CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE,
        (PoolPlace::Host, PoolPlace::Device) if !is_opened => CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE,
        _ => CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    // SAFETY: an out-pointer of the caller.
    unsafe { out(flags)? }.set(access);
    Ok(())
}

pub(crate) unsafe fn trim(pool: CUmemoryPool, keep: usize) -> CallResult {
    may_call()?;
    pools().find_own(pool)?.trim(keep as u64);
    Ok(())
}
