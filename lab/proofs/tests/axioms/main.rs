//! Random programs against the axioms of the PTX memory consistency model.
//!
//! A few threads, in one warp, one block or several, do a few things each: loads and stores of every strength, updates,
//! fences, barriers. Each program runs under many schedules, late loads and stores among them. Each run is judged by
//! the axioms as the ISA writes them down (`axioms.rs`, with the relations of `model.rs`). These know nothing of
//! clocks, views or shadow memory:
//!
//! - Every outcome is one that the axioms allow.
//! - Every reported pair races in that execution, and every place that has a race is reported. Which executions count,
//!   and what the checker leaves open, stands in `races.rs`.
//! - Of the outcomes that are allowed and that no interleaving explains, most are really seen: an emulator that shows
//!   nothing weak would meet the rest.
//!
//! `AXIOM_PROGRAMS=20000` draws more programs, `AXIOM_PROGRAMS=5000..9000` those of other seeds.

mod axioms;
mod bench;
mod model;
mod outcome;
mod pattern;
mod program;
mod races;
#[path = "../../../../emulator/tests/support/schedules.rs"]
mod schedules;
mod text;
mod weak;

use bench::{Bench, Run};
use emulator::Policy;
use program::Program;
use races::Verdict;
use schedules::policy;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use weak::weak_outcomes;

/// Programs, unless the environment says otherwise.
const PROGRAMS: Range<u64> = 0..2400;
/// Those of a sample. Two of the first 300 have so many orders that each takes half a minute.
const SAMPLE: Range<u64> = 600..1100;
/// Schedules for each.
const RUNS: u64 = 64;
/// Small programs that are looked at for their weak outcomes, and schedules for each.
const SMALL: u64 = 150;
const SMALL_SAMPLE: u64 = 50;
const SMALL_RUNS: u64 = 200;

/// Returns what is wrong with a run.
fn objection(program: &Program, run: &Run) -> Option<(&'static str, String)> {
    let verdict = Verdict::of(program, &run.outcome);
    if let Err(axiom) = verdict.is_allowed {
        return Some(("forbidden", format!("by {axiom}")));
    }
    if let Some((a, b)) = run.races.difference(&verdict.may).next() {
        return Some(("false alarm", format!("{a} and {b}")));
    }
    let is_reported = |place: usize| run.races.iter().any(|&(a, _)| program.events[a].place == place);
    if let Some(place) = (0..program::PLACES).find(|&place| verdict.must[place] && !is_reported(place)) {
        return Some(("missed", format!("place {place}, one of {:?}", verdict.may)));
    }
    run.others.first().map(|slug| ("another finding", slug.to_string()))
}

/// The first objection to a program.
fn judge(program: &Program) -> (Option<(&'static str, String)>, HashSet<Run>) {
    let mut bench = Bench::new(program);
    let mut runs = HashSet::new();
    for number in 0..RUNS {
        let run = bench.run(policy(number));
        if !runs.insert(run.clone()) {
            continue;
        }
        if let Some((kind, what)) = objection(program, &run) {
            let registers: Vec<_> = program.seen().map(|event| (event, run.outcome.registers[event])).collect();
            let text = format!(
                "{kind}: {what}, {:?}\n{}    registers {registers:?}, memory {:?}, reported {:?}",
                policy(number),
                program.listing(),
                run.outcome.memory,
                run.races
            );
            return (Some((kind, text)), runs);
        }
    }
    (None, runs)
}

/// A program without what its objection does not need.
fn smaller(mut program: Program, kind: &str, mut text: String) -> String {
    let mut at = 0;
    while at < program.events.len() {
        let less = program.without(|number, _| number == at);
        match judge(&less).0.filter(|(other, _)| less.events.len() < program.events.len() && *other == kind) {
            Some((_, shorter)) => (program, text, at) = (less, shorter, 0),
            None => at += 1,
        }
    }
    text
}

fn seeds() -> Range<u64> {
    let Ok(wanted) = std::env::var("AXIOM_PROGRAMS") else { return skipped::share(SAMPLE, PROGRAMS) };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("AXIOM_PROGRAMS={wanted} is no number or range"));
    match wanted.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&wanted),
    }
}

#[derive(Default)]
struct Tally {
    runs: usize,
    racing: usize,
    failures: Vec<(u64, &'static str, String)>,
}

fn work(next: &AtomicU64, end: u64) -> Tally {
    let mut tally = Tally::default();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return tally;
        }
        let program = Program::draw(seed);
        let (failure, runs) = judge(&program);
        tally.runs += runs.len();
        tally.racing += usize::from(runs.iter().any(|run| !run.races.is_empty()));
        if let Some((kind, text)) = failure {
            tally.failures.push((seed, kind, smaller(program, kind, text)));
        }
    }
}

#[test]
fn every_run_is_as_the_axioms_have_it() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(|| work(&next, seeds.end))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    });
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (runs, racing) = (sum(|tally| tally.runs), sum(|tally| tally.racing));
    let mut failures: Vec<_> = tallies.iter().flat_map(|tally| &tally.failures).collect();
    failures.sort();
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    failures.iter().for_each(|(_, kind, _)| *kinds.entry(kind).or_default() += 1);
    println!("{seeds:?}: {runs} different runs, {racing} programs race, {kinds:?}");
    let texts: Vec<_> = failures.iter().map(|(seed, _, text)| format!("seed {seed}, {text}")).collect();
    assert!(failures.is_empty(), "{} programs\n{}", failures.len(), texts.join("\n"));
}

/// Returns how many weak outcomes of small programs are seen, and how many there are.
fn weak_seen(by_updates: bool) -> (usize, usize) {
    let (mut all, mut seen) = (0, 0);
    for seed in 0..skipped::share(SMALL_SAMPLE, SMALL) {
        let program = Program::draw_small(seed, by_updates);
        let weak = weak_outcomes(&program);
        if weak.is_empty() {
            continue;
        }
        let mut bench = Bench::new(&program);
        let outcomes: HashSet<_> =
            (0..SMALL_RUNS).map(|seed| bench.run(Policy::Adversarial { seed }).outcome).collect();
        all += weak.len();
        seen += weak.iter().filter(|outcome| outcomes.contains(outcome)).count();
    }
    println!("{seen} of {all} weak outcomes are seen");
    (seen, all)
}

#[test]
fn much_that_is_allowed_and_weak_is_seen() {
    let (seen, all) = weak_seen(false);
    assert!(4 * seen >= 3 * all, "only {seen} of {all} weak outcomes are seen");
}

#[test]
fn much_of_it_is_seen_by_atomic_operations_too() {
    let (seen, all) = weak_seen(true);
    assert!(2 * seen >= all, "only {seen} of {all} weak outcomes are seen");
}
