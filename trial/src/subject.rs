//! Subjects of trials: kernels that can be run again.

use crate::batch::Batch;
use crate::outcome::Outcome;
use emulator::Observe;

/// A lesson's kernel with its job, or any program whose runs are told by a size, a schedule and a seed.
pub trait Subject {
    /// Makes the runs of a batch. `ptx` stands in for what the kernel's file has. `None` where they cannot be made.
    fn run(&mut self, batch: &Batch, observe: Observe, ptx: Option<&str>) -> Option<Outcome>;
}
