//! CUDA C++ to PTX: NVRTC where it is to be had, else nvcc.

use crate::answer;
use crate::headers::{self, Headers};
use crate::letters::Plain;
use crate::spec::CompileSpec;
use crate::stored;
use crate::toolchain::Recipe;
use anyhow::{Context, Result, bail};
use driver::nvrtc::Nvrtc;
use emulator::Program;
use kernel_build::{Nvcc, toolkit};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Headers of the host whose functions for kernels (`printf`, `assert`, `malloc`, `memcpy`, mathematical ones) are
/// built into NVRTC, which has no such files. nvcc has them.
const BUILT_IN: [&str; 10] =
    ["assert.h", "cassert", "cmath", "cstdio", "cstdlib", "cstring", "math.h", "stdio.h", "stdlib.h", "string.h"];

/// A compiler that was found.
pub enum Compiler {
    /// With the folders of the toolkit's headers, and what is kept of them.
    Nvrtc(Nvrtc, Vec<PathBuf>, Headers),
    Nvcc(Nvcc),
}

/// The compiler, found at its first use, and the exercises' own programs that have been made.
#[derive(Default)]
pub struct Workshop {
    compiler: Option<Compiler>,
    programs: HashMap<PathBuf, (String, Arc<Program>)>,
    /// The recipe for programs of the host.
    pub recipe: Option<Recipe>,
    /// The student's folder, where this process is shut in.
    pub student: Option<PathBuf>,
    /// Called when the compiler is done with an answer, so that who waits knows what takes long.
    says_compiled: Option<fn()>,
}

impl Workshop {
    /// One that says when the compiler is done with an answer.
    pub fn saying(compiled: fn()) -> Workshop {
        Workshop { says_compiled: Some(compiled), ..Workshop::default() }
    }

    pub fn compiler(&mut self) -> Result<&Compiler, String> {
        if self.compiler.is_none() {
            self.compiler = Some(Compiler::find().map_err(|error| tell::in_a_line(&error))?);
        }
        self.compiler.as_ref().ok_or_else(|| say!("no-compiler"))
    }

    /// The compiler is done with the answer, or had nothing to do.
    pub fn has_compiled(&self) {
        if let Some(say) = self.says_compiled {
            say();
        }
    }

    /// See [`Compiler::keep_headers`].
    pub fn keep_headers(&self) {
        if let Some(compiler) = &self.compiler {
            compiler.keep_headers();
        }
    }

    /// The PTX of a file of the catalogue: stored PTX where that is in step, else compiled now.
    pub fn ptx(&mut self, path: &Path, how: &CompileSpec) -> Result<String, String> {
        if let Some(ptx) = stored::ptx(path, how) {
            return Ok(ptx);
        }
        let text = read(path)?;
        match self.compiler()?.compile(path, &text, how).map_err(|error| tell::in_a_line(&error))? {
            Compiled::Ptx { ptx, .. } => Ok(ptx),
            Compiled::Refused(log) => {
                Err(say!("file-does-not-compile", path = path.display().to_string()) + "\n" + &log)
            }
        }
    }

    /// The file at `path` as a program; made once as long as the file stays as it is.
    pub fn program(&mut self, path: &Path, how: &CompileSpec) -> Result<Arc<Program>, String> {
        let text = read(path)?;
        if let Some((of, program)) = self.programs.get(path)
            && *of == text
        {
            return Ok(program.clone());
        }
        let ptx = self.ptx(path, how)?;
        let program = Program::from_ptx(&[&ptx]).map_err(|error| format!("{}: {}", path.display(), error.message))?;
        let program = Arc::new(program);
        self.programs.insert(path.to_path_buf(), (text, program.clone()));
        Ok(program)
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path)
        .map_err(|error| say!("cannot-read", path = path.display().to_string()) + ": " + &tell::of_system(&error))
}

/// The result of compiling a source.
pub enum Compiled {
    Ptx {
        ptx: String,
        /// The compiler's warnings.
        warnings: String,
    },
    /// The compiler's own words.
    Refused(String),
}

impl Compiler {
    /// The first that works; the error names those that do not, and what to do.
    pub fn find() -> Result<Compiler> {
        let mut problems = Vec::new();
        for library in libraries() {
            match (Nvrtc::open(&library), include_folder(&library)) {
                (Ok(nvrtc), Some(include)) => {
                    let folders = [include.join("cccl"), include].into_iter().filter(|folder| folder.is_dir());
                    return Ok(Compiler::Nvrtc(nvrtc, folders.collect(), Headers::default()));
                }
                (Err(why), _) => problems.push((library, why)),
                (_, None) => problems.push((library, say!("no-headers"))),
            }
        }
        match Nvcc::find() {
            Ok(nvcc) => return Ok(Compiler::Nvcc(nvcc)),
            Err(kernel_build::Error::BrokenNvcc(found)) => problems.extend(found),
            Err(_) => {}
        }
        let mut text = say!("no-compiler");
        for (path, why) in problems {
            text.push_str(&format!("\n  {}", say!("compiler-unusable", path = path.display().to_string(), why)));
        }
        bail!(text)
    }

    /// `NVRTC 13.0`, for people.
    pub fn name(&self) -> String {
        match self {
            Compiler::Nvrtc(nvrtc, ..) => format!("NVRTC {}.{}", nvrtc.version().0, nvrtc.version().1),
            Compiler::Nvcc(nvcc) => format!("nvcc {}", nvcc.version),
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Compiler::Nvrtc(nvrtc, ..) => nvrtc.path(),
            Compiler::Nvcc(nvcc) => &nvcc.path,
        }
    }

    /// `path` is absolute: line tables carry it, and findings are shown by it.
    pub fn compile(&self, path: &Path, text: &str, how: &CompileSpec) -> Result<Compiled> {
        match self {
            Compiler::Nvrtc(nvrtc, folders, headers) => {
                let plain = Plain::of(text);
                let mut options = options(folders, &how.arch, &how.flags);
                options.extend(headers.options(&plain.text, how));
                // The name is repeated in the PTX. A file's own name is enough to know it by.
                let name = match answer::is_plain(path) {
                    true => path.to_string_lossy().into_owned(),
                    false => {
                        path.file_name().map_or("answer.cu".into(), |name| name.to_string_lossy().replace('"', "_"))
                    }
                };
                Ok(match nvrtc.compile(&plain.text, &name, &options, &BUILT_IN) {
                    Ok(compiled) => Compiled::Ptx { ptx: compiled.ptx, warnings: plain.told(compiled.log) },
                    Err(refused) => Compiled::Refused(plain.told(refused.log)),
                })
            }
            Compiler::Nvcc(nvcc) => run_nvcc(&nvcc.path, path, text, how),
        }
    }

    /// Keeps the headers of what was compiled, for the next time; for a process that has nothing else to do.
    pub fn keep_headers(&self) {
        let Compiler::Nvrtc(nvrtc, folders, headers) = self else { return };
        for prefix in headers.unkept() {
            let mut options = options(folders, &prefix.arch, &prefix.flags);
            options.extend(headers::keeping());
            // If it does not work, the next compilation says why.
            let _ = nvrtc.compile(&prefix.source(), "headers.cu", &options, &BUILT_IN);
        }
    }
}

/// For NVRTC.
fn options(folders: &[PathBuf], arch: &str, flags: &[String]) -> Vec<String> {
    let mut options = vec![format!("-arch={arch}"), "-lineinfo".into(), "-std=c++17".into()];
    options.extend(folders.iter().map(|folder| format!("-I{}", folder.display())));
    options.extend(flags.iter().cloned());
    options
}

fn run_nvcc(nvcc: &Path, path: &Path, text: &str, how: &CompileSpec) -> Result<Compiled> {
    let target = env::temp_dir().join(format!("learn-{}.ptx", std::process::id()));
    // A change that is tried stands in no file yet.
    let changed = (fs::read_to_string(path).ok().as_deref() != Some(text)).then(|| target.with_extension("cu"));
    if let Some(changed) = &changed {
        fs::write(changed, format!("#line 1 \"{}\"\n{text}", path.display()))
            .with_context(|| say!("cannot-create", path = changed.display().to_string()))?;
    }
    let source = changed.as_deref().unwrap_or(path);
    let output = Command::new(nvcc)
        .args(["-ptx", "-O3", "-lineinfo", "-std=c++17"])
        .arg(format!("-arch={}", how.arch))
        .args(&how.flags)
        .arg("-I")
        .arg(path.parent().unwrap_or(path))
        .arg(source)
        .arg("-o")
        .arg(&target)
        .output()
        .with_context(|| say!("cannot-run", program = nvcc.display().to_string()))?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        return Ok(Compiled::Refused(String::from_utf8_lossy(&text).into_owned()));
    }
    let ptx = fs::read_to_string(&target).context(say!("nvcc-no-ptx"))?;
    let _ = fs::remove_file(&target);
    if ptx.is_empty() {
        bail!(say!("nvcc-no-ptx"));
    }
    Ok(Compiled::Ptx { ptx, warnings: String::from_utf8_lossy(&output.stderr).into_owned() })
}

/// Returns the places of an NVRTC. `NVRTC` names one; else it lies beside an nvcc that would be used, or in the fetched
/// toolkit.
fn libraries() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("NVRTC").filter(|named| !named.is_empty()) {
        return vec![PathBuf::from(named)];
    }
    let mut homes: Vec<PathBuf> = kernel_build::nvcc::candidates()
        .into_iter()
        .filter_map(|(_, nvcc)| nvcc.ancestors().nth(2).map(Path::to_path_buf))
        .collect();
    homes.extend(toolkit::default_folder().filter(|folder| toolkit::is_complete(folder)));
    let target = if cfg!(target_arch = "aarch64") { "targets/sbsa-linux/lib" } else { "targets/x86_64-linux/lib" };
    let folders = homes.iter().flat_map(|home| ["lib", "lib64", target].map(|below| home.join(below)));
    folders
        .flat_map(|folder| ["libnvrtc.so.13", "libnvrtc.so"].map(|name| folder.join(name)))
        .filter(|path| path.is_file())
        .collect()
}

/// The toolkit's headers: beside the library, else beside an nvcc.
fn include_folder(library: &Path) -> Option<PathBuf> {
    let beside = library.ancestors().nth(2).map(|home| home.join("include"));
    let nvccs = kernel_build::nvcc::candidates()
        .into_iter()
        .filter_map(|(_, nvcc)| Some(nvcc.ancestors().nth(2)?.join("include")));
    beside.into_iter().chain(nvccs).find(|folder| folder.join("cooperative_groups.h").is_file())
}
