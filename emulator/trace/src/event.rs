//! Events: one for each thing that some lanes of a warp do together, or that a block or a grid comes to.

use crate::bits::{Bits, Lanes};
use finding::{AtomicOperation, HostOperation, Scope, Space, ValueType};

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// Thread instructions that the run had executed before: its clock, which is no time of day.
    pub time: u64,
    #[cfg_attr(feature = "json", serde(flatten))]
    pub who: Option<Who>,
    #[cfg_attr(feature = "json", serde(flatten))]
    pub what: What,
}

/// Lanes of a warp, and the instruction at which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Who {
    /// Counted through all grids of the launch.
    pub block: u64,
    pub warp: u32,
    pub lanes: Lanes,
    /// Index into the trace's sites.
    pub site: usize,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum What {
    /// A block begins.
    BlockBegins {
        in_block: u64,
    },
    /// The schedule gives a group of lanes its turn.
    Turn,
    /// The group executes instructions of one source line, up to time `until`. What they do follows.
    Step {
        instructions: u32,
        until: u64,
    },
    Access(Box<Access>),
    /// The lanes go on without the `others`: at a branch, or because the schedule or a predicate holds the others back.
    Split {
        others: Lanes,
        at_branch: bool,
    },
    /// Groups that stand at one instruction go on as one.
    Join {
        groups: Vec<Lanes>,
    },
    /// The lanes arrive at a barrier of their block. A cluster's is number 16.
    Arrives {
        barrier: usize,
        waits: bool,
    },
    /// A barrier opens, because the last thread has come that it waits for.
    Opens {
        in_block: u64,
        barrier: usize,
        released: Vec<Released>,
    },
    /// `ordering` is PTX's word.
    Fence {
        scope: Scope,
        ordering: &'static str,
    },
    /// Lanes meet at a shuffle, a vote or the like, which CUDA calls `function`.
    Meets {
        function: &'static str,
        exchanges: Vec<Exchange>,
    },
    /// `__activemask()` gives the lanes that are together now.
    ActiveMask,
    /// The lanes have reached the end of the kernel.
    Exits,
    /// A lane launches a grid, by its number in the launch.
    Launches {
        lane: u8,
        grid: usize,
    },
    GridBegins {
        grid: usize,
        after: Vec<usize>,
    },
    /// A grid is complete, and so are those that it launched.
    GridEnds {
        grid: usize,
    },
    /// The bytes of an asynchronous copy move now; a lane of this block started it.
    Copied {
        in_block: u64,
        by_warp: u32,
        by_lane: u8,
        bytes: u32,
        to: Bits,
    },
    /// A phase of the barrier object at an address of shared memory is complete.
    PhaseCompletes {
        address: Bits,
    },
    /// The host reads or writes `bytes` bytes at an address. A copy on the device does both.
    Host {
        operation: HostOperation,
        writes: bool,
        address: Bits,
        bytes: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Released {
    pub warp: u32,
    pub lanes: Lanes,
}

/// Lanes read or write memory. Not told: parameters, and what each thread has for itself.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Access {
    pub does: Does,
    /// The operation, if the access is atomic.
    pub operation: Option<AtomicOperation>,
    pub space: Space,
    /// `None`: a plain (weak) access.
    pub scope: Option<Scope>,
    /// Bytes of one element, and how many stand side by side.
    pub bytes: u32,
    pub elements: u32,
    #[cfg_attr(feature = "json", serde(rename = "type"))]
    pub ty: ValueType,
    pub by_lane: Vec<LaneAccess>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Does {
    Load,
    Store,
    Atomic,
    /// Start an asynchronous copy, of which this is the source or the destination.
    CopyFrom,
    CopyTo,
    /// Use a barrier object.
    UseObject,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LaneAccess {
    pub lane: u8,
    #[cfg_attr(feature = "json", serde(flatten))]
    pub place: TracePlace,
    /// By element, what is loaded or stored; of an atomic operation, its operand. Nothing for other accesses, and for
    /// elements of more than 8 bytes.
    pub values: Vec<Bits>,
    /// By element, the value before an atomic operation.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub found: Vec<Bits>,
    /// The number of later writes that it misses or precedes, as the memory model allows.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "is_zero"))]
    pub back: u8,
    /// In its space.
    #[cfg_attr(feature = "json", serde(skip))]
    pub address: u64,
}

#[cfg(feature = "json")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// An element of a known array, or an address in the access's space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
#[cfg_attr(feature = "json", serde(untagged))]
pub enum TracePlace {
    /// Index into the trace's arrays; which element, counted in the size of this access's, `None` for the whole.
    Element {
        array: usize,
        index: Option<i64>,
    },
    Address {
        address: Bits,
    },
}

/// One lane's part in a collective operation: its operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exchange {
    pub lane: u8,
    /// The value that it brings.
    pub brings: Bits,
    /// For a shuffle, the lane whose value it gets.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub from: Option<u8>,
    pub gets: Bits,
}

/// Sizes of what takes memory, in bytes as on a machine of 64 bits: a trace ends at the same event on every one.
const EVENT: usize = 88;
const ACCESS: usize = 40;
const LANE_ACCESS: usize = 88;
const EXCHANGE: usize = 24;
const LANES: usize = 4;

impl Event {
    /// Bytes that it takes in memory, about.
    pub(crate) fn size(&self) -> usize {
        let more = match &self.what {
            What::Access(access) => {
                let words = |lane: &LaneAccess| 8 * (lane.values.len() + lane.found.len());
                let lanes = access.by_lane.iter().map(|lane| LANE_ACCESS + words(lane));
                ACCESS + lanes.sum::<usize>()
            }
            // A warp's lanes come later.
            What::Meets { .. } => 32 * EXCHANGE,
            What::Join { groups } => groups.len() * LANES,
            _ => 0,
        };
        EVENT + more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn the_sizes_are_those_of_this_machine() {
        let sizes = [
            size_of::<Event>(),
            size_of::<Access>(),
            size_of::<LaneAccess>(),
            size_of::<Exchange>(),
            size_of::<Lanes>(),
        ];
        assert_eq!(sizes, [EVENT, ACCESS, LANE_ACCESS, EXCHANGE, LANES]);
    }
}
