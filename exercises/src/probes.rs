//! The catalogue tried by classes of sizes: an answer that does nothing at sizes such as `n % 32 = 0` must be rejected, or
//! `exercise.toml` says why that class is left out.
//!
//! No answer is compiled. Kernels that do nothing are kernels that are not launched, and those sizes are among the inputs or are not.

use crate::case::Case;
use crate::catalog::{Catalog, Exercise};
use crate::compile::Workshop;
use crate::edges;
use crate::grade::Share;
use crate::judge::trial::Trial;
use crate::spec::Left;
use crate::task::Task;
use anyhow::{Result, bail};
use std::collections::BTreeSet;

/// What came of one exercise's classes.
#[derive(Default)]
struct Counts {
    noticed: usize,
    left_out: Vec<Left>,
    /// Never tried, or tried where there is nothing to do.
    unnoticed: Vec<String>,
    /// What only `edges` tries.
    at_edges: Vec<String>,
    problems: Vec<String>,
}

/// Probes all whose names hold `part`, or the part of their classes that `sample` names. Whether nothing is left unexplained.
pub fn verify(
    catalog: &Catalog,
    part: &str,
    sample: Option<Share>,
    is_verbose: bool,
    tell: &impl Fn(&str),
) -> Result<bool> {
    let has_sizes = |exercise: &&Exercise| {
        let spec = &exercise.spec;
        spec.kind.has_fixes() && !spec.launches.is_empty() && !spec.sizes.is_empty()
    };
    let wanted: Vec<&Exercise> = catalog.matching(part).into_iter().filter(has_sizes).collect();
    if wanted.is_empty() {
        bail!(say!("verify-no-exercise", part));
    }
    let mut workshop = Workshop::default();
    let (mut number, mut all, mut unnoticed, mut good) = (0, 0, 0, true);
    for exercise in wanted {
        let mut classes = edges::all(&exercise.spec);
        classes.retain(|_| {
            number += 1;
            sample.is_none_or(|share| share.holds(number))
        });
        all += classes.len();
        let counts = one(catalog, exercise, classes, sample.is_none(), &mut workshop);
        unnoticed += counts.unnoticed.len();
        good &= counts.unnoticed.is_empty() && counts.problems.is_empty();
        tell(&told(exercise, &counts, is_verbose));
    }
    tell(&format!("{}\n", say!("probes-standing", count = all, unnoticed)));
    Ok(good)
}

fn one(
    catalog: &Catalog,
    exercise: &Exercise,
    classes: BTreeSet<String>,
    is_whole: bool,
    workshop: &mut Workshop,
) -> Counts {
    let mut counts = Counts::default();
    match noticed(catalog, exercise, &classes, workshop) {
        Err(why) => counts.problems.push(why),
        Ok([by_draws, noticed]) => {
            counts.at_edges = noticed.difference(&by_draws).cloned().collect();
            let left: Vec<&Left> = exercise.spec.left.iter().collect();
            for class in &classes {
                match left.iter().find(|left| left.class == *class) {
                    _ if noticed.contains(class) => counts.noticed += 1,
                    Some(left) => counts.left_out.push((*left).clone()),
                    None => counts.unnoticed.push(class.clone()),
                }
            }
            if is_whole && left.len() > counts.left_out.len() {
                let (words, of) = (left.len(), counts.left_out.len());
                counts.problems.push(say!("probes-idle-words", words, of));
            }
        }
    }
    counts
}

/// The classes of which an instance is tried that shows an answer that does nothing: those of drawn inputs, and all.
fn noticed(
    catalog: &Catalog,
    exercise: &Exercise,
    classes: &BTreeSet<String>,
    workshop: &mut Workshop,
) -> Result<[BTreeSet<String>; 2], String> {
    let spec = &exercise.spec;
    let task = Task::of(&catalog.folder, exercise);
    // No kernel of it runs: any program will do.
    let program = workshop.program(&exercise.check_file(), &spec.compile)?;
    let trial = Trial::of(exercise, &task, "", program, workshop)?;
    let mut noticed = BTreeSet::new();
    let mut look = |cases: Vec<Case>| -> Result<BTreeSet<String>, String> {
        for case in cases {
            let own: BTreeSet<String> = edges::classes(spec, &case.sizes).intersection(classes).cloned().collect();
            if !own.is_subset(&noticed) && trial.notices_idleness(&case)? {
                noticed.extend(own);
            }
        }
        Ok(noticed.clone())
    };
    Ok([look([Case::draw(spec), Case::special(spec)].concat())?, look(edges::cases(spec))?])
}

fn told(exercise: &Exercise, counts: &Counts, is_verbose: bool) -> String {
    let is_well = counts.unnoticed.is_empty() && counts.problems.is_empty();
    let word = if is_well { say!("verify-ok") } else { say!("verify-failed") };
    let (noticed, left) = (counts.noticed, counts.left_out.len());
    let count = noticed + left + counts.unnoticed.len();
    let mut text = format!("{word:<6} {}\n", say!("probes-line", name = &exercise.name, count, noticed, left));
    let unnoticed = counts.unnoticed.iter().map(|class| say!("probes-unnoticed", class));
    unnoticed.chain(counts.problems.iter().cloned()).for_each(|line| text += &format!("   {line}\n"));
    if is_verbose && !counts.at_edges.is_empty() {
        text += &format!("   {}\n", say!("probes-at-edges", classes = counts.at_edges.join("; ")));
    }
    for left in counts.left_out.iter().filter(|_| is_verbose) {
        text += &format!("   {}\n      = {}\n", left.class, left.why);
    }
    text
}
