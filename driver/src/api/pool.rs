//! Stream-ordered allocation and memory pools (CUDA Driver API).

use crate::emulated::calls::{pool, pool_ipc};
use cust_raw::*;

table! {
    cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) => pool::set_device_pool;
    cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice) => pool::device_pool;
    cuDeviceGetDefaultMemPool(pool_out: *mut CUmemoryPool, dev: CUdevice) => pool::default_pool;
    cuMemFreeAsync(dptr: CUdeviceptr, stream: CUstream) => pool::free_async;
    cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, stream: CUstream) => pool::allocate_async;
    cuMemPoolTrimTo(pool: CUmemoryPool, min_bytes_to_keep: usize) => pool::trim;
    cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) => pool::set_access;
    cuMemPoolGetAccess(
        flags: *mut CUmemAccess_flags,
        mem_pool: CUmemoryPool,
        location: *mut CUmemLocation,
    ) => pool::access;
    cuMemPoolCreate(pool: *mut CUmemoryPool, pool_props: *const CUmemPoolProps) => pool::create;
    cuMemPoolDestroy(pool: CUmemoryPool) => pool::destroy;
    cuMemAllocFromPoolAsync(
        dptr: *mut CUdeviceptr,
        bytesize: usize,
        pool: CUmemoryPool,
        stream: CUstream,
    ) => pool::allocate_from_pool;
    cuMemPoolExportPointer(share_data_out: *mut CUmemPoolPtrExportData, ptr: CUdeviceptr) => pool_ipc::export_pointer;
    cuMemPoolImportPointer(
        ptr_out: *mut CUdeviceptr,
        pool: CUmemoryPool,
        share_data: *mut CUmemPoolPtrExportData,
    ) => pool_ipc::import_pointer;
}
