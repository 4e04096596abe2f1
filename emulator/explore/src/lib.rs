//! Every execution of a small program that the PTX memory consistency model allows.
//!
//! Begin with [`search`]: it says which algorithm this is, and why no execution is missed or visited twice. An
//! [`execution`] is a graph of [`event`]s. Whether it is valid stands in [`axioms`], which reads as the ISA does. What
//! an execution leaves open, the orders of fences and of writes, is solved in [`orders`]. A [`program`] is whatever can
//! run its threads with given values; [`launch`] makes one of a kernel's launch. An [`interleaving`] puts an
//! execution's events in an order for a person.

pub mod axioms;
pub mod event;
pub mod execution;
pub mod interleaving;
pub mod launch;
pub mod orders;
mod past;
pub mod program;
pub mod relation;
pub mod search;
pub mod shared;
pub mod visitor;

pub use event::{Access, AccessKind, Action, AtomicUpdate, BarrierPart, EventId, Location, ThreadPlace};
pub use execution::Execution;
pub use interleaving::Interleaving;
pub use orders::CoherenceOrder;
pub use program::{Feature, Interrupt, Program, Refusal, ThreadRun, ThreadState, Values};
pub use search::explore;
pub use shared::SharedSearch;
pub use visitor::{Bounds, Summary, Visited, Visitor};
