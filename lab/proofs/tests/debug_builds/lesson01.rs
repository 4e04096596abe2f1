#[path = "../../../../lesson01-vectorized/tests/properties/mod.rs"]
mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson01_vectorized::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| {
    Bench::open_debug(concat!(env!("CARGO_MANIFEST_DIR"), "/../../lesson01-vectorized"), KERNELS, ROWS)
});
const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = DRAWN.bench() else { return };
    let size = |_: &Row| 600;
    let all = bench.assert_all_kept(size, 0..8);
    for (kernel, outcome) in all.iter().filter(|(kernel, _)| kernel.is_broken()) {
        if let Some(found) = outcome.findings.first() {
            assert_eq!(found.runs, 8, "{}: some schedules did not show it", kernel.name);
        }
    }
}
