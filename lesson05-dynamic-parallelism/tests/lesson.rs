//! Every correct kernel against its reference on drawn sizes, values and schedules: right, and silent. On the emulator;
//! on a GPU with `LESSON_DEVICE=gpu`.

mod fixes;
mod properties;
mod table;

use common::check;
use common::testing::{Bench, CaseSource};
use common::{Run, Schedule};
use lesson05_dynamic_parallelism::children::{self, Codes};
use lesson05_dynamic_parallelism::plane::View;
use lesson05_dynamic_parallelism::reference::Division;
use lesson05_dynamic_parallelism::set::{self, QueueShape};
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS, reference};

static DRAWN: CaseSource = CaseSource::on(|| {
    common::device_runtime::carry(DEVICE_RUNTIME);
    Ok(Bench::open(KERNELS, ROWS).expect("a device opens"))
})
.under(properties::SCHEDULES);
const CASES: u32 = 12;

fn bench() -> &'static Bench {
    DRAWN.bench().expect("it was opened")
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
        let job = |run: &Run| set::divided(run, view, division, most);
        let outcome = bench().run(&kernel, view.pixels(), Schedule::InOrder, 0..1, job).unwrap();
        assert_eq!(bench().judge(&kernel, &outcome), Ok(()), "{division:?}");
    }
}

/// Each of the three sides of boxes, and pictures that end within a tile, a part or a line.
#[test]
fn the_queue_takes_pictures_of_any_shape() {
    let kernel = bench().kernels("mandelbrot_queue").unwrap().remove(0);
    for (width, height) in [(1, 1), (1, 300), (300, 1), (2, 2), (33, 9), (128, 128), (129, 127), (520, 40)] {
        let view = View::around(-0.7, 0.2, 1.5, width, height);
        for (tile, threads, schedule) in
            [(32, 512, Schedule::InOrder), (128, 256, Schedule::Reverse), (512, 64, Schedule::Random)]
        {
            let job = |run: &Run| set::queued(run, view, QueueShape { tile, threads }, 40);
            let outcome = bench().run(&kernel, view.pixels(), schedule, 0..1, job).unwrap();
            assert_eq!(bench().judge(&kernel, &outcome), Ok(()), "{width} x {height} in tiles of {tile}");
        }
    }
}

/// Checks the codes of launches that fail on the emulated device; the limits are the programming guide's.
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
