//! Checks by counters what the lesson says about meeting less often: one atomic instead of 32, and one place or many.
//! On the emulator.

use common::check::InputValues;
use common::testing::{Bench, skipped};
use common::{Counter, Counts, DeviceKind, Run};
use lesson04_atomics::{KERNELS, ROWS, filter, histogram, sum};

const N: usize = 4096;

fn count(row: &str, name: &str, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) -> Option<Counts> {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    if bench.device() != DeviceKind::Emulator {
        skipped::because(skipped::WITHOUT, "a GPU counts with a profiler of its own");
        return None;
    }
    let kernel = bench.kernel(row, name);
    Some(bench.count(&kernel, N, job).unwrap())
}

/// 4096 elements, all kept: a thread's atomics, a warp's, a block's, none.
#[test]
fn a_filter_needs_an_atomic_a_thread_or_a_warp() {
    let src = InputValues::seeded(1).with_positive_share(N, 1.0);
    assert!(src.iter().all(|&value| value > 0));
    // filter_shared hands out places in shared memory, 8 rounds of 256 a block, and asks once for each round.
    // filter_lookback and filter_tiles have 4 tiles of 32 * 32: one ticket each, or one request each and one reset.
    for (kernel, operations, busiest) in [
        ("filter_correct", N, N),
        ("filter_shared", N + N / 256, 2048),
        ("filter_warp", N / 32, N / 32),
        ("filter_groups", N / 32, N / 32),
        ("filter_scan", 0, 0),
        ("filter_lookback", 4, 4),
        ("filter_tiles", 4 + 1, 4 + 1),
    ] {
        let Some(counts) = count("filter", kernel, |run| filter::filtered(run, &src, None)) else { return };
        assert_eq!(counts[Counter::AtomicOperations], operations as u64, "{kernel}");
        assert_eq!(counts.total().busiest_address, busiest as u64, "{kernel}");
    }
}

/// 4096 elements, 16 blocks of 8 warps: every element, every warp, every block adds once.
#[test]
fn a_sum_needs_an_atomic_a_thread_a_warp_or_a_block() {
    let values = InputValues::seeded(2).ints(N, -5, 14);
    for (kernel, operations) in [("vector_sum_correct", N), ("vector_sum_warp", N / 32), ("vector_sum_block", N / 256)]
    {
        let Some(counts) = count("vector_sum", kernel, |run| sum::summed(run, &values)) else { return };
        assert_eq!(counts[Counter::AtomicOperations], operations as u64, "{kernel}");
        assert_eq!(counts.total().atomic_addresses, 1, "{kernel}");
    }
}

/// Lanes with bins of their own never meet, whatever the bytes are; only the 256 sums of a block go to one place.
#[test]
fn lanes_with_bins_of_their_own_never_meet() {
    for bytes in [vec![7; N], (0..N).map(|i| i as u8).collect()] {
        let Some(counts) = count("histogram", "histogram_lanes", |run| histogram::binned(run, &bytes)) else { return };
        assert_eq!(counts[Counter::AtomicOperations], (N + 256) as u64);
        assert_eq!(counts[Counter::AtomicConflicts], 0);
        assert_eq!(counts[Counter::SharedLoadConflicts], 0);
    }
}

/// Equal bytes meet in one bin, 32 at a time; bytes in turn never meet in a warp.
#[test]
fn a_histogram_of_equal_bytes_goes_one_by_one() {
    let in_turn: Vec<u8> = (0..N).map(|i| i as u8).collect();
    for (bytes, conflicts, busiest) in [(vec![7; N], N - N / 32, N), (in_turn, 0, N / 256)] {
        let Some(counts) = count("histogram", "histogram_global", |run| histogram::binned(run, &bytes)) else { return };
        assert_eq!(counts[Counter::AtomicOperations], N as u64);
        assert_eq!(counts[Counter::AtomicConflicts], conflicts as u64);
        assert_eq!(counts.total().busiest_address, busiest as u64);
    }
}
