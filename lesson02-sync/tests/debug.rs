//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and makes
//! every address generic, which neither hides a race nor makes one. Skipped, aloud, where there is no nvcc.

mod properties;

use common::check::{self, Values};
use common::testing::Bench;
use common::{Row, Run};
use lesson02_sync::{KERNELS, ROWS, barrier, block_sum, flag, reference, reverse};
use std::sync::OnceLock;

fn drawn_on() -> Option<&'static Bench> {
    static BENCH: OnceLock<Option<Bench>> = OnceLock::new();
    BENCH.get_or_init(|| Bench::open_debug(env!("CARGO_MANIFEST_DIR"), KERNELS, ROWS)).as_ref()
}

const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = drawn_on() else { return };
    let size = |row: &Row| if row.is_fixed { row.sizes.slide } else { 600 };
    let all = bench.assert_all_kept(size, 0..16, |run, row, kernel| run.each(|| job(run, row, kernel)));
    for (kernel, outcome) in all.iter().filter(|(kernel, _)| kernel.is_broken()) {
        if let Some(found) = outcome.findings.first() {
            assert_eq!(found.runs, 16, "{}: some schedules did not show it", kernel.name);
        }
    }
}

fn job(run: &Run, row: &str, kernel: &str) -> anyhow::Result<()> {
    let n = run.size();
    let ints = Values::seeded(1).ints(n, -1000, 1000);
    match row {
        "reverse" => check::equal(&reverse::in_one_block(run, &ints)?, &reference::reversed(&ints)),
        "globalreverse" if kernel == "globalreverse_broken" => {
            check::equal(&reverse::in_one_kernel(run, &ints)?, &reference::reversed(&ints))
        }
        "globalreverse" => check::equal(&reverse::in_two_kernels(run, &ints)?, &reference::reversed(&ints)),
        "block_sum" => check::equal(&block_sum::sums(run, &ints)?, &reference::sums(&ints, block_sum::BLOCK)),
        "barrier_sides" => {
            let threads = if kernel == "barrier_sides_returns" { 256 } else { n as u32 };
            check::equal(&barrier::smoothed(run, &ints, threads)?, &reference::smoothed(&ints))
        }
        "barrier_elsewhere" => check::equal(&barrier::warp_sums(run, &ints)?, &reference::sums(&ints, 32)),
        _ => check::equal(&flag::squares(run, &ints)?, &reference::squares(&ints)),
    }
}
