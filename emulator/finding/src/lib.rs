//! The emulator's knowledge of a program, as data: who did what, where, why that is a bug, and what may fix it.
//!
//! At the bottom of the emulator: all other parts share these types, and nothing here computes anything. Text, JSON and
//! pages are made of them elsewhere, each alone.

mod access;
mod barrier;
mod cause;
mod edit;
mod finding;
mod identity;
#[cfg(feature = "json")]
pub mod json;
mod key;
mod lines;
mod memory;
mod name;
mod place;
mod site;
mod slug;
mod threads;
mod unordered;

pub use access::*;
pub use barrier::*;
pub use cause::*;
pub use edit::*;
pub use finding::*;
pub use identity::Identity;
pub use memory::*;
pub use name::{StaticName, plain_name};
pub use place::*;
pub use site::*;
pub use slug::*;
pub use threads::{Blocks, Threads};
pub use unordered::*;
