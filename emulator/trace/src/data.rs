//! A trace: its events, and the tables that they point into.

use crate::event::Event;
use finding::{Finding, SourceLocation, Space};

/// The version of a trace's JSON: docs/trace.md says what may change within one.
pub const VERSION: u32 = 1;

/// The events of a run, in order.
///
/// A *position* is an index into [`events`](Trace::events). Everything is the same whenever the run is made again.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trace {
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The host's launches, in order.
    pub launches: Vec<Launch>,
    pub sites: Vec<Site>,
    pub arrays: Vec<Array>,
    pub events: Vec<Event>,
    pub findings: Vec<LocatedFinding>,
    pub bound: Bound,
    /// Events that came after those that are kept.
    pub left_out: u64,
    /// Thread instructions of the whole run: the time at its end.
    pub time: u64,
}

/// The bounds of a trace. The first events are kept, because a run is read from its start, and positions stay what they
/// are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bound {
    /// Events, at most.
    pub events: usize,
    /// Bytes that the events take in memory, at most; the last one may go beyond.
    pub bytes: usize,
}

impl Default for Bound {
    /// Some tens of megabytes of JSON at most.
    fn default() -> Bound {
        Bound { events: 1 << 16, bytes: 1 << 23 }
    }
}

/// A launch by the host, with the grids that its kernels launched.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Launch {
    pub kernel: String,
    /// Its events are those from position `first` up to `end`.
    pub first: usize,
    pub end: usize,
    /// False for a launch without full checks, which leaves no events.
    pub is_traced: bool,
    /// The reason why the kernel ended early, if it did.
    pub fault: Option<&'static str>,
    /// The host's own grid first.
    pub grids: Vec<Grid>,
}

/// A grid of a launch. Blocks are numbered through all grids of a launch.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grid {
    pub kernel: String,
    /// Blocks, and threads of a block, along x, y and z.
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// The number of its first block. Its other blocks follow, x first.
    pub first_block: u64,
}

impl Launch {
    /// The grid of a block, and the block's index in it.
    pub fn block(&self, number: u64) -> Option<(&Grid, [u32; 3])> {
        let grid = self.grids.iter().filter(|grid| grid.first_block <= number).max_by_key(|grid| grid.first_block)?;
        let [x, y, _] = grid.grid.map(u64::from);
        let linear = number - grid.first_block;
        Some((grid, [(linear % x) as u32, (linear / x % y) as u32, (linear / x / y) as u32]))
    }
}

/// An instruction, with the calls that led to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Site {
    /// The user's own line; `None` where the PTX says none.
    pub location: Option<SourceLocation>,
    /// The user's lines that called the function around it, innermost first.
    pub called_from: Vec<SourceLocation>,
    /// From 1.
    pub ptx_line: u32,
}

/// An array by what the kernel calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Array {
    pub space: Space,
    #[cfg_attr(feature = "json", serde(flatten))]
    pub name: ArrayName,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum ArrayName {
    /// A `__shared__` variable of a kernel: each block has its own.
    Shared { name: String, kernel: String },
    /// A `__device__` variable.
    Variable { name: String },
    /// The allocation that argument `number` of a kernel, from 1, points to.
    Argument { number: usize, kernel: String },
}

/// A finding, and where the trace shows it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocatedFinding {
    /// The position of the event at which it was found; `None` for what only the end of the launch has shown, and where
    /// that event is left out.
    pub at: Option<usize>,
    /// For each access of the finding its position, as far as it is known and kept.
    pub accesses: Vec<Option<usize>>,
    pub finding: Finding,
}
