//! Texture and surface objects, as a program makes them: what they are given back as, and what is refused.

use crate::support::own_context;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ptr::{null, null_mut};

/// An array of 8 by 4 elements.
fn array(format: CUarray_format, flags: u32) -> CUarray {
    let description =
        CUDA_ARRAY3D_DESCRIPTOR { Width: 8, Height: 4, Depth: 0, Format: format, NumChannels: 1, Flags: flags };
    let mut array = null_mut();
    // SAFETY: pointers to locals.
    assert_eq!(unsafe { cuArray3DCreate_v2(&mut array, &description) }, CUDA_SUCCESS);
    array
}

fn of_array(array: CUarray) -> CUDA_RESOURCE_DESC {
    let mut resource = CUDA_RESOURCE_DESC::default();
    resource.res.array.hArray = array;
    resource
}

fn linear(address: CUdeviceptr, bytes: usize) -> CUDA_RESOURCE_DESC {
    let mut resource = CUDA_RESOURCE_DESC { resType: CUresourcetype::CU_RESOURCE_TYPE_LINEAR, ..Default::default() };
    resource.res.linear = CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
        devPtr: address,
        format: CUarray_format::CU_AD_FORMAT_FLOAT,
        numChannels: 1,
        sizeInBytes: bytes,
    };
    resource
}

fn create(resource: &CUDA_RESOURCE_DESC, texture: &CUDA_TEXTURE_DESC) -> Result<CUtexObject, CUresult> {
    let mut object = 0;
    // SAFETY: pointers to locals and to the caller's structs.
    match unsafe { cuTexObjectCreate(&mut object, resource, texture, null()) } {
        CUDA_SUCCESS => Ok(object),
        code => Err(code),
    }
}

#[test]
fn an_object_is_described_as_it_was_made() {
    let _context = own_context();
    let array = array(CUarray_format::CU_AD_FORMAT_FLOAT, CUDA_ARRAY3D_SURFACE_LDST);
    let given = CUDA_TEXTURE_DESC {
        filterMode: CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
        flags: CU_TRSF_NORMALIZED_COORDINATES,
        borderColor: [0.0, 0.5, 1.0, 2.0],
        ..Default::default()
    };
    let texture = create(&of_array(array), &given).unwrap();
    let (mut resource, mut description) = (CUDA_RESOURCE_DESC::default(), CUDA_TEXTURE_DESC::default());
    let mut surface = 0;
    // SAFETY: pointers to locals; of the union, the member that was written.
    unsafe {
        assert_eq!(cuTexObjectGetResourceDesc(&mut resource, texture), CUDA_SUCCESS);
        assert_eq!(cuTexObjectGetTextureDesc(&mut description, texture), CUDA_SUCCESS);
        assert_eq!(resource.res.array.hArray, array);
        assert_eq!(cuSurfObjectCreate(&mut surface, &of_array(array)), CUDA_SUCCESS);
        assert_eq!(cuSurfObjectGetResourceDesc(&mut resource, surface), CUDA_SUCCESS);
        // A handle of one kind is none of the other, and none after its end.
        assert_eq!(cuTexObjectDestroy(surface), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuSurfObjectDestroy(surface), CUDA_SUCCESS);
        assert_eq!(cuSurfObjectDestroy(surface), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuTexObjectDestroy(texture), CUDA_SUCCESS);
        assert_eq!(cuTexObjectGetTextureDesc(&mut description, texture), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuArrayDestroy(array), CUDA_SUCCESS);
    }
    assert_eq!((description.borderColor, description.flags), (given.borderColor, given.flags));
}

#[test]
fn what_no_device_can_do_is_refused() {
    let _context = own_context();
    let linear_filter = CUDA_TEXTURE_DESC { filterMode: CUfilter_mode::CU_TR_FILTER_MODE_LINEAR, ..Default::default() };
    let plain = CUDA_TEXTURE_DESC::default();
    let integers = array(CUarray_format::CU_AD_FORMAT_SIGNED_INT32, 0);
    assert_eq!(create(&of_array(integers), &linear_filter), Err(CUDA_ERROR_INVALID_VALUE), "a mean of integers");
    let mut surface = 0;
    // SAFETY: pointers to locals.
    let made = unsafe { cuSurfObjectCreate(&mut surface, &of_array(integers)) };
    assert_eq!(made, CUDA_ERROR_INVALID_VALUE, "the array was not made for surfaces");
    let srgb = CUDA_TEXTURE_DESC { flags: CU_TRSF_SRGB, ..Default::default() };
    assert_eq!(create(&of_array(integers), &srgb), Err(CUDA_ERROR_NOT_SUPPORTED));
    assert_eq!(create(&of_array(null_mut()), &plain), Err(CUDA_ERROR_INVALID_HANDLE));

    let mut address = 0;
    // SAFETY: a pointer to a local.
    assert_eq!(unsafe { cuMemAlloc_v2(&mut address, 64) }, CUDA_SUCCESS);
    assert_eq!(create(&linear(address + 4, 32), &plain), Err(CUDA_ERROR_INVALID_VALUE), "an odd start");
    assert_eq!(create(&linear(address, 1 << 20), &plain), Err(CUDA_ERROR_INVALID_VALUE), "more than there is");
    assert!(create(&linear(address, 64), &plain).is_ok());
}

/// An H200 gives these answers.
#[test]
fn an_array_beyond_the_limits_of_its_shape_is_refused() {
    let _context = own_context();
    let (layered, cube) = (CUDA_ARRAY3D_LAYERED, CUDA_ARRAY3D_CUBEMAP);
    for ([width, height, depth], flags, is_right) in [
        ([131_072, 0, 0], 0, true),
        ([131_073, 0, 0], 0, false),
        ([4, 65_536, 0], 0, true),
        ([4, 65_537, 0], 0, false),
        ([4, 4, 16_385], 0, true),
        ([16_384, 1, 16_385], 0, false),
        ([4, 4, 2048], layered, true),
        ([4, 4, 2049], layered, false),
        ([4, 0, 2049], layered, false),
        ([4, 4, 0], layered, false),
        ([32_769, 0, 1], layered, false),
        ([4, 4, 6], cube, true),
        ([4, 4, 2046], layered | cube, true),
        ([4, 4, 2052], layered | cube, false),
        ([4, 4, 0], 0x1234_0000, false),
    ] {
        let description = CUDA_ARRAY3D_DESCRIPTOR {
            Width: width,
            Height: height,
            Depth: depth,
            Format: CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT8,
            NumChannels: 1,
            Flags: flags,
        };
        let mut array = null_mut();
        // SAFETY: an out-pointer to a local, and a description.
        let code = unsafe { cuArray3DCreate_v2(&mut array, &description) };
        let expected = if is_right { CUDA_SUCCESS } else { CUDA_ERROR_INVALID_VALUE };
        assert_eq!(code, expected, "{width} x {height} x {depth}, flags {flags}");
    }
}
