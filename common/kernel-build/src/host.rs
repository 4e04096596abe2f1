//! The host C++ compiler: nvcc preprocesses every file with it, even when only PTX is wanted.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler that nvcc will call, found to work on C++.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCompiler {
    pub path: PathBuf,
    /// As `-dumpfullversion` prints it.
    pub version: String,
}

/// `NVCC_CCBIN` if it is set, as nvcc itself reads it, and `gcc` on `PATH` otherwise.
///
/// `Err` says what is wrong: there is none, or (usual on a bare Debian) `gcc` is there without its C++ part.
pub fn find() -> Result<HostCompiler, String> {
    let path = match env::var_os("NVCC_CCBIN") {
        // It may name a folder; nvcc then takes `gcc` in it.
        Some(named) if Path::new(&named).is_dir() => Path::new(&named).join("gcc"),
        Some(named) => PathBuf::from(named),
        None => PathBuf::from("gcc"),
    };
    let version = run(&path, &["-dumpfullversion", "-dumpversion"])?;
    // The preprocessor for C++ is a program of its own (`cc1plus`), in the package `g++`.
    run(&path, &["-x", "c++", "-E", "/dev/null"])?;
    Ok(HostCompiler { path, version: version.trim().to_string() })
}

fn run(program: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| {
        let program = program.display().to_string();
        say!("program-cannot-run", program, error = crate::of_system(&error))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let said = message.lines().next().map_or_else(|| say!("said-nothing"), str::to_string);
    Err(say!("program-fails", program = format!("{} {}", program.display(), arguments.join(" ")), said))
}
