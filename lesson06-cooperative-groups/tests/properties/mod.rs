//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::check::InputValues;
use common::testing;
use lesson06_cooperative_groups::{copies, costs, groups, reduce, reverse, sum};
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
    fn any_group_adds_up_its_values(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("reduce_sum", n, seed, |run| reduce::summed_by_group(run, &values));
    }

    #[test]
    fn a_vector_of_any_length_is_added_up(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("sum_kernel_block", n, seed, |run| sum::summed(run, &values));
        DRAWN.are_right("sum_unified", n, seed, |run| sum::summed_where_it_lies(run, &values));
    }

    #[test]
    fn every_spelling_is_a_barrier(blocks in 1usize..5, seed: u64, values: u64) {
        let values = ints(256 * blocks, values);
        DRAWN.are_right("block_barrier", values.len(), seed, |run| groups::turned(run, &values));
    }

    #[test]
    fn any_number_of_barriers_is_passed(n in sizes(), seed: u64, barriers in 0u32..6) {
        DRAWN.are_right("barrier_cost", n, seed, |run| costs::stepped(run, barriers));
    }

    #[test]
    fn every_part_has_its_own_sum(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("partition", n, seed, |run| groups::parted(run, &values));
    }

    #[test]
    fn everyone_who_is_there_has_a_number(n in sizes(), tenths in 0u32..=10, seed: u64, values: u64) {
        let values = InputValues::seeded(values).with_positive_share(n, f64::from(tenths) / 10.0);
        DRAWN.are_right("agg_inc", n, seed, |run| groups::ticketed(run, &values));
    }

    #[test]
    fn tiles_are_copied_and_turned_round(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("async_copy", n, seed, |run| copies::copied(run, &values));
    }

    #[test]
    fn a_vector_of_any_length_is_turned_round(n in sizes(), seed: u64, values: u64) {
        let values = ints(n, values);
        DRAWN.are_right("grid_reverse", n, seed, |run| reverse::reversed(run, &values));
    }
}
