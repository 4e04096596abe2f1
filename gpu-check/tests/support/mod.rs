//! Support for tests that build programs with nvcc.

use kernel_build::Nvcc;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder in which programs are built with nvcc, whose default is a static runtime.
pub struct Built {
    pub toolkit: PathBuf,
    pub folder: TempDir,
}

impl Built {
    /// `None` without a compiler, which is said.
    pub fn new() -> Option<Built> {
        let nvcc = Nvcc::find();
        if skipped::unless(skipped::CUDA_COMPILER, &nvcc) {
            return None;
        }
        let nvcc = nvcc.unwrap().path.canonicalize().unwrap();
        let toolkit = nvcc.parent().and_then(Path::parent).unwrap().to_path_buf();
        Some(Built { toolkit, folder: tempfile::tempdir().unwrap() })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs nvcc in the folder, which is also searched for libraries.
    pub fn nvcc(&self, arguments: &[&str]) {
        let mut command = Command::new(self.toolkit.join("bin/nvcc"));
        for folder in [&self.toolkit.join("lib"), &self.toolkit.join("lib64"), Path::new(".")] {
            command.arg("-L").arg(folder);
        }
        command.args(arguments).current_dir(self.folder.path());
        assert!(command.status().unwrap().success(), "{arguments:?}");
    }
}
