//! Two accesses that nothing orders, by what is missing.

use super::*;

pub const DISTANCES: [Distance; 3] = [Distance::Warp, Distance::Block, Distance::Grid];

pub fn missing() -> Vec<Missing> {
    let end = |by_branch| End { at: at(3), by_branch };
    let (first, second) = (Some(variable("lock", 1)), Some(MemoryPlace::Address { address: 0x400 }));
    let all = vec![
        Missing::FenceAfterLook { seen: None, before_barrier: false, word: Word::Lock },
        Missing::FenceAfterLook { seen: Some(at(3)), before_barrier: false, word: Word::Counter },
        Missing::FenceAfterLook { seen: Some(at(3)), before_barrier: true, word: Word::Flag },
        Missing::FenceBeforeFlag { first: at(3), set: at(4), look: Some(at(9)), acquired: true, word: Word::Flag },
        Missing::FenceBeforeFlag { first: at(4), set: at(4), look: Some(at(4)), acquired: false, word: Word::Counter },
        Missing::FenceBeforeFlag { first: at(4), set: at(4), look: None, acquired: false, word: Word::Lock },
        Missing::FenceAfterLook { seen: Some(at(3)), before_barrier: false, word: Word::Variable },
        Missing::FenceBeforeFlag { first: at(4), set: at(5), look: Some(at(9)), acquired: false, word: Word::Variable },
        Missing::BarrierBeforeFlag { first: at(3), fence: at(4), set: at(5), look: at(9) },
        Missing::BarrierAfterLook { look: at(9), second: at(12), one_warp: false },
        Missing::BarrierAfterLook { look: at(9), second: at(12), one_warp: true },
        Missing::EndedBeforeBarrier { end: end(true), barrier: at(8) },
        Missing::LaneNotInMask { barrier: at(8), met: 0xff, inside: 3, outside: 9 },
        Missing::LaneEnded { barrier: at(8), end: end(false) },
        Missing::OnlyShuffled { at: at(8), function: "__shfl_sync()" },
        Missing::PlainUnlock { taken: at(3), store: at(9) },
        Missing::Locks { first: first.clone(), second: second.clone(), one_block: false },
        Missing::Locks { first, second: None, one_block: true },
        Missing::Locks { first: None, second, one_block: true },
        Missing::ReleasedEarly { release: at(8), access: at(9), first: true },
        Missing::ReleasedEarly { release: at(8), access: at(9), first: false },
        Missing::NextRound { above: at(3), below: at(6), barrier: Some(at(5)), turn: Turn::Round, at_end: false },
        Missing::NextRound { above: at(3), below: at(6), barrier: Some(at(5)), turn: Turn::Round, at_end: true },
        Missing::NextRound { above: at(3), below: at(6), barrier: None, turn: Turn::Call, at_end: false },
        Missing::SamePhase { above: at(3), below: at(6), barrier: at(5) },
        Missing::WrongMeans { at: at(5), means: Means::Fence },
        Missing::WrongMeans { at: at(5), means: Means::WarpBarrier },
        Missing::WrongMeans { at: at(5), means: Means::BlockBarrier },
        Missing::SamePlace { made: Some(at(3)), atomic: Some(at(2)) },
        Missing::SamePlace { made: Some(at(3)), atomic: None },
        Missing::SamePlace { made: None, atomic: Some(at(2)) },
        Missing::OwnUpdate { at: at(3), certain: true },
        Missing::OwnUpdate { at: at(3), certain: false },
        Missing::Overlap { bytes: [[0, 7], [4, 7]], strong: true },
        Missing::Overlap { bytes: [[0, 7], [4, 7]], strong: false },
    ];
    let number = |missing: &Missing| match missing {
        Missing::FenceAfterLook { .. } => 0,
        Missing::FenceBeforeFlag { .. } => 1,
        Missing::BarrierBeforeFlag { .. } => 2,
        Missing::BarrierAfterLook { .. } => 3,
        Missing::EndedBeforeBarrier { .. } => 4,
        Missing::LaneNotInMask { .. } => 5,
        Missing::LaneEnded { .. } => 6,
        Missing::OnlyShuffled { .. } => 7,
        Missing::PlainUnlock { .. } => 8,
        Missing::Locks { .. } => 9,
        Missing::NextRound { .. } => 10,
        Missing::SamePhase { .. } => 11,
        Missing::WrongMeans { .. } => 12,
        Missing::SamePlace { .. } => 13,
        Missing::OwnUpdate { .. } => 14,
        Missing::Overlap { .. } => 15,
        Missing::ReleasedEarly { .. } => 16,
    };
    assert_all(17, all.iter().map(number));
    all
}

/// A race of each relation, and of threads at each distance with each thing that may be missing.
pub fn races() -> Vec<Unordered> {
    let part = |what| NarrowPart { at: Some(at(8)), what, has: Scope::Block, of_object: false };
    let narrow = Narrow { parts: vec![part(Synchroniser::Fence), part(Synchroniser::Load)] };
    let relations = vec![
        Relation::Launches,
        Relation::Dependent { wait: DependentWait::Missing { triggered: false } },
        Relation::Dependent { wait: DependentWait::Missing { triggered: true } },
        Relation::Dependent { wait: DependentWait::Late },
        Relation::Dependent { wait: DependentWait::Between { kernel: "middle".into() } },
        Relation::Host { operation: HostOperation::CopyFromHost },
        Relation::Host { operation: HostOperation::Read },
        Relation::ParentAndChild { child: "leaf".into() },
        Relation::Grids { kernels: ["leaf".into(), "node".into()] },
        Relation::ScopeTooNarrow(narrow.clone()),
        Relation::ScopeTooNarrow(Narrow { parts: vec![part(Synchroniser::Arrival)] }),
        Relation::ScopeTooNarrow(Narrow { parts: vec![] }),
        Relation::Copies { copies: Copies::Both },
        Relation::Copies { copies: Copies::OneThread { writes: true } },
        Relation::Copies { copies: Copies::OtherThread },
        Relation::Copies { copies: Copies::Bulk { copy: 0, by_object: true, writes: true } },
        Relation::Copies { copies: Copies::Bulk { copy: 1, by_object: true, writes: true } },
        Relation::Copies { copies: Copies::Bulk { copy: 0, by_object: true, writes: false } },
        Relation::Copies { copies: Copies::Bulk { copy: 0, by_object: false, writes: true } },
        Relation::Copies { copies: Copies::Bulk { copy: 0, by_object: false, writes: false } },
        Relation::Copies { copies: Copies::ProxyFence { product: false } },
        Relation::Copies { copies: Copies::ProxyFence { product: true } },
        Relation::Copies { copies: Copies::MapFence { missing: MapFences::Release } },
        Relation::Copies { copies: Copies::MapFence { missing: MapFences::Acquire } },
        Relation::Copies { copies: Copies::MapFence { missing: MapFences::Both } },
        Relation::Copies { copies: Copies::Product },
        Relation::Threads(Box::new(pair())),
    ];
    let number = |relation: &Relation| match relation {
        Relation::Launches => 0,
        Relation::ParentAndChild { .. } => 1,
        Relation::Grids { .. } => 2,
        Relation::ScopeTooNarrow(_) => 3,
        Relation::Copies { .. } => 4,
        Relation::Threads(_) => 5,
        Relation::Host { .. } => 6,
        Relation::Dependent { .. } => 7,
    };
    assert_all(8, relations.iter().map(number));
    let mut all: Vec<Unordered> = relations.into_iter().map(|relation| unordered(Distance::Grid, relation)).collect();
    for distance in DISTANCES {
        let polled =
            [None, Some(Polled::Again), Some(Polled::Once { at: None }), Some(Polled::Once { at: Some(at(4)) })];
        let strong = [None, Some(0), Some(1)];
        for (polled, strong) in polled.iter().flat_map(|polled| strong.map(|strong| (polled.clone(), strong))) {
            for bits in 0..8 {
                let [one_access, one_line, compares] = [0, 1, 2].map(|bit| bits >> bit & 1 != 0);
                let polled = polled.clone();
                all.push(between(
                    distance,
                    BetweenThreads { strong, one_access, one_line, compares, polled, ..pair() },
                ));
            }
        }
        for missing in missing() {
            all.push(between(distance, BetweenThreads { missing: Some(missing), ..pair() }));
        }
        let branch = Some(Branch { at: at(3), lanes: 0xff });
        all.push(between(distance, BetweenThreads { branch, ..pair() }));
        for (updates, in_loop) in [(true, false), (false, true)] {
            all.push(between(distance, BetweenThreads { one_access: true, updates, in_loop, ..pair() }));
        }
        for strong in [None, Some(1)] {
            all.push(between(distance, BetweenThreads { in_branches: true, strong, ..pair() }));
            all.push(between(distance, BetweenThreads { in_branches: true, in_loop: true, strong, ..pair() }));
            all.push(between(distance, BetweenThreads { two_arrays: true, strong, ..pair() }));
        }
        for plain in [PlainAccess::Store, PlainAccess::Update] {
            all.push(between(distance, BetweenThreads { strong: Some(1), plain, ..pair() }));
        }
        let updates = BetweenThreads { both_update: true, ..pair() };
        all.push(Unordered { allowed: true, ..between(distance, updates) });
        let others = DISTANCES.into_iter().filter(|it| *it != distance).collect();
        all.push(Unordered { others, same_value: true, ..between(distance, pair()) });
        let lost_update = Some(LostUpdate { in_one_warp: distance == Distance::Warp });
        all.push(Unordered { lost_update, ..between(distance, pair()) });
        all.push(Unordered { narrow_elsewhere: Some(narrow.clone()), ..between(distance, pair()) });
    }
    // An atomic operation orders no parent and child: the fix is that of the relation.
    let lost_update = Some(LostUpdate { in_one_warp: false });
    let child = Relation::ParentAndChild { child: "leaf".into() };
    all.push(Unordered { lost_update, ..unordered(Distance::Grid, child) });
    all
}
