//! Analysis of the code for findings: which lines stand between two that race, what makes a register, where a loop goes
//! round.
//!
//! The checker ([`checker`]) tells what a run has shown. Here the code is read, once, when the launch is over, and only
//! for the findings that are kept. It says why, and what may fix it. One verdict hangs on it, in [`astray`].

mod astray;
mod code;
mod lines;
mod livelock;
mod numbers;
mod race;
mod remedies;
mod unwritten;
mod word;

use crate::code::Reading;
use checker::{Checked, Clue, FindingKey, ListedFinding, Parts, Sites, is_race};
use finding::{Cause, Distance, Finding, LostUpdate, Missing, Narrow, Relation, Slug, SourceLocation, Unwritten};
use machine::run::launch::Launch;
use machine::run::worker::Ran;
use machine::schedule::choices::Followed;
use machine::types::{Counters, LaunchReport};
use race::unordered;
use rustc_hash::FxHashMap;

/// The report of a launch that was checked.
pub fn finish(checked: Checked, launch: &Launch) -> LaunchReport {
    let Checked { ran, checker } = checked;
    let Parts { mut findings, mut notes, pairs, lock_takers, keeper } = checker.into_parts();
    let reading = Reading::new(launch.code).with_lock_takers(lock_takers);
    astray::dismiss([&mut findings, &mut notes], &reading, launch, keeper.sites());
    let [pairs, mut notes, mut findings] =
        [pairs, notes, findings].map(|list| complete(list, &reading, keeper.sites()));
    notes.extend(keeper.keep(launch, pairs));
    let own = completed(ran, &reading);
    findings.extend(own.findings);
    notes.retain(|note| !names_exit(&findings, note));
    LaunchReport { findings, notes, ..own }
}

/// True if a finding already says that threads left the kernel before the barrier of this note.
fn names_exit(findings: &[Finding], note: &Finding) -> bool {
    let [.., barrier] = &note.accesses[..] else { return false };
    let of_note = barrier.location.as_ref().filter(|_| matches!(note.cause, Cause::LeftBeforeBarrier));
    let same_line = |a: &SourceLocation, b: &SourceLocation| (&a.file, a.line) == (&b.file, b.line);
    of_note.is_some_and(|at| findings.iter().filter_map(passed_by_others).any(|barrier| same_line(barrier, at)))
}

/// The barrier before which threads left the kernel, if the finding names one.
fn passed_by_others(finding: &Finding) -> Option<&SourceLocation> {
    match &finding.cause {
        Cause::Unordered(race) => match &race.relation {
            Relation::Threads(pair) => match &pair.missing {
                Some(Missing::EndedBeforeBarrier { barrier, .. }) => Some(barrier),
                _ => None,
            },
            _ => None,
        },
        Cause::NeverWritten(value) => match &value.from {
            Unwritten::Loaded { gone: Some(gone), .. } => Some(&gone.barrier),
            _ => None,
        },
        _ => None,
    }
}

/// The report of a launch that nobody watched, or that was only counted.
pub fn unwatched(ran: Ran, launch: &Launch) -> LaunchReport {
    completed(ran, &Reading::new(launch.code))
}

fn completed(ran: Ran, reading: &Reading) -> LaunchReport {
    let Ran { fatal, unasked: mut findings, warp_instructions, thread_instructions, followed, .. } = ran;
    findings.extend(livelock::completed(fatal, reading));
    let findings = findings.into_iter().map(numbers::in_order).collect();
    let counters = Counters { warp_instructions, thread_instructions, counted: None };
    let Followed { choices, stop } = followed.unwrap_or_default();
    LaunchReport { findings, counters, choices, stop, ..LaunchReport::default() }
}

/// A list of findings with all that is known of them; where threads raced, undefined values are the race's doing and
/// not told apart from it.
fn complete(mut list: Vec<ListedFinding>, reading: &Reading, sites: &Sites) -> Vec<Finding> {
    let are_known: Vec<bool> = list.iter_mut().map(|entry| read(entry, reading, sites)).collect();
    let at: FxHashMap<FindingKey, usize> = list.iter().enumerate().map(|(at, entry)| (entry.key, at)).collect();
    for (index, is_known) in are_known.into_iter().enumerate() {
        let swaps = race::swaps(&list[index], reading, sites);
        let (others, update) = (others(&list[index]), lost_update(&list, &at, index).filter(|_| !is_known && !swaps));
        let narrow = narrow_elsewhere(&list, &at, index).filter(|_| !is_known);
        if let Cause::Unordered(cause) = &mut list[index].finding.cause {
            let update = update.or(cause.lost_update);
            (cause.others, cause.lost_update, cause.narrow_elsewhere) = (others, update, narrow);
        }
    }
    if list.iter().any(ListedFinding::is_race) {
        list.retain(|entry| entry.finding.slug != Slug::UndefinedValue || entry.is_independent);
    }
    // Threads that pair off at different barriers, or store where a variable says that they have not written, may race
    // behind that for no other reason.
    list.sort_by_key(|entry| match entry.finding.slug {
        Slug::BarrierDivergence => 0,
        Slug::UndefinedValue if entry.is_independent => 1,
        _ => 2,
    });
    list.into_iter().map(|entry| numbers::in_order(remedies::add(entry.finding))).collect()
}

/// Adds what the code says of one finding; true if this run has shown what the pair lacks.
fn read(entry: &mut ListedFinding, reading: &Reading, sites: &Sites) -> bool {
    match &entry.clue {
        Some(Clue::Race(_)) => return race::complete(entry, reading, sites),
        Some(Clue::Unwritten { pc, reg }) => unwritten::complete(&mut entry.finding, reading, *pc, *reg),
        Some(Clue::Divergence { sites: at }) => {
            if let Cause::BarrierDivergence { in_loop, .. } = &mut entry.finding.cause {
                *in_loop = at.iter().any(|site| reading.is_in_loop(sites.pc(*site)));
            }
        }
        None => {}
    }
    false
}

/// Returns the lost update, if the storing line also races with itself. Every thread reads, changes and writes then: no
/// barrier between the two lines keeps their updates apart. Copies change nothing: they are waited for.
fn lost_update(list: &[ListedFinding], at: &FxHashMap<FindingKey, usize>, index: usize) -> Option<LostUpdate> {
    let entry = &list[index];
    let (slug, first, second) = entry.key;
    let with_itself = |place| at.contains_key(&(slug, place, place));
    let is_it = list.iter().any(ListedFinding::is_race)
        && is_race(slug)
        && !entry.is_of_copies
        && first != second
        && (with_itself(first) || with_itself(second));
    is_it.then(|| LostUpdate { in_one_warp: entry.distances() == [Distance::Warp] })
}

/// Returns a scope that is too narrow for other threads that race in these lines, and that may leave these with no
/// order to name at all. The same fix applies, where all of them are in different blocks. Inside one block a wider
/// scope fixes nothing.
fn narrow_elsewhere(list: &[ListedFinding], at: &FxHashMap<FindingKey, usize>, index: usize) -> Option<Narrow> {
    let entry = &list[index];
    let (slug, first, second) = entry.key;
    if slug != Slug::RaceGlobal || entry.distances() != [Distance::Grid] || !list.iter().any(ListedFinding::is_race) {
        return None;
    }
    match &unordered(&list[*at.get(&(Slug::RaceScope, first, second))?].finding)?.relation {
        Relation::ScopeTooNarrow(narrow) => Some(narrow.clone()),
        _ => None,
    }
}

/// One pair is shown; that threads closer together or farther apart race too should not go unsaid.
fn others(entry: &ListedFinding) -> Vec<Distance> {
    let shown = unordered(&entry.finding).map(|it| it.distance);
    entry.distances().into_iter().filter(|it| Some(*it) != shown).collect()
}
