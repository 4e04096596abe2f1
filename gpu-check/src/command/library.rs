//! Our library, under the names by which programs look for CUDA's.

use crate::stand_in::StandIns;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FILE: &str = "libgpu_check.so";
/// Names that programs ask the loader for, those that a linker asks for, and ours.
const NAMES: [&str; 7] =
    ["libcuda.so", "libcuda.so.1", "libcudart.so", "libcudart.so.12", "libcudart.so.13", "libnvidia-ml.so.1", FILE];
/// Modules for Python: `pytest -p gpu_check_pytest`, `%load_ext gpu_check`, and what both need.
const MODULES: [(&str, &str); 3] = [
    ("gpu_check_pytest.py", include_str!("../../python/gpu_check_pytest.py")),
    ("gpu_check.py", include_str!("../../python/gpu_check.py")),
    ("gpu_check_records.py", include_str!("../../python/gpu_check_records.py")),
];
/// Names it in a place of its own.
const VARIABLE: &str = "GPU_CHECK_LIBRARY";

pub struct Library {
    /// Links to it, for as long as the program runs.
    folder: TempDir,
    pub stand_ins: StandIns,
}

impl Library {
    /// Finds the library where the environment says. Else it is beside this program, or below that, where cargo leaves
    /// what nobody asked it to build, or where this program was built: `cargo install` moves the program alone.
    pub fn find() -> Result<Library> {
        let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_path_buf()));
        // `target/release/build/gpu-check-HASH/out`.
        let built = Path::new(env!("OUT_DIR")).ancestors().take(5);
        let found = match std::env::var_os(VARIABLE) {
            Some(named) => Some(PathBuf::from(named)).filter(|file| file.is_file()),
            None => beside.as_deref().into_iter().chain(built).find_map(newest),
        };
        let Some(file) = found else { bail!(say!("no-library", file = FILE, variable = VARIABLE)) };
        let file = std::path::absolute(file)?;
        let folder = tempfile::tempdir().context(say!("no-folder"))?;
        for name in NAMES {
            symlink(&file, folder.path().join(name)).context(say!("no-folder"))?;
        }
        let stand_ins = StandIns::make(&folder.path().join("toolkit"))?;
        Ok(Library { folder, stand_ins })
    }

    /// `PYTHONPATH` with our modules in it, where they can be written.
    pub fn python_path(&self) -> OsString {
        for (name, text) in MODULES {
            let _ = std::fs::write(self.folder().join(name), text);
        }
        before(self.folder(), std::env::var_os("PYTHONPATH"))
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// `LD_LIBRARY_PATH` with our folder first.
    pub fn search_path(&self) -> OsString {
        before(self.folder(), std::env::var_os("LD_LIBRARY_PATH"))
    }

    /// `LD_PRELOAD` with our library first. A path with a blank or a colon in it would be two: then it is the name
    /// alone.
    pub fn preload(&self) -> OsString {
        let path = self.folder().join(FILE);
        let is_one = path.to_str().is_some_and(|path| !path.contains([' ', ':']));
        before(if is_one { &path } else { Path::new(FILE) }, std::env::var_os("LD_PRELOAD"))
    }
}

/// Returns the newer of the two files in which cargo may have left it.
fn newest(folder: &Path) -> Option<PathBuf> {
    let files = [folder.join(FILE), folder.join("deps").join(FILE)].into_iter();
    files.filter(|file| file.is_file()).max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok())
}

fn before(path: &Path, others: Option<OsString>) -> OsString {
    let mut list = path.as_os_str().to_owned();
    if let Some(others) = others.filter(|others| !others.is_empty()) {
        list.push(":");
        list.push(others);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_comes_first() {
        assert_eq!(before(Path::new("a/b"), None), "a/b");
        assert_eq!(before(Path::new("a/b"), Some("".into())), "a/b");
        assert_eq!(before(Path::new("a/b"), Some("c".into())), "a/b:c");
    }
}
