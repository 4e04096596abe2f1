//! Calls of `cust_raw` that take an enum of which newer headers know more: a number here.
//!
//! A number that the enum of `cust_raw` lacks must not become one of its values.

use crate::emulated::calls::{
    capture, context, device, error, function, graph_attributes, memory, pointer, pool_attribute, pool_ipc, range,
    virtual_memory,
};
use cust_raw::*;
use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

calls! {
    cuStreamBeginCapture_v2(stream: CUstream, mode: c_int) => capture::begin;
    cuThreadExchangeStreamCaptureMode(mode: *mut c_int) => capture::exchange_mode;
    cuGetErrorString(error: c_uint, str: *mut *const c_char) => error::string;
    cuGetErrorName(error: c_uint, str: *mut *const c_char) => error::name;
    cuDeviceGetAttribute(pi: *mut c_int, attrib: c_uint, dev: CUdevice) => device::attribute;
    cuCtxSetLimit(limit: c_uint, value: usize) => context::set_limit;
    cuCtxGetLimit(pvalue: *mut usize, limit: c_uint) => context::limit;
    cuFuncGetAttribute(pi: *mut c_int, attrib: c_uint, hfunc: CUfunction) => function::attribute;
    cuFuncSetAttribute(hfunc: CUfunction, attrib: c_uint, value: c_int) => function::set_attribute;
    cuPointerGetAttribute(data: *mut c_void, attribute: c_uint, ptr: CUdeviceptr) => pointer::attribute;
    cuPointerSetAttribute(
        value: *const c_void,
        attribute: c_uint,
        ptr: CUdeviceptr,
    ) => pointer::set_attribute;
    cuPointerGetAttributes(
        num_attributes: c_uint,
        attributes: *mut c_uint,
        data: *mut *mut c_void,
        ptr: CUdeviceptr,
    ) => pointer::attributes;
    cuMemAdvise(dev_ptr: CUdeviceptr, count: usize, advice: c_uint, device: CUdevice) => memory::advise;
    cuMemPoolSetAttribute(pool: CUmemoryPool, attr: c_uint, value: *mut c_void) => pool_attribute::set_attribute;
    cuMemPoolGetAttribute(pool: CUmemoryPool, attr: c_uint, value: *mut c_void) => pool_attribute::attribute;
    cuMemPoolExportToShareableHandle(
        handle_out: *mut c_void,
        pool: CUmemoryPool,
        handle_type: c_uint,
        flags: c_ulonglong,
    ) => pool_ipc::export_pool;
    cuMemPoolImportFromShareableHandle(
        pool_out: *mut CUmemoryPool,
        handle: *mut c_void,
        handle_type: c_uint,
        flags: c_ulonglong,
    ) => pool_ipc::import_pool;
    cuMemExportToShareableHandle(
        shareable_handle: *mut c_void,
        handle: CUmemGenericAllocationHandle,
        handle_type: c_uint,
        flags: c_ulonglong,
    ) => virtual_memory::export;
    cuMemImportFromShareableHandle(
        handle: *mut CUmemGenericAllocationHandle,
        os_handle: *mut c_void,
        sh_handle_type: c_uint,
    ) => virtual_memory::import;
    cuMemRangeGetAttribute(
        data: *mut c_void,
        data_size: usize,
        attribute: c_uint,
        dev_ptr: CUdeviceptr,
        count: usize,
    ) => range::attribute;
    cuMemRangeGetAttributes(
        data: *mut *mut c_void,
        data_sizes: *mut usize,
        attributes: *mut c_uint,
        num_attributes: usize,
        dev_ptr: CUdeviceptr,
        count: usize,
    ) => range::attributes;
    cuGraphKernelNodeGetAttribute(
        node: CUgraphNode,
        attr: c_uint,
        value_out: *mut c_void,
    ) => graph_attributes::attribute;
    cuGraphKernelNodeSetAttribute(
        node: CUgraphNode,
        attr: c_uint,
        value: *const c_void,
    ) => graph_attributes::set_attribute;
}
