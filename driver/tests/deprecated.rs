//! Calls that CUDA has deprecated, and that programs still make.

use crate::support::own_context;
use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ptr::null_mut;

const PTX: &str = include_str!("kernels.ptx");

/// PyCUDA sets the shape of a block so.
#[test]
fn a_launch_in_steps() {
    let _context = own_context();
    let module = Module::from_ptx(PTX, &[]).expect("the tests' kernels load");
    let add = module.get_function("add").unwrap().to_raw();
    let data = DeviceBuffer::from_slice(&[0u32; 4]).unwrap();
    let mut address = data.as_device_ptr().as_raw();
    let pointer = (&raw mut address).cast();
    // SAFETY: the parameters are laid out as the kernel's: an address, a value, the number of elements.
    unsafe {
        assert_eq!(cuFuncSetBlockShape(add, 2, 1, 0), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuFuncSetBlockShape(add, 2, 1, 1), CUDA_SUCCESS);
        assert_eq!(cuParamSetv(add, 0, pointer, 8), CUDA_SUCCESS);
        assert_eq!(cuParamSeti(add, 8, 5), CUDA_SUCCESS);
        assert_eq!(cuLaunch(add), CUDA_ERROR_INVALID_VALUE, "the last parameter is missing");
        assert_eq!(cuParamSeti(add, 12, 4), CUDA_SUCCESS);
        assert_eq!(cuParamSeti(add, -4, 4), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuParamSetSize(add, 16), CUDA_SUCCESS);
        assert_eq!(cuFuncSetSharedSize(add, 0), CUDA_SUCCESS);
        assert_eq!(cuLaunch(add), CUDA_SUCCESS);
        assert_eq!(data.as_host_vec().unwrap(), [5, 5, 0, 0]);
        assert_eq!(cuParamSetf(add, 8, f32::from_bits(1)), CUDA_SUCCESS);
        assert_eq!(cuLaunchGrid(add, 2, 1), CUDA_SUCCESS);
        assert_eq!(cuLaunchGridAsync(add, 1, 1, null_mut()), CUDA_SUCCESS);
        assert_eq!(cuLaunchGrid(add, 0, 1), CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!(data.as_host_vec().unwrap(), [7, 7, 1, 1]);
}

/// A context ends with its last user.
#[test]
fn attached_contexts() {
    let _context = own_context();
    let mut context = null_mut();
    let mut same = null_mut();
    // SAFETY: out-pointers to locals.
    unsafe {
        assert_eq!(cuCtxCreate_v2(&mut context, 0, 0), CUDA_SUCCESS);
        assert_eq!(cuCtxAttach(&mut same, 1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuCtxAttach(&mut same, 0), CUDA_SUCCESS);
        assert_eq!(same, context);
        assert_eq!(cuCtxDetach(context), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS);
        assert_eq!(cuCtxDetach(context), CUDA_SUCCESS);
        assert_eq!(cuCtxDestroy_v2(context), CUDA_ERROR_INVALID_CONTEXT);
    }
}
