//! `cargo xtask web --site`: all rows of the lessons as pages in `target/web/`, for any host of files, or for a browser
//! from disk.
//!
//! A page is the player of `--web` with one kernel's run. The player, its style and the emulator are files that all
//! pages share. They are plain scripts, because a browser lets no page from disk fetch anything, or load a module.

mod check;
mod index;
mod markdown;
pub mod recorded;

use crate::web::{self, text};
use anyhow::{Context, Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use recorded::{Kernel, Lesson, Puzzle};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

pub use check::run as check;

/// Below the repository's root.
const FOLDER: &str = "target/web";

/// Below that: the exercises.
const PUZZLES: &str = "exercises";

/// The languages: the code, the index's file, and the ending of a README in it.
const LANGUAGES: [(&str, &str, &str); 2] = [("en", "index.html", "README.md"), ("es", "es.html", "README.es.md")];

/// The policy of a page: its own files, from a server or from disk, and the emulator in a worker. No connection.
const POLICY: &str = "default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; style-src 'self' file:; \
                      worker-src blob:; base-uri 'none'; form-action 'none'";

pub fn make(root: &Path) -> Result<String> {
    let (lessons, puzzles) = (recorded::all(root)?, recorded::puzzles(root)?);
    let folder = build(root, &lessons, &puzzles)?;
    let pages = lessons.iter().flat_map(|lesson| &lesson.kernels).filter(|kernel| kernel.page.is_some()).count();
    let (folder, bytes, puzzles) = (folder.display(), size(&folder)?, puzzles.len());
    Ok(format!("{folder}/index.html: {pages} kernels and {puzzles} exercises, {} KiB in all", bytes.div_ceil(1024)))
}

/// Writes the site anew, and says where.
fn build(root: &Path, lessons: &[Lesson], puzzles: &[Puzzle]) -> Result<PathBuf> {
    let folder = root.join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    web::install(root)?;
    web::node(root, &["site.mjs", text(&std::path::absolute(&folder)?)?])?;
    let module = BASE64_STANDARD.encode(fs::read(root.join(web::EMULATOR)).context("no emulator for the page")?);
    write(&folder.join("emulator.js"), &format!("globalThis.packedEmulator = \"{module}\";\n"))?;
    for lesson in lessons {
        let place = folder.join(&lesson.name);
        fs::create_dir_all(&place).with_context(|| format!("cannot create {}", place.display()))?;
        for kernel in &lesson.kernels {
            if let Some(page) = &kernel.page {
                write(&place.join(format!("{}.html", kernel.name)), &page_of(kernel, page))?;
            }
        }
    }
    let place = folder.join(PUZZLES);
    fs::create_dir_all(&place).with_context(|| format!("cannot create {}", place.display()))?;
    for puzzle in puzzles {
        write(&place.join(format!("{}.html", puzzle.name)), &html(&puzzle.name, "exercise", &puzzle.data))?;
    }
    for (language, file, readme) in LANGUAGES {
        write(&folder.join(file), &index::html(root, lessons, puzzles, language, readme)?)?;
    }
    Ok(folder)
}

/// Without the trace, which the page's own emulator makes: it is ten times as long as the rest.
fn page_of(kernel: &Kernel, page: &Value) -> String {
    let mut data = page.clone();
    if let (Some(page), true) = (data.as_object_mut(), page.get("game").is_some()) {
        page.remove("trace");
    }
    html(&kernel.name, "run", &data)
}

/// A page with its data in an element of that name. As in a page of `--web`, `<` is an escape, so that no text can end
/// the element.
fn html(title: &str, name: &str, data: &Value) -> String {
    let (title, data) = (markdown::escaped(title), data.to_string().replace('<', "\\u003c"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"../site.css\">\n</head>\n<body>\n\
         <noscript>This page shows a run with a script of its own, and the script is off. \
         El script de esta página está desactivado.</noscript>\n\
         <script type=\"application/json\" id=\"{name}\">{data}</script>\n\
         <script src=\"../player.js\"></script>\n</body>\n</html>\n"
    )
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Bytes of all files below a folder.
fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        bytes += if entry.path().is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    ensure!(bytes > 0, "{} has no files", folder.display());
    Ok(bytes)
}
