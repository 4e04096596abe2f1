//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::check::InputValues;
use common::testing;
use lesson02_sync::{barrier, block_sum, flag, reverse};
use proptest::prelude::*;

/// The sizes at which blocks, warps and tiles end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![0usize, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512, 513, 2049]),
        0usize..5000,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn a_block_turns_any_number_of_elements_round(n in 1usize..=64, seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, i32::MIN, i32::MAX);
        DRAWN.are_right("reverse", n, seed, |run| reverse::in_a_block(run, &input));
    }

    #[test]
    fn a_grid_turns_any_number_of_elements_round(n in sizes(), seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, i32::MIN, i32::MAX);
        DRAWN.are_right("globalreverse", n, seed, |run| reverse::in_a_grid(run, &input));
    }

    #[test]
    fn each_block_adds_up_its_elements(n in sizes(), seed: u64, values: u64, high in 0i32..8_000_000) {
        let input = InputValues::seeded(values).ints(n, -high, high);
        DRAWN.are_right("block_sum", n, seed, |run| block_sum::summed(run, &input));
    }

    #[test]
    fn a_curve_of_any_length_is_smoothed(n in 1usize..=256, spare in 0usize..=64, seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, -500_000_000, 500_000_000);
        DRAWN.are_right("barrier_sides", n, seed, |run| barrier::smoothed(run, &input, spare));
    }

    #[test]
    fn each_warp_adds_up_its_values(warps in 1usize..=32, seed: u64, values: u64, high in 0i32..60_000_000) {
        let input = InputValues::seeded(values).ints(32 * warps, -high, high);
        DRAWN.are_right("barrier_elsewhere", 32 * warps, seed, |run| barrier::summed_by_warp(run, &input));
    }

    #[test]
    fn every_message_arrives_behind_its_flag(n in sizes(), seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, -46340, 46340);
        for row in ["flag", "flag_scope"] {
            DRAWN.are_right(row, n, seed, |run| flag::squared_elsewhere(run, &input));
        }
    }
}
