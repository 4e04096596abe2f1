//! Why something is a bug: what is missing, as data. One variant for each reason that a report knows.
//! Long because it is one list.

#[cfg(feature = "json")]
use crate::json;
use crate::{
    AbsentLane, AccessKind, AtomicOperation, Decision, HostOperation, ObjectMisuse, Place, Scope, Side, SourceLocation,
    Space, Threads,
};

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "family", rename_all = "kebab-case"))]
pub enum Cause {
    // Order.
    /// Two accesses of one place, at least one of which writes, that nothing orders.
    Unordered(Box<Unordered>),
    /// A launch and an operation of the host's in streams that nothing orders.
    HostUnordered {
        operation: HostOperation,
    },

    // Memory.
    /// Outside of all memory.
    OutOfBounds {
        #[cfg_attr(feature = "json", serde(rename = "access"))]
        kind: AccessKind,
        bytes: u64,
        space: Space,
        side: Side,
    },
    /// A shared access that leaves the array that its address was made from.
    OutsideArray {
        array: String,
        side: Side,
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
    CountsDiffer,
    ReductionsDiffer,
    BarrierObject {
        place: Place,
        misuse: ObjectMisuse,
        most: u64,
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
    /// A barrier of the whole block opens without threads that have passed another one.
    OpensWithout,

    // Waiting.
    /// Nobody is left who could come. `ended` are threads of the block that are no more; threads wait at `more` further places.
    Deadlock {
        ended: Threads,
        more: usize,
    },
    /// Blocks wait at the barrier of a cooperative grid.
    GridDeadlock {
        ended: u64,
        elsewhere: u64,
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
    /// A launch by a kernel failed, and its thread never asked.
    LaunchFailed {
        kernel: Option<String>,
        error: &'static str,
        reason: LaunchRefusal,
    },
    /// Argument `number` of the launched kernel points to memory that is the parent's own.
    PointerToOwnMemory {
        kernel: String,
        number: usize,
        space: Space,
    },

    // Hints.
    /// `__activemask()` gave not all lanes; two calls gave two masks (`differ`).
    ActiveMask {
        differ: bool,
    },
    /// A shuffle led out of the warp or its group.
    ShuffleBeyond {
        function: &'static str,
        direction: Option<ShuffleDirection>,
    },
    /// A compare-and-swap failed, and nobody looked.
    SwapFailedUnseen,
}

/// Where two threads are to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Distance {
    /// Lanes of one warp.
    Warp,
    /// Different warps of one block.
    Block,
    /// Different blocks.
    Grid,
}

/// Two accesses that nothing orders. The finding's first access is (1), its second (2).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Unordered {
    pub place: Place,
    /// Between the threads of the two accesses.
    pub distance: Distance,
    /// Both store the same value.
    pub same_value: bool,
    /// Both are strong and morally so: no race, but nothing orders them.
    pub allowed: bool,
    pub relation: Relation,
    /// At what other distances threads race here too.
    pub others: Vec<Distance>,
    /// The storing line races with itself as well: every thread reads, changes and writes.
    pub lost_update: Option<LostUpdate>,
    /// What is too narrow between other threads that race in these lines.
    pub narrow_elsewhere: Option<Narrow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct LostUpdate {
    /// All who race are lanes of one warp.
    pub in_one_warp: bool,
}

/// What might have ordered them, by where they run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Relation {
    /// Launches of the host in streams that nothing orders.
    Launches,
    /// The grid of `child` was launched by the other's.
    ParentAndChild {
        child: String,
    },
    /// Grids that kernels launched and that no stream orders: their kernels.
    #[cfg_attr(feature = "json", serde(serialize_with = "json::kernels"), schemars(with = "json::Kernels<'static>"))]
    Grids([String; 2]),
    /// What would order them does not reach far enough.
    ScopeTooNarrow(Narrow),
    /// One or both are asynchronous copies.
    #[cfg_attr(feature = "json", serde(serialize_with = "json::copies"), schemars(with = "json::OfCopies<'static>"))]
    Copies(Copies),
    Threads(Box<BetweenThreads>),
}

/// Parts of a synchronisation that reach their own block only.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Narrow {
    /// Empty where they are not known.
    pub parts: Vec<NarrowPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct NarrowPart {
    /// `None` where it has no line beside the second access.
    pub at: Option<SourceLocation>,
    pub what: Synchroniser,
    pub has: Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Synchroniser {
    Fence,
    #[cfg_attr(
        feature = "json",
        serde(serialize_with = "json::operation"),
        schemars(with = "json::Operation<'static>")
    )]
    Atomic(AtomicOperation),
    Load,
    Store,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Copies {
    /// Two copies.
    Both,
    /// A copy and an access of the thread that started it; `writes`: the copy's destination.
    OneThread { writes: bool },
    /// A copy and another thread.
    OtherThread,
}

/// What is known of two accesses by threads of one launch.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct BetweenThreads {
    /// The access that is atomic or volatile, by index, where the other is plain.
    pub strong: Option<usize>,
    /// The two are one access of the source.
    pub one_access: bool,
    pub one_line: bool,
    /// One waits in a loop for what the other sets.
    pub polled: Option<Polled>,
    /// One is a load and the other a compare-and-swap.
    pub compares: bool,
    /// What the plain one is, where the other is not.
    pub plain: PlainAccess,
    /// Both are atomic operations.
    pub both_update: bool,
    /// The lanes that are together behind a branch, both among them.
    pub branch: Option<Branch>,
    /// The missing piece, where this run has shown it.
    pub missing: Option<Missing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Branch {
    pub at: SourceLocation,
    pub lanes: u32,
}

/// How a thread waits for what it loads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Polled {
    Again,
    /// It has looked once, before a loop that never ends: so compilers leave a loop that waits for a plain load.
    #[cfg_attr(feature = "json", serde(serialize_with = "json::some_at"), schemars(with = "json::SomeAt<'static>"))]
    Once(Option<SourceLocation>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum PlainAccess {
    Load,
    Store,
    /// Half of a line that loads and stores one place.
    Update,
}

/// What keeps two threads of a launch apart, shown by this run or read in the code.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Missing {
    /// It was seen at `seen` that (1) was done, by (2)'s thread or by another before a barrier, and no fence follows there.
    FenceAfterLook { seen: Option<SourceLocation>, before_barrier: bool },
    /// `look` has seen what `set` set after (1), and no fence lies between (1) and `set`; nor, if not `acquired`, after the look.
    FenceBeforeFlag { first: SourceLocation, set: SourceLocation, look: Option<SourceLocation>, acquired: bool },
    /// Another thread of (1)'s block set the flag; nothing orders (1) before that thread's `fence`.
    BarrierBeforeFlag { first: SourceLocation, fence: SourceLocation, set: SourceLocation, look: SourceLocation },
    /// Another thread of (2)'s block saw the flag; nothing orders (2) after that.
    BarrierAfterLook { look: SourceLocation, second: SourceLocation },
    /// (1)'s thread had ended, and so a barrier that (2)'s passed did not wait for it.
    EndedBeforeBarrier { end: End, barrier: SourceLocation },
    /// The warp's barrier took in the lanes of `met`: `inside` and not `outside`.
    LaneNotInMask { barrier: SourceLocation, met: u32, inside: u32, outside: u32 },
    /// (1)'s lane had ended before the warp's barrier.
    LaneEnded { barrier: SourceLocation, end: End },
    /// Both lanes trade registers there, which orders no memory.
    OnlyShuffled { at: SourceLocation, function: &'static str },
    /// A word that was taken atomically is given back plainly.
    PlainUnlock { taken: SourceLocation, store: SourceLocation },
    /// They hold different locks, or one of them none.
    Locks { first: Option<Place>, second: Option<Place>, one_block: bool },
    /// A barrier orders `above` before `below`, and not `below` before `above` of the next round or call.
    NextRound { above: SourceLocation, below: SourceLocation, barrier: Option<SourceLocation>, turn: Turn },
    /// Both have passed the barrier, and nothing orders what they do between one and the next.
    SamePhase { above: SourceLocation, below: SourceLocation, barrier: SourceLocation },
    /// What stands between the two lines holds others.
    WrongMeans { at: SourceLocation, means: Means },
    /// Both stores' place was worked out alike, in line `made`; it depends on an atomic operation that a thread may go round.
    SamePlace { made: Option<SourceLocation>, atomic: Option<SourceLocation> },
    /// The thread of the plain load has updated the place before; `certain` that what the update returned is meant.
    OwnUpdate { at: SourceLocation, certain: bool },
}

/// Where a thread ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct End {
    pub at: SourceLocation,
    /// A branch led it straight out of the kernel.
    pub by_branch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Turn {
    /// Of a loop.
    Round,
    /// Of a function.
    Call,
}

/// What may be taken for an order of two threads, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Means {
    Fence,
    WarpBarrier,
    BlockBarrier,
}

/// A value that nothing has written.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct NeverWritten {
    pub reached: Reached,
    pub from: Unwritten,
}

/// Where an undefined value came to matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Reached {
    #[cfg_attr(
        feature = "json",
        serde(serialize_with = "json::decision"),
        schemars(with = "json::OfDecision<'static>")
    )]
    Decision(Decision),
    Host,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Unwritten {
    /// A thread loaded it from here, access (1).
    Loaded { place: Place, gone: Option<Gone> },
    /// Memory or a variable; `writers` are the lines that write the variable on other ways.
    Unknown { writers: Vec<SourceLocation> },
    /// The host copied it: `kernel` ran last before that.
    Copied { kernel: Option<String> },
}

/// Threads that had left the kernel before a barrier.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Gone {
    pub threads: Threads,
    pub end: SourceLocation,
    pub barrier: SourceLocation,
}

/// A shuffle that took the value of a lane that was not there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Absence {
    pub reached: Reached,
    /// The lane whose value was taken.
    pub lane: u32,
    pub absent: AbsentLane,
    /// Linear index in its block of the thread that took it.
    pub taker: u32,
    /// What the lane did instead.
    pub away: Option<Away>,
    /// The lane comes to the same line with others.
    pub comes: bool,
    /// The mask came from `__activemask()`, access (1).
    pub asked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Away {
    /// It and its reader last went different ways here.
    #[cfg_attr(feature = "json", serde(serialize_with = "json::at"), schemars(with = "json::At<'static>"))]
    Parted(SourceLocation),
    #[cfg_attr(feature = "json", serde(serialize_with = "json::at"), schemars(with = "json::At<'static>"))]
    Ended(SourceLocation),
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Livelock {
    /// Every thread comes back to where it was while nothing changes: no schedule ends it. Else its fuel was used up.
    pub proven: bool,
    /// Thread instructions that the launch has run, and how many of them without an end of any thread it was given.
    pub instructions: u64,
    pub fuel: u64,
    /// Blocks that wait or spin likewise and are not told.
    pub more_blocks: usize,
    /// Blocks that have not begun.
    pub not_begun: u64,
    pub reason: Option<LivelockReason>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum LivelockReason {
    /// A thread that has ended took the lock here.
    KeptLock { taken: SourceLocation },
    /// The compare-and-swap goes on comparing with what a load before its loop found: both lines.
    LoadedOnce { load: SourceLocation, swap: SourceLocation },
}

/// In what meetings of one warp differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
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
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
pub struct AllCome {
    pub at: Option<SourceLocation>,
    /// All 32 lanes, none of which has ended.
    pub whole_warp: bool,
    /// It is a barrier; else what it computes may be meant for each of several groups.
    pub is_barrier: bool,
}

/// Why a launch by a kernel is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
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
    #[cfg_attr(feature = "json", serde(serialize_with = "json::shape"), schemars(with = "json::Shape<'static>"))]
    Shape(ShapeError),
    /// An instruction of the kernel that the emulator does not know, as PTX writes it.
    Unsupported {
        what: String,
    },
}

/// A shape or a size that the device or the kernel does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
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
    #[cfg_attr(
        feature = "json",
        serde(serialize_with = "json::memory_for"),
        schemars(with = "json::OfMemory<'static>")
    )]
    NoMemory(MemoryFor),
}

/// What a launch needs memory for besides its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum MemoryFor {
    /// The host's own memory, for the parameters.
    Parameters,
    /// The launches that kernels make.
    Launches,
    GridBarrier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum ShuffleDirection {
    Up,
    Down,
}
