//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs` draws
//! for the optimised build, `debug.rs` for nvcc's debug build; `PROPTEST_CASES` says how many cases.

use super::{CASES, drawn_on, jobs};
use common::testing;
use common::{Kernel, Run, Schedule};
use proptest::prelude::*;

/// Runs every correct kernel of a row once; it must be right, and on the emulator silent.
pub fn are_right(row: &str, size: usize, seed: u64, values: u64) {
    let Some(bench) = drawn_on() else { return };
    let is_right = |kernel: &&Kernel| !kernel.is_broken() && !kernel.is_refused();
    for kernel in bench.kernels(row).unwrap().iter().filter(is_right) {
        let job = |run: &Run| run.each(|| jobs::job(run, row, &kernel.name, values));
        let outcome = bench.run(kernel, size, Schedule::Random, seed..seed + 1, job);
        let outcome = outcome.unwrap_or_else(|error| panic!("{} of {size}: {error:#}", kernel.name));
        assert_eq!(bench.judge(kernel, &outcome), Ok(()), "{} of {size}, seed {seed}, values {values}", kernel.name);
    }
}

/// The sizes at which warps and blocks end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![
            0usize, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 513, 1023, 1024, 1025
        ]),
        0usize..5000,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn a_warp_does_it_for_any_number_of_elements(n in sizes(), seed: u64, values: u64) {
        for row in ["pre_volta", "warp_sum", "all_reduce", "transpose", "lockstep_sum"] {
            are_right(row, n, seed, values);
        }
    }

    #[test]
    fn blocks_of_any_number_of_warps_add_up(n in sizes(), seed: u64, values in 0u64..64) {
        are_right("block_reduce_sum", n, seed, values);
    }

    #[test]
    fn a_block_of_any_number_of_threads_adds_up(threads in 1usize..=1024, seed: u64, values: u64) {
        are_right("block_reduce_tail", threads, seed, values);
    }

    #[test]
    fn two_launches_add_up_any_vector(n in sizes(), seed: u64, values: u64) {
        are_right("device_reduce", n, seed, values);
    }

    #[test]
    fn every_thread_that_takes_part_makes_any_size_right(n in 0usize..=1024, seed: u64, values: u64) {
        are_right("ballot_sum", n, seed, values);
    }

    #[test]
    fn masks_that_are_known_or_voted_survive_a_split_warp(warps in 0usize..=31, seed: u64, values: u64) {
        are_right("activemask_sum", 32 * warps, seed, values);
    }

    #[test]
    fn members_of_any_mask_answer_as_counted(seed: u64, values: u64) {
        for row in ["exchange", "vote", "match", "redux"] {
            are_right(row, 32, seed, values);
        }
    }
}
