//! Why something is a bug: what is missing, as data. One variant for each reason that a report knows.
//!
//! The file is long because there are so many.

use crate::{
    AbsentLane, AccessKind, Blocks, BufferSide, Decision, HostOperation, MemoryPlace, ObjectMisuse, SourceLocation,
    Space, StaticName, SurfaceAxis, TensorMisuse, Threads, Unordered,
};

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "family", rename_all = "kebab-case"))]
pub enum Cause {
    // Order.
    /// Two accesses of one place, at least one of which writes, that nothing orders.
    Unordered(Box<Unordered>),
    /// A launch and an operation of the host's in streams that nothing orders.
    HostUnordered {
        operation: HostOperation,
        place: MemoryPlace,
        /// The first byte of the allocation that the operation touches, and how many.
        range: (u64, u64),
    },

    // Memory.
    /// Outside of all memory.
    OutOfBounds {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
        bytes: u64,
        space: Space,
        side: BufferSide,
    },
    /// An access that changes `__constant__` memory.
    ReadOnly {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
        place: MemoryPlace,
    },
    /// A shared access that leaves the array that its address was made from.
    OutsideArray {
        array: String,
        side: BufferSide,
    },
    Misaligned {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
        bytes: u64,
    },
    /// In memory that has been freed: by the host, or by a thread (`heap`).
    UseAfterFree {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
        heap: bool,
    },
    /// In the shared memory of another block of the cluster, which need not have started.
    BeforePeerStarts {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
    },
    /// The same, where the block may have ended. Or a bulk copy in the shared memory of its own block.
    AfterPeerEnds {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
    },
    /// A texture or surface instruction whose handle names no such object.
    NoImage {
        is_surface: bool,
        handle: u64,
    },
    /// An access to a surface outside of it.
    OutsideSurface {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
        axis: SurfaceAxis,
        at: i64,
        /// Coordinates along the axis begin at 0 and end before that.
        size: u64,
    },
    /// `free` on the device, of a block of so many bytes that is freed already.
    FreedTwice {
        bytes: u64,
    },
    /// `free` on the device, of what `malloc` has not returned.
    FreedForeign,
    /// The host frees memory again.
    HostFreedTwice,
    /// A jump by a table of so many places, or a call through a pointer, leads to no code.
    NoCode {
        table: Option<usize>,
    },
    /// By calls, or by allocating; a thread has so many bytes, and calls go so deep.
    StackUsedUp {
        by_call: bool,
        bytes: u64,
        most_calls: u64,
    },

    // Undefined values.
    /// Something depends on, or the host copies, what nothing has written.
    NeverWritten(Box<NeverWritten>),
    /// Something depends on, or the host copies, what a shuffle took from a lane that was absent.
    AbsentLane(Box<Absence>),

    // Barriers.
    NoSuchBarrier {
        number: u32,
    },
    /// A count of threads that no barrier can have.
    BarrierCount {
        count: u64,
    },
    ArrivesTwice,
    /// A thread waits for the barrier of its cluster, and has not arrived at it.
    WaitsUnarrived,
    CountsDiffer,
    ReductionsDiffer,
    BarrierObject {
        place: MemoryPlace,
        misuse: ObjectMisuse,
        most: u64,
        /// The launch has clusters of several blocks.
        in_cluster: bool,
    },
    TensorCopy {
        misuse: TensorMisuse,
    },
    /// Threads of one warp meet at a barrier from different instructions.
    BarrierDivergence {
        barrier: u32,
        one_line: bool,
        in_loop: bool,
    },
    /// Warps of one block meet at a barrier of the whole block from different places.
    WarpsAtDifferentBarriers {
        one_line: bool,
    },
    /// Threads wait at an aligned barrier in a branch that others of their warp skip, or whole warps of their block:
    /// `lanes` says which. `loops`: the ways are rounds of a loop.
    BarrierInBranch {
        lanes: bool,
        loops: bool,
    },
    /// Threads of a block leave the kernel before a barrier of the whole block that the others reach.
    LeftBeforeBarrier,

    // Waiting.
    /// Nobody is left who could come. `ended` are threads of the block that are no more; threads wait at `more` further
    /// places.
    Deadlock {
        ended: Threads,
        more: usize,
    },
    /// Blocks wait at the barrier of a cooperative grid.
    GridDeadlock {
        waiting: Blocks,
        ended: Blocks,
        /// They wait at another barrier.
        elsewhere: Blocks,
    },
    Livelock(Box<Livelock>),
    /// Lanes of one warp wait for one another at `.sync` operations that differ.
    MaskMismatch {
        differs: Differs,
        all_come: Option<AllCome>,
    },
    /// A lane calls a `.sync` operation with a mask that does not name it.
    OutsideOwnMask {
        all_come: Option<AllCome>,
    },

    // Launches.
    /// `grid.sync()` in a launch that is not cooperative.
    NotCooperative,
    /// A launch by a kernel failed, and its thread never read the error.
    LaunchFailed {
        kernel: Option<String>,
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        error: StaticName,
        reason: LaunchRefusal,
    },
    /// Argument `number` of the launched kernel points to memory that is the parent's own.
    PointerToOwnMemory {
        kernel: String,
        number: usize,
        space: Space,
    },

    // Warpgroups.
    /// An instruction that all threads of a warpgroup must execute together, and alike.
    Warpgroup {
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        instruction: StaticName,
        misuse: WarpgroupMisuse,
    },

    /// A register of `wgmma.mma_async`, access (1), is used before a `wgmma.wait_group` covers the product.
    /// `accumulator`: it is of `d`, else of `a`. `committed`: the product belongs to a group.
    ProductNotWaitedFor {
        accumulator: bool,
        committed: bool,
    },
    /// A register of `wgmma.mma_async`, access (2), has been written since the last `wgmma.fence`.
    ProductNotFenced {
        accumulator: bool,
    },
    /// The first `wgmma.mma_async` of a warp comes before any `wgmma.fence`.
    FirstProductNotFenced,

    // Hints.
    /// `__activemask()` gave not all lanes; two calls gave two masks (`differ`).
    ActiveMask {
        differ: bool,
    },
    /// A shuffle led out of the warp or its group.
    ShuffleBeyond {
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        function: StaticName,
        direction: Option<ShuffleDirection>,
    },
    /// A compare-and-swap failed, and nobody looked.
    SwapFailedUnseen,
}

/// A value that nothing has written.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeverWritten {
    pub reached: Reached,
    pub from: Unwritten,
}

/// Where an undefined value came to matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Reached {
    Decision { decision: Decision },
    Host,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Unwritten {
    /// A thread loaded it from here, access (1).
    Loaded { place: MemoryPlace, gone: Option<Gone> },
    /// Memory or a variable; `writers` are the lines that write the variable on other ways.
    Unknown { writers: Vec<SourceLocation> },
    /// The host copied it, so many `bytes` from the finding's place on. `kernel` ran last before that, its first line
    /// is `at`, and `argument` points into the buffer. What the kernel wrote next to it is `beside`.
    Copied {
        kernel: Option<String>,
        at: Option<SourceLocation>,
        argument: Option<Beyond>,
        bytes: u64,
        beside: Option<Beside>,
    },
}

/// A kernel's write to a buffer, the nearest to bytes of it that nothing wrote.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beside {
    pub at: SourceLocation,
    /// The offset of its nearest byte from where the argument points.
    pub offset: u64,
    /// The number of bytes that one access of that line writes.
    pub bytes: u32,
}

/// A byte, by its offset from where a kernel's argument points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beyond {
    /// The argument's number, from 1.
    pub argument: usize,
    /// Bytes from where it points.
    pub offset: u64,
}

/// Threads that had left the kernel before a barrier.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gone {
    pub threads: Threads,
    pub end: SourceLocation,
    pub barrier: SourceLocation,
}

/// A shuffle that took the value of a lane that was not there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Absence {
    pub reached: Reached,
    /// The lane whose value was taken.
    pub lane: u32,
    pub absent: AbsentLane,
    /// Linear index in its block of the thread that took it.
    pub taker: u32,
    /// The lane's action instead.
    pub away: Option<Away>,
    /// The lane comes to the same line with others.
    pub comes: bool,
    /// The mask came from `__activemask()`, access (1).
    pub asked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Away {
    /// It and its reader last went different ways here.
    Parted {
        at: SourceLocation,
    },
    Ended {
        at: SourceLocation,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Livelock {
    /// Every thread comes back to where it was while nothing changes: no schedule ends it. Else its fuel was used up.
    pub proven: bool,
    /// Thread instructions that the launch has run.
    pub instructions: u64,
    /// Thread instructions that it may run with no thread ending.
    pub fuel: u64,
    /// Blocks that wait or spin in the same way and are not told.
    pub more_blocks: usize,
    /// Blocks that have not begun.
    pub not_begun: u64,
    pub reason: Option<LivelockReason>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum LivelockReason {
    /// A thread that has ended took the lock here.
    KeptLock { taken: SourceLocation },
    /// The compare-and-swap goes on comparing with what a load before its loop found: both lines.
    LoadedOnce { load: SourceLocation, swap: SourceLocation },
    /// The loop at this line loads nothing: the compiler has taken a plain load out of it.
    FlagLoadedOnce { at: SourceLocation },
}

/// In what meetings of one warp differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Differs {
    Masks,
    /// `shuffles`: one of them is a shuffle, which a lane outside of the mask gives nothing.
    Operations {
        shuffles: bool,
    },
}

/// All lanes of the warp that have not ended come to the operation in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllCome {
    pub at: Option<SourceLocation>,
    /// All 32 lanes, none of which has ended.
    pub whole_warp: bool,
    /// It is a barrier; else what it computes may be meant for each of several groups.
    pub is_barrier: bool,
}

/// The mistake at an instruction of a warpgroup (PTX ISA, "wgmma.mma_async").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum WarpgroupMisuse {
    /// The block ends within the warpgroup, which has so many threads.
    Incomplete { threads: u32 },
    /// The number of lanes of the warp that have ended.
    LanesMissing { lanes: u32 },
    /// Lanes of one warp come from different lines.
    LanesDiffer,
    /// Two warps come to different instructions.
    WarpsDiffer,
    /// A warp has ended that should have come.
    WarpEnded { warp: u32 },
    /// The matrix descriptors of two warps differ, or of two lanes.
    DescriptorsDiffer { warps: bool },
    /// Some lanes add to the accumulators and some do not.
    ScalesDiffer,
}

/// Why a launch by a kernel is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum LaunchRefusal {
    NoKernel,
    NoBuffer,
    NoStream,
    TooDeep {
        most: u64,
    },
    TooManyPending {
        most: u64,
    },
    Shape {
        shape: ShapeError,
    },
    /// An instruction of the kernel that the emulator does not know, as PTX writes it.
    Unsupported {
        what: String,
    },
}

/// A shape or a size that the device or the kernel does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum ShapeError {
    /// 0 for x, 1 for y, 2 for z.
    Grid {
        axis: usize,
        blocks: u32,
        most: u32,
    },
    Block {
        axis: usize,
        threads: u32,
        most: u32,
    },
    Threads {
        threads: u64,
        kernel: String,
        most: u32,
    },
    RequiredBlock {
        kernel: String,
        block: [u32; 3],
    },
    /// The launch asks for clusters of another size than the kernel is compiled for.
    RequiredCluster {
        kernel: String,
        cluster: [u32; 3],
    },
    /// The kernel is compiled for launches with a size of the cluster, and this one has none.
    MissingCluster {
        kernel: String,
    },
    /// A cluster of so many blocks.
    Cluster {
        blocks: u64,
        most: u32,
    },
    /// The grid is not a whole number of clusters.
    GridOfClusters {
        axis: usize,
        blocks: u32,
        cluster: u32,
    },
    SharedMemory {
        bytes: u64,
        most: u32,
    },
    /// Not one block fits a multiprocessor.
    NothingFits {
        kernel: String,
    },
    Cooperative {
        blocks: u64,
        resident: u64,
    },
    NoMemory {
        needed_for: MemoryFor,
    },
}

/// A launch's need of memory besides its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum MemoryFor {
    /// The host's own memory, for the parameters.
    Parameters,
    /// The launches that kernels make.
    Launches,
    GridBarrier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum ShuffleDirection {
    Up,
    Down,
}
