//! A finding's causes.

use super::races::races;
use super::*;

pub fn causes() -> Vec<Cause> {
    let kinds =
        [AccessKind::Load, AccessKind::Store, AccessKind::Atomic, AccessKind::AsyncCopy, AccessKind::BarrierObject];
    let never = |reached, from| Cause::NeverWritten(Box::new(NeverWritten { reached, from }));
    let gone = Gone { threads: lanes(6), end: at(3), barrier: at(4) };
    let reached = [Reached::Decision { decision: Decision::Address }, Reached::Host];
    let absent = [
        AbsentLane::NoThread { threads: 1 },
        AbsentLane::NoThread { threads: 16 },
        AbsentLane::Exited,
        AbsentLane::NotNamed { mask: 0xffff },
    ];
    let absence = |reached, absent, comes, asked, away| {
        Cause::AbsentLane(Box::new(Absence { reached, lane: 17, absent, taker: 33, away, comes, asked }))
    };
    let livelock = |proven, more_blocks, not_begun, reason| {
        Cause::Livelock(Box::new(Livelock { proven, instructions: 100, fuel: 90, more_blocks, not_begun, reason }))
    };
    let come = |at, whole_warp, is_barrier| Some(AllCome { at, whole_warp, is_barrier });
    let all_come = [None, come(None, true, true), come(Some(at(3)), false, false)];
    let misuses = [
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
    ];
    let tensors = [
        TensorMisuse::NoMap,
        TensorMisuse::LocalMap,
        TensorMisuse::BoxRow { coordinate: 2, element: 4 },
        TensorMisuse::BoxBelow { coordinate: -1 },
        TensorMisuse::Reduction,
    ];
    let kernel = || "leaf".to_string();
    let shapes = [
        ShapeError::Grid { axis: 2, blocks: 0, most: 65535 },
        ShapeError::Block { axis: 0, threads: 2000, most: 1024 },
        ShapeError::Threads { threads: 2048, kernel: kernel(), most: 1024 },
        ShapeError::RequiredBlock { kernel: kernel(), block: [4, 4, 1] },
        ShapeError::RequiredCluster { kernel: kernel(), cluster: [2, 1, 1] },
        ShapeError::MissingCluster { kernel: kernel() },
        ShapeError::Cluster { blocks: 32, most: 16 },
        ShapeError::GridOfClusters { axis: 0, blocks: 5, cluster: 2 },
        ShapeError::SharedMemory { bytes: 100_000, most: 49152 },
        ShapeError::NothingFits { kernel: kernel() },
        ShapeError::Cooperative { blocks: 100, resident: 80 },
        ShapeError::NoMemory { needed_for: MemoryFor::Launches },
    ];
    let refusals = [
        LaunchRefusal::NoKernel,
        LaunchRefusal::NoBuffer,
        LaunchRefusal::NoStream,
        LaunchRefusal::TooDeep { most: 24 },
        LaunchRefusal::TooManyPending { most: 2048 },
        LaunchRefusal::Unsupported { what: "`tex.2d`".into() },
    ];
    let mut all: Vec<Cause> = races().into_iter().map(|race| Cause::Unordered(Box::new(race))).collect();
    let blocks = |of: std::ops::Range<u64>| Blocks::new([16, 1, 1], of);
    let element = || MemoryPlace::Argument { number: 1, index: Some(3) };
    all.push(Cause::HostUnordered { operation: HostOperation::Fill, place: element(), range: (0, 64) });
    all.push(Cause::HostUnordered { operation: HostOperation::Write, place: element(), range: (0, 64) });
    all.push(Cause::HostUnordered { operation: HostOperation::Free, place: element(), range: (0, 64) });
    for kind in kinds {
        all.push(Cause::OutOfBounds { kind, bytes: 4, space: Space::Global, side: BufferSide::Past });
        all.push(Cause::ReadOnly { kind, place: variable("table", 3) });
        all.push(Cause::Misaligned { kind, bytes: 8 });
        all.push(Cause::UseAfterFree { kind, heap: true });
        all.push(Cause::BeforePeerStarts { kind });
        all.push(Cause::AfterPeerEnds { kind });
    }
    all.extend([
        Cause::OutOfBounds { kind: AccessKind::Load, bytes: 4, space: Space::Shared, side: BufferSide::Before },
        Cause::OutsideArray { array: "tile".into(), side: BufferSide::Before },
        Cause::UseAfterFree { kind: AccessKind::Load, heap: false },
        Cause::NoImage { is_surface: false, handle: 0 },
        Cause::NoImage { is_surface: true, handle: 0x1200 },
        Cause::OutsideSurface { kind: AccessKind::Load, axis: SurfaceAxis::X, at: 64, size: 64 },
        Cause::OutsideSurface { kind: AccessKind::Store, axis: SurfaceAxis::Y, at: -1, size: 8 },
        Cause::OutsideSurface { kind: AccessKind::Store, axis: SurfaceAxis::Z, at: 8, size: 8 },
        Cause::OutsideSurface { kind: AccessKind::Store, axis: SurfaceAxis::Layer, at: 6, size: 6 },
        Cause::FreedTwice { bytes: 16 },
        Cause::FreedForeign,
        Cause::HostFreedTwice,
        Cause::NoCode { table: Some(3) },
        Cause::NoCode { table: None },
        Cause::StackUsedUp { by_call: true, bytes: 1024, most_calls: 4096 },
        Cause::StackUsedUp { by_call: false, bytes: 1024, most_calls: 4096 },
        Cause::NoSuchBarrier { number: 16 },
        Cause::BarrierCount { count: 0 },
        Cause::BarrierCount { count: 33 },
        Cause::ArrivesTwice,
        Cause::WaitsUnarrived,
        Cause::CountsDiffer,
        Cause::ReductionsDiffer,
        Cause::BarrierDivergence { barrier: 0, one_line: true, in_loop: false },
        Cause::BarrierDivergence { barrier: 0, one_line: false, in_loop: false },
        Cause::WarpsAtDifferentBarriers { one_line: true },
        Cause::WarpsAtDifferentBarriers { one_line: false },
        Cause::BarrierInBranch { lanes: true, loops: false },
        Cause::BarrierInBranch { lanes: false, loops: true },
        Cause::LeftBeforeBarrier,
        Cause::Deadlock { ended: Threads::default(), more: 0 },
        Cause::Deadlock { ended: lanes(1), more: 3 },
        Cause::GridDeadlock { waiting: Blocks::default(), ended: Blocks::default(), elsewhere: Blocks::default() },
        Cause::GridDeadlock { waiting: blocks(0..1), ended: blocks(1..2), elsewhere: blocks(2..4) },
        Cause::GridDeadlock { waiting: blocks(0..4), ended: blocks(5..9), elsewhere: blocks(9..10) },
        livelock(true, 0, 0, None),
        livelock(false, 0, 0, None),
        livelock(true, 1, 1, Some(LivelockReason::KeptLock { taken: at(3) })),
        livelock(false, 2, 2, Some(LivelockReason::LoadedOnce { load: at(3), swap: at(5) })),
        livelock(true, 1, 1, Some(LivelockReason::FlagLoadedOnce { at: at(3) })),
        Cause::NotCooperative,
        Cause::LaunchFailed { kernel: None, error: "cudaErrorInvalidValue", reason: LaunchRefusal::NoBuffer },
        Cause::PointerToOwnMemory { kernel: kernel(), number: 2, space: Space::Shared },
        Cause::ActiveMask { differ: true },
        Cause::ActiveMask { differ: false },
        Cause::ShuffleBeyond { function: "__shfl_up_sync()", direction: Some(ShuffleDirection::Up) },
        Cause::ShuffleBeyond { function: "__shfl_down_sync()", direction: Some(ShuffleDirection::Down) },
        Cause::ShuffleBeyond { function: "__shfl_sync()", direction: None },
        Cause::SwapFailedUnseen,
    ]);
    for reached in reached {
        all.push(never(reached, Unwritten::Loaded { place: MemoryPlace::Own, gone: None }));
        all.push(never(reached, Unwritten::Loaded { place: argument(1, 3), gone: Some(gone.clone()) }));
        all.push(never(reached, Unwritten::Unknown { writers: vec![] }));
        all.push(never(reached, Unwritten::Unknown { writers: vec![at(3), at(5), at(9)] }));
        let copied =
            |kernel, argument, bytes| Unwritten::Copied { kernel, at: Some(at(3)), argument, bytes, beside: None };
        all.push(never(reached, copied(None, None, 4)));
        let argument = Some(Beyond { argument: 2, offset: 1024 });
        all.push(never(reached, copied(Some(kernel()), argument, 1)));
        all.push(never(reached, copied(Some(kernel()), argument, 12)));
        let beside = Some(Beside { at: at(5), offset: 1020, bytes: 4 });
        let from = Unwritten::Copied { kernel: Some(kernel()), at: Some(at(3)), argument, bytes: 4, beside };
        all.push(never(reached, from));
        for absent in absent {
            all.push(absence(reached, absent, false, false, Some(Away::Ended { at: at(3) })));
            all.push(absence(reached, absent, true, false, Some(Away::Parted { at: at(3) })));
            all.push(absence(reached, absent, true, true, None));
        }
    }
    for all_come in all_come {
        for differs in [Differs::Masks, Differs::Operations { shuffles: true }, Differs::Operations { shuffles: false }]
        {
            all.push(Cause::MaskMismatch { differs, all_come: all_come.clone() });
        }
        all.push(Cause::OutsideOwnMask { all_come });
    }
    let object =
        |misuse, in_cluster| Cause::BarrierObject { place: variable("bars", 1), misuse, most: 1 << 20, in_cluster };
    all.extend(misuses.map(|misuse| object(misuse, false)));
    all.extend(tensors.map(|misuse| Cause::TensorCopy { misuse }));
    all.push(object(ObjectMisuse::NoObject, true));
    let refusals = refusals.into_iter().chain(shapes.map(|shape| LaunchRefusal::Shape { shape }));
    let error = "cudaErrorInvalidConfiguration";
    all.extend(refusals.map(|reason| Cause::LaunchFailed { kernel: Some(kernel()), error, reason }));
    let misuses = [
        WarpgroupMisuse::Incomplete { threads: 96 },
        WarpgroupMisuse::LanesMissing { lanes: 1 },
        WarpgroupMisuse::LanesDiffer,
        WarpgroupMisuse::WarpsDiffer,
        WarpgroupMisuse::WarpEnded { warp: 2 },
        WarpgroupMisuse::DescriptorsDiffer { warps: true },
        WarpgroupMisuse::DescriptorsDiffer { warps: false },
        WarpgroupMisuse::ScalesDiffer,
    ];
    all.extend(misuses.map(|misuse| Cause::Warpgroup { instruction: "wgmma.mma_async", misuse }));
    for accumulator in [false, true] {
        all.extend([false, true].map(|committed| Cause::ProductNotWaitedFor { accumulator, committed }));
        all.push(Cause::ProductNotFenced { accumulator });
    }
    all.push(Cause::FirstProductNotFenced);
    assert_all(45, all.iter().map(number));
    all
}

fn number(cause: &Cause) -> usize {
    match cause {
        Cause::Unordered(_) => 0,
        Cause::HostUnordered { .. } => 1,
        Cause::OutOfBounds { .. } => 2,
        Cause::OutsideArray { .. } => 3,
        Cause::Misaligned { .. } => 4,
        Cause::UseAfterFree { .. } => 5,
        Cause::FreedTwice { .. } => 6,
        Cause::FreedForeign => 7,
        Cause::HostFreedTwice => 8,
        Cause::NoCode { .. } => 9,
        Cause::StackUsedUp { .. } => 10,
        Cause::NeverWritten(_) => 11,
        Cause::AbsentLane(_) => 12,
        Cause::NoSuchBarrier { .. } => 13,
        Cause::BarrierCount { .. } => 14,
        Cause::ArrivesTwice => 15,
        Cause::CountsDiffer => 16,
        Cause::ReductionsDiffer => 17,
        Cause::BarrierObject { .. } => 18,
        Cause::TensorCopy { .. } => 44,
        Cause::BarrierDivergence { .. } => 19,
        Cause::WarpsAtDifferentBarriers { .. } => 20,
        Cause::BarrierInBranch { .. } => 21,
        Cause::Deadlock { .. } => 22,
        Cause::GridDeadlock { .. } => 23,
        Cause::Livelock(_) => 24,
        Cause::MaskMismatch { .. } => 25,
        Cause::OutsideOwnMask { .. } => 26,
        Cause::NotCooperative => 27,
        Cause::LaunchFailed { .. } => 28,
        Cause::PointerToOwnMemory { .. } => 29,
        Cause::ActiveMask { .. } => 30,
        Cause::ShuffleBeyond { .. } => 31,
        Cause::SwapFailedUnseen => 32,
        Cause::LeftBeforeBarrier => 33,
        Cause::ReadOnly { .. } => 34,
        Cause::NoImage { .. } => 35,
        Cause::OutsideSurface { .. } => 36,
        Cause::BeforePeerStarts { .. } => 37,
        Cause::AfterPeerEnds { .. } => 38,
        Cause::Warpgroup { .. } => 39,
        Cause::ProductNotWaitedFor { .. } => 40,
        Cause::ProductNotFenced { .. } => 41,
        Cause::WaitsUnarrived => 42,
        Cause::FirstProductNotFenced => 43,
    }
}
