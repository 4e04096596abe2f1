//! `cargo toolkit status`: what is here to build kernels with, what is missing, and the command that fixes it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use kernel_build::{Error, Nvcc, Source, host, nvcc, toolkit};

use crate::fetch::find_pip;

/// Stands before a command that brings what the line above lacks.
const MENDS: &str = "               to get it: ";

/// The report, and whether kernels can be compiled.
pub fn status() -> (String, bool) {
    let mut text = String::new();
    let candidates = nvcc::candidates();
    for (place, path) in &candidates {
        let answer = nvcc::probe(path).unwrap_or_else(|problem| format!("does not work: {problem}"));
        let _ = writeln!(text, "nvcc           {answer}, at {} (from {place})", path.display());
    }
    if candidates.is_empty() {
        let _ = writeln!(text, "nvcc           none found");
    }
    match toolkit::default_folder() {
        Some(folder) if toolkit::is_complete(&folder) => {
            let _ = writeln!(text, "fetched        {}", folder.display());
        }
        Some(folder) => {
            let _ =
                writeln!(text, "fetched        not yet; `cargo toolkit install` would put it in {}", folder.display());
        }
        None => {
            let _ = writeln!(text, "fetched        neither HOME nor XDG_CACHE_HOME is set, so `--dir` is needed");
        }
    }
    match host::find() {
        Ok(compiler) => {
            let _ = writeln!(text, "host compiler  {} {}", compiler.path.display(), compiler.version);
        }
        Err(problem) => {
            let _ = writeln!(text, "host compiler  none that works: {problem}\n{MENDS}`sudo apt-get install g++`");
        }
    }
    let pip = match find_pip() {
        Ok(words) => words.join(" "),
        Err(_) => format!("none (only `cargo toolkit install` needs it)\n{MENDS}`sudo apt-get install python3-pip`"),
    };
    let _ = writeln!(text, "pip            {pip}");
    let _ = writeln!(text, "stored PTX     made by nvcc {}", toolkit::NVCC_VERSION);

    let trial = Nvcc::find().and_then(|nvcc| trial(&nvcc).map(|()| nvcc));
    match &trial {
        Ok(nvcc) => {
            let _ = write!(text, "\nKernels can be compiled: nvcc {} did a trial one.", nvcc.version);
        }
        Err(error) => {
            let _ = write!(text, "\nKernels that you change cannot be compiled yet.\n{error}");
        }
    }
    (text, trial.is_ok())
}

/// Compiles a kernel of two lines: the one proof that nvcc, its headers and the host compiler go together.
fn trial(nvcc: &Nvcc) -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("kernel-trial-{}", std::process::id()));
    let failed = |error| Error::Io { doing: "cannot write to", path: folder.clone(), error };
    fs::create_dir_all(&folder).map_err(failed)?;
    let result =
        fs::write(folder.join("trial.cu"), "// A trial.\n__global__ void trial(int* a) { atomicAdd(a, 1); }\n")
            .map_err(failed)
            .and_then(|()| Source::read(&folder, Path::new("trial.cu")))
            .and_then(|source| nvcc.compile(&folder, &source).map(drop));
    fs::remove_dir_all(&folder).map_err(failed)?;
    result
}
