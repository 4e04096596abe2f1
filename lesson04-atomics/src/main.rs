//! Lesson 04: many threads, one place in memory.
//! Run: cargo run -p lesson04-atomics      Look for: what each broken kernel is reported for, though some are right each time.
//!
//! A row of the table in `lib.rs` is one job for several kernels, broken ones first: the same input, the same launch, and
//! two questions, kept apart. Is the answer right, and is it right by design?

use common::{Failure, Lesson};
use lesson04_atomics::{KERNELS, ROWS, catalogue, figure};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson04", KERNELS, ROWS)?;

    // One counter: a million threads; and threads of many blocks with atomics of one block.
    lesson.run("counter")?;
    lesson.run("counter_scope")?;

    // One sum: the fewer threads go to the one place, the faster.
    lesson.run("vector_sum")?;

    // Every atomic function there is, in every type: a catalogue, apart from this story.
    catalogue::run(&lesson)?;

    // Two functions that are easily misread or missing.
    lesson.run("atomic_inc")?;
    lesson.run("atomic_max_float")?;

    // Critical sections: compare-and-swap makes a lock. What it must order, whom its holder may wait for, what it costs.
    lesson.run("lock")?;
    lesson.run("lock_scope")?;
    lesson.run("lock_syncwarp")?;
    lesson.run("lock_order")?;

    // One maximum: one place, then a thousand, then a tree.
    lesson.run("array_max")?;

    // No place at all: each block leaves its part, and the last one adds them up.
    lesson.run("last_block")?;

    // Many bins: 256 places instead of one; a copy of them for each block.
    lesson.run("histogram")?;
    lesson.run("histogram_barrier")?;

    // A place for each: a counter that hands out places in an array.
    lesson.run("filter")?;
    if lesson.plots("filter") {
        lesson.plot(&figure::of_filters(&lesson)?)?;
    }
    lesson.run("filter_activemask")?;

    lesson.finish()
}
