//! Changes of the source that a finding's cause names exactly; none where only another launch, or another algorithm,
//! helps.

use finding::{
    Absence, AbsentLane, Access, AccessKind, Action, AllCome, AtomicAccess, BarrierKind, BetweenThreads, Cause,
    Distance, Edit, Finding, Missing, Narrow, NarrowPart, Outside, PlainAccess, Polled, Position, Relation, Remedy,
    Scope, SourceLocation, Space, Synchroniser, Unordered, Where,
};

/// The finding with what may fix it, where the checker has not said so already.
pub fn add(mut finding: Finding) -> Finding {
    if finding.remedies.is_empty() {
        finding.remedies = of(&finding);
        finding.remedies.dedup();
    }
    finding
}

fn of(finding: &Finding) -> Vec<Remedy> {
    let remedies = match &finding.cause {
        Cause::Unordered(it) if it.allowed => Vec::new(),
        Cause::Unordered(it) => of_race(finding, it),
        Cause::OutOfBounds { .. } => vec![bound(finding)],
        Cause::MaskMismatch { all_come: Some(all), .. } | Cause::OutsideOwnMask { all_come: Some(all) } => {
            vec![whole_warp(all)]
        }
        Cause::AbsentLane(absence) => vec![narrower_shuffle(finding, absence)],
        _ => Vec::new(),
    };
    remedies.into_iter().flatten().collect()
}

fn of_race(finding: &Finding, race: &Unordered) -> Vec<Option<Remedy>> {
    match &race.relation {
        Relation::ScopeTooNarrow(narrow) => vec![widen(narrow)],
        _ if let Some(narrow) = &race.narrow_elsewhere => vec![widen(narrow)],
        Relation::Threads(between) => match &between.missing {
            // No barrier fixes a lost update, whatever stands between its lines.
            Some(missing) if race.lost_update.is_none() => of_missing(finding, race, between, missing),
            _ => in_general(finding, race, between),
        },
        _ => Vec::new(),
    }
}

fn of_missing(finding: &Finding, race: &Unordered, between: &BetweenThreads, missing: &Missing) -> Vec<Option<Remedy>> {
    let block = |at: Position| vec![Some(vec![Edit::InsertBarrier { barrier: BarrierKind::Block, at }])];
    match missing {
        Missing::FenceAfterLook { seen, .. } => {
            vec![seen.clone().map(|seen| vec![fence(Position::After { at: seen })])]
        }
        Missing::FenceBeforeFlag { first, set, look, acquired, .. } => {
            let is_above = first.file == set.file && first.line < set.line;
            let before = match is_above {
                true => Position::Between { first: first.clone(), second: set.clone() },
                // A lock is taken and given back behind its critical section: there both may stand in one line.
                false => Position::Before { at: set.clone() },
            };
            vec![match (acquired, look) {
                (true, _) => Some(vec![fence(before)]),
                (false, look) => look.clone().map(|look| vec![fence(before), fence(Position::After { at: look })]),
            }]
        }
        Missing::BarrierBeforeFlag { first, fence, .. } => {
            block(Position::Between { first: first.clone(), second: fence.clone() })
        }
        // Behind the fence that follows the look.
        Missing::BarrierAfterLook { second, one_warp, .. } => {
            let distance = if *one_warp { Distance::Warp } else { Distance::Block };
            vec![barrier(distance, Position::Before { at: second.clone() })]
        }
        Missing::LaneNotInMask { barrier, met, inside, outside } => {
            // These two and those whom one of them met; the lanes of the other's mask may be meant too.
            let masks = [met | 1 << inside | 1 << outside, u32::MAX];
            masks.map(|mask| Some(vec![Edit::ChangeMask { at: barrier.clone(), mask }])).into()
        }
        Missing::PlainUnlock { store, .. } => {
            let atomic = Edit::MakeAtomic { at: store.clone(), access: AtomicAccess::Store };
            vec![Some(vec![fence(Position::Before { at: store.clone() }), atomic])]
        }
        Missing::NextRound { above, below, at_end, .. } => {
            let position = match at_end {
                true => Position::Before { at: above.clone() },
                false => Position::After { at: below.clone() },
            };
            vec![barrier(race.distance, position)]
        }
        Missing::OwnUpdate { at, certain } => {
            let plain = between.strong.map(|strong| 1 - strong);
            let load = plain.and_then(|plain| place(finding, plain));
            let returned = load.map(|load| vec![Edit::UseReturned { at: load, of: at.clone() }]);
            let others = if *certain { Vec::new() } else { in_general(finding, race, between) };
            [returned].into_iter().chain(others).collect()
        }
        Missing::OnlyShuffled { .. } | Missing::WrongMeans { .. } | Missing::Overlap { strong: false, .. } => {
            in_general(finding, race, between)
        }
        // The fix depends on which thread left, which holds which lock, or which round is meant: more than an edit
        // tells.
        Missing::EndedBeforeBarrier { .. }
        | Missing::LaneEnded { .. }
        | Missing::Locks { .. }
        | Missing::ReleasedEarly { .. }
        | Missing::SamePhase { .. }
        | Missing::SamePlace { .. }
        | Missing::Overlap { strong: true, .. } => Vec::new(),
    }
}

/// Returns edits that order two lines, or make their order one that does not matter.
fn in_general(finding: &Finding, race: &Unordered, between: &BetweenThreads) -> Vec<Option<Remedy>> {
    let plain = between.strong.map(|strong| 1 - strong);
    let make = |index: usize, access| Some(Edit::MakeAtomic { at: place(finding, index)?, access });
    let update = AtomicAccess::Update { operation: None };
    // A barrier cannot stand inside a line, and keeps no two updates apart.
    let is_line = between.one_access || between.one_line;
    let is_one = is_line || race.lost_update.is_some();
    let is_update = between.plain == PlainAccess::Update;
    let atomic = |index: usize| match finding.accesses.get(index).map(|access| &access.action) {
        _ if is_update && plain == Some(index) => make(index, update),
        Some(Action::Loaded { .. }) => make(index, AtomicAccess::Load),
        _ => make(index, AtomicAccess::Store),
    };
    match &between.polled {
        Some(Polled::Again) => {
            let sides = plain.map_or(vec![0, 1], |plain| vec![plain]);
            let Some(atomic) = sides.into_iter().map(atomic).collect::<Option<Remedy>>() else { return Vec::new() };
            let fenced = atomic.iter().cloned().chain(fences(finding)).collect();
            vec![Some(atomic), Some(fenced)]
        }
        Some(Polled::Once { .. }) => Vec::new(),
        None if is_one && is_update || is_line && plain.is_some() => {
            vec![make(plain.unwrap_or(1), update).map(|edit| vec![edit])]
        }
        None if is_one => Vec::new(),
        None => {
            let one = plain.and_then(atomic).map(|edit| vec![edit]);
            vec![barrier_between(finding, race.distance), one]
        }
    }
}

/// Before what is stored, and after what is loaded.
fn fences(finding: &Finding) -> impl Iterator<Item = Edit> {
    let of_one = |access: &Access| {
        let at = access.location.clone()?;
        Some(fence(match access.action {
            Action::Loaded { .. } => Position::After { at },
            _ => Position::Before { at },
        }))
    };
    finding.accesses.iter().filter_map(of_one)
}

/// A barrier between the lines of both accesses, or between the calls that lead to them.
fn barrier_between(finding: &Finding, distance: Distance) -> Option<Remedy> {
    let [first, second] = finding.lines_apart()?.map(SourceLocation::clone);
    let barrier = if finding.is_in_cluster() { BarrierKind::Cluster } else { BarrierKind::of(distance)? };
    Some(vec![Edit::InsertBarrier { barrier, at: Position::Between { first, second } }])
}

fn barrier(distance: Distance, at: Position) -> Option<Remedy> {
    Some(vec![Edit::InsertBarrier { barrier: BarrierKind::of(distance)?, at }])
}

fn fence(at: Position) -> Edit {
    Edit::InsertFence { scope: Scope::Device, at }
}

/// All of it or nothing: a part that stays narrow undoes the rest. No edit widens an arrival, to a cluster at most.
fn widen(narrow: &Narrow) -> Option<Remedy> {
    let place = |part: &NarrowPart| part.at.clone().filter(|_| part.what != Synchroniser::Arrival);
    let edits = narrow.parts.iter().map(|part| Some(Edit::WidenScope { at: place(part)?, to: Scope::Device }));
    edits.collect::<Option<Remedy>>().filter(|edits| !edits.is_empty())
}

/// Returns a bound for the index. If no buffer is anywhere near, it is the pointer that is wrong.
fn bound(finding: &Finding) -> Option<Remedy> {
    let memory = finding.accesses.last()?.memory.as_ref();
    // A matrix descriptor is no index.
    if memory.is_some_and(|memory| memory.kind == AccessKind::MatrixOperand) {
        return None;
    }
    if matches!(&finding.place, Where::Outside { at: Outside::Nothing { space, .. }, .. } if *space != Space::Local) {
        return None;
    }
    Some(vec![Edit::BoundIndex { at: finding.accesses.last()?.location.clone()?, below: None }])
}

fn whole_warp(all: &AllCome) -> Option<Remedy> {
    let at = all.at.clone().filter(|_| all.whole_warp)?;
    Some(vec![Edit::ChangeMask { at, mask: u32::MAX }])
}

/// A last warp of 16 threads may be meant to trade among 16.
fn narrower_shuffle(finding: &Finding, absence: &Absence) -> Option<Remedy> {
    let AbsentLane::NoThread { threads: width } = absence.absent else { return None };
    let mut taken = finding.accesses.iter().filter(|access| matches!(access.action, Action::TookFrom { .. }));
    let at = taken.next()?.location.clone()?;
    (width > 1 && width.is_power_of_two()).then(|| vec![Edit::ChangeWidth { at, width }])
}

fn place(finding: &Finding, index: usize) -> Option<SourceLocation> {
    finding.accesses.get(index).and_then(|access: &Access| access.location.clone())
}
