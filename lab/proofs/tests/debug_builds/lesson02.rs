#[path = "../../../../lesson02-sync/tests/properties/mod.rs"]
mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson02_sync::{KERNELS, ROWS};

static DRAWN: CaseSource =
    CaseSource::on(|| Bench::open_debug(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lesson02-sync"), KERNELS, ROWS));
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |row: &Row| if row.is_fixed { row.sizes.slide } else { 600 };
    let all = bench.assert_all_kept(size, 0..16);
    for (kernel, outcome) in all.iter().filter(|(kernel, _)| kernel.is_broken()) {
        if let Some(found) = outcome.findings.first() {
            assert_eq!(found.runs, 16, "{}: some schedules did not show it", kernel.name);
        }
    }
}
