//! PTX on disk says in its first lines what it was made from, so that anyone can see whether it still is in step.
//!
//! ```text
//! // Made by `cargo xtask ptx`; do not edit.
//! // source   cuda/lesson04/counter.cu
//! // sha256   2f0c...
//! // flags    -O3 -lineinfo -std=c++17 -arch=sm_75
//! // nvcc     13.0.88
//! ```

use std::path::{Path, PathBuf};

use crate::KernelSource;

const TITLE: &str = "// Made by `cargo xtask ptx`; do not edit.";

/// Returns the path of the stored PTX of `source`, relative to the root: `cuda/ptx/lesson04/counter.ptx`.
pub fn path(source: &KernelSource) -> PathBuf {
    let below = Path::new(&source.path).strip_prefix("cuda").unwrap_or(Path::new(&source.path));
    Path::new("cuda/ptx").join(below).with_extension("ptx")
}

/// PTX with the lines that say what it was made from in front.
pub fn with_header(source: &KernelSource, nvcc_version: &str, ptx: &str) -> String {
    format!("{TITLE}\n{}// nvcc     {nvcc_version}\n{ptx}", origin(source))
}

/// True if `text` was made from this source, these headers and these flags. The compiler's version is not asked.
pub fn in_step(text: &str, source: &KernelSource) -> bool {
    is_made_from(text, TITLE, source)
}

/// As [`in_step`], for a text that begins with `title`.
pub(crate) fn is_made_from(text: &str, title: &str, source: &KernelSource) -> bool {
    text.strip_prefix(title)
        .and_then(|rest| rest.strip_prefix('\n'))
        .is_some_and(|rest| rest.starts_with(&origin(source)))
}

pub(crate) fn origin(source: &KernelSource) -> String {
    format!("// source   {}\n// sha256   {}\n// flags    {}\n", source.path, source.hash, source.flags.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> KernelSource {
        KernelSource {
            path: "cuda/lesson04/counter.cu".into(),
            flags: vec!["-O3".into(), "-arch=sm_75".into()],
            headers: vec![],
            hash: "ab12".into(),
        }
    }

    #[test]
    fn a_change_of_anything_but_the_compiler_is_out_of_step() {
        let text = with_header(&source(), "13.0.88", "\n.version 9.0\n");
        assert!(in_step(&text, &source()));
        assert!(in_step(&with_header(&source(), "12.9.0", ""), &source()));
        assert!(!in_step(&text, &KernelSource { hash: "ab13".into(), ..source() }));
        assert!(!in_step(&text, &KernelSource { hash: "ab1".into(), ..source() }));
        assert!(!in_step(&text, &KernelSource { path: "cuda/lesson04/sum.cu".into(), ..source() }));
        assert!(!in_step(&text, &source().with_flags(&["-G"])));
        assert!(!in_step("\n.version 9.0\n", &source()));
        assert!(!in_step("", &source()));
    }

    #[test]
    fn stored_ptx_lies_in_the_lessons_own_folder() {
        assert_eq!(path(&source()), Path::new("cuda/ptx/lesson04/counter.ptx"));
    }
}
