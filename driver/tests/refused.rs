//! PTX that the emulated device does not take, or not wholly: what it says, and what still runs.

use crate::support::own_context;
use cust::error::CudaError;
use cust::memory::DeviceBox;
use cust::prelude::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};

const PTX: &str = include_str!("kernels.ptx");

/// Loads with an error log; gives the code and the log.
fn refusal(ptx: &str) -> (CUresult, String) {
    let image = std::ffi::CString::new(ptx).unwrap();
    let mut log = [0u8; 200];
    let mut options =
        [CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER, CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), without_provenance_mut(log.len())];
    let mut module = null_mut();
    // SAFETY: the log is as large as the option says.
    let code =
        unsafe { cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr()) };
    let written = values[1].addr();
    (code, String::from_utf8(log[..written].to_vec()).unwrap())
}

#[test]
fn ptx_that_does_not_load_says_why() {
    let _context = own_context();
    let (code, log) = refusal("this is not PTX");
    assert_eq!(code, CUDA_ERROR_INVALID_PTX);
    assert!(!log.is_empty());
    let (code, log) = refusal(&PTX.replace("sm_75", "sm_120"));
    assert_eq!(code, CUDA_ERROR_NO_BINARY_FOR_GPU);
    assert!(log.contains("sm_120"), "{log}");
    let (code, log) = refusal(PTX.trim_end().trim_end_matches('}'));
    assert_eq!(code, CUDA_ERROR_INVALID_PTX);
    assert!(log.contains("the file is cut off or damaged"), "{log}");
    let (code, log) = refusal(&PTX.replacen("ret;", "tcgen05.wait::ld.sync.aligned;\n ret;", 1));
    assert_eq!((code, log.as_str()), (CUDA_SUCCESS, ""), "PTX that the emulator does not run is refused at the launch");
    assert_eq!(refusal(PTX), (CUDA_SUCCESS, String::new()));
}

#[test]
fn what_refuses_ptx_is_told_with_the_devices_words() {
    let _context = own_context();
    let refused = driver::refused::why_refused(&PTX.replace("sm_75", "sm_120")).expect("no such device");
    assert_eq!(refused.code, CUDA_ERROR_NO_BINARY_FOR_GPU);
    assert_eq!(refused.written.target.as_deref(), Some("sm_120"));
    assert_eq!(refused.device.capability, Some((9, 0)));
    assert!(refused.log.contains("sm_120"), "{}", refused.log);
    assert_eq!(driver::refused::why_refused(PTX), None);
}

/// Two kernels; the first has a statement of a PTX that nobody knows, in line 7.
const NEWER: &str = "
.version 99.0
.target sm_75
.address_size 64
.visible .entry newer() {
    .reg .b32 %r1;
    .frobnicate 1, 2;
    ret;
}
.visible .entry known(.param .u64 to) {
    .reg .b32 %r1; .reg .b64 %rd1;
    ld.param.u64 %rd1, [to]; mov.u32 %r1, 42; st.global.u32 [%rd1], %r1;
    ret;
}
";

#[test]
fn a_kernel_that_is_not_understood_leaves_its_neighbours_alone() {
    let _context = own_context();
    let module = Module::from_ptx(NEWER, &[]).expect("one of them is understood");
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let result = DeviceBox::new(&0u32).unwrap();
    // SAFETY: the kernel stores one word.
    unsafe { launch!(module.known<<<1, 1, 0, stream>>>(result.as_device_ptr())).unwrap() };
    stream.synchronize().unwrap();
    assert_eq!(result.as_host_value(), Ok(42));
    // SAFETY: no parameters.
    let refused = unsafe { launch!(module.newer<<<1, 1, 0, stream>>>()) };
    assert_eq!(refused, Err(CudaError::NotSupported));
    assert_eq!(stream.synchronize(), Ok(()), "a launch that is refused is no fault");
    let info = information(NEWER);
    assert!(info.contains("newer") && info.contains("7") && info.contains(".frobnicate"), "{info}");
    assert_eq!(information(PTX), "");
}

/// Returns the information log that loading writes.
fn information(ptx: &str) -> String {
    let image = std::ffi::CString::new(ptx).unwrap();
    let mut log = [0u8; 500];
    let mut options = [CUjit_option_enum::CU_JIT_INFO_LOG_BUFFER, CUjit_option_enum::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), without_provenance_mut(log.len())];
    let mut module = null_mut();
    // SAFETY: the log is as large as the option says.
    let code =
        unsafe { cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr()) };
    assert_eq!(code, CUDA_SUCCESS);
    String::from_utf8(log[..values[1].addr()].to_vec()).unwrap()
}
