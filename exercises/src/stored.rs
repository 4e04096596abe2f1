//! Kernels that must run where there is no compiler: those of `predict`, `break` and `host`.
//!
//! The course's own are stored by `cargo xtask ptx`, with all its other PTX. A pack has them beside their sources,
//! `who_wins/who_wins.ptx`; `cargo learn verify --store` makes them. Either says in its first lines what it was made
//! from.

use crate::catalog::{Catalog, Exercise};
use crate::compile::{Compiled, Workshop};
use crate::progress::write_whole;
use crate::spec::{CompileSpec, Kind};
use std::fs;
use std::path::{Path, PathBuf};

const TITLE: &str = "// Made by `cargo learn verify --store`; do not edit.";

/// Returns the stored PTX of a file, if that is still in step with it.
pub fn ptx(path: &Path, how: &CompileSpec) -> Option<String> {
    of_the_course(path).or_else(|| {
        let text = fs::read_to_string(path.with_extension("ptx")).ok()?;
        text.starts_with(&head(path, how)?).then_some(text)
    })
}

fn of_the_course(path: &Path) -> Option<String> {
    let root = kernel_build::repository_root(path.parent()?).ok()?;
    let source = kernel_build::Source::read(&root, path.strip_prefix(&root).ok()?).ok()?;
    let text = fs::read_to_string(root.join(kernel_build::stored::path(&source))).ok()?;
    kernel_build::stored::in_step(&text, &source).then_some(text)
}

/// Returns the head of a stored file: a hash of the source with the headers beside it, and how it was compiled.
fn head(path: &Path, how: &CompileSpec) -> Option<String> {
    let source = kernel_build::Source::read(path.parent()?, Path::new(path.file_name()?)).ok()?;
    let flags = how.flags.iter().map(|flag| format!(" {flag}")).collect::<String>();
    Some(format!("{TITLE}\n// sha256   {}\n// flags    -arch={}{flags}\n", source.hash, how.arch))
}

/// The files of an exercise that are stored.
pub fn sources(exercise: &Exercise) -> Vec<PathBuf> {
    let kernels = exercise.folder.join(format!("{}.cu", exercise.short()));
    let all = match exercise.spec.kind {
        Kind::Predict | Kind::Break => vec![kernels, exercise.check_file()],
        Kind::Host => vec![kernels],
        _ => Vec::new(),
    };
    all.into_iter().filter(|path| path.is_file()).collect()
}

/// Those of a pack that are not in step, by name.
pub fn missing(exercise: &Exercise) -> Vec<String> {
    let is_missing = |path: &PathBuf| ptx(path, &exercise.spec.compile).is_none();
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    sources(exercise).into_iter().filter(is_missing).map(name).collect()
}

/// Makes what is missing; gives the files that were written.
pub fn store(catalog: &Catalog, exercise: &Exercise, workshop: &mut Workshop) -> Result<Vec<PathBuf>, String> {
    let how = &exercise.spec.compile;
    let mut written = Vec::new();
    for path in sources(exercise) {
        if ptx(&path, how).is_some() {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| {
            say!("cannot-read", path = path.display().to_string()) + ": " + &tell::of_system(&error)
        })?;
        let head = head(&path, how).ok_or_else(|| say!("cannot-read", path = path.display().to_string()))?;
        let compiler = workshop.compiler()?;
        let ptx = match compiler.compile(&path, &text, how).map_err(|error| tell::in_a_line(&error))? {
            Compiled::Ptx { ptx, .. } => ptx,
            Compiled::Refused(log) => {
                return Err(say!("file-does-not-compile", path = path.display().to_string()) + "\n" + &log);
            }
        };
        // Line tables name the file as everybody has it.
        let ptx = ptx.replace(&format!("{}/", catalog.folder.display()), "");
        let target = path.with_extension("ptx");
        let text = format!("{head}// compiler {}\n{ptx}", compiler.name());
        write_whole(&target, &text).map_err(|error| tell::in_a_line(&error))?;
        written.push(target);
    }
    Ok(written)
}
