//! The lesson's figure: what a load brings, by the width of its type, by stride and by offset. Counted on the emulator,
//! timed on a GPU.

use crate::access;
use common::{Figure, Kernel, Lesson, Panel, Point, Ratio, Series, check};
use cust::prelude::*;

/// One point for each distance: sectors for each load, or GB/s that reach the threads.
pub fn by_distance(lesson: &Lesson, kernel: &Kernel, distances: &[usize]) -> anyhow::Result<Series> {
    let n = lesson.size_of_figure(kernel, 1 << 24);
    let most = access::needed_by_all(&kernel.name, n, distances)?;
    let input = check::ramp(most);
    let mut points = Vec::new();
    for &by in distances {
        let job = |run: &common::Run| {
            run.moves(8 * n as u64);
            let source = (&input[..access::needed(&kernel.name, n, by)]).as_dbuf()?;
            run.each(|| access::read(run, &source, n, by).map(drop))
        };
        let value = match lesson.count(kernel, n, job)? {
            Some(counts) => Ratio::LoadSectorsPerRequest.of(&counts.total().totals),
            None => lesson.gb_per_s(kernel, n, job)?,
        };
        points.extend(value.map(|value| Point::new(by as f64, value)));
    }
    Ok(Series::new(&kernel.name, points))
}

/// The title of a kernel's chart.
pub fn title(lesson: &Lesson, kernel: &Kernel) -> String {
    let by = if kernel.name == "access_strided" { "stride" } else { "offset" };
    say!("by-distance", kernel = &kernel.name, measure = measure(lesson), by)
}

/// The speed of the driver's own copy, beside the ladder's.
pub fn copy_rate(rate: f64) -> String {
    say!("copy-rate", rate = format!("{rate:.0}")) + "\n"
}

/// Returns the series of the ladder, by the width of its types.
pub fn by_width(lesson: &Lesson) -> Vec<(String, Series)> {
    let line = |value: &dyn Fn(&str) -> Option<f64>| {
        let widths = [(4.0, "ladder_int"), (8.0, "ladder_int2"), (16.0, "ladder_int4")];
        let points = widths.into_iter().filter_map(|(width, kernel)| Some(Point::new(width, value(kernel)?)));
        Series::new("int, int2, int4", points.collect())
    };
    let ratio = |ratio: Ratio| line(&|kernel| ratio.of(&lesson.counted(kernel)?.totals));
    let all = [
        (say!("bytes-of-load"), ratio(Ratio::LoadBytesPerRequest)),
        (say!("sectors-of-load"), ratio(Ratio::LoadSectorsPerRequest)),
        (say!("rate"), line(&|kernel| lesson.rate(kernel))),
    ];
    all.into_iter().filter(|(_, series)| !series.points.is_empty()).collect()
}

/// Returns the title of the vertical axis of [`by_distance`].
pub fn measure(lesson: &Lesson) -> String {
    if lesson.is_on_emulator() { say!("sectors-of-load") } else { say!("rate") }
}

/// One panel for each measure by width, and one for each way to spread a warp's elements.
pub fn whole(
    lesson: &Lesson,
    widths: Vec<(String, Series)>,
    strided: Option<Series>,
    offset: Option<Series>,
) -> Figure {
    let widths = widths.into_iter().map(|(y, series)| (say!("by-width"), say!("bytes-a-thread"), y, series));
    let strided = strided.map(|series| (say!("by-stride"), say!("stride-in-ints"), measure(lesson), series));
    // Every eighth offset is cheap and those between are not: a line from one to the next would show a trend that is
    // none.
    let offset = offset.map(Series::without_line);
    let offset = offset.map(|series| (say!("by-offset"), say!("offset-in-ints"), measure(lesson), series));
    let panels = widths.chain(strided).chain(offset);
    let panels = panels.map(|(title, x, y, series)| Panel::new(&title, &x, &y, vec![series]));
    Figure { title: say!("figure"), note: lesson.device_line(), panels: panels.collect() }
}
