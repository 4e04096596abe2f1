//! What the lesson says of a barrier's spellings, by count. On the emulator.

use common::check;
use common::testing::Bench;
use common::{Counter, DeviceKind};
use lesson06_cooperative_groups::{KERNELS, ROWS, groups};

const N: usize = 1024;
/// Blocks of 256 threads, and their warps.
const BLOCKS: u64 = 4;
const WARPS: u64 = 32;

#[test]
fn every_spelling_is_one_barrier_that_each_warp_comes_to_once() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    if bench.device() != DeviceKind::Emulator {
        return println!("skipped: a GPU counts with a profiler of its own");
    }
    let kernels = bench.kernels("block_barrier").unwrap();
    let mut instructions = Vec::new();
    for kernel in kernels.iter().filter(|kernel| !kernel.is_refused()) {
        let values = check::ramp(N);
        let counts = bench.count(kernel, N, |run| run.each(|| groups::turned(run, &values))).unwrap();
        let shared = [counts[Counter::SharedLoads], counts[Counter::SharedStores]];
        assert_eq!(counts[Counter::Barriers], BLOCKS, "{}", kernel.name);
        assert_eq!(counts[Counter::BarrierArrivals], WARPS, "{}", kernel.name);
        assert_eq!(shared, [WARPS, WARPS], "{}", kernel.name);
        instructions.push((kernel.name.as_str(), counts[Counter::Instructions]));
    }
    assert_eq!(instructions.len(), groups::BARRIERS.len());
    // The compiler sees through all of them.
    assert!(instructions.iter().all(|(_, count)| *count == instructions[0].1), "{instructions:?}");
}
