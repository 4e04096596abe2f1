//! One finding for each cause and one access for each action, and more where a variant is said in several ways. The
//! matches have no arm for the rest: who adds a variant adds a sample.

mod actions;
mod causes;
mod places;
mod races;

pub use actions::actions;
pub use causes::causes;
pub use places::places;

use finding::*;

pub fn at(line: u32) -> SourceLocation {
    SourceLocation { file: "a.cu".into(), line, column: 5 }
}

pub fn variable(name: &str, index: u64) -> MemoryPlace {
    MemoryPlace::Variable { name: name.into(), index: Some(index) }
}

pub fn argument(number: usize, index: i64) -> MemoryPlace {
    MemoryPlace::Argument { number, index: Some(index) }
}

pub fn int(value: i32) -> Option<AccessValue> {
    Some(AccessValue { bits: u64::from(value as u32), ty: ValueType::S32, stale: false, unwritten: false })
}

pub fn lanes(mask: u32) -> Threads {
    Threads::of_warp(0, mask)
}

pub fn access(kind: AccessKind, action: Action) -> Access {
    let memory = Some(MemoryAccess { kind, space: Space::Global, scope: None, bytes: 4 });
    Access { location: Some(at(7)), ptx_line: 70, memory, ..Access::of_host(action) }
}

pub fn finding(cause: Cause) -> Finding {
    Finding {
        slug: Slug::RaceGlobal,
        severity: Severity::Error,
        kernel: "kernel".into(),
        accesses: vec![
            access(AccessKind::Store, Action::Stored { value: int(1) }),
            access(AccessKind::Load, Action::Loaded { value: int(0) }),
        ],
        headline: None,
        place: Where::Nowhere,
        cause,
        remedies: vec![],
        count: 1,
    }
}

/// A finding of every cause, and of every action, place and edit.
pub fn findings() -> Vec<Finding> {
    let (barrier, scope, to) = (BarrierKind::Warp { mask: 3 }, Scope::Device, Scope::Device);
    let remedies = vec![vec![
        Edit::InsertBarrier { barrier, at: Position::Between { first: at(7), second: at(9) } },
        Edit::InsertBarrier { barrier: BarrierKind::Grid, at: Position::Before { at: at(7) } },
        Edit::InsertFence { scope, at: Position::After { at: at(7) } },
        Edit::WidenScope { at: at(7), to },
        Edit::MakeAtomic { at: at(7), access: AtomicAccess::Store },
        Edit::MakeAtomic { at: at(7), access: AtomicAccess::Update { operation: Some(AtomicOperation::Add) } },
        Edit::ChangeMask { at: at(7), mask: 3 },
        Edit::ChangeWidth { at: at(7), width: 8 },
        Edit::ChangeCount { at: at(7), threads: 64 },
        Edit::BoundIndex { at: at(7), below: None },
        Edit::InsertWait { at: Position::Before { at: at(7) } },
        Edit::InsertBulkWait { at: Position::Before { at: at(7) } },
        Edit::InsertProxyFence { at: Position::Before { at: at(7) } },
        Edit::InsertProductWait { at: Position::Before { at: at(7) } },
        Edit::InsertProductFence { at: Position::Before { at: at(7) } },
        Edit::InsertGridWait { at: Position::Before { at: at(7) } },
        Edit::UseReturned { at: at(7), of: at(5) },
    ]];
    causes()
        .into_iter()
        .map(finding)
        .chain(
            actions()
                .into_iter()
                .map(|action| Finding {
                    accesses: vec![access(AccessKind::Load, action)],
                    ..finding(Cause::FreedForeign)
                })
                .chain(places().into_iter().map(|place| Finding { place, ..finding(Cause::FreedForeign) }))
                .chain([Finding { remedies, ..finding(Cause::FreedForeign) }]),
        )
        .collect()
}

pub fn pair() -> BetweenThreads {
    BetweenThreads::default()
}

pub fn unordered(distance: Distance, relation: Relation) -> Unordered {
    Unordered::new(variable("data", 5), distance, relation)
}

pub fn between(distance: Distance, pair: BetweenThreads) -> Unordered {
    unordered(distance, Relation::Threads(Box::new(pair)))
}

/// Each number below `variants` comes, and no other.
fn assert_all(variants: usize, numbers: impl Iterator<Item = usize>) {
    let seen: std::collections::BTreeSet<usize> = numbers.collect();
    assert!(seen.into_iter().eq(0..variants), "a variant has no sample");
}
