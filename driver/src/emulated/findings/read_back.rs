//! Copies to the host of memory that nothing has written, until it is known what the program does with them.
//!
//! Libraries fill new device memory from a host buffer in two steps: they copy the memory to the buffer, change the
//! buffer, and copy it back to the same place. What the first copy brought decides nothing then. So its finding waits
//! for what comes next.

use super::report::Reports;
use emulator::finding::{Cause, Finding, Reached, Slug, Unwritten};

/// A copy whose finding waits.
struct ReadBack {
    from: u64,
    to: u64,
    bytes: u64,
    findings: Vec<Finding>,
}

/// The copies of a context whose findings wait, in their order.
#[derive(Default)]
pub(crate) struct ReadBacks(Vec<ReadBack>);

impl ReadBacks {
    /// Keeps the findings of a copy to host memory at `to` where they only say that nothing has written its source.
    /// Returns the others.
    pub(crate) fn hold_back(&mut self, from: u64, to: u64, bytes: u64, findings: Vec<Finding>) -> Vec<Finding> {
        let (held, findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_plain);
        if !held.is_empty() {
            self.0.push(ReadBack { from, to, bytes, findings: held });
        }
        findings
    }

    /// Drops what waits for this copy: host memory at `from` goes back to where it came from.
    pub(crate) fn goes_back(&mut self, to: u64, from: u64, bytes: u64) {
        let is_it = |one: &ReadBack| {
            let skipped = one.from.wrapping_sub(to);
            skipped <= bytes && one.bytes <= bytes - skipped && one.to == from.wrapping_add(skipped)
        };
        self.0.retain(|one| !is_it(one));
    }

    /// Tells what waits: other work comes first, or the end.
    pub(crate) fn settle(&mut self, reports: &mut Reports) {
        for one in std::mem::take(&mut self.0) {
            reports.moved(one.findings);
        }
    }
}

fn is_plain(finding: &Finding) -> bool {
    let Cause::NeverWritten(value) = &finding.cause else { return false };
    let is_copied = matches!(value.from, Unwritten::Copied { .. });
    finding.slug == Slug::UndefinedValue && value.reached == Reached::Host && is_copied
}
