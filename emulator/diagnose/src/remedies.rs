//! Changes of the source that a finding's cause names exactly; none where only another launch, or another algorithm, helps.

use finding::{
    Absence, AbsentLane, Access, Action, AllCome, AtomicAccess, BarrierKind, BetweenThreads, Cause, Distance, Edit,
    Finding, Missing, Narrow, Outside, PlainAccess, Polled, Position, Relation, Remedy, Scope, SourceLocation, Space,
    Unordered, Where,
};

/// The finding with what may fix it, where the checker has not said so already; `are_parted`: no thread comes from one of its lines
/// to the other.
pub fn add(mut finding: Finding, are_parted: bool) -> Finding {
    if finding.remedies.is_empty() {
        finding.remedies = of(&finding);
        finding.remedies.dedup();
    }
    let is_end = |at: &SourceLocation| finding.accesses.iter().any(|access| access.location.as_ref() == Some(at));
    let is_nowhere = |edit: &Edit| match edit {
        Edit::InsertBarrier { at: Position::Between { first: from, second: to }, .. } => {
            are_parted && is_end(from) && is_end(to)
        }
        _ => false,
    };
    finding.remedies.retain(|edits| !edits.iter().any(is_nowhere));
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
            // Of a lost update no barrier is the fix, whatever stands between its lines.
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
        Missing::BarrierAfterLook { second, .. } => block(Position::Before { at: second.clone() }),
        Missing::LaneNotInMask { barrier, met, inside, outside } => {
            // These two and those whom one of them met; the lanes of the other's mask may be meant too.
            let masks = [met | 1 << inside | 1 << outside, u32::MAX];
            masks.map(|mask| Some(vec![Edit::ChangeMask { at: barrier.clone(), mask }])).into()
        }
        Missing::OnlyShuffled { .. } => barrier_between(finding, race, between),
        Missing::PlainUnlock { store, .. } => {
            let atomic = Edit::MakeAtomic { at: store.clone(), access: AtomicAccess::Store };
            vec![Some(vec![fence(Position::Before { at: store.clone() }), atomic])]
        }
        Missing::NextRound { below, .. } => barriers(race.distance, between, &Position::After { at: below.clone() }),
        Missing::OwnUpdate { at, certain } => {
            let plain = between.strong.map(|strong| 1 - strong);
            let load = plain.and_then(|plain| place(finding, plain));
            let mut all = vec![load.map(|load| vec![Edit::UseReturned { at: load, of: at.clone() }])];
            if !certain {
                all.extend(in_general(finding, race, between));
            }
            all
        }
        Missing::WrongMeans { .. } => in_general(finding, race, between),
        // Who left, who holds which lock, or which round is meant: more than an edit tells.
        Missing::EndedBeforeBarrier { .. }
        | Missing::LaneEnded { .. }
        | Missing::Locks { .. }
        | Missing::SamePhase { .. }
        | Missing::SamePlace { .. } => Vec::new(),
    }
}

/// What orders two lines, or makes their order one that does not matter.
fn in_general(finding: &Finding, race: &Unordered, between: &BetweenThreads) -> Vec<Option<Remedy>> {
    let make = |index: usize, access: AtomicAccess| Some(Edit::MakeAtomic { at: place(finding, index)?, access });
    let atomic = |index: usize, plain: PlainAccess| match plain {
        PlainAccess::Load => make(index, AtomicAccess::Load),
        PlainAccess::Store => make(index, AtomicAccess::Store),
        PlainAccess::Update => make(index, AtomicAccess::Update { operation: None }),
    };
    // One operation for what a line does; a barrier cannot stand inside it, and what two lines do together it does not tell.
    let is_line = between.one_access || between.one_line;
    let is_one = is_line || race.lost_update.is_some();
    match (between.strong.map(|strong| 1 - strong), &between.polled) {
        (Some(plain), Some(Polled::Again)) => vec![atomic(plain, between.plain).map(|edit| vec![edit])],
        (None, Some(Polled::Again)) => {
            let sides = finding.accesses.iter().enumerate().map(|(index, access)| {
                match matches!(access.action, Action::Loaded { .. }) {
                    true => make(index, AtomicAccess::Load),
                    false => make(index, AtomicAccess::Store),
                }
            });
            vec![sides.collect()]
        }
        (_, Some(Polled::Once { .. })) => Vec::new(),
        (Some(plain), None) if is_line || is_one && between.plain == PlainAccess::Update => {
            vec![make(plain, AtomicAccess::Update { operation: None }).map(|edit| vec![edit])]
        }
        (None, None) if is_line && between.plain == PlainAccess::Update => {
            vec![make(1, AtomicAccess::Update { operation: None }).map(|edit| vec![edit])]
        }
        (_, None) if is_one => Vec::new(),
        (Some(plain), None) => {
            let mut all = barrier_between(finding, race, between);
            all.push(atomic(plain, between.plain).map(|edit| vec![edit]));
            all
        }
        (None, None) => barrier_between(finding, race, between),
    }
}

/// A barrier between the lines of both accesses, where one stands above the other in one function and call.
fn barrier_between(finding: &Finding, race: &Unordered, between: &BetweenThreads) -> Vec<Option<Remedy>> {
    let [one, other] = &finding.accesses[..] else { return Vec::new() };
    let (Some(a), Some(b)) = (&one.location, &other.location) else { return Vec::new() };
    if a.file != b.file || a.line == b.line || one.called_from != other.called_from {
        return Vec::new();
    }
    let (upper, lower) = if a.line < b.line { (a, b) } else { (b, a) };
    barriers(race.distance, between, &Position::Between { first: upper.clone(), second: lower.clone() })
}

/// The barriers that hold threads so far apart; of a whole grid there is none in most launches. Behind a branch the lanes that
/// came there are fewer than the warp.
fn barriers(distance: Distance, between: &BetweenThreads, at: &Position) -> Vec<Option<Remedy>> {
    let insert = |barrier| Some(vec![Edit::InsertBarrier { barrier, at: at.clone() }]);
    match distance {
        Distance::Warp => {
            let masks = between.branch.iter().map(|branch| branch.lanes).chain([u32::MAX]);
            masks.map(|mask| insert(BarrierKind::Warp { mask })).collect()
        }
        Distance::Block => vec![insert(BarrierKind::Block)],
        Distance::Grid => Vec::new(),
    }
}

fn fence(at: Position) -> Edit {
    Edit::InsertFence { scope: Scope::Device, at }
}

/// All of it or nothing: a part that stays narrow undoes the rest.
fn widen(narrow: &Narrow) -> Option<Remedy> {
    let edits = narrow.parts.iter().map(|part| Some(Edit::WidenScope { at: part.at.clone()?, to: Scope::Device }));
    edits.collect::<Option<Remedy>>().filter(|edits| !edits.is_empty())
}

/// Where no buffer is anywhere near, it is the pointer that is wrong.
fn bound(finding: &Finding) -> Option<Remedy> {
    match &finding.place {
        Where::Outside { at: Outside::Nothing { space, .. }, .. } if *space != Space::Local => return None,
        _ => {}
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
