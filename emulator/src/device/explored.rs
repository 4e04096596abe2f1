//! Data that a search of all executions exchanges with the device.

use explore::Visited;
use explore::launch::GivenRun;
use finding::Finding;
use machine::memory::Memory;
use std::sync::Arc;

/// An execution of a launch that was visited.
pub struct LaunchExecution<'a> {
    /// The round of the search, from 1. Executions of earlier rounds do not count.
    pub round: u64,
    /// The number of the execution in its round, from 1. Where writes race, an execution is visited once for each value
    /// that memory may have after it.
    pub number: u64,
    pub graph: &'a Visited<'a>,
    /// The device's memory after it.
    pub memory: &'a Memory,
    /// Accesses that are not allowed.
    pub findings: &'a [Finding],
}

/// The launch that a search is about, among those that a program makes.
pub struct ExploredLaunch {
    /// Launches before it.
    pub before: u64,
    pub run: Arc<GivenRun>,
}

impl std::fmt::Debug for ExploredLaunch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExploredLaunch").field("before", &self.before).finish_non_exhaustive()
    }
}
