//! The lesson's figure: what a load brings, by the width of its type, by stride and by offset. Counted on the emulator,
//! timed on a GPU.

use crate::access;
use common::{Figure, Kernel, Lesson, Panel, Ratio, Series, check};

/// One point for each distance: sectors for each load, or GB/s that reach the threads.
pub fn by_distance(lesson: &Lesson, kernel: &Kernel, distances: &[usize]) -> anyhow::Result<Series> {
    let n = lesson.size_of_figure(kernel, 1 << 24);
    let mut points = Vec::new();
    for &by in distances {
        let input = check::ramp(access::needed(&kernel.name, n, by));
        let job = |run: &common::Run| {
            run.moves(8 * n as u64);
            run.each(|| access::read(run, &kernel.name, &input, n, by).map(drop))
        };
        let value = match lesson.count(kernel, n, job)? {
            Some(counts) => Ratio::LoadSectorsPerRequest.of(&counts.total().totals),
            None => lesson.gb_per_s(kernel, n, job)?,
        };
        points.extend(value.map(|value| (by as f64, value)));
    }
    Ok(Series { name: kernel.name.clone(), points })
}

/// What is on the vertical axis of [`by_distance`].
pub fn measure(lesson: &Lesson) -> &'static str {
    if lesson.is_on_emulator() { "32-byte sectors of each load of a warp" } else { "GB/s, read and written" }
}

/// One panel for each way to spread a warp's elements, and one for the widths.
pub fn whole(lesson: &Lesson, widths: Vec<Series>, strided: Option<Series>, offset: Option<Series>) -> Figure {
    let mut panels = Vec::new();
    if !widths.is_empty() {
        let y = if lesson.is_on_emulator() { "of each load of a warp" } else { "GB/s, read and written" };
        panels.push(Panel::new("By width of the type", "bytes a thread", y, widths));
    }
    if let Some(series) = strided {
        panels.push(Panel::new("By stride", "stride in ints", measure(lesson), vec![series]));
    }
    if let Some(series) = offset {
        panels.push(Panel::new("By offset", "offset in ints", measure(lesson), vec![series]));
    }
    Figure { title: "What a load brings".to_string(), note: lesson.device_line(), panels }
}
