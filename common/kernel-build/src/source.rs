//! A kernel's source file: its text, the project headers it includes, its flags, and the hash over all three.
//!
//! The head of a file may set, in the manner of its other header lines:
//!
//! ```text
//! // Arch      sm_90          the lowest compute capability it needs (sm_75 otherwise)
//! // Flags     -rdc=true      more flags for nvcc, split at spaces
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::normalise::lexical;
use crate::{Doing, Error};

/// The lowest target that nvcc 13 has; PTX for it loads on every later GPU too.
pub const DEFAULT_ARCH: &str = "sm_75";

/// Optimised, with the line numbers that reports need.
pub const DEFAULT_FLAGS: [&str; 3] = ["-O3", "-lineinfo", "-std=c++17"];

#[derive(Clone, Debug)]
pub struct KernelSource {
    /// Relative to the repository's root, with forward slashes: `cuda/lesson04/counter.cu`.
    pub path: String,
    /// Every flag, in the order in which nvcc gets them.
    pub flags: Vec<String>,
    /// Project headers, relative to the root, sorted.
    pub headers: Vec<String>,
    /// SHA-256 over the file and its project headers, in hexadecimal.
    pub hash: String,
}

impl KernelSource {
    /// Reads `path` (relative to `root`) and the headers that it includes with quotes.
    pub fn read(root: &Path, path: &Path) -> Result<Self, Error> {
        let mut texts = BTreeMap::new();
        let text = collect(root, path, &mut texts)?;
        let name = path.to_string_lossy().into_owned();
        texts.remove(path);

        let mut hasher = Sha256::new();
        hasher.update(text.as_bytes());
        for (header, text) in &texts {
            // Lengths keep two files from being taken for one longer one.
            hasher.update(format!("\n{} {}\n", header.display(), text.len()));
            hasher.update(text.as_bytes());
        }

        let mut flags: Vec<String> = DEFAULT_FLAGS.map(String::from).to_vec();
        let arch = header_line(&text, "Arch").unwrap_or(DEFAULT_ARCH);
        let number = arch.strip_prefix("sm_").or(arch.strip_prefix("compute_")).unwrap_or_default();
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(Error::BadArch { source: name, arch: arch.to_string() });
        }
        flags.push(format!("-arch=sm_{number}"));
        flags.extend(header_line(&text, "Flags").into_iter().flat_map(str::split_whitespace).map(String::from));

        Ok(KernelSource {
            path: name,
            flags,
            headers: texts.into_keys().map(|path| path.to_string_lossy().into_owned()).collect(),
            hash: format!("{:x}", hasher.finalize()),
        })
    }

    /// The same file with `flags` in place of the default ones; its `Arch` and `Flags` lines stay.
    pub fn with_flags(mut self, flags: &[&str]) -> Self {
        self.flags.retain(|flag| !DEFAULT_FLAGS.contains(&flag.as_str()));
        self.flags.splice(0..0, flags.iter().map(|flag| flag.to_string()));
        self
    }

    /// True if it is another kernel file with other flags: it includes one.
    pub fn is_variant(&self) -> bool {
        self.headers.iter().any(|header| header.ends_with(".cu"))
    }

    /// File name without its ending: `counter`.
    pub fn name(&self) -> &str {
        Path::new(&self.path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(&self.path)
    }
}

/// The `.cu` files directly in `cuda/<lesson>`, sorted by name.
pub fn list(root: &Path, lesson: &str) -> Result<Vec<PathBuf>, Error> {
    let folder = Path::new("cuda").join(lesson);
    let absolute = root.join(&folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(&absolute).map_err(|error| Error::io(Doing::List, &absolute, error))? {
        let entry = entry.map_err(|error| Error::io(Doing::List, &absolute, error))?;
        let path = folder.join(entry.file_name());
        if path.extension().is_some_and(|ending| ending == "cu") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads `path` and, once each, what it includes with quotes; a quoted name that is no file here is the toolkit's.
fn collect(root: &Path, path: &Path, texts: &mut BTreeMap<PathBuf, String>) -> Result<String, Error> {
    let absolute = root.join(path);
    let text = fs::read_to_string(&absolute).map_err(|error| Error::io(Doing::Read, &absolute, error))?;
    texts.insert(path.to_path_buf(), text.clone());
    for name in quoted_includes(&text) {
        let header = lexical(&path.parent().unwrap_or(Path::new("")).join(name));
        if !texts.contains_key(&header) && root.join(&header).is_file() {
            collect(root, &header, texts)?;
        }
    }
    Ok(text)
}

fn quoted_includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        rest.trim_start().strip_prefix('"')?.split('"').next()
    })
}

/// The value of `// Name  value` (or `// Name: value`) in the comment that opens the file.
fn header_line<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().map_while(|line| line.strip_prefix("//")).find_map(|comment| {
        let value = comment.trim_start().strip_prefix(name)?;
        let value = value.strip_prefix(':').unwrap_or(value);
        value.starts_with([' ', '\t']).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_lines_are_read_from_the_opening_comment_only() {
        let text = "// x.cu: one line\n//\n// Arch      sm_90\n// Flags: -rdc=true -DN=4\n\n// Arch sm_80\n";
        assert_eq!(header_line(text, "Arch"), Some("sm_90"));
        assert_eq!(header_line(text, "Flags"), Some("-rdc=true -DN=4"));
        assert_eq!(header_line("// Architecture of it\n", "Arch"), None);
        assert_eq!(header_line("int x;\n// Arch sm_80\n", "Arch"), None);
    }

    #[test]
    fn includes_with_quotes_are_followed_and_others_are_not() {
        let text = "#include \"a.cuh\"\n  #  include\t\"../b.cuh\" // why\n#include <c.h>\n// #include \"d.h\"\n";
        assert_eq!(quoted_includes(text).collect::<Vec<_>>(), ["a.cuh", "../b.cuh"]);
        assert_eq!(lexical(Path::new("cuda/lesson04/../shared/b.cuh")), Path::new("cuda/shared/b.cuh"));
    }
}
