//! Graphics interoperability (CUDA Driver API).

use cust_raw::*;
use std::ffi::c_uint;

table! {
    cuGraphicsUnregisterResource(resource: CUgraphicsResource) => unsupported;
    cuGraphicsSubResourceGetMappedArray(
        array: *mut CUarray,
        resource: CUgraphicsResource,
        array_index: c_uint,
        mip_level: c_uint,
    ) => unsupported;
    cuGraphicsResourceGetMappedMipmappedArray(
        mipmapped_array: *mut CUmipmappedArray,
        resource: CUgraphicsResource,
    ) => unsupported;
    cuGraphicsResourceGetMappedPointer_v2(
        dev_ptr: *mut CUdeviceptr,
        size: *mut usize,
        resource: CUgraphicsResource,
    ) => unsupported;
    cuGraphicsResourceSetMapFlags_v2(resource: CUgraphicsResource, flags: c_uint) => unsupported;
    cuGraphicsMapResources(count: c_uint, resources: *mut CUgraphicsResource, stream: CUstream) => unsupported;
    cuGraphicsUnmapResources(count: c_uint, resources: *mut CUgraphicsResource, stream: CUstream) => unsupported;
}
