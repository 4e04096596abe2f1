#[path = "../../../../lesson04-atomics/tests/properties/mod.rs"]
mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson04_atomics::{KERNELS, ROWS};

static DRAWN: CaseSource =
    CaseSource::on(|| Bench::open_debug(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lesson04-atomics"), KERNELS, ROWS));
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |row: &Row| if row.is_fixed { row.sizes.slide } else { row.sizes.seeds.min(1500) };
    bench.assert_all_kept(size, 0..4);
}
