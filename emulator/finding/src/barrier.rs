//! Barriers by name.

use crate::Distance;
use std::fmt;

/// A barrier of a block, as CUDA calls it where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum BarrierName {
    SyncThreads,
    SyncThreadsCount,
    SyncThreadsAnd,
    SyncThreadsOr,
    /// PTX's own: clusters have one block here.
    ClusterWait,
    /// `bar` with this number.
    Number {
        number: u32,
    },
    Unknown,
}

impl BarrierName {
    /// CUDA's function, or PTX's instruction; `None` for a barrier that has a number only.
    pub fn function(self) -> Option<&'static str> {
        match self {
            BarrierName::SyncThreads => Some("__syncthreads()"),
            BarrierName::SyncThreadsCount => Some("__syncthreads_count()"),
            BarrierName::SyncThreadsAnd => Some("__syncthreads_and()"),
            BarrierName::SyncThreadsOr => Some("__syncthreads_or()"),
            BarrierName::ClusterWait => Some("barrier.cluster.wait"),
            BarrierName::Number { .. } | BarrierName::Unknown => None,
        }
    }
}

/// The mistake at a barrier object (PTX ISA, "mbarrier").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum ObjectMisuse {
    /// Nothing has initialised one there.
    NoObject,
    /// It is to wait for so many arrivals.
    Count { count: u64 },
    /// More threads arrive than are pending.
    TooMany { come: u64, pending: u64 },
    /// `.noComplete` completes a phase.
    Completes,
    /// Its transactions are out of range.
    Transactions,
    /// The size of a bulk copy is no multiple of 16 bytes.
    BulkSize { bytes: u64 },
    /// It is initialised again or overwritten, and nothing has invalidated it.
    StillValid { overwritten: bool },
    /// It is in the shared memory of another block than the destination of the copy that signals it.
    OtherBlock,
    /// Its phase may complete before these bytes are expected.
    UnorderedExpect,
}

/// The mistake in a copy of a tensor (PTX ISA, "Tensors").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum TensorMisuse {
    /// There is no tensor map, or one of another rank.
    NoMap,
    /// The tensor map is in a thread's local memory.
    LocalMap,
    /// The rows of a box begin within a unit of 16 bytes: its first coordinate, and the bytes of an element.
    BoxRow { coordinate: i32, element: u32 },
    /// A box that is stored begins at a negative coordinate.
    BoxBelow { coordinate: i32 },
    /// A reduction that the elements of the tensor do not have.
    Reduction,
}

/// The threads that have to reach a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum BarrierKind {
    /// `__syncwarp()` of the lanes in a mask.
    Warp { mask: u32 },
    /// `bar.sync` with a number and a count of threads, which are part of a block.
    Part { number: u32, threads: u32 },
    /// `__syncthreads()`.
    Block,
    /// `cluster.sync()`.
    Cluster,
    /// `grid.sync()`, in a cooperative launch.
    Grid,
}

impl BarrierKind {
    /// Returns the barrier that holds threads so far from one another, in any launch. A grid has one only in some.
    pub fn of(widest: Distance) -> Option<BarrierKind> {
        match widest {
            Distance::Warp => Some(BarrierKind::Warp { mask: u32::MAX }),
            Distance::Block => Some(BarrierKind::Block),
            Distance::Grid => None,
        }
    }
}

impl fmt::Display for BarrierKind {
    /// As CUDA C++ writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BarrierKind::Warp { mask: u32::MAX } => f.write_str("__syncwarp()"),
            BarrierKind::Warp { mask } => write!(f, "__syncwarp({mask:#010x})"),
            BarrierKind::Part { number, threads } => write!(f, "bar.sync {number}, {threads}"),
            BarrierKind::Block => f.write_str("__syncthreads()"),
            BarrierKind::Cluster => f.write_str("cluster.sync()"),
            BarrierKind::Grid => f.write_str("grid.sync()"),
        }
    }
}
