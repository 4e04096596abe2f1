//! Contexts, primary ones included (CUDA Driver API).

use crate::emulated::calls::context;
use cust_raw::*;
use std::ffi::{c_int, c_uint};

table! {
    cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice) => context::primary_retain;
    cuDevicePrimaryCtxRelease_v2(dev: CUdevice) => context::primary_release;
    cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint) => context::primary_set_flags;
    cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int) => context::primary_state;
    cuDevicePrimaryCtxReset_v2(dev: CUdevice) => context::primary_reset;
    cuCtxCreate_v2(pctx: *mut CUcontext, flags: c_uint, dev: CUdevice) => context::create;
    cuCtxCreate_v3(
        pctx: *mut CUcontext,
        params_array: *mut CUexecAffinityParam,
        num_params: c_int,
        flags: c_uint,
        dev: CUdevice,
    ) => context::create_with_affinity;
    cuCtxDestroy_v2(ctx: CUcontext) => context::destroy;
    cuCtxPushCurrent_v2(ctx: CUcontext) => context::push_current;
    cuCtxPopCurrent_v2(pctx: *mut CUcontext) => context::pop_current;
    cuCtxSetCurrent(ctx: CUcontext) => context::set_current;
    cuCtxGetCurrent(pctx: *mut CUcontext) => context::get_current;
    cuCtxGetDevice(device: *mut CUdevice) => context::device;
    cuCtxGetFlags(flags: *mut c_uint) => context::flags;
    cuCtxSynchronize() => context::synchronize;
    cuCtxGetCacheConfig(pconfig: *mut CUfunc_cache) => context::cache_config;
    cuCtxSetCacheConfig(config: CUfunc_cache) => context::set_cache_config;
    cuCtxGetSharedMemConfig(config: *mut CUsharedconfig) => context::shared_config;
    cuCtxSetSharedMemConfig(config: CUsharedconfig) => context::set_shared_config;
    cuCtxGetApiVersion(ctx: CUcontext, version: *mut c_uint) => context::api_version;
    cuCtxGetStreamPriorityRange(
        least_priority: *mut c_int,
        greatest_priority: *mut c_int,
    ) => context::stream_priority_range;
    cuCtxResetPersistingL2Cache() => context::reset_persisting_l2_cache;
    cuCtxGetExecAffinity(exec_affinity: *mut CUexecAffinityParam, kind: CUexecAffinityType) => unsupported;
    cuCtxAttach(pctx: *mut CUcontext, flags: c_uint) => context::attach;
    cuCtxDetach(ctx: CUcontext) => context::detach;
    cuCtxEnablePeerAccess(peer_context: CUcontext, flags: c_uint) => context::enable_peer_access;
    cuCtxDisablePeerAccess(peer_context: CUcontext) => context::disable_peer_access;
}
