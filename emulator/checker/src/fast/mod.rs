//! The fast race checker.
//!
//! The plain one ([`rule::history`](crate::rule::history)) keeps every access and compares each new one with all of
//! them. This one comes to the same verdict, except where `docs/memory-model.md` and `docs/limits.md` say otherwise,
//! and is fast by three means:
//!
//! 1. *Fewer accesses are kept.* An access is dropped once a newer one covers it (`record`). What a word needs beyond
//!    its last write and read is in a side table (`side_table`, `word_accesses`, `entries`, `readers`). What has been
//!    observed is in the side table's chains (`observation`, `chains`, `write_chain`).
//! 2. *Many accesses are kept as one.* A row of a warp is one record for each 32 bytes (`cells`), and an entry of the
//!    side table has a mask of lanes (`entries`).
//! 3. *Many lanes are judged at once* (`rows`, `one_word`), where that is known to find no race. Else each lane is
//!    judged by itself (`judge`), and races are found only there, in `displaced`, and in
//!    [`speculation`](crate::speculation).
//!
//! Each file begins with the property of the [rule](crate::rule) that makes it right. `lab/proofs/` holds the two
//! checkers to each other (`tests/brute_force/`, `tests/files/alike.rs`), and `cargo xtask defects` checks
//! that these tests notice defects seeded here.
//!
//! Read `checker`, the entry point, then `judge`, `cell`, `cells`, `record`, and the rest as needed.

pub mod cell;
pub mod cells;
pub mod chains;
pub mod checker;
pub mod displaced;
pub mod entries;
mod host;
pub mod judge;
pub mod observation;
pub mod one_word;
mod ordered;
pub mod readers;
pub mod record;
mod rows;
pub mod side_table;
pub mod word_accesses;
pub mod write_chain;
