//! Runs a launch again under other schedules, on a copy of the memory from before it.
//!
//! Some races show under some schedules only. A launch that was short and in which nothing was found is therefore run
//! again, and what that finds counts as found in the first run. Nothing else of such a run is visible: no output, no
//! fault, no time. A run that takes many more instructions than the first one is given up and says nothing, since it
//! may wait for the host.
//!
//! The adversarial schedule draws by its seed how it interleaves. So a short launch is run under several seeds, and
//! launches of a known shape, as in a loop, under one each.

use crate::emulated::base::saved_launch::SavedLaunch;
use emulator::finding::{Cause, Distance, Finding, Severity, Slug};
use emulator::{Device, LaunchReport, Policy};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A longer launch is not run again.
const LONGEST: Duration = Duration::from_millis(300);
/// All runs together may take as long as the first runs did, and this much longer.
const GRACE: Duration = Duration::from_secs(1);
/// An estimate of how much longer a run under another schedule takes than the first one.
const SLOWER: u32 = 2;
/// Thread instructions that a run may take: a multiple of the first run's, and some more.
const TIMES: u64 = 2;
const MORE: u64 = 1 << 16;

/// Seeds of the adversarial schedule for a launch of a new shape, while they take no longer than this together.
const SEEDS: u64 = 8;
const SHORT: Duration = Duration::from_millis(50);

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Has launches in which nothing was found run again under other schedules.
pub fn check_again() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// A kernel of a module, by address and number, with its grid and block.
pub(crate) type LaunchShape = (usize, usize, [u32; 3], [u32; 3]);

/// The time that runs have taken in one context.
#[derive(Default)]
pub(crate) struct Budget {
    first: Duration,
    again: Duration,
    seen: HashSet<LaunchShape>,
    /// The next seed for a known shape.
    seed: u64,
}

impl Budget {
    /// A shape that has not been run again may use all of the budget, a known one half of it.
    fn limit(&self, shape: LaunchShape) -> Duration {
        let limit = self.first + GRACE;
        if self.seen.contains(&shape) { limit / 2 } else { limit }
    }

    /// Returns true if a launch of this shape may be run again, as far as is known before its first run.
    pub(crate) fn is_open(&self, shape: LaunchShape) -> bool {
        IS_ON.load(Ordering::Relaxed) && self.again < self.limit(shape)
    }

    fn next_seed(&mut self) -> u64 {
        self.seed += 1;
        self.seed
    }

    pub(crate) fn took(&mut self, elapsed: Duration) {
        self.first += elapsed;
    }
}

/// Results of running a launch again under other schedules.
#[derive(Default)]
pub(crate) struct AgainResults {
    pub(crate) findings: Vec<Finding>,
    /// The schedule of the first run that found something.
    pub(crate) policy: Option<Policy>,
    /// The memory that a run left where nothing was found, if shuffles of absent lanes have given values in it.
    pub(crate) left: Option<Device>,
    /// Another schedule left other memory. Known only where the first run has notes of volatile accesses.
    pub(crate) differs: bool,
    /// Schedules under which the launch came to its end.
    pub(crate) schedules: usize,
}

/// Runs a launch of this shape again whose first run, with this report, took this long. It ran on `device`.
pub(crate) fn run(
    budget: &mut Budget,
    shape: LaunchShape,
    before: &SavedLaunch,
    first: &LaunchReport,
    elapsed: Duration,
    device: &Device,
) -> AgainResults {
    let mut again = AgainResults::default();
    let limit = budget.limit(shape);
    let has_found = !first.findings.is_empty() || first.fault.is_some();
    if has_found || elapsed > LONGEST || budget.again + elapsed * SLOWER > limit {
        return again;
    }
    let is_new = budget.seen.insert(shape);
    let most = first.counters.thread_instructions.saturating_mul(TIMES).saturating_add(MORE);
    let (begin, mut ended) = (Instant::now(), 0);
    let undefined = device.stored_undefined();
    // The memory after the first run is compared only if volatile accesses may explain a difference.
    let own = first.notes.iter().any(is_volatile_pair).then(|| device.own_contents());
    let mut one = |policy: Policy| {
        let Some((report, device)) = before.again(&policy, most) else { return (false, false) };
        let has_found = !report.findings.is_empty();
        for finding in report.findings {
            let identity = finding.identity();
            if !again.findings.iter().any(|known| known.identity() == identity) {
                again.policy.get_or_insert_with(|| policy.clone());
                again.findings.push(finding);
            }
        }
        let has_ended = has_found || report.fault.is_none();
        if has_ended && again.left.is_none() && device.stored_undefined() > undefined {
            again.left = Some(device);
        } else if has_ended && !has_found {
            again.differs |= own.as_ref().is_some_and(|own| *own != device.own_contents());
        }
        (has_ended, has_found)
    };
    let seed = if is_new { 0 } else { budget.next_seed() };
    let mut found = false;
    for policy in [Policy::Adversarial { seed }, Policy::Reverse] {
        if budget.again + begin.elapsed() <= limit {
            let (has_ended, has_found) = one(policy);
            ended += usize::from(has_ended);
            found |= has_found;
        }
    }
    for seed in (1..SEEDS).filter(|_| is_new) {
        if found || begin.elapsed() > SHORT || budget.again + begin.elapsed() > limit {
            break;
        }
        found = one(Policy::Adversarial { seed }).1;
    }
    again.schedules = ended;
    budget.again += begin.elapsed();
    again
}

/// Returns true for two volatile accesses that nothing orders.
fn is_volatile_pair(note: &Finding) -> bool {
    matches!(&note.cause, Cause::Unordered(it) if it.allowed)
}

/// Makes errors of the notes of volatile accesses that explain why other schedules leave other memory. Where that may
/// have other reasons (`may_depend`), only accesses of one warp to shared memory count: no such order is left open on
/// purpose.
pub(crate) fn blame_volatile(report: &mut LaunchReport, may_depend: bool) {
    let is_to_blame = |note: &Finding| {
        let Cause::Unordered(it) = &note.cause else { return false };
        let is_in_warp = note.slug == Slug::RaceShared && it.distance == Distance::Warp;
        it.allowed && (!may_depend || is_in_warp)
    };
    let (errors, notes): (Vec<_>, Vec<_>) = std::mem::take(&mut report.notes).into_iter().partition(is_to_blame);
    report.notes = notes;
    report.findings.extend(errors.into_iter().map(|error| Finding { severity: Severity::Error, ..error }));
}
