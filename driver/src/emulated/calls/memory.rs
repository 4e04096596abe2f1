//! Allocation: device, page-locked, registered and unified memory (CUDA Driver API, "Memory Management",
//! "Unified Addressing").
//!
//! Freeing waits for all work of the context first, as on hardware. Page-locked and unified memory have one address for
//! both sides. Page-locked memory belongs to the context that made it; kernels of another context do not see it.

use super::{pool, pool_ipc};
use crate::emulated::base::host_memory::is_host;
use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::context::advice::{Advice, AdvisedPlace};
use crate::emulated::context::current::{current, current_or_only};
use crate::emulated::context::state::ContextState;
use crate::emulated::context::stream_handle;
use crate::types::{
    CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, CUmemLocation,
};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Allocation, HostMemory};
use std::ffi::{c_uint, c_void};

/// Rows of `cuMemAllocPitch` start at multiples of this, as on current GPUs.
const PITCH: usize = 512;

impl ContextState {
    pub(crate) fn allocate(&mut self, bytes: usize, place: HostMemory) -> CallResult<u64> {
        if bytes == 0 {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        if place == HostMemory::Device && bytes as u64 > self.free_memory() {
            return Err(CUDA_ERROR_OUT_OF_MEMORY);
        }
        let address = self.device.allocate(bytes as u64, place).map_err(code)?;
        self.own(address);
        if place != HostMemory::Device {
            self.managed.add(address, bytes);
        }
        Ok(address)
    }

    /// Forgets the advice about an allocation that is about to go.
    pub(crate) fn forget_advice(&mut self, address: u64) {
        if let Some(allocation) = self.allocation(address) {
            self.advice.forget(allocation.base, allocation.bytes);
        }
    }

    /// The allocation that starts here, if it is in one of these places.
    fn starts(&self, address: u64, places: &[HostMemory]) -> CallResult<Allocation> {
        let allocation = self.allocation(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let is_mapped = self.virtual_memory.around(address).is_some();
        if allocation.base != address || !places.contains(&allocation.place) || is_mapped {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        Ok(allocation)
    }
}

pub(crate) unsafe fn info(free: *mut usize, total: *mut usize) -> CallResult {
    // SAFETY: out-pointers of the caller.
    let (free, total) = unsafe { (out(free)?, out(total)?) };
    let context = current()?;
    let state = context.lock()?;
    free.set(state.free_memory() as usize);
    total.set(state.device.profile().memory as usize);
    Ok(())
}

pub(crate) unsafe fn allocate(address: *mut CUdeviceptr, bytes: usize) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    let context = current()?;
    let mut state = context.lock()?;
    state.captures.not_while_capturing()?;
    address.set(state.allocate(bytes, HostMemory::Device)?);
    Ok(())
}

pub(crate) unsafe fn allocate_pitch(
    address: *mut CUdeviceptr,
    pitch: *mut usize,
    width: usize,
    height: usize,
    element: c_uint,
) -> CallResult {
    // SAFETY: out-pointers of the caller.
    let (address, pitch) = unsafe { (out(address)?, out(pitch)?) };
    let context = current()?;
    let mut state = context.lock()?;
    if !matches!(element, 4 | 8 | 16) || width == 0 || height == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let row = width.checked_next_multiple_of(PITCH).ok_or(CUDA_ERROR_OUT_OF_MEMORY)?;
    let bytes = row.checked_mul(height).ok_or(CUDA_ERROR_OUT_OF_MEMORY)?;
    address.set(state.allocate(bytes, HostMemory::Device)?);
    pitch.set(row);
    Ok(())
}

/// Freeing null does nothing.
pub(crate) unsafe fn free(address: CUdeviceptr) -> CallResult {
    let context = current_or_only()?;
    let mut state = context.lock()?;
    if address == 0 {
        return Ok(());
    }
    state.captures.not_while_capturing()?;
    if state.shared.is_of_imported_pool(address) {
        let mut state = context.drain(state)?;
        return pool_ipc::close(&mut state, address);
    }
    // The host's own memory, too, if it is of a pool.
    let places = match pool::is_of_pool(context.handle, address) {
        true => &[HostMemory::Device, HostMemory::Unified, HostMemory::PageLocked, HostMemory::Registered][..],
        false => &[HostMemory::Device, HostMemory::Unified],
    };
    if let Err(code) = state.starts(address, places) {
        state.freed_again(address);
        return Err(code);
    }
    let mut state = context.drain(state)?;
    // Once more: the work that was waited for may have freed it.
    if let Err(code) = state.starts(address, places) {
        state.freed_again(address);
        return Err(code);
    }
    if let Err(code) = state.free_of_graph(address) {
        state.freed_again(address);
        return Err(code);
    }
    state.managed.remove(address);
    state.forget_advice(address);
    pool::freed(context.handle, address);
    state.device.free(address).map_err(code)?;
    state.shared.exported.remove(&address);
    Ok(())
}

pub(crate) unsafe fn allocate_host(pointer: *mut *mut c_void, bytes: usize) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { host_allocate(pointer, bytes, 0) }
}

pub(crate) unsafe fn host_allocate(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let pointer = unsafe { out(pointer)? };
    let context = current()?;
    let mut state = context.lock()?;
    if flags & !(CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED) != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let address = state.allocate(bytes, HostMemory::PageLocked)?;
    // With unified addressing all page-locked memory is mapped.
    state.host_flags.insert(address, flags | CU_MEMHOSTALLOC_DEVICEMAP);
    pointer.set(address as *mut c_void);
    Ok(())
}

pub(crate) unsafe fn free_host(pointer: *mut c_void) -> CallResult {
    let context = current()?;
    let state = context.lock()?;
    state.starts(pointer as u64, &[HostMemory::PageLocked])?;
    let mut state = context.drain(state)?;
    state.host_flags.remove(&(pointer as u64));
    state.managed.remove(pointer as u64);
    state.device.free(pointer as u64).map_err(code)
}

pub(crate) unsafe fn host_register(pointer: *mut c_void, bytes: usize, flags: c_uint) -> CallResult {
    let context = current()?;
    let mut state = context.lock()?;
    let known = CU_MEMHOSTREGISTER_PORTABLE
        | CU_MEMHOSTREGISTER_DEVICEMAP
        | CU_MEMHOSTREGISTER_IOMEMORY
        | CU_MEMHOSTREGISTER_READ_ONLY;
    if pointer.is_null() || bytes == 0 || flags & !known != 0 || !is_host(pointer as u64) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let last = (pointer as u64).checked_add(bytes as u64 - 1).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if state.device.allocation(pointer as u64).is_some() || state.device.allocation(last).is_some() {
        return Err(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    }
    // SAFETY: the caller registers memory of its own and unregisters it before it goes.
    unsafe { state.device.register_host(pointer as u64, bytes as u64) }.map_err(code)?;
    state.host_flags.insert(pointer as u64, flags | CU_MEMHOSTREGISTER_DEVICEMAP);
    Ok(())
}

pub(crate) unsafe fn host_unregister(pointer: *mut c_void) -> CallResult {
    let context = current()?;
    let state = context.lock()?;
    if pointer.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let registered = state.starts(pointer as u64, &[HostMemory::Registered]);
    registered.map_err(|_| CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)?;
    if state.shared.opened.contains_key(&(pointer as u64)) {
        return Err(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    }
    let mut state = context.drain(state)?;
    state.host_flags.remove(&(pointer as u64));
    state.device.free(pointer as u64).map_err(code)
}

pub(crate) unsafe fn host_device_pointer(device: *mut CUdeviceptr, host: *mut c_void, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let device = unsafe { out(device)? };
    let context = current()?;
    let state = context.lock()?;
    let allocation = state.device.allocation(host as u64).filter(|found| found.place != HostMemory::Device);
    if flags != 0 || allocation.is_none() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    device.set(host as u64);
    Ok(())
}

pub(crate) unsafe fn host_flags(flags: *mut c_uint, host: *mut c_void) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let flags = unsafe { out(flags)? };
    let context = current()?;
    let state = context.lock()?;
    let allocation = state.device.allocation(host as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    flags.set(*state.host_flags.get(&allocation.base).ok_or(CUDA_ERROR_INVALID_VALUE)?);
    Ok(())
}

pub(crate) unsafe fn allocate_managed(address: *mut CUdeviceptr, bytes: usize, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    let context = current()?;
    let mut state = context.lock()?;
    let global = CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL as u32;
    let host = CUmemAttach_flags_enum::CU_MEM_ATTACH_HOST as u32;
    if flags != global && flags != host {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    address.set(state.allocate(bytes, HostMemory::Unified)?);
    Ok(())
}

/// The device number that stands for the host (`CU_DEVICE_CPU`).
pub(super) const CPU: CUdevice = -1;

impl ContextState {
    /// Checks that all of a range is unified memory.
    pub(super) fn check_unified(&self, address: u64, bytes: usize) -> CallResult {
        if bytes == 0 || self.check_range(address, bytes)?.place != HostMemory::Unified {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }
}

/// Checks that all of a range is unified memory of the current context.
pub(super) fn check_managed(address: u64, bytes: usize) -> CallResult {
    current()?.lock()?.check_unified(address, bytes)
}

/// Checks and remembers a hint about unified memory. Nothing else need be done: both sides share it here.
fn hint(address: u64, bytes: usize, device: CUdevice, change: impl Fn(&mut Advice)) -> CallResult {
    let context = current()?;
    let mut state = context.lock()?;
    if device != CPU && device != 0 {
        return Err(CUDA_ERROR_INVALID_DEVICE);
    }
    state.check_unified(address, bytes)?;
    state.advice.change(address, bytes as u64, change);
    Ok(())
}

fn location_of(device: CUdevice) -> CUmemLocation {
    match device {
        CPU => CUmemLocation { kind: CU_MEM_LOCATION_TYPE_HOST, id: 0 },
        id => CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id },
    }
}

pub(crate) unsafe fn prefetch(address: CUdeviceptr, bytes: usize, device: CUdevice, stream: CUstream) -> CallResult {
    // SAFETY: an address, which is looked up.
    unsafe { prefetch_to(address, bytes, location_of(device), 0, stream) }
}

pub(crate) unsafe fn advise(address: CUdeviceptr, bytes: usize, advice: c_uint, device: CUdevice) -> CallResult {
    // SAFETY: an address, which is looked up.
    unsafe { advise_at(address, bytes, advice, location_of(device)) }
}

impl CUmemLocation {
    /// The device number, or [`CPU`] for any place of the host's.
    fn device(&self) -> CallResult<CUdevice> {
        match self.kind {
            CU_MEM_LOCATION_TYPE_DEVICE => Ok(self.id),
            CU_MEM_LOCATION_TYPE_HOST..=CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => Ok(CPU),
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }

    /// The place, as it is told later: the host has the number -1, its NUMA nodes their own.
    fn advised(&self) -> AdvisedPlace {
        let id = if self.kind == CU_MEM_LOCATION_TYPE_HOST { CPU } else { self.id };
        AdvisedPlace { kind: self.kind, id }
    }
}

pub(crate) unsafe fn prefetch_to(
    address: CUdeviceptr,
    bytes: usize,
    location: CUmemLocation,
    flags: c_uint,
    stream: CUstream,
) -> CallResult {
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    stream_handle::resolve_here(stream)?;
    hint(address, bytes, location.device()?, |advice| advice.prefetched_to = Some(location.advised()))
}

/// Checks a hint. Memory that is mostly read, or has no preferred location, is so without regard to a location.
pub(crate) unsafe fn advise_at(
    address: CUdeviceptr,
    bytes: usize,
    advice: c_uint,
    location: CUmemLocation,
) -> CallResult {
    let by = |device: CUdevice| usize::from(device == CPU);
    match advice {
        1 | 2 => hint(address, bytes, CPU, |known| known.is_read_mostly = advice == 1),
        3 => hint(address, bytes, location.device()?, |known| known.preferred = Some(location.advised())),
        4 => hint(address, bytes, CPU, |known| known.preferred = None),
        5 | 6 => {
            let device = location.device()?;
            hint(address, bytes, device, |known| known.accessed_by[by(device)] = advice == 5)
        }
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

/// Length 0 means the whole allocation.
pub(crate) unsafe fn stream_attach(stream: CUstream, address: CUdeviceptr, bytes: usize, flags: c_uint) -> CallResult {
    stream_handle::resolve_here(stream)?;
    if !matches!(flags, 1 | 2 | 4) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    check_managed(address, bytes.max(1))
}
