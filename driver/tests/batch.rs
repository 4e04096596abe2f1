//! Copies by the batch, and what is known of a range of managed memory (values and errors as on an H200).

use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::*;
use driver::newer::*;
use driver::types::{CUmemLocation, CUmemcpyAttributes};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

unsafe extern "C" {
    fn cuMemRangeGetAttribute(
        data: *mut c_void,
        data_bytes: usize,
        attribute: c_uint,
        address: CUdeviceptr,
        bytes: usize,
    ) -> CUresult;
}

const DEVICE: CUmemLocation = CUmemLocation { kind: 1, id: 0 };
const HOST: CUmemLocation = CUmemLocation { kind: 2, id: 0 };

fn new_stream() -> CUstream {
    let mut stream = null_mut();
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuStreamCreate(&mut stream, 1) }, CUDA_SUCCESS);
    stream
}

fn managed(bytes: usize) -> CUdeviceptr {
    let mut address = 0;
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuMemAllocManaged(&mut address, bytes, 1) }, CUDA_SUCCESS);
    address
}

#[test]
fn copies_by_the_batch() {
    let _context = own_context();
    let stream = new_stream();
    let from: Vec<u32> = (0..8).collect();
    let mut to = 0;
    // SAFETY: an out-pointer to a local.
    assert_eq!(unsafe { cuMemAlloc_v2(&mut to, 64) }, CUDA_SUCCESS);
    let source = from.as_ptr() as CUdeviceptr;
    let copy = |order: c_uint, sizes: [usize; 2], sources: [CUdeviceptr; 2], first: usize, groups: usize, stream| {
        let mut attributes =
            CUmemcpyAttributes { srcAccessOrder: order, srcLocHint: HOST, dstLocHint: DEVICE, flags: 0 };
        let (mut targets, mut sources, mut sizes, mut first) = ([to + 16, to], sources, sizes, first);
        // SAFETY: pointers to locals, and to memory as large as it says.
        unsafe {
            cuMemcpyBatchAsync_v2(
                targets.as_mut_ptr(),
                sources.as_mut_ptr(),
                sizes.as_mut_ptr(),
                2,
                &mut attributes,
                &mut first,
                groups,
                stream,
            )
        }
    };
    let both = [source, source + 16];
    let wrong = [
        copy(0, [16; 2], both, 0, 1, stream),
        copy(1, [16, 0], both, 0, 1, stream),
        copy(1, [16; 2], [source, 0], 0, 1, stream),
        copy(1, [16; 2], both, 1, 1, stream),
        copy(1, [16; 2], both, 0, 0, stream),
        copy(1, [16; 2], both, 0, 1, null_mut()),
    ];
    assert_eq!(wrong, [CUDA_ERROR_INVALID_VALUE; 6]);
    assert_eq!(copy(1, [16; 2], both, 0, 1, stream), CUDA_SUCCESS);
    let mut found = [9u32; 8];
    let (mut graph, relaxed) = (null_mut(), CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_RELAXED);
    let mut attributes = CUmemcpyAttributes { srcAccessOrder: 1, srcLocHint: HOST, dstLocHint: DEVICE, flags: 0 };
    // SAFETY: pointers to locals, and to memory as large as it says.
    unsafe {
        assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS);
        assert_eq!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), to, 32), CUDA_SUCCESS);
        assert_eq!(found, [4, 5, 6, 7, 0, 1, 2, 3]);
        assert_eq!(cuMemcpyWithAttributesAsync(to, source, 8, &mut attributes, stream), CUDA_SUCCESS);
        assert_eq!(cuMemcpyDtoHAsync_v2(found.as_mut_ptr().cast(), to, 16, stream), CUDA_SUCCESS);
        assert_eq!(found[..4], [0, 1, 6, 7]);
        // Page-locked memory is read in the order of the stream, or during the call.
        let mut locked = null_mut();
        assert_eq!(cuMemHostAlloc(&mut locked, 8, 0), CUDA_SUCCESS);
        for (order, read) in [(1, 99), (2, 20), (3, 99)] {
            attributes.srcAccessOrder = order;
            locked.cast::<u32>().write_volatile(20);
            assert_eq!(cuMemcpyWithAttributesAsync(to, locked as u64, 4, &mut attributes, stream), CUDA_SUCCESS);
            locked.cast::<u32>().write_volatile(99);
            assert_eq!(cuStreamSynchronize(stream), CUDA_SUCCESS);
            assert_eq!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), to, 4), CUDA_SUCCESS);
            assert_eq!(found[0], read, "order {order}");
        }
        // A batch is no node, and leaves the capture as it is.
        assert_eq!(cuStreamBeginCapture_v2(stream, relaxed), CUDA_SUCCESS);
        assert_eq!(copy(1, [16; 2], both, 0, 1, stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
        assert_eq!(cuStreamEndCapture(stream, &mut graph), CUDA_SUCCESS);
    }
}

#[test]
fn advice_is_told() {
    let _context = own_context();
    let stream = new_stream();
    let memory = managed(8192);
    let plain = |attribute, bytes| {
        let mut value: c_int = 77;
        // SAFETY: an out-pointer to a local.
        let code = unsafe { cuMemRangeGetAttribute((&raw mut value).cast(), 4, attribute, memory, bytes) };
        (code == CUDA_SUCCESS).then_some(value).ok_or(code)
    };
    let all = |bytes| [1, 2, 3, 4, 5, 6, 7, 8].map(|attribute| plain(attribute, bytes).unwrap());
    // Read mostly, preferred place, who accesses it, and where it was prefetched to; the places as type and number.
    assert_eq!(all(8192), [0, -2, -2, -2, 0, -2, 0, -2]);
    // SAFETY: managed memory, whose addresses are looked up.
    unsafe {
        assert_eq!(cuMemAdvise_v2(memory, 4096, 1, DEVICE), CUDA_SUCCESS);
        assert_eq!(cuMemAdvise_v2(memory, 8192, 3, DEVICE), CUDA_SUCCESS);
        assert_eq!(cuMemAdvise_v2(memory, 8192, 5, DEVICE), CUDA_SUCCESS);
        assert_eq!(cuMemPrefetchAsync_v2(memory, 8192, DEVICE, 0, stream), CUDA_SUCCESS);
    }
    assert_eq!(all(4096), [1, 0, 0, 0, 1, 0, 1, 0]);
    assert_eq!(all(8192), [0, 0, 0, 0, 1, 0, 1, 0]);
    let (mut addresses, mut sizes) = ([memory, memory + 4096], [4096; 2]);
    let mut prefetch = |mut first: [usize; 2], flags| {
        let mut places = [HOST, DEVICE];
        let (addresses, sizes) = (addresses.as_mut_ptr(), sizes.as_mut_ptr());
        // SAFETY: lists of two.
        unsafe {
            let (places, first) = (places.as_mut_ptr(), first.as_mut_ptr());
            cuMemPrefetchBatchAsync(addresses, sizes, 2, places, first, 2, flags, stream)
        }
    };
    assert_eq!([prefetch([0, 1], 1), prefetch([1, 0], 0)], [CUDA_ERROR_INVALID_VALUE; 2]);
    assert_eq!(prefetch([0, 1], 0), CUDA_SUCCESS);
    // Each page was prefetched to another place.
    assert_eq!([plain(4, 4096), plain(4, 8192)], [Ok(-1), Ok(-2)]);
    assert_eq!([plain(9, 4096), plain(1, 1 << 20)], [Err(CUDA_ERROR_INVALID_VALUE); 2]);
    let mut by = [77; 2];
    // SAFETY: room for two numbers.
    unsafe {
        let list = by.as_mut_ptr().cast();
        assert_eq!(cuMemRangeGetAttribute(list, 8, 1, memory, 4096), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuMemRangeGetAttribute(list, 8, 3, memory, 4096), CUDA_SUCCESS);
        assert_eq!(cuMemDiscardBatchAsync(addresses.as_mut_ptr(), sizes.as_mut_ptr(), 2, 0, stream), CUDA_SUCCESS);
        assert_eq!(cuMemAdvise_v2(memory, 8192, 4, DEVICE), CUDA_SUCCESS);
    }
    assert_eq!((by, plain(2, 8192)), ([0, -2], Ok(-2)));
    // The next allocation may have the address.
    // SAFETY: managed memory.
    unsafe { assert_eq!(cuMemFree_v2(memory), CUDA_SUCCESS) };
    let again = managed(8192);
    let mut value: c_int = 77;
    // SAFETY: an out-pointer to a local.
    let code = unsafe { cuMemRangeGetAttribute((&raw mut value).cast(), 4, 5, again, 8192) };
    assert_eq!((code, value), (CUDA_SUCCESS, 0));
}
