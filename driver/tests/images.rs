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
    assert_eq!(made, CUDA_SUCCESS, "the array was not made for surfaces: an H200 does not mind");
    // `CU_TRSF_SEAMLESS_CUBEMAP` on a texture that is not a cube map, and an undefined flag.
    for flags in [0x40, 0x100] {
        let texture = CUDA_TEXTURE_DESC { flags, ..Default::default() };
        assert_eq!(create(&of_array(integers), &texture), Err(CUDA_ERROR_INVALID_VALUE), "{flags:#x}");
    }
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

fn mipmapped(extent: [usize; 3], flags: u32, levels: u32) -> Result<CUmipmappedArray, CUresult> {
    let [width, height, depth] = extent;
    let description = CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: depth,
        Format: CUarray_format::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
        Flags: flags,
    };
    let mut array = null_mut();
    // SAFETY: pointers to locals.
    match unsafe { cuMipmappedArrayCreate(&mut array, &description, levels) } {
        CUDA_SUCCESS => Ok(array),
        code => Err(code),
    }
}

fn extent_of_level(array: CUmipmappedArray, nth: u32) -> Result<[usize; 3], CUresult> {
    let (mut level, mut found) = (null_mut(), std::mem::MaybeUninit::<CUDA_ARRAY3D_DESCRIPTOR>::uninit());
    // SAFETY: pointers to locals.
    match unsafe { cuMipmappedArrayGetLevel(&mut level, array, nth) } {
        CUDA_SUCCESS => {
            // SAFETY: as above.
            assert_eq!(unsafe { cuArray3DGetDescriptor_v2(found.as_mut_ptr(), level) }, CUDA_SUCCESS);
            // SAFETY: written by the call.
            let found = unsafe { found.assume_init() };
            Ok([found.Width, found.Height, found.Depth])
        }
        code => Err(code),
    }
}

/// An H200 gives these answers.
#[test]
fn a_mipmapped_array_has_levels_down_to_a_single_texel() {
    let _context = own_context();
    let layered = CUDA_ARRAY3D_LAYERED;
    for (extent, flags, asked, want) in [
        ([13, 7, 5], 0, 9, vec![[13, 7, 5], [6, 3, 2], [3, 1, 1], [1, 1, 1]]),
        ([4, 0, 3], layered, 9, vec![[4, 0, 3], [2, 0, 3], [1, 0, 3]]),
        ([16, 8, 0], 0, 2, vec![[16, 8, 0], [8, 4, 0]]),
        ([16, 8, 0], 0, 0, vec![[16, 8, 0]]),
    ] {
        let array = mipmapped(extent, flags, asked).unwrap();
        let given: Vec<[usize; 3]> = (0..).map_while(|nth| extent_of_level(array, nth).ok()).collect();
        assert_eq!(given, want);
        assert_eq!(extent_of_level(array, want.len() as u32), Err(CUDA_ERROR_INVALID_VALUE));
        // SAFETY: a live array.
        assert_eq!(unsafe { cuMipmappedArrayDestroy(array) }, CUDA_SUCCESS);
    }
    assert_eq!(mipmapped([32_769, 1, 0], 0, 1), Err(CUDA_ERROR_INVALID_VALUE));
    assert_eq!(mipmapped([32_768, 1, 0], 0, 1).map(|_| ()), Ok(()));
}

/// An H200 gives these answers.
#[test]
fn a_level_lives_as_long_as_its_array() {
    let _context = own_context();
    let array = mipmapped([16, 16, 0], CUDA_ARRAY3D_SURFACE_LDST, 5).unwrap();
    let (mut level, mut surface) = (null_mut(), 0);
    // SAFETY: pointers to locals, and live arrays.
    unsafe {
        assert_eq!(cuMipmappedArrayGetLevel(&mut level, array, 1), CUDA_SUCCESS);
        assert_eq!(cuArrayDestroy(level), CUDA_SUCCESS);
        assert_eq!(cuSurfObjectCreate(&mut surface, &of_array(level)), CUDA_SUCCESS);
        assert_eq!(cuSurfObjectDestroy(surface), CUDA_SUCCESS);
        assert_eq!(cuMipmappedArrayDestroy(array), CUDA_SUCCESS);
        assert_eq!(cuArrayDestroy(level), CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuMipmappedArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
    }
}

/// An H200 gives these answers.
#[test]
fn a_view_has_the_size_of_the_array() {
    use CUresourceViewFormat_enum::*;
    let _context = own_context();
    let array = mipmapped([16, 16, 0], 0, 5).unwrap();
    let mut resource =
        CUDA_RESOURCE_DESC { resType: CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, ..Default::default() };
    resource.res.mipmap.hMipmappedArray = array;
    let texture = CUDA_TEXTURE_DESC { flags: CU_TRSF_NORMALIZED_COORDINATES, ..Default::default() };
    for (format, size, levels, layers, is_right) in [
        (CU_RES_VIEW_FORMAT_FLOAT_1X32, 16, [1, 2], [0, 0], true),
        (CU_RES_VIEW_FORMAT_FLOAT_2X16, 16, [0, 9], [0, 0], true),
        (CU_RES_VIEW_FORMAT_UINT_4X8, 16, [0, 4], [0, 0], true),
        (CU_RES_VIEW_FORMAT_FLOAT_1X32, 8, [1, 2], [0, 0], false),
        (CU_RES_VIEW_FORMAT_FLOAT_1X32, 16, [3, 2], [0, 0], false),
        (CU_RES_VIEW_FORMAT_FLOAT_1X32, 16, [0, 4], [0, 1], false),
        (CU_RES_VIEW_FORMAT_UINT_1X8, 16, [0, 4], [0, 0], false),
        (CU_RES_VIEW_FORMAT_UNSIGNED_BC1, 16, [0, 4], [0, 0], false),
        (CU_RES_VIEW_FORMAT_NONE, 16, [0, 4], [0, 0], false),
    ] {
        let view = CUDA_RESOURCE_VIEW_DESC {
            format,
            width: size,
            height: size,
            firstMipmapLevel: levels[0],
            lastMipmapLevel: levels[1],
            firstLayer: layers[0],
            lastLayer: layers[1],
            ..Default::default()
        };
        let mut object = 0;
        // SAFETY: pointers to locals.
        let made = unsafe { cuTexObjectCreate(&mut object, &resource, &texture, &view) };
        let want = if is_right { CUDA_SUCCESS } else { CUDA_ERROR_INVALID_VALUE };
        assert_eq!(made, want, "{format:?} {size} {levels:?} {layers:?}");
        if is_right {
            let mut found = CUDA_RESOURCE_VIEW_DESC::default();
            // SAFETY: a pointer to a local, and a live object.
            assert_eq!(unsafe { cuTexObjectGetResourceViewDesc(&mut found, object) }, CUDA_SUCCESS);
            assert_eq!((found.format, found.width, found.lastMipmapLevel), (format, size, levels[1]));
        }
    }
}
