//! Checks that the runs of a verdict reach every class of sizes, such as `n % 32 = 0`, under every schedule that a
//! wrong answer may need to show itself.
//!
//! An answer that does nothing at sizes of one class, or is right there in order only, must be rejected, or
//! `explained.toml` says why the class is left out. No answer is compiled: what an answer that does nothing leaves
//! behind is what is there before a launch.

use crate::explained::{Explained, LeftOutClass};
use anyhow::{Result, bail};
use learn::case::{Case, ScheduleAndSeed};
use learn::catalog::{Catalog, Exercise};
use learn::compile::Workshop;
use learn::edges;
use learn::grade::Share;
use learn::judge::trial::AnswerTrial;
use learn::plan::Plan;
use learn::task::Task;
use std::collections::{BTreeMap, BTreeSet};
use trial::Schedule;

/// Schedules that a wrong answer may need to show itself. `random` is tried at drawn sizes only.
const NEEDED: [Schedule; 4] = [Schedule::InOrder, Schedule::Reverse, Schedule::Adversarial, Schedule::Pct];

/// By class of sizes, the schedules under which a wrong result is noticed there.
type Noticed = BTreeMap<String, BTreeSet<Schedule>>;

/// The results of one exercise's classes.
#[derive(Default)]
struct Counts {
    noticed: usize,
    /// Classes that are left out, each with the entry that says so.
    left_out: Vec<(String, LeftOutClass)>,
    /// Never tried, or tried where there is nothing to do.
    unnoticed: Vec<String>,
    /// Classes that only `edges` tries.
    at_edges: Vec<String>,
    problems: Vec<String>,
}

/// Probes all whose names hold `part`, or the part of their classes that `sample` names. Whether nothing is left
/// unexplained.
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
        bail!("no exercise with sizes has `{part}` in its name");
    }
    let mut workshop = Workshop::default();
    let (mut number, mut all, mut unnoticed, mut good) = (0, 0, 0, true);
    for exercise in wanted {
        let mut classes = edges::all(&exercise.spec);
        classes.retain(|_| {
            number += 1;
            sample.is_none_or(|share| share.contains(number))
        });
        all += classes.len();
        let counts = one(catalog, exercise, classes, sample.is_none(), &mut workshop);
        unnoticed += counts.unnoticed.len();
        good &= counts.unnoticed.is_empty() && counts.problems.is_empty();
        tell(&told(exercise, &counts, is_verbose));
    }
    tell(&format!("{all} classes of sizes, {unnoticed} not noticed and not left out\n"));
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
    let explained = Explained::read(exercise).map_err(|error| tell::in_a_line(&error));
    match explained.and_then(|explained| Ok((explained, noticed(catalog, exercise, &classes, workshop)?))) {
        Err(why) => counts.problems.push(why),
        Ok((explained, [by_draws, noticed])) => {
            let missed = |class: &String, of: &Noticed| {
                let known = of.get(class);
                NEEDED.into_iter().filter(|schedule| !known.is_some_and(|known| known.contains(schedule))).collect()
            };
            for class in &classes {
                let missing: Vec<Schedule> = missed(class, &noticed);
                if missing.is_empty() && !by_draws.contains_key(class) {
                    counts.at_edges.push(class.clone());
                }
                match explained.left.iter().find(|left| left.covers(class)) {
                    _ if missing.is_empty() => counts.noticed += 1,
                    Some(left) => counts.left_out.push((class.clone(), left.clone())),
                    None if missing.len() == NEEDED.len() => counts.unnoticed.push(class.clone()),
                    None => {
                        let names: Vec<&str> = missing.into_iter().map(Schedule::as_str).collect();
                        counts.unnoticed.push(format!("{class}, under {}", names.join(", ")));
                    }
                }
            }
            let used: BTreeSet<&String> = counts.left_out.iter().map(|(_, left)| &left.class).collect();
            if is_whole && explained.left.len() > used.len() {
                let (words, of) = (explained.left.len(), used.len());
                counts.problems.push(format!(
                    "explained.toml leaves out {words} classes of sizes, and only {of} of them are not noticed: remove \
                     the others"
                ));
            }
        }
    }
    counts
}

/// Returns what is noticed by drawn and special inputs alone, and what by all runs of a verdict.
fn noticed(
    catalog: &Catalog,
    exercise: &Exercise,
    classes: &BTreeSet<String>,
    workshop: &mut Workshop,
) -> Result<[Noticed; 2], String> {
    let spec = &exercise.spec;
    let task = Task::of(&catalog.folder, exercise);
    // No kernel of it runs: any program will do.
    let program = workshop.program(&exercise.check_file(), &spec.compile)?;
    let trial = AnswerTrial::of(exercise, &task, "", program, workshop)?;
    let mut noticed = Noticed::new();
    let mut look = |runs: Vec<(Case, Vec<ScheduleAndSeed>)>| -> Result<Noticed, String> {
        for (case, orders) in runs {
            let own = edges::classes(spec, &case.sizes);
            let own: Vec<&String> = own.intersection(classes).collect();
            let schedules: BTreeSet<Schedule> = orders.iter().map(|order| order.schedule).collect();
            let is_known =
                |class: &&String| noticed.get(*class).is_some_and(|known: &BTreeSet<_>| known.is_superset(&schedules));
            if !own.iter().all(is_known) && trial.notices_idleness(&case)? {
                own.into_iter().for_each(|class| noticed.entry(class.clone()).or_default().extend(&schedules));
            }
        }
        Ok(noticed.clone())
    };
    let Plan { inputs, edges, .. } = Plan::new(spec);
    Ok([look(inputs)?, look(edges)?])
}

fn told(exercise: &Exercise, counts: &Counts, is_verbose: bool) -> String {
    let is_well = counts.unnoticed.is_empty() && counts.problems.is_empty();
    let word = if is_well { "ok" } else { "FAILED" };
    let (noticed, left) = (counts.noticed, counts.left_out.len());
    let count = noticed + left + counts.unnoticed.len();
    let mut text =
        format!("{word:<6} {}: {count} classes of sizes, {noticed} noticed, {left} left out\n", exercise.name);
    let unnoticed = counts.unnoticed.iter().map(|class| format!("no wrong result is noticed where {class}"));
    unnoticed.chain(counts.problems.iter().cloned()).for_each(|line| text += &format!("   {line}\n"));
    if is_verbose && !counts.at_edges.is_empty() {
        text += &format!("   drawn inputs alone miss: {}\n", counts.at_edges.join("; "));
    }
    for (class, left) in counts.left_out.iter().filter(|_| is_verbose) {
        text += &format!("   {class}\n      = {}\n", left.why);
    }
    text
}
