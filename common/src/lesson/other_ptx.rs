//! Kernels with other PTX than the build found: `LESSON_PTX=cuda/ptx` runs what is stored, whatever nvcc made of an
//! edited file, and `cargo xtask toolkits` runs what other toolkits make.
//!
//! The folder is laid out like `cuda/ptx/`: `lesson02/reverse.ptx`. A file that it lacks stays as it is.

use crate::table::kernel_file::KernelFile;
use anyhow::Context as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The variable that names the folder.
const VARIABLE: &str = "LESSON_PTX";

/// The lesson's files, with the PTX of the folder that the user names, if any.
pub(crate) fn named(lesson: &str, files: &'static [KernelFile]) -> anyhow::Result<&'static [KernelFile]> {
    match std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        Some(folder) => from(&Path::new(&folder).join(lesson), files),
        None => Ok(files),
    }
}

fn from(folder: &Path, files: &'static [KernelFile]) -> anyhow::Result<&'static [KernelFile]> {
    // A wrong folder would go unnoticed otherwise.
    fs::read_dir(folder).with_context(|| say!("cannot-read", path = folder.display().to_string()))?;
    let replaced = files.iter().map(|file| replaced(folder, file)).collect::<anyhow::Result<Vec<_>>>()?;
    // Once in a process.
    Ok(replaced.leak())
}

fn replaced(folder: &Path, file: &KernelFile) -> anyhow::Result<KernelFile> {
    let path = folder.join(file.name).with_extension("ptx");
    match fs::read_to_string(&path) {
        Ok(ptx) => Ok(KernelFile { ptx: ptx.leak(), ..*file }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(*file),
        Err(error) => Err(error).with_context(|| say!("cannot-read", path = path.display().to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[KernelFile] = &[file("one"), file("two")];

    const fn file(name: &'static str) -> KernelFile {
        KernelFile { name, source_path: "", source: "", ptx: "built", shipped: None, fixes: &[] }
    }

    #[test]
    fn a_folder_replaces_the_files_that_it_has() {
        let folder = std::env::temp_dir().join(format!("other-ptx-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("two.ptx"), "other").unwrap();
        let ptx = |files: &[KernelFile]| files.iter().map(|file| file.ptx.to_owned()).collect::<Vec<_>>();
        assert_eq!(ptx(from(&folder, FILES).unwrap()), ["built", "other"]);
        fs::remove_dir_all(&folder).unwrap();
        assert!(from(&folder, FILES).is_err());
    }
}
