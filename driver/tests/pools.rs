//! Figures of memory pools.

use crate::alone::{alone, is_inner};
use crate::support::own_context;
use cust_raw::CUresult::*;
use std::ptr::null_mut;

/// A pool says how much of it is in use, and holds on to what was given back until the host waits (as on an
/// H200). Any thread's wait counts, so the test has its process to itself.
#[test]
fn figures_of_a_pool() {
    if !is_inner() {
        let output = alone("pools::figures_of_a_pool", |_| ());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    use cust_raw::CUmemPool_attribute_enum::*;
    let _context = own_context();
    let (mut pool, mut address) = (null_mut(), 0);
    // Pinned memory (1) of device 0, whose location is of kind 1.
    let properties = |kind: u32, device: u32| [kind, 0, 1, device].into_iter().chain([0; 18]).collect::<Vec<u32>>();
    let create = |pool: &mut _, properties: Vec<u32>| {
        // SAFETY: an out-pointer, and properties of the API's layout.
        unsafe { cust_raw::cuMemPoolCreate(pool, properties.as_ptr().cast()) }
    };
    assert_eq!(create(&mut pool, properties(0, 0)), CUDA_ERROR_INVALID_VALUE);
    assert_eq!(create(&mut pool, properties(1, 5)), CUDA_ERROR_INVALID_VALUE);
    let figures = |pool| {
        let attributes = [
            CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
            CU_MEMPOOL_ATTR_USED_MEM_HIGH,
            CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
            CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH,
        ];
        attributes.map(|attribute| {
            let mut value = u64::MAX;
            // SAFETY: an out-pointer to a local of the attribute's width.
            let code = unsafe { cust_raw::cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast()) };
            assert_eq!(code, CUDA_SUCCESS);
            value
        })
    };
    const STEP: u64 = 32 << 20;
    // SAFETY: out-pointers to locals.
    unsafe {
        assert_eq!(create(&mut pool, properties(1, 0)), CUDA_SUCCESS);
        assert_eq!(figures(pool), [0; 4]);
        assert_eq!(cust_raw::cuMemAllocFromPoolAsync(&mut address, 600, pool, null_mut()), CUDA_SUCCESS);
        assert_eq!(figures(pool), [600, 600, STEP, STEP]);
        assert_eq!(cust_raw::cuMemFreeAsync(address, null_mut()), CUDA_SUCCESS);
        assert_eq!(figures(pool), [0, 600, STEP, STEP]);
        assert_eq!(cust_raw::cuMemPoolTrimTo(pool, 1), CUDA_SUCCESS);
        assert_eq!(figures(pool), [0, 600, STEP, STEP]);
        assert_eq!(cust_raw::cuCtxSynchronize(), CUDA_SUCCESS);
        let set = |attribute, mut value: u64| cust_raw::cuMemPoolSetAttribute(pool, attribute, (&raw mut value).cast());
        assert_eq!(set(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(set(CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(set(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0), CUDA_SUCCESS);
        assert_eq!(figures(pool), [0, 0, 0, STEP]);
        // Addresses are a context's own, and so is what has them.
        let mut context = null_mut();
        assert_eq!(cust_raw::cuMemAllocFromPoolAsync(&mut address, 600, pool, null_mut()), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuCtxCreate_v2(&mut context, 0, 0), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuMemAllocFromPoolAsync(&mut address, 100, pool, null_mut()), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuMemAlloc_v2(&mut address, 64), CUDA_SUCCESS);
        assert_eq!(cust_raw::cuMemFree_v2(address), CUDA_SUCCESS);
        assert_eq!(figures(pool)[0], 700);
        assert_eq!(cust_raw::cuCtxDestroy_v2(context), CUDA_SUCCESS);
        assert_eq!(figures(pool)[0], 600);
        assert_eq!(cust_raw::cuMemPoolDestroy(pool), CUDA_SUCCESS);
    }
}

/// Pools of the host's memory and of managed memory (seen on an H200: there is one for each location and kind).
#[test]
fn pools_of_the_host_and_of_managed_memory() {
    use driver::types::{CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_PINNED, CUmemLocation};
    let _context = own_context();
    let at = |kind, id| CUmemLocation { kind, id };
    let (device, host, nowhere) = (at(1, 0), at(2, 0), at(1, 7));
    let pool_at = |location: &CUmemLocation, kind| {
        let mut pool = null_mut();
        let mut location = *location;
        // SAFETY: an out-pointer and a location.
        let code = unsafe { driver::newer::cuMemGetMemPool(&mut pool, &mut location, kind) };
        (code, pool)
    };
    let of_host = pool_at(&host, CU_MEM_ALLOCATION_TYPE_PINNED);
    let of_both = pool_at(&host, CU_MEM_ALLOCATION_TYPE_MANAGED);
    let of_device = pool_at(&device, CU_MEM_ALLOCATION_TYPE_PINNED);
    assert_eq!([of_host.0, of_both.0, of_device.0], [CUDA_SUCCESS; 3]);
    assert!(of_host.1 != of_both.1 && of_host.1 != of_device.1);
    assert_ne!(of_both.1, pool_at(&device, CU_MEM_ALLOCATION_TYPE_MANAGED).1);
    assert_ne!(pool_at(&nowhere, CU_MEM_ALLOCATION_TYPE_PINNED).0, CUDA_SUCCESS);
    assert_eq!(pool_at(&host, 9).0, CUDA_ERROR_INVALID_VALUE);
    let access = |pool| {
        let mut flags = cust_raw::CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READ;
        let mut device =
            cust_raw::CUmemLocation { type_: cust_raw::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE, id: 0 };
        // SAFETY: an out-pointer and a location.
        assert_eq!(unsafe { cust_raw::cuMemPoolGetAccess(&mut flags, pool, &mut device) }, CUDA_SUCCESS);
        flags as u32
    };
    // The location, and the flags for reading and writing.
    let description = [1u32, 0, 3];
    assert_eq!(access(of_host.1), 0);
    // SAFETY: one description of the API's layout.
    let code = unsafe { cust_raw::cuMemPoolSetAccess(of_host.1, description.as_ptr().cast(), 1) };
    assert_eq!((code, access(of_host.1), access(of_device.1)), (CUDA_SUCCESS, 3, 3));
    for (pool, is_managed) in [(of_host.1, false), (of_both.1, true)] {
        let mut address = 0;
        // SAFETY: out-pointers to locals; the memory is the host's, too.
        unsafe {
            assert_eq!(cust_raw::cuMemAllocFromPoolAsync(&mut address, 64, pool, null_mut()), CUDA_SUCCESS);
            assert_eq!(cust_raw::cuMemsetD8Async(address, 7, 64, null_mut()), CUDA_SUCCESS);
            assert_eq!(cust_raw::cuStreamSynchronize(null_mut()), CUDA_SUCCESS);
            assert_eq!(*(address as *const [u8; 64]), [7; 64]);
            let mut found = 2;
            let attribute = cust_raw::CUpointer_attribute_enum::CU_POINTER_ATTRIBUTE_IS_MANAGED;
            assert_eq!(cust_raw::cuPointerGetAttribute((&raw mut found).cast(), attribute, address), CUDA_SUCCESS);
            assert_eq!(found, i32::from(is_managed));
            assert_eq!(cust_raw::cuMemFreeAsync(address, null_mut()), CUDA_SUCCESS);
            assert_eq!(cust_raw::cuStreamSynchronize(null_mut()), CUDA_SUCCESS);
            assert_eq!(cust_raw::cuMemFreeAsync(address, null_mut()), CUDA_ERROR_INVALID_VALUE);
        }
    }
    // Freeing null does nothing, also in a stream's order, and nothing is null.
    let mut nothing = 1;
    // SAFETY: an out-pointer to a local.
    unsafe {
        assert_eq!(cust_raw::cuMemFreeAsync(0, null_mut()), CUDA_SUCCESS);
        assert_eq!((cust_raw::cuMemAllocAsync(&mut nothing, 0, null_mut()), nothing), (CUDA_SUCCESS, 0));
    }
}

/// Large allocations begin at a multiple of 2 MiB: programs keep pages of their own in them.
#[test]
fn large_allocations_are_aligned() {
    let _context = own_context();
    for bytes in [100, 3 << 20, 1 << 20, 300, 5 << 20] {
        let mut address = 0;
        // SAFETY: an out-pointer to a local.
        assert_eq!(unsafe { cust_raw::cuMemAlloc_v2(&mut address, bytes) }, CUDA_SUCCESS);
        let align = if bytes >= 1 << 20 { 2 << 20 } else { 256 };
        assert_eq!(address % align, 0, "{bytes} bytes at {address:#x}");
    }
}
