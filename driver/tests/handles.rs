//! Handles that are null, stale, foreign or made up, and pointers that are null: an error code, never a crash.

use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ptr::{null, null_mut};

/// Handles that never were any: small, odd, huge, an address of ours.
fn garbage<T>() -> Vec<*mut T> {
    let local = Box::leak(Box::new(0u64)) as *mut u64;
    [3usize, 0xdead_beef, usize::MAX, local as usize].map(|value| value as *mut T).to_vec()
}

#[test]
fn streams() {
    let _context = own_context();
    // SAFETY: handles are looked up, never followed; out-pointers are local or null.
    unsafe {
        let mut flags = 0;
        for stream in garbage() {
            assert_eq!(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuStreamGetFlags(stream, &mut flags), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuStreamWaitEvent(stream, null_mut(), 0), CUDA_ERROR_INVALID_HANDLE);
        }
        assert_eq!(cuStreamCreate(null_mut(), 0), CUDA_ERROR_INVALID_VALUE);
        let mut stream = null_mut();
        assert_eq!(cuStreamCreate(&mut stream, 2), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuStreamCreate(&mut stream, 1), CUDA_SUCCESS);
        assert_eq!(cuStreamGetFlags(stream, null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuStreamGetFlags(stream, &mut flags), CUDA_SUCCESS);
        assert_eq!(flags, 1);
        assert_eq!(cuEventSynchronize(stream.cast()), CUDA_ERROR_INVALID_HANDLE, "a stream is no event");
        assert_eq!(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
        assert_eq!(cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE, "stale");
        for default in [0usize, 1, 2] {
            assert_eq!(cuStreamSynchronize(default as CUstream), CUDA_SUCCESS);
            assert_eq!(cuStreamDestroy_v2(default as CUstream), CUDA_ERROR_INVALID_HANDLE);
        }
    }
}

#[test]
fn events() {
    let _context = own_context();
    // SAFETY: as above.
    unsafe {
        let (mut event, mut time) = (null_mut(), 0.0);
        for bad in garbage().into_iter().chain([null_mut()]) {
            assert_eq!(cuEventRecord(bad, null_mut()), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuEventQuery(bad), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuEventSynchronize(bad), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuEventDestroy_v2(bad), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuEventElapsedTime(&mut time, bad, bad), CUDA_ERROR_INVALID_HANDLE);
        }
        assert_eq!(cuEventCreate(&mut event, 64), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuEventCreate(&mut event, 4), CUDA_ERROR_INVALID_VALUE, "interprocess needs no timing");
        assert_eq!(cuEventCreate(null_mut(), 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuEventCreate(&mut event, 0), CUDA_SUCCESS);
        assert_eq!(cuEventQuery(event), CUDA_SUCCESS, "never recorded counts as complete");
        assert_eq!(cuEventSynchronize(event), CUDA_SUCCESS);
        assert_eq!(cuEventElapsedTime(null_mut(), event, event), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuEventDestroy_v2(event), CUDA_SUCCESS);
        assert_eq!(cuEventDestroy_v2(event), CUDA_ERROR_INVALID_HANDLE);
    }
}

#[test]
fn modules_functions_and_links() {
    let _context = own_context();
    // SAFETY: as above; names are NUL-terminated.
    unsafe {
        let (mut module, mut function, mut link) = (null_mut(), null_mut(), null_mut());
        let (mut address, mut bytes, mut value) = (0, 0, 0);
        for bad in garbage().into_iter().chain([null_mut()]) {
            let name = c"kernel".as_ptr();
            assert_eq!(cuModuleUnload(bad), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuModuleGetFunction(&mut function, bad, name), CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuModuleGetGlobal_v2(&mut address, &mut bytes, bad, name), CUDA_ERROR_INVALID_HANDLE);
            let attribute = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS;
            assert_eq!(cuFuncGetAttribute(&mut value, attribute, bad.cast()), CUDA_ERROR_INVALID_HANDLE);
            let launched = cuLaunchKernel(bad.cast(), 1, 1, 1, 1, 1, 1, 0, null_mut(), null_mut(), null_mut());
            assert_eq!(launched, CUDA_ERROR_INVALID_HANDLE);
            let occupied = cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut value, bad.cast(), 32, 0);
            assert_eq!(occupied, CUDA_ERROR_INVALID_HANDLE);
            assert_eq!(cuLinkDestroy(bad.cast()), CUDA_ERROR_INVALID_HANDLE);
        }
        assert_eq!(cuModuleLoadData(&mut module, null()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuModuleLoadData(null_mut(), c"".as_ptr().cast()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuModuleLoad(&mut module, c"/no/such/file.ptx".as_ptr()), CUDA_ERROR_FILE_NOT_FOUND);
        assert_eq!(cuModuleLoad(&mut module, null()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuModuleLoadData(&mut module, c"\x7fELF".as_ptr().cast()), CUDA_ERROR_NO_BINARY_FOR_GPU);
        assert_eq!(cuLinkCreate_v2(0, null_mut(), null_mut(), null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link), CUDA_SUCCESS);
        let mut image = null_mut();
        assert_eq!(cuLinkComplete(link, &mut image, &mut bytes), CUDA_ERROR_INVALID_VALUE, "nothing was added");
        assert_eq!(cuLinkDestroy(link), CUDA_SUCCESS);
        assert_eq!(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);
    }
}

#[test]
fn contexts() {
    let _context = own_context();
    // SAFETY: as above.
    unsafe {
        let (mut current, mut made, mut version) = (null_mut(), null_mut(), 0);
        assert_eq!(cuCtxGetCurrent(&mut current), CUDA_SUCCESS);
        for bad in garbage() {
            assert_eq!(cuCtxSetCurrent(bad), CUDA_ERROR_INVALID_CONTEXT);
            assert_eq!(cuCtxPushCurrent_v2(bad), CUDA_ERROR_INVALID_CONTEXT);
            assert_eq!(cuCtxDestroy_v2(bad), CUDA_ERROR_INVALID_CONTEXT);
            assert_eq!(cuCtxGetApiVersion(bad, &mut version), CUDA_ERROR_INVALID_CONTEXT);
        }
        assert_eq!(cuCtxEnablePeerAccess(current, 0), CUDA_ERROR_INVALID_CONTEXT, "a context is no peer of itself");
        assert_eq!(cuCtxEnablePeerAccess(current, 1), CUDA_ERROR_INVALID_VALUE, "there are no flags");
        assert_eq!(cuCtxCreate_v2(&mut made, 0, 7), CUDA_ERROR_INVALID_DEVICE);
        assert_eq!(cuCtxCreate_v2(&mut made, 0xffff, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuCtxCreate_v2(&mut made, 3, 0), CUDA_ERROR_INVALID_VALUE, "two ways of scheduling");
        assert_eq!(cuCtxCreate_v2(null_mut(), 0, 0), CUDA_ERROR_INVALID_VALUE);

        // Destroyed by one thread while current to another.
        assert_eq!(cuCtxCreate_v2(&mut made, 0, 0), CUDA_SUCCESS);
        let shared = made as usize;
        std::thread::scope(|scope| {
            let other = scope.spawn(move || cuCtxDestroy_v2(shared as CUcontext));
            assert_eq!(other.join().unwrap(), CUDA_SUCCESS);
        });
        assert_eq!(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        assert_eq!(cuCtxPopCurrent_v2(&mut made), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS, "the one below is untouched");

        assert_eq!(cuCtxSetCurrent(null_mut()), CUDA_SUCCESS);
        let mut address = 0;
        assert_eq!(cuMemAlloc_v2(&mut address, 8), CUDA_ERROR_INVALID_CONTEXT, "none is current");
        assert_eq!(cuCtxPopCurrent_v2(&mut made), CUDA_ERROR_INVALID_CONTEXT);
        assert_eq!(cuCtxPushCurrent_v2(current), CUDA_SUCCESS);
    }
}

#[test]
fn handles_of_a_destroyed_context_are_stale() {
    crate::support::emulator();
    // SAFETY: as above.
    unsafe {
        let (mut context, mut stream, mut event) = (null_mut(), null_mut(), null_mut());
        assert_eq!(cuCtxCreate_v2(&mut context, 0, 0), CUDA_SUCCESS);
        assert_eq!(cuStreamCreate(&mut stream, 0), CUDA_SUCCESS);
        assert_eq!(cuEventCreate(&mut event, 0), CUDA_SUCCESS);
        assert_eq!(cuCtxDestroy_v2(context), CUDA_SUCCESS);
        let _other = own_context();
        assert_eq!(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuCtxDestroy_v2(context), CUDA_ERROR_INVALID_CONTEXT);
    }
}

#[test]
fn a_stream_of_another_context_is_refused() {
    // SAFETY: as above.
    unsafe {
        let _first = own_context();
        let (mut stream, mut address, mut event) = (null_mut(), 0, null_mut());
        assert_eq!(cuStreamCreate(&mut stream, 0), CUDA_SUCCESS);
        let _second = own_context();
        assert_eq!(cuMemAlloc_v2(&mut address, 64), CUDA_SUCCESS);
        assert_eq!(cuMemsetD8Async(address, 0, 64, stream), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuEventCreate(&mut event, 0), CUDA_SUCCESS);
        assert_eq!(cuEventRecord(event, stream), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS, "waiting works from anywhere");
    }
}

#[test]
fn addresses() {
    let _context = own_context();
    let mut host = [0u8; 64];
    // SAFETY: host memory is as large as said; bad addresses are refused.
    unsafe {
        let mut address = 0;
        let here = host.as_mut_ptr().cast();
        assert_eq!(cuMemAlloc_v2(null_mut(), 64), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemAlloc_v2(&mut address, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemAlloc_v2(&mut address, 64), CUDA_SUCCESS);
        assert!(address >= 1 << 48, "no host address");
        for bad in [8, 0xdead_beef, u64::MAX, address + 1_000_000] {
            assert_eq!(cuMemcpyDtoH_v2(here, bad, 8), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(cuMemcpyHtoD_v2(bad, here, 8), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(cuMemcpyDtoD_v2(bad, address, 8), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(cuMemsetD32_v2(bad, 0, 1), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(cuMemFree_v2(bad), CUDA_ERROR_INVALID_VALUE);
        }
        assert_eq!(cuMemcpyDtoH_v2(here, address, 65), CUDA_ERROR_INVALID_VALUE, "past the end");
        assert_eq!(cuMemcpyDtoH_v2(here, address + 60, 8), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemcpyDtoH_v2(here, u64::MAX - 3, 8), CUDA_ERROR_INVALID_VALUE, "wraps around");
        assert_eq!(cuMemcpyDtoH_v2(null_mut(), address, 8), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemcpyDtoH_v2(address as _, address, 8), CUDA_ERROR_INVALID_VALUE, "not host memory");
        assert_eq!(cuMemcpyHtoD_v2(address, address as _, 8), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemcpyDtoH_v2(here, address, 0), CUDA_SUCCESS, "nothing to do");
        assert_eq!(cuMemsetD32_v2(address + 2, 0, 1), CUDA_ERROR_INVALID_VALUE, "misaligned");
        assert_eq!(cuMemsetD16_v2(address + 1, 0, 1), CUDA_ERROR_INVALID_VALUE, "misaligned");
        assert_eq!(cuMemFree_v2(address + 8), CUDA_ERROR_INVALID_VALUE, "not its start");
        assert_eq!(cuMemFreeHost(address as _), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemFree_v2(address), CUDA_SUCCESS);
        assert_eq!(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE, "freed already");
        assert_eq!(cuMemcpyDtoH_v2(here, address, 8), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemcpy(here as u64, address, 8), CUDA_ERROR_INVALID_VALUE, "stale, and no host address");
        assert_eq!(cuMemFree_v2(0), CUDA_SUCCESS);
    }
}

#[test]
fn page_locked_memory() {
    let _context = own_context();
    let mut own = vec![0u8; 4096];
    // SAFETY: `own` outlives its registration.
    unsafe {
        let (mut pointer, mut flags, mut device) = (null_mut(), 0, 0);
        assert_eq!(cuMemHostAlloc(&mut pointer, 64, 1 << 9), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemHostAlloc(&mut pointer, 64, CU_MEMHOSTALLOC_PORTABLE), CUDA_SUCCESS);
        assert_eq!(cuMemHostGetFlags(&mut flags, pointer), CUDA_SUCCESS);
        assert_eq!(flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
        assert_eq!(cuMemHostGetDevicePointer_v2(&mut device, pointer, 0), CUDA_SUCCESS);
        assert_eq!(device, pointer as u64, "one address for both sides");
        assert_eq!(cuMemFree_v2(pointer as u64), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemFreeHost(pointer), CUDA_SUCCESS);
        assert_eq!(cuMemFreeHost(pointer), CUDA_ERROR_INVALID_VALUE);

        let own = own.as_mut_ptr().cast();
        assert_eq!(cuMemHostUnregister(own), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
        assert_eq!(cuMemHostRegister_v2(null_mut(), 8, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemHostRegister_v2(own, 4096, 0), CUDA_SUCCESS);
        assert_eq!(cuMemHostRegister_v2(own, 4096, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        assert_eq!(cuMemHostUnregister(own), CUDA_SUCCESS);
        assert_eq!(cuMemHostUnregister(own), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    }
}

#[test]
fn what_is_known_about_a_pointer() {
    let _context = own_context();
    // SAFETY: places fit their attributes.
    unsafe {
        use CUpointer_attribute_enum::*;
        let (mut address, mut base, mut size, mut kind) = (0, 0, 0, 0i32);
        assert_eq!(cuMemAlloc_v2(&mut address, 100), CUDA_SUCCESS);
        assert_eq!(cuMemGetAddressRange_v2(&mut base, &mut size, address + 50), CUDA_SUCCESS);
        assert_eq!((base, size), (address, 100));
        let data = (&raw mut kind).cast();
        assert_eq!(cuPointerGetAttribute(data, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address), CUDA_SUCCESS);
        assert_eq!(kind, CUmemorytype_enum::CU_MEMORYTYPE_DEVICE as i32);
        assert_eq!(cuPointerGetAttribute(data, CU_POINTER_ATTRIBUTE_IS_MANAGED, address), CUDA_SUCCESS);
        assert_eq!(kind, 0);
        let mut owner: CUcontext = null_mut();
        let data = (&raw mut owner).cast();
        assert_eq!(cuPointerGetAttribute(data, CU_POINTER_ATTRIBUTE_CONTEXT, address), CUDA_SUCCESS);
        let mut current = null_mut();
        assert_eq!(cuCtxGetCurrent(&mut current), CUDA_SUCCESS);
        assert_eq!(owner, current);
        assert_eq!(cuPointerGetAttribute(data, CU_POINTER_ATTRIBUTE_HOST_POINTER, address), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuPointerGetAttribute(data, CU_POINTER_ATTRIBUTE_CONTEXT, 12345), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuPointerGetAttribute(null_mut(), CU_POINTER_ATTRIBUTE_CONTEXT, address), CUDA_ERROR_INVALID_VALUE);
    }
}

#[test]
fn graphs() {
    let _context = own_context();
    // SAFETY: as above.
    unsafe {
        let (mut graph, mut nodes, mut count) = (null_mut(), [null_mut(); 3], 3);
        for bad in garbage().into_iter().chain([null_mut()]) {
            assert_eq!(cuGraphDestroy(bad), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(cuGraphLaunch(bad.cast(), null_mut()), CUDA_ERROR_INVALID_VALUE);
            assert_eq!(cuGraphDestroyNode(bad.cast()), CUDA_ERROR_INVALID_VALUE);
        }
        assert_eq!(cuGraphCreate(&mut graph, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphCreate(&mut graph, 0), CUDA_SUCCESS);
        assert_eq!(cuGraphAddEmptyNode(&mut nodes[0], graph, null(), 0), CUDA_SUCCESS);
        let (first, twice) = (nodes[0], [nodes[0]; 2]);
        assert_eq!(cuGraphAddEmptyNode(&mut nodes[1], graph, &first, 1), CUDA_SUCCESS);
        assert_eq!(cuGraphAddEmptyNode(&mut nodes[2], graph, twice.as_ptr(), 2), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphAddEmptyNode(&mut nodes[2], graph, null(), 1), CUDA_ERROR_INVALID_VALUE);

        let mut listed = [null_mut(); 3];
        assert_eq!(cuGraphGetNodes(graph, listed.as_mut_ptr(), &mut count), CUDA_SUCCESS);
        assert_eq!((listed, count), ([nodes[0], nodes[1], null_mut()], 2));
        assert_eq!(cuGraphGetEdges(graph, null_mut(), null_mut(), &mut count), CUDA_SUCCESS);
        assert_eq!(count, 1);
        let (mut from, mut to) = (null_mut(), null_mut());
        assert_eq!(cuGraphGetEdges(graph, &mut from, &mut to, &mut count), CUDA_SUCCESS);
        assert_eq!((from, to), (nodes[0], nodes[1]));

        // A cycle cannot be instantiated.
        let mut executable = null_mut();
        assert_eq!(cuGraphInstantiateWithFlags(&mut executable, graph, 0), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuGraphExecDestroy(executable), CUDA_SUCCESS);
        assert_eq!(cuGraphLaunch(executable, null_mut()), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphAddDependencies(graph, &nodes[1], &nodes[0], 1), CUDA_SUCCESS);
        assert_eq!(cuGraphInstantiateWithFlags(&mut executable, graph, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuGraphDestroy(graph), CUDA_SUCCESS);
        assert_eq!(cuGraphDestroyNode(nodes[0]), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
    }
}

#[test]
fn what_is_not_implemented_says_so() {
    let _context = own_context();
    // SAFETY: refused before anything is read.
    unsafe {
        let mut reference = null_mut();
        assert_eq!(cuTexRefCreate(&mut reference), CUDA_ERROR_NOT_SUPPORTED);
    }
}

#[test]
fn every_error_has_a_name_and_a_message() {
    crate::support::emulator();
    // SAFETY: out-pointers are local; the strings are static.
    unsafe {
        let mut text = null();
        assert_eq!(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &mut text), CUDA_SUCCESS);
        assert_eq!(std::ffi::CStr::from_ptr(text), c"CUDA_ERROR_ILLEGAL_ADDRESS");
        assert_eq!(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &mut text), CUDA_SUCCESS);
        assert_eq!(std::ffi::CStr::from_ptr(text), c"an illegal memory access was encountered");
        assert_eq!(cuGetErrorString(CUDA_SUCCESS, null_mut()), CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!(cust::error::CudaError::NoDevice.to_string(), "\"no CUDA-capable device is detected\"");
}
