//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and calls
//! the shuffles as functions. Skipped, aloud, where there is no nvcc.

mod jobs;

use common::Row;
use common::testing::Table;
use lesson03_warp_primitives::{KERNELS, ROWS};

#[test]
fn debug_builds_are_judged_alike() {
    let table = Table { program: env!("CARGO_BIN_EXE_lesson03-warp-primitives"), files: KERNELS, rows: ROWS };
    let size = |row: &Row| row.sizes.seeds;
    table.assert_kept_in_debug(env!("CARGO_MANIFEST_DIR"), size, 0..4, |run, row, kernel| {
        run.each(|| jobs::job(run, row, kernel, 3))
    });
}
