//! The stored PTX, and the stored messages of what does not compile: remade by one compiler, whose version is pinned,
//! so that a difference means a changed source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, thread};

use anyhow::{Context, Result, bail};
use kernel_build::{KernelSource, Nvcc, refused, source, stored, toolkit};

/// Writes `cuda/ptx/` anew.
pub fn remake(root: &Path) -> Result<String> {
    let made = compile_all(root)?;
    let mut changed = 0;
    for (path, text) in &made {
        let target = root.join(path);
        if fs::read_to_string(&target).is_ok_and(|old| old == *text) {
            continue;
        }
        fs::create_dir_all(target.parent().unwrap_or(root))?;
        fs::write(&target, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("wrote {}", path.display());
        changed += 1;
    }
    for path in existing(root)?.iter().filter(|path| !made.contains_key(*path) && !is_fix(path)) {
        fs::remove_file(root.join(path)).with_context(|| format!("cannot remove {}", path.display()))?;
        println!("removed {}, which has no source", path.display());
        changed += 1;
    }
    Ok(format!("{} stored PTX files, {changed} changed", made.len()))
}

/// Fails where `cuda/ptx/` is not what `remake` would write.
pub fn check(root: &Path) -> Result<String> {
    let made = compile_all(root)?;
    let mut problems = Vec::new();
    for (path, text) in &made {
        match fs::read_to_string(root.join(path)) {
            Ok(old) if old == *text => {}
            Ok(old) => problems.push(format!("{} differs: {}", path.display(), first_difference(&old, text))),
            Err(_) => problems.push(format!("{} is missing", path.display())),
        }
    }
    for path in existing(root)?.iter().filter(|path| !made.contains_key(*path) && !is_fix(path)) {
        problems.push(format!("{} has no source", path.display()));
    }
    if problems.is_empty() {
        return Ok(format!("{} stored PTX files are what nvcc {} makes today", made.len(), toolkit::NVCC_VERSION));
    }
    bail!("stored PTX is out of step\n  {}\nhelp: `cargo xtask ptx` remakes it", problems.join("\n  "))
}

fn first_difference(old: &str, new: &str) -> String {
    let (mut old, mut new) = (old.lines(), new.lines());
    for line in 1.. {
        match (old.next(), new.next()) {
            (Some(stored), Some(made)) if stored == made => {}
            (None, None) => break,
            (stored, made) => {
                let show = |text: Option<&str>| text.map_or("nothing".to_string(), |text| format!("`{}`", text.trim()));
                return format!("line {line} is {}, nvcc makes {}", show(stored), show(made));
            }
        }
    }
    "in its line ends".to_string()
}

/// Every stored PTX file, as it would be made now, by its path.
fn compile_all(root: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let nvcc = Nvcc::find_version(toolkit::NVCC_VERSION)
        .with_context(|| format!("stored PTX is made by nvcc {}", toolkit::NVCC_VERSION))?;
    let mut sources = Vec::new();
    for lesson in folders(root)? {
        for path in source::list(root, &lesson)? {
            let source = KernelSource::read(root, &path)?;
            // A file that no lesson runs is compiled by its tests.
            if lesson.starts_with("lesson") || !source.is_variant() {
                sources.push(source);
            }
        }
    }
    for path in puzzles(root)? {
        sources.push(KernelSource::read(root, &path)?);
    }
    let todo = Mutex::new(sources.iter());
    let workers = thread::available_parallelism().map_or(1, |count| count.get());
    let results: Vec<Result<(PathBuf, String)>> = thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let next = todo.lock().expect("no worker panics with the lock held").next();
                let Some(source) = next else { return done };
                done.push(compile(root, &nvcc, source));
            }
        };
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().flat_map(|worker| worker.join().expect("workers return errors")).collect()
    });
    let (made, failed): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    if !failed.is_empty() {
        let texts: Vec<String> = failed.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
        bail!("{} of {} kernel files do not compile\n{}", texts.len(), sources.len(), texts.join("\n"));
    }
    made.into_iter().chain(refusals(root, &nvcc)?.into_iter().map(Ok)).collect()
}

/// Returns nvcc's messages about the source that it refuses.
fn refusals(root: &Path, nvcc: &Nvcc) -> Result<Vec<(PathBuf, String)>> {
    let mut made = Vec::new();
    for lesson in folders(root)? {
        for path in refused::list(root, &lesson)? {
            let source = KernelSource::read(root, &path)?;
            let Some(message) = refused::message(nvcc, root, &source)? else {
                bail!("{} compiles; what is in that folder must not", source.path);
            };
            made.push((refused::path(&source), stored::with_header(&source, &nvcc.version, &message)));
        }
    }
    Ok(made)
}

fn compile(root: &Path, nvcc: &Nvcc, source: &KernelSource) -> Result<(PathBuf, String)> {
    let compiled = nvcc.compile(root, source)?;
    // Students see nvcc's warnings only for what they change; here is where the authors see theirs.
    if !compiled.warnings.trim().is_empty() {
        println!("{}", compiled.warnings.trim_end());
    }
    Ok((stored::path(source), stored::with_header(source, &nvcc.version, &compiled.ptx)))
}

/// Folders of `cuda/` whose PTX is stored, besides the lessons': the explanations' examples, locks whose executions are
/// all visited, and what shows which lines reports name.
const MORE: [&str; 3] = ["explain", "locks", "reports"];

fn folders(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("cuda"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if (name.starts_with("lesson") || MORE.contains(&name.as_str())) && entry.path().is_dir() {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// Kernels of the exercises that are to work without a compiler: those that ask, those to be broken, and those of
/// host programs, each with its reference.
fn puzzles(root: &Path) -> Result<Vec<PathBuf>> {
    let below = |folder: &Path| -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(root.join(folder)).with_context(|| format!("cannot list {}", folder.display()))?;
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                found.push(folder.join(entry.file_name()));
            }
        }
        found.sort();
        Ok(found)
    };
    let mut found = Vec::new();
    for topic in below(Path::new("exercises/catalog"))? {
        for exercise in below(&topic)? {
            let text = fs::read_to_string(root.join(&exercise).join("exercise.toml")).unwrap_or_default();
            let kind = text.lines().find_map(|line| line.strip_prefix("kind")?.trim_start().strip_prefix('='));
            let is_stored = |kind: &str| ["predict", "count", "break", "host"].iter().any(|name| kind.contains(name));
            if !kind.is_some_and(is_stored) {
                continue;
            }
            let name = exercise.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let files = [format!("{name}.cu"), "check.cu".to_string()].map(|name| exercise.join(name));
            found.extend(files.into_iter().filter(|path| root.join(path).is_file()));
        }
    }
    Ok(found)
}

/// The lessons' tests store and check these.
fn is_fix(path: &Path) -> bool {
    path.starts_with(kernel_build::fixed::FOLDER)
}

/// Every file below `cuda/ptx`, relative to the root.
pub fn existing(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("cuda/ptx")];
    while let Some(folder) = folders.pop() {
        if !root.join(&folder).is_dir() {
            continue;
        }
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}
