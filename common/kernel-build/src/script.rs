//! The build script's side: what to compile, what to tell cargo, and the Rust file that a lesson includes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

use crate::{Doing, Error, KernelSource, Nvcc, device_runtime, fixed, refused, repository_root, source, stored};

/// Compiles `cuda/<lesson>/*.cu` and writes `OUT_DIR/kernels.rs`. Ends the build with a message where it cannot.
///
/// The lesson takes the result in with `include!(concat!(env!("OUT_DIR"), "/kernels.rs"));`. That defines
/// `pub static KERNELS: &[::common::KernelFile]`, one for each file, sorted by name. Where the lesson has source that
/// nvcc refuses, it defines `pub const REFUSED: &[::common::RefusedSource]` too. Where the lesson's kernels launch
/// kernels, it also defines `pub static DEVICE_RUNTIME: Option<&[u8]>`: the library that a GPU needs for it, if a
/// toolkit is there.
pub fn compile(lesson: &str) {
    if let Err(error) = build(lesson) {
        // On stderr and alone: cargo shows it as it is. Directives on stdout would only bury it, and a build script
        // that failed runs again anyway.
        eprintln!("{error}");
        process::exit(1);
    }
}

fn build(lesson: &str) -> Result<(), Error> {
    let variable = |name: &str| PathBuf::from(env::var_os(name).unwrap_or_default());
    let root = repository_root(&variable("CARGO_MANIFEST_DIR"))?;
    let out = variable("OUT_DIR");
    let mut directives = String::new();
    for name in ["NVCC", "CUDA_HOME", "CUDA_PATH", "NVCC_CCBIN"] {
        let _ = writeln!(directives, "cargo::rerun-if-env-changed={name}");
    }
    // The folder itself: a new file is a change.
    let _ = writeln!(directives, "cargo::rerun-if-changed={}", root.join("cuda").join(lesson).display());

    // Cargo takes what is missing for changed.
    let fixes = root.join(fixed::FOLDER);
    if fixes.is_dir() {
        let _ = writeln!(directives, "cargo::rerun-if-changed={}", fixes.display());
    }

    let mut generated = String::from("pub static KERNELS: &[::common::KernelFile] = &[\n");
    let mut nvcc = None;
    let mut launches = false;
    for path in source::list(&root, lesson)? {
        let source = KernelSource::read(&root, &path)?;
        launches |= device_runtime::is_wanted(&source);
        let stored = root.join(stored::path(&source));
        let headers = source.headers.iter().map(|header| root.join(header));
        // Cargo takes a watched file that is missing for one that has changed.
        for watched in headers.chain(Some(stored.clone()).filter(|path| path.is_file())) {
            let _ = writeln!(directives, "cargo::rerun-if-changed={}", watched.display());
        }
        let mine = out.join(source.name()).with_extension("ptx");
        let shipped = (stored.is_file() && !is_in_step(&stored, &source)).then(|| stored.clone());
        let shipped = shipped.map_or("None".to_string(), |path| format!("Some(include_str!({path:?}))"));
        let ptx = match [stored, mine.clone()].into_iter().find(|path| is_in_step(path, &source)) {
            Some(ready) => ready,
            None => {
                let nvcc = match &nvcc {
                    Some(found) => found,
                    None => nvcc.insert(find(&source, &mut directives)?),
                };
                let compiled = nvcc.compile(&root, &source)?;
                for line in compiled.warnings.lines().filter(|line| !line.trim().is_empty()) {
                    let _ = writeln!(directives, "cargo::warning={line}");
                }
                write_if_changed(&mine, &stored::with_header(&source, &nvcc.version, &compiled.ptx))?;
                mine
            }
        };
        let mut fixes = String::new();
        for (kernel, path) in fixed::of_source(&root, lesson, &source)? {
            let _ = write!(fixes, "({kernel:?}, include_str!({path:?})), ");
        }
        let _ = writeln!(
            generated,
            "    ::common::KernelFile {{ name: {:?}, source_path: {:?}, source: include_str!({:?}), ptx: \
             include_str!({:?}), shipped: {shipped}, fixes: &[{fixes}] }},",
            source.name(),
            source.path,
            root.join(&source.path),
            ptx,
        );
    }
    generated.push_str("];\n");
    if launches {
        let library = device_runtime::find().map(|path| format!("include_bytes!({path:?})"));
        let value = library.map_or("None".to_string(), |bytes| format!("Some({bytes})"));
        let _ = writeln!(generated, "pub static DEVICE_RUNTIME: Option<&[u8]> = {value};");
    }
    let paths = refused::list(&root, lesson)?;
    if !paths.is_empty() {
        generated.push_str("pub const REFUSED: &[::common::RefusedSource] = &[\n");
    }
    for path in &paths {
        let source = KernelSource::read(&root, path)?;
        let stored = root.join(refused::path(&source));
        let mine = out.join(source.name()).with_extension("refused.txt");
        let text = match [stored, mine.clone()].into_iter().find(|path| is_in_step(path, &source)) {
            Some(ready) => fs::read_to_string(&ready).map_err(|error| Error::io(Doing::Read, &ready, error))?,
            None => {
                let nvcc = match &nvcc {
                    Some(found) => found,
                    None => nvcc.insert(find(&source, &mut directives)?),
                };
                let message = refused::message(nvcc, &root, &source)?.unwrap_or_default();
                let text = stored::with_header(&source, &nvcc.version, &message);
                write_if_changed(&mine, &text)?;
                text
            }
        };
        let message = Some(refused::body(&text)).filter(|message| !message.is_empty());
        let _ = writeln!(
            generated,
            "    ::common::RefusedSource {{ file: ::common::KernelFile {{ name: {:?}, source_path: {:?}, source: \
             include_str!({:?}), ptx: \"\", shipped: None, fixes: &[] }}, message: {message:?} }},",
            source.name(),
            source.path,
            root.join(&source.path),
        );
    }
    if !paths.is_empty() {
        generated.push_str("];\n");
    }
    write_if_changed(&out.join("kernels.rs"), &generated)?;
    print!("{directives}");
    Ok(())
}

fn is_in_step(path: &Path, source: &KernelSource) -> bool {
    fs::read_to_string(path).is_ok_and(|text| stored::in_step(&text, source))
}

/// An nvcc, because `source` needs one; the error says so.
fn find(source: &KernelSource, directives: &mut String) -> Result<Nvcc, Error> {
    let nvcc = Nvcc::find().map_err(|error| Error::Needed { source: source.path.clone(), error: Box::new(error) })?;
    for (path, problem) in &nvcc.passed_over {
        let (path, taken) = (path.display().to_string(), nvcc.path.display().to_string());
        let _ = writeln!(directives, "cargo::warning={}", say!("took-another", path, problem, taken));
    }
    Ok(nvcc)
}

/// An unchanged file keeps its time stamp, so that rustc has nothing to do.
fn write_if_changed(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| Error::io(Doing::Write, path, error))
}
