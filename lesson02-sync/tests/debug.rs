//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and makes
//! every address generic, which neither hides a race nor makes one. Skipped, aloud, where there is no nvcc.

use common::check::{self, Values};
use common::testing::{Bench, Table};
use common::{Run, Schedule};
use lesson02_sync::{KERNELS, ROWS, barrier, block_sum, flag, reference, reverse};

#[test]
fn debug_builds_are_judged_alike() {
    let table = Table { program: env!("CARGO_BIN_EXE_lesson02-sync"), files: KERNELS, rows: ROWS };
    let files = match table.rebuilt(|path| kernel_build::debug_ptx(env!("CARGO_MANIFEST_DIR"), path)) {
        Ok(files) => files,
        Err(error) => return println!("skipped: {error}"),
    };
    let bench = Bench::open(files, ROWS).expect("a device opens");
    for row in ROWS {
        for kernel in bench.kernels(row.name).unwrap() {
            let size = if row.is_fixed { row.sizes.slide } else { 600 };
            let outcome = bench
                .run(&kernel, size, Schedule::Random, 0..16, |run| run.each(|| job(run, row.name, &kernel.name)))
                .unwrap_or_else(|error| panic!("{}: {error:#}", kernel.name));
            assert_eq!(bench.judge(&kernel, &outcome), Ok(()), "{}", kernel.name);
            if let (true, Some(found)) = (kernel.is_broken(), outcome.findings.first()) {
                assert_eq!(found.runs, 16, "{}: some schedules did not show it", kernel.name);
            }
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
