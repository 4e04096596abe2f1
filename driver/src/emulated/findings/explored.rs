//! Explores all executions of launches before they run, within bounds.

use super::again::LaunchShape;
use crate::emulated::base::observer::Unexplored;
use crate::emulated::base::settings;
use emulator::explore::Bounds;
use emulator::{Device, LaunchConfig, LoadedModule, Survey};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Executions of a launch at most.
const EXECUTIONS: u64 = 100_000;
/// Launches of one kernel with one shape that are explored.
const SAME: usize = 3;
/// The time for all launches of a context, as a multiple of that for one.
const TIMES: u32 = 6;

/// The explorations of one context.
#[derive(Default)]
pub(crate) struct Explorations {
    seen: HashMap<LaunchShape, usize>,
    took: Duration,
    has_refused: bool,
}

impl Explorations {
    /// Something was refused: what memory holds from here on may follow from that.
    pub(crate) fn refused(&mut self) {
        self.has_refused = true;
    }

    /// Explores a launch on the device as it stands. `None` if no launch is to be explored.
    pub(crate) fn explore(
        &mut self,
        shape: LaunchShape,
        device: &Device,
        module: &LoadedModule,
        config: &LaunchConfig,
        parameters: &[u8],
    ) -> Option<Result<Survey, Unexplored>> {
        let time = settings::explored_time()?;
        let left = time.saturating_mul(TIMES).saturating_sub(self.took);
        let seen = self.seen.entry(shape).or_insert(0);
        *seen += 1;
        if *seen > SAME {
            return Some(Err(Unexplored::Repeated));
        }
        if self.has_refused || settings::misses_work() {
            return Some(Err(Unexplored::AfterRefusal));
        }
        if left.is_zero() {
            return Some(Err(Unexplored::Time));
        }
        let (begin, bounds) = (Instant::now(), Bounds { executions: EXECUTIONS, runs: u64::MAX, time: time.min(left) });
        let found = device.survey(module, shape.1, config, parameters, bounds);
        self.took += begin.elapsed();
        Some(found.map_err(Unexplored::NotExplored))
    }
}
