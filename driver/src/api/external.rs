//! External memory and semaphores (CUDA Driver API).

use cust_raw::*;
use std::ffi::{c_int, c_uint, c_void};

table! {
    cuDeviceGetNvSciSyncAttributes(nv_sci_sync_attr_list: *mut c_void, dev: CUdevice, flags: c_int) => unsupported;
    cuFlushGPUDirectRDMAWrites(
        target: CUflushGPUDirectRDMAWritesTarget,
        scope: CUflushGPUDirectRDMAWritesScope,
    ) => unsupported;
    cuImportExternalMemory(
        ext_mem_out: *mut CUexternalMemory,
        mem_handle_desc: *const CUDA_EXTERNAL_MEMORY_HANDLE_DESC,
    ) => unsupported;
    cuExternalMemoryGetMappedBuffer(
        dev_ptr: *mut CUdeviceptr,
        ext_mem: CUexternalMemory,
        buffer_desc: *const CUDA_EXTERNAL_MEMORY_BUFFER_DESC,
    ) => unsupported;
    cuExternalMemoryGetMappedMipmappedArray(
        mipmap: *mut CUmipmappedArray,
        ext_mem: CUexternalMemory,
        mipmap_desc: *const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC,
    ) => unsupported;
    cuDestroyExternalMemory(ext_mem: CUexternalMemory) => unsupported;
    cuImportExternalSemaphore(
        ext_sem_out: *mut CUexternalSemaphore,
        sem_handle_desc: *const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC,
    ) => unsupported;
    cuSignalExternalSemaphoresAsync(
        ext_sem_array: *const CUexternalSemaphore,
        params_array: *const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
        num_ext_sems: c_uint,
        stream: CUstream,
    ) => unsupported;
    cuWaitExternalSemaphoresAsync(
        ext_sem_array: *const CUexternalSemaphore,
        params_array: *const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
        num_ext_sems: c_uint,
        stream: CUstream,
    ) => unsupported;
    cuDestroyExternalSemaphore(ext_sem: CUexternalSemaphore) => unsupported;
}
