//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and makes
//! every address generic, which neither hides a race nor makes one. Skipped, aloud, where there is no nvcc.

mod properties;

use common::check::{self, Values};
use common::testing::Bench;
use common::{Row, Run};
use lesson04_atomics::{KERNELS, ROWS, catalogue, counter, filter, histogram, lock, maximum, reference, sum};
use std::sync::OnceLock;

fn drawn_on() -> Option<&'static Bench> {
    static BENCH: OnceLock<Option<Bench>> = OnceLock::new();
    BENCH.get_or_init(|| Bench::open_debug(env!("CARGO_MANIFEST_DIR"), KERNELS, ROWS)).as_ref()
}

const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = drawn_on() else { return };
    let size = |row: &Row| if row.is_fixed { row.sizes.slide } else { row.sizes.seeds.min(1500) };
    bench.assert_all_kept(size, 0..4, |run, row, kernel| run.each(|| job(run, row, kernel)));
}

fn job(run: &Run, row: &str, kernel: &str) -> anyhow::Result<()> {
    let n = run.size();
    let ints = Values::seeded(1).ints(n, -1000, 1000);
    let expected = reference::filter(&ints);
    match row {
        "counter" | "counter_scope" => {
            let threads = (n as u32).min(250);
            let blocks = n as u32 / threads;
            check::equal_value(counter::count(run, blocks, threads)?, (blocks * threads) as i32)
        }
        "lock" | "lock_scope" | "lock_syncwarp" => {
            check::equal_value(lock::sum(run, &ints)?, reference::sum(&ints).expect("it fits"))
        }
        "lock_order" => check::equal(&lock::balances(run, &ints, 2)?, &reference::balances(&ints, 2)),
        "vector_sum" => check::equal_value(sum::sum(run, &ints)?, reference::sum(&ints).expect("it fits")),
        "atomic_inc" if kernel == "atomic_inc_ring" => {
            let turns: Vec<u32> = (0..n as u32).map(|turn| turn % 7).collect();
            check::multiset(&counter::inc::ring(run, n as u32, 7)?.0, &turns)
        }
        "atomic_inc" => check::equal_value(counter::inc::tickets(run, n as u32)?.1, n as u32),
        "atomic_max_float" => {
            let floats: Vec<f32> = ints.iter().map(|&value| value as f32 / 8.0).collect();
            check::equal_value(maximum::of_floats(run, &floats)?, reference::maximum_float(&floats))
        }
        "array_max" if kernel == "array_max_locals" => {
            check::equal_value(maximum::by_locals(run, &ints, 100)?, reference::maximum(&ints))
        }
        "array_max" => check::equal_value(maximum::of_ints(run, &ints)?, reference::maximum(&ints)),
        "histogram" | "histogram_barrier" => {
            let bytes: Vec<u8> = ints.iter().map(|&value| (value & 0x3f) as u8).collect();
            check::equal(&histogram::of_bytes(run, &bytes)?, &reference::histogram(&bytes))
        }
        "filter" => filter::same_elements(&filter::filtered(run, kernel, &ints)?, &expected),
        "filter_activemask" => {
            let places = filter::places(run, &ints)?;
            filter::same_elements(&filter::scattered(&ints, &places, expected.len())?, &expected)
        }
        _ => catalogue::run(run, kernel, n as u32, 7, 1),
    }
}
