//! The kernels of the lessons with a trace and without: all else is the same. And what every trace is like.

use crate::lessons::{Program, machine, programs};
use crate::machine::Loaded;
use crate::schedules::under_each;
use crate::{files, read, stem, tests, trial};
use finding::{Cause, Slug};
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use trace::{Bound, Timeline, Trace, What};

/// Seeds of each schedule that has one.
const SEEDS: u64 = 1;
/// Enough to show how a trace is cut.
const BOUND: Bound = Bound { events: 5000, bytes: 1 << 20 };

fn judged(text: &str, seeds: u64) -> Result<(), String> {
    let loaded = Loaded::new(text.to_string());
    under_each(seeds, |policy| {
        let (mut bare, mut traced) = (machine(&loaded, policy.clone()), machine(&loaded, policy));
        traced.traced = Some(BOUND);
        let mut said = Vec::new();
        if traced.check() != bare.check() {
            said.push("another outcome with a trace".to_string());
        }
        if (&bare.findings, &bare.notes) != (&traced.findings, &traced.notes) {
            said.push("other findings or notes with a trace".to_string());
        }
        let kept: Vec<_> = traced.traces.iter().flat_map(|trace| &trace.findings).map(|it| &it.finding).collect();
        // That one is the driver's.
        let own = traced.findings.iter().filter(|finding| finding.cause != Cause::HostFreedTwice);
        if kept != own.collect::<Vec<_>>() {
            said.push("other findings in the trace".to_string());
        }
        said.extend(traced.traces.iter().flat_map(faults));
        said
    })
}

/// Returns the faults of a trace against what holds for every one.
fn faults(trace: &Trace) -> Vec<String> {
    let mut faults = Vec::new();
    let mut holds = |what: &str, is_so: bool| {
        if !is_so {
            faults.push(what.to_string());
        }
    };
    let count = trace.events.len();
    holds("times ascend", trace.events.is_sorted_by_key(|event| event.time));
    holds("the end is last", trace.events.last().is_none_or(|event| event.time <= trace.time));
    holds("the bound is kept", count <= trace.bound.events && (trace.left_out == 0 || count > 0));
    let launches = trace.launches.iter().all(|launch| launch.first <= launch.end && launch.end <= count);
    holds("launches are in the trace", launches);
    let positions = || trace.findings.iter().flat_map(|found| found.accesses.iter().chain([&found.at])).flatten();
    holds("positions are in the trace", positions().all(|&position| position < count));
    let is_known = |event: &trace::Event| event.who.is_none_or(|who| who.site < trace.sites.len() && who.lanes.0 != 0);
    holds("sites are in their table", trace.events.iter().all(is_known));
    let steps = trace.events.iter().filter_map(|event| match event.what {
        What::Step { until, .. } => Some((event.time, until)),
        _ => None,
    });
    let steps: Vec<_> = steps.collect();
    holds("steps follow each other", steps.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    if trace.left_out == 0 {
        let are_there =
            |found: &trace::LocatedFinding| found.at.is_some() && found.accesses.iter().all(Option::is_some);
        let mut races = trace.findings.iter().filter(|found| matches!(found.finding.cause, Cause::Unordered(_)));
        holds("races are in the trace", races.all(|race| are_there(race) && race.accesses.is_sorted()));
        let whole = steps.iter().map(|(from, to)| to - from).sum::<u64>();
        holds("steps are all instructions", whole == trace.time);
    }
    let timeline = serde_json::to_value(Timeline(trace)).expect("plain data has a JSON form");
    faults.extend(timeline_faults(&timeline));
    faults
}

/// Returns what the Trace Event Format does not allow.
fn timeline_faults(timeline: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let entries = timeline["traceEvents"].as_array().expect("a list");
    let number = |entry: &Value, name: &str| entry[name].as_u64();
    // The slices of each track that are open, by their ends.
    let mut open: HashMap<u64, Vec<u64>> = HashMap::new();
    let (mut last, mut flows) = (0, 0i64);
    for entry in entries {
        let (Some(ph), Some(ts), Some(pid), Some(tid)) =
            (entry["ph"].as_str(), number(entry, "ts"), number(entry, "pid"), number(entry, "tid"))
        else {
            faults.push(format!("ph, ts, pid or tid is missing: {entry}"));
            continue;
        };
        if ts < last {
            faults.push(format!("ts does not ascend: {entry}"));
        }
        last = ts;
        match ph {
            "X" => {
                let end = ts + number(entry, "dur").expect("a slice has a length");
                let around = open.entry(tid).or_default();
                around.retain(|&end| end > ts);
                if around.last().is_some_and(|&outer| outer < end) {
                    faults.push(format!("a slice ends after the one around it: {entry}"));
                }
                around.push(end);
            }
            "i" if entry["s"].is_string() => {}
            "s" | "f" if number(entry, "id").is_some() => {
                flows += if ph == "s" { 1 } else { -1 };
                let is_inside = open.get(&tid).is_some_and(|around| around.iter().any(|&end| end > ts));
                if !is_inside {
                    faults.push(format!("a flow without a slice around its end: {entry}"));
                }
            }
            "M" if pid > 0 && entry["args"]["name"].is_string() => {}
            _ => faults.push(format!("no event of the format: {entry}")),
        }
    }
    if flows != 0 {
        faults.push("a flow has one end".to_string());
    }
    faults
}

pub fn trials() -> Vec<Trial> {
    let programs = programs().into_iter().flat_map(|(_, programs)| programs);
    let of_lessons =
        programs.map(|Program { name, text }| trial(format!("traced/{name}"), move || judged(&text, SEEDS)));
    // Every instruction, and every kind of finding.
    let slugs = Slug::ALL.into_iter().map(|slug| Path::new("fail").join(slug.as_str()));
    let folders = slugs.chain(["pass", "conformance"].map(PathBuf::from)).map(|folder| tests().join(folder));
    let paths = folders.filter(|folder| folder.is_dir()).flat_map(|folder| files(&folder, "ptx"));
    let of_files = paths.map(|path| trial(format!("traced/{}", stem(&path)), move || judged(&read(&path), SEEDS)));
    // One of three is enough to see that a trace changes nothing.
    of_lessons.chain(of_files).step_by(skipped::share(3, 1)).collect()
}
