//! `cargo xtask wheel`: `gpu-check` as a wheel for Python, the command and its library in one package. It needs nothing
//! but a C library, at least of the version that its name tells. With `--archive` the two are an archive too.

mod archive;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WheelOptions {
    /// The folder for the wheel.
    pub to: PathBuf,
    /// The build that is there already on a machine where people develop.
    pub is_debug: bool,
    /// Also writes an archive, and `SHA256SUMS` of both.
    pub with_archive: bool,
}

/// Reads `--to FOLDER`, `--debug` and `--archive`, in any order.
pub fn options(mut words: &[&str]) -> Option<WheelOptions> {
    let mut options = WheelOptions { to: "target/wheels".into(), is_debug: false, with_archive: false };
    loop {
        words = match words {
            [] => return Some(options),
            ["--debug", rest @ ..] => {
                options.is_debug = true;
                rest
            }
            ["--archive", rest @ ..] => {
                options.with_archive = true;
                rest
            }
            ["--to", folder, rest @ ..] if !folder.is_empty() => {
                options.to = folder.into();
                rest
            }
            _ => return None,
        };
    }
}

const LIBRARY: &str = "libgpu_check.so";

/// The prefix of the wheels' file names.
pub const START: &str = "gpu_check-";

const ENTRY_POINTS: &str =
    "[console_scripts]\ngpu-check = gpu_check.__main__:main\n\n[pytest11]\ngpu_check_pytest = gpu_check_pytest\n";

const MAIN: &str = r#""""Runs the command: `python -m gpu_check` is `gpu-check`."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gpu-check")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
"#;

pub fn run(root: &Path, options: &WheelOptions) -> Result<String> {
    let build = Build::read(&build(root, options)?, root)?;
    let to = root.join(&options.to);
    fs::create_dir_all(&to)?;
    let wheel = write_wheel(root, &build, &to)?;
    let mut written = shown(&wheel)? + &format!(", for a C library of 2.{} and newer", build.needed_glibc);
    if options.with_archive {
        let archive = archive::write(root, &build, &to)?;
        archive::write_sums(&[&wheel, &archive], &to)?;
        written += &format!("\n{}", shown(&archive)?);
    }
    Ok(written)
}

fn shown(path: &Path) -> Result<String> {
    Ok(format!("{}: {:.1} MB", path.display(), fs::metadata(path)?.len() as f64 / 1e6))
}

/// The files to pack.
struct Build {
    program: Vec<u8>,
    library: Vec<u8>,
    /// That of the workspace.
    version: String,
    /// The second number of the oldest C library that both run with.
    needed_glibc: u32,
}

impl Build {
    fn read(folder: &Path, root: &Path) -> Result<Build> {
        let (program, library) = (fs::read(folder.join("gpu-check"))?, fs::read(folder.join(LIBRARY))?);
        let needed_glibc = needed_glibc(&program).max(needed_glibc(&library));
        Ok(Build { program, library, version: version(root)?, needed_glibc })
    }
}

fn write_wheel(root: &Path, build: &Build, to: &Path) -> Result<PathBuf> {
    let Build { program, library, version, needed_glibc } = build;
    let tag = format!("py3-none-manylinux_2_{needed_glibc}_{}", std::env::consts::ARCH);
    let path = to.join(format!("{START}{version}-{tag}.whl"));
    let mut wheel = Wheel { zip: ZipWriter::new(File::create(&path)?), record: String::new() };

    let python = root.join("gpu-check/python");
    wheel.add("gpu_check/__init__.py", &fs::read(python.join("gpu_check.py"))?, 0o644)?;
    wheel.add("gpu_check/__main__.py", MAIN.as_bytes(), 0o644)?;
    wheel.add("gpu_check/bin/gpu-check", program, 0o755)?;
    wheel.add(&format!("gpu_check/bin/{LIBRARY}"), library, 0o755)?;
    for module in ["gpu_check_pytest.py", "gpu_check_records.py"] {
        wheel.add(module, &fs::read(python.join(module))?, 0o644)?;
    }
    let info = format!("gpu_check-{version}.dist-info");
    wheel.add(&format!("{info}/METADATA"), metadata(root, version)?.as_bytes(), 0o644)?;
    let about = format!("Wheel-Version: 1.0\nGenerator: gpu-check\nRoot-Is-Purelib: false\nTag: {tag}\n");
    wheel.add(&format!("{info}/WHEEL"), about.as_bytes(), 0o644)?;
    wheel.add(&format!("{info}/entry_points.txt"), ENTRY_POINTS.as_bytes(), 0o644)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        wheel.add(&format!("{info}/licenses/{license}"), &fs::read(root.join(license))?, 0o644)?;
    }
    wheel.finish(&info)?;
    Ok(path)
}

/// Builds the command and its library. Returns their folder.
fn build(root: &Path, options: &WheelOptions) -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let (profile, folder) = if options.is_debug { ("dev", "debug") } else { ("release", "release") };
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.arg("build");
    command.args(["--package", "gpu-check", "--profile", profile]).current_dir(root);
    if !options.is_debug {
        command.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    }
    ensure!(command.status()?.success(), "cargo did not build gpu-check");
    Ok(target.join(folder))
}

/// The version of the workspace.
fn version(root: &Path) -> Result<String> {
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    version.map(str::to_string).context("Cargo.toml has no version")
}

fn metadata(root: &Path, version: &str) -> Result<String> {
    let text = fs::read_to_string(root.join("docs/gpu-check.md"))?;
    Ok(format!(
        "Metadata-Version: 2.4\nName: gpu-check\nVersion: {version}\nSummary: CUDA programs on an emulated GPU, with \
         every check\nLicense-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\n\
         Requires-Python: >=3.9\nClassifier: Operating System :: POSIX :: Linux\n\
         Description-Content-Type: text/markdown\n\n{text}"
    ))
}

/// Returns the newest version of the C library whose functions a file asks for, by the names of the versions in it.
fn needed_glibc(file: &[u8]) -> u32 {
    let name = b"GLIBC_2.";
    let versions = file.windows(name.len()).enumerate().filter(|(_, part)| part == name).filter_map(|(at, _)| {
        let digits = &file[at + name.len()..];
        let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
        // A version that ends here, and not as in `2.2.5`.
        (digits[end] == 0).then(|| std::str::from_utf8(&digits[..end]).ok()?.parse().ok()).flatten()
    });
    versions.max().unwrap_or(17)
}

/// A wheel that is being written ("Binary distribution format", packaging.python.org).
struct Wheel {
    zip: ZipWriter<File>,
    /// A line for each file.
    record: String,
}

impl Wheel {
    fn add(&mut self, name: &str, bytes: &[u8], rights: u32) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        self.zip.start_file(name, options.unix_permissions(rights))?;
        self.zip.write_all(bytes)?;
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        self.record += &format!("{name},sha256={hash},{}\n", bytes.len());
        Ok(())
    }

    /// Writes the list of files, which has no hash of itself.
    fn finish(mut self, info: &str) -> Result<()> {
        let name = format!("{info}/RECORD");
        self.zip.start_file(&name, SimpleFileOptions::default().unix_permissions(0o644))?;
        let record = self.record + &format!("{name},,\n");
        self.zip.write_all(record.as_bytes())?;
        let Ok(_) = self.zip.finish() else { bail!("the wheel cannot be ended") };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_of_the_c_library_counts() {
        assert_eq!(needed_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.28\0GLIBC_2.4\0x"), 28);
        assert_eq!(needed_glibc(b"nothing"), 17);
    }

    #[test]
    fn options_come_in_any_order() {
        let read = options(&["--to", "here", "--debug", "--archive"]).unwrap();
        assert!(read.is_debug && read.with_archive && read.to == Path::new("here"));
        assert!(options(&["--to"]).is_none() && options(&["--other"]).is_none());
    }
}
