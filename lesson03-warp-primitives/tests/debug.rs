//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and calls
//! the shuffles as functions. Skipped, aloud, where there is no nvcc.

mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson03_warp_primitives::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| Bench::open_debug(env!("CARGO_MANIFEST_DIR"), KERNELS, ROWS));
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |row: &Row| row.sizes.seeds;
    bench.assert_all_kept(size, 0..4);
}
