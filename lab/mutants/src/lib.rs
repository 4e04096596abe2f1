//! The exercises held to what students may get wrong: right answers that are changed ([`judged`]), and answers that do
//! nothing at sizes of one class ([`probes`]). `cargo xtask mutants` and `cargo xtask probes` run it.
//!
//! It is apart from `cargo learn`, so that nobody else compiles tree-sitter's grammar of CUDA C++: 31 MB of C, some
//! seconds.

mod changed;
pub mod explained;
pub mod judged;
mod operators;
pub mod probes;
