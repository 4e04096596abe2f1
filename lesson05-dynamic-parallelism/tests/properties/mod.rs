//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. `lesson.rs`
//! draws for the optimised build, `lab/proofs/tests/debug_builds/` for that of `nvcc -G`. `PROPTEST_CASES` says how
//! many cases.

use super::{CASES, DRAWN};
use common::Schedule;
use common::check::InputValues;
use common::testing;
use lesson05_dynamic_parallelism::plane::View;
use lesson05_dynamic_parallelism::reference::Division;
use lesson05_dynamic_parallelism::set::{self, QueueShape};
use lesson05_dynamic_parallelism::{children, sort};
use proptest::prelude::*;

/// One for the order of threads, one for what they see.
pub const SCHEDULES: &[Schedule] = &[Schedule::Random, Schedule::Adversarial];

/// Windows of the plane, shallow and deep.
fn views(most: usize) -> impl Strategy<Value = View> {
    (1..=most, 1..=most, -2.0f64..1.0, -1.2f64..1.2, 1e-4f64..3.0)
        .prop_map(|(width, height, x, y, across)| View::around(x, y, across, width, height))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::cases(CASES)))]

    #[test]
    fn every_pixel_of_any_window_is_as_the_cpu_has_it(view in views(90), most in 1i32..100, seed: u64) {
        DRAWN.are_right("mandelbrot", view.pixels(), seed, |run| set::drawn(run, view, most));
    }

    #[test]
    fn a_border_of_any_width_is_looked_at(width in 1usize..600, blocks in 1usize..4, most in 1i32..60, seed: u64) {
        let plane = View::around(-0.5, 0.0, 2.0, width, 3 * blocks).plane;
        DRAWN.are_right("border_dwell", width, seed, |run| set::looked_along(run, plane, width, blocks, most));
    }

    #[test]
    fn any_division_of_any_window_is_as_the_cpu_has_it(
        view in views(80), first in 1usize..5, min_size in 1usize..4, max_depth in 1usize..5,
        most in 1i32..60, seed: u64,
    ) {
        let division = Division { first: first.min(view.width).min(view.height), min_size, max_depth };
        DRAWN.are_right("mariani_silver", view.pixels(), seed, |run| set::divided(run, view, division, most));
    }

    #[test]
    fn any_window_by_the_queue_is_as_the_cpu_has_it(
        view in views(150), tile in prop::sample::select(vec![32, 128, 512]), warps in 1u32..=8,
        most in 1i32..60, seed: u64,
    ) {
        DRAWN.are_right("mandelbrot_queue", view.pixels(), seed, |run| {
            set::queued(run, view, QueueShape { tile, threads: 32 * warps }, most)
        });
    }

    #[test]
    fn a_tail_launch_sees_all_of_the_child(n in 1u32..1000, seed: u64) {
        DRAWN.are_right("child_result", n as usize, seed, |run| children::squared_by_a_child(run, n));
    }

    #[test]
    fn each_block_is_turned_round_by_its_child(blocks in 1usize..6, seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(64 * blocks, i32::MIN, i32::MAX);
        DRAWN.are_right("child_pointer", input.len(), seed, |run| children::reversed_by_children(run, &input));
    }

    #[test]
    fn a_launch_of_too_many_threads_says_so(threads in prop_oneof![1usize..1025, 1025usize..2000], seed: u64) {
        DRAWN.are_right("launch_error", threads, seed, |run| children::counted_by_a_child(run, threads));
    }

    #[test]
    fn any_list_is_sorted(n in 0usize..400, span in 0i32..1000, seed: u64, values: u64) {
        let input = InputValues::seeded(values).ints(n, -span, span);
        DRAWN.are_right("quicksort", n, seed, |run| sort::sorted(run, &input));
    }
}
