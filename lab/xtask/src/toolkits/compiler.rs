//! The compilers of the toolkits that the kernels are tried with, each fetched once into the cache folder.

use super::FOLDER;
use crate::nvrtc::Nvrtc;
use anyhow::{Context, Result, anyhow};
use kernel_build::{Error, KernelSource, Nvcc, toolkit};
use std::fs;
use std::path::{Path, PathBuf};
use toolkit_install::wheels::{self, OTHERS};
use toolkit_install::{Pip, install};

pub enum Compiler {
    Nvcc(Nvcc),
    Nvrtc { nvrtc: Box<Nvrtc>, version: String, folders: Vec<PathBuf> },
}

/// The toolkits, the oldest first; for a sample only the oldest and the newest.
pub fn all(root: &Path, sample: bool) -> Result<Vec<Compiler>> {
    let mut versions: Vec<&str> = OTHERS.iter().map(|other| other.version).collect();
    versions.push(toolkit::NVCC_VERSION);
    versions.sort_by_key(|version| version.split('.').map(|number| number.parse().unwrap_or(0)).collect::<Vec<u32>>());
    if sample {
        versions.drain(1..versions.len() - 1);
    }
    versions.into_iter().map(|version| open(root, version)).collect()
}

fn open(root: &Path, version: &str) -> Result<Compiler> {
    let folder = toolkit::folder_of(version).context("there is no home folder to keep a toolkit in")?;
    let wheels = match OTHERS.iter().find(|other| other.version == version) {
        Some(other) => other.wheels()?,
        None => wheels::for_this_machine()?,
    };
    install(&wheels, &Pip, &folder)?;
    let nvcc = folder.join("bin/nvcc");
    if nvcc.is_file() {
        let found_in = kernel_build::nvcc::FETCHED;
        return Ok(Compiler::Nvcc(Nvcc { path: nvcc, version: version.into(), found_in, passed_over: Vec::new() }));
    }
    let library = library(&folder.join("lib"))?;
    let nvrtc = Nvrtc::open(&library).map_err(|error| anyhow!("{} does not open: {error}", library.display()))?;
    let folders = vec![folder.join("include"), stand_ins(root)?];
    Ok(Compiler::Nvrtc { nvrtc: Box::new(nvrtc), version: version.into(), folders })
}

/// `libnvrtc.so.12` or whatever number it has.
fn library(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut found = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_it = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libnvrtc.so"));
    found.find(is_it).with_context(|| format!("there is no NVRTC in {}", folder.display()))
}

/// Writes the host's header that NVRTC lacks: the limits of `int`.
fn stand_ins(root: &Path) -> Result<PathBuf> {
    let folder = root.join(FOLDER).join("headers");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("limits.h"), "#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX - 1)\n")?;
    Ok(folder)
}

impl Compiler {
    pub fn version(&self) -> &str {
        match self {
            Compiler::Nvcc(nvcc) => &nvcc.version,
            Compiler::Nvrtc { version, .. } => version,
        }
    }

    /// PTX of a source, or what the compiler has against it.
    pub fn compile(&self, root: &Path, source: &KernelSource) -> Result<Result<String, String>> {
        match self {
            Compiler::Nvcc(nvcc) => match nvcc.compile(root, source) {
                Ok(compiled) => Ok(Ok(compiled.ptx)),
                Err(Error::Nvcc { text, .. }) => Ok(Err(text)),
                Err(error) => Err(error.into()),
            },
            Compiler::Nvrtc { nvrtc, folders, .. } => {
                let text = fs::read_to_string(root.join(&source.path))?;
                let compiled = nvrtc.compile(&text, &source.path, &nvrtc_options(root, source, folders), &[]);
                Ok(compiled.map(|compiled| compiled.ptx).map_err(|refused| refused.log))
            }
        }
    }
}

/// nvcc's flags as NVRTC has them: it always optimises, looks for headers only where it is told, and declares the
/// device runtime's functions only if their header is included.
fn nvrtc_options(root: &Path, source: &KernelSource, folders: &[PathBuf]) -> Vec<String> {
    let mut options: Vec<String> = source.flags.iter().filter(|flag| *flag != "-O3").cloned().collect();
    if options.iter().any(|flag| flag == "-rdc=true") {
        options.push("--pre-include=cuda_device_runtime_api.h".into());
    }
    let beside = root.join(&source.path).parent().map(Path::to_path_buf);
    options.extend(folders.iter().chain(&beside).map(|folder| format!("-I{}", folder.display())));
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nvrtc_gets_its_own_flags() {
        let flags = ["-O3", "-lineinfo", "-rdc=true"].map(String::from).to_vec();
        let source = KernelSource { path: "cuda/a/b.cu".into(), flags, headers: Vec::new(), hash: String::new() };
        let options = nvrtc_options(Path::new("/r"), &source, &["/i".into()]);
        let want = ["-lineinfo", "-rdc=true", "--pre-include=cuda_device_runtime_api.h", "-I/i", "-I/r/cuda/a"];
        assert_eq!(options, want);
    }
}
