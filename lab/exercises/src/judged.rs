//! The catalogue tried by mistakes: each right answer is changed at each place where a student may slip, and each
//! changed one must be refused, or be right for a reason that `explained.toml` gives.
//!
//! A change that does not compile, or compiles to the code of another, is dropped.

use crate::changed::{Mutant, MutantQuery, mutants};
use crate::explained::{self, Explained};
use anyhow::{Context, Result, bail};
use learn::catalog::{Catalog, Exercise};
use learn::cheats;
use learn::child::{Judge, Limits};
use learn::expression::{Sizes, evaluate};
use learn::grade::Share;
use learn::reason::Reason;
use learn::spec::{Amount, LaunchDimensions, LaunchSpec};
use learn::task::Task;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(20), memory: 3 << 30 };

/// A changed answer that passes, and nobody has said why.
struct Survivor {
    file: String,
    mutant: Mutant,
}

/// The results of one exercise's mutants.
#[derive(Default)]
struct Counts {
    refused: usize,
    /// Explanations in `explained.toml`.
    explanations: usize,
    /// Right ones, with the words that explain them.
    explained: Vec<(Survivor, String)>,
    survivors: Vec<Survivor>,
    /// Dropped: they do not compile, or to code that is known.
    uncompiled: usize,
    same: usize,
    /// Errors, and explanations that explain nothing.
    problems: Vec<String>,
}

impl Counts {
    fn distinct(&self) -> usize {
        self.refused + self.explained.len() + self.survivors.len()
    }
}

/// Which of them.
pub struct MutantOptions<'a> {
    /// Only exercises whose names hold this.
    pub part: &'a str,
    /// Only a part of the changed answers.
    pub sample: Option<Share>,
    pub workers: usize,
    /// Tell each changed answer that is right, too.
    pub is_verbose: bool,
}

/// Judges all, and writes a line about each exercise as soon as it is done. Whether none survives unexplained.
pub fn verify(
    catalog: &Catalog,
    program: &Path,
    options: &MutantOptions,
    tell: &(impl Fn(&str) + Sync),
) -> Result<bool> {
    let programs = |exercise: &&Exercise| exercise.spec.kind.has_fixes() && !exercise.spec.launches.is_empty();
    let wanted: Vec<&Exercise> = catalog.matching(options.part).into_iter().filter(programs).collect();
    if wanted.is_empty() {
        bail!("no exercise with code has `{}` in its name", options.part);
    }
    let files: Vec<(&Exercise, PathBuf)> = wanted
        .iter()
        .flat_map(|exercise| {
            let rights = exercise.files("right_").unwrap_or_default();
            [exercise.solution()].into_iter().chain(rights).map(move |file| (*exercise, file))
        })
        .collect();
    let mut made = Vec::new();
    let mut number = 0;
    for (exercise, file) in &files {
        let mut kept = Vec::new();
        for mutant in mutants(&asked(exercise, file)?).map_err(anyhow::Error::msg)? {
            number += 1;
            if options.sample.is_none_or(|share| share.contains(number)) {
                kept.push(mutant);
            }
        }
        made.push((*exercise, file, kept));
    }
    let left = Mutex::new(wanted.iter());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.workers.clamp(1, wanted.len()) {
            scope.spawn(|| {
                let mut judge = Judge::new(program, LIMITS);
                loop {
                    let Some(exercise) = left.lock().ok().and_then(|mut left| left.next()) else { return };
                    let own = made.iter().filter(|(of, ..)| of.name == exercise.name);
                    let mut counts = Counts::default();
                    let files = own.map(|(_, file, mutants)| (file.as_path(), mutants.as_slice()));
                    one(catalog, exercise, &mut judge, files, &mut counts);
                    if options.sample.is_none() {
                        counts.problems.extend(idle_words(&counts));
                    }
                    tell(&told(exercise, &counts, options.is_verbose));
                    done.lock().map(|mut done| done.push(counts)).unwrap_or_default();
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_default();
    if done.len() != wanted.len() {
        bail!("a worker ended before its work was done");
    }
    let sum = |of: fn(&Counts) -> usize| done.iter().map(of).sum::<usize>();
    let (uncompiled, same) = (sum(|counts| counts.uncompiled), sum(|counts| counts.same));
    let (survivors, problems) = (sum(|counts| counts.survivors.len()), sum(|counts| counts.problems.len()));
    let (refused, explained) = (sum(|counts| counts.refused), sum(|counts| counts.explained.len()));
    tell(&format!("dropped: {uncompiled} that do not compile, {same} that compile to the same code as another\n"));
    tell(&format!("{refused} refused, {explained} right and explained\n"));
    tell(&format!("{} mutants, {survivors} survive unexplained\n", sum(Counts::distinct)));
    Ok(survivors == 0 && problems == 0)
}

fn asked(exercise: &Exercise, file: &Path) -> Result<MutantQuery> {
    let read = |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let text = read(file)?;
    let is_costed = exercise.spec.budget.keys().any(|sum| sum.contains("barrier") || sum.contains("fence"));
    Ok(MutantQuery { assumed: assumed(exercise, &text), shipped: read(&exercise.shipped())?, is_costed, text })
}

/// The values that students may take for fixed: the shape of the launch, and sizes that are arguments, as they are at
/// the largest sizes.
fn assumed(exercise: &Exercise, text: &str) -> BTreeMap<String, String> {
    let spec = &exercise.spec;
    let sizes: Sizes = spec.sizes.iter().map(|(name, size)| (name.clone(), size.ends().1)).collect();
    let mut assumed = BTreeMap::new();
    let mut twice = Vec::new();
    for launch in &spec.launches {
        for (name, value) in of_launch(launch, text, &sizes) {
            if assumed.insert(name.clone(), value.clone()).is_some_and(|before| before != value) {
                twice.push(name);
            }
        }
    }
    twice.iter().for_each(|name| drop(assumed.remove(name)));
    assumed
}

fn of_launch(launch: &LaunchSpec, text: &str, sizes: &Sizes) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (word, shape) in [("gridDim", &launch.grid), ("blockDim", &launch.block)] {
        let axes = match shape {
            LaunchDimensions::One(amount) => std::slice::from_ref(amount),
            LaunchDimensions::Several(amounts) => amounts,
        };
        for (axis, amount) in ["x", "y", "z"].iter().zip(axes) {
            all.extend(amount.whole(sizes).ok().map(|value| (format!("{word}.{axis}"), value.to_string())));
        }
    }
    let names = cheats::parameters(text, &launch.kernel).unwrap_or_default();
    for (name, amount) in cheats::names(&names).into_iter().zip(&launch.args) {
        let value = match amount {
            Amount::Expression(text) => {
                let text = text.split(':').next().unwrap_or_default();
                evaluate(text, sizes).ok()
            }
            Amount::Whole(value) => Some(*value),
            Amount::Real(_) => None,
        };
        all.extend(value.map(|value| (name.to_string(), value.to_string())));
    }
    all
}

/// All changed answers to one exercise.
fn one<'a>(
    catalog: &Catalog,
    exercise: &Exercise,
    judge: &mut Judge,
    files: impl Iterator<Item = (&'a Path, &'a [Mutant])>,
    counts: &mut Counts,
) {
    let scratch =
        std::env::temp_dir().join(format!("mutant-{}-{}.cu", std::process::id(), exercise.name.replace('/', "-")));
    let explained = Explained::read(exercise).unwrap_or_else(|error| {
        counts.problems.push(tell::in_a_line(&error));
        Explained::default()
    });
    counts.explanations = explained.mutants.len();
    let mut known = Vec::new();
    for (path, mutants) in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let original = fs::read_to_string(path).unwrap_or_default();
        let texts = [original.as_str()].into_iter().chain(mutants.iter().map(|mutant| mutant.text.as_str()));
        for (number, text) in texts.enumerate() {
            let mutant = number.checked_sub(1).map(|number| &mutants[number]);
            let task = Task {
                file: scratch.clone(),
                unless_known: Some(known.clone()),
                ..Task::of(&catalog.folder, exercise)
            };
            let asked =
                fs::write(&scratch, text).map_err(|error| tell::of_system(&error)).and_then(|()| judge.ask(&task));
            let verdict = match asked {
                Ok(verdict) => verdict,
                Err(why) => {
                    counts.problems.push(format!("{name}: {why}"));
                    continue;
                }
            };
            let is_known = verdict.code.as_ref().is_some_and(|code| known.contains(code));
            known.extend(verdict.code.clone().filter(|_| !is_known));
            match mutant {
                None => {}
                Some(_) if is_known => counts.same += 1,
                Some(_) if verdict.is(Reason::Compile) => counts.uncompiled += 1,
                Some(mutant) if verdict.passed => {
                    let survivor = Survivor { file: name.clone(), mutant: mutant.clone() };
                    match explained.mutants.iter().find(|words| explains(words, mutant)) {
                        Some(words) => counts.explained.push((survivor, words.why.clone())),
                        None => counts.survivors.push(survivor),
                    }
                }
                Some(_) => counts.refused += 1,
            }
        }
    }
    // A file among the system's temporary ones; what cannot be removed does no harm.
    let _ = fs::remove_file(&scratch);
}

fn explains(words: &explained::Mutant, mutant: &Mutant) -> bool {
    words.operator == mutant.operator && mutant.site.contains(&words.site)
}

/// Explanations are for changed answers that pass: more of them than of those say nothing.
fn idle_words(counts: &Counts) -> Option<String> {
    let (words, explained) = (counts.explanations, counts.explained.len());
    (words > explained).then(|| {
        format!(
            "explained.toml explains {words} changes, and only {explained} of them pass: remove the explanations that \
             no change needs"
        )
    })
}

fn told(exercise: &Exercise, counts: &Counts, is_verbose: bool) -> String {
    let is_well = counts.survivors.is_empty() && counts.problems.is_empty();
    let word = if is_well { "ok" } else { "FAILED" };
    let (count, refused, explained) = (counts.distinct(), counts.refused, counts.explained.len());
    let mut text = format!("{word:<6} {}: {count} mutants, {refused} refused, {explained} explained\n", exercise.name);
    let change = |Survivor { file, mutant: Mutant { operator, line, site, text: changed } }: &Survivor| {
        let now = changed.lines().nth(line - 1).unwrap_or_default().trim();
        format!("   {file}:{line}: {operator}: {site}\n      -> {now}\n")
    };
    text.extend(counts.survivors.iter().map(change));
    for (survivor, why) in counts.explained.iter().filter(|_| is_verbose) {
        text += &format!("{}      = {why}\n", change(survivor));
    }
    for problem in &counts.problems {
        text += &format!("   {problem}\n");
    }
    text
}
