//! Addresses that are reserved, and memory that is mapped there.

use crate::alone::{alone, is_inner};
use crate::support::own_context;
use cust_raw::CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::types::{CUmemAccessDescValues, CUmemAllocationPropValues};
use std::ffi::{c_uint, c_void};
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

const PART: usize = 2 << 20;
const NONE: u32 = 0;
const READ: u32 = 1;
const READWRITE: u32 = 3;

// With a number for the kind of handle, which may be none that `cust_raw` knows.
unsafe extern "C" {
    fn cuMemExportToShareableHandle(
        descriptor: *mut c_void,
        handle: CUmemGenericAllocationHandle,
        kind: c_uint,
        flags: u64,
    ) -> CUresult;
    fn cuMemImportFromShareableHandle(
        handle: *mut CUmemGenericAllocationHandle,
        descriptor: *mut c_void,
        kind: c_uint,
    ) -> CUresult;
}

fn reserve(bytes: usize) -> CUdeviceptr {
    let mut address = 0;
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuMemAddressReserve(&mut address, bytes, 0, 0, 0) }, CUDA_SUCCESS);
    assert_eq!(address as usize % PART, 0);
    address
}

fn create() -> CUmemGenericAllocationHandle {
    let (mut handle, wanted) = (0, CUmemAllocationPropValues::on_device());
    // SAFETY: pointers to locals; the properties are laid out as in C.
    assert_eq!(unsafe { cuMemCreate(&mut handle, PART, (&raw const wanted).cast(), 0) }, CUDA_SUCCESS);
    handle
}

fn set_access(address: CUdeviceptr, bytes: usize, flags: u32) -> CUresult {
    let wanted = CUmemAccessDescValues { location: CUmemAllocationPropValues::on_device().location, flags };
    // SAFETY: a pointer to a local, which is laid out as in C.
    unsafe { cuMemSetAccess(address, bytes, (&raw const wanted).cast(), 1) }
}

fn word(address: CUdeviceptr) -> Result<u32, CUresult> {
    let mut word = 0u32;
    // SAFETY: four bytes.
    match unsafe { cuMemcpyDtoH_v2((&raw mut word).cast(), address, 4) } {
        CUDA_SUCCESS => Ok(word),
        code => Err(code),
    }
}

#[test]
fn memory_keeps_what_it_holds_wherever_it_is_mapped() {
    let _context = own_context();
    let (address, first, second) = (reserve(4 * PART), create(), create());
    let part = |index: usize| address + (index * PART) as u64;
    // SAFETY: addresses and handles, which are looked up.
    unsafe {
        assert_eq!(cuMemMap(part(0), PART, 0, first, 0), CUDA_SUCCESS);
        assert_eq!(word(part(0)), Err(CUDA_ERROR_INVALID_VALUE), "not accessible");
        assert_eq!(set_access(part(0), PART, READWRITE), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32_v2(part(0), 1, PART / 4), CUDA_SUCCESS);
        // The reservation grows, and a fill spans both.
        assert_eq!(cuMemMap(part(1), PART, 0, second, 0), CUDA_SUCCESS);
        assert_eq!(set_access(part(1), PART, READWRITE), CUDA_SUCCESS);
        assert_eq!(word(part(0)), Ok(1));
        assert_eq!(cuMemsetD32_v2(part(1) - 8, 2, 4), CUDA_SUCCESS);
        assert_eq!((word(part(1) - 4), word(part(1) - 12), word(part(1))), (Ok(2), Ok(1), Ok(2)));
        assert_eq!(word(part(2)), Err(CUDA_ERROR_INVALID_VALUE), "not mapped");

        assert_eq!(cuMemUnmap(part(0), PART), CUDA_SUCCESS);
        assert_eq!((word(part(0)), word(part(1))), (Err(CUDA_ERROR_INVALID_VALUE), Ok(2)));
        assert_eq!(cuMemMap(part(3), PART, 0, first, 0), CUDA_SUCCESS);
        assert_eq!(set_access(part(3), PART, READWRITE), CUDA_SUCCESS);
        assert_eq!((word(part(3)), word(part(4) - 4)), (Ok(1), Ok(2)));
        assert_eq!(set_access(part(3), PART, NONE), CUDA_SUCCESS);
        assert_eq!(word(part(3)), Err(CUDA_ERROR_INVALID_VALUE));
    }
}

#[test]
fn what_cannot_be_mapped_is_refused() {
    let _context = own_context();
    let (address, handle) = (reserve(2 * PART), create());
    let (mut bytes, mut flags, mut retained) = (0, 7, 0);
    let mut told = MaybeUninit::<CUmemAllocationPropValues>::zeroed();
    let wanted = CUmemAllocationPropValues::on_device();
    // SAFETY: addresses and handles, which are looked up, and pointers to locals.
    unsafe {
        let supported = CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
        let mut is_supported = 0;
        assert_eq!((cuDeviceGetAttribute(&mut is_supported, supported, 0), is_supported), (CUDA_SUCCESS, 1));
        let minimum = CU_MEM_ALLOC_GRANULARITY_MINIMUM;
        assert_eq!(cuMemGetAllocationGranularity(&mut bytes, (&raw const wanted).cast(), minimum), CUDA_SUCCESS);
        assert_eq!(bytes, PART);
        assert_eq!(cuMemCreate(&mut retained, 100, (&raw const wanted).cast(), 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemMap(address + 512, PART, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemMap(address, PART, 1, handle, 0), CUDA_ERROR_NOT_SUPPORTED, "no part of a handle's memory");
        assert_eq!(cuMemMap(address + 2 * PART as u64, PART, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemMap(address, 2 * PART, 0, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(set_access(address, PART, READWRITE), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemMap(address, PART, 0, handle, 0), CUDA_SUCCESS);
        assert_eq!(cuMemMap(address, PART, 0, create(), 0), CUDA_ERROR_INVALID_VALUE, "mapped already");
        assert_eq!(cuMemMap(address + PART as u64, PART, 0, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(set_access(address, PART, READ), CUDA_ERROR_NOT_SUPPORTED);
        assert_eq!(set_access(address, PART, READWRITE), CUDA_SUCCESS);
        let location = (&raw const wanted.location).cast();
        assert_eq!(cuMemGetAccess(&mut flags, location, address + 100), CUDA_SUCCESS);
        assert_eq!(flags, READWRITE.into());
        assert_eq!(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);

        // The memory lives as long as a handle or a mapping.
        assert_eq!(cuMemRetainAllocationHandle(&mut retained, address as *mut c_void), CUDA_SUCCESS);
        assert_eq!(retained, handle);
        assert_eq!(cuMemRelease(handle), CUDA_SUCCESS);
        assert_eq!(cuMemRelease(handle), CUDA_SUCCESS);
        assert_eq!(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemsetD32_v2(address, 3, 1), CUDA_SUCCESS);
        assert_eq!(word(address), Ok(3));
        let place = told.as_mut_ptr().cast();
        assert_eq!(cuMemGetAllocationPropertiesFromHandle(place, handle), CUDA_SUCCESS);
        assert_eq!(cuMemAddressFree(address, 2 * PART), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemUnmap(address, PART), CUDA_SUCCESS);
        assert_eq!(cuMemGetAllocationPropertiesFromHandle(place, handle), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemAddressFree(address, PART), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemAddressFree(address, 2 * PART), CUDA_SUCCESS);
    }
}

/// 224 reservations of this size take all addresses.
#[test]
fn addresses_can_be_reserved_again() {
    let _context = own_context();
    for _ in 0..500 {
        // SAFETY: an address that was just reserved.
        assert_eq!(unsafe { cuMemAddressFree(reserve(1 << 40), 1 << 40) }, CUDA_SUCCESS);
    }
}

/// 256 MiB in parts of 2 MiB. If each part copied all before it, that would be 32 GiB.
#[test]
fn a_mapping_grows_in_linear_time() {
    let _context = own_context();
    let address = reserve(128 * PART);
    let start = Instant::now();
    for index in 0..128 {
        let part = address + (index * PART) as u64;
        // SAFETY: addresses and handles, which are looked up.
        unsafe {
            assert_eq!(cuMemMap(part, PART, 0, create(), 0), CUDA_SUCCESS);
            assert_eq!(set_access(part, PART, READWRITE), CUDA_SUCCESS);
            assert_eq!(cuMemsetD32_v2(part, index as u32, 2), CUDA_SUCCESS);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let held: Vec<_> = (0..128).map(|index| word(address + (index * PART) as u64 + 4)).collect();
    assert_eq!(held, (0..128).map(Ok).collect::<Vec<_>>());
    let mut far = vec![0u8; 2 * PART];
    // SAFETY: as many bytes as the vector has.
    assert_eq!(unsafe { cuMemcpyDtoH_v2(far.as_mut_ptr().cast(), address + 8, far.len()) }, CUDA_SUCCESS);
    assert_eq!(far[PART - 8], 1, "across the parts");
}

/// Physical memory is taken from the device as soon as it is there, mapped or not.
#[test]
fn memory_that_is_not_mapped_is_in_use() {
    let _context = own_context();
    let wanted = CUmemAllocationPropValues::on_device();
    let (mut free, mut left, mut total, mut address, mut handle) = (0, 0, 0, 0, 0);
    // SAFETY: out-pointers to locals, and properties of the API's layout.
    unsafe {
        assert_eq!(cuMemGetInfo_v2(&mut free, &mut total), CUDA_SUCCESS);
        let bytes = (free / PART - 4) * PART;
        assert_eq!(cuMemCreate(&mut handle, bytes, (&raw const wanted).cast(), 0), CUDA_SUCCESS);
        assert_eq!(cuMemGetInfo_v2(&mut left, &mut total), CUDA_SUCCESS);
        assert_eq!(left, free - bytes);
        assert_eq!(cuMemAlloc_v2(&mut address, 8 * PART), CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(cuMemRelease(handle), CUDA_SUCCESS);
        assert_eq!(cuMemAlloc_v2(&mut address, 8 * PART), CUDA_SUCCESS);
        assert_eq!(cuMemFree_v2(address), CUDA_SUCCESS);
    }
}

/// Memory with a file descriptor has the same contents wherever it is mapped, and whatever is mapped beside it (errors
/// as on an H200).
#[test]
fn memory_behind_a_file_descriptor() {
    const DESCRIPTOR: u32 = 1;
    let _context = own_context();
    let (address, plain) = (reserve(4 * PART), create());
    let part = |index: usize| address + (index * PART) as u64;
    let wanted =
        |kinds| CUmemAllocationPropValues { requestedHandleTypes: kinds, ..CUmemAllocationPropValues::on_device() };
    let create_for = |kinds| {
        let (mut handle, wanted) = (0, wanted(kinds));
        // SAFETY: pointers to locals; the properties are laid out as in C.
        (unsafe { cuMemCreate(&mut handle, PART, (&raw const wanted).cast(), 0) }, handle)
    };
    let export = |handle, kind, flags| {
        let mut file = -1;
        // SAFETY: an out-pointer to a local.
        (unsafe { cuMemExportToShareableHandle((&raw mut file).cast::<c_void>(), handle, kind, flags) }, file)
    };
    let import = |file: i32, kind| {
        let mut handle = 0;
        // SAFETY: an out-pointer to a local; the number of a file.
        (unsafe { cuMemImportFromShareableHandle(&mut handle, file as usize as *mut c_void, kind) }, handle)
    };
    let kinds_of = |handle| {
        let mut found = wanted(99);
        // SAFETY: an out-pointer to a local, laid out as in C.
        let code = unsafe { cuMemGetAllocationPropertiesFromHandle((&raw mut found).cast(), handle) };
        (code, found.requestedHandleTypes)
    };
    assert_eq!(create_for(2).0, CUDA_ERROR_INVALID_VALUE);
    assert_eq!(create_for(8).0, CUDA_ERROR_NOT_PERMITTED);
    let (code, shared) = create_for(DESCRIPTOR);
    assert_eq!((code, kinds_of(shared)), (CUDA_SUCCESS, (CUDA_SUCCESS, DESCRIPTOR)));
    for (handle, kind, flags) in [(plain, DESCRIPTOR, 0), (shared, 0, 0), (shared, DESCRIPTOR, 1)] {
        assert_eq!(export(handle, kind, flags).0, CUDA_ERROR_INVALID_VALUE);
    }
    let (code, file) = export(shared, DESCRIPTOR, 0);
    assert_eq!(code, CUDA_SUCCESS);
    assert_eq!(import(-1, DESCRIPTOR).0, CUDA_ERROR_UNKNOWN);
    assert_eq!(import(file, 0).0, CUDA_ERROR_INVALID_VALUE);
    let (code, imported) = import(file, DESCRIPTOR);
    assert_eq!((code, kinds_of(imported)), (CUDA_SUCCESS, (CUDA_SUCCESS, 0)));
    assert_eq!(export(imported, DESCRIPTOR, 0).0, CUDA_ERROR_INVALID_VALUE);
    // SAFETY: addresses and handles, which are looked up.
    unsafe {
        // Two parts that are one allocation, of which the second is shared, and that memory once more.
        for (place, handle) in [(0, plain), (1, shared), (3, imported)] {
            assert_eq!(cuMemMap(part(place), PART, 0, handle, 0), CUDA_SUCCESS);
            assert_eq!(set_access(part(place), PART, READWRITE), CUDA_SUCCESS);
            assert_eq!(word(part(place)), Ok(0));
        }
        assert_eq!(cuMemsetD32_v2(part(0), 1, 2 * PART / 4), CUDA_SUCCESS);
        assert_eq!([0, 1, 3].map(|place| word(part(place))), [Ok(1); 3]);
        assert_eq!(cuMemsetD32_v2(part(3), 2, PART / 4), CUDA_SUCCESS);
        assert_eq!([0, 1, 3].map(|place| word(part(place))), [Ok(1), Ok(2), Ok(2)]);
        // Changes of the mappings before and behind it do not move it.
        assert_eq!(cuMemMap(part(2), PART, 0, create(), 0), CUDA_SUCCESS);
        assert_eq!(set_access(part(2), PART, READWRITE), CUDA_SUCCESS);
        assert_eq!(cuMemUnmap(part(0), PART), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32_v2(part(1), 3, PART / 4), CUDA_SUCCESS);
        assert_eq!([1, 3].map(|place| word(part(place))), [Ok(3); 2]);
        // The memory stays as long as anything leads to it.
        assert_eq!(cuMemUnmap(part(1), 3 * PART), CUDA_SUCCESS);
        assert_eq!([cuMemRelease(shared), cuMemRelease(imported)], [CUDA_SUCCESS; 2]);
    }
    let (code, again) = import(file, DESCRIPTOR);
    assert_eq!(code, CUDA_SUCCESS);
    // SAFETY: as above.
    unsafe {
        assert_eq!(cuMemMap(part(0), PART, 0, again, 0), CUDA_SUCCESS);
        assert_eq!(set_access(part(0), PART, READWRITE), CUDA_SUCCESS);
        assert_eq!(word(part(0)), Ok(3));
        libc::close(file);
    }
}

/// Addresses and memory belong to the process: an H200 gives these answers. No other test may have a context meanwhile.
#[test]
fn memory_needs_no_context() {
    if !is_inner() {
        let output = alone("virtual_memory::memory_needs_no_context", |_| ());
        let text = String::from_utf8_lossy(&output.stdout);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed"), "{text}{told}");
        return;
    }
    // SAFETY: pointers to locals; the context is destroyed once.
    unsafe {
        assert_eq!(cuInit(0), CUDA_SUCCESS);
        let (address, handle) = (reserve(PART), create());
        assert_eq!(cuMemMap(address, PART, 0, handle, 0), CUDA_SUCCESS);
        assert_eq!(set_access(address, PART, READWRITE), CUDA_SUCCESS);
        // The first context has them.
        let mut context = null_mut();
        assert_eq!(cuCtxCreate_v2(&mut context, 0, 0), CUDA_SUCCESS);
        assert_eq!(cuMemsetD32_v2(address, 7, 1), CUDA_SUCCESS);
        assert_eq!(word(address), Ok(7));
        assert_eq!(cuCtxDestroy_v2(context), CUDA_SUCCESS);
        // They outlive it, and the next context has other addresses.
        let mut next = null_mut();
        assert_eq!(cuCtxCreate_v2(&mut next, 0, 0), CUDA_SUCCESS);
        let other = reserve(PART);
        assert_ne!(other, address);
        assert_eq!(cuMemUnmap(address, PART), CUDA_SUCCESS);
        assert_eq!(cuMemAddressFree(address, PART), CUDA_SUCCESS);
        assert_eq!(cuMemAddressFree(address, PART), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemRelease(handle), CUDA_SUCCESS);
        assert_eq!(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
    }
}
