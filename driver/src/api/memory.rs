//! Memory: allocation, host memory, unified memory, pointers (CUDA Driver API).

use crate::emulated::calls::{memory, pointer};
use cust_raw::*;
use std::ffi::{c_uint, c_void};

table! {
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) => memory::info;
    cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize) => memory::allocate;
    cuMemAllocPitch_v2(
        dptr: *mut CUdeviceptr,
        pitch: *mut usize,
        width_in_bytes: usize,
        height: usize,
        element_size_bytes: c_uint,
    ) => memory::allocate_pitch;
    cuMemFree_v2(dptr: CUdeviceptr) => memory::free;
    cuMemGetAddressRange_v2(pbase: *mut CUdeviceptr, psize: *mut usize, dptr: CUdeviceptr) => pointer::address_range;
    cuMemAllocHost_v2(pp: *mut *mut c_void, bytesize: usize) => memory::allocate_host;
    cuMemFreeHost(p: *mut c_void) => memory::free_host;
    cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, flags: c_uint) => memory::host_allocate;
    cuMemHostGetDevicePointer_v2(
        pdptr: *mut CUdeviceptr,
        p: *mut c_void,
        flags: c_uint,
    ) => memory::host_device_pointer;
    cuMemHostGetFlags(flags: *mut c_uint, p: *mut c_void) => memory::host_flags;
    cuMemAllocManaged(dptr: *mut CUdeviceptr, bytesize: usize, flags: c_uint) => memory::allocate_managed;
    cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, flags: c_uint) => memory::host_register;
    cuMemHostUnregister(p: *mut c_void) => memory::host_unregister;
    cuMemPrefetchAsync(
        dev_ptr: CUdeviceptr,
        count: usize,
        dst_device: CUdevice,
        stream: CUstream,
    ) => memory::prefetch;
}
