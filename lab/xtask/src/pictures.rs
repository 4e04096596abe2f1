//! `cargo xtask pictures`: the pictures in the documents, recorded from the programs themselves.
//!
//! Each program runs in a terminal of fixed size ([`crate::terminal`]), built as a reader builds it; keys and edits are
//! made as a person would. What it shows becomes an SVG. `--check` records again and compares: a picture that shows
//! what the program no longer does fails.

mod screens;
mod svg;

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::learning::{has_answered, verdict};
use crate::lessons::build;
use crate::terminal::{Size, Terminal};
use anyhow::{Context, Result, bail};
use svg::{Frame, Shot};
use vt100::Screen;

const FOLDER: &str = "docs/pictures";

/// A program that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

const COLUMNS: NonZero<u16> = NonZero::new(100).unwrap();

/// More than any of the programs prints.
const SIZE: Size = Size { rows: NonZero::new(60).unwrap(), columns: COLUMNS };

struct Picture {
    /// Its file, from [`FOLDER`].
    name: String,
    /// The page that shows it, or has a link to it.
    page: &'static str,
    bytes: Vec<u8>,
}

pub fn make(root: &Path) -> Result<String> {
    let folder = root.join(FOLDER);
    let pictures = record(root)?;
    for Picture { name, bytes, .. } in &pictures {
        let within = folder.join(name).parent().unwrap_or(&folder).to_path_buf();
        fs::create_dir_all(&within).with_context(|| format!("cannot create {}", within.display()))?;
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {FOLDER}/{name}"))?;
        println!("{FOLDER}/{name}: {} KiB", bytes.len().div_ceil(1024));
    }
    Ok(format!("{} pictures are made", pictures.len()))
}

pub fn check(root: &Path) -> Result<String> {
    let pictures = record(root)?;
    let mut stale = Vec::new();
    for Picture { name, page, bytes } in &pictures {
        let text = fs::read_to_string(root.join(page)).with_context(|| format!("cannot read {page}"))?;
        let up = "../".repeat(page.matches('/').count());
        if !text.contains(&format!("]({up}{FOLDER}/{name})")) {
            bail!("{page} does not show {FOLDER}/{name}");
        }
        if fs::read(root.join(FOLDER).join(name)).ok().as_ref() != Some(bytes) {
            stale.push(name.as_str());
        }
    }
    if stale.is_empty() {
        return Ok(format!("{} pictures show what the programs do", pictures.len()));
    }
    bail!("not what the programs do now: {}; `cargo xtask pictures` makes them anew", stale.join(", "))
}

fn record(root: &Path) -> Result<Vec<Picture>> {
    let program = build(root, "learn", "learn", &[])?;
    let picture = |name: &str, bytes| Picture { name: name.to_string(), page: "README.md", bytes };
    let mut pictures = vec![
        picture("race.svg", lesson(root, "A race report", "lesson04-atomics", "atomic_max_float")?),
        picture(
            "lanes.svg",
            lesson(root, "The lanes of a warp that run together", "lesson03-warp-primitives", "activemask_sum")?,
        ),
        picture("learn.svg", learn(root, &program)?),
        picture("mandelbrot.png", mandelbrot(root)?),
    ];
    pictures.extend(screens::record(root, &program)?);
    Ok(pictures)
}

/// Returns the output of one row of a lesson.
fn lesson(root: &Path, title: &str, package: &str, row: &str) -> Result<Vec<u8>> {
    let arguments = ["--device", "emulator", "--only", row];
    let mut command = Command::new(build(root, package, package, &[])?);
    command.current_dir(root).args(arguments);
    let typed = format!("$ cargo run -q -p {package} -- {}\r\n", arguments.join(" "));
    let screen = Terminal::open(command, SIZE, &typed)?.last(PATIENCE)?;
    Ok(svg::still(title, &Frame::of(&screen), COLUMNS.get()).into_bytes())
}

/// The first exercise: as handed out, a hint, an answer that is nearly right, and one that is.
fn learn(root: &Path, program: &Path) -> Result<Vec<u8>> {
    const FILE: &str = "my-exercises/01_vectorized/bounds_check_missing.cu";
    const LINE: &str = "    data[i] = 3 * data[i];";
    let desk = tempfile::tempdir()?;
    let mut command = Command::new(program);
    // The folder of its exercises: as `cargo learn` says it.
    command.current_dir(desk.path()).env("CARGO_MANIFEST_DIR", root.join("exercises"));
    command.env("LEARN_DIR", desk.path().join("my-exercises"));
    let mut terminal = Terminal::open(command, SIZE, "$ cargo learn\r\n")?;
    let mut shots = Vec::new();
    let mut take = |terminal: &Terminal, caption: &str, seconds| {
        shots.push(Shot { frame: Frame::of(terminal.screen()), caption: caption.to_string(), seconds });
    };
    terminal.until(PATIENCE, |screen| verdict(screen, FILE) == Some(false))?;
    take(&terminal, "cargo learn: the first exercise, as it is handed out", 6);
    terminal.types("h")?;
    terminal.until(PATIENCE, |screen| has_answered(screen, "h"))?;
    take(&terminal, "typed: h", 4);

    let file = desk.path().join(FILE);
    let mut last = LINE.to_string();
    for (line, is_solved, seconds) in
        [("    if (i <= n) data[i] = 3 * data[i];", false, 7), ("    if (i < n) data[i] = 3 * data[i];", true, 7)]
    {
        let text = fs::read_to_string(&file).context("the exercise is not where it was")?;
        if !text.contains(&last) {
            bail!("{} has no line {last:?}", file.display());
        }
        fs::write(&file, text.replace(&last, line))?;
        // A wrong answer's report shows its line.
        let has = |screen: &Screen, text: &str| screen.contents().contains(text);
        let shows = |screen: &Screen| is_solved || has(screen, line.trim());
        terminal.until(PATIENCE, |screen| verdict(screen, FILE) == Some(is_solved) && shows(screen))?;
        take(&terminal, &format!("saved in the editor: {}", line.trim()), seconds);
        if !is_solved {
            terminal.types("f")?;
            terminal.until(PATIENCE, |screen| has(screen, "fix (tried"))?;
            take(&terminal, "typed: f", 5);
        }
        last = line.to_string();
    }
    terminal.types("q")?;
    terminal.last(PATIENCE)?;
    Ok(svg::moving("cargo learn: a first exercise, from the first verdict to the solution", &shots, COLUMNS.get())
        .into_bytes())
}

fn mandelbrot(root: &Path) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(build(root, "lesson05-dynamic-parallelism", "mandelbrot", &[])?);
    command.current_dir(folder.path()).args(MANDELBROT);
    Terminal::open(command, SIZE, "")?.last(PATIENCE)?;
    fs::read(folder.path().join(RECTANGLES)).context("mandelbrot drew nothing")
}

const RECTANGLES: &str = "mandelbrot-rectangles.png";

const MANDELBROT: [&str; 13] = [
    "--device",
    "emulator",
    "--size",
    "512x384",
    "--center=-0.6,0",
    "--across",
    "3",
    "--first",
    "2",
    "--min-size",
    "8",
    "--max-depth",
    "8",
];
