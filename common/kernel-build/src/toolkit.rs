//! The folder in which `cargo toolkit install` puts a toolkit, and which one this repository's stored PTX comes from.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The compiler that made `cuda/ptx/`, and the one that `cargo toolkit install` fetches.
pub const NVCC_VERSION: &str = "13.0.88";

/// Written last by an installation. A folder without it is not a toolkit.
pub const MARKER: &str = "installed.txt";

static COMMAND: OnceLock<&str> = OnceLock::new();

/// The command that installs a toolkit, as messages of this process name it: `cargo toolkit`.
pub fn command() -> &'static str {
    COMMAND.get().copied().unwrap_or("cargo toolkit")
}

/// Sets [`command`] for a program whose user may have no `cargo toolkit`. The first call counts.
pub fn name_command(command: &'static str) {
    let _ = COMMAND.set(command);
}

/// `$XDG_CACHE_HOME/gpu-concurrency/cuda-<version>`, with `~/.cache` where the variable is not set.
///
/// `None` where there is no home folder either. The XDG specification has relative values ignored.
pub fn default_folder() -> Option<PathBuf> {
    folder_of(NVCC_VERSION)
}

/// As [`default_folder`], for a toolkit of this version.
pub fn folder_of(version: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("gpu-concurrency").join(format!("cuda-{version}")))
}

/// True if an installation of this folder ran to its end.
pub fn is_complete(folder: &Path) -> bool {
    folder.join(MARKER).is_file()
}
