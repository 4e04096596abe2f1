//! Before `cuInit`, and the choice of a device: one process, one test, because both are settled once.

use cust_raw::CUresult::*;
use cust_raw::*;
use driver::{Choice, ChosenDevice};

#[test]
fn nothing_works_before_init_and_the_choice_stands() {
    words::Language::English.speak();
    let chosen = driver::choose(Choice::Emulator, None).unwrap();
    assert_eq!(chosen.kind, ChosenDevice::Emulator);
    assert_eq!(driver::choose(Choice::Auto, None).unwrap(), chosen);
    let error = driver::choose(Choice::Gpu, None).unwrap_err().to_string();
    assert!(error.contains("already chosen"), "{error}");

    let (mut count, mut address, mut context) = (0, 0, std::ptr::null_mut());
    // SAFETY: out-pointers are local.
    unsafe {
        assert_eq!(cuDeviceGetCount(&mut count), CUDA_ERROR_NOT_INITIALIZED);
        assert_eq!(cuMemAlloc_v2(&mut address, 8), CUDA_ERROR_NOT_INITIALIZED);
        assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), CUDA_ERROR_NOT_INITIALIZED);
        assert_eq!(cuDriverGetVersion(&mut count), CUDA_SUCCESS, "this one needs no cuInit");
        assert_eq!(cuInit(1), CUDA_ERROR_INVALID_VALUE);
        assert_eq!(cuInit(0), CUDA_SUCCESS);
        assert_eq!(cuMemAlloc_v2(&mut address, 8), CUDA_ERROR_INVALID_CONTEXT);

        // The primary context keeps its handle, and counts who holds it.
        let (mut flags, mut active) = (0, 7);
        assert_eq!(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
        assert_eq!(cuDevicePrimaryCtxGetState(0, &mut flags, &mut active), CUDA_SUCCESS);
        assert_eq!((flags, active), (0, 0));
        assert_eq!(cuDevicePrimaryCtxSetFlags_v2(0, 4), CUDA_SUCCESS);
        assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), CUDA_SUCCESS);
        let first = context;
        assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), CUDA_SUCCESS);
        assert_eq!(context, first);
        assert_eq!(cuCtxSetCurrent(context), CUDA_SUCCESS);
        assert_eq!(cuCtxDestroy_v2(context), CUDA_ERROR_INVALID_CONTEXT, "not the caller's to destroy");
        assert_eq!(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS, "still held once");
        assert_eq!(cuDevicePrimaryCtxGetState(0, &mut flags, &mut active), CUDA_SUCCESS);
        assert_eq!((flags, active), (4, 1));
        assert_eq!(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
        assert_eq!(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), CUDA_SUCCESS);
        assert_eq!(context, first);
        assert_eq!(cuCtxSynchronize(), CUDA_SUCCESS, "current again, under the same handle");
    }
    assert!(driver::exported().iter().any(|entry| entry.name == "cuLibraryLoadData") && driver::exported().len() > 353);
}
