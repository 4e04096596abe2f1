//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::check::InputValues;
use common::testing;
use common::{Run, Schedule};
use lesson04_atomics::{catalogue, counter, filter, histogram, inc, last_block, lock, maximum, sum};
use proptest::prelude::*;

/// The sizes at which blocks, warps and tiles end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![0usize, 1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 513, 1023, 1024, 1025, 2049]),
        0usize..5000,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn every_thread_is_counted(blocks in 1u32..20, threads in 1u32..=1024, seed: u64) {
        for row in ["counter", "counter_scope"] {
            DRAWN.are_right(row, (blocks * threads) as usize, seed, |run| counter::counted(run, (blocks, threads)));
        }
    }

    #[test]
    fn every_rung_adds_up_to_the_same(n in sizes(), seed: u64, values: u64, high in 0i32..400_000) {
        let values = InputValues::seeded(values).ints(n, -high, high);
        DRAWN.are_right("vector_sum", n, seed, |run| sum::summed(run, &values));
        DRAWN.are_right("last_block", n, seed, |run| last_block::finished_by_the_last(run, &values));
    }

    #[test]
    fn every_lock_keeps_the_sum(n in 0usize..600, seed: u64, values: u64, high in 0i32..400_000) {
        let values = InputValues::seeded(values).ints(n, -high, high);
        for row in ["lock", "lock_scope"] {
            DRAWN.are_right(row, n, seed, |run| lock::summed(run, &values));
        }
    }

    #[test]
    fn locks_end_whoever_waits(n in 0usize..70, accounts in 2u32..9, seed: u64, values: u64) {
        let values = InputValues::seeded(values).ints(n, -1000, 1000);
        DRAWN.are_right("lock_syncwarp", n, seed, |run| lock::summed(run, &values));
        DRAWN.are_right("lock_order", n, seed, |run| lock::transferred(run, &values, accounts));
    }

    #[test]
    fn tickets_are_all_different_and_slots_are_dealt_evenly(n in sizes(), slots in 1u32..300, seed: u64) {
        DRAWN.are_right("atomic_inc", n, seed, |run| inc::dealt(run, n as u32, slots));
    }

    #[test]
    fn the_largest_int_is_found_whatever_its_sign(
        n in sizes(), seed: u64, values: u64, low in i32::MIN..=0, high in 0..=i32::MAX, locals in 1u32..2000,
    ) {
        let values = InputValues::seeded(values).ints(n, low, high);
        DRAWN.are_right("array_max", n, seed, |run| maximum::largest(run, &values, locals));
    }

    #[test]
    fn the_largest_float_is_found_among_nans_zeros_and_infinities(
        values in prop::collection::vec(
            prop_oneof![
                4 => any::<f32>(),
                2 => -2.0f32..2.0,
                1 => prop::sample::select(
                    vec![0.0, -0.0, f32::NAN, -f32::NAN, f32::NEG_INFINITY, f32::MIN_POSITIVE / 4.0]
                ),
            ],
            0..600,
        ),
        seed: u64,
    ) {
        DRAWN.are_right("atomic_max_float", values.len(), seed, |run| maximum::largest_float(run, &values));
    }

    #[test]
    fn every_byte_is_counted(n in sizes(), seed: u64, values: u64, different in 1u64..=256) {
        // One value is full contention, 256 hardly any.
        let mut values = InputValues::seeded(values);
        let bytes: Vec<u8> = (0..n).map(|_| values.below(different) as u8).collect();
        for row in ["histogram", "histogram_barrier"] {
            DRAWN.are_right(row, n, seed, |run| histogram::binned(run, &bytes));
        }
    }

    #[test]
    fn every_filter_keeps_the_positive(n in sizes(), seed: u64, values: u64, percent in 0u32..=100) {
        let src = InputValues::seeded(values).with_positive_share(n, f64::from(percent) / 100.0);
        DRAWN.are_right("filter", n, seed, |run| filter::filtered(run, &src, None));
        DRAWN.are_right("filter_activemask", n, seed, |run| filter::scattered(run, &src));
    }

    #[test]
    fn tiles_of_every_size_are_filtered(
        warps in 1u32..=4, tiles in 0usize..5, rest in -1i64..=1, seed: u64, values: u64, percent in 0u32..=100,
    ) {
        // A tile that is full, one element more, one less.
        let threads = 32 * warps;
        let n = (tiles as i64 * i64::from(32 * threads) + rest).max(0) as usize;
        let src = InputValues::seeded(values).with_positive_share(n, f64::from(percent) / 100.0);
        if let Some(bench) = DRAWN.bench() {
            for kernel in ["filter_lookback", "filter_tiles"].map(|name| bench.kernel("filter", name)) {
                bench.assert_kept(&kernel, n, (&Schedule::ALL, seed), |run| filter::filtered(run, &src, Some(threads)));
            }
        }
    }

    /// Every kernel of the catalogue is drawn again and again: one cell, few cells, a cell for each thread.
    #[test]
    fn every_atomic_has_a_history(
        n in 0u32..1200, cells in 1u32..=catalogue::MOST_SHARED_CELLS, seed: u64, inputs: u64,
    ) {
        if let Some(bench) = DRAWN.bench() {
            for row in catalogue::ROWS.map(|row| row.name) {
                let kernels = bench.kernels(row).unwrap();
                let kernel = &kernels[(inputs % kernels.len() as u64) as usize];
                let job = |run: &Run| catalogue::check(run, n, cells, inputs);
                bench.assert_kept(kernel, n as usize, (&[Schedule::Random], seed), job);
            }
        }
    }
}
