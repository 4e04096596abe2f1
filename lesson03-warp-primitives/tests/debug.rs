//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and calls
//! the shuffles as functions. Skipped, aloud, where there is no nvcc.

mod jobs;

use common::Schedule;
use common::testing::{Bench, Table};
use lesson03_warp_primitives::{KERNELS, ROWS};

#[test]
fn debug_builds_are_judged_alike() {
    let table = Table { program: env!("CARGO_BIN_EXE_lesson03-warp-primitives"), files: KERNELS, rows: ROWS };
    let files = match table.rebuilt(|path| kernel_build::debug_ptx(env!("CARGO_MANIFEST_DIR"), path)) {
        Ok(files) => files,
        Err(error) => return println!("skipped: {error}"),
    };
    let bench = Bench::open(files, ROWS).expect("a device opens");
    for row in ROWS {
        for kernel in bench.kernels(row.name).unwrap().into_iter().filter(|kernel| !kernel.is_refused()) {
            let outcome = bench
                .run(&kernel, row.sizes.seeds, Schedule::Random, 0..4, |run| {
                    run.each(|| jobs::job(run, row.name, &kernel.name, 3))
                })
                .unwrap_or_else(|error| panic!("{}: {error:#}", kernel.name));
            assert_eq!(bench.judge(&kernel, &outcome), Ok(()), "{}", kernel.name);
        }
    }
}
