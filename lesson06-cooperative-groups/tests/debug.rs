//! The same bugs and the same silence in debug builds: nvcc's `-G` calls every function of the groups' header. Skipped,
//! aloud, where there is no nvcc.

mod jobs;

use common::Row;
use common::testing::Table;
use lesson06_cooperative_groups::{KERNELS, ROWS};

#[test]
fn debug_builds_are_judged_alike() {
    let table = Table { program: env!("CARGO_BIN_EXE_lesson06-cooperative-groups"), files: KERNELS, rows: ROWS };
    let size = |row: &Row| row.sizes.seeds.min(1024);
    table.assert_kept_in_debug(env!("CARGO_MANIFEST_DIR"), size, 0..4, |run, row, kernel| {
        jobs::job(run, row, kernel, 3)
    });
}
