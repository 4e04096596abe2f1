//! The screens of `cargo learn` in terminals of three sizes and in both languages: a verdict, and the list.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::svg::{self, Frame};
use super::{PATIENCE, Picture};
use crate::learning::{is_list, verdict};
use crate::terminal::{Size, Terminal};
use anyhow::{Result, bail};

/// The page that shows two of them, and has links to all.
const PAGE: &str = "exercises/README.md";

const EXERCISE: &str = "02_sync/missing_barrier";

const LANGUAGES: [&str; 2] = ["en", "es"];

/// Columns and rows: the usual terminal, a large one, and a small one.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (60, 20)];

/// Records all of them, from `program` with the exercises of the repository at `root`.
pub fn record(root: &Path, program: &Path) -> Result<Vec<Picture>> {
    let kinds = LANGUAGES.into_iter().flat_map(|language| SIZES.map(|size| (language, size)));
    // Each program waits for its terminal most of the time.
    std::thread::scope(|scope| {
        let all: Vec<_> =
            kinds.map(|(language, size)| scope.spawn(move || one(root, program, language, size))).collect();
        let pictures: Result<Vec<_>> = all.into_iter().map(|one| one.join().expect("a recording panicked")).collect();
        Ok(pictures?.into_iter().flatten().collect())
    })
}

fn one(root: &Path, program: &Path, language: &str, (columns, rows): (u16, u16)) -> Result<[Picture; 2]> {
    let size = Size { rows: NonZero::new(rows).expect("not 0"), columns: NonZero::new(columns).expect("not 0") };
    let desk = tempfile::tempdir()?;
    let learn = |words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).current_dir(desk.path()).env("LESSON_LANG", language);
        command.env("CARGO_MANIFEST_DIR", root.join("exercises")).env("LEARN_DIR", desk.path().join("my-exercises"));
        command
    };
    // One who has begun is not greeted any more.
    if !learn(&["hint", EXERCISE]).output()?.status.success() {
        bail!("there is no hint for {EXERCISE}");
    }
    let command = learn(&[EXERCISE]);
    let mut terminal = Terminal::open(command, size, "")?;
    let file: PathBuf = Path::new("my-exercises").join(EXERCISE).with_extension("cu");
    let file = file.to_string_lossy();
    let picture = |terminal: &Terminal, what: &str| {
        let name = format!("screens/{what}-{language}-{columns}x{rows}.svg");
        let title = format!("cargo learn --lang {language}, {columns} columns and {rows} rows: {what}");
        let bytes = svg::still(&title, &Frame::whole(terminal.screen()), columns).into_bytes();
        Picture { name, page: PAGE, bytes }
    };
    terminal.until(PATIENCE, |screen| verdict(screen, &file) == Some(false))?;
    let of_verdict = picture(&terminal, "verdict");
    terminal.types("l")?;
    terminal.until(PATIENCE, is_list)?;
    let of_list = picture(&terminal, "list");
    terminal.types("q")?;
    terminal.last(PATIENCE)?;
    Ok([of_verdict, of_list])
}
