//! Stored PTX, so that exercises of the kinds `predict`, `count`, `break` and `host` need no compiler.
//!
//! That of the course is stored by `cargo xtask ptx`, with all its other PTX. A pack of exercises has it beside the
//! sources, as in `who_wins/who_wins.ptx`, where `cargo learn verify --store` puts it. A stored file begins with a hash
//! of what it was compiled from. If the hash differs from the source's, the file is out of date and ignored.

use crate::catalog::{Catalog, Exercise};
use crate::compile::{Compiled, Workshop};
use crate::progress::write_whole;
use crate::spec::{CompileSpec, ExerciseKind};
use std::fs;
use std::path::{Path, PathBuf};

const TITLE: &str = "// Made by `cargo learn verify --store`; do not edit.";

/// Returns the stored PTX of a source file, if there is one and it is up to date.
pub fn ptx(path: &Path, spec: &CompileSpec) -> Option<String> {
    course_ptx(path).or_else(|| {
        let text = fs::read_to_string(path.with_extension("ptx")).ok()?;
        text.starts_with(&header(path, spec)?).then_some(text)
    })
}

/// Returns the up-to-date PTX of a file of the course.
fn course_ptx(path: &Path) -> Option<String> {
    let root = kernel_build::repository_root(path.parent()?).ok()?;
    let source = kernel_build::KernelSource::read(&root, path.strip_prefix(&root).ok()?).ok()?;
    let text = fs::read_to_string(root.join(kernel_build::stored::path(&source))).ok()?;
    kernel_build::stored::in_step(&text, &source).then_some(text)
}

/// Returns the first lines of a stored file: a hash of the source with the headers beside it, and the flags.
fn header(path: &Path, spec: &CompileSpec) -> Option<String> {
    let source = kernel_build::KernelSource::read(path.parent()?, Path::new(path.file_name()?)).ok()?;
    let flags = spec.flags.iter().map(|flag| format!(" {flag}")).collect::<String>();
    Some(format!("{TITLE}\n// sha256   {}\n// flags    -arch={}{flags}\n", source.hash, spec.arch))
}

/// Returns the source files of an exercise whose PTX is stored.
pub fn sources(exercise: &Exercise) -> Vec<PathBuf> {
    let kernels = exercise.folder.join(format!("{}.cu", exercise.short()));
    let all = match exercise.spec.kind {
        ExerciseKind::Host => vec![kernels],
        kind if kind.is_puzzle() => vec![kernels, exercise.check_file()],
        _ => Vec::new(),
    };
    all.into_iter().filter(|path| path.is_file()).collect()
}

/// Returns the names of the source files of an exercise that have no stored PTX, or only one that is out of date.
pub fn missing(exercise: &Exercise) -> Vec<String> {
    let is_missing = |path: &PathBuf| ptx(path, &exercise.spec.compile).is_none();
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    sources(exercise).into_iter().filter(is_missing).map(name).collect()
}

/// Compiles and stores the PTX of an exercise that is missing or out of date. Returns the files that were written.
pub fn store(catalog: &Catalog, exercise: &Exercise, workshop: &mut Workshop) -> Result<Vec<PathBuf>, String> {
    let spec = &exercise.spec.compile;
    let mut written = Vec::new();
    for path in sources(exercise) {
        if ptx(&path, spec).is_some() {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| {
            say!("cannot-read", path = path.display().to_string()) + ": " + &tell::of_system(&error)
        })?;
        let header = header(&path, spec).ok_or_else(|| say!("cannot-read", path = path.display().to_string()))?;
        let compiler = workshop.compiler()?;
        let ptx = match compiler.compile(&path, &text, spec).map_err(|error| tell::in_a_line(&error))? {
            Compiled::Ptx { ptx, .. } => ptx,
            Compiled::Refused(log) => {
                return Err(say!("file-does-not-compile", path = path.display().to_string()) + "\n" + &log);
            }
        };
        // Line tables must not have paths of this machine.
        let ptx = ptx.replace(&format!("{}/", catalog.folder.display()), "");
        let target = path.with_extension("ptx");
        let text = format!("{header}// compiler {}\n{ptx}", compiler.name());
        write_whole(&target, &text).map_err(|error| tell::in_a_line(&error))?;
        written.push(target);
    }
    Ok(written)
}
