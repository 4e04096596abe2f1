//! The machine that runs a kernel: grid, blocks, warps, groups of threads.
//!
//! Every thread has its own program counter. A warp keeps its threads as a short list of
//! groups that stand at the same instruction; a branch splits a group, and where groups
//! meet again they may become one. When they do is the schedule's choice and never the
//! kernel's to rely on.

pub mod access;
mod accessed;
pub mod arrivals;
pub mod async_copies;
mod async_stores;
mod barrier;
mod block;
mod builtin;
pub mod bulk;
mod bulk_copies;
mod bulk_moves;
mod call;
mod caller;
mod cluster;
mod collective;
pub mod copies;
mod delay;
mod device_calls;
pub mod ending;
mod failures;
pub mod grid_barrier;
pub mod grids;
pub mod group;
mod images;
pub mod launch;
mod matrix;
pub mod mbarrier;
mod mismatch;
mod misplaced;
mod misuse;
mod printf;
pub mod products;
pub mod queue;
pub mod runtime;
pub mod sites;
pub mod stack;
mod standing;
mod stop;
mod stuck;
mod tensor_copies;
mod tensor_maps;
pub mod unwatched;
mod warp;
mod wgmma;
pub mod worker;
