//! The sources of the module, as a hash: whether a stored module is up to date can be told without building it.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates in it.
const CRATES: [&str; 10] =
    ["", "browser", "checker", "diagnose", "finding", "machine", "ptx", "report", "trace", "words"];

/// Returns a hash of their sources and messages.
pub fn hash(root: &Path) -> Result<String> {
    let mut paths = Vec::new();
    for name in CRATES {
        for folder in ["src", "messages"] {
            let folder = root.join("emulator").join(name).join(folder);
            if folder.is_dir() {
                files(&folder, &mut paths)?;
            }
        }
    }
    let mut named: Vec<(String, PathBuf)> = Vec::new();
    for path in paths {
        let name = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        named.push((name, path));
    }
    named.sort();
    let mut hash = Sha256::new();
    for (name, path) in named {
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        hash.update(format!("{name} {}\n", text.len()));
        hash.update(text);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, into)?;
        } else {
            into.push(path);
        }
    }
    Ok(())
}
