//! Changes of the source that a finding's cause names exactly; none where only another launch, or another algorithm, helps.

use finding::{
    Access, Action, AllCome, AtomicAccess, BarrierKind, BetweenThreads, Cause, Distance, Edit, Finding, Missing,
    Narrow, PlainAccess, Polled, Position, Relation, Remedy, Scope, SourceLocation, Unordered,
};

/// The finding with what may fix it, where the checker has not said so already.
pub fn add(finding: Finding) -> Finding {
    match finding.remedies.is_empty() {
        true => Finding { remedies: of(&finding), ..finding },
        false => finding,
    }
}

fn of(finding: &Finding) -> Vec<Remedy> {
    let remedies = match &finding.cause {
        Cause::Unordered(it) if it.allowed => Vec::new(),
        Cause::Unordered(it) => of_race(finding, it),
        Cause::OutOfBounds { .. } => vec![bound(finding)],
        Cause::MaskMismatch { all_come: Some(all), .. } | Cause::OutsideOwnMask { all_come: Some(all) } => {
            vec![whole_warp(all)]
        }
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
    let block = |from: &SourceLocation, to: &SourceLocation| {
        let at = Position::Between(from.clone(), to.clone());
        vec![Some(vec![Edit::InsertBarrier { barrier: BarrierKind::Block, at }])]
    };
    match missing {
        Missing::FenceAfterLook { seen, .. } => {
            vec![seen.clone().map(|seen| vec![fence(Position::After(seen))])]
        }
        Missing::FenceBeforeFlag { first, set, look, acquired } => {
            let is_above = first.file == set.file && first.line < set.line;
            let before = match is_above {
                true => Position::Between(first.clone(), set.clone()),
                // A lock is taken and given back behind its critical section: there both may stand in one line.
                false => Position::Before(set.clone()),
            };
            vec![match (acquired, look) {
                (true, _) => Some(vec![fence(before)]),
                (false, look) => look.clone().map(|look| vec![fence(before), fence(Position::After(look))]),
            }]
        }
        Missing::BarrierBeforeFlag { first, fence, .. } => block(first, fence),
        Missing::BarrierAfterLook { look, second } => block(look, second),
        Missing::LaneNotInMask { barrier, met, inside, outside } => {
            let mask = met | 1 << inside | 1 << outside;
            vec![Some(vec![Edit::ChangeMask { at: barrier.clone(), mask }])]
        }
        Missing::OnlyShuffled { .. } => vec![barrier_between(finding, race.distance)],
        Missing::PlainUnlock { store, .. } => {
            let atomic = Edit::MakeAtomic { at: store.clone(), access: AtomicAccess::Store };
            vec![Some(vec![fence(Position::Before(store.clone())), atomic])]
        }
        Missing::NextRound { below, .. } => {
            vec![barrier(race.distance, Position::After(below.clone())).map(|edit| vec![edit])]
        }
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
        PlainAccess::Update => make(index, AtomicAccess::Update(None)),
    };
    let is_one = between.one_access || between.one_line || race.lost_update.is_some();
    match (between.strong.map(|strong| 1 - strong), &between.polled) {
        (Some(plain), Some(Polled::Again)) => vec![atomic(plain, between.plain).map(|edit| vec![edit])],
        (None, Some(Polled::Again)) => {
            let sides = finding.accesses.iter().enumerate().map(|(index, access)| {
                match matches!(access.action, Action::Loaded(_)) {
                    true => make(index, AtomicAccess::Load),
                    false => make(index, AtomicAccess::Store),
                }
            });
            vec![sides.collect()]
        }
        (_, Some(Polled::Once(_))) => Vec::new(),
        (Some(plain), None) if is_one => {
            vec![make(plain, AtomicAccess::Update(None)).map(|edit| vec![edit])]
        }
        (Some(plain), None) => {
            vec![barrier_between(finding, race.distance), atomic(plain, between.plain).map(|edit| vec![edit])]
        }
        (None, None) if between.plain == PlainAccess::Update && is_one => {
            vec![make(1, AtomicAccess::Update(None)).map(|edit| vec![edit])]
        }
        (None, None) if is_one => Vec::new(),
        (None, None) => vec![barrier_between(finding, race.distance)],
    }
}

/// A barrier between the lines of both accesses, where one stands above the other in one function and call.
fn barrier_between(finding: &Finding, distance: Distance) -> Option<Remedy> {
    let [one, other] = &finding.accesses[..] else { return None };
    let (a, b) = (one.location.as_ref()?, other.location.as_ref()?);
    if a.file != b.file || a.line == b.line || one.called_from != other.called_from {
        return None;
    }
    let (upper, lower) = if a.line < b.line { (a, b) } else { (b, a) };
    Some(vec![barrier(distance, Position::Between(upper.clone(), lower.clone()))?])
}

/// The barrier that holds threads so far apart; of a whole grid there is none in most launches.
fn barrier(distance: Distance, at: Position) -> Option<Edit> {
    let barrier = match distance {
        Distance::Warp => BarrierKind::Warp { mask: u32::MAX },
        Distance::Block => BarrierKind::Block,
        Distance::Grid => return None,
    };
    Some(Edit::InsertBarrier { barrier, at })
}

fn fence(at: Position) -> Edit {
    Edit::InsertFence { scope: Scope::Device, at }
}

/// All of it or nothing: a part that stays narrow undoes the rest.
fn widen(narrow: &Narrow) -> Option<Remedy> {
    let edits = narrow.parts.iter().map(|part| Some(Edit::WidenScope { at: part.at.clone()?, to: Scope::Device }));
    edits.collect::<Option<Remedy>>().filter(|edits| !edits.is_empty())
}

fn bound(finding: &Finding) -> Option<Remedy> {
    Some(vec![Edit::BoundIndex { at: finding.accesses.last()?.location.clone()? }])
}

fn whole_warp(all: &AllCome) -> Option<Remedy> {
    let at = all.at.clone().filter(|_| all.whole_warp)?;
    Some(vec![Edit::ChangeMask { at, mask: u32::MAX }])
}

fn place(finding: &Finding, index: usize) -> Option<SourceLocation> {
    finding.accesses.get(index).and_then(|access: &Access| access.location.clone())
}
