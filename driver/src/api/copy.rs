//! Copies and fills (CUDA Driver API).

use crate::emulated::calls::{copy, copy_shaped, fill};
use cust_raw::*;
use std::ffi::{c_uchar, c_uint, c_ushort, c_void};

table! {
    cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, byte_count: usize) => copy::any;
    cuMemcpyPeer(
        dst_device: CUdeviceptr,
        dst_context: CUcontext,
        src_device: CUdeviceptr,
        src_context: CUcontext,
        byte_count: usize,
    ) => copy::peer;
    cuMemcpyHtoD_v2(dst_device: CUdeviceptr, src_host: *const c_void, byte_count: usize) => copy::host_to_device;
    cuMemcpyDtoH_v2(dst_host: *mut c_void, src_device: CUdeviceptr, byte_count: usize) => copy::device_to_host;
    cuMemcpyDtoD_v2(dst_device: CUdeviceptr, src_device: CUdeviceptr, byte_count: usize) => copy::device_to_device;
    cuMemcpyDtoA_v2(
        dst_array: CUarray,
        dst_offset: usize,
        src_device: CUdeviceptr,
        byte_count: usize,
    ) => copy_shaped::device_to_array;
    cuMemcpyAtoD_v2(
        dst_device: CUdeviceptr,
        src_array: CUarray,
        src_offset: usize,
        byte_count: usize,
    ) => copy_shaped::array_to_device;
    cuMemcpyHtoA_v2(
        dst_array: CUarray,
        dst_offset: usize,
        src_host: *const c_void,
        byte_count: usize,
    ) => copy_shaped::host_to_array;
    cuMemcpyAtoH_v2(
        dst_host: *mut c_void,
        src_array: CUarray,
        src_offset: usize,
        byte_count: usize,
    ) => copy_shaped::array_to_host;
    cuMemcpyAtoA_v2(
        dst_array: CUarray,
        dst_offset: usize,
        src_array: CUarray,
        src_offset: usize,
        byte_count: usize,
    ) => copy_shaped::array_to_array;
    cuMemcpy2D_v2(copy: *const CUDA_MEMCPY2D) => copy_shaped::plane;
    cuMemcpy2DUnaligned_v2(copy: *const CUDA_MEMCPY2D) => copy_shaped::plane;
    cuMemcpy3D_v2(copy: *const CUDA_MEMCPY3D) => copy_shaped::volume;
    cuMemcpy3DPeer(copy: *const CUDA_MEMCPY3D_PEER) => copy_shaped::volume_peer;
    cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, byte_count: usize, stream: CUstream) => copy::any_async;
    cuMemcpyPeerAsync(
        dst_device: CUdeviceptr,
        dst_context: CUcontext,
        src_device: CUdeviceptr,
        src_context: CUcontext,
        byte_count: usize,
        stream: CUstream,
    ) => copy::peer_async;
    cuMemcpyHtoDAsync_v2(
        dst_device: CUdeviceptr,
        src_host: *const c_void,
        byte_count: usize,
        stream: CUstream,
    ) => copy::host_to_device_async;
    cuMemcpyDtoHAsync_v2(
        dst_host: *mut c_void,
        src_device: CUdeviceptr,
        byte_count: usize,
        stream: CUstream,
    ) => copy::device_to_host_async;
    cuMemcpyDtoDAsync_v2(
        dst_device: CUdeviceptr,
        src_device: CUdeviceptr,
        byte_count: usize,
        stream: CUstream,
    ) => copy::device_to_device_async;
    cuMemcpyHtoAAsync_v2(
        dst_array: CUarray,
        dst_offset: usize,
        src_host: *const c_void,
        byte_count: usize,
        stream: CUstream,
    ) => copy_shaped::host_to_array_async;
    cuMemcpyAtoHAsync_v2(
        dst_host: *mut c_void,
        src_array: CUarray,
        src_offset: usize,
        byte_count: usize,
        stream: CUstream,
    ) => copy_shaped::array_to_host_async;
    cuMemcpy2DAsync_v2(copy: *const CUDA_MEMCPY2D, stream: CUstream) => copy_shaped::plane_async;
    cuMemcpy3DAsync_v2(copy: *const CUDA_MEMCPY3D, stream: CUstream) => copy_shaped::volume_async;
    cuMemcpy3DPeerAsync(copy: *const CUDA_MEMCPY3D_PEER, stream: CUstream) => copy_shaped::volume_peer_async;
    cuMemsetD8_v2(dst_device: CUdeviceptr, uc: c_uchar, n: usize) => fill::bytes;
    cuMemsetD16_v2(dst_device: CUdeviceptr, us: c_ushort, n: usize) => fill::halves;
    cuMemsetD32_v2(dst_device: CUdeviceptr, ui: c_uint, n: usize) => fill::words;
    cuMemsetD2D8_v2(
        dst_device: CUdeviceptr,
        dst_pitch: usize,
        uc: c_uchar,
        width: usize,
        height: usize,
    ) => fill::plane_bytes;
    cuMemsetD2D16_v2(
        dst_device: CUdeviceptr,
        dst_pitch: usize,
        us: c_ushort,
        width: usize,
        height: usize,
    ) => fill::plane_halves;
    cuMemsetD2D32_v2(
        dst_device: CUdeviceptr,
        dst_pitch: usize,
        ui: c_uint,
        width: usize,
        height: usize,
    ) => fill::plane_words;
    cuMemsetD8Async(dst_device: CUdeviceptr, uc: c_uchar, n: usize, stream: CUstream) => fill::bytes_async;
    cuMemsetD16Async(dst_device: CUdeviceptr, us: c_ushort, n: usize, stream: CUstream) => fill::halves_async;
    cuMemsetD32Async(dst_device: CUdeviceptr, ui: c_uint, n: usize, stream: CUstream) => fill::words_async;
    cuMemsetD2D8Async(
        dst_device: CUdeviceptr,
        dst_pitch: usize,
        uc: c_uchar,
        width: usize,
        height: usize,
        stream: CUstream,
    ) => fill::plane_bytes_async;
    cuMemsetD2D16Async(
        dst_device: CUdeviceptr,
        dst_pitch: usize,
        us: c_ushort,
        width: usize,
        height: usize,
        stream: CUstream,
    ) => fill::plane_halves_async;
    cuMemsetD2D32Async(
        dst_device: CUdeviceptr,
        dst_pitch: usize,
        ui: c_uint,
        width: usize,
        height: usize,
        stream: CUstream,
    ) => fill::plane_words_async;
}
