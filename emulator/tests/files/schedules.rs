//! Under which schedules a file runs.

use emulator::Policy;

/// In order, in reverse, and `seeds` of each schedule that has one.
pub fn policies(seeds: u64) -> impl Iterator<Item = Policy> {
    let seeded = (0..seeds).flat_map(|seed| {
        let depth = 1 + (seed % 4) as u32;
        [Policy::Random { seed }, Policy::Pct { seed, depth }, Policy::Adversarial { seed }]
    });
    [Policy::InOrder, Policy::Reverse].into_iter().chain(seeded)
}

/// Judges a file under each of them; tells the first that fails, and how many do.
pub fn under_each(seeds: u64, judge: impl Fn(Policy) -> Vec<String>) -> Result<(), String> {
    let mut bad = policies(seeds).map(|policy| (policy.clone(), judge(policy))).filter(|(_, said)| !said.is_empty());
    let Some((policy, said)) = bad.next() else { return Ok(()) };
    Err(format!("under {} schedules, first {policy:?}: {}", 1 + bad.count(), said.join("; ")))
}
