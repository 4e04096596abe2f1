//! Parts of a race's cause, for tests of what the checker found out.

use emulator::finding::{BetweenThreads, Cause, Finding, Missing, Narrow, Relation, SourceLocation, Unordered};

/// A line of a kernel's body.
pub fn at(line: u32) -> SourceLocation {
    SourceLocation { file: "kernel.cu".into(), line, column: 1 }
}

pub fn race(finding: &Finding) -> &Unordered {
    let Cause::Unordered(race) = &finding.cause else { panic!("no race: {finding:#?}") };
    race
}

/// Returns the facts about two threads of one launch.
pub fn pair(finding: &Finding) -> &BetweenThreads {
    let Relation::Threads(pair) = &race(finding).relation else { panic!("no threads of one launch: {finding:#?}") };
    pair
}

pub fn missing(finding: &Finding) -> Option<&Missing> {
    pair(finding).missing.as_ref()
}

/// Returns the scope that is too narrow between the two, or between other threads of their lines.
pub fn narrow(finding: &Finding) -> Option<&Narrow> {
    match &race(finding).relation {
        Relation::ScopeTooNarrow(narrow) => Some(narrow),
        _ => race(finding).narrow_elsewhere.as_ref(),
    }
}

/// The lines of what is too narrow, the first first.
pub fn narrow_lines(finding: &Finding) -> Vec<u32> {
    let parts = narrow(finding).map_or(&[][..], |narrow| &narrow.parts);
    let mut lines: Vec<u32> = parts.iter().filter_map(|part| part.at.as_ref()).map(|at| at.line).collect();
    lines.sort_unstable();
    lines
}
