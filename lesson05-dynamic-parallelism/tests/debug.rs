//! The same bugs and the same silence in debug builds: nvcc's `-G` moves every value through local memory and makes
//! every address generic, which neither hides a race nor makes one. Skipped, aloud, where there is no nvcc.

mod properties;

use common::check::{self, Values};
use common::testing::Bench;
use common::{Row, Run};
use lesson05_dynamic_parallelism::plane::View;
use lesson05_dynamic_parallelism::reference::Division;
use lesson05_dynamic_parallelism::{KERNELS, ROWS, children, reference, set, sort};
use std::sync::OnceLock;

fn drawn_on() -> Option<&'static Bench> {
    static BENCH: OnceLock<Option<Bench>> = OnceLock::new();
    BENCH.get_or_init(|| Bench::open_debug(env!("CARGO_MANIFEST_DIR"), KERNELS, ROWS)).as_ref()
}

const CASES: u32 = 3;

#[test]
fn debug_builds_are_judged_alike() {
    let Some(bench) = drawn_on() else { return };
    let size = |row: &Row| if row.is_fixed { row.sizes.slide } else { 300 };
    bench.assert_all_kept(size, 0..4, |run, row, kernel| run.each(|| job(run, row, kernel)));
}

fn job(run: &Run, row: &str, kernel: &str) -> anyhow::Result<()> {
    let (n, most) = (run.size(), 40);
    let ints = Values::seeded(1).ints(n.next_multiple_of(64), -1000, 1000);
    match row {
        "mandelbrot" => {
            let view = View::of_pixels(n);
            check::equal(&set::by_pixel(run, &view, most)?, &reference::mandelbrot(&view, most))
        }
        "border_dwell" => {
            let plane = View::around(-0.5, 0.0, 2.0, n, 3).plane;
            check::equal(&set::borders(run, plane, n, 1, most)?, &reference::borders(plane, n, 1, most))
        }
        "mariani_silver" => {
            let view = View::of_pixels(n);
            let division = Division { first: 2.min(view.width).min(view.height), min_size: 1, max_depth: 3 };
            let expected = reference::mariani_silver(&view, &reference::mandelbrot(&view, most), division);
            check::equal(&set::by_division(run, &view, division, most)?.dwells, &expected.dwells)
        }
        "child_result" => {
            check::equal_value(children::sum_of_squares(run, n as u32)?, reference::sum_of_squares(n as u32))
        }
        "child_pointer" => check::equal(&children::reversed_blocks(run, &ints)?, &reference::reversed_blocks(&ints)),
        "launch_error" => {
            let (counted, error) = children::count_up(run, n)?;
            check::equal(&counted, &vec![0; n])?;
            check::equal_value(error, if kernel.ends_with("_broken") { 0 } else { 9 })
        }
        "child_wait" => check::equal_value(children::doubled(run)?, 42),
        _ => check::equal(&sort::sorted(run, &ints)?, &reference::sorted(&ints)),
    }
}
