//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs` draws
//! for the optimised build, `debug.rs` for nvcc's debug build; `PROPTEST_CASES` says how many cases.

use super::{CASES, drawn_on};
use common::check::{self, Values};
use common::testing;
use common::{Run, Schedule};
use lesson04_atomics::{catalogue, counter, filter, histogram, lock, maximum, reference, sum};
use proptest::prelude::*;

/// Runs one kernel once under a random schedule; it must be right, and on the emulator silent.
pub fn is_right(row: &str, kernel: &str, size: usize, seed: u64, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) {
    if let Some(bench) = drawn_on() {
        bench.assert_kept((row, kernel), size, (&[Schedule::Random], seed), job);
    }
}

/// The sizes at which blocks, warps and tiles end, and others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        prop::sample::select(vec![0usize, 1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 513, 1023, 1024, 1025, 2049]),
        0usize..5000,
    ]
}

pub const CATALOGUE: [(&str, &[&str]); 4] = [
    ("atomic_add", catalogue::ADD),
    ("atomic_add_sm90", catalogue::ADD_SM90),
    ("atomic_arithmetic", catalogue::ARITHMETIC),
    ("atomic_bits", catalogue::BITS),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn every_thread_is_counted(blocks in 1u32..20, threads in 1u32..=1024, seed: u64) {
        for (row, kernel) in [("counter", "counter_correct"), ("counter_scope", "counter_scope_correct")] {
            is_right(row, kernel, (blocks * threads) as usize, seed, |run| {
                check::equal_value(counter::count(run, blocks, threads)?, (blocks * threads) as i32)
            });
        }
    }

    #[test]
    fn every_rung_adds_up_to_the_same(n in sizes(), seed: u64, values: u64, high in 0i32..400_000) {
        let values = Values::seeded(values).ints(n, -high, high);
        let expected = reference::sum(&values).unwrap();
        for kernel in ["vector_sum_correct", "vector_sum_warp", "vector_sum_block"] {
            is_right("vector_sum", kernel, n, seed, |run| check::equal_value(sum::sum(run, &values)?, expected));
        }
    }

    #[test]
    fn every_lock_keeps_the_sum(n in 0usize..600, seed: u64, values: u64, high in 0i32..400_000) {
        let values = Values::seeded(values).ints(n, -high, high);
        let expected = reference::sum(&values).unwrap();
        for (row, kernel) in [
            ("lock", "lock_correct"),
            ("lock", "lock_acquire"),
            ("lock", "lock_warp"),
            ("lock", "lock_atomic"),
            ("lock_scope", "lock_scope_correct"),
        ] {
            is_right(row, kernel, n, seed, |run| check::equal_value(lock::sum(run, &values)?, expected));
        }
    }

    #[test]
    fn locks_end_whoever_waits(n in 0usize..70, accounts in 2u32..9, seed: u64, values: u64) {
        let values = Values::seeded(values).ints(n, -1000, 1000);
        let expected = reference::sum(&values).unwrap();
        is_right("lock_syncwarp", "lock_syncwarp_correct", n, seed, |run| {
            check::equal_value(lock::sum(run, &values)?, expected)
        });
        let expected = reference::balances(&values, accounts as usize);
        is_right("lock_order", "lock_order_correct", n, seed, |run| {
            check::equal(&lock::balances(run, &values, accounts)?, &expected)
        });
    }

    #[test]
    fn tickets_are_all_different_and_slots_are_dealt_evenly(n in sizes(), slots in 1u32..300, seed: u64) {
        let n = n as u32;
        is_right("atomic_inc", "atomic_inc_correct", n as usize, seed, |run| {
            let (tickets, count) = counter::inc::tickets(run, n)?;
            check::equal_value(count, n)?;
            check::multiset(&tickets, &(0..n).collect::<Vec<_>>())
        });
        is_right("atomic_inc", "atomic_inc_ring", n as usize, seed, |run| {
            let (dealt, next) = counter::inc::ring(run, n, slots)?;
            check::equal_value(next, n % slots)?;
            check::multiset(&dealt, &(0..n).map(|turn| turn % slots).collect::<Vec<_>>())
        });
    }

    #[test]
    fn the_largest_int_is_found_whatever_its_sign(
        n in sizes(), seed: u64, values: u64, low in i32::MIN..=0, high in 0..=i32::MAX, locals in 1u32..2000,
    ) {
        let values = Values::seeded(values).ints(n, low, high);
        let expected = reference::maximum(&values);
        for kernel in ["array_max_correct", "array_max_tree"] {
            is_right("array_max", kernel, n, seed, |run| check::equal_value(maximum::of_ints(run, &values)?, expected));
        }
        is_right("array_max", "array_max_locals", n, seed, |run| {
            check::equal_value(maximum::by_locals(run, &values, locals)?, expected)
        });
    }

    #[test]
    fn the_largest_float_is_found_among_nans_zeros_and_infinities(
        values in prop::collection::vec(
            prop_oneof![
                4 => any::<f32>(),
                2 => -2.0f32..2.0,
                1 => prop::sample::select(vec![0.0, -0.0, f32::NAN, -f32::NAN, f32::NEG_INFINITY, f32::MIN_POSITIVE / 4.0]),
            ],
            0..600,
        ),
        seed: u64,
    ) {
        let expected = reference::maximum_float(&values);
        for kernel in ["atomic_max_float_correct", "atomic_max_float_bits"] {
            is_right("atomic_max_float", kernel, values.len(), seed, |run| {
                check::equal_value(maximum::of_floats(run, &values)?, expected)
            });
        }
    }

    #[test]
    fn every_byte_is_counted(n in sizes(), seed: u64, values: u64, different in 1u64..=256) {
        // One value is full contention, 256 hardly any.
        let mut values = Values::seeded(values);
        let bytes: Vec<u8> = (0..n).map(|_| values.below(different) as u8).collect();
        let expected = reference::histogram(&bytes);
        for (row, kernel) in [
            ("histogram", "histogram_correct"),
            ("histogram", "histogram_global"),
            ("histogram_barrier", "histogram_barrier_correct"),
        ] {
            is_right(row, kernel, n, seed, |run| check::equal(&histogram::of_bytes(run, &bytes)?, &expected));
        }
    }

    #[test]
    fn every_filter_keeps_the_positive(n in sizes(), seed: u64, values: u64, percent in 0u32..=100) {
        let src = Values::seeded(values).with_positive_share(n, f64::from(percent) / 100.0);
        let expected = reference::filter(&src);
        for kernel in ["filter_correct", "filter_shared", "filter_warp", "filter_groups"] {
            is_right("filter", kernel, n, seed, |run| {
                filter::same_elements(&filter::filtered(run, kernel, &src)?, &expected)
            });
        }
        is_right("filter", "filter_scan", n, seed, |run| {
            check::equal(&filter::filtered(run, "filter_scan", &src)?, &expected)
        });
        is_right("filter_activemask", "filter_activemask_correct", n, seed, |run| {
            let places = filter::places(run, &src)?;
            check::multiset(&filter::scattered(&src, &places, expected.len())?, &expected)
        });
    }

    /// Every kernel of the catalogue is drawn again and again: one cell, few cells, a cell for each thread.
    #[test]
    fn every_atomic_has_a_history(n in 0u32..1200, cells in 1u32..=catalogue::MOST_SHARED_CELLS, seed: u64, inputs: u64) {
        for (row, kernels) in CATALOGUE {
            let kernel = kernels[(inputs % kernels.len() as u64) as usize];
            is_right(row, kernel, n as usize, seed, |run| catalogue::run(run, kernel, n, cells, inputs));
        }
    }
}
