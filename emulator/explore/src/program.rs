//! What is explored: a program, seen through the events of its threads.

use crate::event::{Action, EventId, Location, ThreadPlace};

/// The events of a thread, as far as it runs with the values that its reads have.
#[derive(Clone, Debug, Default)]
pub struct ThreadRun {
    /// In program order. A read whose value is not known is part of them; so is what follows it, as far as that does
    /// not depend on the value.
    pub events: Vec<Action>,
    pub state: ThreadState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadState {
    #[default]
    Ended,
    /// It goes on once a read gets its value, or others come to a barrier.
    Waits,
    /// With the values that it has read it is where it has been before, and has written nothing since. It waits for
    /// another value of the read with this index, so this run adds nothing.
    Spins { at: usize },
}

/// A program whose threads are told what their reads read.
pub trait Program {
    fn threads(&self) -> Vec<ThreadPlace>;

    fn initial(&self, location: Location) -> u64;

    /// Runs all threads from the beginning, as far as the values go: `value` gives that of each read, if it is known.
    /// Events depend on the values alone.
    fn run(&mut self, value: &dyn Fn(EventId) -> Option<u64>) -> Vec<ThreadRun>;
}
