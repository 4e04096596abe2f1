//! Hints: what else a run shows whose answer is wrong and that no finding explains.

use crate::batch::FULL_CHECKS_UP_TO;
use crate::outcome::Outcome;
use crate::subject::Subject;
use crate::wrong::{Mismatch, Wrong};
use crate::wrote;
use emulator::Observe;
use emulator::finding::{Cause, Identity, explain_an_answer};
use emulator::trace::Bound;

/// Makes the smallest such run again, with its trace, and adds what it shows to `outcome`: hints, and who wrote the
/// wrong element last. If the only hints are of shuffles, one run more tells whether what those gave has come to the
/// host or decided anything.
pub fn look_for_hints(subject: &mut impl Subject, outcome: &mut Outcome) {
    let findings: Vec<_> = outcome.findings.iter().map(|merged| merged.finding.clone()).collect();
    let Some(first) = outcome.summary.first_wrong.as_ref() else { return };
    if first.why.is_stopped() || first.run.size > FULL_CHECKS_UP_TO || explain_an_answer(&findings) {
        return;
    }
    let batch = outcome.smallest.as_ref().map_or(first.run.clone(), |smallest| smallest.run.clone()).batch();
    let hints = Observe { hints: true, trace: Some(Bound::default()), ..Observe::default() };
    // A run that cannot be made again has nothing to say.
    let Some(seen) = subject.run(&batch, hints, None) else { return };
    let known: Vec<Identity> = seen.findings.iter().map(|merged| merged.finding.identity()).collect();
    outcome.note(seen.notes);
    let wrong = seen.summary.first_wrong.map(|first| first.why);
    if let (Some(trace), Some(Wrong::Answer(Mismatch { at: Some(at), .. }))) = (seen.observed.trace, wrong)
        && findings.is_empty()
    {
        outcome.wrote = wrote::last(&trace, &at);
    }
    if outcome.notes.iter().all(|note| matches!(note.cause, Cause::ShuffleBeyond { .. })) && !outcome.notes.is_empty() {
        let suspected = subject.run(&batch, Observe { suspects_own: true, ..Observe::default() }, None);
        outcome.notes_matter = suspected.map(|seen| seen.real().any(|found| !known.contains(&found.identity())));
    }
}
