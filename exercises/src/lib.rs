//! `cargo learn`: exercises in CUDA concurrency, judged on the emulated GPU.
//!
//! `catalog/` holds the exercises (AUTHORS.md describes the format); [`catalog`] and [`spec`] read them; [`judge`] says
//! whether an answer is right, in a process of its own ([`child`]; [`confine`] for programs of the host); [`verify`] holds
//! the catalogue to what it promises. [`desk`] and [`progress`] are the student's side: copies that updates leave alone, and
//! what is solved. [`grade`] judges a class. [`new`] and [`pack`] are for authors.

pub mod budget;
pub mod case;
pub mod catalog;
pub mod cheats;
pub mod child;
pub mod compile;
pub mod confine;
pub mod desk;
pub mod doctor;
pub mod expression;
pub mod grade;
pub mod headers;
pub mod host;
pub mod judge;
pub mod marks;
pub mod new;
pub mod pack;
pub mod progress;
pub mod puzzle;
pub mod reason;
pub mod report;
pub mod sandbox;
pub mod session;
pub mod spec;
pub mod stage;
pub mod stored;
pub mod toolchain;
pub mod values;
pub mod verdict;
pub mod verify;
pub mod watch;
