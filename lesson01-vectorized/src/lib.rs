//! Lesson 01: the same bytes in fewer loads.
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

pub mod access;
pub mod copy;
pub mod figure;
pub mod reference;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] =
    &[copy::COPY, copy::INT2_TAIL, copy::INT4_TAIL, copy::INT4_OFFSET, copy::LADDER, access::ACCESS];
