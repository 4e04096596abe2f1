//! Compilers that programs start as commands, by the names under which they look for them: `ptxas`, and `nvcc` with
//! `-cubin`. In place of machine code they give PTX, with a NUL behind it, as [`gpu_check::compilers`] does for NVRTC.
//!
//! They are scripts that start this program, in a folder that comes first on the checked program's `PATH`. The folder
//! looks like the real toolkit, since programs find headers and libraries beside nvcc's `bin`. A compiler that calls
//! its own `ptxas` by its full path, as NVIDIA's nvcc does, is not affected.

mod nvcc;
mod ptxas;

use anyhow::{Context, Result};
use kernel_build::nvcc::candidates;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The nvcc behind the stand-in.
const NVCC: &str = "GPU_CHECK_NVCC";

/// Variables by which programs that bring a ptxas of their own are told of another.
const PTXAS_VARIABLES: [&str; 2] = ["TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"];

/// Parts of a toolkit that programs look for beside nvcc.
const BESIDE_BIN: [&str; 5] = ["include", "lib", "lib64", "nvvm", "targets"];
const IN_BIN: [&str; 7] = ["bin2c", "cicc", "crt", "cudafe++", "fatbinary", "nvcc.profile", "nvlink"];

/// The name of the stand-in that this program is to be.
const NAME: &str = "GPU_CHECK_STAND_IN";

/// A folder like a toolkit's, for as long as the program runs.
pub struct StandIns {
    bin: PathBuf,
    nvcc: Option<PathBuf>,
}

impl StandIns {
    /// Makes `folder`. There is no nvcc in it without a real one, since programs test for it.
    pub fn make(folder: &Path) -> Result<StandIns> {
        // `NVCC` may name one that is not there.
        let real = candidates().into_iter().filter_map(|(_, path)| std::path::absolute(path).ok());
        let nvcc = real.filter(|path| path.is_file()).find(|path| !is_stand_in(path));
        let made = StandIns { bin: folder.join("bin"), nvcc };
        made.fill(folder).context(say!("no-folder"))?;
        Ok(made)
    }

    fn fill(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.bin)?;
        let names = ["ptxas", "nvcc"];
        for name in &names[..if self.nvcc.is_some() { 2 } else { 1 }] {
            write_script(&self.bin.join(name), name)?;
        }
        let real = self.nvcc.as_ref().and_then(|nvcc| nvcc.parent()?.parent());
        let Some(real) = real else { return Ok(()) };
        // By name: the folder may be /usr, and other programs must not come before the user's.
        let link = |from: &Path, to: PathBuf| if from.exists() { symlink(from, to) } else { Ok(()) };
        for name in BESIDE_BIN {
            link(&real.join(name), folder.join(name))?;
        }
        for name in IN_BIN {
            link(&real.join("bin").join(name), self.bin.join(name))?;
        }
        // Where the real one has one of the two, programs may look for the other.
        if folder.join("lib").exists() && !folder.join("lib64").exists() {
            symlink(folder.join("lib"), folder.join("lib64"))?;
        }
        Ok(())
    }

    /// Has `command`, and whatever it starts, find the stand-ins first.
    pub fn put_first(&self, command: &mut Command) {
        let mut path = self.bin.as_os_str().to_owned();
        if let Some(others) = std::env::var_os("PATH") {
            path.push(":");
            path.push(others);
        }
        command.env("PATH", path);
        if let Some(nvcc) = &self.nvcc {
            command.env(NVCC, nvcc);
        }
        // A value that the user has set takes precedence.
        for variable in PTXAS_VARIABLES.into_iter().filter(|variable| std::env::var_os(variable).is_none()) {
            command.env(variable, self.bin.join("ptxas"));
        }
    }
}

/// Writes a script that starts this program as a stand-in. The path is quoted for a shell.
fn write_script(file: &Path, name: &str) -> std::io::Result<()> {
    let this = std::env::current_exe()?;
    let mut script = format!("#!/bin/sh\n{NAME}={name} exec '").into_bytes();
    for &byte in this.as_os_str().as_bytes() {
        script.extend_from_slice(if byte == b'\'' { b"'\\''" } else { std::slice::from_ref(&byte) });
    }
    script.extend_from_slice(b"' \"$@\"\n");
    let mut options = std::fs::File::options();
    options.write(true).create_new(true).mode(0o755).open(file)?.write_all(&script)
}

/// Returns true for a stand-in of a `gpu-check` that has started this one.
fn is_stand_in(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|start| start.starts_with(format!("#!/bin/sh\n{NAME}=").as_bytes()))
}

/// Runs the stand-in whose name the environment has. `None` for `gpu-check` itself.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let name = std::env::var(NAME).ok()?;
    let arguments: Vec<OsString> = arguments.skip(1).collect();
    let status = match name.as_str() {
        "ptxas" => ptxas::run(&arguments),
        "nvcc" => nvcc::run(&arguments),
        _ => return None,
    };
    Some(ExitCode::from(status))
}

/// Writes PTX to where machine code is expected. The NUL is for programs that hand it to the driver without a length.
fn write_image(ptx: &[u8], file: &Path) -> std::io::Result<()> {
    let mut image = ptx.to_vec();
    if !image.ends_with(b"\0") {
        image.push(0);
    }
    std::fs::write(file, image)
}
