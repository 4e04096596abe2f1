//! Broken kernels with the fix that their report tells, as nvcc compiled them: so that a lesson can try such a fix at
//! once, and without an nvcc.
//!
//! `cuda/ptx/fixes/lesson03/exchange_broken.ptx` is one. Its first lines say of which file it is, as those of other
//! stored PTX do, and which text was compiled:
//!
//! ```text
//! // Made by `UPDATE_FIXES=1 cargo test every_fix_that_is_told_holds`; do not edit.
//! // source   cuda/lesson03/exchange.cu
//! // sha256   2f0c...
//! // flags    -O3 -lineinfo -std=c++17 -arch=sm_75
//! // changed  77b1...
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::{Doing, Error, KernelSource, Nvcc, stored};

const TITLE: &str = "// Made by `UPDATE_FIXES=1 cargo test every_fix_that_is_told_holds`; do not edit.";

/// The folder of the fixes, relative to the root.
pub const FOLDER: &str = "cuda/ptx/fixes";

/// Returns the folder of a lesson's fixes, relative to the root: `cuda/ptx/fixes/lesson03`.
pub fn folder(lesson: &str) -> PathBuf {
    Path::new(FOLDER).join(lesson)
}

/// The kernel in `text`, the changed text of the file `source`, as it is stored. `source` is relative to `root`.
pub fn compile(nvcc: &Nvcc, root: &Path, source: &str, text: &str) -> Result<String, Error> {
    let source = KernelSource::read(root, Path::new(source))?;
    let ptx = nvcc.compile_changed(root, &source, text)?;
    Ok(format!("{TITLE}\n{}{}\n{ptx}", stored::origin(&source), changed(text)))
}

/// True if the stored `ptx` was made from a file that has become `text`.
pub fn is_of(ptx: &str, text: &str) -> bool {
    let line = ptx.lines().find(|line| line.starts_with(CHANGED));
    line == Some(&changed(text))
}

const CHANGED: &str = "// changed  ";

fn changed(text: &str) -> String {
    format!("{CHANGED}{:x}", Sha256::digest(text))
}

/// The stored PTX of `source`'s kernels, as far as it is in step: each kernel's name, and the file.
pub(crate) fn of_source(root: &Path, lesson: &str, source: &KernelSource) -> Result<Vec<(String, PathBuf)>, Error> {
    let mut found = Vec::new();
    for path in list(root, lesson)? {
        let text = fs::read_to_string(&path).map_err(|error| Error::io(Doing::Read, &path, error))?;
        if stored::is_made_from(&text, TITLE, source) {
            found.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path));
        }
    }
    Ok(found)
}

/// All files of a lesson, with their whole paths, sorted by name.
pub fn list(root: &Path, lesson: &str) -> Result<Vec<PathBuf>, Error> {
    let folder = root.join(folder(lesson));
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&folder).map_err(|error| Error::io(Doing::List, &folder, error))?;
    let mut found = Vec::new();
    for entry in entries {
        found.push(entry.map_err(|error| Error::io(Doing::List, &folder, error))?.path());
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_fix_is_of_one_text_alone() {
        let ptx = format!("{TITLE}\n// source   a.cu\n{}\n\n.version 9.0\n", changed("int a;"));
        assert!(is_of(&ptx, "int a;") && !is_of(&ptx, "int b;") && !is_of(".version 9.0\n", "int a;"));
    }
}
