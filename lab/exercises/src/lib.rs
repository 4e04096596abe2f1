//! Questions to the exercises beside judging answers. [`judged`]: do they refuse right answers that are changed?
//! [`probes`]: do they refuse answers that do nothing at sizes of one class? [`puzzles`] are the data of their pages,
//! and [`executions`] those of drawings in the lessons. `cargo xtask mutants`, `probes`, `web --site` and `drawings`
//! run it.
//!
//! It is apart from `cargo learn`, so that nobody else compiles tree-sitter's grammar of CUDA C++: 31 MB of C, some
//! seconds.

mod changed;
pub mod executions;
pub mod explained;
pub mod judged;
mod operators;
pub mod probes;
pub mod puzzles;
