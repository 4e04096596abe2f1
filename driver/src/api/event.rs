//! Events (CUDA Driver API).

use crate::emulated::calls::event;
use cust_raw::*;
use std::ffi::c_uint;

table! {
    cuEventCreate(event: *mut CUevent, flags: c_uint) => event::create;
    cuEventRecord(event: CUevent, stream: CUstream) => event::record;
    cuEventRecordWithFlags(event: CUevent, stream: CUstream, flags: c_uint) => event::record_with_flags;
    cuEventQuery(event: CUevent) => event::query;
    cuEventSynchronize(event: CUevent) => event::synchronize;
    cuEventDestroy_v2(event: CUevent) => event::destroy;
    cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent) => event::elapsed_time;
}
