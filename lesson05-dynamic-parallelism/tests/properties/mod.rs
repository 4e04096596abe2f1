//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs` draws
//! for the optimised build, `debug.rs` for nvcc's debug build; `PROPTEST_CASES` says how many cases.

use super::{CASES, drawn_on};
use common::check::{self, Values};
use common::testing;
use common::{Run, Schedule};
use lesson05_dynamic_parallelism::plane::View;
use lesson05_dynamic_parallelism::reference::Division;
use lesson05_dynamic_parallelism::{children, reference, set, sort};
use proptest::prelude::*;

/// Runs one kernel once under a random schedule; it must be right, and on the emulator silent.
fn is_right(row: &str, kernel: &str, size: usize, seed: u64, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) {
    if let Some(bench) = drawn_on() {
        bench.assert_kept((row, kernel), size, (&[Schedule::Random, Schedule::Adversarial], seed), job);
    }
}

/// Windows of the plane, shallow and deep.
fn views(most: usize) -> impl Strategy<Value = View> {
    (1..=most, 1..=most, -2.0f64..1.0, -1.2f64..1.2, 1e-4f64..3.0)
        .prop_map(|(width, height, x, y, across)| View::around(x, y, across, width, height))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn every_pixel_of_any_window_is_as_the_cpu_has_it(view in views(90), most in 1i32..100, seed: u64) {
        let expected = reference::mandelbrot(&view, most);
        is_right("mandelbrot", "mandelbrot_correct", view.pixels(), seed, |run| {
            check::equal(&set::by_pixel(run, &view, most)?, &expected)
        });
    }

    #[test]
    fn a_border_of_any_width_is_looked_at(width in 1usize..600, blocks in 1usize..4, most in 1i32..60, seed: u64) {
        let plane = View::around(-0.5, 0.0, 2.0, width, 3 * blocks).plane;
        let expected = reference::borders(plane, width, blocks, most);
        is_right("border_dwell", "border_dwell_correct", width, seed, |run| {
            check::equal(&set::borders(run, plane, width, blocks, most)?, &expected)
        });
    }

    #[test]
    fn any_division_of_any_window_is_as_the_cpu_has_it(
        view in views(80), first in 1usize..5, min_size in 1usize..4, max_depth in 1usize..5, most in 1i32..60, seed: u64,
    ) {
        let division = Division { first: first.min(view.width).min(view.height), min_size, max_depth };
        let expected = reference::mariani_silver(&view, &reference::mandelbrot(&view, most), division);
        is_right("mariani_silver", "mariani_silver_correct", view.pixels(), seed, |run| {
            let picture = set::by_division(run, &view, division, most)?;
            check::equal(&picture.dwells, &expected.dwells)?;
            check::equal(&picture.depths, &expected.depths)
        });
    }

    #[test]
    fn a_tail_launch_sees_all_of_the_child(n in 1u32..1000, seed: u64) {
        is_right("child_result", "child_result_correct", n as usize, seed, |run| {
            check::equal_value(children::sum_of_squares(run, n)?, reference::sum_of_squares(n))
        });
    }

    #[test]
    fn each_block_is_turned_round_by_its_child(blocks in 1usize..6, seed: u64, values: u64) {
        let input = Values::seeded(values).ints(64 * blocks, i32::MIN, i32::MAX);
        is_right("child_pointer", "child_pointer_correct", input.len(), seed, |run| {
            check::equal(&children::reversed_blocks(run, &input)?, &reference::reversed_blocks(&input))
        });
    }

    #[test]
    fn a_launch_of_too_many_threads_says_so(threads in prop_oneof![1usize..1025, 1025usize..2000], seed: u64) {
        is_right("launch_error", "launch_error_correct", threads, seed, |run| {
            let (counted, error) = children::count_up(run, threads)?;
            let fits = threads <= 1024;
            let expected: Vec<i32> = (1..=threads as i32).map(|i| if fits { i } else { 0 }).collect();
            check::equal(&counted, &expected)?;
            check::equal_value(error, if fits { 0 } else { 9 })
        });
    }

    #[test]
    fn any_list_is_sorted(n in 0usize..400, span in 0i32..1000, seed: u64, values: u64) {
        let input = Values::seeded(values).ints(n, -span, span);
        is_right("quicksort", "quicksort_correct", n, seed, |run| {
            check::equal(&sort::sorted(run, &input)?, &reference::sorted(&input))
        });
    }
}
