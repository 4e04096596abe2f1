//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::check::InputValues;
use common::testing;
use lesson07_beyond_the_block::{bins, chain, mirror, product, ring, store, tiles};
use proptest::prelude::*;

fn ints(n: usize, values: u64) -> Vec<i32> {
    InputValues::seeded(values).ints(n, -1000, 1000)
}

/// The sizes at which blocks, warps and tiles end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![0usize, 1, 2, 3, 31, 32, 33, 63, 64, 65, 95, 96, 97, 255, 256, 257, 511, 512, 513]),
        0usize..3000,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn tiles_are_multiplied_and_reversed(n in sizes(), seed: u64, values: u64, factors: u64) {
        let (values, factors) = (ints(n, values), ints(n, factors));
        DRAWN.are_right("tile", n, seed, |run| tiles::multiplied(run, &values, &factors));
    }

    #[test]
    fn all_tiles_pass_through_the_ring(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("ring", n, seed, |run| ring::streamed(run, &values));
    }

    #[test]
    fn squares_are_stored_and_added_up(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("store", n, seed, |run| store::squared(run, &values));
    }

    #[test]
    fn products_of_all_shapes_are_added(
        rows in 0usize..130, columns in 0usize..70, depth in 0usize..260, seed: u64, values: u64
    ) {
        let mut values = InputValues::seeded(values);
        let (a, b) = (values.ints(rows * depth, -4, 4), values.ints(columns * depth, -4, 4));
        let shape = product::ProductShape { rows, columns, depth };
        DRAWN.are_right("product", rows * depth, seed, |run| product::multiplied(run, &a, &b, shape));
    }

    #[test]
    fn shares_are_of_the_whole_sum(n in sizes(), seed: u64, values: u64) {
        let values = InputValues::seeded(values).ints(n, 1, 1000);
        DRAWN.are_right("chain", n, seed, |run| chain::shared_out(run, &values));
    }
    #[test]
    fn all_values_are_counted_once(n in sizes(), seed: u64, values: u64, end in 1..bins::COUNTS as i32) {
        let values = InputValues::seeded(values).ints(n, 0, end - 1);
        DRAWN.are_right("bins", n, seed, |run| bins::counted(run, &values, bins::COUNTS));
    }

    #[test]
    fn all_values_are_counted_once_in_two_blocks(n in sizes(), seed: u64, values: u64, end in 1i32..1 << 16) {
        let values = InputValues::seeded(values).ints(n, 0, end - 1);
        DRAWN.are_right("large", n, seed, |run| bins::counted(run, &values, bins::LARGE_COUNTS));
    }

    #[test]
    fn a_matrix_is_transposed_in_place(side in 0usize..100, seed: u64, values: u64) {
        let values = ints(side * side, values);
        DRAWN.are_right("mirror", side * side, seed, |run| mirror::transposed(run, &values, side));
    }
}
