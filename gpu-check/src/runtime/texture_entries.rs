//! The C functions of the runtime for arrays, textures and surfaces, one line each, as in [`super::entries`].

use super::array::{ArrayPlace, Channels};
use super::call::*;
use super::copy::{Rows, When};
use super::memory::Extent;
use super::texture::{Resource, Texture, View};
use super::{array, texture};
use crate::cu::{self, Handle};
use driver::Entry;
use std::ffi::{c_int, c_uint, c_void};

entries! {
    cudaMallocArray(array: *mut Handle, channels: *const Channels, width: usize, height: usize, flags: c_uint) =>
        array::allocate(array, channels, Extent { width, height, depth: 0 }, flags);
    cudaMalloc3DArray(array: *mut Handle, channels: *const Channels, extent: Extent, flags: c_uint) =>
        array::allocate(array, channels, extent, flags);
    cudaFreeArray(array: Handle) => array::free(array);
    cudaArrayGetInfo(channels: *mut Channels, extent: *mut Extent, flags: *mut c_uint, array: Handle) =>
        array::info(channels, extent, flags, array);
    cudaGetChannelDesc(channels: *mut Channels, array: Handle) => array::channels(channels, array);
    cudaArrayGetPlane(plane: *mut Handle, array: Handle, index: c_uint) => array::plane(plane, array, index);
    cudaArrayGetMemoryRequirements(requirements: *mut c_void, array: Handle, device: c_int) =>
        array::memory_requirements(requirements, array, device, cu::cuArrayGetMemoryRequirements);
    cudaArrayGetSparseProperties(properties: *mut c_void, array: Handle) =>
        array::sparse_properties(properties, array, cu::cuArrayGetSparseProperties);

    cudaMallocMipmappedArray(
        array: *mut Handle, channels: *const Channels, extent: Extent, levels: c_uint, flags: c_uint,
    ) => array::allocate_mipmapped(array, channels, extent, levels, flags);
    cudaFreeMipmappedArray(array: Handle) => array::free_mipmapped(array);
    cudaGetMipmappedArrayLevel(level: *mut Handle, array: Handle, nth: c_uint) => array::level(level, array, nth);
    cudaMipmappedArrayGetMemoryRequirements(requirements: *mut c_void, array: Handle, device: c_int) =>
        array::memory_requirements(requirements, array, device, cu::cuMipmappedArrayGetMemoryRequirements);
    cudaMipmappedArrayGetSparseProperties(properties: *mut c_void, array: Handle) =>
        array::sparse_properties(properties, array, cu::cuMipmappedArrayGetSparseProperties);

    cudaMemcpy2DToArray(
        to: Handle, x: usize, y: usize, from: *mut c_void, pitch: usize,
        width: usize, height: usize, kind: c_int,
    ) / cudaMemcpy2DToArray_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        array::copy_to(ArrayPlace { array: to, x, y }, Rows { pointer: from, pitch }, (width, height), kind, when);
    cudaMemcpy2DToArrayAsync(
        to: Handle, x: usize, y: usize, from: *mut c_void, pitch: usize,
        width: usize, height: usize, kind: c_int,
        stream: Handle,
    ) / cudaMemcpy2DToArrayAsync_ptsz [when = When::Later(legacy(stream)), When::Later(mine(stream))] =>
        array::copy_to(ArrayPlace { array: to, x, y }, Rows { pointer: from, pitch }, (width, height), kind, when);
    cudaMemcpy2DFromArray(
        to: *mut c_void, pitch: usize, from: Handle, x: usize, y: usize,
        width: usize, height: usize, kind: c_int,
    ) / cudaMemcpy2DFromArray_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        array::copy_from(Rows { pointer: to, pitch }, ArrayPlace { array: from, x, y }, (width, height), kind, when);
    cudaMemcpy2DFromArrayAsync(
        to: *mut c_void, pitch: usize, from: Handle, x: usize, y: usize,
        width: usize, height: usize, kind: c_int,
        stream: Handle,
    ) / cudaMemcpy2DFromArrayAsync_ptsz [when = When::Later(legacy(stream)), When::Later(mine(stream))] =>
        array::copy_from(Rows { pointer: to, pitch }, ArrayPlace { array: from, x, y }, (width, height), kind, when);
    cudaMemcpy2DArrayToArray(
        to: Handle, to_x: usize, to_y: usize, from: Handle, from_x: usize, from_y: usize,
        width: usize, height: usize, _kind: c_int,
    ) / cudaMemcpy2DArrayToArray_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        array::copy_between(
            ArrayPlace { array: to, x: to_x, y: to_y },
            ArrayPlace { array: from, x: from_x, y: from_y },
            (width, height),
            when,
        );
    cudaMemcpyToArray(to: Handle, x: usize, y: usize, from: *mut c_void, bytes: usize, kind: c_int)
        / cudaMemcpyToArray_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        array::copy_line_to(ArrayPlace { array: to, x, y }, from, bytes, kind, when);
    cudaMemcpyToArrayAsync(
        to: Handle, x: usize, y: usize, from: *mut c_void, bytes: usize, kind: c_int, stream: Handle,
    ) / cudaMemcpyToArrayAsync_ptsz [when = When::Later(legacy(stream)), When::Later(mine(stream))] =>
        array::copy_line_to(ArrayPlace { array: to, x, y }, from, bytes, kind, when);
    cudaMemcpyFromArray(to: *mut c_void, from: Handle, x: usize, y: usize, bytes: usize, kind: c_int)
        / cudaMemcpyFromArray_ptds [when = When::Now, When::NowIn(PER_THREAD)] =>
        array::copy_line_from(to, ArrayPlace { array: from, x, y }, bytes, kind, when);
    cudaMemcpyFromArrayAsync(
        to: *mut c_void, from: Handle, x: usize, y: usize, bytes: usize, kind: c_int, stream: Handle,
    ) / cudaMemcpyFromArrayAsync_ptsz [when = When::Later(legacy(stream)), When::Later(mine(stream))] =>
        array::copy_line_from(to, ArrayPlace { array: from, x, y }, bytes, kind, when);

    cudaCreateTextureObject(
        object: *mut u64, resource: *const Resource, texture: *const Texture, view: *const View,
    ) => texture::create_texture(object, resource, texture, view);
    cudaDestroyTextureObject(object: u64) => texture::destroy(object, cu::cuTexObjectDestroy);
    cudaGetTextureObjectResourceDesc(resource: *mut Resource, object: u64) =>
        texture::give_resource(resource, object, cu::cuTexObjectGetResourceDesc);
    cudaGetTextureObjectTextureDesc(texture: *mut Texture, object: u64) => texture::give_texture(texture, object);
    cudaGetTextureObjectResourceViewDesc(view: *mut View, object: u64) => texture::give_view(view, object);
    cudaCreateSurfaceObject(object: *mut u64, resource: *const Resource) =>
        texture::create_surface(object, resource);
    cudaDestroySurfaceObject(object: u64) => texture::destroy(object, cu::cuSurfObjectDestroy);
    cudaGetSurfaceObjectResourceDesc(resource: *mut Resource, object: u64) =>
        texture::give_resource(resource, object, cu::cuSurfObjectGetResourceDesc);
}
