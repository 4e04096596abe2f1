//! `cargo learn grade`: a folder of submissions, with a folder for each student, judged side by side.
//! [`crate::report`] writes the results.
//!
//! A student's folder holds the exercises as `02_sync/missing_barrier.cu`, or just `missing_barrier.cu`. Each student
//! has a judging process of their own, in a sandbox ([`crate::sandbox`]) and with limits. Equal files get one verdict,
//! which is cached.

mod cache;
mod progress;
mod students;
mod submission;

use crate::catalog::{Catalog, Exercise};
use crate::child::{Judge, Limits};
use crate::marks::ExercisePoints;
use crate::reason::Reason;
use crate::sandbox::SandboxCell;
use crate::spec::ExerciseKind;
use crate::task::Task;
use crate::toolchain::Recipe;
use crate::verdict::Verdict;
use anyhow::{Result, bail};
use cache::{VerdictCache, is_self_contained};
use progress::{StudentProgress, host_recipe};
use serde::{Deserialize, Serialize};
use std::path::{self, Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;
pub use students::Share;
pub use submission::MAX_BYTES;

pub struct GradeOptions {
    pub folder: PathBuf,
    /// Only these students; empty: all.
    pub students: Vec<String>,
    pub share: Option<Share>,
    /// Only exercises whose names contain this.
    pub only: String,
    /// The points of exercises; others are not graded. Without it, each is worth one.
    pub marks: Option<ExercisePoints>,
    pub is_sandboxed: bool,
    pub is_verbose: bool,
    /// The folder for cached verdicts.
    pub cache: Option<PathBuf>,
    pub limits: Limits,
    /// The command that the user types, without its arguments.
    pub command: String,
}

/// The grade of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grade {
    pub student: String,
    pub exercise: String,
    pub verdict: Verdict,
    pub seconds: f64,
    /// True if the verdict is from the cache.
    pub cached: bool,
    pub points: u32,
    /// The points of a right answer.
    pub of: u32,
}

/// Returns the grades, ordered by student and exercise. Besides the reasons of a judged answer there are `missing`, if
/// there is no file, and `error`, if the course or the machine is at fault.
pub fn grade(catalog: &Catalog, program: &Path, options: &GradeOptions) -> Result<Vec<Grade>> {
    let all = students::find(&options.folder, catalog, options.students.is_empty())?;
    let students = students::select(all, options)?;
    let mut exercises = catalog.matching(&options.only);
    if let Some(marks) = &options.marks {
        exercises.retain(|exercise| marks.of(&exercise.name).is_some());
    }
    if exercises.is_empty() {
        bail!(say!("grade-no-exercise", part = &options.only));
    }
    // There may be more shares than students.
    if students.is_empty() {
        return Ok(Vec::new());
    }
    let begins = say!("grade-begins", students = students.len(), exercises = exercises.len());
    words::to_stderr(&format!("{begins}\n"));
    let cache = VerdictCache::open(catalog, program, options)?;
    if options.is_sandboxed {
        check_sandbox(catalog, program, options)?;
    }
    let is_built = exercises.iter().any(|exercise| exercise.spec.kind == ExerciseKind::Host);
    let recipe = is_built.then(host_recipe).and_then(|recipe| {
        // The others can be judged all the same.
        recipe.inspect_err(|why| words::complain(&say!("grade-host-not-buildable", why))).ok()
    });
    let recipe = recipe.as_ref();
    let left = Mutex::new(students.iter());
    let grades = Mutex::new(Vec::new());
    let progress = Mutex::new(StudentProgress::new(students.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(students.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((student, name)) = left.lock().ok().and_then(|mut left| left.next()) else { return };
                    let folder = options.folder.join(name);
                    let mut judge = judge_for(catalog, program, options, &folder, recipe);
                    for &exercise in &exercises {
                        let grade = grade_one(catalog, &cache, &mut judge, student, &folder, exercise, options);
                        grades.lock().map(|mut grades| grades.push(grade)).unwrap_or_default();
                    }
                    progress.lock().map(|mut progress| progress.one_more()).unwrap_or_default();
                }
            });
        }
    });
    let mut grades: Vec<Grade> = grades.into_inner().unwrap_or_default();
    if grades.len() != students.len() * exercises.len() {
        bail!(say!("worker-ended"));
    }
    grades.sort_by(|a, b| (&a.student, &a.exercise).cmp(&(&b.student, &b.exercise)));
    Ok(grades)
}

/// Returns the sums of points as text: a line for each student, and one for the class.
pub fn totals(grades: &[Grade]) -> String {
    let sum = |grades: &[Grade]| grades.iter().fold((0, 0), |sum, grade| (sum.0 + grade.points, sum.1 + grade.of));
    let mut text = String::new();
    for own in grades.chunk_by(|one, next| one.student == next.student) {
        let (points, of) = sum(own);
        // A name may contain control sequences of a terminal.
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

/// Creates the judge of one student's folder.
fn judge_for(
    catalog: &Catalog,
    program: &Path,
    options: &GradeOptions,
    folder: &Path,
    recipe: Option<&Recipe>,
) -> Judge {
    let cell = || SandboxCell {
        student: path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
        catalog: catalog.folder.clone(),
        recipe: recipe.cloned(),
    };
    match options.is_sandboxed {
        true => Judge::sandboxed(program, options.limits, cell()),
        false => Judge::new(program, options.limits),
    }
}

/// Returns an error if this system cannot sandbox a process. So that is reported once, and not for each file.
fn check_sandbox(catalog: &Catalog, program: &Path, options: &GradeOptions) -> Result<()> {
    let Some(exercise) = catalog.exercises.iter().find(|exercise| exercise.spec.kind != ExerciseKind::Host) else {
        return Ok(());
    };
    let task = task(catalog, exercise, &exercise.shipped(), options);
    let mut judge = judge_for(catalog, program, options, &options.folder, None);
    match judge.ask(&task) {
        Ok(verdict) if !verdict.is(Reason::Limit) => Ok(()),
        Ok(_) => bail!(say!("grade-cannot-shut-in")),
        Err(why) => bail!(say!("grade-cannot-judge", name = &exercise.name, why)),
    }
}

fn task(catalog: &Catalog, exercise: &Exercise, file: &Path, options: &GradeOptions) -> Task {
    Task {
        file: file.to_path_buf(),
        // Not with the student's name: the cached verdict may serve another student.
        shown: exercise.path(),
        command: options.command.clone(),
        is_built: exercise.spec.kind == ExerciseKind::Host,
        is_verbose: options.is_verbose,
        ..Task::of(&catalog.folder, exercise)
    }
}

/// Grades one student's answer to one exercise.
fn grade_one(
    catalog: &Catalog,
    cache: &VerdictCache,
    judge: &mut Judge,
    student: &str,
    folder: &Path,
    exercise: &Exercise,
    options: &GradeOptions,
) -> Grade {
    let begin = Instant::now();
    let mut cached = false;
    let verdict = match submission::read(folder, exercise) {
        Err((kind, why)) => Verdict::failed(kind, why),
        Ok((file, bytes)) => {
            let key = cache.key(exercise, &bytes);
            let is_cacheable = is_self_contained(&String::from_utf8_lossy(&bytes), exercise.spec.kind);
            let known = cache.get(&key).filter(|_| is_cacheable);
            cached = known.is_some();
            known.unwrap_or_else(|| match judge.ask(&task(catalog, exercise, &file, options)) {
                Ok(verdict) => {
                    // A limit may not be reached again when the machine is less busy.
                    if is_cacheable && !verdict.is(Reason::Limit) {
                        cache.put(&key, &verdict);
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
