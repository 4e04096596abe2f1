//! NVIDIA's device runtime, for kernels that launch kernels on a GPU: where the library is.
//!
//! A lesson whose kernels need it carries the library of the toolkit that its build script found. Where there was none,
//! one is looked for when the first such kernel is loaded.

use anyhow::Context as _;
use driver::device_runtime::LIBRARY;
use std::borrow::Cow;
use std::sync::OnceLock;

static CARRIED: OnceLock<&'static [u8]> = OnceLock::new();

/// To be called with what `kernel-build` generates, before the first launch.
pub fn carry(library: Option<&'static [u8]>) {
    if let Some(library) = library {
        CARRIED.get_or_init(|| library);
    }
}

/// The library's bytes.
pub(crate) fn library() -> anyhow::Result<Cow<'static, [u8]>> {
    if let Some(carried) = CARRIED.get() {
        return Ok(Cow::Borrowed(carried));
    }
    let path = kernel_build::device_runtime::find().with_context(|| say!("no-device-runtime", library = LIBRARY))?;
    Ok(Cow::Owned(std::fs::read(&path).with_context(|| say!("cannot-read", path = path.display().to_string()))?))
}
