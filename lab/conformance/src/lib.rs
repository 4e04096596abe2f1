//! The emulator's conformance files beyond the emulator: on a GPU, and through NVIDIA's assembler.

#[path = "../../../emulator/tests/support/conformance/mod.rs"]
mod reader;

pub use reader::{Job, JobOutcome, Machine, Parameter, check};

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder with the files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../emulator/tests/conformance")
}

/// The `.ptx` files of a folder, by name.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ptx") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
