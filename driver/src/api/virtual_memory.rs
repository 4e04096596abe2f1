//! Virtual memory management and memory shared between processes (CUDA Driver API).

use crate::emulated::calls::{ipc, virtual_memory};
use cust_raw::*;
use std::ffi::{c_uint, c_ulonglong, c_void};

table! {
    cuIpcGetEventHandle(handle: *mut CUipcEventHandle, event: CUevent) => ipc::event_handle_of;
    cuIpcOpenEventHandle(event: *mut CUevent, handle: CUipcEventHandle) => ipc::open_event;
    cuIpcGetMemHandle(handle: *mut CUipcMemHandle, dptr: CUdeviceptr) => ipc::memory_handle_of;
    cuIpcOpenMemHandle_v2(pdptr: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint) => ipc::open_memory;
    cuIpcCloseMemHandle(dptr: CUdeviceptr) => ipc::close_memory;
    cuMemAddressReserve(
        ptr: *mut CUdeviceptr,
        size: usize,
        alignment: usize,
        addr: CUdeviceptr,
        flags: c_ulonglong,
    ) => virtual_memory::reserve;
    cuMemAddressFree(ptr: CUdeviceptr, size: usize) => virtual_memory::free_reserved;
    cuMemCreate(
        handle: *mut CUmemGenericAllocationHandle,
        size: usize,
        prop: *const CUmemAllocationProp,
        flags: c_ulonglong,
    ) => virtual_memory::create;
    cuMemRelease(handle: CUmemGenericAllocationHandle) => virtual_memory::release;
    cuMemMap(
        ptr: CUdeviceptr,
        size: usize,
        offset: usize,
        handle: CUmemGenericAllocationHandle,
        flags: c_ulonglong,
    ) => virtual_memory::map;
    cuMemUnmap(ptr: CUdeviceptr, size: usize) => virtual_memory::unmap;
    cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: *const CUmemAccessDesc, count: usize) =>
        virtual_memory::set_access;
    cuMemGetAccess(flags: *mut c_ulonglong, location: *const CUmemLocation, ptr: CUdeviceptr) => virtual_memory::access;
    cuMemGetAllocationGranularity(
        granularity: *mut usize,
        prop: *const CUmemAllocationProp,
        option: CUmemAllocationGranularity_flags,
    ) => virtual_memory::granularity;
    cuMemGetAllocationPropertiesFromHandle(
        prop: *mut CUmemAllocationProp,
        handle: CUmemGenericAllocationHandle,
    ) => virtual_memory::properties;
    cuMemRetainAllocationHandle(handle: *mut CUmemGenericAllocationHandle, addr: *mut c_void) => virtual_memory::retain;
}
