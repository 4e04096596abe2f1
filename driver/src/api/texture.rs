//! Arrays, textures and surfaces (CUDA Driver API).

use crate::emulated::calls::{array, image, mipmapped};
use cust_raw::*;
use std::ffi::{c_char, c_int, c_uint};

table! {
    cuModuleGetTexRef(tex_ref: *mut CUtexref, hmod: CUmodule, name: *const c_char) => unsupported;
    cuModuleGetSurfRef(surf_ref: *mut CUsurfref, hmod: CUmodule, name: *const c_char) => unsupported;
    cuArrayCreate_v2(handle: *mut CUarray, allocate_array: *const CUDA_ARRAY_DESCRIPTOR) => array::create;
    cuArrayGetDescriptor_v2(array_descriptor: *mut CUDA_ARRAY_DESCRIPTOR, array: CUarray) => array::descriptor;
    cuArrayGetSparseProperties(
        sparse_properties: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
        array: CUarray,
    ) => array::sparse_properties;
    cuMipmappedArrayGetSparseProperties(
        sparse_properties: *mut CUDA_ARRAY_SPARSE_PROPERTIES,
        mipmap: CUmipmappedArray,
    ) => mipmapped::sparse_properties;
    cuArrayGetPlane(plane_array: *mut CUarray, array: CUarray, plane_idx: c_uint) => array::plane;
    cuArrayDestroy(array: CUarray) => array::destroy;
    cuArray3DCreate_v2(handle: *mut CUarray, allocate_array: *const CUDA_ARRAY3D_DESCRIPTOR) => array::create_3d;
    cuArray3DGetDescriptor_v2(array_descriptor: *mut CUDA_ARRAY3D_DESCRIPTOR, array: CUarray) => array::descriptor_3d;
    cuMipmappedArrayCreate(
        handle: *mut CUmipmappedArray,
        mipmapped_array_desc: *const CUDA_ARRAY3D_DESCRIPTOR,
        num_mipmap_levels: c_uint,
    ) => mipmapped::create;
    cuMipmappedArrayGetLevel(
        level_array: *mut CUarray,
        mipmapped_array: CUmipmappedArray,
        level: c_uint,
    ) => mipmapped::level;
    cuMipmappedArrayDestroy(mipmapped_array: CUmipmappedArray) => mipmapped::destroy;
    cuMemMapArrayAsync(map_info_list: *mut CUarrayMapInfo, count: c_uint, stream: CUstream) => unsupported;
    cuTexRefSetArray(tex_ref: CUtexref, array: CUarray, flags: c_uint) => unsupported;
    cuTexRefSetMipmappedArray(tex_ref: CUtexref, mipmapped_array: CUmipmappedArray, flags: c_uint) => unsupported;
    cuTexRefSetAddress_v2(byte_offset: *mut usize, tex_ref: CUtexref, dptr: CUdeviceptr, bytes: usize) => unsupported;
    cuTexRefSetAddress2D_v3(
        tex_ref: CUtexref,
        desc: *const CUDA_ARRAY_DESCRIPTOR,
        dptr: CUdeviceptr,
        pitch: usize,
    ) => unsupported;
    cuTexRefSetFormat(tex_ref: CUtexref, fmt: CUarray_format, num_packed_components: c_int) => unsupported;
    cuTexRefSetAddressMode(tex_ref: CUtexref, dim: c_int, am: CUaddress_mode) => unsupported;
    cuTexRefSetFilterMode(tex_ref: CUtexref, fm: CUfilter_mode) => unsupported;
    cuTexRefSetMipmapFilterMode(tex_ref: CUtexref, fm: CUfilter_mode) => unsupported;
    cuTexRefSetMipmapLevelBias(tex_ref: CUtexref, bias: f32) => unsupported;
    cuTexRefSetMipmapLevelClamp(
        tex_ref: CUtexref,
        min_mipmap_level_clamp: f32,
        max_mipmap_level_clamp: f32,
    ) => unsupported;
    cuTexRefSetMaxAnisotropy(tex_ref: CUtexref, max_aniso: c_uint) => unsupported;
    cuTexRefSetBorderColor(tex_ref: CUtexref, border_color: *mut f32) => unsupported;
    cuTexRefSetFlags(tex_ref: CUtexref, flags: c_uint) => unsupported;
    cuTexRefGetAddress_v2(pdptr: *mut CUdeviceptr, tex_ref: CUtexref) => unsupported;
    cuTexRefGetArray(array: *mut CUarray, tex_ref: CUtexref) => unsupported;
    cuTexRefGetMipmappedArray(mipmapped_array: *mut CUmipmappedArray, tex_ref: CUtexref) => unsupported;
    cuTexRefGetAddressMode(pam: *mut CUaddress_mode, tex_ref: CUtexref, dim: c_int) => unsupported;
    cuTexRefGetFilterMode(pfm: *mut CUfilter_mode, tex_ref: CUtexref) => unsupported;
    cuTexRefGetFormat(format: *mut CUarray_format, num_channels: *mut c_int, tex_ref: CUtexref) => unsupported;
    cuTexRefGetMipmapFilterMode(pfm: *mut CUfilter_mode, tex_ref: CUtexref) => unsupported;
    cuTexRefGetMipmapLevelBias(pbias: *mut f32, tex_ref: CUtexref) => unsupported;
    cuTexRefGetMipmapLevelClamp(
        pmin_mipmap_level_clamp: *mut f32,
        pmax_mipmap_level_clamp: *mut f32,
        tex_ref: CUtexref,
    ) => unsupported;
    cuTexRefGetMaxAnisotropy(pmax_aniso: *mut c_int, tex_ref: CUtexref) => unsupported;
    cuTexRefGetBorderColor(border_color: *mut f32, tex_ref: CUtexref) => unsupported;
    cuTexRefGetFlags(flags: *mut c_uint, tex_ref: CUtexref) => unsupported;
    cuTexRefCreate(tex_ref: *mut CUtexref) => unsupported;
    cuTexRefDestroy(tex_ref: CUtexref) => unsupported;
    cuSurfRefSetArray(surf_ref: CUsurfref, array: CUarray, flags: c_uint) => unsupported;
    cuSurfRefGetArray(array: *mut CUarray, surf_ref: CUsurfref) => unsupported;
    cuTexObjectCreate(
        tex_object: *mut CUtexObject,
        res_desc: *const CUDA_RESOURCE_DESC,
        tex_desc: *const CUDA_TEXTURE_DESC,
        res_view_desc: *const CUDA_RESOURCE_VIEW_DESC,
    ) => image::create_texture;
    cuTexObjectDestroy(tex_object: CUtexObject) => image::destroy_texture;
    cuTexObjectGetResourceDesc(
        res_desc: *mut CUDA_RESOURCE_DESC,
        tex_object: CUtexObject,
    ) => image::texture_resource;
    cuTexObjectGetTextureDesc(tex_desc: *mut CUDA_TEXTURE_DESC, tex_object: CUtexObject) => image::texture_description;
    cuTexObjectGetResourceViewDesc(
        res_view_desc: *mut CUDA_RESOURCE_VIEW_DESC,
        tex_object: CUtexObject,
    ) => image::texture_view;
    cuSurfObjectCreate(surf_object: *mut CUsurfObject, res_desc: *const CUDA_RESOURCE_DESC) => image::create_surface;
    cuSurfObjectDestroy(surf_object: CUsurfObject) => image::destroy_surface;
    cuSurfObjectGetResourceDesc(
        res_desc: *mut CUDA_RESOURCE_DESC,
        surf_object: CUsurfObject,
    ) => image::surface_resource;
}
