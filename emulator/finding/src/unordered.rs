//! Two accesses that nothing orders: what might have ordered them, and what is missing.

use crate::{AtomicOperation, Cause, HostOperation, MemoryPlace, Scope, SourceLocation, StaticName};

/// Where two threads are to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unordered {
    pub place: MemoryPlace,
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
    /// The scopes that are too narrow between other threads that race in these lines.
    pub narrow_elsewhere: Option<Narrow>,
}

impl Unordered {
    /// Two accesses by themselves: nothing is known of other threads in these lines.
    pub fn new(place: MemoryPlace, distance: Distance, relation: Relation) -> Unordered {
        Unordered {
            place,
            distance,
            same_value: false,
            allowed: false,
            relation,
            others: Vec::new(),
            lost_update: None,
            narrow_elsewhere: None,
        }
    }

    /// Returns the greatest distance between threads that race in these lines.
    pub fn widest(&self) -> Distance {
        self.others.iter().fold(self.distance, |widest, other| widest.max(*other))
    }
}

impl Cause {
    /// Returns the greatest distance between threads that race in the finding's lines; `None` if it is no race.
    pub fn distance(&self) -> Option<Distance> {
        match self {
            Cause::Unordered(race) => Some(race.widest()),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostUpdate {
    /// All who race are lanes of one warp.
    pub in_one_warp: bool,
}

/// Candidates for an order, by where the two threads run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Relation {
    /// Launches of the host in streams that nothing orders.
    Launches,
    /// Launches in a row of one stream, the second one with programmatic stream serialization.
    Dependent {
        wait: DependentWait,
    },
    /// An operation of the host's, and a later launch that does not wait for it.
    Host {
        operation: HostOperation,
    },
    /// The grid of `child` was launched by the other's.
    ParentAndChild {
        child: String,
    },
    /// Grids that kernels launched and that no stream orders: their kernels.
    Grids {
        kernels: [String; 2],
    },
    /// The scope of what would order them is too narrow.
    ScopeTooNarrow(Narrow),
    /// One or both are asynchronous copies.
    Copies {
        copies: Copies,
    },
    Threads(Box<BetweenThreads>),
}

/// The wait (`griddepcontrol.wait`) that is missing between two launches that may overlap.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "is", rename_all = "kebab-case"))]
pub enum DependentWait {
    /// The later launch has none. `triggered` if the earlier one triggers.
    Missing { triggered: bool },
    /// The thread of the later launch has not come to it.
    Late,
    /// The thread has waited, but a launch between the two has not: a wait covers what that one has waited for.
    Between { kernel: String },
}

/// Parts of a synchronisation that reach their own block only.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Narrow {
    /// Empty where they are not known.
    pub parts: Vec<NarrowPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NarrowPart {
    /// `None` where it has no line beside the second access.
    pub at: Option<SourceLocation>,
    pub what: Synchroniser,
    pub has: Scope,
    /// An atomic object of CUDA's C++ library does it: the scope is in its type.
    pub of_object: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Synchroniser {
    Fence,
    Atomic {
        operation: AtomicOperation,
    },
    Load,
    Store,
    /// An arrival at a barrier object of another block.
    Arrival,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Copies {
    /// Two copies.
    Both,
    /// A copy and an access of the thread that started it; `writes`: the copy's destination.
    OneThread { writes: bool },
    /// A copy and another thread.
    OtherThread,
    /// A bulk copy (the access of index `copy`), and an access or another copy that does not wait for it. `by_object`:
    /// it completes at a barrier object, else with the bulk group of its thread. `writes`: the copy's destination.
    Bulk { copy: usize, by_object: bool, writes: bool },
    /// A write, and a bulk copy of the same bytes after it, or a product (`wgmma`) that reads them: they are ordered,
    /// but not for the asynchronous proxy.
    ProxyFence { product: bool },
    /// A write of a tensor map, and a tensor copy after it that reads the map: they are ordered, but not for the
    /// tensormap proxy.
    MapFence { missing: MapFences },
    /// A product (`wgmma.mma_async`) that reads a matrix, and a write that does not wait for it.
    Product,
}

/// The fences of the tensormap proxy that are missing between a write of a tensor map and a copy that reads the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum MapFences {
    /// The one after the write.
    Release,
    /// The one before the copy.
    Acquire,
    Both,
}

/// The facts about two accesses by threads of one launch.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BetweenThreads {
    /// The access that is atomic or volatile, by index, where the other is plain.
    pub strong: Option<usize>,
    /// The two are one access of the source.
    pub one_access: bool,
    pub one_line: bool,
    /// One access of the source, by which each thread reads what it then writes, as in `*p += v`.
    pub updates: bool,
    /// One access of the source, or one of two in different branches, and a loop repeats it, with no barrier in each
    /// round.
    pub in_loop: bool,
    /// No thread of the block, or of the cluster, comes from one line to the other: they are in different branches, or
    /// calls.
    pub in_branches: bool,
    /// Two plain writes in shared memory whose size the launch gives: two arrays that were cut from it may overlap.
    pub two_arrays: bool,
    /// One waits in a loop for what the other sets.
    pub polled: Option<Polled>,
    /// One is a load and the other a compare-and-swap.
    pub compares: bool,
    /// The plain access of a pair in which the other is strong.
    pub plain: PlainAccess,
    /// Both are atomic operations.
    pub both_update: bool,
    /// The launch is cooperative: `grid.sync()` may stand between the two.
    pub cooperative: bool,
    /// The lanes that are together behind a branch, both among them.
    pub branch: Option<Branch>,
    /// The missing piece, where this run has shown it or the code tells it.
    pub missing: Option<Missing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Branch {
    pub at: SourceLocation,
    pub lanes: u32,
}

/// The way in which a thread waits for what it loads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Polled {
    Again,
    /// It has looked once, before a loop that never ends: so compilers leave a loop that waits for a plain load.
    Once {
        at: Option<SourceLocation>,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum PlainAccess {
    #[default]
    Load,
    Store,
    /// Half of a line that loads and stores one place.
    Update,
}

/// The missing order of two threads of a launch, shown by this run or read in the code.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Missing {
    /// It was seen at `seen` that (1) was done, by (2)'s thread or by another before a barrier, and no fence follows
    /// there.
    FenceAfterLook { seen: Option<SourceLocation>, before_barrier: bool, word: Word },
    /// `look` has seen what `set` set after (1), and no fence lies between (1) and `set`; nor, if not `acquired`, after
    /// the look.
    FenceBeforeFlag {
        first: SourceLocation,
        set: SourceLocation,
        look: Option<SourceLocation>,
        acquired: bool,
        word: Word,
    },
    /// Another thread of (1)'s block set the flag; nothing orders (1) before that thread's `fence`.
    BarrierBeforeFlag { first: SourceLocation, fence: SourceLocation, set: SourceLocation, look: SourceLocation },
    /// Another thread of (2)'s block, or of its warp, saw the flag; nothing orders (2) after that.
    BarrierAfterLook { look: SourceLocation, second: SourceLocation, one_warp: bool },
    /// (1)'s thread had ended, and so a barrier that (2)'s passed did not wait for it.
    EndedBeforeBarrier { end: End, barrier: SourceLocation },
    /// The warp's barrier took in the lanes of `met`: `inside` and not `outside`.
    LaneNotInMask { barrier: SourceLocation, met: u32, inside: u32, outside: u32 },
    /// (1)'s lane had ended before the warp's barrier.
    LaneEnded { barrier: SourceLocation, end: End },
    /// Both lanes trade registers there, which orders no memory.
    OnlyShuffled {
        at: SourceLocation,
        #[cfg_attr(feature = "json", serde(deserialize_with = "crate::json::static_name"))]
        function: StaticName,
    },
    /// A word that was taken atomically is given back plainly.
    PlainUnlock { taken: SourceLocation, store: SourceLocation },
    /// They hold different locks, or one of them none.
    Locks { first: Option<MemoryPlace>, second: Option<MemoryPlace>, one_block: bool },
    /// Both threads take the same lock. The thread of `access`, which is (1) if `first`, released it at `release`
    /// before.
    ReleasedEarly { release: SourceLocation, access: SourceLocation, first: bool },
    /// A barrier orders `above` before `below`, and not `below` before `above` of the next round or call. `at_end`:
    /// `below` decides whether there is another round.
    NextRound {
        above: SourceLocation,
        below: SourceLocation,
        barrier: Option<SourceLocation>,
        turn: Turn,
        at_end: bool,
    },
    /// Both have passed the barrier, and nothing orders what they do between one and the next.
    SamePhase { above: SourceLocation, below: SourceLocation, barrier: SourceLocation },
    /// A fence or barrier stands between the two lines, for other threads.
    WrongMeans { at: SourceLocation, means: Means },
    /// Both stores' place was worked out alike, in line `made`; it depends on an atomic operation that a thread may go
    /// round.
    SamePlace { made: Option<SourceLocation>, atomic: Option<SourceLocation> },
    /// The thread of the plain load has updated the place before; `certain` that what the update returned is meant.
    OwnUpdate { at: SourceLocation, certain: bool },
    /// The accesses differ in size and share bytes: the first and the last of each. Two plain writes, or `strong`
    /// accesses, which would not race if they were of one size.
    Overlap { bytes: [[u64; 2]; 2], strong: bool },
}

/// The role of a word by which one thread tells another that it may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Word {
    /// One thread sets it, and others see that.
    Flag,
    /// Taken by an exchange or a compare-and-swap that waits for one value, and given back by the thread that took it.
    Lock,
    /// All add to it.
    Counter,
    /// Changed by an exchange or a compare-and-swap, and no lock: the head of a list, the index of a queue, a
    /// semaphore.
    Variable,
}

/// Where a thread ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct End {
    pub at: SourceLocation,
    /// A branch led it straight out of the kernel.
    pub by_branch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Turn {
    /// A round of a loop.
    Round,
    /// A call of a function.
    Call,
}

/// Things that may be mistaken for an order of two threads, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Means {
    Fence,
    WarpBarrier,
    BlockBarrier,
}
