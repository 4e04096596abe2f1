//! Types of the CUDA Driver API, as its headers lay them out.

use std::ffi::{c_int, c_uint, c_void};

pub type Address = u64;
pub type Handle = *mut c_void;
/// `CUresult`; 0 is success.
pub type Code = c_uint;

/// `CUDA_MEMCPY2D`
#[repr(C)]
pub struct Copy2D {
    pub from: Side,
    pub to: Side,
    pub width: usize,
    pub height: usize,
}

/// One side of a copy of rows.
#[repr(C)]
pub struct Side {
    pub x: usize,
    pub y: usize,
    pub memory: c_uint,
    pub host: *mut c_void,
    pub device: Address,
    pub array: Handle,
    pub pitch: usize,
}

/// `CUDA_MEMCPY3D`
#[repr(C)]
pub struct Copy3D {
    pub from: Box3D,
    pub to: Box3D,
    pub width: usize,
    pub height: usize,
    pub depth: usize,
}

/// One side of a copy of slices.
#[repr(C)]
pub struct Box3D {
    pub x: usize,
    pub y: usize,
    pub z: usize,
    pub level: usize,
    pub memory: c_uint,
    pub host: *mut c_void,
    pub device: Address,
    pub array: Handle,
    pub reserved: *mut c_void,
    pub pitch: usize,
    pub height: usize,
}

/// `CUDA_KERNEL_NODE_PARAMS`, and `cudaKernelNodeParams` too: there the function is the host's stand-in.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct KernelNode {
    pub function: Handle,
    pub grid: [c_uint; 3],
    pub block: [c_uint; 3],
    pub shared: c_uint,
    pub parameters: *mut *mut c_void,
    pub extra: *mut *mut c_void,
}

/// `CUDA_ARRAY3D_DESCRIPTOR`
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct ArrayDescription {
    pub width: usize,
    pub height: usize,
    pub depth: usize,
    pub format: c_uint,
    pub channels: c_uint,
    pub flags: c_uint,
}

/// `CUDA_RESOURCE_DESC`: what the words mean depends on the kind.
#[repr(C)]
pub struct ResourceDescription {
    pub kind: c_uint,
    pub words: [u64; 16],
    pub flags: c_uint,
}

/// `CUDA_TEXTURE_DESC`
#[repr(C)]
#[derive(Default)]
pub struct TextureDescription {
    pub modes: [c_int; 3],
    pub filter: c_int,
    pub flags: c_uint,
    pub anisotropy: c_uint,
    pub mipmap_filter: c_int,
    pub mipmap_bias: f32,
    pub mipmap_clamp: [f32; 2],
    pub border: [f32; 4],
    pub reserved: [c_int; 12],
}

/// `CU_MEMORYTYPE_UNIFIED`: the address says by itself where it points.
pub const UNIFIED: c_uint = 4;

/// A place as CUDA 13 has it (`cudaMemLocation`), and as functions of CUDA 12 with `_v2` in their names have it. The
/// other functions of CUDA 12 have a device number in the same register, which is `kind` then.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Location {
    pub kind: c_int,
    pub id: c_int,
}

pub type HostFunction = unsafe extern "C" fn(*mut c_void);
pub type Callback = unsafe extern "C" fn(Handle, Code, *mut c_void);
