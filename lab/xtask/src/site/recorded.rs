//! The facts of each lesson's kernels, and those that the page of each needs: asked once of each program, and kept in
//! `target/`.

use crate::lessons::{Lessons, build};
use crate::mutants;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

const KEPT: &str = "target/lesson-pages";

pub struct Lesson {
    /// `lesson02`
    pub name: String,
    /// Its folder, and its program.
    pub package: String,
    pub kernels: Vec<Kernel>,
}

pub struct Kernel {
    pub name: String,
    pub row: String,
    /// The slug that is expected of a broken kernel.
    pub slug: Option<String>,
    /// The data that `web/src/page.ts` reads; a kernel that is not run has none.
    pub page: Option<Value>,
}

/// An exercise in which nothing is programmed.
pub struct Puzzle {
    pub name: String,
    /// The data that `web/src/site/puzzle.ts` reads.
    pub data: Value,
}

/// One of the programs that are asked. All are built in one go: cargo gives a package on its own other features of what
/// they share, and builds that twice.
pub fn program(root: &Path, name: &str) -> Result<PathBuf> {
    let lessons = Lessons::of(root)?.packages;
    let packages = lessons.iter().map(String::as_str).chain(["learn"]);
    let how = packages.flat_map(|package| ["--package", package]).chain(["--bins", "--example", "answer"]);
    build(root, "browser", name, &how.collect::<Vec<_>>())
}

/// The exercises of kind `predict` and `break` that have one size.
pub fn puzzles(root: &Path) -> Result<Vec<Puzzle>> {
    let folder = tempfile::tempdir().context("cannot create a folder")?;
    let output = mutants::exercises(root).current_dir(root).arg("puzzles").arg(folder.path()).output();
    let output = output.context("cannot run cargo")?;
    ensure!(output.status.success(), "exercises: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    let mut puzzles = Vec::new();
    for entry in fs::read_dir(folder.path())? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        puzzles.push(Puzzle { name, data: serde_json::from_str(&fs::read_to_string(path)?)? });
    }
    puzzles.sort_by(|one, other| one.data["name"].as_str().cmp(&other.data["name"].as_str()));
    ensure!(!puzzles.is_empty(), "no exercise is written");
    Ok(puzzles)
}

/// All lessons, in order. They are asked side by side: each runs its rows one after the other.
pub fn all(root: &Path) -> Result<Vec<Lesson>> {
    let packages = Lessons::of(root)?.packages;
    let programs = packages.iter().map(|package| program(root, package)).collect::<Result<Vec<_>>>()?;
    thread::scope(|scope| {
        let asked = packages.iter().zip(&programs);
        let asked: Vec<_> =
            asked.map(|(package, program)| scope.spawn(move || lesson(root, package, program))).collect();
        asked.into_iter().map(|lesson| lesson.join().expect("it does not panic")).collect()
    })
}

fn lesson(root: &Path, package: &str, program: &Path) -> Result<Lesson> {
    let folder = root.join(KEPT).join(package);
    let (answer, stamp) = (folder.join("answer"), folder.join("stamp"));
    // The same program says the same.
    let metadata = fs::metadata(program)?;
    let made = format!("{} {:?}", metadata.len(), metadata.modified()?);
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&made) {
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut command = Command::new(program);
        command.current_dir(root).args(["--device", "emulator", "--format", "json", "--site"]).arg(&folder);
        let output = command.output().with_context(|| format!("cannot run {package}"))?;
        ensure!(output.status.success(), "{package}: {}", String::from_utf8_lossy(&output.stderr).trim_end());
        fs::write(&answer, output.stdout)?;
        fs::write(&stamp, made)?;
    }
    let said: Value = serde_json::from_str(&fs::read_to_string(&answer)?)?;
    let rows = said["rows"].as_array().with_context(|| format!("{package} names no rows"))?;
    let kernels = rows.iter().map(|row| kernel(row, &folder)).collect::<Result<Vec<_>>>()?;
    let name = said["lesson"].as_str().context("a lesson without a name")?.to_string();
    Ok(Lesson { name, package: package.to_string(), kernels })
}

fn kernel(row: &Value, folder: &Path) -> Result<Kernel> {
    let text = |name: &str| row[name].as_str().map(str::to_string);
    let (Some(name), Some(row), Some(variant)) = (text("kernel"), text("row"), text("variant")) else {
        bail!("a kernel without a name, a row or a variant");
    };
    let page = folder.join(format!("{name}.json"));
    let page = if page.is_file() { Some(serde_json::from_str(&fs::read_to_string(&page)?)?) } else { None };
    ensure!(page.is_some() || variant == "compile-fail", "{name} has no page");
    Ok(Kernel { name, row, slug: text("slug"), page })
}
