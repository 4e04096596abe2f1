//! From a `.cu` file to a program: by the nvcc that the course finds, with line numbers and our runtime.

use super::cli::CheckOptions;
use super::library::Library;
use anyhow::{Context, Result, bail};
use kernel_build::Nvcc;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Older than the emulated GPU's own: CUDA's headers have simpler code for it.
const ARCHITECTURE: &str = "-arch=sm_80";
/// The emulated GPU's own, with the instructions that no later one has. For `-arch=sm_90a` nvcc 13.0 also makes code
/// for `compute_90`, which does not have them.
const NEWEST: &str = "-gencode=arch=compute_90a,code=[sm_90a,compute_90a]";
/// Words of a source that ask for it: clusters, bulk copies, tensor maps, warpgroups. What a source includes is not
/// searched.
const NEEDS_NEWEST: &[&str] = &[
    "__cluster_dims__",
    "__block_size__",
    "this_cluster",
    "cluster_group",
    "LaunchAttributeClusterDimension",
    "LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
    "barrier.cluster",
    "shared::cluster",
    "cp.async.bulk",
    "cp_async_bulk",
    "CUtensorMap",
    "wgmma",
    "setmaxnreg",
    "mbarrier.try_wait",
    "elect.sync",
    "griddepcontrol",
    "cudaGridDependencySynchronize",
];

/// The program that is run.
pub struct Program {
    pub file: OsString,
    pub arguments: Vec<OsString>,
    /// The folder in which it was compiled, for as long as it is needed.
    _folder: Option<TempDir>,
}

/// The program of the command line, compiled if it is a source.
pub fn program(options: &CheckOptions, library: &Library) -> Result<Program> {
    let (first, arguments) = options.program.split_first().context(say!("no-program"))?;
    if Path::new(first).extension().is_none_or(|ending| ending != "cu") {
        return Ok(Program { file: first.clone(), arguments: arguments.to_vec(), _folder: None });
    }
    let source = Path::new(first);
    if !source.is_file() {
        bail!(say!("no-source", file = source.display().to_string()));
    }
    let folder = tempfile::tempdir().context(say!("no-folder"))?;
    let made = folder.path().join(source.file_stem().unwrap_or_default());
    compile(source, &made, options, library)?;
    Ok(Program { file: made.into(), arguments: arguments.to_vec(), _folder: Some(folder) })
}

fn compile(source: &Path, made: &Path, options: &CheckOptions, library: &Library) -> Result<()> {
    let nvcc = Nvcc::find()?;
    let flags: Vec<&str> = options.nvcc_flags.split_whitespace().collect();
    let mut command = Command::new(&nvcc.path);
    command.args(["-lineinfo", "-cudart", "shared", "-L"]).arg(library.folder());
    // The device runtime lies there, for `-rdc=true`.
    if let Some(folder) = libraries(&nvcc.path) {
        command.arg("-L").arg(folder);
    }
    if !flags.iter().any(|flag| flag.starts_with("-arch") || flag.starts_with("-gencode") || flag.starts_with("--gpu"))
    {
        command.arg(architecture(source));
    }
    command.args(flags).arg("-o").arg(made).arg(source);
    let status = command.status().with_context(|| say!("no-start", program = nvcc.path.display().to_string()))?;
    if !status.success() {
        bail!(say!("not-compiled", file = source.display().to_string(), compiler = nvcc.path.display().to_string()));
    }
    Ok(())
}

/// Returns the architecture for a source that the command line names none for.
fn architecture(source: &Path) -> &'static str {
    let text = std::fs::read(source).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if NEEDS_NEWEST.iter().any(|word| text.contains(word)) { NEWEST } else { ARCHITECTURE }
}

/// `lib` or `lib64` beside nvcc's `bin`.
fn libraries(nvcc: &Path) -> Option<PathBuf> {
    let toolkit = nvcc.canonicalize().ok()?.parent()?.parent()?.to_path_buf();
    ["lib64", "lib"].map(|name| toolkit.join(name)).into_iter().find(|folder| folder.join("libcudadevrt.a").is_file())
}
