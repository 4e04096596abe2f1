//! Observations while launches run, beside their findings.

use crate::device::Device;
use crate::recording::Recording;
use finding::Finding;
use trace::{Bound, Trace};

/// The observations to make. By default none: each costs time, and changes neither findings nor counters but where it
/// says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Observe {
    /// Hints: facts that are no bug by themselves and may explain a wrong answer: strong accesses of one place that
    /// nothing orders, and what `__activemask()` gave. With full checks.
    pub hints: bool,
    /// The value that a shuffle gives a lane for want of another one (its own) counts as undefined. So the findings
    /// of such a run tell whether those values matter. They are no findings of the kernel's.
    pub suspects_own: bool,
    /// The bound of a trace of the launches with full checks, and of what the host reads and writes.
    pub trace: Option<Bound>,
    /// Records the commands to the device. Memory that it holds when this begins counts as written.
    pub records: bool,
}

/// The observations since [`Device::observe`].
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// No findings: to be shown as notes, without a slug.
    pub hints: Vec<Finding>,
    pub trace: Option<Trace>,
    pub recording: Option<Recording>,
}

impl Device {
    /// From now on this is looked for, and nothing else. What was seen before and not taken is dropped.
    pub fn observe(&mut self, observe: Observe) {
        let Observe { hints, suspects_own, trace, records } = observe;
        self.look_for(hints, suspects_own);
        self.trace(trace);
        self.record(records);
    }

    /// Returns the observations so far. A trace and a recording end here.
    pub fn observed(&mut self) -> Observed {
        Observed { hints: self.take_hints(), trace: self.take_trace(), recording: self.take_recording() }
    }
}
