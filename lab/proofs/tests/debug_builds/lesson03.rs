#[path = "../../../../lesson03-warp-primitives/tests/properties/mod.rs"]
mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson03_warp_primitives::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| {
    Bench::open_debug(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lesson03-warp-primitives"), KERNELS, ROWS)
});
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |row: &Row| row.sizes.seeds;
    bench.assert_all_kept(size, 0..4);
}
