//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and calls
//! the shuffles as functions. Skipped, aloud, where there is no nvcc.

mod jobs;

use common::testing::Bench;
use common::{KernelFile, Schedule};
use lesson03_warp_primitives::{KERNELS, ROWS};
use std::path::Path;

#[test]
fn debug_builds_are_judged_alike() {
    let files = match debug_builds() {
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

/// KERNELS again, from `-G`.
fn debug_builds() -> Result<&'static [KernelFile], kernel_build::Error> {
    let root = kernel_build::repository_root(Path::new(env!("CARGO_MANIFEST_DIR")))?;
    let mut files = Vec::new();
    for file in KERNELS {
        let ptx = kernel_build::ptx_with_flags(&root, file.source_path, &["-G", "-std=c++17"])?;
        files.push(KernelFile { ptx: ptx.leak(), ..*file });
    }
    Ok(files.leak())
}
