//! `status`: what is here to build kernels with, what is missing, and the command that fixes it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use kernel_build::{Doing, Error, KernelSource, Nvcc, host, nvcc, toolkit};

use crate::fetch::find_pip;
use crate::speech::shown;

/// Returns the text of `--help`.
pub fn usage() -> String {
    let calls = [
        ("install [--dir FOLDER]", say!("usage.install")),
        ("status", say!("usage.status")),
        ("uninstall [--dir FOLDER]", say!("usage.uninstall")),
    ];
    let (mut text, command) = (String::new(), toolkit::command());
    for (at, (call, does)) in calls.into_iter().enumerate() {
        let label = if at == 0 { say!("usage") } else { String::new() };
        let _ = writeln!(text, "{label:<7}{command} {call:<26}{does}");
    }
    text + "\n" + &say!("usage.lang") + "\n" + &say!("usage.exit")
}

/// The report, and whether kernels can be compiled.
pub fn status() -> (String, bool) {
    let host = say!("label-host");
    // The longest label, and two spaces.
    let width = host.chars().count() + 2;
    let mut text = String::new();
    let mut put = |label: &str, what: &str| _ = writeln!(text, "{label:width$}{what}");
    let candidates = nvcc::candidates();
    for (place, path) in &candidates {
        let answer = nvcc::probe(path).unwrap_or_else(|problem| say!("does-not-work", problem));
        let from = if *place == nvcc::FETCHED { say!("the-fetched-toolkit") } else { place.to_string() };
        put("nvcc", &say!("nvcc-at", answer, path = shown(path), from));
    }
    if candidates.is_empty() {
        put("nvcc", &say!("none-found"));
    }
    let fetched = match toolkit::default_folder() {
        Some(folder) if toolkit::is_complete(&folder) => shown(&folder),
        Some(folder) => say!("not-fetched", command = toolkit::command(), folder = shown(&folder)),
        None => say!("needs-dir"),
    };
    put(&say!("label-fetched"), &fetched);
    // Stands below what is missing.
    let get = |command: &str| format!("\n{:width$}{}", "", say!("to-get-it", command));
    let compiler = match host::find() {
        Ok(compiler) => format!("{} {}", compiler.path.display(), compiler.version),
        Err(problem) => say!("no-host", problem) + &get("`sudo apt-get install g++`"),
    };
    put(&host, &compiler);
    let pip = match find_pip() {
        Ok(words) => words.join(" "),
        Err(_) => say!("no-pip-needed", command = toolkit::command()) + &get("`sudo apt-get install python3-pip`"),
    };
    put("pip", &pip);
    put(&say!("label-stored"), &say!("made-by", version = toolkit::NVCC_VERSION));

    let trial = Nvcc::find().and_then(|nvcc| trial(&nvcc).map(|()| nvcc));
    let last = match &trial {
        Ok(nvcc) => say!("works", version = &nvcc.version),
        Err(error) => format!("{}\n{error}", say!("works-not")),
    };
    let _ = write!(text, "\n{last}");
    (text, trial.is_ok())
}

/// Compiles a kernel of two lines: the one proof that nvcc, its headers and the host compiler go together.
fn trial(nvcc: &Nvcc) -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("kernel-trial-{}", std::process::id()));
    let failed = |error| Error::Io { doing: Doing::Write, path: folder.clone(), error };
    fs::create_dir_all(&folder).map_err(failed)?;
    let result =
        fs::write(folder.join("trial.cu"), "// A trial.\n__global__ void trial(int* a) { atomicAdd(a, 1); }\n")
            .map_err(failed)
            .and_then(|()| KernelSource::read(&folder, Path::new("trial.cu")))
            .and_then(|source| nvcc.compile(&folder, &source).map(drop));
    fs::remove_dir_all(&folder).map_err(failed)?;
    result
}
