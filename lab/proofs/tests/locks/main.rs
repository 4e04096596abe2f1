//! Locks and a barrier of the literature: a correct kernel has no wrong execution, and one with a line weakened has
//! one.
//!
//! Their table at more threads: `cargo run --release -p proofs --example locks` in `lab/`.

mod locks;

use emulator::explore::Bounds;
use locks::{ALGORITHMS, Algorithm, CORRECT, Found};
use std::time::Duration;

/// Blocks, and threads in each: two and three threads, and two in each of two blocks.
const SHAPES: [[u32; 2]; 3] = [[2, 1], [3, 1], [2, 2]];
/// The barrier's blocks have as many threads as there are blocks, at least.
const SQUARES: [[u32; 2]; 2] = [[2, 2], [3, 3]];
const BOUNDS: Bounds = Bounds { executions: 100_000, runs: u64::MAX, time: Duration::from_secs(1000) };

fn algorithm(name: &str) -> &'static Algorithm {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name).expect("it is in the table")
}

/// Explores the correct kernel at each shape. Returns the numbers of executions.
fn correct(name: &str, shapes: &[[u32; 2]]) -> Vec<u64> {
    let explored = |&shape| {
        let found = algorithm(name).explore(CORRECT, shape, BOUNDS);
        assert!(found.is_complete && found.executions > 0 && found.wrong == 0, "{name} {shape:?}: {found:?}");
        found.executions
    };
    shapes.iter().map(explored).collect()
}

/// Explores the weakened kernels at one shape.
fn weakened(name: &str, shape: [u32; 2]) -> [Found; 3] {
    algorithm(name).weakened.map(|variant| {
        let found = algorithm(name).explore(variant, shape, BOUNDS);
        assert!(found.is_complete && found.wrong > 0, "{name} {variant} {shape:?}: {found:?}");
        found
    })
}

#[test]
fn threads_take_a_lock_in_each_of_their_orders() {
    assert_eq!(correct("cas_lock", &SHAPES), [2, 6, 24]);
}

#[test]
fn a_test_and_test_and_set_lock_is_right() {
    correct("ttas_lock", &SHAPES[..2]);
}

#[test]
fn threads_draw_tickets_in_each_of_their_orders() {
    assert_eq!(correct("ticket_lock", &SHAPES), [2, 6, 24]);
}

#[test]
fn a_barrier_between_blocks_is_right() {
    assert_eq!(correct("xf_barrier", &SQUARES), [1, 1]);
}

#[test]
fn a_lock_with_a_fence_or_a_scope_weakened_is_wrong() {
    for name in ["cas_lock", "ticket_lock", "ttas_lock"] {
        for found in weakened(name, SHAPES[0]) {
            assert!(found.racing > 0 && found.mistaken > 0, "{name}: {found:?}");
        }
    }
}

#[test]
fn a_barrier_with_a_line_weakened_lets_threads_pass_early() {
    for found in weakened("xf_barrier", SQUARES[0]) {
        assert!(found.racing > 0 && found.mistaken > 0, "{found:?}");
    }
}

#[test]
fn a_narrow_scope_is_wide_enough_within_a_block() {
    for name in ["cas_lock", "ticket_lock", "ttas_lock"] {
        for variant in ["block_fence", "block_scope"] {
            let found = algorithm(name).explore(variant, [1, 2], BOUNDS);
            assert!(found.is_complete && found.racing == 0 && found.mistaken == 0, "{name} {variant}: {found:?}");
        }
    }
}
