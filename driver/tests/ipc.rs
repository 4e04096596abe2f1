//! Handles for other processes, and what is none (errors as on an H200). That another process can use them is tested
//! with `gpu-check` (`two_processes.cu`).

use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;

// With a number for the kind of handle, which may be none that `cust_raw` knows.
unsafe extern "C" {
    fn cuMemPoolExportToShareableHandle(handle: *mut c_void, pool: CUmemoryPool, kind: c_uint, flags: u64) -> CUresult;
    fn cuMemPoolImportFromShareableHandle(
        pool: *mut CUmemoryPool,
        handle: *mut c_void,
        kind: c_uint,
        flags: u64,
    ) -> CUresult;
}

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

/// The pool and the pointer that lead to shared memory, in the process that shares it: it gets another pool and another
/// address (seen on an H200).
#[test]
fn an_allocation_of_a_pool_is_shared() {
    const DESCRIPTOR: u32 = 1;
    let _context = own_context();
    // Memory of kind 1 (pinned), with these kinds of handle, at a location of this kind.
    let create = |kinds: u32, location: u32| {
        let properties: Vec<u32> = [1, kinds, location, 0].into_iter().chain([0; 18]).collect();
        let mut pool = null_mut();
        // SAFETY: an out-pointer, and properties of the API's layout.
        (unsafe { cuMemPoolCreate(&mut pool, properties.as_ptr().cast()) }, pool)
    };
    let export = |pool, kind, flags| {
        let mut file = -1i32;
        // SAFETY: an out-pointer to a local.
        (unsafe { cuMemPoolExportToShareableHandle((&raw mut file).cast(), pool, kind, flags) }, file)
    };
    let import = |file: i32, kind, flags| {
        let mut pool = null_mut();
        // SAFETY: an out-pointer to a local; the number of a file.
        (unsafe { cuMemPoolImportFromShareableHandle(&mut pool, file as usize as *mut _, kind, flags) }, pool)
    };
    let allocate = |pool| {
        let mut address = 0;
        // SAFETY: an out-pointer to a local.
        (unsafe { cuMemAllocFromPoolAsync(&mut address, 256, pool, null_mut()) }, address)
    };
    let (_, plain) = create(0, 1);
    let (code, pool) = create(DESCRIPTOR, 1);
    assert_eq!(code, CUDA_SUCCESS);
    // The host's memory has descriptors where its NUMA node (3) is told.
    assert_eq!([create(2, 1).0, create(DESCRIPTOR, 2).0], [CUDA_ERROR_INVALID_VALUE; 2]);
    for (pool, kind, flags) in [(plain, DESCRIPTOR, 0), (pool, 0, 0), (pool, DESCRIPTOR, 1)] {
        assert_eq!(export(pool, kind, flags).0, CUDA_ERROR_INVALID_VALUE);
    }
    let (code, file) = export(pool, DESCRIPTOR, 0);
    assert_eq!(code, CUDA_SUCCESS);
    assert_eq!(import(-1, DESCRIPTOR, 0).0, CUDA_ERROR_UNKNOWN);
    let not_a_pool = std::fs::File::open("/dev/null").expect("it is there");
    assert_eq!(import(std::os::fd::AsRawFd::as_raw_fd(&not_a_pool), DESCRIPTOR, 0).0, CUDA_ERROR_UNKNOWN);
    assert_eq!([import(file, 0, 0).0, import(file, DESCRIPTOR, 1).0], [CUDA_ERROR_INVALID_VALUE; 2]);
    let (code, imported) = import(file, DESCRIPTOR, 0);
    assert_eq!((code, import(file, DESCRIPTOR, 0)), (CUDA_SUCCESS, (CUDA_SUCCESS, imported)));
    assert_ne!(imported, pool);
    assert_eq!(allocate(imported).0, CUDA_ERROR_INVALID_VALUE);
    assert_eq!(export(imported, DESCRIPTOR, 0).0, CUDA_ERROR_INVALID_VALUE);
    let (mut address, of_plain) = (allocate(pool).1, allocate(plain).1);
    let (mut data, mut found) = (CUmemPoolPtrExportData::default(), 0u32);
    let (mut opened, mut again) = (0, 0);
    // SAFETY: out-pointers to locals; addresses and handles are looked up.
    unsafe {
        assert_eq!(cuDeviceSetMemPool(0, imported), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemsetD32_v2(address, 5, 64), CUDA_SUCCESS);
        for wrong in [of_plain, address + 4, 0] {
            assert_eq!(cuMemPoolExportPointer(&mut data, wrong), CUDA_ERROR_INVALID_VALUE);
        }
        assert_eq!(cuMemPoolImportPointer(&mut opened, imported, &mut data), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemPoolExportPointer(&mut data, address), CUDA_SUCCESS);
        for wrong in [pool, plain] {
            assert_eq!(cuMemPoolImportPointer(&mut opened, wrong, &mut data), CUDA_ERROR_INVALID_VALUE);
        }
        assert_eq!(cuMemPoolImportPointer(&mut opened, imported, &mut data), CUDA_SUCCESS);
        assert_eq!(cuMemPoolImportPointer(&mut again, imported, &mut data), CUDA_SUCCESS);
        assert!(again == opened && opened != address);
        assert_eq!(cuMemsetD32_v2(opened, 6, 1), CUDA_SUCCESS);
        assert_eq!(cuMemcpyDtoH_v2((&raw mut found).cast(), address, 4), CUDA_SUCCESS);
        assert_eq!(found, 6);
        assert_eq!(cuMemPoolExportPointer(&mut data, opened), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuIpcCloseMemHandle(opened), CUDA_ERROR_INVALID_VALUE);
        // Exporting the pointer again does not undo concurrent writes of another process.
        let (other, is_done) = (opened as usize, std::sync::atomic::AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..100_000u32 {
                    (other as *mut u32).add(round as usize % 64).write_volatile(round);
                }
                is_done.store(true, std::sync::atomic::Ordering::Release);
            });
            while !is_done.load(std::sync::atomic::Ordering::Acquire) {
                assert_eq!(cuMemPoolExportPointer(&mut data, address), CUDA_SUCCESS);
            }
        });
        let mut written = [0u32; 64];
        assert_eq!(cuMemcpyDtoH_v2(written.as_mut_ptr().cast(), address, 256), CUDA_SUCCESS);
        written.sort_unstable();
        assert!(written.iter().copied().eq(100_000 - 64..100_000));
        // Its own allocation may go first.
        assert_eq!(cuMemFreeAsync(address, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuMemPoolDestroy(imported), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemFreeAsync(opened, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        assert_eq!(cuMemFreeAsync(opened, null_mut()), CUDA_ERROR_INVALID_VALUE);
        // It was imported twice.
        let destroyed = [0; 3].map(|_| cuMemPoolDestroy(imported));
        assert_eq!(destroyed, [CUDA_SUCCESS, CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE]);
        // The data of memory that is gone leads nowhere, also if there is other memory of this size since.
        let (file_again, gone) = (export(pool, DESCRIPTOR, 0).1, data);
        let next = allocate(pool).1;
        assert_eq!(cuMemPoolExportPointer(&mut data, next), CUDA_SUCCESS);
        let imported = import(file_again, DESCRIPTOR, 0).1;
        let mut gone = gone;
        assert_eq!(cuMemPoolImportPointer(&mut opened, imported, &mut gone), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemPoolImportPointer(&mut opened, imported, &mut data), CUDA_SUCCESS);
        // Memory of the host is the same for both sides, and lies where it lies.
        let (code, of_host) = create(DESCRIPTOR, 3);
        address = allocate(of_host).1;
        assert_eq!((code, cuCtxSynchronize()), (CUDA_SUCCESS, CUDA_SUCCESS));
        (address as *mut u32).write_volatile(7);
        let imported = import(export(of_host, DESCRIPTOR, 0).1, DESCRIPTOR, 0).1;
        assert_eq!(cuMemPoolExportPointer(&mut data, address), CUDA_SUCCESS);
        assert_eq!(cuMemPoolImportPointer(&mut opened, imported, &mut data), CUDA_SUCCESS);
        assert_eq!((opened as *const u32).read_volatile(), 7);
        assert_eq!([cuMemFree_v2(opened), cuMemFree_v2(address)], [CUDA_SUCCESS; 2]);
        libc::close(file);
    }
}
