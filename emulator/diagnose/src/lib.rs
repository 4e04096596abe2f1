//! What the code says of findings: which lines stand between two that race, what makes a register, where a loop goes round.
//!
//! The checker ([`checker`]) tells what a run has shown. Here the code is read, once, when the launch is over, and only
//! for the findings that are kept. No verdict hangs on it: it says why, and what may mend it.

mod divergence;
mod livelock;
mod makers;
mod means;
mod paths;
mod race;
mod remedies;
mod rounds;
mod unwritten;
mod uses;

use checker::Checked;
use checker::Clue;
use checker::Sites;
use checker::{Entry, Key, is_race};
use finding::{Cause, Distance, Finding, LostUpdate, Narrow, Relation, Slug};
use machine::run::code::Code;
use machine::run::grid::Ran;
use machine::run::launch::Launch;
use machine::types::{Counters, LaunchReport};
use race::unordered;
use rustc_hash::FxHashMap;

/// The report of a launch that was checked.
pub fn report(checked: Checked, launch: &Launch) -> LaunchReport {
    let Checked { ran, seen: mut watch } = checked;
    let code = launch.code;
    if let Some(pairs) = watch.take_pairs() {
        let pairs = complete(pairs, code, watch.sites());
        watch.keep_hints(launch, pairs);
    }
    let notes = complete(watch.take_notes(), code, watch.sites());
    let mut findings = complete(watch.take_findings(), code, watch.sites());
    watch.keep_sites();
    let own = unwatched(ran, launch);
    findings.extend(own.findings);
    LaunchReport { findings, notes, ..own }
}

/// The report of a launch that nobody watched, or that was only counted.
pub fn unwatched(ran: Ran, launch: &Launch) -> LaunchReport {
    let Ran { fatal, unasked: mut findings, warp_instructions, thread_instructions } = ran;
    findings.extend(livelock::completed(fatal, launch.code));
    let counters = Counters { warp_instructions, thread_instructions, counted: None };
    LaunchReport { findings, counters, ..LaunchReport::default() }
}

/// A list of findings with all that is known of them; where threads raced, undefined values are the race's doing and not told apart
/// from it.
fn complete(mut list: Vec<Entry>, code: &Code, sites: &Sites) -> Vec<Finding> {
    let are_known: Vec<bool> = list.iter_mut().map(|entry| read(entry, code, sites)).collect();
    let at: FxHashMap<Key, usize> = list.iter().enumerate().map(|(at, entry)| (entry.key, at)).collect();
    for (index, is_known) in are_known.into_iter().enumerate() {
        let (others, update) = (others(&list[index]), lost_update(&list, &at, index).filter(|_| !is_known));
        let narrow = narrow_elsewhere(&list, &at, index).filter(|_| !is_known);
        if let Cause::Unordered(cause) = &mut list[index].finding.cause {
            (cause.others, cause.lost_update, cause.narrow_elsewhere) = (others, update, narrow);
        }
    }
    if list.iter().any(Entry::is_race) {
        list.retain(|entry| entry.finding.slug != Slug::UndefinedValue || entry.is_first);
    }
    // Threads that pair off at different barriers, or store where a variable says that they have not written, may race behind
    // that for no other reason.
    list.sort_by_key(|entry| match entry.finding.slug {
        Slug::BarrierDivergence => 0,
        Slug::UndefinedValue if entry.is_first => 1,
        _ => 2,
    });
    let findings = list.into_iter().map(|entry| entry.finding);
    findings.map(remedies::add).collect()
}

/// Adds what the code says of one finding; true if this run has shown what the pair lacks.
fn read(entry: &mut Entry, code: &Code, sites: &Sites) -> bool {
    match &entry.clue {
        Some(Clue::Race(_)) => return race::complete(entry, code, sites),
        Some(Clue::Unwritten { pc, reg }) => unwritten::complete(&mut entry.finding, code, *pc, *reg),
        Some(Clue::Divergence { sites: at }) => divergence::complete(&mut entry.finding, code, sites, *at),
        None => {}
    }
    false
}

/// Where the storing line also races with itself, every thread reads, changes and writes: no barrier between the two lines keeps
/// their updates apart. Copies change nothing: they are waited for.
fn lost_update(list: &[Entry], at: &FxHashMap<Key, usize>, index: usize) -> Option<LostUpdate> {
    let entry = &list[index];
    let (slug, first, second) = entry.key;
    let with_itself = |place| at.contains_key(&(slug, place, place));
    let is_it = list.iter().any(Entry::is_race)
        && is_race(slug)
        && !entry.is_of_copies
        && first != second
        && (with_itself(first) || with_itself(second));
    is_it.then(|| LostUpdate { in_one_warp: entry.distances() == [Distance::Warp] })
}

/// What is too narrow between two lines for some threads may leave others with no order to name at all: it is the same mend,
/// where all of them are in different blocks. Inside one a wider scope mends nothing.
fn narrow_elsewhere(list: &[Entry], at: &FxHashMap<Key, usize>, index: usize) -> Option<Narrow> {
    let entry = &list[index];
    let (slug, first, second) = entry.key;
    if slug != Slug::RaceGlobal || entry.distances() != [Distance::Grid] || !list.iter().any(Entry::is_race) {
        return None;
    }
    match &unordered(&list[*at.get(&(Slug::RaceScope, first, second))?].finding)?.relation {
        Relation::ScopeTooNarrow(narrow) => Some(narrow.clone()),
        _ => None,
    }
}

/// One pair is shown; that threads closer together or farther apart race too should not go unsaid.
fn others(entry: &Entry) -> Vec<Distance> {
    let shown = unordered(&entry.finding).map(|it| it.distance);
    entry.distances().into_iter().filter(|it| Some(*it) != shown).collect()
}
