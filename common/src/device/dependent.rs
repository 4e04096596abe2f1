//! Dependent launches: `cuLaunchKernelEx` with programmatic stream serialization (CUDA Driver API). `cust` has no call
//! for it, and the crate `driver` brings the function.

use crate::device::function::Function;
use crate::device::launch::{self, Argument, LaunchRefused};
use cust::error::CudaError;
use cust::function::{BlockSize, GridSize};
use cust::stream::Stream;
use cust_raw::{CUfunction, CUresult, CUstream};
use driver::newer::cuLaunchKernelEx;
use driver::types::{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, CUlaunchAttribute, CUlaunchConfig};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Launches `function` so that it may begin before the launch ahead of it in `stream` has ended.
///
/// # Safety
///
/// `parameters` points to pointers to values of the function's parameters. The function accesses what they name as it
/// may.
pub unsafe fn launch_dependent(
    function: CUfunction,
    (grid, block): (GridSize, BlockSize),
    shared: u32,
    stream: CUstream,
    parameters: *mut *mut c_void,
) -> CUresult {
    let mut attribute = CUlaunchAttribute::flag(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, true);
    let config = CUlaunchConfig {
        gridDimX: grid.x,
        gridDimY: grid.y,
        gridDimZ: grid.z,
        blockDimX: block.x,
        blockDimY: block.y,
        blockDimZ: block.z,
        sharedMemBytes: shared,
        hStream: stream,
        attrs: &mut attribute,
        numAttrs: 1,
    };
    // SAFETY: the caller's parameters, and a list of one attribute.
    unsafe { cuLaunchKernelEx(&config, function, parameters, null_mut()) }
}

/// The calls that `launch_dependent!` makes.
#[doc(hidden)]
impl Function<'_> {
    pub fn check_arguments(&self, arguments: &[Argument]) -> anyhow::Result<()> {
        launch::check(&self.name, self.parameters, arguments)
    }

    /// Launches the kernel so that it may begin before the launch ahead of it in `stream` has ended.
    ///
    /// # Safety
    ///
    /// `parameters` point to values of the kernel's parameters. The kernel accesses what they name as it may.
    pub unsafe fn launch_dependent(
        &self,
        (grid, block): (GridSize, BlockSize),
        shared: u32,
        stream: &Stream,
        parameters: &mut [*mut c_void],
    ) -> anyhow::Result<()> {
        let (function, stream) = (self.to_raw(), stream.as_inner());
        // SAFETY: the caller's parameters.
        match unsafe { launch_dependent(function, (grid, block), shared, stream, parameters.as_mut_ptr()) } {
            CUresult::CUDA_SUCCESS => Ok(()),
            CUresult::CUDA_ERROR_NOT_SUPPORTED => Err(self.launch_error(CudaError::NotSupported)),
            code => Err(anyhow::Error::new(LaunchRefused(code)).context(say!("not-launched", kernel = &self.name))),
        }
    }
}
