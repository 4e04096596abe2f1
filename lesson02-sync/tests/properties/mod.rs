//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs` draws
//! for the optimised build, `debug.rs` for nvcc's debug build; `PROPTEST_CASES` says how many cases.

use super::{CASES, drawn_on};
use common::check::{self, Values};
use common::testing;
use common::{Run, Schedule};
use lesson02_sync::{barrier, block_sum, flag, reference, reverse};
use proptest::prelude::*;

/// Runs one kernel once under a random schedule; it must be right, and on the emulator silent.
fn is_right(row: &str, kernel: &str, size: usize, seed: u64, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) {
    if let Some(bench) = drawn_on() {
        bench.assert_kept((row, kernel), size, (&[Schedule::Random], seed), job);
    }
}

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
        let input = Values::seeded(values).ints(n, i32::MIN, i32::MAX);
        is_right("reverse", "reverse_correct", n, seed, |run| {
            check::equal(&reverse::in_one_block(run, &input)?, &reference::reversed(&input))
        });
    }

    #[test]
    fn a_grid_turns_any_number_of_elements_round(n in sizes(), seed: u64, values: u64) {
        let input = Values::seeded(values).ints(n, i32::MIN, i32::MAX);
        is_right("globalreverse", "globalreverse_correct", n, seed, |run| {
            check::equal(&reverse::in_two_kernels(run, &input)?, &reference::reversed(&input))
        });
    }

    #[test]
    fn each_block_adds_up_its_elements(n in sizes(), seed: u64, values: u64, high in 0i32..8_000_000) {
        let input = Values::seeded(values).ints(n, -high, high);
        is_right("block_sum", "block_sum_correct", n, seed, |run| {
            check::equal(&block_sum::sums(run, &input)?, &reference::sums(&input, block_sum::BLOCK))
        });
    }

    #[test]
    fn a_curve_of_any_length_is_smoothed(n in 1usize..=256, more in 0u32..=64, seed: u64, values: u64) {
        let input = Values::seeded(values).ints(n, -500_000_000, 500_000_000);
        let expected = reference::smoothed(&input);
        let threads = n as u32;
        is_right("barrier_sides", "barrier_sides_correct", n, seed, |run| {
            check::equal(&barrier::smoothed(run, &input, threads)?, &expected)
        });
        is_right("barrier_sides", "barrier_sides_returns", n, seed, |run| {
            check::equal(&barrier::smoothed(run, &input, (threads + more).min(256))?, &expected)
        });
    }

    #[test]
    fn each_warp_adds_up_its_values(warps in 1usize..=32, seed: u64, values: u64, high in 0i32..60_000_000) {
        let input = Values::seeded(values).ints(32 * warps, -high, high);
        is_right("barrier_elsewhere", "barrier_elsewhere_correct", 32 * warps, seed, |run| {
            check::equal(&barrier::warp_sums(run, &input)?, &reference::sums(&input, 32))
        });
    }

    #[test]
    fn every_message_arrives_behind_its_flag(n in sizes(), seed: u64, values: u64) {
        let input = Values::seeded(values).ints(n, -46340, 46340);
        let expected = reference::squares(&input);
        for (row, kernel) in [("flag", "flag_correct"), ("flag", "flag_acquire"), ("flag_scope", "flag_scope_correct")] {
            is_right(row, kernel, n, seed, |run| check::equal(&flag::squares(run, &input)?, &expected));
        }
    }
}
