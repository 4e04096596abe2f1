//! The bytes that a phase of a barrier object waits for (PTX ISA, "mbarrier.expect_tx", "expect-tx operation").
//!
//! An `expect_tx` counts for the phase that is current when it executes, and only pending arrivals and bytes keep that
//! phase from completing. So some arrival of the phase must happen after it. If none does, another schedule has all
//! arrivals first: the phase completes without these bytes, and threads that wait for it go on too early.
//!
//! Bytes that were expected earlier keep the phase open as well. They count as still on their way (towards silence).

use crate::order::clock::View;
use crate::sites::touched::Clock;

/// A thread's operation at a barrier object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectOperation {
    pub block: u64,
    pub warp: u32,
    pub lane: usize,
    pub clock: Clock,
    pub site: u32,
}

impl ObjectOperation {
    /// Returns the thread's index in its block.
    pub fn thread(&self) -> u32 {
        32 * self.warp + self.lane as u32
    }

    fn happens_before(&self, view: &View) -> bool {
        view.clock_of(self.block, self.warp, self.lane) >= self.clock
    }
}

/// An `expect_tx` and an arrival that nothing orders after it.
pub type UnorderedExpect = [ObjectOperation; 2];

/// The expected bytes of an object's current phase.
#[derive(Debug, Default)]
pub struct ExpectedBytes {
    expects: Vec<ObjectOperation>,
    /// Those that no arrival so far comes after.
    unordered: Vec<ObjectOperation>,
    last_arrival: Option<ObjectOperation>,
    /// Of a complete phase, until a thread has found it complete.
    found: Option<UnorderedExpect>,
}

impl ExpectedBytes {
    /// Records that a thread with this view expects bytes. `arrives`: it arrives in the same operation.
    pub fn expect(&mut self, operation: ObjectOperation, view: &View, arrives: bool) {
        if !arrives && !self.expects.iter().any(|earlier| earlier.happens_before(view)) {
            self.unordered.push(operation);
        }
        self.expects.push(operation);
    }

    /// Records that a thread with this view arrives.
    pub fn arrive(&mut self, operation: ObjectOperation, view: &View) {
        self.unordered.retain(|expect| !expect.happens_before(view));
        self.last_arrival = Some(operation);
    }

    /// Begins the next phase.
    pub fn complete(&mut self) {
        self.found = self.unordered.first().copied().zip(self.last_arrival.take()).map(|(expect, last)| [expect, last]);
        self.expects.clear();
        self.unordered.clear();
    }

    /// Takes what was wrong in the phase that has completed.
    pub fn take_unordered(&mut self) -> Option<UnorderedExpect> {
        self.found.take()
    }
}
