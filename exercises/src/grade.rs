//! `cargo learn grade`: a folder of submissions, with a folder for each student, judged side by side.
//! [`crate::report`] writes down what came out.
//!
//! A student's folder holds the exercises as `02_sync/missing_barrier.cu`, or just `missing_barrier.cu`. Each student
//! has a judging process of their own, shut in ([`crate::sandbox`]) and with limits. Equal files get one verdict, which
//! is kept.

mod told;

use crate::Language;
use crate::catalog::{Catalog, Exercise, SPANISH, folder_names};
use crate::child::{Judge, Limits};
use crate::compile::Compiler;
use crate::marks::ExercisePoints;
use crate::progress::write_whole;
use crate::reason::Reason;
use crate::sandbox::Cell;
use crate::spec::Kind;
use crate::task::Task;
use crate::toolchain::Recipe;
use crate::verdict::Verdict;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;
use std::time::Instant;
use told::{Ready, host_recipe};

/// Folders in folders in which a file is looked for that is not where it should be.
const DEEPEST: usize = 4;

/// Bytes of a submitted file.
pub const LONGEST: u64 = 256 << 10;

pub struct GradeOptions {
    pub folder: PathBuf,
    /// Only these students; empty: all.
    pub students: Vec<String>,
    pub share: Option<Share>,
    /// Only exercises whose names hold this.
    pub only: String,
    /// Only exercises that are worth something; without it, each is worth a point.
    pub marks: Option<ExercisePoints>,
    pub is_shut_in: bool,
    pub is_verbose: bool,
    pub cache: Option<PathBuf>,
    pub limits: Limits,
    /// The command that the user types, without its arguments.
    pub command: String,
}

/// A share of the students, for a class that several machines grade. `3/8` is the third of eight: students 3, 11, 19, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    number: usize,
    of: usize,
}

impl Share {
    /// True if the one with this number, from 1, is in it.
    pub fn holds(self, number: usize) -> bool {
        number % self.of == self.number % self.of
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
            _ => Err(say!("share-unreadable", text)),
        }
    }
}

/// The grade of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grade {
    pub student: String,
    pub exercise: String,
    pub verdict: Verdict,
    pub seconds: f64,
    /// The verdict was known.
    pub cached: bool,
    pub points: u32,
    /// The points that it can have.
    pub of: u32,
}

/// Grades in the order of students and exercises. Besides a verdict's kinds there are `missing`, no file; and `error`,
/// the course or the machine is at fault.
pub fn grade(catalog: &Catalog, program: &Path, options: &GradeOptions) -> Result<Vec<Grade>> {
    let students = chosen(students(&options.folder, catalog, options.students.is_empty())?, options)?;
    let mut exercises = catalog.matching(&options.only);
    if let Some(marks) = &options.marks {
        exercises.retain(|exercise| marks.of(&exercise.name).is_some());
    }
    if exercises.is_empty() {
        bail!(say!("grade-no-exercise", part = &options.only));
    }
    // More shares than students: some have nobody.
    if students.is_empty() {
        return Ok(Vec::new());
    }
    let begins = say!("grade-begins", students = students.len(), exercises = exercises.len());
    words::to_stderr(&format!("{begins}\n"));
    let shelf = Shelf::open(catalog, program, options)?;
    if options.is_shut_in {
        probe(catalog, program, options)?;
    }
    let is_built = exercises.iter().any(|exercise| exercise.spec.kind == Kind::Host);
    let recipe = is_built.then(host_recipe).and_then(|recipe| {
        // The others can be judged all the same.
        recipe.inspect_err(|why| words::complain(&say!("grade-host-not-buildable", why))).ok()
    });
    let recipe = recipe.as_ref();
    let left = Mutex::new(students.iter());
    let done = Mutex::new(Vec::new());
    let ready = Mutex::new(Ready::new(students.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(students.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((student, name)) = left.lock().ok().and_then(|mut left| left.next()) else { return };
                    let folder = options.folder.join(name);
                    let mut judge = judge_for(catalog, program, options, &folder, recipe);
                    for &exercise in &exercises {
                        let grade = one(catalog, &shelf, &mut judge, student, &folder, exercise, options);
                        done.lock().map(|mut done| done.push(grade)).unwrap_or_default();
                    }
                    ready.lock().map(|mut ready| ready.one_more()).unwrap_or_default();
                }
            });
        }
    });
    let mut done: Vec<Grade> = done.into_inner().unwrap_or_default();
    if done.len() != students.len() * exercises.len() {
        bail!(say!("worker-ended"));
    }
    done.sort_by(|a, b| (&a.student, &a.exercise).cmp(&(&b.student, &b.exercise)));
    Ok(done)
}

/// Points in all: a line for each student, and one for the class.
pub fn totals(grades: &[Grade]) -> String {
    let sum = |grades: &[Grade]| grades.iter().fold((0, 0), |sum, grade| (sum.0 + grade.points, sum.1 + grade.of));
    let mut text = String::new();
    for own in grades.chunk_by(|one, next| one.student == next.student) {
        let (points, of) = sum(own);
        // A name may hold what a terminal acts on.
        let student: String = own[0].student.chars().filter(|c| !c.is_control()).collect();
        text += &format!("{}\n", say!("grade-points", student = &student, points, of));
        for Grade { exercise, verdict, .. } in own.iter().filter(|grade| !grade.verdict.refused.is_empty()) {
            let what: String = verdict.refused.join(", ").chars().filter(|c| !c.is_control()).collect();
            text += &format!("{}\n", say!("grade-refused", student = &student, exercise, what));
        }
    }
    let (points, of) = sum(grades);
    let students = grades.chunk_by(|one, next| one.student == next.student).count();
    text + &format!("{}\n", say!("grade-points-of-all", students, points, of))
}

fn judge_for(
    catalog: &Catalog,
    program: &Path,
    options: &GradeOptions,
    folder: &Path,
    recipe: Option<&Recipe>,
) -> Judge {
    let cell = || Cell {
        student: path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
        catalog: catalog.folder.clone(),
        recipe: recipe.cloned(),
    };
    match options.is_shut_in {
        true => Judge::shut_in(program, options.limits, cell()),
        false => Judge::new(program, options.limits),
    }
}

/// True if a process can be shut in here at all; said once, and not for each file.
fn probe(catalog: &Catalog, program: &Path, options: &GradeOptions) -> Result<()> {
    let Some(exercise) = catalog.exercises.iter().find(|exercise| exercise.spec.kind != Kind::Host) else {
        return Ok(());
    };
    let task = task(catalog, exercise, &exercise.shipped(), options);
    let mut judge = judge_for(catalog, program, options, &options.folder, None);
    match judge.ask(&task) {
        Ok(verdict) if !verdict.is(Reason::Limit) => Ok(()),
        Ok(_) => {
            bail!(say!("grade-cannot-shut-in"))
        }
        Err(why) => bail!(say!("grade-cannot-judge", name = &exercise.name, why)),
    }
}

/// A name as a report has it, and the name of the folder, which may be no text.
type Student = (String, OsString);

fn students(folder: &Path, catalog: &Catalog, is_whole: bool) -> Result<Vec<Student>> {
    let shown = || folder.display().to_string();
    let names = folder_names(folder)?;
    if names.iter().any(|name| name.to_str().is_some_and(|name| catalog.topics.iter().any(|(topic, _)| topic == name)))
    {
        bail!(say!("grade-own-folder", folder = shown()));
    }
    if is_whole {
        note_the_rest(folder)?;
    }
    if names.is_empty() {
        bail!(say!("grade-no-students", folder = shown()));
    }
    Ok(names.into_iter().map(|name| (name.to_string_lossy().into_owned(), name)).collect())
}

/// Says of what lies beside the students' folders that it is not graded.
fn note_the_rest(folder: &Path) -> Result<()> {
    let mut loose = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            // A link may lead anywhere, to another student's work too, or nowhere.
            Ok(kind) if kind.is_symlink() => words::complain(&say!("grade-linked", name)),
            Ok(kind) if kind.is_file() && !name.starts_with('.') => loose.push(name),
            _ => {}
        }
    }
    loose.sort();
    if let Some(name) = loose.first() {
        words::complain(&say!("grade-loose", name, more = loose.len() - 1));
    }
    Ok(())
}

/// Those of them that are asked for.
fn chosen(mut students: Vec<Student>, options: &GradeOptions) -> Result<Vec<Student>> {
    let is_there = |name: &&String| students.iter().any(|(known, _)| known == *name);
    if let Some(unknown) = options.students.iter().find(|name| !is_there(name)) {
        bail!(say!("grade-unknown-student", folder = options.folder.display().to_string(), name = unknown));
    }
    if !options.students.is_empty() {
        students.retain(|(name, _)| options.students.contains(name));
    }
    Ok(match options.share {
        Some(Share { number, of }) => students.into_iter().skip(number - 1).step_by(of).collect(),
        None => students,
    })
}

fn task(catalog: &Catalog, exercise: &Exercise, file: &Path, options: &GradeOptions) -> Task {
    Task {
        file: file.to_path_buf(),
        // No student's name: the verdict may serve another, too.
        shown: exercise.path(),
        command: options.command.clone(),
        is_built: exercise.spec.kind == Kind::Host,
        is_verbose: options.is_verbose,
        ..Task::of(&catalog.folder, exercise)
    }
}

fn one(
    catalog: &Catalog,
    shelf: &Shelf,
    judge: &mut Judge,
    student: &str,
    folder: &Path,
    exercise: &Exercise,
    options: &GradeOptions,
) -> Grade {
    let begin = Instant::now();
    let mut cached = false;
    let verdict = match submitted(folder, exercise) {
        Err((kind, why)) => Verdict::failed(kind, why),
        Ok((file, bytes)) => {
            let key = shelf.key(exercise, &bytes);
            let text = String::from_utf8_lossy(&bytes);
            let is_host = exercise.spec.kind == Kind::Host;
            let stands_alone = if is_host { is_alone_in_rust(&text) } else { is_alone(&text) };
            let known = shelf.get(&key).filter(|_| stands_alone);
            cached = known.is_some();
            known.unwrap_or_else(|| match judge.ask(&task(catalog, exercise, &file, options)) {
                Ok(verdict) => {
                    // Another day a machine may be less busy.
                    if stands_alone && !verdict.is(Reason::Limit) {
                        shelf.put(&key, &verdict);
                    }
                    verdict
                }
                Err(why) => Verdict::failed(Reason::Error, why),
            })
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    let of = options.marks.as_ref().map_or(1, |marks| marks.of(&exercise.name).unwrap_or(0));
    let points = if verdict.passed { of } else { 0 };
    Grade { student: student.to_string(), exercise: exercise.name.clone(), verdict, seconds, cached, points, of }
}

/// True if a file takes in nothing but headers of the toolkit: then its verdict depends on nothing else.
fn is_alone(text: &str) -> bool {
    let is_header = |name: &str| !name.starts_with('/') && !name.contains("..");
    text.match_indices("include").chain(text.match_indices("embed")).all(|(at, _)| {
        let rest = text[at..].strip_prefix("include").and_then(|rest| rest.trim_start_matches(' ').strip_prefix('<'));
        text[..at].ends_with('#') && rest.and_then(|rest| rest.split_once('>')).is_some_and(|(name, _)| is_header(name))
    })
}

/// As `is_alone`, for a program: it takes in its kernels, by the line that all have, and no other file.
fn is_alone_in_rust(text: &str) -> bool {
    let rest = text.replace("include_str!(env!(\"KERNELS\"))", "");
    let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.all(|word| word != "mod" && word != "path" && !word.starts_with("include"))
}

/// Nothing is where it should be. Something else may be meant for it: browsers number files that are there, and
/// archives add a folder.
fn not_there(folder: &Path, exercise: &Exercise) -> String {
    let missing = say!("grade-missing", name = &exercise.name);
    let mut left = vec![(folder.to_path_buf(), 0)];
    let mut near = Vec::new();
    while let Some((at, depth)) = left.pop() {
        let Ok(entries) = fs::read_dir(&at) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEEPEST {
                left.push((entry.path(), depth + 1));
            }
            if kind.is_file() && bare(&entry.file_name().to_string_lossy()).contains(&bare(exercise.short())) {
                let path = entry.path();
                near.push(path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned());
            }
        }
    }
    near.sort();
    match near.first() {
        Some(found) => format!("{missing}\n{}", say!("grade-near", found, wanted = exercise.file_name())),
        None => missing,
    }
}

/// Returns the letters and digits of a name, in lowercase, by which spellings of one name are alike.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the contents of a file that may be handed in; a link or a pipe may lead anywhere, or have no end.
fn plain(path: &Path) -> Option<Vec<u8>> {
    let data = path.symlink_metadata().ok()?;
    (data.is_file() && data.len() <= LONGEST).then(|| fs::read(path).ok())?
}

/// The student's file and what is in it; a link, or a file in a folder that is one, is none of theirs.
fn submitted(folder: &Path, exercise: &Exercise) -> Result<(PathBuf, Vec<u8>), (Reason, String)> {
    let name = exercise.file_name();
    let places = [folder.join(exercise.topic()).join(&name), folder.join(&name)];
    let missing = || (Reason::Missing, not_there(folder, exercise));
    let mut found = places.iter().filter(|path| path.symlink_metadata().is_ok());
    let path = found.next().ok_or_else(missing)?;
    if let Some(other) = found.next().filter(|other| plain(other) != plain(path)) {
        let [graded, left] = [path, other].map(|path| path.strip_prefix(folder).unwrap_or(path).display().to_string());
        let student = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        words::complain(&say!("grade-twice", student, graded, left));
    }
    let whole = folder.canonicalize().ok().zip(path.canonicalize().ok());
    let is_own = whole.is_some_and(|(folder, real)| real.starts_with(&folder));
    let data = path.symlink_metadata().map_err(|error| (Reason::Error, tell::of_system(&error)))?;
    if !is_own || !data.is_file() {
        let kind = match data.file_type() {
            kind if kind.is_symlink() => "link",
            kind if kind.is_dir() => "folder",
            kind if kind.is_file() => "behind-link",
            _ => "other",
        };
        return Err((Reason::Missing, say!("grade-not-own", name, kind)));
    }
    if data.len() > LONGEST {
        return Err((Reason::Limit, say!("grade-too-long", name, bytes = data.len(), most = LONGEST)));
    }
    let path = path.canonicalize().map_err(|error| (Reason::Error, tell::of_system(&error)))?;
    let bytes = fs::read(&path)
        .map_err(|error| (Reason::Error, say!("cannot-read", path = name) + ": " + &tell::of_system(&error)))?;
    Ok((path, bytes))
}

/// Verdicts that are kept, by the contents of everything that they depend on.
struct Shelf {
    folder: Option<PathBuf>,
    /// This program, its compiler.
    base: String,
}

impl Shelf {
    fn open(catalog: &Catalog, program: &Path, options: &GradeOptions) -> Result<Shelf> {
        if let Some(folder) = &options.cache {
            fs::create_dir_all(folder).with_context(|| say!("cannot-create", path = folder.display().to_string()))?;
        }
        let mut base = Sha256::new();
        let data = program.metadata().with_context(|| say!("cannot-read", path = program.display().to_string()))?;
        base.update(format!("{} bytes of {:?}\n", data.len(), data.modified()?));
        base.update(Compiler::find()?.name());
        base.update([u8::from(options.is_shut_in), u8::from(options.is_verbose)]);
        base.update(Language::current().code());
        base.update(catalog.folder.to_string_lossy().as_bytes());
        Ok(Shelf { folder: options.cache.clone(), base: format!("{:x}", base.finalize()) })
    }

    fn key(&self, exercise: &Exercise, bytes: &[u8]) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.base);
        hash.update(&exercise.name);
        let kernels = exercise.folder.join(format!("{}.cu", exercise.short()));
        let texts = ["exercise.toml", SPANISH].map(|name| exercise.folder.join(name));
        for file in texts.into_iter().chain([exercise.check_file(), exercise.shipped(), kernels]) {
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
            words::complain(&say!("grade-not-kept", why = tell::in_a_line(&error)));
        }
    }
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
        let kernels = "static PTX: &str = include_str!(env!(\"KERNELS\"));\n";
        assert!(is_alone_in_rust(&format!(
            "use cust::prelude::*;\n{kernels}fn main() {{ let module = Module::from_ptx(PTX); }}"
        )));
        for text in ["mod more;", "include!(\"x\");", "#[path = \"x\"]", "include_str! (env!(\"KERNELS\"))"] {
            assert!(!is_alone_in_rust(text), "{text}");
        }
    }

    #[test]
    fn shares_are_counted_from_one() {
        assert_eq!("3/8".parse(), Ok(Share { number: 3, of: 8 }));
        for text in ["0/8", "9/8", "3", "3/", "-1/2", "1/0"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
