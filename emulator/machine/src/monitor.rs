//! A host that follows its launches while they run. The emulator reads no clock and does no output: it calls the host
//! every few million instructions. It ends a launch that has used up the instructions which the host allows it, or when
//! the host says so.

use std::fmt;

/// The progress of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Blocks of the host's own grid that have ended.
    pub blocks_done: u64,
    /// Blocks of the host's own grid.
    pub blocks: u64,
    /// Thread instructions so far, those of grids that kernels have launched included.
    pub instructions: u64,
}

type ProgressCallback = dyn Fn(&Progress) -> bool + Send + Sync;

/// Follows the launches of a device.
pub struct Monitor {
    limit: u64,
    report: Box<ProgressCallback>,
}

impl Monitor {
    /// `report` is called now and then while a launch runs, from whichever thread runs it. A launch ends with
    /// [`crate::types::Fault::InstructionLimit`] after `limit` thread instructions, or once `report` returns false.
    pub fn new(limit: Option<u64>, report: impl Fn(&Progress) -> bool + Send + Sync + 'static) -> Monitor {
        Monitor { limit: limit.unwrap_or(u64::MAX), report: Box::new(report) }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Reports to the host. Returns false if the launch is to end.
    pub fn report(&self, progress: &Progress) -> bool {
        (self.report)(progress)
    }
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Monitor").field("limit", &self.limit).finish_non_exhaustive()
    }
}
