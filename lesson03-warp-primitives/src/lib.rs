//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//!
//! `main.rs` tells the story, and each topic has its file: its rows, what their kernels are asked, and how they are
//! launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;
use common::words::Catalogue;

/// `say!("key", name = value)`: this lesson's own words, in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::WORDS, common::words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

pub mod blocks;
pub mod catalogue;
pub mod pictures;
pub mod reference;
pub mod there;
pub mod tickets;
pub mod warps;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Threads of a warp.
pub const WARP: usize = 32;

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] = &[
    catalogue::exchange::EXCHANGE,
    catalogue::members::VOTE,
    catalogue::members::MATCH,
    catalogue::members::REDUX,
    tickets::PRE_VOLTA,
    warps::WARP_SUM,
    warps::ALL_REDUCE,
    there::BALLOT_SUM,
    there::ACTIVEMASK_SUM,
    warps::TRANSPOSE,
    warps::LOCKSTEP_SUM,
    blocks::BLOCK_REDUCE_SUM,
    blocks::BLOCK_REDUCE_TAIL,
    blocks::DEVICE_REDUCE,
];
