//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. And each kernel of the
//! catalogue, with one cell for all threads and with one for each. On the emulator; on a GPU with `LESSON_DEVICE=gpu`.

mod counters;
mod fixes;
mod properties;
mod table;

use common::testing::{Bench, Drawn};
use lesson04_atomics::{KERNELS, ROWS, catalogue};

static DRAWN: Drawn = Drawn::on(|| Some(Bench::open(KERNELS, ROWS).expect("a device opens")));
const CASES: u32 = 24;

/// Drawn cases may miss a kernel; here none is.
#[test]
fn the_whole_catalogue_with_one_cell_for_all_and_one_for_each() {
    for row in catalogue::ROWS {
        for cells in [1, 200] {
            DRAWN.are_right(row, 200, 1, |run| catalogue::check(run, 200, cells, 3));
        }
    }
}
