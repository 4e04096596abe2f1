//! The lines of the source that a cause rests on, besides those of the accesses.

use crate::{
    AllCome, Away, BetweenThreads, Cause, LivelockReason, Missing, Narrow, Polled, Relation, SourceLocation, Unordered,
    Unwritten,
};

impl Cause {
    /// In no order; a line may be there twice. Not those that only led here.
    pub fn lines(&self) -> Vec<&SourceLocation> {
        match self {
            Cause::Unordered(race) => of_race(race),
            Cause::NeverWritten(value) => match &value.from {
                Unwritten::Loaded { gone: Some(gone), .. } => vec![&gone.end, &gone.barrier],
                Unwritten::Unknown { writers } => writers.iter().collect(),
                Unwritten::Loaded { .. } | Unwritten::Copied { .. } => vec![],
            },
            Cause::AbsentLane(absence) => match &absence.away {
                Some(Away::Parted { at } | Away::Ended { at }) => vec![at],
                None => vec![],
            },
            Cause::Livelock(livelock) => match &livelock.reason {
                Some(LivelockReason::KeptLock { taken }) => vec![taken],
                Some(LivelockReason::LoadedOnce { load, swap }) => vec![load, swap],
                Some(LivelockReason::FlagLoadedOnce { at }) => vec![at],
                None => vec![],
            },
            Cause::MaskMismatch { all_come, .. } | Cause::OutsideOwnMask { all_come } => {
                all_come.as_ref().and_then(|AllCome { at, .. }| at.as_ref()).into_iter().collect()
            }
            _ => vec![],
        }
    }
}

fn of_race(race: &Unordered) -> Vec<&SourceLocation> {
    let of_relation = match &race.relation {
        Relation::ScopeTooNarrow(narrow) => of_narrow(narrow),
        Relation::Threads(pair) => of_pair(pair),
        _ => vec![],
    };
    let elsewhere = race.narrow_elsewhere.iter().flat_map(of_narrow);
    of_relation.into_iter().chain(elsewhere).collect()
}

fn of_narrow(narrow: &Narrow) -> Vec<&SourceLocation> {
    narrow.parts.iter().filter_map(|part| part.at.as_ref()).collect()
}

fn of_pair(pair: &BetweenThreads) -> Vec<&SourceLocation> {
    let polled = match &pair.polled {
        Some(Polled::Once { at }) => at.as_ref(),
        _ => None,
    };
    let missing = pair.missing.as_ref().map_or_else(Vec::new, of_missing);
    polled.into_iter().chain(missing).collect()
}

fn of_missing(missing: &Missing) -> Vec<&SourceLocation> {
    match missing {
        Missing::FenceAfterLook { seen, .. } => seen.iter().collect(),
        Missing::FenceBeforeFlag { set, look, .. } => [set].into_iter().chain(look).collect(),
        Missing::BarrierBeforeFlag { fence, set, look, .. } => vec![fence, set, look],
        Missing::BarrierAfterLook { look, .. } => vec![look],
        Missing::EndedBeforeBarrier { end, barrier } | Missing::LaneEnded { barrier, end } => vec![&end.at, barrier],
        Missing::LaneNotInMask { barrier, .. } => vec![barrier],
        Missing::OnlyShuffled { at, .. } | Missing::WrongMeans { at, .. } | Missing::OwnUpdate { at, .. } => vec![at],
        Missing::PlainUnlock { taken, store } => vec![taken, store],
        Missing::ReleasedEarly { release, .. } => vec![release],
        Missing::Locks { .. } | Missing::SamePlace { .. } | Missing::Overlap { .. } => vec![],
        Missing::NextRound { above, below, barrier, .. } => [above, below].into_iter().chain(barrier).collect(),
        Missing::SamePhase { above, below, barrier } => vec![above, below, barrier],
    }
}
