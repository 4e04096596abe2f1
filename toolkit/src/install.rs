//! One installation: fetch, check, unzip, try, and only then rename into place.
//!
//! Invariant: a folder with the marker file in it is whole. The marker is written into the staging folder, after
//! everything else, and the rename that follows is atomic. So neither an error nor a kill at any moment leaves a
//! folder that would be taken for a toolkit. What a killed run leaves is a staging folder, which the next run removes.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Error, Result, anyhow, bail};
use kernel_build::{nvcc, toolkit};

use crate::Fetch;
use crate::speech::{cannot, shown};
use crate::unpack;
use crate::wheels::{Wheel, have_nvcc};

/// The result of an installation that ended well.
#[derive(Debug, PartialEq, Eq)]
pub enum Installed {
    Now,
    /// It was there, without some of the wheels.
    Completed,
    Already,
}

/// Installs these wheels as a toolkit in `folder`.
pub fn install(wheels: &[Wheel], fetch: &dyn Fetch, folder: &Path) -> Result<Installed> {
    let parent = parent_of(folder)?;
    fs::create_dir_all(parent).with_context(|| cannot("create", parent))?;
    let _lock = lock(folder)?;
    if toolkit::is_complete(folder) {
        match works(wheels, folder) {
            Ok(()) => return complete(wheels, fetch, folder),
            Err(problem) => {
                let what = say!("installed-is-broken", folder = shown(folder), problem);
                bail!("{what}\n{}", say!("installed-is-broken.help", command = toolkit::command()))
            }
        }
    }
    if folder.exists() && fs::read_dir(folder)?.next().is_some() {
        bail!(say!("not-empty", folder = shown(folder)));
    }
    sweep(folder)?;

    let staging = Staging(beside(folder, &format!("staging-{}", process::id())));
    let (fetched, tree) = (staging.0.join("wheels"), staging.0.join("tree"));
    let outcome = fill(wheels, fetch, &fetched, &tree).and_then(|()| put(&tree, folder));
    outcome.map_err(|error| explain(error, parent))?;
    Ok(Installed::Now)
}

/// Brings an installed toolkit the wheels that its marker does not name.
///
/// Their files come first and the marker last, so a run that is stopped is made up for by the next. The files of one
/// wheel are no other's: nothing that is in use changes.
fn complete(wheels: &[Wheel], fetch: &dyn Fetch, folder: &Path) -> Result<Installed> {
    let marker = folder.join(toolkit::MARKER);
    let known = fs::read_to_string(&marker).with_context(|| cannot("read", &marker))?;
    let lacks: Vec<Wheel> = wheels.iter().filter(|wheel| !known.contains(&line(wheel))).cloned().collect();
    if lacks.is_empty() {
        return Ok(Installed::Already);
    }
    sweep(folder)?;
    let staging = Staging(beside(folder, &format!("staging-{}", process::id())));
    let (fetched, tree) = (staging.0.join("wheels"), staging.0.join("tree"));
    let outcome = unpack_all(&lacks, fetch, &fetched, &tree).and_then(|()| {
        move_into(&tree, folder)?;
        mark(&tree, wheels)?;
        let made = tree.join(toolkit::MARKER);
        fs::rename(&made, &marker).with_context(|| cannot("rename", &made))
    });
    outcome.map_err(|error| explain(error, parent_of(folder).unwrap_or(folder)))?;
    Ok(Installed::Completed)
}

/// Moves every file to its place below `folder`.
fn move_into(tree: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| cannot("create", folder))?;
    for entry in fs::read_dir(tree).with_context(|| cannot("list", tree))? {
        let entry = entry?;
        let target = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            move_into(&entry.path(), &target)?;
        } else {
            fs::rename(entry.path(), &target).with_context(|| cannot("write", &target))?;
        }
    }
    Ok(())
}

fn fill(wheels: &[Wheel], fetch: &dyn Fetch, fetched: &Path, tree: &Path) -> Result<()> {
    unpack_all(wheels, fetch, fetched, tree)?;
    works(wheels, tree).map_err(|problem| anyhow!(say!("unpacked-is-broken", problem)))?;
    mark(tree, wheels)
}

/// True if nvcc answers. NVRTC is a library: who uses it sees.
fn works(wheels: &[Wheel], folder: &Path) -> Result<(), String> {
    if have_nvcc(wheels) { nvcc::probe(&folder.join("bin/nvcc")).map(drop) } else { Ok(()) }
}

fn unpack_all(wheels: &[Wheel], fetch: &dyn Fetch, fetched: &Path, tree: &Path) -> Result<()> {
    for made in [fetched, tree] {
        fs::create_dir_all(made).with_context(|| cannot("create", made))?;
    }
    // Looking for pip takes a second by itself, and pip one more before its first word.
    println!("{}", say!("fetching", count = wheels.len()));
    fetch.fetch(wheels, fetched)?;
    println!("{}", say!("comparing"));
    let mut files = Vec::new();
    for wheel in wheels {
        let file = unpack::find(wheel, fetched)?;
        unpack::verify(wheel, &file)?;
        files.push((wheel, file));
    }
    // Only when all of them are what they should be.
    for (wheel, file) in files {
        println!("{}", say!("unpacking", wheel = &wheel.name, version = &wheel.version));
        unpack::unzip(wheel, &file, tree)?;
    }
    Ok(())
}

/// Returns the line of the marker that names a wheel.
fn line(wheel: &Wheel) -> String {
    format!("{} {} {}\n", wheel.name, wheel.version, wheel.sha256)
}

/// Writes the marker, to the disk itself.
fn mark(tree: &Path, wheels: &[Wheel]) -> Result<()> {
    let marker = tree.join(toolkit::MARKER);
    let mut text = format!("Made by `{} install`, from\n", toolkit::command());
    text.extend(wheels.iter().map(line));
    let mut file = File::create(&marker).with_context(|| cannot("write", &marker))?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).with_context(|| cannot("write", &marker))
}

fn put(tree: &Path, folder: &Path) -> Result<()> {
    // `rename` replaces an empty folder and nothing else.
    fs::rename(tree, folder).with_context(|| say!("cannot-rename-to", path = shown(tree), to = shown(folder)))
}

/// Removes a toolkit. `false` if there was none.
pub fn uninstall(folder: &Path) -> Result<bool> {
    if !folder.exists() {
        return Ok(false);
    }
    let _lock = lock(folder)?;
    if !toolkit::is_complete(folder) {
        bail!(say!("not-ours", folder = shown(folder)));
    }
    // Renamed first: half of a toolkit must not look like one.
    let doomed = Staging(beside(folder, &format!("staging-{}", process::id())));
    fs::rename(folder, &doomed.0).with_context(|| cannot("rename", folder))?;
    fs::remove_dir_all(&doomed.0).with_context(|| cannot("remove", &doomed.0))?;
    Ok(true)
}

/// A folder that is gone when its owner is, whichever way that ends.
struct Staging(PathBuf);

impl Drop for Staging {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0)
            && error.kind() != io::ErrorKind::NotFound
        {
            words::complain(&say!("left-over", path = shown(&self.0), error = kernel_build::of_system(&error)));
        }
    }
}

/// Removes what killed installations left. Only the holder of the lock may.
fn sweep(folder: &Path) -> Result<()> {
    let start = beside(folder, "staging-");
    let start = start.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for entry in fs::read_dir(parent_of(folder)?)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&start) {
            println!("{}", say!("removing-old", path = shown(&entry.path())));
            fs::remove_dir_all(entry.path()).with_context(|| cannot("remove", &entry.path()))?;
        }
    }
    Ok(())
}

/// Keeps a second installation out. The system lets go of the lock when the process ends, however it ends.
fn lock(folder: &Path) -> Result<File> {
    let path = beside(folder, "lock");
    let file = File::create(&path).with_context(|| cannot("create", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            println!("{}", say!("waiting", command = toolkit::command()));
            file.lock().with_context(|| cannot("lock", &path))?;
        }
        Err(TryLockError::Error(error)) => return Err(error).context(cannot("lock", &path)),
    }
    Ok(file)
}

/// `.<folder's name>.<what>`, in the folder's parent: on the same file system, as an atomic rename needs.
fn beside(folder: &Path, what: &str) -> PathBuf {
    folder.with_file_name(format!(".{}.{what}", folder.file_name().unwrap_or_default().to_string_lossy()))
}

fn parent_of(folder: &Path) -> Result<&Path> {
    match (folder.parent(), folder.file_name()) {
        (Some(parent), Some(_)) if folder.is_absolute() => Ok(parent),
        _ => bail!(say!("not-absolute", folder = shown(folder))),
    }
}

/// Adds what helps, where the cause is one that a user can do something about.
fn explain(error: Error, parent: &Path) -> Error {
    let kind = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    let help = match kind {
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge) => {
            say!("needs-space", folder = shown(parent))
        }
        Some(io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => say!("needs-permission"),
        _ => return error.context(say!("nothing-installed")),
    };
    error.context(format!("{}\n{help}", say!("nothing-installed")))
}
