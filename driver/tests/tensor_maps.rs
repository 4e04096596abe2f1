//! Tensor maps: the values that the driver takes, as an H200 does, and those that it refuses.

use cust_raw::CUresult;
use cust_raw::CUresult::*;
use driver::newer::{cuTensorMapEncodeTiled, cuTensorMapReplaceAddress};
use driver::types::CUtensorMap;
use std::ffi::c_void;
use std::ptr::null_mut;

/// What a test changes of a map of 64 x 16 words, in boxes of 16 x 4.
#[derive(Clone, Copy)]
struct Tiled {
    rank: u32,
    address: u64,
    extents: [u64; 2],
    stride: u64,
    box_extents: [u32; 2],
    step: u32,
    interleave: u32,
    swizzle: u32,
    fill: u32,
}

const GOOD: Tiled = Tiled {
    rank: 2,
    address: 0x1_0000,
    extents: [64, 16],
    stride: 256,
    box_extents: [16, 4],
    step: 1,
    interleave: 0,
    swizzle: 0,
    fill: 0,
};

fn encode(tiled: &Tiled) -> (CUresult, CUtensorMap) {
    let mut map = CUtensorMap { opaque: [0; 128] };
    let steps = [1, tiled.step];
    // SAFETY: an out-pointer to a local, and arrays of two values; one for the strides.
    let code = unsafe {
        cuTensorMapEncodeTiled(
            &mut map,
            2,
            tiled.rank,
            tiled.address as *mut c_void,
            tiled.extents.as_ptr(),
            &tiled.stride,
            tiled.box_extents.as_ptr(),
            steps.as_ptr(),
            tiled.interleave,
            tiled.swizzle,
            0,
            tiled.fill,
        )
    };
    (code, map)
}

#[test]
fn values_at_the_limits_are_taken_and_those_past_them_are_not() {
    let _context = crate::support::own_context();
    let taken = [
        GOOD,
        Tiled { extents: [1 << 32, 16], ..GOOD },
        Tiled { stride: (1 << 40) - 16, ..GOOD },
        Tiled { box_extents: [16, 256], ..GOOD },
        Tiled { box_extents: [32, 4], swizzle: 3, ..GOOD },
        Tiled { step: 8, ..GOOD },
    ];
    for (nth, tiled) in taken.iter().enumerate() {
        assert_eq!(encode(tiled).0, CUDA_SUCCESS, "{nth}");
    }
    let refused = [
        Tiled { rank: 0, ..GOOD },
        Tiled { rank: 6, ..GOOD },
        Tiled { address: 0x1_0008, ..GOOD },
        Tiled { extents: [0, 16], ..GOOD },
        Tiled { extents: [(1 << 32) + 4, 16], ..GOOD },
        Tiled { stride: 264, ..GOOD },
        Tiled { stride: 1 << 40, ..GOOD },
        Tiled { box_extents: [3, 4], ..GOOD },
        Tiled { box_extents: [16, 257], ..GOOD },
        Tiled { box_extents: [36, 4], swizzle: 3, ..GOOD },
        Tiled { box_extents: [256, 255], ..GOOD },
        Tiled { step: 9, ..GOOD },
        Tiled { swizzle: 7, ..GOOD },
        Tiled { fill: 1, ..GOOD },
    ];
    for (nth, tiled) in refused.iter().enumerate() {
        assert_eq!(encode(tiled).0, CUDA_ERROR_INVALID_VALUE, "{nth}");
    }
    assert_eq!(encode(&Tiled { interleave: 1, ..GOOD }).0, CUDA_ERROR_NOT_SUPPORTED);
}

#[test]
fn an_address_is_replaced_in_a_map_and_in_nothing_else() {
    let _context = crate::support::own_context();
    let (_, mut map) = encode(&GOOD);
    let other = encode(&Tiled { address: 0x2_0000, ..GOOD }).1;
    // SAFETY: maps in locals; an address is only a number here.
    unsafe {
        assert_eq!(cuTensorMapReplaceAddress(&mut map, 0x2_0000 as *mut c_void), CUDA_SUCCESS);
        assert_eq!(map.opaque, other.opaque);
        assert_eq!(cuTensorMapReplaceAddress(&mut map, 0x2_0008 as *mut c_void), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(map.opaque, other.opaque);
        let mut none = CUtensorMap { opaque: [0; 128] };
        assert_eq!(cuTensorMapReplaceAddress(&mut none, null_mut()), CUDA_ERROR_INVALID_VALUE);
    }
}
