//! Samples of actions at one end of a finding.

use super::*;

pub fn actions() -> Vec<Action> {
    let kernel = || "leaf".to_string();
    let waiting = |at, missing: Threads| {
        let missing_at = if missing.is_empty() { vec![] } else { vec![2] };
        Action::Waits(Box::new(Waiting { block: Some([1, 0, 0]), threads: lanes(2), at, missing, missing_at }))
    };
    let barrier = BarrierName::SyncThreads;
    let mut all = vec![
        Action::Loaded { value: None },
        Action::Loaded { value: int(3) },
        Action::Stored { value: int(3) },
        Action::UpdatedTo { value: None },
        Action::UpdatedTo { value: int(3) },
        Action::StartedCopyFrom,
        Action::StartedCopyTo,
        Action::StartedProduct { from_memory: true },
        Action::StartedProduct { from_memory: false },
        Action::UsedRegister { writes: true },
        Action::UsedRegister { writes: false },
        Action::Initialised,
        Action::Invalidated,
        Action::AskedPhase,
        Action::Arrived,
        Action::Used,
        Action::Earlier { action: Box::new(Action::Stored { value: int(3) }), kernel: kernel() },
        Action::InKernel { writes: true, kernel: kernel() },
        Action::EarlierHost { operation: HostOperation::CopyFromHost },
        Action::HostRead { bytes: 8, from: 4 },
        Action::FreedAgain,
        Action::Accessed { bytes: 4 },
        Action::Freed,
        Action::LoadedUnwritten { place: MemoryPlace::Unnamed { bytes: 4 } },
        Action::UsedUnwritten,
        Action::AskedActiveMask { mask: Some(3) },
        Action::AskedActiveMask { mask: None },
        Action::StoredResult,
        Action::WentAround { threads: lanes(3) },
        Action::WarpCame { warp: 3 },
        Action::LeftKernel { threads: lanes(1) },
        Action::LeftKernel { threads: lanes(3) },
        Action::CameToGridBarrier { threads: lanes(1) },
        Action::CalledWithMask { threads: lanes(1), function: "__shfl_sync()", mask: 2 },
        Action::Set { block: None, place: None, value: 1, fate: Fate::Unknown },
        Action::WroteLast { block: Some([1, 2, 0]) },
        Action::TookEntry { entry: 9 },
        Action::CalledNothing,
        Action::CalledDeep { depth: 9 },
        Action::AllocatedOnStack,
        Action::Launched { kernel: Some(kernel()), error: "cudaErrorInvalidValue" },
        Action::LaunchedWithPointer { kernel: kernel(), space: Space::Local },
        Action::ActiveMaskGave { mask: 1, live: 3 },
        Action::ShuffleGaveBack { lanes: 3 },
        Action::FailedToSwap { count: 1 },
        Action::FailedToSwap { count: 3 },
        waiting(WaitAt::Mask { function: "__syncwarp()", mask: 3 }, lanes(1)),
        waiting(WaitAt::Barrier { barrier, counted: Some(Counted { expected: 64, come: 32 }) }, Threads::default()),
        waiting(WaitAt::GridBarrier, Threads::default()),
        waiting(WaitAt::Spin { look: None }, Threads::default()),
        waiting(WaitAt::Spin { look: Some(Look::Value { value: 0, place: variable("s", 1) }) }, Threads::default()),
    ];
    all.extend([0, 64, -64].map(|bytes| {
        let look = Look::ArrivalsMissing { count: 1, bytes, place: MemoryPlace::Unnamed { bytes: 8 } };
        waiting(WaitAt::Spin { look: Some(look) }, Threads::default())
    }));
    all.extend(
        [
            AtomicOperation::Add,
            AtomicOperation::And,
            AtomicOperation::Or,
            AtomicOperation::Xor,
            AtomicOperation::Exchange,
            AtomicOperation::CompareExchange,
            AtomicOperation::Increment,
            AtomicOperation::Decrement,
            AtomicOperation::Min,
            AtomicOperation::Max,
        ]
        .map(|operation| Action::Updated { operation, operand: int(1) }),
    );
    all.extend(
        [
            HostOperation::CopyToHost,
            HostOperation::CopyFromHost,
            HostOperation::CopyOnDevice,
            HostOperation::Fill,
            HostOperation::Allocate,
            HostOperation::Free,
            HostOperation::Condition,
            HostOperation::Read,
            HostOperation::Write,
        ]
        .map(|operation| Action::Host { operation, writes: true }),
    );
    all.extend(
        [
            Decision::Branch,
            Decision::Condition,
            Decision::Call,
            Decision::Address,
            Decision::Atomic,
            Decision::MemberMask,
            Decision::BarrierVote,
            Decision::BarrierNumber,
            Decision::BarrierCount,
            Decision::BarrierPhase,
            Decision::StackSize,
            Decision::CopySize,
        ]
        .map(|decision| Action::Decided { decision }),
    );
    let absent = [AbsentLane::NoThread { threads: 1 }, AbsentLane::Exited, AbsentLane::NotNamed { mask: 1 }];
    all.extend(absent.map(|absent| Action::TookFrom { lane: 3, absent }));
    let barriers = [barrier, BarrierName::ClusterWait, BarrierName::Number { number: 3 }, BarrierName::Unknown];
    all.extend(barriers.map(|barrier| Action::CameToBarrier { threads: lanes(3), barrier }));
    all.extend(
        [
            BarrierMisuse::CameTo { barrier: 16 },
            BarrierMisuse::GaveCount { count: 33 },
            BarrierMisuse::CameForWholeBlock,
            BarrierMisuse::ArrivedFirst,
            BarrierMisuse::ArrivedAgain,
            BarrierMisuse::WaitedUnarrived,
            BarrierMisuse::CameFirst,
            BarrierMisuse::CameWithAnotherOperation,
        ]
        .map(|misuse| Action::Misused { threads: lanes(3), misuse }),
    );
    all.extend(
        [
            ObjectMisuse::NoObject,
            ObjectMisuse::Count { count: 0 },
            ObjectMisuse::TooMany { come: 2, pending: 1 },
            ObjectMisuse::Completes,
            ObjectMisuse::Transactions,
            ObjectMisuse::BulkSize { bytes: 24 },
            ObjectMisuse::StillValid { overwritten: false },
            ObjectMisuse::StillValid { overwritten: true },
            ObjectMisuse::OtherBlock,
            ObjectMisuse::UnorderedExpect,
        ]
        .map(|misuse| Action::MisusedObject { threads: lanes(3), misuse }),
    );
    all.extend(
        [
            TensorMisuse::NoMap,
            TensorMisuse::LocalMap,
            TensorMisuse::BoxRow { coordinate: 2, element: 4 },
            TensorMisuse::BoxBelow { coordinate: -1 },
            TensorMisuse::Reduction,
        ]
        .map(|misuse| Action::MisusedTensor { threads: lanes(3), misuse }),
    );
    assert_all(48, all.iter().map(number_of_action));
    all
}

fn number_of_action(action: &Action) -> usize {
    match action {
        Action::Loaded { .. } => 0,
        Action::Stored { .. } => 1,
        Action::Updated { .. } => 2,
        Action::UpdatedTo { .. } => 3,
        Action::StartedCopyFrom => 4,
        Action::StartedCopyTo => 5,
        Action::Initialised => 6,
        Action::Invalidated => 7,
        Action::AskedPhase => 8,
        Action::Arrived => 9,
        Action::Used => 10,
        Action::Earlier { .. } => 11,
        Action::InKernel { .. } => 12,
        Action::Host { .. } => 13,
        Action::EarlierHost { .. } => 14,
        Action::HostRead { .. } => 15,
        Action::FreedAgain => 16,
        Action::Accessed { .. } => 17,
        Action::Freed => 18,
        Action::LoadedUnwritten { .. } => 19,
        Action::UsedUnwritten => 20,
        Action::Decided { .. } => 21,
        Action::AskedActiveMask { .. } => 22,
        Action::TookFrom { .. } => 23,
        Action::StoredResult => 24,
        Action::CameToBarrier { .. } => 25,
        Action::WentAround { .. } => 26,
        Action::WarpCame { .. } => 27,
        Action::Misused { .. } => 28,
        Action::MisusedObject { .. } => 29,
        Action::MisusedTensor { .. } => 47,
        Action::CameToGridBarrier { .. } => 30,
        Action::CalledWithMask { .. } => 31,
        Action::Waits(_) => 32,
        Action::Set { .. } => 33,
        Action::WroteLast { .. } => 34,
        Action::TookEntry { .. } => 35,
        Action::CalledNothing => 36,
        Action::CalledDeep { .. } => 37,
        Action::AllocatedOnStack => 38,
        Action::Launched { .. } => 39,
        Action::LaunchedWithPointer { .. } => 40,
        Action::ActiveMaskGave { .. } => 41,
        Action::ShuffleGaveBack { .. } => 42,
        Action::FailedToSwap { .. } => 43,
        Action::LeftKernel { .. } => 44,
        Action::StartedProduct { .. } => 45,
        Action::UsedRegister { .. } => 46,
    }
}
