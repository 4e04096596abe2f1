//! The same ends in fewer rows, where threads wait for one another and a report would get too long.

use crate::Reader;
use crate::ends::AccessLine;
use crate::phrase::action::{found, spins};
use crate::phrase::{any_of, place::named};
use finding::{Access, Action, Fate, Finding, Look, Threads, WaitAt, Waiting};

/// Threads that read one line again and again are told together, if no other end speaks of them.
pub(crate) fn joined(finding: &Finding, ends: &[AccessLine], reader: &Reader) -> Vec<AccessLine> {
    let is_alone = |end: &AccessLine| !finding.accesses.iter().any(|access| speaks_of(access, end.number));
    let mut all: Vec<AccessLine> = Vec::new();
    for end in ends {
        let together: Vec<(&Threads, &Look)> = ends
            .iter()
            .filter(|other| (&other.path, other.line) == (&end.path, end.line) && is_alone(other))
            .filter_map(|other| spin(finding, other))
            .collect();
        if together.len() < 2 || spin(finding, end).is_none() || !is_alone(end) {
            all.push(end.clone());
            continue;
        }
        let (first, look) = together[0];
        if spin(finding, end) == Some((first, look)) {
            let mut threads = first.clone();
            together.iter().for_each(|(others, _)| threads.join(others));
            let looks: Vec<String> = together.iter().map(|(_, look)| found(look, reader)).collect();
            all.push(AccessLine { action: spins(&threads, any_of(&looks, reader), reader), ..end.clone() });
        }
    }
    numbered(all)
}

/// Folds what a thread has set before it waits into the end where it waits.
pub(crate) fn folded(finding: &Finding, ends: &[AccessLine], reader: &Reader) -> Vec<AccessLine> {
    // Other ends call these by their numbers.
    if finding.accesses.iter().any(|access| matches!(&access.action, Action::Waits(it) if !it.missing_at.is_empty())) {
        return ends.to_vec();
    }
    let mut all = ends.to_vec();
    for set in ends {
        let Some(Action::Set { place: Some(place), fate: Fate::StandsAt { end: number }, .. }) =
            access(finding, set).map(|access| &access.action)
        else {
            continue;
        };
        let waits = all.iter_mut().find(|end| end.number == *number && end.path == set.path);
        let waits = waits.filter(|end| spin(finding, end).is_some_and(|(threads, _)| threads.count() == 1));
        if let Some((end, name)) = waits.zip(named(place, reader)) {
            end.action = say!(reader, "set-before", deed = &end.action, name, line = set.line);
            all.retain(|end| end.number != set.number);
        }
    }
    numbered(all)
}

/// Numbers the ends in the order of their rows: the numbers of waiting threads are only names.
fn numbered(mut ends: Vec<AccessLine>) -> Vec<AccessLine> {
    (1..).zip(ends.iter_mut().filter(|end| end.number > 0)).for_each(|(shown, end)| end.shown = shown);
    ends
}

fn access<'a>(finding: &'a Finding, end: &AccessLine) -> Option<&'a Access> {
    finding.accesses.get(end.number.checked_sub(1)?)
}

fn spin<'a>(finding: &'a Finding, end: &AccessLine) -> Option<(&'a Threads, &'a Look)> {
    let access = access(finding, end).filter(|access| access.thread.is_none())?;
    let Action::Waits(waiting) = &access.action else { return None };
    match &**waiting {
        Waiting { block: None, threads, at: WaitAt::Spin { look: Some(look) }, .. } => Some((threads, look)),
        _ => None,
    }
}

fn speaks_of(access: &Access, number: usize) -> bool {
    match &access.action {
        Action::Set { fate: Fate::StandsAt { end }, .. } => *end == number,
        Action::Waits(waiting) => waiting.missing_at.contains(&number),
        _ => false,
    }
}
