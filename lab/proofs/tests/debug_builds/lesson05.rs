#[path = "../../../../lesson05-dynamic-parallelism/tests/properties/mod.rs"]
mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson05_dynamic_parallelism::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| {
    Bench::open_debug(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lesson05-dynamic-parallelism"), KERNELS, ROWS)
})
.under(properties::SCHEDULES);
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |row: &Row| if row.is_fixed { row.sizes.slide } else { 300 };
    bench.assert_all_kept(size, 0..4);
}
