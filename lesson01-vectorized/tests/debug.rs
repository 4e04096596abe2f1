//! The same bugs and the same silence in debug builds: nvcc's `-G` makes every address generic and keeps vector accesses,
//! tails and their tests. Skipped, aloud, where there is no nvcc.

mod properties;

use common::check::{self, Values};
use common::testing::Bench;
use common::{Row, Run};
use cust::prelude::*;
use lesson01_vectorized::{KERNELS, ROWS, access, copy, reference};
use std::sync::OnceLock;

fn drawn_on() -> Option<&'static Bench> {
    static BENCH: OnceLock<Option<Bench>> = OnceLock::new();
    BENCH.get_or_init(|| Bench::open_debug(env!("CARGO_MANIFEST_DIR"), KERNELS, ROWS)).as_ref()
}

const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = drawn_on() else { return };
    let size = |_: &Row| 600;
    let all = bench.assert_all_kept(size, 0..8, |run, row, kernel| run.each(|| job(run, row, kernel)));
    for (kernel, outcome) in all.iter().filter(|(kernel, _)| kernel.is_broken()) {
        if let Some(found) = outcome.findings.first() {
            assert_eq!(found.runs, 8, "{}: some schedules did not show it", kernel.name);
        }
    }
}

fn job(run: &Run, row: &str, kernel: &str) -> anyhow::Result<()> {
    let n = run.size();
    if row == "access" {
        let input = Values::seeded(1).ints(access::needed(kernel, n, 5), -1000, 1000);
        return check::equal(
            &access::read(run, kernel, &input.as_slice().as_dbuf()?, n, 5)?,
            &reference::read(kernel, &input, n, 5),
        );
    }
    let input = Values::seeded(1).ints(copy::with_a_rest(row, n), -1000, 1000);
    let skip = usize::from(row == "int4_offset");
    check::equal(&copy::copied(run, kernel, &input, skip)?, &input)
}
