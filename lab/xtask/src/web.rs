//! `cargo xtask web`: the pages of `--web` and of `cargo learn web`, built from `web/`. Students have no Node, so what
//! is built is stored.
//!
//! `--check` builds it again and compares, and holds the sources to their types, their linter and their tests. `--test`
//! opens pages that lessons write in Chromium. `--pictures` keeps two of its screenshots.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::lessons::build;
use crate::wasm;
use anyhow::{Context, Result, bail, ensure};

const FOLDER: &str = "web";
const STORED: &str = "web/dist";
const BUILT: [&str; 2] = ["player.html", "learn.html"];
/// The emulator as WebAssembly, packed, and a hash of what it was made from.
pub const EMULATOR: &str = "web/dist/emulator.wasm.gz";
const SOURCES: &str = "web/dist/emulator.sources";
/// Bytes of it that a page may have to carry.
const MOST: u64 = 1_000_000;
const PICTURES: &str = "docs/pictures";

/// Each page: its name, the lesson, and the arguments that choose its run.
const PAGES: [(&str, &str, [&str; 2]); 9] = [
    ("reverse", "lesson02-sync", ["--only", "reverse"]),
    ("reverse_correct", "lesson02-sync", ["--replay", "reverse/correct/in-order/0/64"]),
    ("flag", "lesson02-sync", ["--only", "flag"]),
    ("flag_correct", "lesson02-sync", ["--replay", "flag/correct/in-order/0/1"]),
    ("quicksort", "lesson05-dynamic-parallelism", ["--replay", "quicksort/correct/in-order/0/64"]),
    ("large", "lesson02-sync", ["--replay", "globalreverse/broken/in-order/0/1024"]),
    ("activemask_sum", "lesson03-warp-primitives", ["--only", "activemask_sum"]),
    ("lock_order", "lesson04-atomics", ["--only", "lock_order"]),
    ("grid_reverse", "lesson06-cooperative-groups", ["--only", "grid_reverse"]),
];

pub fn make(root: &Path) -> Result<String> {
    install(root)?;
    node(root, &["build.mjs", "dist"])?;
    let size = |name| Ok(fs::metadata(root.join(STORED).join(name))?.len().div_ceil(1024));
    let sizes = BUILT.map(|name| size(name).map(|kib| format!("{STORED}/{name}: {kib} KiB")));
    Ok(sizes.into_iter().collect::<Result<Vec<_>>>()?.join("\n"))
}

/// Builds the emulator for the page.
pub fn emulator(root: &Path) -> Result<String> {
    let (module, compiler) = wasm::module(root)?;
    install(root)?;
    node(root, &["pack.mjs", text(&std::path::absolute(module)?)?, "dist/emulator.wasm.gz"])?;
    fs::write(root.join(SOURCES), wasm::sources(root)? + "\n").with_context(|| format!("cannot write {SOURCES}"))?;
    let bytes = fs::metadata(root.join(EMULATOR))?.len();
    ensure!(bytes <= MOST, "{EMULATOR} has {bytes} bytes, more than {MOST}");
    Ok(format!("{EMULATOR}: {bytes} bytes (by {compiler})"))
}

pub fn check(root: &Path) -> Result<String> {
    let stored = fs::read_to_string(root.join(SOURCES)).with_context(|| format!("cannot read {SOURCES}"))?;
    if stored.trim() != wasm::sources(root)? {
        bail!("{EMULATOR} is not made from the emulator's sources; `cargo xtask web --emulator` makes it anew");
    }
    install(root)?;
    for project in ["tsconfig.json", "tsconfig.test.json"] {
        node(root, &["node_modules/typescript/bin/tsc", "--project", project])?;
    }
    node(root, &["node_modules/eslint/bin/eslint.js", "--max-warnings", "0"])?;
    node(root, &["test.mjs"])?;
    let folder = tempfile::tempdir()?;
    node(root, &["build.mjs", text(folder.path())?])?;
    for name in BUILT {
        let stored = root.join(STORED).join(name);
        let stored = fs::read(&stored).with_context(|| format!("cannot read {}", stored.display()))?;
        if fs::read(folder.path().join(name))? != stored {
            bail!("{STORED}/{name} is not what {FOLDER}/ builds; `cargo xtask web` makes it anew");
        }
    }
    Ok(format!("{} in {STORED} are what {FOLDER}/ builds", BUILT.join(" and ")))
}

pub fn test(root: &Path) -> Result<String> {
    drive(root, None)?;
    Ok("the pages are as they should be".to_string())
}

pub fn pictures(root: &Path) -> Result<String> {
    drive(root, Some(&root.join(PICTURES)))?;
    Ok(format!("screenshots are in {PICTURES}"))
}

/// The pages of some runs, and `cargo learn web`, in Chromium; their screenshots in `pictures`.
fn drive(root: &Path, pictures: Option<&Path>) -> Result<()> {
    install(root)?;
    let folder = tempfile::tempdir()?;
    for (name, package, run) in PAGES {
        let page = folder.path().join(format!("{name}.html"));
        let mut lesson = Command::new(build(root, package, package, &[])?);
        lesson.current_dir(root).args(run).args(["--device", "emulator", "--lang", "en", "--web"]).arg(&page);
        let output = lesson.output().with_context(|| format!("cannot run {package}"))?;
        if !page.is_file() {
            bail!("{package} wrote no page: {}", String::from_utf8_lossy(&output.stderr).trim_end());
        }
    }
    let mut words = vec!["drive/drive.mjs", text(folder.path())?];
    words.extend(pictures.map(text).transpose()?);
    node(root, &words)?;
    let learn = build(root, "learn", "learn", &[])?;
    let picture = pictures.map(|folder| folder.join("learn-web.png"));
    let mut words = vec!["drive/learn.mjs", text(&learn)?];
    words.extend(picture.as_deref().map(text).transpose()?);
    node(root, &words)
}

/// Brings what the lock file names, unless it is there.
pub fn install(root: &Path) -> Result<()> {
    let lock = fs::read(root.join(FOLDER).join("package-lock.json")).context("cannot read the lock file")?;
    let stamp = root.join(FOLDER).join("node_modules/.installed");
    if fs::read(&stamp).ok().as_ref() == Some(&lock) {
        return Ok(());
    }
    run(root, "npm", &["ci", "--ignore-scripts"])?;
    fs::write(&stamp, lock).with_context(|| format!("cannot write {}", stamp.display()))
}

pub fn node(root: &Path, words: &[&str]) -> Result<()> {
    run(root, "node", words)
}

fn run(root: &Path, program: &str, words: &[&str]) -> Result<()> {
    let status = Command::new(program).current_dir(root.join(FOLDER)).args(words).status();
    let status = status.with_context(|| format!("cannot run {program}; the page is built with Node.js 18 or later"))?;
    if !status.success() {
        bail!("{program} {}: {status}", words.join(" "));
    }
    Ok(())
}

pub fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is no UTF-8", path.display()))
}
