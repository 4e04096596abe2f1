//! nvcc: where it may be, whether it works, and one run of it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::{Doing, Error, KernelSource, host, normalise, toolkit};

/// The place where `cargo toolkit install` has put one.
pub const FETCHED: &str = "the fetched toolkit";

/// An nvcc that answered `--version`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nvcc {
    pub path: PathBuf,
    /// `13.0.88`
    pub version: String,
    /// The place where it was found, for people: `PATH`, `CUDA_HOME`, `the fetched toolkit`.
    pub found_in: &'static str,
    /// Candidates that came first and do not work, each with what is wrong.
    pub passed_over: Vec<(PathBuf, String)>,
}

/// The results of one run of nvcc.
#[derive(Debug)]
pub struct NvccOutput {
    /// Normalised: the same on every machine.
    pub ptx: String,
    /// The text that nvcc printed although it succeeded; empty most of the time.
    pub warnings: String,
}

/// Every nvcc on this machine, in the order in which they are tried, with the place it was found in.
///
/// `NVCC` is the user's word: where it is set nothing else is tried.
pub fn candidates() -> Vec<(&'static str, PathBuf)> {
    let mut found: Vec<(&'static str, PathBuf)> = Vec::new();
    for (place, path) in named() {
        let path = behind_links(path);
        if found.iter().all(|(_, known)| *known != path) {
            found.push((place, path));
        }
    }
    found
}

/// nvcc looks for its headers beside the path that it was called by, so a link to it alone leads it astray. A link to
/// something else, such as a compiler cache, is meant as it is.
fn behind_links(path: PathBuf) -> PathBuf {
    path.canonicalize().ok().filter(|real| real.file_name() == Some(OsStr::new("nvcc"))).unwrap_or(path)
}

fn named() -> Vec<(&'static str, PathBuf)> {
    if let Some(named) = env::var_os("NVCC").filter(|named| !named.is_empty()) {
        let path = PathBuf::from(&named);
        let bare = path.components().count() == 1;
        return vec![("NVCC", if bare { on_path(&named).into_iter().next().unwrap_or(path) } else { path })];
    }
    let mut found = Vec::new();
    let mut add = |place, path: PathBuf| {
        if path.is_file() {
            found.push((place, path));
        }
    };
    for name in ["CUDA_HOME", "CUDA_PATH"] {
        if let Some(home) = env::var_os(name) {
            add(name, Path::new(&home).join("bin/nvcc"));
        }
    }
    for path in on_path(OsStr::new("nvcc")) {
        add("PATH", path);
    }
    for home in ["/usr/local/cuda", "/opt/cuda"] {
        add(home, Path::new(home).join("bin/nvcc"));
    }
    if let Some(folder) = toolkit::default_folder().filter(|folder| toolkit::is_complete(folder)) {
        add(FETCHED, folder.join("bin/nvcc"));
    }
    found
}

fn on_path(name: &OsStr) -> Vec<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(name)).filter(|path| path.is_file()).collect()
}

impl Nvcc {
    /// The first candidate that works.
    pub fn find() -> Result<Self, Error> {
        Self::first(|_| true)
    }

    /// The first candidate that works and has this version.
    pub fn find_version(version: &str) -> Result<Self, Error> {
        Self::first(|found| found == version)
    }

    fn first(accept: impl Fn(&str) -> bool) -> Result<Self, Error> {
        let mut passed_over = Vec::new();
        for (found_in, path) in candidates() {
            match probe(&path) {
                Ok(version) if accept(&version) => return Ok(Nvcc { path, version, found_in, passed_over }),
                Ok(version) => passed_over.push((path, say!("another-version", version))),
                Err(problem) => passed_over.push((path, problem)),
            }
        }
        Err(if passed_over.is_empty() { Error::NoNvcc } else { Error::BrokenNvcc(passed_over) })
    }

    /// Compiles one source to PTX. nvcc runs in `root` and gets the relative path, so no machine's paths reach the PTX.
    pub fn compile(&self, root: &Path, source: &KernelSource) -> Result<NvccOutput, Error> {
        host::find().map_err(|problem| Error::NoHostCompiler { nvcc: self.path.clone(), problem })?;
        let root = root.canonicalize().map_err(|error| Error::io(Doing::Open, root, error))?;
        let folder = scratch(source)?;
        let result = self.compile_into(&folder, &root, source, &source.path);
        let removed = fs::remove_dir_all(&folder).map_err(|error| Error::io(Doing::Remove, &folder, error));
        result.and_then(|compiled| removed.map(|()| compiled))
    }

    /// PTX of `text` as if it stood in `source`'s file, which stays as it is.
    pub fn compile_changed(&self, root: &Path, source: &KernelSource, text: &str) -> Result<String, Error> {
        host::find().map_err(|problem| Error::NoHostCompiler { nvcc: self.path.clone(), problem })?;
        let root = root.canonicalize().map_err(|error| Error::io(Doing::Open, root, error))?;
        let folder = scratch(source)?;
        let file = folder.join(source.name()).with_extension("cu");
        let written = fs::write(&file, text).map_err(|error| Error::io(Doing::Write, &file, error));
        // Files that it includes with quotes lie beside the original.
        let beside = Path::new(&source.path).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned();
        let path = file.to_string_lossy().into_owned();
        let flags = source.flags.iter().cloned().chain(["-I".to_string(), beside]).collect();
        let changed = KernelSource { path, flags, ..source.clone() };
        let result = written.and_then(|()| self.compile_into(&folder, &root, &changed, &source.path));
        let removed = fs::remove_dir_all(&folder).map_err(|error| Error::io(Doing::Remove, &folder, error));
        result.and_then(|compiled| removed.map(|()| compiled.ptx))
    }

    /// `called`: the path that the PTX is to know the source by, relative to `root`.
    fn compile_into(
        &self,
        folder: &Path,
        root: &Path,
        source: &KernelSource,
        called: &str,
    ) -> Result<NvccOutput, Error> {
        let target = folder.join("out.ptx");
        let output = Command::new(&self.path)
            .current_dir(root)
            // Flags from the environment would change the PTX without a trace in its header.
            .env_remove("NVCC_PREPEND_FLAGS")
            .env_remove("NVCC_APPEND_FLAGS")
            .arg("-ptx")
            .args(&source.flags)
            .arg(&source.path)
            .arg("-o")
            .arg(&target)
            .output()
            .map_err(|error| Error::io(Doing::Run, &self.path, error))?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            return Err(Error::Nvcc { source: source.path.clone(), text });
        }
        let ptx = fs::read_to_string(&target).map_err(|error| Error::io(Doing::Read, &target, error))?;
        let source = normalise::CompiledFile { file: Path::new(&source.path), called };
        Ok(NvccOutput { ptx: normalise::ptx(&ptx, root, &self.path, source), warnings: text })
    }

    /// Returns the error of `ptxas` if it refuses such PTX, as nvcc does when it goes on to machine code. A wrapper of
    /// nvcc may have none beside it; then nothing is said.
    pub(crate) fn assembler_error(&self, source: &KernelSource, ptx: &str) -> Result<Option<String>, Error> {
        if !self.sibling("ptxas").is_file() {
            return Ok(None);
        }
        let folder = scratch(source)?;
        let result = self.assemble(&folder, source, ptx);
        let removed = fs::remove_dir_all(&folder).map_err(|error| Error::io(Doing::Remove, &folder, error));
        result.and_then(|said| removed.map(|()| said))
    }

    fn assemble(&self, folder: &Path, source: &KernelSource, ptx: &str) -> Result<Option<String>, Error> {
        let (name, ptxas) = (format!("{}.ptx", source.name()), self.sibling("ptxas"));
        let file = folder.join(&name);
        fs::write(&file, ptx).map_err(|error| Error::io(Doing::Write, &file, error))?;
        let target = ptx.lines().find_map(|line| line.strip_prefix(".target ")?.split(',').next());
        let output = Command::new(&ptxas)
            .current_dir(folder)
            // Without a link: what it calls may be elsewhere.
            .args(["--compile-only", "--gpu-name", target.unwrap_or("sm_75").trim(), "-o", "out.cubin", &name])
            .output()
            .map_err(|error| Error::io(Doing::Run, &ptxas, error))?;
        Ok((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    /// A program that lies beside nvcc, such as `ptxas`.
    pub fn sibling(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }
}

/// `13.0.88` from a working nvcc, or what is wrong with it.
pub fn probe(path: &Path) -> Result<String, String> {
    let output = Command::new(path)
        .arg("--version")
        .output()
        .map_err(|error| say!("cannot-run", error = crate::of_system(&error)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(say!("version-fails", status = output.status.to_string()));
    }
    // "Cuda compilation tools, release 13.0, V13.0.88"
    text.split_whitespace()
        .filter_map(|word| word.strip_prefix('V'))
        .find(|version| version.starts_with(|first: char| first.is_ascii_digit()))
        .map(String::from)
        .ok_or_else(|| say!("names-no-version"))
}

/// A folder of this run's own for nvcc's output.
fn scratch(source: &KernelSource) -> Result<PathBuf, Error> {
    let parent = env::var_os("OUT_DIR").map_or_else(env::temp_dir, PathBuf::from);
    let number = SCRATCH.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = parent.join(format!("nvcc-{}-{}-{number}", source.name(), std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| Error::io(Doing::Create, &folder, error))?;
    Ok(folder)
}

static SCRATCH: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
