//! A kernel's function in a context, as `launch!` takes it.

use crate::device::launch::{self, Argument, LaunchRefused};
use crate::device::timing::Stopwatch;
use cust::error::CudaError;
use cust::stream::Stream;
use cust_raw::{CUfunction, CUfunction_attribute, CUresult, cuFuncSetAttribute};
use emulator::Parameter;
use std::ops::Deref;

/// A kernel's function in the current context: cust's `Function`, and the parameters that [`launch!`](crate::launch)
/// checks.
pub struct Function<'a> {
    pub(crate) inner: cust::function::Function<'a>,
    pub(crate) name: String,
    pub(crate) parameters: &'a [Parameter],
    pub(crate) stopwatch: &'a Stopwatch,
}

impl<'a> Deref for Function<'a> {
    type Target = cust::function::Function<'a>;
    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl Function<'_> {
    /// Lets launches ask for up to so many bytes of dynamic shared memory. Without it, 48 KiB are the most.
    pub fn allow_shared(&self, bytes: u32) -> anyhow::Result<()> {
        // SAFETY: the function is of a loaded module.
        unsafe { allow_shared(self.inner.to_raw(), bytes) }
    }
}

/// Lets launches of `function` ask for up to so many bytes of dynamic shared memory.
///
/// # Safety
///
/// The module of `function` is loaded.
pub unsafe fn allow_shared(function: CUfunction, bytes: u32) -> anyhow::Result<()> {
    let limit = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    // SAFETY: the caller's.
    let code = unsafe { cuFuncSetAttribute(function, limit, bytes as i32) };
    anyhow::ensure!(code == CUresult::CUDA_SUCCESS, "the driver answers {code:?}");
    Ok(())
}

/// The calls that `launch!` makes around `cust::launch!`.
#[doc(hidden)]
impl Function<'_> {
    pub fn before_launch(&self, stream: &Stream, arguments: &[Argument]) -> anyhow::Result<()> {
        launch::check(&self.name, self.parameters, arguments)?;
        self.stopwatch.start(stream)
    }

    pub fn after_launch(&self, stream: &Stream) -> anyhow::Result<()> {
        self.stopwatch.stop(stream)
    }

    pub fn after_cooperative_launch(&self, stream: &Stream, code: CUresult) -> anyhow::Result<()> {
        match code {
            CUresult::CUDA_SUCCESS => self.stopwatch.stop(stream),
            CUresult::CUDA_ERROR_NOT_SUPPORTED => Err(self.launch_error(CudaError::NotSupported)),
            code => {
                self.stopwatch.clear();
                let why = say!("not-launched", kernel = &self.name);
                Err(anyhow::Error::new(LaunchRefused(code)).context(why))
            }
        }
    }

    pub fn launch_error(&self, error: CudaError) -> anyhow::Error {
        anyhow::Error::new(error).context(say!("not-launched", kernel = &self.name))
    }
}
