//! Lesson 02: a barrier is an order, not a delay.
//! Run: cargo run -p lesson02-sync      Look for: which two lines each broken kernel leaves unordered.
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `REVERSE` in
//! `reverse.rs`.

use common::{Failure, Lesson};
use lesson02_sync::{KERNELS, ROWS, barrier, block_sum, flag, reverse};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson02", KERNELS, ROWS)?;

    // Inside a block: __syncthreads() between a store and another thread's load, once or in every round.
    lesson.run(&reverse::REVERSE)?;
    lesson.run(&block_sum::BLOCK_SUM)?;

    // Between blocks: no barrier reaches beyond its block; the end of a kernel does.
    lesson.run(&reverse::GLOBALREVERSE)?;

    // In a branch: two barriers where one is meant, and a barrier for lanes that wait elsewhere.
    lesson.run(&barrier::SIDES)?;
    lesson.run(&barrier::ELSEWHERE)?;

    // By a flag: a block waits for another. What the flag must bring along, and how far.
    lesson.run(&flag::FLAG)?;
    lesson.run(&flag::SCOPE)?;

    lesson.finish()
}
