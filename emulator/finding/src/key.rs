//! A short name for each cause: what fixtures declare, JSON carries, and a catalogue of words is looked up by.

use crate::{
    Cause, Copies, DependentWait, Differs, Distance, Livelock, LivelockReason, Missing, ObjectMisuse, Reached,
    Relation, Unordered, Unwritten,
};

impl Cause {
    /// Every name that [`Cause::key`] gives.
    pub const KEYS: [&'static str; 91] = [
        "host-unordered",
        "out-of-bounds",
        "outside-array",
        "misaligned",
        "use-after-free",
        "no-image",
        "outside-surface",
        "freed-twice",
        "freed-foreign",
        "host-freed-twice",
        "no-code",
        "stack-used-up",
        "loaded-unwritten",
        "used-unwritten",
        "copied-unwritten",
        "lane-absent",
        "absent-lane-copied",
        "read-only",
        "no-such-barrier",
        "barrier-count",
        "arrives-twice",
        "waits-unarrived",
        "counts-differ",
        "reductions-differ",
        "barrier-object",
        "unordered-expect",
        "tensor-copy",
        "barrier-divergence",
        "warps-at-different-barriers",
        "barrier-in-branch",
        "left-before-barrier",
        "deadlock",
        "grid-deadlock",
        "kept-lock",
        "loaded-once",
        "flag-loaded-once",
        "livelock",
        "out-of-fuel",
        "masks-differ",
        "operations-differ",
        "outside-own-mask",
        "before-peer-starts",
        "after-peer-ends",
        "warpgroup-misused",
        "product-not-waited-for",
        "product-not-fenced",
        "first-product-not-fenced",
        "not-cooperative",
        "launch-failed",
        "pointer-to-own-memory",
        "active-mask",
        "shuffle-beyond",
        "swap-failed-unseen",
        "launches-unordered",
        "dependent-without-wait",
        "dependent-before-wait",
        "dependent-on-waitless",
        "parent-and-child-unordered",
        "grids-unordered",
        "scope-too-narrow",
        "copies-unordered",
        "copy-not-waited-for",
        "copy-not-handed-on",
        "bulk-copy-not-waited-for",
        "proxy-fence-missing",
        "map-fence-missing",
        "matrix-changed-early",
        "order-left-open",
        "plain-flag",
        "plain-beside-atomic",
        "lanes-unordered",
        "no-barrier",
        "blocks-unordered",
        "fence-after-look",
        "fence-before-flag",
        "fences-at-flag",
        "barrier-before-flag",
        "barrier-after-look",
        "ended-before-barrier",
        "lane-not-in-mask",
        "lane-ended-before-barrier",
        "only-shuffled",
        "plain-unlock",
        "different-locks",
        "released-early",
        "next-round-unordered",
        "same-phase",
        "wrong-means",
        "same-place",
        "stale-own-update",
        "overlap",
    ];

    /// Returns what is missing, in one word: the same for all findings of this kind, whatever their lines and threads.
    pub fn key(&self) -> &'static str {
        match self {
            Cause::Unordered(race) => race.key(),
            Cause::HostUnordered { .. } => "host-unordered",
            Cause::OutOfBounds { .. } => "out-of-bounds",
            Cause::ReadOnly { .. } => "read-only",
            Cause::OutsideArray { .. } => "outside-array",
            Cause::Misaligned { .. } => "misaligned",
            Cause::UseAfterFree { .. } => "use-after-free",
            Cause::BeforePeerStarts { .. } => "before-peer-starts",
            Cause::AfterPeerEnds { .. } => "after-peer-ends",
            Cause::NoImage { .. } => "no-image",
            Cause::OutsideSurface { .. } => "outside-surface",
            Cause::FreedTwice { .. } => "freed-twice",
            Cause::FreedForeign => "freed-foreign",
            Cause::HostFreedTwice => "host-freed-twice",
            Cause::NoCode { .. } => "no-code",
            Cause::StackUsedUp { .. } => "stack-used-up",
            Cause::NeverWritten(value) => match (&value.reached, &value.from) {
                (_, Unwritten::Loaded { .. }) => "loaded-unwritten",
                (Reached::Decision { .. }, _) => "used-unwritten",
                (Reached::Host, _) => "copied-unwritten",
            },
            Cause::AbsentLane(absence) => match absence.reached {
                Reached::Decision { .. } => "lane-absent",
                Reached::Host => "absent-lane-copied",
            },
            Cause::NoSuchBarrier { .. } => "no-such-barrier",
            Cause::BarrierCount { .. } => "barrier-count",
            Cause::ArrivesTwice => "arrives-twice",
            Cause::WaitsUnarrived => "waits-unarrived",
            Cause::CountsDiffer => "counts-differ",
            Cause::ReductionsDiffer => "reductions-differ",
            Cause::BarrierObject { misuse: ObjectMisuse::UnorderedExpect, .. } => "unordered-expect",
            Cause::BarrierObject { .. } => "barrier-object",
            Cause::TensorCopy { .. } => "tensor-copy",
            Cause::BarrierDivergence { .. } => "barrier-divergence",
            Cause::WarpsAtDifferentBarriers { .. } => "warps-at-different-barriers",
            Cause::BarrierInBranch { .. } => "barrier-in-branch",
            Cause::LeftBeforeBarrier => "left-before-barrier",
            Cause::Deadlock { .. } => "deadlock",
            Cause::GridDeadlock { .. } => "grid-deadlock",
            Cause::Livelock(livelock) => match livelock.as_ref() {
                Livelock { reason: Some(LivelockReason::KeptLock { .. }), .. } => "kept-lock",
                Livelock { reason: Some(LivelockReason::LoadedOnce { .. }), .. } => "loaded-once",
                Livelock { reason: Some(LivelockReason::FlagLoadedOnce { .. }), .. } => "flag-loaded-once",
                Livelock { proven: true, .. } => "livelock",
                Livelock { proven: false, .. } => "out-of-fuel",
            },
            Cause::MaskMismatch { differs: Differs::Masks, .. } => "masks-differ",
            Cause::MaskMismatch { differs: Differs::Operations { .. }, .. } => "operations-differ",
            Cause::OutsideOwnMask { .. } => "outside-own-mask",
            Cause::Warpgroup { .. } => "warpgroup-misused",
            Cause::ProductNotWaitedFor { .. } => "product-not-waited-for",
            Cause::ProductNotFenced { .. } => "product-not-fenced",
            Cause::FirstProductNotFenced => "first-product-not-fenced",
            Cause::NotCooperative => "not-cooperative",
            Cause::LaunchFailed { .. } => "launch-failed",
            Cause::PointerToOwnMemory { .. } => "pointer-to-own-memory",
            Cause::ActiveMask { .. } => "active-mask",
            Cause::ShuffleBeyond { .. } => "shuffle-beyond",
            Cause::SwapFailedUnseen => "swap-failed-unseen",
        }
    }
}

impl Unordered {
    fn key(&self) -> &'static str {
        let between = match &self.relation {
            Relation::Launches => return "launches-unordered",
            Relation::Dependent { wait: DependentWait::Missing { .. } } => return "dependent-without-wait",
            Relation::Dependent { wait: DependentWait::Late } => return "dependent-before-wait",
            Relation::Dependent { wait: DependentWait::Between { .. } } => return "dependent-on-waitless",
            Relation::Host { .. } => return "host-unordered",
            Relation::ParentAndChild { .. } => return "parent-and-child-unordered",
            Relation::Grids { .. } => return "grids-unordered",
            Relation::ScopeTooNarrow(_) => return "scope-too-narrow",
            Relation::Copies { copies: Copies::Both } => return "copies-unordered",
            Relation::Copies { copies: Copies::OneThread { .. } } => return "copy-not-waited-for",
            Relation::Copies { copies: Copies::OtherThread } => return "copy-not-handed-on",
            Relation::Copies { copies: Copies::Bulk { .. } } => return "bulk-copy-not-waited-for",
            Relation::Copies { copies: Copies::Product } => return "matrix-changed-early",
            Relation::Copies { copies: Copies::ProxyFence { .. } } => return "proxy-fence-missing",
            Relation::Copies { copies: Copies::MapFence { .. } } => return "map-fence-missing",
            Relation::Threads(between) => between,
        };
        match &between.missing {
            Some(missing) => missing.key(),
            None if self.allowed => "order-left-open",
            None if between.polled.is_some() => "plain-flag",
            None if between.strong.is_some() => "plain-beside-atomic",
            None => match self.distance {
                Distance::Warp => "lanes-unordered",
                Distance::Block => "no-barrier",
                Distance::Grid => "blocks-unordered",
            },
        }
    }
}

impl Missing {
    fn key(&self) -> &'static str {
        match self {
            Missing::FenceAfterLook { .. } => "fence-after-look",
            Missing::FenceBeforeFlag { acquired: true, .. } => "fence-before-flag",
            Missing::FenceBeforeFlag { acquired: false, .. } => "fences-at-flag",
            Missing::BarrierBeforeFlag { .. } => "barrier-before-flag",
            Missing::BarrierAfterLook { .. } => "barrier-after-look",
            Missing::EndedBeforeBarrier { .. } => "ended-before-barrier",
            Missing::LaneNotInMask { .. } => "lane-not-in-mask",
            Missing::LaneEnded { .. } => "lane-ended-before-barrier",
            Missing::OnlyShuffled { .. } => "only-shuffled",
            Missing::PlainUnlock { .. } => "plain-unlock",
            Missing::Locks { .. } => "different-locks",
            Missing::ReleasedEarly { .. } => "released-early",
            Missing::NextRound { .. } => "next-round-unordered",
            Missing::SamePhase { .. } => "same-phase",
            Missing::WrongMeans { .. } => "wrong-means",
            Missing::SamePlace { .. } => "same-place",
            Missing::OwnUpdate { .. } => "stale-own-update",
            Missing::Overlap { .. } => "overlap",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source is the list: a key that is given and not listed, or listed and not given, shows here.
    #[test]
    fn all_keys_are_listed() {
        let source = include_str!("key.rs").split("#[cfg(test)]").next().expect("the code comes first");
        let given: std::collections::BTreeSet<&str> = source
            .split("=> ")
            .skip(1)
            .filter_map(|part| part.trim_start_matches("return ").strip_prefix('"')?.split('"').next())
            .collect();
        assert_eq!(given, Cause::KEYS.into_iter().collect());
    }
}
