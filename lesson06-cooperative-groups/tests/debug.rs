//! The same bugs and the same silence in debug builds: nvcc's `-G` calls every function of the groups' header. Skipped,
//! aloud, where there is no nvcc.

mod jobs;

use common::Schedule;
use common::testing::{Bench, Table};
use lesson06_cooperative_groups::{KERNELS, ROWS};

#[test]
fn debug_builds_are_judged_alike() {
    let table = Table { program: env!("CARGO_BIN_EXE_lesson06-cooperative-groups"), files: KERNELS, rows: ROWS };
    let files = match table.rebuilt(|path| kernel_build::debug_ptx(env!("CARGO_MANIFEST_DIR"), path)) {
        Ok(files) => files,
        Err(error) => return println!("skipped: {error}"),
    };
    let bench = Bench::open(files, ROWS).expect("a device opens");
    for row in ROWS {
        for kernel in bench.kernels(row.name).unwrap().into_iter().filter(|kernel| !kernel.is_refused()) {
            let size = row.sizes.seeds.min(1024);
            let outcome = bench
                .run(&kernel, size, Schedule::Random, 0..4, |run| jobs::job(run, row.name, &kernel.name, 3))
                .unwrap_or_else(|error| panic!("{}: {error:#}", kernel.name));
            assert_eq!(bench.judge(&kernel, &outcome), Ok(()), "{}", kernel.name);
        }
    }
}
