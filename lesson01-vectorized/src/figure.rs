//! The lesson's figure: what a load brings, by the width of its type, by stride and by offset. Counted on the emulator,
//! timed on a GPU.

use crate::access;
use common::{Figure, Kernel, Lesson, Panel, Ratio, Series, check};
use cust::prelude::*;

/// One point for each distance: sectors for each load, or GB/s that reach the threads.
pub fn by_distance(lesson: &Lesson, kernel: &Kernel, distances: &[usize]) -> anyhow::Result<Series> {
    let n = lesson.size_of_figure(kernel, 1 << 24);
    let most = distances.iter().map(|&by| access::needed(&kernel.name, n, by)).max().unwrap_or(0);
    let input = check::ramp(most);
    let mut points = Vec::new();
    for &by in distances {
        let job = |run: &common::Run| {
            run.moves(8 * n as u64);
            let source = (&input[..access::needed(&kernel.name, n, by)]).as_dbuf()?;
            run.each(|| access::read(run, &kernel.name, &source, n, by).map(drop))
        };
        let value = match lesson.count(kernel, n, job)? {
            Some(counts) => Ratio::LoadSectorsPerRequest.of(&counts.total().totals),
            None => lesson.gb_per_s(kernel, n, job)?,
        };
        points.extend(value.map(|value| (by as f64, value)));
    }
    Ok(Series { name: kernel.name.clone(), points })
}

pub const SECTORS: &str = "32-byte sectors of each load of a warp";
pub const RATE: &str = "GB/s, read and written";

/// What the figure shows of the ladder, by the width of its types.
pub fn by_width(lesson: &Lesson) -> Vec<(&'static str, Series)> {
    let line = |value: &dyn Fn(&str) -> Option<f64>| {
        let widths = [(4.0, "ladder_int"), (8.0, "ladder_int2"), (16.0, "ladder_int4")];
        let points = widths.into_iter().filter_map(|(width, kernel)| Some((width, value(kernel)?))).collect();
        Series { name: "int, int2, int4".to_string(), points }
    };
    let ratio = |ratio: Ratio| line(&|kernel| ratio.of(&lesson.counted(kernel)?.totals));
    let all = [
        ("bytes of each load of a warp", ratio(Ratio::LoadBytesPerRequest)),
        (SECTORS, ratio(Ratio::LoadSectorsPerRequest)),
        (RATE, line(&|kernel| lesson.rate(kernel))),
    ];
    all.into_iter().filter(|(_, series)| !series.points.is_empty()).collect()
}

/// What is on the vertical axis of [`by_distance`].
pub fn measure(lesson: &Lesson) -> &'static str {
    if lesson.is_on_emulator() { SECTORS } else { RATE }
}

/// One panel for each measure by width, and one for each way to spread a warp's elements.
pub fn whole(lesson: &Lesson, widths: Vec<(&str, Series)>, strided: Option<Series>, offset: Option<Series>) -> Figure {
    let widths = widths.into_iter().map(|(y, series)| ("By width of the type", "bytes a thread", y, series));
    let strided = strided.map(|series| ("By stride", "stride in ints", measure(lesson), series));
    let offset = offset.map(|series| ("By offset", "offset in ints", measure(lesson), series));
    let panels = widths.chain(strided).chain(offset);
    let panels = panels.map(|(title, x, y, series)| Panel::new(title, x, y, vec![series]));
    Figure { title: "What a load brings".to_string(), note: lesson.device_line(), panels: panels.collect() }
}
