//! Races that only follow from an access out of bounds.
//!
//! An index that is too large may hit another buffer, and race there with those who use it rightly. The access out of
//! bounds is told, and with it such a race goes.

use super::code::Reading;
use checker::{Clue, ListedFinding, Sites};
use finding::{Access, Slug};
use machine::run::launch::Launch;

/// Leaves out races in lines with an access out of bounds, if its pointer belongs to another buffer than the one that
/// they race in. Where nobody knows to which, this errs towards silence.
pub fn dismiss(lists: [&mut Vec<ListedFinding>; 2], reading: &Reading, launch: &Launch, sites: &Sites) {
    let is_told = |entry: &&ListedFinding| matches!(entry.finding.slug, Slug::OutOfBounds | Slug::UseAfterFree);
    let all = lists.iter().flat_map(|list| list.iter());
    let told: Vec<_> = all.filter(is_told).map(|entry| line(&entry.finding.accesses[0])).collect();
    if told.is_empty() {
        return;
    }
    let is_astray = |entry: &ListedFinding| {
        let Some(Clue::Race(clue)) = &entry.clue else { return false };
        let Some(buffer) = clue.buffer.filter(|_| !clue.is_earlier) else { return false };
        let misses = |site| !reading.buffers(launch, sites.pc(site)).contains(&buffer);
        let mut ends = clue.ends.iter().zip(&entry.finding.accesses);
        ends.any(|(end, access)| told.contains(&line(access)) && misses(end.site))
    };
    lists.into_iter().for_each(|list| list.retain(|entry| !is_astray(entry)));
}

/// Returns the line of an access: the one of the PTX if the source has none.
fn line(access: &Access) -> (Option<String>, u32) {
    match &access.location {
        Some(at) => (Some(at.file.clone()), at.line),
        None => (None, access.ptx_line),
    }
}
