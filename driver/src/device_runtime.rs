//! Device-side launches on a real GPU: PTX that makes them calls functions of NVIDIA's device runtime, and a module of
//! it loads only once these are linked in (CUDA Driver API, "Module Management", `cuLink…`). The emulated GPU has them
//! built in, and takes the same calls.

use crate::refused::{self, ErrorLog, PtxRefusal};
use cust_raw::CUjitInputType_enum::{CU_JIT_INPUT_LIBRARY, CU_JIT_INPUT_PTX};
use cust_raw::*;
use std::ffi::CString;
use std::ptr::null_mut;

/// The library's name in a toolkit.
pub const LIBRARY: &str = "libcudadevrt.a";

/// True if PTX calls the device runtime.
pub fn is_called(ptx: &str) -> bool {
    ptx.contains("__cudaCDP2")
}

/// A link state, destroyed once.
struct Link(CUlinkState);

impl Drop for Link {
    fn drop(&mut self) {
        // SAFETY: made by `cuLinkCreate`, and nobody else has it. There is nobody to tell of an error.
        let _ = unsafe { cuLinkDestroy(self.0) };
    }
}

/// Links PTX with the device runtime's `library`, an archive as it lies in a toolkit. Gives a module's image for the
/// current context.
pub fn link(ptx: &str, library: &[u8]) -> Result<Vec<u8>, PtxRefusal> {
    let mut log = ErrorLog::new();
    let refusal = |code, log| refused::of_ptx(ptx, code, log);
    let text = CString::new(ptx).map_err(|_| refusal(CUresult::CUDA_ERROR_INVALID_PTX, "a NUL in the PTX".into()))?;
    let result = (|| {
        let check = |code: CUresult| if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(code) };
        let mut link = Link(null_mut());
        // SAFETY: two options with their values, and room for the state. They and the log outlive the state.
        check(unsafe { cuLinkCreate_v2(2, log.options.as_mut_ptr(), log.values.as_mut_ptr(), &mut link.0) })?;
        for (kind, bytes) in [(CU_JIT_INPUT_PTX, text.as_bytes_with_nul()), (CU_JIT_INPUT_LIBRARY, library)] {
            let data = bytes.as_ptr().cast_mut().cast();
            // SAFETY: `bytes.len()` bytes, which the call only reads.
            check(unsafe { cuLinkAddData_v2(link.0, kind, data, bytes.len(), null_mut(), 0, null_mut(), null_mut()) })?;
        }
        let (mut image, mut size) = (null_mut(), 0);
        // SAFETY: two out-pointers to locals.
        check(unsafe { cuLinkComplete(link.0, &mut image, &mut size) })?;
        // SAFETY: the image has `size` bytes and lives as long as the state, which is dropped later.
        Ok(unsafe { std::slice::from_raw_parts(image.cast::<u8>(), size) }.to_vec())
    })();
    result.map_err(|code| refusal(code, log.text()))
}
