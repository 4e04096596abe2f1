//! Profiler control and the entry points for tools (CUDA Driver API).

use crate::api::entry;
use crate::emulated::calls::profiler;
use cust_raw::*;
use std::ffi::{c_char, c_int, c_void};

table! {
    cuGetProcAddress(
        symbol: *const c_char,
        pfn: *mut *mut c_void,
        cuda_version: c_int,
        flags: cuuint64_t,
    ) => entry::find;
    cuGetExportTable(pp_export_table: *mut *const c_void, export_table_id: *const CUuuid) => unsupported;
    cuProfilerInitialize(
        config_file: *const c_char,
        output_file: *const c_char,
        output_mode: CUoutput_mode,
    ) => profiler::initialize;
    cuProfilerStart() => profiler::control;
    cuProfilerStop() => profiler::control;
}
