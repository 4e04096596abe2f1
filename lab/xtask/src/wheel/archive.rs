//! The command and its library as an archive, for machines without Python, and the hashes of what is published.

use crate::wheel::{Build, LIBRARY};
use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const SUMS: &str = "SHA256SUMS";

/// Writes `gpu-check-VERSION-ARCH.tar.gz` into the folder. What it holds lies in a folder of the same name.
pub fn write(root: &Path, build: &Build, to: &Path) -> Result<PathBuf> {
    let name = format!("gpu-check-{}-{}", build.version, std::env::consts::ARCH);
    let place = tempfile::tempdir()?;
    let folder = place.path().join(&name);
    fs::create_dir(&folder)?;
    put(&folder.join("gpu-check"), &build.program, 0o755)?;
    put(&folder.join(LIBRARY), &build.library, 0o755)?;
    put(&folder.join("README.md"), readme(build).as_bytes(), 0o644)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        put(&folder.join(license), &fs::read(root.join(license))?, 0o644)?;
    }
    let archive = to.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-C"]).arg(place.path());
    let status = tar.arg("-czf").arg(&archive).arg(&name).status().context("cannot run tar")?;
    ensure!(status.success(), "tar did not write {}", archive.display());
    Ok(archive)
}

fn put(file: &Path, bytes: &[u8], rights: u32) -> Result<()> {
    fs::write(file, bytes)?;
    Ok(fs::set_permissions(file, fs::Permissions::from_mode(rights))?)
}

fn readme(build: &Build) -> String {
    let Build { version, needed_glibc, .. } = build;
    format!(
        "# gpu-check {version}\n\nCUDA programs on an emulated GPU, with every check. It needs Linux with a C library \
         of 2.{needed_glibc} or newer, and\nno GPU. The two files `gpu-check` and `{LIBRARY}` stay side by side.\n\n\
         ```\n./gpu-check toolkit install      # fetches nvcc, for .cu files\n\
         ./gpu-check my.cu                # compiles it, runs it and checks every launch\n\
         ./gpu-check ./a.out 1000         # a program that is built already\n```\n\n\
         The exit status is 99 if something was found. `./gpu-check --help` has the options.\n"
    )
}

/// Writes the hashes of these files beside them, as `sha256sum --check SHA256SUMS` reads them.
pub fn write_sums(files: &[&Path], to: &Path) -> Result<()> {
    let mut lines = String::new();
    for file in files {
        let name = file.file_name().context("a file without a name")?.to_string_lossy();
        lines += &format!("{:x}  {name}\n", Sha256::digest(fs::read(file)?));
    }
    Ok(fs::write(to.join(SUMS), lines)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_what_it_needs_and_fits_its_hash() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (program, library) = (b"#!/bin/sh\necho runs\n".to_vec(), b"library".to_vec());
        let build = Build { program, library, version: "1.2.3".into(), needed_glibc: 34 };
        let to = tempfile::tempdir().unwrap();
        let archive = write(&root, &build, to.path()).unwrap();
        write_sums(&[&archive], to.path()).unwrap();
        let script = format!(
            "sha256sum --quiet --check {SUMS} && tar -xf gpu-check-*.tar.gz && cd gpu-check-1.2.3-* && \
             ./gpu-check && ls"
        );
        let output = Command::new("sh").args(["-c", &script]).current_dir(to.path()).output().unwrap();
        let listed = String::from_utf8(output.stdout).unwrap();
        let mut lines: Vec<&str> = listed.lines().collect();
        lines.sort();
        assert_eq!(lines, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "gpu-check", LIBRARY, "runs"]);
    }
}
