//! `cargo learn grade`: a folder of submissions, with a folder for each student, judged side by side.
//!
//! A student's folder holds the exercises as `02_sync/missing_barrier.cu`, or just `missing_barrier.cu`. Each student has
//! a judging process of their own, shut in ([`crate::sandbox`]) and with limits. Equal files get one verdict, which is kept.

use crate::catalog::{Catalog, Exercise};
use crate::child::{Judge, Limits};
use crate::compile::Compiler;
use crate::judge::Task;
use crate::progress::write_whole;
use crate::spec::Kind;
use crate::verdict::Verdict;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Bytes of a submitted file.
const LONGEST: u64 = 256 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Json,
    Junit,
    Csv,
}

pub struct Options {
    pub folder: PathBuf,
    /// Only exercises whose names hold this.
    pub only: String,
    pub is_shut_in: bool,
    pub cache: Option<PathBuf>,
    pub limits: Limits,
    /// What the user types in front of a command.
    pub command: String,
}

/// What one file came to.
#[derive(Clone, Debug, Serialize)]
pub struct Grade {
    pub student: String,
    pub exercise: String,
    pub verdict: Verdict,
    pub seconds: f64,
    /// The verdict was known.
    pub cached: bool,
}

/// Grades in the order of students and exercises. Besides a verdict's kinds there are `missing`, no file; and `error`, the
/// course or the machine is at fault.
pub fn grade(catalog: &Catalog, program: &Path, options: &Options) -> Result<Vec<Grade>> {
    let students = students(&options.folder)?;
    let exercises = catalog.matching(&options.only);
    if exercises.is_empty() {
        bail!("no exercise's name holds `{}`", options.only);
    }
    let shelf = Shelf::open(catalog, program, options)?;
    if options.is_shut_in {
        probe(catalog, program, options)?;
    }
    let left = Mutex::new(students.iter());
    let done = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(students.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(student) = left.lock().ok().and_then(|mut left| left.next()) else { return };
                    let folder = options.folder.join(student);
                    let mut judge = judge_for(catalog, program, options, &folder);
                    for &exercise in &exercises {
                        let grade = one(catalog, &shelf, &mut judge, student, &folder, exercise, options);
                        done.lock().map(|mut done| done.push(grade)).unwrap_or_default();
                    }
                }
            });
        }
    });
    let mut done: Vec<Grade> = done.into_inner().unwrap_or_default();
    if done.len() != students.len() * exercises.len() {
        bail!("a worker ended early");
    }
    done.sort_by(|a, b| (&a.student, &a.exercise).cmp(&(&b.student, &b.exercise)));
    Ok(done)
}

fn judge_for(catalog: &Catalog, program: &Path, options: &Options, folder: &Path) -> Judge {
    match options.is_shut_in {
        true => Judge::shut_in(program, options.limits, folder, &catalog.folder),
        false => Judge::new(program, options.limits),
    }
}

/// Whether a process can be shut in here at all; said once, and not for each file.
fn probe(catalog: &Catalog, program: &Path, options: &Options) -> Result<()> {
    let Some(exercise) = catalog.exercises.iter().find(|exercise| exercise.spec.kind != Kind::Host) else {
        return Ok(());
    };
    let task = task(catalog, exercise, &exercise.shipped(), options);
    let mut judge = judge_for(catalog, program, options, &options.folder);
    match judge.ask(&task) {
        Ok(verdict) if !verdict.is("limit") => Ok(()),
        Ok(_) => {
            bail!("submissions cannot be shut in on this machine (its words are above); `--no-sandbox` grades without")
        }
        Err(why) => bail!("{} cannot be judged: {why}", exercise.name),
    }
}

fn students(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A link may lead anywhere.
        if entry.file_type()?.is_dir() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    if names.is_empty() {
        bail!("{} has no folder of a student in it", folder.display());
    }
    Ok(names)
}

fn task(catalog: &Catalog, exercise: &Exercise, file: &Path, options: &Options) -> Task {
    Task {
        catalog: catalog.folder.clone(),
        exercise: exercise.name.clone(),
        file: file.to_path_buf(),
        // No student's name: the verdict may serve another, too.
        shown: format!("{}/{}", exercise.topic(), exercise.file_name()),
        replay: None,
        colour: false,
        command: options.command.clone(),
        is_built: exercise.spec.kind == Kind::Host,
    }
}

fn one(
    catalog: &Catalog,
    shelf: &Shelf,
    judge: &mut Judge,
    student: &str,
    folder: &Path,
    exercise: &Exercise,
    options: &Options,
) -> Grade {
    let begin = Instant::now();
    let mut cached = false;
    let verdict = match submitted(folder, exercise) {
        Err((kind, why)) => Verdict::failed(kind, why),
        Ok(_) if exercise.spec.kind == Kind::Host && options.is_shut_in => Verdict::failed(
            "error",
            "programs of the host run natively; they are graded with `--no-sandbox` only".into(),
        ),
        Ok((file, bytes)) => {
            let key = shelf.key(exercise, &bytes);
            let stands_alone = is_alone(&String::from_utf8_lossy(&bytes));
            let known = shelf.get(&key).filter(|_| stands_alone);
            cached = known.is_some();
            known.unwrap_or_else(|| match judge.ask(&task(catalog, exercise, &file, options)) {
                Ok(verdict) => {
                    // Another day a machine may be less busy.
                    if stands_alone && !verdict.is("limit") {
                        shelf.put(&key, &verdict);
                    }
                    verdict
                }
                Err(why) => Verdict::failed("error", why),
            })
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    Grade { student: student.to_string(), exercise: exercise.name.clone(), verdict, seconds, cached }
}

/// Whether a file takes in nothing but headers of the toolkit: then its verdict depends on nothing else.
fn is_alone(text: &str) -> bool {
    let is_header = |name: &str| !name.starts_with('/') && !name.contains("..");
    text.match_indices("include").chain(text.match_indices("embed")).all(|(at, _)| {
        let rest = text[at..].strip_prefix("include").and_then(|rest| rest.trim_start_matches(' ').strip_prefix('<'));
        text[..at].ends_with('#') && rest.and_then(|rest| rest.split_once('>')).is_some_and(|(name, _)| is_header(name))
    })
}

/// The student's file and what is in it; a link, or a file in a folder that is one, is none of theirs.
fn submitted(folder: &Path, exercise: &Exercise) -> Result<(PathBuf, Vec<u8>), (&'static str, String)> {
    let name = exercise.file_name();
    let places = [folder.join(exercise.topic()).join(&name), folder.join(&name)];
    let missing = || ("missing", format!("nothing was handed in for {}", exercise.name));
    let path = places.into_iter().find(|path| path.symlink_metadata().is_ok()).ok_or_else(missing)?;
    let whole = folder.canonicalize().ok().zip(path.canonicalize().ok());
    let is_own = whole.is_some_and(|(folder, real)| real.starts_with(&folder));
    let data = path.symlink_metadata().map_err(|error| ("error", error.to_string()))?;
    if !is_own || !data.is_file() {
        return Err(("missing", format!("{name} is no file of the student's own")));
    }
    if data.len() > LONGEST {
        return Err(("limit", format!("{name} has {} bytes, {LONGEST} are allowed", data.len())));
    }
    let path = path.canonicalize().map_err(|error| ("error", error.to_string()))?;
    let bytes = fs::read(&path).map_err(|error| ("error", format!("cannot read {name}: {error}")))?;
    Ok((path, bytes))
}

/// Verdicts that are kept, by the contents of everything that they depend on.
struct Shelf {
    folder: Option<PathBuf>,
    /// This program, its compiler.
    base: String,
}

impl Shelf {
    fn open(catalog: &Catalog, program: &Path, options: &Options) -> Result<Shelf> {
        if let Some(folder) = &options.cache {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let mut base = Sha256::new();
        let data = program.metadata().with_context(|| format!("cannot read {}", program.display()))?;
        base.update(format!("{} bytes of {:?}\n", data.len(), data.modified()?));
        base.update(Compiler::find()?.name());
        base.update([u8::from(options.is_shut_in)]);
        base.update(catalog.folder.to_string_lossy().as_bytes());
        Ok(Shelf { folder: options.cache.clone(), base: format!("{:x}", base.finalize()) })
    }

    fn key(&self, exercise: &Exercise, bytes: &[u8]) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.base);
        hash.update(&exercise.name);
        for file in [exercise.folder.join("exercise.toml"), exercise.check_file(), exercise.shipped()] {
            // An exercise need not have each of them.
            let text = fs::read(file).unwrap_or_default();
            hash.update(text.len().to_le_bytes());
            hash.update(text);
        }
        hash.update(bytes);
        format!("{:x}", hash.finalize())
    }

    fn get(&self, key: &str) -> Option<Verdict> {
        let text = fs::read_to_string(self.folder.as_ref()?.join(key).with_extension("json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn put(&self, key: &str, verdict: &Verdict) {
        let Some(folder) = &self.folder else { return };
        let written = serde_json::to_string(verdict).map_err(anyhow::Error::from);
        let path = folder.join(key).with_extension("json");
        if let Err(error) = written.and_then(|text| write_whole(&path, &text)) {
            eprintln!("note: a verdict is not kept: {error:#}");
        }
    }
}

/// The grades as a text for another program.
pub fn report(grades: &[Grade], format: Format) -> Result<String> {
    let mut text = String::new();
    match format {
        Format::Json => text = serde_json::to_string_pretty(grades)? + "\n",
        Format::Csv => {
            text.push_str("student,exercise,passed,kinds,seconds\n");
            for Grade { student, exercise, verdict, seconds, .. } in grades {
                let kinds = verdict.kinds.join(" ");
                let _ = writeln!(text, "{},{exercise},{},{kinds},{seconds:.2}", quoted(student), verdict.passed);
            }
        }
        Format::Junit => {
            text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
            for student in grades.chunk_by(|a, b| a.student == b.student) {
                let failed = student.iter().filter(|grade| !grade.verdict.passed).count();
                let name = escaped(&student[0].student);
                let _ =
                    writeln!(text, "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failed}\">", student.len());
                for Grade { exercise, verdict, seconds, .. } in student {
                    let _ =
                        write!(text, "    <testcase classname=\"{name}\" name=\"{exercise}\" time=\"{seconds:.2}\"");
                    if verdict.passed {
                        text.push_str("/>\n");
                    } else {
                        let kinds = escaped(&verdict.kinds.join(", "));
                        let _ = writeln!(
                            text,
                            ">\n      <failure message=\"{kinds}\">{}</failure>",
                            escaped(&verdict.text)
                        );
                        text.push_str("    </testcase>\n");
                    }
                }
                text.push_str("  </testsuite>\n");
            }
            text.push_str("</testsuites>\n");
        }
    }
    Ok(text)
}

/// A field of CSV. One that a spreadsheet would take for a formula is made text.
fn quoted(text: &str) -> String {
    let plain = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_string() };
    if plain.contains([',', '"', '\n', '\r']) { format!("\"{}\"", plain.replace('"', "\"\"")) } else { plain }
}

/// For XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_kept_for_files_that_stand_alone() {
        for text in ["int x;", "#include <cooperative_groups.h>\n#include <cuda/atomic>\n"] {
            assert!(is_alone(text), "{text}");
        }
        for text in [
            "#include \"mine.h\"",
            "#include </etc/passwd>",
            "#include <../x>",
            "# include X",
            "__has_include(<x>)",
            "#embed \"x\"",
        ] {
            assert!(!is_alone(text), "{text}");
        }
    }

    #[test]
    fn names_and_texts_cannot_break_out_of_a_report() {
        let grade = Grade {
            student: "=1+1,\"<a>\"".into(),
            exercise: "02_sync/x".into(),
            verdict: Verdict::failed("answer", "a < b & \u{1b}[31m".into()),
            seconds: 0.5,
            cached: false,
        };
        let csv = report(std::slice::from_ref(&grade), Format::Csv).unwrap();
        assert_eq!(csv.lines().nth(1), Some("\"'=1+1,\"\"<a>\"\"\",02_sync/x,false,answer,0.50"));
        let junit = report(&[grade], Format::Junit).unwrap();
        assert!(
            junit.contains("a &lt; b &amp; \u{fffd}[31m") && junit.contains("name=\"=1+1,&quot;&lt;a&gt;&quot;\""),
            "{junit}"
        );
        assert_eq!(junit.matches('<').count(), junit.matches('>').count());
    }
}
