//! Attributes of addresses (CUDA Driver API, "Unified Addressing").

use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::calls::pool_ipc;
use crate::emulated::context::current::{current, current_or_only};
use crate::emulated::context::state::ContextState;
use cust_raw::CUpointer_attribute_enum::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Allocation, HostMemory};
use std::ffi::{c_int, c_uint, c_void};

/// Either out-pointer may be null.
pub(crate) unsafe fn address_range(base: *mut CUdeviceptr, size: *mut usize, address: CUdeviceptr) -> CallResult {
    let context = current()?;
    let state = context.lock()?;
    let allocation = state.allocation(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if !base.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(base)? }.set(allocation.base);
    }
    if !size.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(size)? }.set(allocation.bytes as usize);
    }
    Ok(())
}

/// The facts about an allocation that its attributes give.
struct AddressFacts {
    allocation: Allocation,
    /// The handle of its pool, or 0.
    pool: u64,
    /// The kinds of handle under which other processes get it.
    handle_kinds: c_uint,
    /// `cuIpcGetMemHandle` may be called for it.
    has_ipc_handle: bool,
}

impl AddressFacts {
    fn of(state: &ContextState, context: u64, allocation: Allocation, address: u64) -> AddressFacts {
        let base = allocation.base;
        // Memory of another process is the device's, though it lies at an address of the host.
        let place = state.shared.opened.get(&base).map_or(allocation.place, |opened| opened.place);
        let (pool, handle_kinds) = pool_ipc::pool_of(state, context, base).unwrap_or_default();
        let physical = state.virtual_memory.physical_at(address);
        AddressFacts {
            allocation: Allocation { place, ..allocation },
            pool,
            handle_kinds: physical.map_or(handle_kinds, |memory| memory.handle_kinds),
            // `cuMemAlloc` has made it: it is neither of a pool nor a mapping.
            has_ipc_handle: pool == 0 && physical.is_none(),
        }
    }
}

/// An attribute's value, each as wide as the API has it.
enum AttributeValue {
    Int(c_int),
    Wide(u64),
}

fn value(owner: u64, facts: &AddressFacts, address: u64, attribute: u32) -> CallResult<AttributeValue> {
    let AddressFacts { allocation, pool, handle_kinds, has_ipc_handle } = facts;
    let on_host = allocation.place != HostMemory::Device;
    let is = |wanted: CUpointer_attribute| attribute == wanted as u32;
    Ok(match () {
        () if is(CU_POINTER_ATTRIBUTE_CONTEXT) => AttributeValue::Wide(owner),
        () if is(CU_POINTER_ATTRIBUTE_MEMORY_TYPE) => AttributeValue::Int(match allocation.place {
            HostMemory::Device | HostMemory::Heap | HostMemory::Unified => {
                CUmemorytype_enum::CU_MEMORYTYPE_DEVICE as c_int
            }
            HostMemory::PageLocked | HostMemory::Registered => CUmemorytype_enum::CU_MEMORYTYPE_HOST as c_int,
        }),
        () if is(CU_POINTER_ATTRIBUTE_DEVICE_POINTER) => AttributeValue::Wide(address),
        () if is(CU_POINTER_ATTRIBUTE_HOST_POINTER) && on_host => AttributeValue::Wide(address),
        // Ids are unique in a process; addresses are never handed out twice.
        () if is(CU_POINTER_ATTRIBUTE_BUFFER_ID) => AttributeValue::Wide(allocation.base),
        () if is(CU_POINTER_ATTRIBUTE_IS_MANAGED) => {
            AttributeValue::Int((allocation.place == HostMemory::Unified).into())
        }
        () if is(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) => AttributeValue::Int(0),
        () if is(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) => AttributeValue::Wide(allocation.base),
        () if is(CU_POINTER_ATTRIBUTE_RANGE_SIZE) => AttributeValue::Wide(allocation.bytes),
        () if is(CU_POINTER_ATTRIBUTE_MAPPED) => AttributeValue::Int(1),
        () if is(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE) => {
            AttributeValue::Int((!on_host && *has_ipc_handle).into())
        }
        () if is(CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE) => AttributeValue::Int(0),
        () if is(CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES) => AttributeValue::Wide((*handle_kinds).into()),
        () if is(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) => AttributeValue::Int(0),
        () if is(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) => AttributeValue::Wide(*pool),
        () => return Err(CUDA_ERROR_INVALID_VALUE),
    })
}

/// # Safety
/// `data` is writable for the attribute's type.
unsafe fn store(data: *mut c_void, value: &AttributeValue) -> CallResult {
    match value {
        // SAFETY: as above.
        AttributeValue::Int(value) => unsafe { out(data.cast::<c_int>())? }.set(*value),
        // SAFETY: as above.
        AttributeValue::Wide(value) => unsafe { out(data.cast::<u64>())? }.set(*value),
    }
    Ok(())
}

pub(crate) unsafe fn attribute(data: *mut c_void, attribute: c_uint, address: CUdeviceptr) -> CallResult {
    let context = current_or_only()?;
    let state = context.lock()?;
    let allocation = state.allocation(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let facts = AddressFacts::of(&state, context.handle, allocation, address);
    let value = value(context.handle, &facts, address, attribute)?;
    // SAFETY: the caller gives a place that fits the attribute.
    unsafe { store(data, &value) }
}

/// Several at once. An address that CUDA does not know is no error here: its attributes read as zero.
pub(crate) unsafe fn attributes(
    count: c_uint,
    attributes: *mut c_uint,
    data: *mut *mut c_void,
    address: CUdeviceptr,
) -> CallResult {
    let context = current_or_only()?;
    let state = context.lock()?;
    if count == 0 || attributes.is_null() || data.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let facts = state.allocation(address).map(|found| AddressFacts::of(&state, context.handle, found, address));
    for index in 0..count as usize {
        // SAFETY: the caller gives `count` of each.
        let (attribute, place) = unsafe { (attributes.add(index).read(), data.add(index).read()) };
        let nothing = Allocation { base: 0, bytes: 0, place: HostMemory::Unified };
        let of_nothing = AddressFacts { allocation: nothing, pool: 0, handle_kinds: 0, has_ipc_handle: false };
        let value = match value(context.handle, facts.as_ref().unwrap_or(&of_nothing), address, attribute)? {
            value if facts.is_some() => value,
            AttributeValue::Int(_) if attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL as u32 => {
                AttributeValue::Int(-2)
            }
            AttributeValue::Int(_) => AttributeValue::Int(0),
            AttributeValue::Wide(_) => AttributeValue::Wide(0),
        };
        // SAFETY: the caller gives a place that fits the attribute.
        unsafe { store(place, &value)? };
    }
    Ok(())
}

/// Only `CU_POINTER_ATTRIBUTE_SYNC_MEMOPS` can be set; there is nothing it would change here.
pub(crate) unsafe fn set_attribute(value: *const c_void, attribute: c_uint, address: CUdeviceptr) -> CallResult {
    let context = current_or_only()?;
    let state = context.lock()?;
    state.allocation(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if value.is_null() || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS as c_uint {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}
