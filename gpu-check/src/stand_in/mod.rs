//! Compilers that programs start as commands, by the names under which they look for them: `ptxas`, and `nvcc` with
//! `-cubin`. In place of machine code they give PTX, with a NUL behind it, as [`gpu_check::compilers`] does for NVRTC.
//!
//! They are links to this program in a folder that comes first on the checked program's `PATH`. A compiler that calls
//! its own `ptxas` by its full path, as NVIDIA's nvcc does, is not affected.

mod nvcc;
mod ptxas;

use anyhow::{Context, Result};
use kernel_build::nvcc::candidates;
use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The nvcc behind the stand-in.
const NVCC: &str = "GPU_CHECK_NVCC";

/// Variables by which programs that bring a ptxas of their own are told of another.
const PTXAS_VARIABLES: [&str; 2] = ["TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"];

/// Stand-ins in a folder of their own, for as long as the program runs.
pub struct StandIns {
    folder: PathBuf,
    nvcc: Option<PathBuf>,
}

impl StandIns {
    /// Makes the links in `folder`. There is no nvcc without a real one, since programs test for it.
    pub fn make(folder: PathBuf) -> Result<StandIns> {
        let this = std::env::current_exe().context(say!("no-folder"))?;
        std::fs::create_dir(&folder).context(say!("no-folder"))?;
        let nvcc = candidates().into_iter().map(|(_, path)| path).find(|path| !is_stand_in(path));
        for name in [Some("ptxas"), nvcc.as_ref().map(|_| "nvcc")].into_iter().flatten() {
            symlink(&this, folder.join(name)).context(say!("no-folder"))?;
        }
        Ok(StandIns { folder, nvcc })
    }

    /// Has `command`, and whatever it starts, find the stand-ins first.
    pub fn put_first(&self, command: &mut Command) {
        let mut path = self.folder.as_os_str().to_owned();
        if let Some(others) = std::env::var_os("PATH") {
            path.push(":");
            path.push(others);
        }
        command.env("PATH", path);
        if let Some(nvcc) = &self.nvcc {
            command.env(NVCC, nvcc);
        }
        // What the user has named is meant.
        for variable in PTXAS_VARIABLES.into_iter().filter(|variable| std::env::var_os(variable).is_none()) {
            command.env(variable, self.folder.join("ptxas"));
        }
    }
}

/// Returns true for a stand-in of a `gpu-check` that has started this one.
fn is_stand_in(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| real.file_name().is_some_and(|name| name == "gpu-check"))
}

/// Runs the stand-in by whose name this program was called. `None` for `gpu-check` itself.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let name = PathBuf::from(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    let status = match name.file_name()?.to_str()? {
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
