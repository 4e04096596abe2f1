//! Handles for other processes, and what is none (errors as on an H200). That another process can use them is tested
//! with `gpu-check` (`two_processes.cu`).

use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ptr::null_mut;

#[test]
fn what_cannot_be_shared_has_no_handle() {
    let _context = own_context();
    let (mut device, mut pooled, mut managed) = (0, 0, 0);
    let mut handle = CUipcMemHandle::default();
    let (mut opened, mut event, mut plain) = (0, null_mut(), null_mut());
    let mut event_handle = CUipcEventHandle::default();
    // SAFETY: out-pointers to locals.
    unsafe {
        assert_eq!(cuMemAlloc_v2(&mut device, 1024), CUDA_SUCCESS);
        assert_eq!(cuMemAllocAsync(&mut pooled, 1024, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuMemAllocManaged(&mut managed, 1024, 1), CUDA_SUCCESS);
        assert_eq!(cuIpcGetMemHandle(&mut handle, pooled), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuIpcGetMemHandle(&mut handle, managed), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuIpcOpenMemHandle_v2(&mut opened, handle, 1), CUDA_ERROR_INVALID_VALUE);
        // A handle is of all of an allocation.
        assert_eq!(cuIpcGetMemHandle(&mut handle, device + 100), CUDA_SUCCESS);
        assert_eq!(cuIpcOpenMemHandle_v2(&mut opened, handle, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuIpcOpenMemHandle_v2(&mut opened, handle, 1), CUDA_ERROR_INVALID_CONTEXT);
        assert_eq!(cuIpcCloseMemHandle(device), CUDA_ERROR_INVALID_VALUE);

        assert_eq!(cuEventCreate(&mut plain, 2), CUDA_SUCCESS);
        assert_eq!(cuIpcGetEventHandle(&mut event_handle, plain), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuIpcOpenEventHandle(&mut event, event_handle), CUDA_ERROR_MAP_FAILED);
        assert_eq!(cuEventCreate(&mut event, 6), CUDA_SUCCESS);
        assert_eq!(cuIpcGetEventHandle(&mut event_handle, event), CUDA_SUCCESS);
        assert_eq!(cuIpcOpenEventHandle(&mut event, event_handle), CUDA_ERROR_INVALID_CONTEXT);
    }
}

/// Memory has what it held before its handle was taken, at the same address.
#[test]
fn an_allocation_that_is_shared_stays_where_it_is() {
    let _context = own_context();
    let (mut address, mut handle, mut found) = (0, CUipcMemHandle::default(), [0u32; 300]);
    let held: Vec<u32> = (0..300).collect();
    // SAFETY: out-pointers to locals, and copies of as many bytes.
    unsafe {
        assert_eq!(cuMemAlloc_v2(&mut address, 1200), CUDA_SUCCESS);
        assert_eq!(cuMemcpyHtoD_v2(address, held.as_ptr().cast(), 1200), CUDA_SUCCESS);
        assert_eq!(cuIpcGetMemHandle(&mut handle, address), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32_v2(address + 4, 7, 1), CUDA_SUCCESS);
        assert_eq!(cuIpcGetMemHandle(&mut handle, address), CUDA_SUCCESS);
        assert_eq!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), address, 1200), CUDA_SUCCESS);
        assert_eq!(cuMemFree_v2(address), CUDA_SUCCESS);
        assert_eq!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), address, 4), CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!((found[0], found[1], found[299]), (0, 7, 299));
}
