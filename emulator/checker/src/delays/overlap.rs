//! Older values across launches. The threads of a dependent launch (CUDA Programming Guide, "Programmatic Dependent
//! Launch and Synchronization") do not come after the launches that it overlaps with until they wait. A load before the
//! wait may still find what memory held before a write of those, and a store may precede such a write in the coherence
//! order. Imprecision errs towards newer values: the launches run one after the other here, so none gets a value of the
//! launch that follows it.

use crate::delays::history::Histories;
use crate::order::clock::View;
use crate::order::launches::Past;
use machine::memory::history::OlderValues;
use rustc_hash::FxHashMap;

/// The accesses of one write by earlier launches.
#[derive(Debug)]
pub struct EarlierAccesses {
    /// The numbers of the first launch that accessed it and of the last one. If one between them is ordered before a
    /// later launch, one of these is as well: the launches that it overlaps with are consecutive.
    pub launches: (u32, u32),
    /// True if one of them is ordered before each thread of the current launch.
    before: bool,
    /// True if one of them is ordered before the threads that have waited.
    before_waited: bool,
}

impl EarlierAccesses {
    pub fn new(launches: (u32, u32), past: &Past) -> EarlierAccesses {
        let [before, before_waited] = [false, true].map(|has_waited| is_any_before(launches, past, has_waited));
        EarlierAccesses { launches, before, before_waited }
    }

    /// Returns true if one of them is ordered before a thread with this view.
    pub fn is_before(&self, view: &View) -> bool {
        if view.has_waited() { self.before_waited } else { self.before }
    }
}

// Rare, and so kept out of the code of each access.
#[inline(never)]
fn is_any_before((first, last): (u32, u32), past: &Past, has_waited: bool) -> bool {
    [first, last].iter().any(|&launch| past.is_before(launch, has_waited))
}

/// A write by an earlier launch, or the value before the first.
#[derive(Debug)]
pub struct EarlierWrite {
    pub address: u64,
    /// Undefined bits of its value.
    pub undefined: u64,
    /// True for a read-modify-write.
    pub updates: bool,
    /// The numbers of the first launch that accessed it and of the last one.
    pub launches: Option<(u32, u32)>,
}

/// Writes by earlier launches.
#[derive(Debug)]
pub struct EarlierWrites {
    /// In coherence order at each location; the last one there is in memory.
    pub writes: Vec<EarlierWrite>,
    /// The size of the accesses in each aligned eight bytes; 0 if sizes differ.
    pub sizes: FxHashMap<u64, u32>,
}

/// The writes to global memory of a launch that is over.
#[derive(Debug)]
pub struct LaunchWrites {
    /// The number of the launch.
    pub launch: u32,
    pub writes: EarlierWrites,
    pub values: OlderValues,
}

impl LaunchWrites {
    /// Returns these writes for the current launch, which is number `launch`, if it may overlap with theirs.
    pub fn for_next(self, launch: u32, past: &Past) -> Option<(Histories, OlderValues)> {
        let overlaps = self.launch + 1 == launch && past.overlaps();
        overlaps.then(|| (Histories::after(self.writes, past), self.values))
    }
}
