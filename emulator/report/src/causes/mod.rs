//! Values of the messages about each cause, by family. The sentences stand in `messages/`.

mod barrier;
mod hint;
pub(crate) mod launch;
mod memory;
mod race;
pub(crate) mod undefined;
mod waiting;
mod warpgroup;

use crate::Reader;
use crate::phrase::place;
use crate::speech::WORDS;
use finding::{Cause, Finding};
use words::MessageValues;

/// The texts about a finding, beside its accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingTexts {
    /// The text that says what happened, and what is missing: lowercase, without a final stop.
    pub message: String,
    /// Why that is a bug: sentences.
    pub why: String,
    /// The text that says what would fix it: lowercase at its beginning, without a final stop.
    pub fix: String,
}

pub fn message(finding: &Finding, reader: &Reader) -> String {
    said(finding, reader).message
}

pub fn why(finding: &Finding, reader: &Reader) -> String {
    said(finding, reader).why
}

pub fn fix(finding: &Finding, reader: &Reader) -> String {
    said(finding, reader).fix
}

/// Block, space and address; empty where there is nothing to say.
pub fn place(finding: &Finding, reader: &Reader) -> String {
    place::of_finding(finding, reader)
}

/// All of a finding's sentences.
pub fn said(finding: &Finding, reader: &Reader) -> FindingTexts {
    let key = finding.cause.key();
    match &finding.cause {
        Cause::Unordered(race) => race::said(key, finding, race, false, reader),
        Cause::HostUnordered { place, .. } => {
            let said = said_of(key, &values(finding, &finding.cause, reader), reader);
            FindingTexts { message: race::on("race", place, finding, said.message, reader), ..said }
        }
        cause => said_of(key, &values(finding, cause, reader), reader),
    }
}

/// As [`said`], for one who is to find the fix: a message that is half of it has another one in its place.
pub fn said_without_fix(finding: &Finding, reader: &Reader) -> FindingTexts {
    match &finding.cause {
        Cause::Unordered(race) => race::said(finding.cause.key(), finding, race, true, reader),
        _ => said(finding, reader),
    }
}

/// The causes where a fence is missing, and its place is that of a line.
const WITHOUT_FIX: [&str; 3] = ["fence-after-look", "fence-before-flag", "fences-at-flag"];

/// The three messages of one key.
fn said_of(key: &str, values: &MessageValues, reader: &Reader) -> FindingTexts {
    let say = |key: &str| WORDS.say(reader.language, key, values);
    FindingTexts { message: say(key), why: say(&format!("{key}.why")), fix: say(&format!("{key}.fix")) }
}

fn values<'a>(finding: &'a Finding, cause: &'a Cause, reader: &Reader) -> MessageValues<'a> {
    let mut values = MessageValues::new();
    values.set("place", place::of_finding(finding, reader));
    match cause {
        Cause::Unordered(_) => {}
        Cause::HostUnordered { operation, .. } => race::host(&mut values, finding, *operation, reader),

        Cause::OutOfBounds { .. }
        | Cause::ReadOnly { .. }
        | Cause::OutsideArray { .. }
        | Cause::Misaligned { .. }
        | Cause::UseAfterFree { .. }
        | Cause::BeforePeerStarts { .. }
        | Cause::AfterPeerEnds { .. }
        | Cause::NoImage { .. }
        | Cause::OutsideSurface { .. }
        | Cause::FreedTwice { .. }
        | Cause::FreedForeign
        | Cause::HostFreedTwice
        | Cause::NoCode { .. }
        | Cause::StackUsedUp { .. } => memory::values(&mut values, finding, cause, reader),

        Cause::NeverWritten(value) => undefined::never_written(&mut values, value, reader),
        Cause::AbsentLane(absence) => undefined::absent_lane(&mut values, absence, reader),

        Cause::NoSuchBarrier { .. }
        | Cause::BarrierCount { .. }
        | Cause::ArrivesTwice
        | Cause::WaitsUnarrived
        | Cause::CountsDiffer
        | Cause::ReductionsDiffer
        | Cause::BarrierObject { .. }
        | Cause::TensorCopy { .. }
        | Cause::BarrierDivergence { .. }
        | Cause::WarpsAtDifferentBarriers { .. }
        | Cause::LeftBeforeBarrier
        | Cause::BarrierInBranch { .. } => barrier::values(&mut values, cause, reader),

        Cause::Deadlock { .. }
        | Cause::GridDeadlock { .. }
        | Cause::Livelock(_)
        | Cause::MaskMismatch { .. }
        | Cause::OutsideOwnMask { .. } => waiting::values(&mut values, finding, cause, reader),

        Cause::Warpgroup { .. }
        | Cause::ProductNotWaitedFor { .. }
        | Cause::ProductNotFenced { .. }
        | Cause::FirstProductNotFenced => warpgroup::values(&mut values, cause),

        Cause::NotCooperative | Cause::LaunchFailed { .. } | Cause::PointerToOwnMemory { .. } => {
            launch::values(&mut values, cause, reader);
        }

        Cause::ActiveMask { .. } | Cause::ShuffleBeyond { .. } | Cause::SwapFailedUnseen => {
            hint::values(&mut values, cause, reader);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::counters::{Counter, Ratio};

    /// Each cause has its message, why and fix in both languages, each counter its meaning, and no words are left that
    /// nobody says.
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        let of_causes =
            Cause::KEYS.iter().flat_map(|key| [key.to_string(), format!("{key}.why"), format!("{key}.fix")]);
        let counters = Counter::ALL.iter().map(|counter| counter.name());
        let counters = counters.chain(Ratio::ALL.iter().map(|ratio| ratio.name())).map(crate::counter_key);
        let without = WITHOUT_FIX.iter().flat_map(|key| [format!("{key}.untold"), format!("{key}.untold-why")]);
        let computed: Vec<String> = of_causes.chain(counters).chain(without).collect();
        words::check::assert_fits(&WORDS, env!("CARGO_MANIFEST_DIR"), &computed);
    }
}
