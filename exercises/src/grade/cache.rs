//! The cache of verdicts: equal files get one verdict.

use super::GradeOptions;
use crate::Language;
use crate::catalog::{Catalog, Exercise, SPANISH};
use crate::compile::Compiler;
use crate::progress::write_whole;
use crate::spec::ExerciseKind;
use crate::verdict::Verdict;
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// A cache of verdicts, by a hash of everything that they depend on.
pub(super) struct VerdictCache {
    /// The folder of the cached verdicts; nothing is cached without one.
    folder: Option<PathBuf>,
    /// The hash of what all verdicts depend on, such as this program and its compiler.
    base: String,
}

impl VerdictCache {
    pub fn open(catalog: &Catalog, program: &Path, options: &GradeOptions) -> Result<VerdictCache> {
        if let Some(folder) = &options.cache {
            fs::create_dir_all(folder).with_context(|| say!("cannot-create", path = folder.display().to_string()))?;
        }
        let mut base = Sha256::new();
        let data = program.metadata().with_context(|| say!("cannot-read", path = program.display().to_string()))?;
        base.update(format!("{} bytes of {:?}\n", data.len(), data.modified()?));
        base.update(Compiler::find()?.name());
        base.update([u8::from(options.is_sandboxed), u8::from(options.is_verbose)]);
        base.update(Language::current().code());
        base.update(catalog.folder.to_string_lossy().as_bytes());
        Ok(VerdictCache { folder: options.cache.clone(), base: format!("{:x}", base.finalize()) })
    }

    /// Returns the key of the verdict on a file with these contents.
    pub fn key(&self, exercise: &Exercise, bytes: &[u8]) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.base);
        hash.update(&exercise.name);
        let kernels = exercise.folder.join(format!("{}.cu", exercise.short()));
        let texts = ["exercise.toml", SPANISH].map(|name| exercise.folder.join(name));
        for file in texts.into_iter().chain([exercise.check_file(), exercise.shipped(), kernels]) {
            // Not every exercise has all of them.
            let text = fs::read(file).unwrap_or_default();
            hash.update(text.len().to_le_bytes());
            hash.update(text);
        }
        hash.update(bytes);
        format!("{:x}", hash.finalize())
    }

    pub fn get(&self, key: &str) -> Option<Verdict> {
        let text = fs::read_to_string(self.folder.as_ref()?.join(key).with_extension("json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Stores a verdict. A failure is reported and has no other effect.
    pub fn put(&self, key: &str, verdict: &Verdict) {
        let Some(folder) = &self.folder else { return };
        let written = serde_json::to_string(verdict).map_err(anyhow::Error::from);
        let path = folder.join(key).with_extension("json");
        if let Err(error) = written.and_then(|text| write_whole(&path, &text)) {
            words::complain(&say!("grade-not-kept", why = tell::in_a_line(&error)));
        }
    }
}

/// Returns true if the verdict on a file depends on the file alone.
pub(super) fn is_self_contained(text: &str, kind: ExerciseKind) -> bool {
    if kind == ExerciseKind::Host { is_self_contained_rust(text) } else { is_self_contained_cuda(text) }
}

/// Returns true if CUDA source includes nothing but headers of the toolkit.
fn is_self_contained_cuda(text: &str) -> bool {
    let is_header = |name: &str| !name.starts_with('/') && !name.contains("..");
    text.match_indices("include").chain(text.match_indices("embed")).all(|(at, _)| {
        let rest = text[at..].strip_prefix("include").and_then(|rest| rest.trim_start_matches(' ').strip_prefix('<'));
        text[..at].ends_with('#') && rest.and_then(|rest| rest.split_once('>')).is_some_and(|(name, _)| is_header(name))
    })
}

/// Returns true if a host program includes its kernels, by the line that all programs have, and no other file.
fn is_self_contained_rust(text: &str) -> bool {
    let rest = text.replace("include_str!(env!(\"KERNELS\"))", "");
    let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.all(|word| word != "mod" && word != "path" && !word.starts_with("include"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_kept_for_files_that_stand_alone() {
        for text in ["int x;", "#include <cooperative_groups.h>\n#include <cuda/atomic>\n"] {
            assert!(is_self_contained_cuda(text), "{text}");
        }
        for text in [
            "#include \"mine.h\"",
            "#include </etc/passwd>",
            "#include <../x>",
            "# include X",
            "__has_include(<x>)",
            "#embed \"x\"",
        ] {
            assert!(!is_self_contained_cuda(text), "{text}");
        }
        let kernels = "static PTX: &str = include_str!(env!(\"KERNELS\"));\n";
        assert!(is_self_contained_rust(&format!(
            "use cust::prelude::*;\n{kernels}fn main() {{ let module = Module::from_ptx(PTX); }}"
        )));
        for text in ["mod more;", "include!(\"x\");", "#[path = \"x\"]", "include_str! (env!(\"KERNELS\"))"] {
            assert!(!is_self_contained_rust(text), "{text}");
        }
    }
}
