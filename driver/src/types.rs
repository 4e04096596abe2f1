//! Types of the CUDA 13 driver API that `cust_raw` 0.11.3 lacks, under their names in `cuda.h`.
//!
//! An enum is a number here: a caller's header may know more values than this file.

#![allow(non_camel_case_types, non_snake_case)]

use cust_raw::{CUDA_KERNEL_NODE_PARAMS, CUcontext, CUdeviceptr, CUexecAffinityParam, CUgraph, CUgraphNode, CUstream};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

#[repr(C)]
pub struct CUlib_st {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct CUkern_st {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct CUgreenCtx_st {
    _opaque: [u8; 0],
}

/// Code that belongs to no context: it is loaded into one when it is needed there.
pub type CUlibrary = *mut CUlib_st;
/// A kernel of a library. It may stand wherever a `CUfunction` does.
pub type CUkernel = *mut CUkern_st;
pub type CUgreenCtx = *mut CUgreenCtx_st;

pub type CUlibraryOption = c_uint;
pub const CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE: CUlibraryOption = 0;
pub const CU_LIBRARY_BINARY_IS_PRESERVED: CUlibraryOption = 1;

pub type CUdriverProcAddressQueryResult = c_uint;
pub const CU_GET_PROC_ADDRESS_SUCCESS: CUdriverProcAddressQueryResult = 0;
pub const CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND: CUdriverProcAddressQueryResult = 1;
pub const CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT: CUdriverProcAddressQueryResult = 2;

pub const CU_GET_PROC_ADDRESS_LEGACY_STREAM: u64 = 1;
pub const CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM: u64 = 2;

pub type CUlaunchAttributeID = c_uint;
pub const CU_LAUNCH_ATTRIBUTE_COOPERATIVE: CUlaunchAttributeID = 2;
pub const CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: CUlaunchAttributeID = 6;
pub const CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: CUlaunchAttributeID = 4;

/// The value is a union of 64 bytes, whose members are read by the attribute's number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUlaunchAttribute {
    pub id: CUlaunchAttributeID,
    pub pad: [u8; 4],
    pub value: [u32; 16],
}

impl CUlaunchAttribute {
    /// An attribute whose value is an int that is 0 or 1.
    pub fn flag(id: CUlaunchAttributeID, is_set: bool) -> CUlaunchAttribute {
        let mut value = [0; 16];
        value[0] = is_set.into();
        CUlaunchAttribute { id, pad: [0; 4], value }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUlaunchConfig {
    pub gridDimX: c_uint,
    pub gridDimY: c_uint,
    pub gridDimZ: c_uint,
    pub blockDimX: c_uint,
    pub blockDimY: c_uint,
    pub blockDimZ: c_uint,
    pub sharedMemBytes: c_uint,
    pub hStream: CUstream,
    pub attrs: *mut CUlaunchAttribute,
    pub numAttrs: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUctxCreateParams {
    pub execAffinityParams: *mut CUexecAffinityParam,
    pub numExecAffinityParams: c_int,
    /// `CUctxCigParam *`: a graphics interface to share the device with.
    pub cigParams: *mut c_void,
}

/// `kern` and `ctx` count where `func` of the older form is null.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUDA_KERNEL_NODE_PARAMS_v2 {
    pub v1: CUDA_KERNEL_NODE_PARAMS,
    pub kern: CUkernel,
    pub ctx: CUcontext,
}

/// All zero: the node waits for the whole of the other.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct CUgraphEdgeData {
    pub from_port: u8,
    pub to_port: u8,
    /// `type` in C.
    pub kind: u8,
    pub reserved: [u8; 5],
}

impl CUgraphEdgeData {
    /// The edge to a dependent launch that is captured right after another launch.
    pub const PROGRAMMATIC: CUgraphEdgeData = CUgraphEdgeData { from_port: 1, to_port: 0, kind: 1, reserved: [0; 5] };

    /// True for `CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC` from one of the two ports of a kernel that it needs: the later
    /// kernel may begin before the other one ends.
    pub fn is_programmatic(self) -> bool {
        const PROGRAMMATIC: u8 = 1;
        const LAUNCH_ORDER: u8 = 2;
        self.kind == 1 && [PROGRAMMATIC, LAUNCH_ORDER].contains(&self.from_port) && self.to_port == 0
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUDA_GRAPH_INSTANTIATE_PARAMS {
    pub flags: u64,
    pub hUploadStream: CUstream,
    pub hErrNode_out: CUgraphNode,
    pub result_out: c_uint,
}

pub type CUmemLocationType = c_uint;
pub const CU_MEM_LOCATION_TYPE_NONE: CUmemLocationType = 0;
pub const CU_MEM_LOCATION_TYPE_DEVICE: CUmemLocationType = 1;
pub const CU_MEM_LOCATION_TYPE_HOST: CUmemLocationType = 2;
pub const CU_MEM_LOCATION_TYPE_HOST_NUMA: CUmemLocationType = 3;
pub const CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: CUmemLocationType = 4;

/// A place for memory. `cust_raw` has a type of this name too, without the host's places.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUmemLocation {
    /// `type` in C.
    pub kind: CUmemLocationType,
    pub id: c_int,
}

pub type CUmemAllocationType = c_uint;
pub const CU_MEM_ALLOCATION_TYPE_PINNED: CUmemAllocationType = 1;
pub const CU_MEM_ALLOCATION_TYPE_MANAGED: CUmemAllocationType = 2;

pub type CUmemAllocationHandleType = c_uint;
pub const CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR: CUmemAllocationHandleType = 1;
pub const CU_MEM_HANDLE_TYPE_FABRIC: CUmemAllocationHandleType = 8;

/// `CUmemAllocationProp`, with a number for each enum.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUmemAllocationPropValues {
    /// `type` in C.
    pub kind: CUmemAllocationType,
    pub requestedHandleTypes: c_uint,
    pub location: CUmemLocation,
    pub win32HandleMetaData: *mut c_void,
    pub allocFlags: [u8; 8],
}

impl CUmemAllocationPropValues {
    /// Describes memory on the only device.
    pub fn on_device() -> CUmemAllocationPropValues {
        CUmemAllocationPropValues {
            kind: CU_MEM_ALLOCATION_TYPE_PINNED,
            requestedHandleTypes: 0,
            location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: 0 },
            win32HandleMetaData: null_mut(),
            allocFlags: [0; 8],
        }
    }
}

/// A function that gets the entries of the error log: the program's argument, the level, the text and its length.
pub type CUlogsCallback = Option<unsafe extern "C" fn(*mut c_void, c_uint, *mut c_char, usize)>;

/// Attributes of a copy.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUmemcpyAttributes {
    pub srcAccessOrder: c_uint,
    pub srcLocHint: CUmemLocation,
    pub dstLocHint: CUmemLocation,
    pub flags: c_uint,
}

/// `CUmemAccessDesc`, with a number for each enum.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUmemAccessDescValues {
    pub location: CUmemLocation,
    pub flags: c_uint,
}

const _: () = assert!(size_of::<CUmemAllocationPropValues>() == 32 && size_of::<CUmemAccessDescValues>() == 12);

/// `CUmemPoolProps`, with a number for each enum.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUmemPoolPropsValues {
    pub allocType: CUmemAllocationType,
    pub handleTypes: c_uint,
    pub location: CUmemLocation,
    pub win32SecurityAttributes: *mut c_void,
    pub maxSize: usize,
    pub usage: u16,
    pub reserved: [u8; 54],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUDA_MEM_ALLOC_NODE_PARAMS_v2 {
    pub poolProps: CUmemPoolPropsValues,
    /// `const CUmemAccessDesc *`
    pub accessDescs: *const c_void,
    pub accessDescCount: usize,
    pub bytesize: usize,
    pub dptr: CUdeviceptr,
}

impl CUDA_MEM_ALLOC_NODE_PARAMS_v2 {
    /// Describes memory on the only device.
    pub fn of(dptr: CUdeviceptr, bytesize: usize) -> CUDA_MEM_ALLOC_NODE_PARAMS_v2 {
        let poolProps = CUmemPoolPropsValues {
            allocType: CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: 0,
            location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: 0 },
            win32SecurityAttributes: null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        };
        CUDA_MEM_ALLOC_NODE_PARAMS_v2 { poolProps, accessDescs: null(), accessDescCount: 0, bytesize, dptr }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUDA_MEMCPY_NODE_PARAMS {
    pub flags: c_int,
    pub reserved: c_int,
    pub copyCtx: CUcontext,
    /// `CUDA_MEMCPY3D`, whose enums are not read here.
    pub copyParams: [u64; 25],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUDA_CHILD_GRAPH_NODE_PARAMS {
    pub graph: CUgraph,
    /// 0: the graph is copied; 1: it is moved into the node.
    pub ownership: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUDA_CONDITIONAL_NODE_PARAMS {
    pub handle: u64,
    /// `type` in C.
    pub kind: c_uint,
    /// The number of bodies.
    pub size: c_uint,
    /// The bodies: an output.
    pub phGraph_out: *mut CUgraph,
    pub ctx: CUcontext,
}

/// A node of any type. The values are a union, whose members are read by the type's number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUgraphNodeParams {
    /// `type` in C.
    pub kind: c_uint,
    pub reserved0: [c_int; 3],
    pub values: [u64; 29],
    pub reserved2: i64,
}

impl CUgraphNodeParams {
    /// Returns a pointer to a member of the union.
    pub fn member<T>(&self) -> *const T {
        (&raw const self.values).cast()
    }
}

const _: () = assert!(size_of::<CUgraphNodeParams>() == 256 && size_of::<CUDA_MEMCPY_NODE_PARAMS>() == 216);
const _: () = assert!(size_of::<CUDA_MEM_ALLOC_NODE_PARAMS_v2>() == 120);
const _: () = assert!(size_of::<CUDA_CONDITIONAL_NODE_PARAMS>() == 32);
const _: () = assert!(size_of::<CUlaunchAttribute>() == 72 && size_of::<CUlaunchConfig>() == 56);
const _: () =
    assert!(size_of::<CUDA_KERNEL_NODE_PARAMS_v2>() == 72 && size_of::<CUDA_GRAPH_INSTANTIATE_PARAMS>() == 32);
const _: () = assert!(size_of::<CUctxCreateParams>() == 24 && size_of::<CUmemLocation>() == 8);

/// The result of `cuGraphExecUpdate`: a number of `CUgraphExecUpdateResult`, and the node that it was about.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CUgraphExecUpdateResultInfo {
    pub result: c_uint,
    pub errorNode: CUgraphNode,
    pub errorFromNode: CUgraphNode,
}

/// A tensor map, which only the driver and kernels understand. C aligns it to 64 bytes, but a caller's may not be.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CUtensorMap {
    pub opaque: [u8; 128],
}
