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
