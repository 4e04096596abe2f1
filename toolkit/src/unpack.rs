//! Checks a wheel and unzips it into a toolkit's tree.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::speech::{cannot, shown};
use crate::wheels::Wheel;

/// A wheel's file as the toolkit has it: wheels have theirs below `nvidia/cu13`, or before 13 below
/// `nvidia/cuda_runtime` and the like, which together are one toolkit.
fn inside(name: &Path) -> Option<&Path> {
    let below = name.strip_prefix("nvidia").ok()?;
    let folder = below.iter().next().filter(|folder| folder.to_string_lossy().starts_with("cu"))?;
    // Python's, in every folder.
    below.strip_prefix(folder).ok().filter(|below| !below.ends_with("__init__.py"))
}

/// The file of this wheel among what was fetched.
pub(crate) fn find(wheel: &Wheel, folder: &Path) -> Result<PathBuf> {
    // A wheel's file is `name-version-...whl`, with `_` for every `-` in the name.
    let start = format!("{}-{}-", wheel.name.replace('-', "_"), wheel.version);
    for entry in fs::read_dir(folder).with_context(|| cannot("list", folder))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&start) {
            return Ok(entry.path());
        }
    }
    bail!(say!("no-wheel", wheel = &wheel.name, version = &wheel.version))
}

/// Fails unless the file is, byte for byte, the one that was pinned.
pub(crate) fn verify(wheel: &Wheel, file: &Path) -> Result<()> {
    let mut reader = File::open(file).with_context(|| cannot("open", file))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = reader.read(&mut buffer).with_context(|| cannot("read", file))?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
    }
    let found = format!("{:x}", hasher.finalize());
    if found != wheel.sha256 {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = say!("wrong-hash.bytes", bytes = reader.metadata().map_or(0, |metadata| metadata.len()));
        let (pinned, found_label) = (say!("wrong-hash.pinned"), say!("wrong-hash.found"));
        let hashes = format!("  {pinned:<7} {}\n  {found_label:<7} {found} ({bytes})", wheel.sha256);
        bail!("{}\n{hashes}\n{}", say!("wrong-hash", file = name), say!("wrong-hash.help"));
    }
    Ok(())
}

/// Unzips what a wheel has for the toolkit into `tree`, and its licence into `tree/licenses`.
pub(crate) fn unzip(wheel: &Wheel, file: &Path, tree: &Path) -> Result<()> {
    let reader = BufReader::new(File::open(file).with_context(|| cannot("open", file))?);
    let mut archive = zip::ZipArchive::new(reader).with_context(|| say!("not-a-zip", file = shown(file)))?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).with_context(|| cannot("read", file))?;
        // `enclosed_name` is none for a path that would leave the tree.
        let Some(name) = entry.enclosed_name() else { bail!(say!("leaves-it", file = shown(file))) };
        let target = if let Some(below) = inside(&name) {
            if is_second_build(below) {
                continue;
            }
            tree.join(below)
        } else if name.components().any(|part| part.as_os_str() == "licenses") && entry.is_file() {
            tree.join("licenses").join(&wheel.name).join(name.file_name().unwrap_or_default())
        } else {
            continue; // The wheel's own book-keeping.
        };
        if entry.is_dir() {
            fs::create_dir_all(&target).with_context(|| cannot("create", &target))?;
            continue;
        }
        write(&mut entry, &target).with_context(|| cannot("write", &target))?;
        // Installers of wheels drop the run bit, and some zips never had it.
        if is_program(&name) {
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755))
                .with_context(|| cannot("make-runnable", &target))?;
        }
    }
    Ok(())
}

/// NVRTC comes twice, with two allocators for its own memory: 110 MB that nobody asks for.
fn is_second_build(name: &Path) -> bool {
    name.file_name().is_some_and(|name| name.to_string_lossy().contains(".alt.so"))
}

fn is_program(name: &Path) -> bool {
    name.parent().is_some_and(|folder| folder.ends_with("bin")) && name.extension().is_none()
}

fn write(from: &mut impl Read, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target.parent().unwrap_or(Path::new("/")))?;
    let mut to = BufWriter::new(File::create(target)?);
    io::copy(from, &mut to)?;
    // Without this a full disk would show itself only where nobody looks, when `to` is dropped.
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_of_all_years_make_one_toolkit() {
        for (name, want) in [
            ("nvidia/cu13/bin/nvcc", Some("bin/nvcc")),
            ("nvidia/cuda_runtime/include/cuda.h", Some("include/cuda.h")),
            ("nvidia/cuda_nvrtc/lib/__init__.py", None),
            ("nvidia/__init__.py", None),
            ("other/cu13/bin/nvcc", None),
        ] {
            assert_eq!(inside(Path::new(name)), want.map(Path::new), "{name}");
        }
    }
}
