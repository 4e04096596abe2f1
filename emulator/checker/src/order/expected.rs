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

    fn is_of_thread(&self, other: &ObjectOperation) -> bool {
        (self.block, self.warp, self.lane) == (other.block, other.warp, other.lane)
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
    /// Expected bytes that no arrival so far comes after.
    unordered: Vec<ObjectOperation>,
    last_arrival: Option<ObjectOperation>,
    /// A mistake in a complete phase that no thread has found complete yet.
    found: Option<UnorderedExpect>,
}

impl ExpectedBytes {
    /// Records that a thread with this view expects bytes. `arrives`: it arrives in the same operation.
    pub fn expect(&mut self, operation: ObjectOperation, view: &View, arrives: bool) {
        let is_before = |earlier: &ObjectOperation| earlier.is_of_thread(&operation) || earlier.happens_before(view);
        if !arrives && !self.expects.iter().any(is_before) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn by(lane: usize, clock: Clock) -> ObjectOperation {
        ObjectOperation { block: 0, warp: 0, lane, clock, site: 0 }
    }

    #[test]
    fn bytes_expected_earlier_by_the_same_thread_keep_the_phase_open() {
        let mut bytes = ExpectedBytes::default();
        bytes.expect(by(0, 1), &View::default(), true);
        bytes.arrive(by(0, 1), &View::default());
        bytes.expect(by(0, 2), &View::default(), false);
        bytes.complete();
        assert!(bytes.take_unordered().is_none());
    }

    #[test]
    fn an_arrival_of_another_thread_must_come_after_them() {
        let mut bytes = ExpectedBytes::default();
        for is_ordered in [false, true] {
            bytes.expect(by(1, 3), &View::default(), false);
            let mut view = View::default();
            view.raise(0, 0, 0b10, if is_ordered { 3 } else { 2 });
            bytes.arrive(by(0, 4), &view);
            bytes.complete();
            let found = bytes.take_unordered().map(|both| both.map(|operation| operation.lane));
            assert_eq!(found, (!is_ordered).then_some([1, 0]));
        }
    }
}
