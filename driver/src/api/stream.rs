//! Streams (CUDA Driver API).

use crate::emulated::calls::{capture, event, memory, stream, stream_value};
use cust_raw::*;
use std::ffi::{c_int, c_uint, c_void};

table! {
    cuStreamCreate(stream: *mut CUstream, flags: c_uint) => stream::create;
    cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int) => stream::create_with_priority;
    cuStreamGetPriority(stream: CUstream, priority: *mut c_int) => stream::priority;
    cuStreamGetFlags(stream: CUstream, flags: *mut c_uint) => stream::flags;
    cuStreamGetCtx(stream: CUstream, pctx: *mut CUcontext) => stream::context;
    cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) => event::stream_wait;
    cuStreamAddCallback(
        stream: CUstream,
        callback: CUstreamCallback,
        user_data: *mut c_void,
        flags: c_uint,
    ) => stream::add_callback;
    cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph) => capture::end;
    cuStreamIsCapturing(stream: CUstream, capture_status: *mut CUstreamCaptureStatus) => capture::is_capturing;
    cuStreamGetCaptureInfo(
        stream: CUstream,
        capture_status_out: *mut CUstreamCaptureStatus,
        id_out: *mut cuuint64_t,
    ) => capture::info;
    cuStreamGetCaptureInfo_v2(
        stream: CUstream,
        capture_status_out: *mut CUstreamCaptureStatus,
        id_out: *mut cuuint64_t,
        graph_out: *mut CUgraph,
        dependencies_out: *mut *const CUgraphNode,
        num_dependencies_out: *mut usize,
    ) => capture::info_with_graph;
    cuStreamUpdateCaptureDependencies(
        stream: CUstream,
        dependencies: *mut CUgraphNode,
        num_dependencies: usize,
        flags: c_uint,
    ) => capture::update_dependencies;
    cuStreamAttachMemAsync(
        stream: CUstream,
        dptr: CUdeviceptr,
        length: usize,
        flags: c_uint,
    ) => memory::stream_attach;
    cuStreamQuery(stream: CUstream) => stream::query;
    cuStreamSynchronize(stream: CUstream) => stream::synchronize;
    cuStreamDestroy_v2(stream: CUstream) => stream::destroy;
    cuStreamCopyAttributes(dst: CUstream, src: CUstream) => unsupported;
    cuStreamGetAttribute(stream: CUstream, attr: CUstreamAttrID, value_out: *mut CUstreamAttrValue) => unsupported;
    cuStreamSetAttribute(stream: CUstream, attr: CUstreamAttrID, value: *const CUstreamAttrValue) => unsupported;
    cuStreamWaitValue32(stream: CUstream, addr: CUdeviceptr, value: cuuint32_t, flags: c_uint) => stream_value::wait_32;
    cuStreamWaitValue64(stream: CUstream, addr: CUdeviceptr, value: cuuint64_t, flags: c_uint) => stream_value::wait_64;
    cuStreamWriteValue32(
        stream: CUstream,
        addr: CUdeviceptr,
        value: cuuint32_t,
        flags: c_uint,
    ) => stream_value::write_32;
    cuStreamWriteValue64(
        stream: CUstream,
        addr: CUdeviceptr,
        value: cuuint64_t,
        flags: c_uint,
    ) => stream_value::write_64;
    cuStreamBatchMemOp(
        stream: CUstream,
        count: c_uint,
        param_array: *mut CUstreamBatchMemOpParams,
        flags: c_uint,
    ) => stream_value::batch;
}
