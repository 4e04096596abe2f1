//! Modules and the linker (CUDA Driver API).

use crate::emulated::calls::{link, module};
use cust_raw::*;
use std::ffi::{c_char, c_uint, c_void};

table! {
    cuModuleLoad(module: *mut CUmodule, fname: *const c_char) => module::load;
    cuModuleLoadData(module: *mut CUmodule, image: *const c_void) => module::load_data;
    cuModuleLoadDataEx(
        module: *mut CUmodule,
        image: *const c_void,
        num_options: c_uint,
        options: *mut CUjit_option,
        option_values: *mut *mut c_void,
    ) => module::load_data_ex;
    cuModuleLoadFatBinary(module: *mut CUmodule, fat_cubin: *const c_void) => module::load_data;
    cuModuleUnload(hmod: CUmodule) => module::unload;
    cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char) => module::function;
    cuModuleGetGlobal_v2(
        dptr: *mut CUdeviceptr,
        bytes: *mut usize,
        hmod: CUmodule,
        name: *const c_char,
    ) => module::global;
    cuLinkCreate_v2(
        num_options: c_uint,
        options: *mut CUjit_option,
        option_values: *mut *mut c_void,
        state_out: *mut CUlinkState,
    ) => link::create;
    cuLinkAddData_v2(
        state: CUlinkState,
        kind: CUjitInputType,
        data: *mut c_void,
        size: usize,
        name: *const c_char,
        num_options: c_uint,
        options: *mut CUjit_option,
        option_values: *mut *mut c_void,
    ) => link::add_data;
    cuLinkAddFile_v2(
        state: CUlinkState,
        kind: CUjitInputType,
        path: *const c_char,
        num_options: c_uint,
        options: *mut CUjit_option,
        option_values: *mut *mut c_void,
    ) => link::add_file;
    cuLinkComplete(state: CUlinkState, cubin_out: *mut *mut c_void, size_out: *mut usize) => link::complete;
    cuLinkDestroy(state: CUlinkState) => link::destroy;
}
