//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. And each kernel
//! of the catalogue, with one cell for all threads and with one for each. On the emulator; on a GPU with
//! `LESSON_DEVICE=gpu`.

mod counters;
mod executions;
mod fixes;
mod properties;
mod table;

use common::check::InputValues;
use common::testing::{Bench, CaseSource};
use common::{Run, Schedule};
use lesson04_atomics::{KERNELS, ROWS, catalogue, filter};

static DRAWN: CaseSource = CaseSource::on(|| Ok(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 24;

/// A warp looks back over 32 tiles at once. Of 80 tiles of 1024 elements, some find no sum among the 32 before them.
#[test]
fn a_tile_looks_back_further_than_a_warp_reaches() {
    let bench = DRAWN.bench().expect("a device opens");
    let kernel = bench.kernel("filter", "filter_lookback");
    let src = InputValues::seeded(3).with_positive_share(80 * 1024 - 1, 0.5);
    bench.assert_kept(&kernel, src.len(), (&Schedule::ALL, 5), |run| filter::filtered(run, &src, Some(32)));
}

/// Blocks as large as a GPU's, whose last warp counts too.
#[test]
fn large_inputs_have_large_tiles() {
    let bench = DRAWN.bench().expect("a device opens");
    let src = InputValues::seeded(4).with_positive_share(3 * 32 * 352 + 1, 0.9);
    for kernel in ["filter_lookback", "filter_tiles"].map(|name| bench.kernel("filter", name)) {
        let job = |run: &Run| filter::filtered(run, &src, Some(352));
        bench.assert_kept(&kernel, src.len(), (&Schedule::ALL, 6), job);
    }
}

/// Drawn cases may miss a kernel; here none is.
#[test]
fn the_whole_catalogue_with_one_cell_for_all_and_one_for_each() {
    for row in catalogue::ROWS.map(|row| row.name) {
        for cells in [1, 200] {
            DRAWN.are_right(row, 200, 1, |run| catalogue::check(run, 200, cells, 3));
        }
    }
}
