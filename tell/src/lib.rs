//! Presentation of runs: by a lesson, by `cargo learn`, by whatever runs a program.
//!
//! A finding in words is `report`'s. Here it becomes a result for editors ([`sarif`]), a page on which one plays the
//! run ([`page`], and [`run_page`] for a kernel that belongs to no lesson), a page of explanation ([`explain`]).
//! [`say()`] prints, [`arguments`] has the words of a command line, and [`Bilingual`] is a text in every language.
//!
//! Invariant: data in, text out. Nothing here runs a kernel, but to see whether a page could ([`game`]).

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod arguments;
pub mod explain;
pub mod extents;
pub mod game;
pub mod json;
mod out;
pub mod page;
pub mod run_page;
mod said;
pub mod sarif;
mod wrap;

pub use kernel_build::of_system;
pub use out::{in_a_line, put, say};
pub use said::Bilingual;
