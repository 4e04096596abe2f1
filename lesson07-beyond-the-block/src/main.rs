//! Lesson 07: beyond the block. Run: cargo run -p lesson07-beyond-the-block      Look for: what waits for a copy, and
//! what only waits for threads.
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `TILE` in
//! `tiles.rs`.

use common::{Failure, Lesson};
use lesson07_beyond_the_block::{KERNELS, ROWS, bins, chain, mirror, product, ring, store, tiles};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson07", KERNELS, ROWS)?;

    // Bulk copies into shared memory, and the barrier object that counts their bytes.
    lesson.run(&tiles::TILE)?;

    // Copies that run ahead through a ring of stages.
    lesson.run(&ring::RING)?;

    // Bulk copies out of shared memory, through the asynchronous proxy.
    lesson.run(&store::STORE)?;

    // Products of matrices, which read their tiles through the same proxy.
    lesson.run(&product::PRODUCT)?;

    // Launches that begin before the one ahead of them has ended.
    lesson.run(&chain::CHAIN)?;

    // Blocks of a cluster, which add to each other's shared memory.
    lesson.run(&bins::BINS)?;

    // Bins that need two blocks.
    lesson.run(&bins::LARGE)?;

    // Blocks that read each other's shared memory.
    lesson.run(&mirror::MIRROR)?;

    lesson.finish()
}
