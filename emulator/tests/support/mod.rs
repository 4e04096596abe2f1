//! What tests that run files share: the schedules, and how headers name what comes of a run.

use emulator::finding::Finding;
use emulator::{Fault, Policy};
use std::path::Path;

/// In order, in reverse, and `seeds` of each schedule that has one.
pub fn policies(seeds: u64) -> impl Iterator<Item = Policy> {
    let seeded = (0..seeds).flat_map(|seed| {
        let depth = 1 + (seed % 4) as u32;
        [Policy::Random { seed }, Policy::Pct { seed, depth }, Policy::Adversarial { seed }]
    });
    [Policy::InOrder, Policy::Reverse].into_iter().chain(seeded)
}

/// A slug; two equal values written to one place are `race-global-note`.
pub fn finding_name(finding: &Finding) -> String {
    if finding.benign { format!("{}-note", finding.slug) } else { finding.slug.to_string() }
}

pub fn fault_name(fault: &Fault) -> String {
    match fault {
        Fault::IllegalAddress => "illegal-address".into(),
        Fault::MisalignedAddress => "misaligned-address".into(),
        Fault::LaunchFailed => "launch-failed".into(),
        Fault::Timeout => "timeout".into(),
        other => format!("{other:?}"),
    }
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
