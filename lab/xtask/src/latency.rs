//! `cargo xtask latency`: from saving a file to the verdict on the screen, as a student waits for it.
//!
//! A benchmark, not a test. `cargo learn` runs in a terminal, built as a student builds it, in a catalogue of one
//! exercise. Its file is saved again and again, by turns the shipped one and the solution, each time with other
//! contents.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::learning::verdict;
use crate::lessons::build;
use crate::terminal::{Size, Terminal};
use anyhow::{Context, Result, bail};

/// A verdict that takes longer does not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// Large, so that a whole verdict is on it.
const SIZE: Size = Size { rows: NonZero::new(200).unwrap(), columns: NonZero::new(200).unwrap() };

pub struct LatencyOptions {
    only: String,
    saves: usize,
}

/// `--only TEXT --saves N`
pub fn options(words: &[&str]) -> Option<LatencyOptions> {
    let mut options = LatencyOptions { only: String::new(), saves: 11 };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--only" => options.only = words.next()?.to_string(),
            "--saves" => options.saves = words.next()?.parse().ok().filter(|saves| *saves > 0)?,
            _ => return None,
        }
    }
    Some(options)
}

/// An exercise's folder, and what its kernels take to compile.
struct Exercise {
    folder: PathBuf,
    has_groups: bool,
}

pub fn run(root: &Path, options: &LatencyOptions) -> Result<String> {
    let program = build(root, "learn", "learn", &[])?;
    let mut all = [Vec::new(), Vec::new()];
    println!("{:<52} {:>8} {:>8} {:>8}", "from saving to the verdict, in seconds", "first", "median", "worst");
    for exercise in exercises(root, &options.only)? {
        let (first, mut times) = measure(&program, &exercise, options.saves)?;
        times.sort_by(f64::total_cmp);
        let name = exercise.folder.strip_prefix(root.join(CATALOG)).unwrap_or(&exercise.folder).display().to_string();
        let kind = if exercise.has_groups { " (groups)" } else { "" };
        println!("{:<52} {first:>8.2} {:>8.2} {:>8.2}", name + kind, median(&times), times[times.len() - 1]);
        all[usize::from(exercise.has_groups)].extend(times);
    }
    let mut summary = Vec::new();
    for (what, mut times) in ["plain kernels", "cooperative groups"].into_iter().zip(all) {
        times.sort_by(f64::total_cmp);
        if let Some(worst) = times.last() {
            summary.push(format!(
                "{what}: median {:.2} s, worst {worst:.2} s of {} saves",
                median(&times),
                times.len()
            ));
        }
    }
    Ok(summary.join("\n"))
}

const CATALOG: &str = "exercises/catalog";

/// Returns the first two plain kernels of every topic, and all with cooperative groups; with `--only`, all that fit.
fn exercises(root: &Path, only: &str) -> Result<Vec<Exercise>> {
    let mut found = Vec::new();
    for topic in folders(&root.join(CATALOG))? {
        let mut plain = 0;
        for folder in folders(&topic)? {
            let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
            let kind =
                read("exercise.toml").lines().find(|line| line.starts_with("kind")).unwrap_or_default().to_string();
            if ["\"predict\"", "\"count\"", "\"break\"", "\"host\""].iter().any(|other| kind.contains(other)) {
                continue;
            }
            let has_groups = read("solution.cu").contains("cooperative_groups");
            let name = folder.display().to_string();
            plain += usize::from(!has_groups);
            if if only.is_empty() { has_groups || plain <= 2 } else { name.contains(only) } {
                found.push(Exercise { folder, has_groups });
            }
        }
    }
    if found.is_empty() {
        bail!("no exercise to compile is named so");
    }
    Ok(found)
}

fn folders(parent: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(parent).with_context(|| format!("cannot open {}", parent.display()))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

/// Seconds until the first screen, and from each save to its verdict.
fn measure(program: &Path, exercise: &Exercise, saves: usize) -> Result<(f64, Vec<f64>)> {
    let name = exercise.folder.file_name().and_then(|name| name.to_str()).context("an exercise without a name")?;
    let desk = tempfile::tempdir()?;
    let topic = desk.path().join("catalog/topic");
    fs::create_dir_all(topic.join(name))?;
    let course = env!("CARGO_PKG_VERSION");
    fs::write(desk.path().join("catalog/pack.toml"), format!("name = 'one'\ncourse = '{course}'\n"))?;
    fs::write(topic.join("topic.toml"), format!("title = 't'\nlesson = 'l'\norder = ['{name}']\n"))?;
    for entry in fs::read_dir(&exercise.folder)? {
        let path = entry?.path();
        fs::copy(&path, topic.join(name).join(path.file_name().unwrap_or_default()))?;
    }
    let read = |file: &str| fs::read_to_string(exercise.folder.join(file)).with_context(|| format!("{name}/{file}"));
    let texts = [read("solution.cu")?, read(&format!("{name}.cu"))?];

    let mut command = Command::new(program);
    command.args(["--catalog", "catalog", "--dir", "mine"]).current_dir(desk.path());
    let begin = Instant::now();
    let mut terminal = Terminal::open(command, SIZE, "")?;
    // Right and wrong take turns, so it is never the one before.
    let file = &*format!("mine/topic/{name}.cu");
    let is = |is_right| move |screen: &vt100::Screen| verdict(screen, file) == Some(is_right);
    terminal.until(PATIENCE, is(false)).with_context(|| name.to_string())?;
    let first = begin.elapsed().as_secs_f64();
    let mut times = Vec::new();
    for save in 0..saves {
        let is_right = save % 2 == 0;
        // Not in step with the program's looks at the file.
        std::thread::sleep(Duration::from_millis(200 + 37 * (save as u64 % 5)));
        let text = format!("{}\n// saved {save} times\n", texts[save % 2]);
        let begin = Instant::now();
        fs::write(desk.path().join(file), text)?;
        terminal.until(PATIENCE, is(is_right)).with_context(|| name.to_string())?;
        times.push(begin.elapsed().as_secs_f64());
    }
    terminal.types("q")?;
    terminal.last(PATIENCE)?;
    Ok((first, times))
}

fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let options = options(&["--saves", "3", "--only", "02_sync"]).unwrap();
        assert_eq!((options.only.as_str(), options.saves), ("02_sync", 3));
        assert!(super::options(&["--saves", "0"]).is_none() && super::options(&["--often"]).is_none());
    }
}
