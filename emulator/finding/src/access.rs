//! One end of a finding: who did what, and where.

use crate::{
    AccessValue, AtomicOperation, BarrierName, LaunchSite, MemoryAccess, MemoryPlace, ObjectMisuse, SourceLocation,
    Space, StaticName, TensorMisuse, ThreadName, Threads,
};

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Access {
    /// `None` where the PTX carries no `.loc`.
    pub location: Option<SourceLocation>,
    /// The user's lines that called the function around `location`, innermost first.
    pub called_from: Vec<SourceLocation>,
    /// Line in the PTX text; 0 for what the host did.
    pub ptx_line: u32,
    /// `None` for the host, and for several threads.
    pub thread: Option<ThreadName>,
    /// Where a kernel launched the thread's grid: the launches that led there, innermost first.
    pub launched_by: Vec<LaunchSite>,
    /// The memory that it touched, where it did.
    pub memory: Option<MemoryAccess>,
    pub action: Action,
}

/// Callers that an access names, the innermost ones: a recursion has thousands.
pub const MOST_CALLERS: usize = 8;

impl Access {
    /// Creates an access of the host.
    pub fn of_host(action: Action) -> Access {
        Access {
            location: None,
            called_from: vec![],
            ptx_line: 0,
            thread: None,
            launched_by: vec![],
            memory: None,
            action,
        }
    }
}

/// The action at one end.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Action {
    // Accesses of memory.
    /// `None` where the value is not known any more.
    Loaded {
        value: Option<AccessValue>,
    },
    Stored {
        value: Option<AccessValue>,
    },
    /// An atomic operation with its operand, or with the value that a compare-and-swap looks for.
    Updated {
        operation: AtomicOperation,
        operand: Option<AccessValue>,
    },
    /// An earlier atomic operation, with the value that it left.
    UpdatedTo {
        value: Option<AccessValue>,
    },
    StartedCopyFrom,
    StartedCopyTo,
    /// `wgmma.mma_async`; `from_memory`: a matrix is read from the finding's memory.
    StartedProduct {
        from_memory: bool,
    },
    /// An access of a register of a product that is under way, or is not fenced.
    UsedRegister {
        writes: bool,
    },
    /// A barrier object.
    Initialised,
    Invalidated,
    AskedPhase,
    Arrived,
    /// The first of two uses of an object, where it is not recorded which one it was.
    Used,
    /// An action of an earlier launch of this kernel.
    Earlier {
        action: Box<Action>,
        kernel: String,
    },
    /// An access by a kernel, in a race with the host.
    InKernel {
        writes: bool,
        kernel: String,
    },
    /// An operation of the host's, itself racing.
    Host {
        operation: HostOperation,
        writes: bool,
    },
    /// An operation of the host's that was there before.
    EarlierHost {
        operation: HostOperation,
    },
    /// The host copied so many bytes from this byte of an allocation on.
    HostRead {
        bytes: u64,
        from: u64,
    },
    /// The host freed memory again.
    FreedAgain,
    /// An access that ended the launch.
    Accessed {
        bytes: u64,
    },
    /// `free` on the device.
    Freed,

    // Undefined values.
    LoadedUnwritten {
        place: MemoryPlace,
    },
    UsedUnwritten,
    /// Made a decision by an undefined value.
    Decided {
        decision: Decision,
    },
    /// `activemask` gave this mask.
    AskedActiveMask {
        mask: Option<u32>,
    },
    /// A shuffle took the value of a lane.
    TookFrom {
        lane: u32,
        absent: AbsentLane,
    },
    /// Stored what came of it.
    StoredResult,

    // Barriers and meetings; `threads` are of one block.
    CameToBarrier {
        threads: Threads,
        barrier: BarrierName,
    },
    /// They took a way around a barrier here.
    WentAround {
        threads: Threads,
    },
    WarpCame {
        warp: u32,
    },
    /// Threads that exit here, before a barrier.
    LeftKernel {
        threads: Threads,
    },
    Misused {
        threads: Threads,
        misuse: BarrierMisuse,
    },
    MisusedObject {
        threads: Threads,
        misuse: ObjectMisuse,
    },
    MisusedTensor {
        threads: Threads,
        misuse: TensorMisuse,
    },
    CameToGridBarrier {
        threads: Threads,
    },
    CalledWithMask {
        threads: Threads,
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        function: StaticName,
        mask: u32,
    },
    Waits(Box<Waiting>),
    /// Set what others wait for.
    Set {
        block: Option<[u32; 3]>,
        place: Option<MemoryPlace>,
        value: i64,
        fate: Fate,
    },
    WroteLast {
        block: Option<[u32; 3]>,
    },

    // Jumps and calls.
    TookEntry {
        entry: u64,
    },
    CalledNothing,
    /// The depth of the call.
    CalledDeep {
        depth: u32,
    },
    AllocatedOnStack,

    // Launches by kernels.
    Launched {
        kernel: Option<String>,
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        error: StaticName,
    },
    LaunchedWithPointer {
        kernel: String,
        space: Space,
    },

    // Facts that are worth a word where an answer is wrong.
    ActiveMaskGave {
        mask: u32,
        live: u32,
    },
    ShuffleGaveBack {
        lanes: u32,
    },
    /// A compare-and-swap changed nothing; so often.
    FailedToSwap {
        count: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum HostOperation {
    CopyToHost,
    CopyFromHost,
    /// A synchronous copy whose source is pageable: it may return before the transfer to the device has finished.
    CopyFromPageable,
    CopyOnDevice,
    Fill,
    /// A stream gets to where its memory's life begins (`cudaMallocAsync`), or ends (`cudaFreeAsync`).
    Allocate,
    Free,
    /// A conditional node of a graph reads the value of its condition.
    Condition,
    /// By the program itself, in memory that it shares with the device.
    Read,
    Write,
}

/// A decision that an undefined value must not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Decision {
    Branch,
    Condition,
    Call,
    Address,
    Atomic,
    MemberMask,
    BarrierVote,
    BarrierNumber,
    BarrierCount,
    BarrierPhase,
    StackSize,
    CopySize,
}

/// Why a lane has nothing to give to a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum AbsentLane {
    /// The block has no such thread: this warp of it has so many.
    NoThread {
        threads: u32,
    },
    Exited,
    /// Not in this mask.
    NotNamed {
        mask: u32,
    },
}

/// The action of threads at a barrier that does not take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum BarrierMisuse {
    CameTo {
        barrier: u32,
    },
    GaveCount {
        count: u64,
    },
    CameForWholeBlock,
    ArrivedFirst,
    ArrivedAgain,
    /// Waits without having arrived.
    WaitedUnarrived,
    CameFirst,
    CameWithAnotherOperation,
}

/// Threads of one block that wait or spin at one place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// Told where the report is about several blocks.
    pub block: Option<[u32; 3]>,
    pub threads: Threads,
    pub at: WaitAt,
    /// The threads that have to come, where these are known by name.
    pub missing: Threads,
    /// The numbers, from 1, of the ends at which the missing stand.
    pub missing_at: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum WaitAt {
    /// A `.sync` operation, by CUDA's function.
    Mask {
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        function: StaticName,
        mask: u32,
    },
    /// `counted`: the threads that it expects and those that have come, if it counts them.
    Barrier {
        barrier: BarrierName,
        counted: Option<Counted>,
    },
    GridBarrier,
    /// They look at memory again and again, or go round without.
    Spin {
        look: Option<Look>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counted {
    pub expected: u32,
    pub come: u32,
}

/// The value that spinning threads find.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Look {
    Value {
        value: i64,
        place: MemoryPlace,
    },
    /// A barrier object that so many have not come to, and that expects so many bytes. Negative if more have come than
    /// it expects.
    ArrivalsMissing {
        count: u64,
        bytes: i64,
        place: MemoryPlace,
    },
}

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Fate {
    Ended,
    /// It stands at the end with this number, from 1.
    StandsAt {
        end: usize,
    },
    Unknown,
}
