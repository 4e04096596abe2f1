//! Kernels for a lesson: `cuda/lessonNN/*.cu` becomes PTX in the lesson's `OUT_DIR`.
//!
//! A lesson's `build.rs` is one call, `kernel_build::compile("lesson04")`. For each source file the PTX comes from the
//! first of these that is in step with it (same source, same headers, same flags):
//!
//! 1. the stored PTX, `cuda/ptx/lessonNN/*.ptx`: so a first build needs no toolkit, and is the same on every machine;
//! 2. the PTX that an earlier run of this build script left in `OUT_DIR`;
//! 3. nvcc, run now.
//!
//! So an edit of one file recompiles that file. `cargo xtask ptx` remakes the stored PTX.
//!
//! Only files directly in the folder are kernels; `*.cuh` headers beside them are followed, folders below are not. One
//! folder below has a meaning: `compile_fail/` holds source that nvcc refuses ([`refused`]).

#[macro_use]
mod speech;

pub mod device_runtime;
mod error;
pub mod fixed;
pub mod host;
pub mod normalise;
pub mod nvcc;
pub mod refused;
mod script;
pub mod source;
pub mod stored;
mod system;
pub mod toolkit;

use std::path::{Path, PathBuf};

pub use error::{Doing, Error};
pub use nvcc::Nvcc;
pub use script::compile;
pub use source::KernelSource;
pub use system::{in_a_line, of_system};

/// The repository's root: the nearest folder upwards from `start` that holds `cuda/` beside a `Cargo.toml`.
pub fn repository_root(start: &Path) -> Result<PathBuf, Error> {
    let start = start.canonicalize().map_err(|error| Error::io(Doing::Open, start, error))?;
    start
        .ancestors()
        .find(|folder| folder.join("cuda").is_dir() && folder.join("Cargo.toml").is_file())
        .map(Path::to_path_buf)
        .ok_or(Error::NoRoot { start })
}

/// Compiles one file with flags of the caller's choice and returns its PTX; nothing is stored.
///
/// For tests that want another build of a kernel, such as `&["-G"]`. `source` is relative to `root`. The flags replace
/// the usual ones; `-ptx` and the file's own `-arch` are always given.
pub fn ptx_with_flags(root: &Path, source: &str, flags: &[&str]) -> Result<String, Error> {
    let source = KernelSource::read(root, Path::new(source))?.with_flags(flags);
    let nvcc = Nvcc::find()?;
    Ok(nvcc.compile(root, &source)?.ptx)
}

/// Compiles `text` as if it stood in the file `source`, relative to `root`, and returns its PTX; nothing is stored.
pub fn changed_ptx(nvcc: &Nvcc, root: &Path, source: &str, text: &str) -> Result<String, Error> {
    nvcc.compile_changed(root, &KernelSource::read(root, Path::new(source))?, text)
}

/// A debug build of a lesson's kernel file. `folder` is the lesson's own, its `CARGO_MANIFEST_DIR`.
pub fn debug_ptx(folder: &str, source: &str) -> Result<String, Error> {
    ptx_with_flags(&repository_root(Path::new(folder))?, source, &["-G", "-std=c++17"])
}

/// True if a line of PTX is more than a word on where in the source it stands.
pub fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && ![".loc", ".file", "//"].iter().any(|what| line.starts_with(what))
}
