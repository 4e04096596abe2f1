//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

use common::check;
use common::check::Values;
use common::testing::Bench;
use common::{Run, Schedule};
use lesson05_dynamic_parallelism::children::Codes;
use lesson05_dynamic_parallelism::plane::View;
use lesson05_dynamic_parallelism::reference::Division;
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS, children, reference, set, sort};
use proptest::prelude::*;
use std::sync::OnceLock;

fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    common::device_runtime::carry(DEVICE_RUNTIME);
    BENCH.get_or_init(|| Bench::open(KERNELS, ROWS).expect("a device opens"))
}

/// Runs one kernel once under a random schedule; it must be right, and on the emulator silent.
fn is_right(row: &str, kernel: &str, size: usize, seed: u64, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) {
    bench().assert_kept((row, kernel), size, (&[Schedule::Random, Schedule::Adversarial], seed), job);
}

/// Windows of the plane, shallow and deep.
fn views(most: usize) -> impl Strategy<Value = View> {
    (1..=most, 1..=most, -2.0f64..1.0, -1.2f64..1.2, 1e-4f64..3.0)
        .prop_map(|(width, height, x, y, across)| View::around(x, y, across, width, height))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

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

/// At the slide's subdivision, and where three depths and more are reached.
#[test]
fn three_depths_and_more_agree_pixel_for_pixel() {
    for (side, division) in [
        (256, Division::SLIDE),
        (256, Division { first: 2, min_size: 1, max_depth: 4 }),
        (300, Division { first: 4, min_size: 1, max_depth: 4 }),
    ] {
        let view = View::whole(side);
        let most = 100;
        let each = reference::mandelbrot(&view, most);
        let expected = reference::mariani_silver(&view, &each, division);
        let deepest = expected.depths.iter().max().map_or(0, |deepest| deepest / 4);
        assert!(division == Division::SLIDE || deepest >= 2, "{division:?} goes {deepest} deep");
        let kernel = bench().kernels("mariani_silver").unwrap().remove(0);
        let job = |run: &Run| {
            run.each(|| {
                let picture = set::by_division(run, &view, division, most)?;
                check::equal(&picture.dwells, &expected.dwells)?;
                check::equal(&picture.depths, &expected.depths)
            })
        };
        let outcome = bench().run(&kernel, view.pixels(), Schedule::InOrder, 0..1, job).unwrap();
        assert_eq!(bench().judge(&kernel, &outcome), Ok(()), "{division:?}");
    }
}

/// What the emulated device says of launches that fail; the limits are the programming guide's.
#[test]
fn each_way_to_fail_has_its_code() {
    let kernel = bench().kernels("launch_error").unwrap().into_iter().find(|kernel| !kernel.is_broken()).unwrap();
    let job = |run: &Run| {
        run.each(|| {
            let expected = Codes { codes: [0, 9, 9, 9, 69, 69], tail_launches: 2049, deepest: 2048 };
            check::equal_value(children::codes(run)?, expected)?;
            check::equal_value(children::stream_code(run)?, 400)
        })
    };
    let outcome = bench().run(&kernel, 1, Schedule::InOrder, 0..1, job).unwrap();
    assert_eq!(bench().judge(&kernel, &outcome), Ok(()));
}
