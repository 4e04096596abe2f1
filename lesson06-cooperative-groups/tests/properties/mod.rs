//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs` draws
//! for the optimised build, `debug.rs` for nvcc's debug build; `PROPTEST_CASES` says how many cases.

use super::{CASES, drawn_on, jobs};
use common::testing;
use common::{Schedule, Variant};
use proptest::prelude::*;

/// Runs every correct kernel of a row once under a random schedule; each must be right, and on the emulator silent.
pub fn are_right(row: &'static str, size: usize, seed: u64) {
    let Some(bench) = drawn_on() else { return };
    for kernel in bench.kernels(row).unwrap() {
        if !matches!(kernel.variant, Variant::Correct | Variant::Ladder) {
            continue;
        }
        let job = |run: &common::Run| jobs::job(run, row, &kernel.name, seed);
        let outcome = bench.run(&kernel, size, Schedule::Random, seed..seed + 1, job).unwrap();
        assert_eq!(bench.judge(&kernel, &outcome), Ok(()), "{} of {size} elements, seed {seed}", kernel.name);
    }
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
    fn any_group_adds_up_its_values(n in sizes(), seed: u64) {
        are_right("reduce_sum", n, seed);
    }

    #[test]
    fn a_vector_of_any_length_is_added_up(n in sizes(), seed: u64) {
        are_right("sum_kernel_block", n, seed);
        are_right("sum_unified", n, seed);
    }

    #[test]
    fn every_spelling_is_a_barrier(blocks in 1usize..5, seed: u64) {
        are_right("block_barrier", 256 * blocks, seed);
    }

    #[test]
    fn every_part_has_its_own_sum(n in sizes(), seed: u64) {
        are_right("partition", n, seed);
    }

    #[test]
    fn everyone_who_is_there_has_a_number(n in sizes(), seed: u64) {
        are_right("agg_inc", n, seed);
    }

    #[test]
    fn tiles_are_copied_and_turned_round(n in sizes(), seed: u64) {
        are_right("async_copy", n, seed);
    }

    #[test]
    fn a_vector_of_any_length_is_turned_round(n in sizes(), seed: u64) {
        are_right("grid_reverse", n, seed);
    }
}
