//! Prints the table of `docs/proofs.md` about locks and barriers: `cargo run --release -p proofs --example locks` in
//! `lab/`. An argument is the time for each search, in seconds, 60 if it is not given; a second one is the algorithm. A
//! weakened kernel is not explored at more threads once a bound has ended a search: it is known to be wrong.

#[path = "../tests/locks/locks.rs"]
mod locks;

use emulator::explore::Bounds;
use locks::{ALGORITHMS, Algorithm, CORRECT, Found};
use std::time::{Duration, Instant};

/// Blocks, and threads in each.
const SHAPES: [[u32; 2]; 5] = [[2, 1], [3, 1], [2, 2], [3, 3], [4, 4]];

fn main() {
    let seconds = std::env::args().nth(1).map_or(60, |word| word.parse().expect("a number of seconds"));
    let bounds = Bounds { executions: u64::MAX, runs: u64::MAX, time: Duration::from_secs(seconds) };
    println!("| kernel | blocks × threads | executions | complete | racing | wrong result | time |");
    println!("|---|---|---|---|---|---|---|");
    let only = std::env::args().nth(2);
    for algorithm in ALGORITHMS.iter().filter(|algorithm| only.as_deref().is_none_or(|only| only == algorithm.name)) {
        for variant in [CORRECT].iter().chain(&algorithm.weakened) {
            for shape in SHAPES.into_iter().filter(|&shape| fits(algorithm, shape)) {
                let begin = Instant::now();
                let found = algorithm.explore(variant, shape, bounds);
                println!("{}", row(algorithm, variant, shape, &found, begin.elapsed()));
                if found.wrong > 0 && !found.is_complete {
                    break;
                }
            }
        }
    }
}

/// The barrier wants as many threads in a block as blocks.
fn fits(algorithm: &Algorithm, [blocks, threads]: [u32; 2]) -> bool {
    algorithm.name != "xf_barrier" || threads >= blocks
}

fn row(algorithm: &Algorithm, variant: &str, [blocks, threads]: [u32; 2], found: &Found, took: Duration) -> String {
    let Found { executions, is_complete, racing, mistaken, .. } = *found;
    let is_complete = if is_complete { "yes" } else { "no" };
    let took = took.as_secs_f64();
    let kernel = format!("{}_{variant}", algorithm.name);
    let counts = format!("{executions} | {is_complete} | {racing} | {mistaken}");
    format!("| `{kernel}` | {blocks} × {threads} | {counts} | {took:.1} s |")
}
