//! Loads that the compiler may have speculated: a race of such a load counts once its value has an effect.
//!
//! nvcc hoists a load of a variable above the branch that decides whether it is needed, and drops the value afterwards:
//!
//! ```text
//! if (t == 0 && flag) ...     ld.shared r, [flag];  setp p, r, 0;  and.pred p, p, q      q: t == 0
//! t == 0 ? carry : 0          ld.shared r, [carry];                 selp r, r, 0, q
//! ```
//!
//! All threads run the load, and only thread 0 uses what it brings. The CUDA program has no race if only thread 0 ever
//! accesses the variable. So a race of a speculative load is held back until the loaded value has an effect in the
//! thread that loaded it. It has one if it reaches a store, an address, a branch, a shuffle, a vote, an atomic
//! operation, a barrier or a call. If it never does, no run can depend on the race, and it is dropped.
//!
//! [`machine::watch::flow`] says whether a source bit can change a result. By these rules a value dies in an `and` with
//! a defined 0, in the operand that `selp` does not choose, and where its register is overwritten.
//!
//! - [`loads`] decides, from the code alone, which loads may be speculative. All others are judged when they run, as
//!   ever.
//! - [`taint`] follows their values through a warp's registers.
//! - [`reads`] has what the speculative loads of a launch have read, so that later writes are judged against them, and
//!   the races that are held back. They are no part of [`crate::access`], whose cells may let a later read stand for an
//!   earlier one: that is wrong where the later one has no effect.
//!
//! Errs towards a report where a value is spilled to local memory or passed to a function (both count as effects), and
//! where one arithmetic value depends on more than [`taint::MOST_READS`] such loads. Errs towards silence where a
//! register keeps a value across the next execution of the same load by the same thread.

pub mod loads;
pub mod reads;
pub mod taint;
