//! The same bugs and the same silence in debug builds: nvcc's `-G` makes every address generic and keeps vector
//! accesses, tails and their tests. Skipped, aloud, where there is no nvcc.

mod properties;

use common::Row;
use common::testing::{Bench, CaseSource};
use lesson01_vectorized::{KERNELS, ROWS};

static DRAWN: CaseSource = CaseSource::on(|| Bench::open_debug(env!("CARGO_MANIFEST_DIR"), KERNELS, ROWS));
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
