//! Full checks find the same however they compare accesses ([`Judgement`]), under every kind of schedule:
//!
//! - reports are the same, to the byte, whether many accesses are judged at once or each by itself. This holds for
//!   every pair of programs and every lesson's kernel;
//! - every race that is reported for a pair of programs is one by the rule, and each line that races by the rule is
//!   reported. Lessons have words with too many accesses to compare all with all.

use crate::lessons::programs;
use crate::machine::{Emulated, Loaded};
use crate::schedules::under_each;
use crate::{files, pairs, read, stem, tests, trial};
use emulator::finding::{Finding, Slug};
use emulator::{Judgement, Policy};
use libtest_mimic::Trial;
use std::collections::BTreeSet;

/// Beside the schedules without a seed.
const SEEDS: u64 = 8;
const SAMPLE: u64 = 1;
const FUEL: u64 = 1 << 24;

/// By the rule all accesses of a word are compared with all.
const FUEL_BY_RULE: u64 = 1 << 16;

/// A race: its slug, and the lines of its accesses.
type Race = (Slug, Vec<u32>);

struct Reported {
    text: String,
    races: BTreeSet<Race>,
}

fn run(loaded: &Loaded, policy: Policy, judgement: Judgement, fuel: u64) -> Reported {
    let mut machine = Emulated::checked(loaded, policy, fuel);
    machine.judgement = judgement;
    machine.check();
    let is_race = |finding: &&Finding| matches!(finding.slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope);
    let race = |finding: &Finding| {
        let mut lines: Vec<u32> = finding.accesses.iter().map(|access| access.ptx_line).collect();
        lines.sort_unstable();
        (finding.slug, lines)
    };
    Reported {
        text: format!("{:#?}\n{:#?}", machine.findings, machine.notes),
        races: machine.findings.iter().filter(is_race).map(race).collect(),
    }
}

/// Returns what reports with fast paths say and those without do not, or the other way round.
fn differing(short: &str, long: &str) -> Option<String> {
    let differ = short.lines().zip(long.lines()).find(|(short, long)| short != long);
    match (short == long, differ) {
        (true, _) => None,
        (false, Some((short, long))) => Some(format!("with short ways `{}`, without `{}`", short.trim(), long.trim())),
        (false, None) => Some("one says more".to_string()),
    }
}

/// Returns how the races that were reported differ from those by the rule.
fn disagreement(loaded: &Loaded, policy: &Policy) -> Option<String> {
    let by = |judgement| run(loaded, policy.clone(), judgement, FUEL_BY_RULE).races;
    // With fast paths there is fuel for more instructions.
    let (told, may) = (by(Judgement::OneByOne), by(Judgement::Rule));
    if let Some(alarm) = told.difference(&may).next() {
        return Some(format!("no race by the rule: {alarm:?}"));
    }
    let is_told = |race: &&Race| told.iter().any(|(_, lines)| lines.iter().any(|line| race.1.contains(line)));
    let missed = by(Judgement::RuleUncovered).into_iter().find(|race| !is_told(&race));
    missed.map(|race| format!("a race by the rule: {race:?}"))
}

fn judged(text: String, is_small: bool) -> Result<(), String> {
    let loaded = Loaded::new(text);
    under_each(skipped::share(SAMPLE, SEEDS), |policy| {
        let by = |judgement| run(&loaded, policy.clone(), judgement, FUEL);
        let (short, long) = (by(Judgement::Fast), by(Judgement::OneByOne));
        let by_rule = || if is_small { disagreement(&loaded, &policy) } else { None };
        let objection = differing(&short.text, &long.text).or_else(by_rule);
        objection.into_iter().collect()
    })
}

pub fn trials() -> Vec<Trial> {
    let lessons = programs().into_iter().flat_map(|(_, programs)| programs);
    let lessons = lessons.map(|program| (format!("alike/{}", program.name), program.text, false));
    let failing = pairs::failing();
    let failing = failing.into_iter().map(|(name, (_, path))| (format!("alike/fail/{name}"), read(&path), true));
    let passing = files(&tests().join("pass"), "ptx");
    let passing = passing.iter().map(|path| (format!("alike/pass/{}", stem(path)), read(path), true));
    let all = lessons.chain(failing).chain(passing);
    all.map(|(name, text, is_small)| trial(name, move || judged(text, is_small))).collect()
}
