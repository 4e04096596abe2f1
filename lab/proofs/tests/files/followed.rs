//! The choices of a run, recorded and made again: the kernels of the lessons do the same, to the last byte of their
//! traces.

use crate::lessons::{Program, machine, programs};
use crate::machine::{Emulated, Loaded};
use crate::schedules::under_each;
use crate::trial;
use emulator::Policy;
use emulator::choices::{ScheduleChoice, Stop};
use libtest_mimic::Trial;
use trace::{Bound, Launch, Trace};

/// Seeds of each schedule that has one.
const SEEDS: u64 = 1;
const BOUND: Bound = Bound { events: 4000, bytes: 1 << 20 };
/// Prefixes of a record that are tried, about.
const PREFIXES: usize = 8;
const SAMPLE: usize = 3;

/// A file with one of its runs each: a list of choices is one run's.
fn runs(text: &str) -> Vec<Loaded> {
    let mut parts = text.split("// run");
    let program = parts.next().expect("text");
    parts.map(|run| Loaded::new(format!("{program}// run{run}"))).collect()
}

/// A run, and its trace as text.
fn run(loaded: &Loaded, policy: Policy, is_in_order: bool) -> (Emulated<'_>, String) {
    let mut machine = machine(loaded, policy);
    // As the file names it, whatever wraps the policy.
    machine.name = if is_in_order { "in order" } else { "out of order" };
    machine.traced = Some(BOUND);
    // The expected result is another test's.
    machine.check();
    let trace = serde_json::to_string(&machine.traces).expect("plain data has a JSON form");
    (machine, trace)
}

/// The launches of `part`, of which the last may have stopped, are those of `whole` as far as they go.
fn begins_as(part: &Trace, whole: &Trace) -> bool {
    let events = |trace: &Trace, launch: &Launch| trace.events[launch.first..launch.end].to_vec();
    let mut launches = part.launches.iter().zip(&whole.launches);
    launches.all(|(stopped, full)| events(whole, full).starts_with(&events(part, stopped)))
}

fn judged(loaded: &Loaded, policy: Policy) -> Vec<String> {
    let is_in_order = policy == Policy::InOrder;
    let run = |policy| run(loaded, policy, is_in_order);
    let (_, bare) = run(policy.clone());
    let (recorded, of_record) = run(policy.clone().recorded());
    let record = recorded.choices.clone();
    let mut said = Vec::new();
    let mut holds = |what: &str, is_so: bool| {
        if !is_so {
            said.push(what.to_string());
        }
    };
    holds("recording changes nothing", of_record == bare && recorded.stop.is_none());
    let (again, of_again) = run(policy.clone().after(&record));
    holds("the record makes the run again", of_again == bare && again.choices == record && again.stop.is_none());
    for length in (0..=record.len()).step_by((record.len() / skipped::share(SAMPLE, PREFIXES)).max(1)) {
        let (asked, _) = run(policy.clone().asking_after(&record[..length]));
        holds("what came before is the same", asked.traces.iter().zip(&recorded.traces).all(|(a, b)| begins_as(a, b)));
        let made = asked.choices;
        holds("what was made is the record's", made.len() >= length && record.starts_with(&made));
        let Some(next) = record.get(made.len()) else {
            holds("nobody is asked at the end", asked.stop.is_none());
            continue;
        };
        let Some(Stop::Unanswered(options)) = asked.stop else {
            holds("it stops before the end", false);
            continue;
        };
        holds("the next choice is asked for", options.choice(next.launch, next.pick) == *next);
        let (whole, of_whole) = run(policy.clone().after(&record[..=made.len()]));
        holds("with one more choice it goes on to the same end", of_whole == bare && whole.choices == record);
        let other = ScheduleChoice { pick: (next.pick + 1) % next.answers, ..*next };
        let given = [&made, &[other][..]].concat();
        let (other, _) = run(policy.clone().after(&given));
        holds("another choice is made as well", other.stop.is_none() && other.choices.starts_with(&given));
    }
    said
}

pub fn trials() -> Vec<Trial> {
    let programs = programs().into_iter().flat_map(|(_, programs)| programs);
    let of = |Program { name, text }: Program| {
        trial(format!("followed/{name}"), move || {
            let runs = runs(&text);
            under_each(SEEDS, |policy| runs.iter().flat_map(|loaded| judged(loaded, policy.clone())).collect())
        })
    };
    programs.step_by(skipped::share(3, 1)).map(of).collect()
}
