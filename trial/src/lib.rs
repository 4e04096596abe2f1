//! A run, and what many of them add up to: for lessons, for exercises, and for any program.
//!
//! A [`RunId`] is one run, exactly: a replay token ([`ReplayToken`]) writes it, and a [`Batch`] is many that share all
//! but the seed. What came of them is an [`Outcome`], in which a finding that several runs show is one
//! ([`MergedFinding`]).
//!
//! Whatever can be made again is a [`Subject`]. From a run that fails it gives a smaller one ([`look_for_smaller`]) and
//! what else that shows ([`look_for_hints`]). What can be changed too is [`Fixable`]: then [`fix`] tries what might
//! help.
//!
//! Invariant: nothing here knows a device or a driver. Which runs are made, and how often, is each front end's own.

// Before the others, which use its macro.
#[macro_use]
mod speech;

mod batch;
mod counts;
mod fix;
mod hints;
mod kept;
mod outcome;
mod run_id;
mod schedule;
mod smallest;
mod steps;
mod subject;
pub mod testing;
pub mod token;
mod tried;
mod wrong;
mod wrote;

pub use batch::{Batch, FUEL, FULL_CHECKS_UP_TO, fuel};
pub use counts::{CountedLaunch, Counts};
pub use fix::Fix;
pub use hints::look_for_hints;
pub use kept::{Kept, misfit};
pub use outcome::{FirstWrong, MergedFinding, Outcome, PeerTime, RunRecord, SHOWN, Summary, add_note};
pub use run_id::RunId;
pub use schedule::{Schedule, policies};
pub use smallest::{Smallest, look_for_smaller};
pub use steps::execution_lines;
pub use subject::Subject;
pub use token::ReplayToken;
pub use tried::{Fixable, KernelToFix, Proof, fix};
pub use wrong::{ElementAt, Mismatch, Wrong};
pub use wrote::LastWriter;
