//! Kernels: settings and launches, with the launch calls of CUDA 3 that `cust_raw` still declares (CUDA Driver API).

use crate::emulated::calls::{function, launch, launch_in_steps, stream};
use cust_raw::*;
use std::ffi::{c_int, c_uint, c_void};

table! {
    cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache) => function::set_cache_config;
    cuFuncSetSharedMemConfig(hfunc: CUfunction, config: CUsharedconfig) => function::set_shared_config;
    cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction) => function::module;
    cuLaunchKernel(
        f: CUfunction,
        grid_dim_x: c_uint,
        grid_dim_y: c_uint,
        grid_dim_z: c_uint,
        block_dim_x: c_uint,
        block_dim_y: c_uint,
        block_dim_z: c_uint,
        shared_mem_bytes: c_uint,
        stream: CUstream,
        kernel_params: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) => launch::kernel;
    cuLaunchCooperativeKernel(
        f: CUfunction,
        grid_dim_x: c_uint,
        grid_dim_y: c_uint,
        grid_dim_z: c_uint,
        block_dim_x: c_uint,
        block_dim_y: c_uint,
        block_dim_z: c_uint,
        shared_mem_bytes: c_uint,
        stream: CUstream,
        kernel_params: *mut *mut c_void,
    ) => launch::cooperative_kernel;
    cuLaunchCooperativeKernelMultiDevice(
        launch_params_list: *mut CUDA_LAUNCH_PARAMS,
        num_devices: c_uint,
        flags: c_uint,
    ) => unsupported;
    cuLaunchHostFunc(stream: CUstream, function: CUhostFn, user_data: *mut c_void) => stream::launch_host_function;
    cuFuncSetBlockShape(hfunc: CUfunction, x: c_int, y: c_int, z: c_int) => launch_in_steps::set_block_shape;
    cuFuncSetSharedSize(hfunc: CUfunction, bytes: c_uint) => launch_in_steps::set_shared_size;
    cuParamSetSize(hfunc: CUfunction, numbytes: c_uint) => launch_in_steps::set_parameter_size;
    cuParamSeti(hfunc: CUfunction, offset: c_int, value: c_uint) => launch_in_steps::set_integer;
    cuParamSetf(hfunc: CUfunction, offset: c_int, value: f32) => launch_in_steps::set_float;
    cuParamSetv(hfunc: CUfunction, offset: c_int, ptr: *mut c_void, numbytes: c_uint) => launch_in_steps::set_vector;
    cuLaunch(f: CUfunction) => launch_in_steps::launch;
    cuLaunchGrid(f: CUfunction, grid_width: c_int, grid_height: c_int) => launch_in_steps::launch_grid;
    cuLaunchGridAsync(
        f: CUfunction,
        grid_width: c_int,
        grid_height: c_int,
        stream: CUstream,
    ) => launch_in_steps::launch_grid_async;
    cuParamSetTexRef(hfunc: CUfunction, texunit: c_int, tex_ref: CUtexref) => unsupported;
}
