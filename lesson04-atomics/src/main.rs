//! Lesson 04: many threads, one place in memory. Run: cargo run -p lesson04-atomics      Look for: what each broken
//! kernel is reported for, though some are right each time.
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `COUNTER` in
//! `counter.rs`.

use common::{Failure, Lesson};
use lesson04_atomics::{
    KERNELS, ROWS, catalogue, counter, figure, filter, histogram, inc, last_block, lock, maximum, sum,
};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson04", KERNELS, ROWS)?;

    // One counter: a million threads; and threads of many blocks with atomics of one block.
    lesson.run(&counter::COUNTER)?;
    lesson.run(&counter::SCOPE)?;

    // One sum: the fewer threads go to the one place, the faster.
    lesson.run(&sum::VECTOR_SUM)?;

    // Every atomic function there is, in every type: a catalogue, apart from this story.
    catalogue::ROWS.iter().try_for_each(|row| lesson.run(row))?;

    // Two functions that are easily misread or missing.
    lesson.run(&inc::ATOMIC_INC)?;
    lesson.run(&maximum::ATOMIC_MAX_FLOAT)?;

    // Critical sections: compare-and-swap makes a lock. What it must order, whom its holder may wait for, what it
    // costs.
    lesson.run(&lock::LOCK)?;
    lesson.run(&lock::SCOPE)?;
    lesson.run(&lock::SYNCWARP)?;
    lesson.run(&lock::ORDER)?;

    // One maximum: one place, then a thousand, then a tree.
    lesson.run(&maximum::ARRAY_MAX)?;

    // No place at all: each block leaves its part, and the last one adds them up.
    lesson.run(&last_block::LAST_BLOCK)?;

    // Many bins: 256 places instead of one; a copy of them for each block.
    lesson.run(&histogram::HISTOGRAM)?;
    lesson.run(&histogram::BARRIER)?;

    // A place for each: a counter that hands out places in an array.
    lesson.run(&filter::FILTER)?;
    if lesson.plots(&filter::FILTER) {
        lesson.plot(&figure::of_filters(&lesson)?)?;
    }
    lesson.run(&filter::ACTIVEMASK)?;

    lesson.finish()
}
