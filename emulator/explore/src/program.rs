//! The program that a search explores, seen through the events of its threads.

use crate::event::{Action, EventId, Location, ThreadPlace};
use rustc_hash::FxHashMap;

/// The values that reads read, as far as they are known.
pub type Values = FxHashMap<EventId, u64>;

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
    /// It has come back to the state that it was in at an earlier read, and has written nothing since. The loop between
    /// the two adds no execution.
    ///
    /// The index of its first event after that read began, itself included.
    Spins { since: usize },
}

/// A program whose threads are told what their reads read.
pub trait Program {
    fn threads(&self) -> Vec<ThreadPlace>;

    fn initial(&self, location: Location) -> u64;

    /// Called before the first round. Returns false if this is not the program that the other workers of the search
    /// have.
    fn prepare(&mut self) -> bool {
        true
    }

    /// A round of the search begins.
    fn begins(&mut self) {}

    /// Hands what a run has shown that asked for a restart to the programs of all workers, for the next round.
    fn publishes(&mut self) {}

    /// Runs all threads from the beginning, as far as the values go. Events depend on the values alone.
    fn run(&mut self, values: &Values) -> Result<Vec<ThreadRun>, Interrupt>;
}

/// The reason why a run gives no events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// More is known now of what threads share: all runs so far had too few events.
    Restart,
    /// The program does something that is not explored.
    Refused(Refusal),
}

/// The feature of a program for which it is not explored, and the instruction that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub feature: Feature,
    /// In the kernel's code.
    pub pc: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Accesses of several threads overlap and differ in size or address.
    MixedSizes,
    /// Accesses of 16 bytes that several threads make.
    Wide,
    AsynchronousCopy,
    BarrierObject,
    Image,
    /// A call of the device runtime: a launch by a kernel, or memory from the heap.
    DeviceRuntime,
    ClusterBarrier,
    /// An instruction of a warpgroup (`wgmma`, `setmaxnreg`).
    Warpgroup,
    /// More threads than a search can take.
    Threads,
    /// More instructions than a run may take.
    Instructions,
    /// More events than a step of the search can take.
    Events,
}

impl Feature {
    /// In JSON, and as a key of messages.
    pub fn name(self) -> &'static str {
        match self {
            Feature::MixedSizes => "mixed-sizes",
            Feature::Wide => "wide",
            Feature::AsynchronousCopy => "asynchronous-copy",
            Feature::BarrierObject => "barrier-object",
            Feature::Image => "image",
            Feature::DeviceRuntime => "device-runtime",
            Feature::ClusterBarrier => "cluster-barrier",
            Feature::Warpgroup => "warpgroup",
            Feature::Threads => "threads",
            Feature::Instructions => "instructions",
            Feature::Events => "events",
        }
    }
}
