//! Lesson 07: beyond the block, where a copy or a launch runs ahead and only a wait brings it back.
//!
//! `main.rs` tells the story, and each topic has its file: its rows, what their kernels are asked, and how they are
//! launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;

pub mod bins;
pub mod chain;
pub mod mirror;
pub mod product;
pub mod reference;
pub mod ring;
pub mod store;
pub mod tiles;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] =
    &[tiles::TILE, ring::RING, store::STORE, product::PRODUCT, chain::CHAIN, bins::BINS, bins::LARGE, mirror::MIRROR];
