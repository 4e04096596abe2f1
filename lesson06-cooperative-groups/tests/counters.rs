//! Checks by count what the lesson says of a barrier's spellings and of asynchronous copies. On the emulator.

use common::check;
use common::testing::{Bench, skipped};
use common::{Counter, DeviceKind};
use lesson06_cooperative_groups::{KERNELS, ROWS, copies, groups};

const N: usize = 1024;
/// Blocks of 256 threads, and their warps.
const BLOCKS: u64 = 4;
const WARPS: u64 = 32;

#[test]
fn every_spelling_is_one_barrier_that_each_warp_comes_to_once() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    if bench.device() != DeviceKind::Emulator {
        return skipped::because(skipped::WITHOUT, "a GPU counts with a profiler of its own");
    }
    let kernels = bench.kernels("block_barrier").unwrap();
    let mut instructions = Vec::new();
    for kernel in kernels.iter().filter(|kernel| !kernel.is_refused()) {
        let values = check::ramp(N);
        let counts = bench.count(kernel, N, |run| groups::turned(run, &values)).unwrap();
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

/// 4 bytes a lane: a warp's copy takes 4 sectors, as a load does, and no register and no store to shared memory.
#[test]
fn an_asynchronous_copy_is_a_load_and_a_store_in_one() {
    let bench = Bench::open(KERNELS, ROWS).expect("a device opens");
    if bench.device() != DeviceKind::Emulator {
        return skipped::because(skipped::WITHOUT, "a GPU counts with a profiler of its own");
    }
    let (n, requests) = (4096, 4096 / 32);
    for kernel in bench.kernels("async_copy").unwrap().iter().filter(|kernel| !kernel.is_broken()) {
        let values = check::ramp(n);
        let counts = bench.count(kernel, n, |run| copies::copied(run, &values)).unwrap();
        let all = [Counter::GlobalLoadRequests, Counter::GlobalLoadSectors, Counter::SharedLoads];
        assert_eq!(all.map(|counter| counts[counter]), [requests, 4 * requests, requests], "{}", kernel.name);
        let as_loads = [Counter::GlobalLoads, Counter::GlobalLoadBytes, Counter::SharedStores];
        let as_copies = [Counter::AsyncCopies, Counter::AsyncCopyBytes];
        let found = (as_loads.map(|counter| counts[counter]), as_copies.map(|counter| counts[counter]));
        let bytes = 4 * n as u64;
        let is_async = kernel.name != "async_copy_loads";
        let wanted = if is_async { ([0; 3], [requests, bytes]) } else { ([requests, bytes, requests], [0; 2]) };
        assert_eq!(found, wanted, "{}", kernel.name);
    }
}
