//! Lesson 01: the same bytes in fewer loads.
//! Run: cargo run -p lesson01-vectorized      Look for: what is left over, and the bars of the ladder.
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `COPY` in
//! `copy.rs`.

use common::{Failure, Lesson, Series, chart};
use lesson01_vectorized::{KERNELS, ROWS, access, copy, figure};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson01", KERNELS, ROWS)?;

    // The rest: a grid has whole blocks, and a vector type whole groups. Some elements fit neither.
    lesson.run(&copy::COPY)?;
    lesson.run(&copy::INT2_TAIL)?;
    lesson.run(&copy::INT4_TAIL)?;

    // The beginning: a buffer that starts one int late.
    lesson.run(&copy::INT4_OFFSET)?;

    // Wider and wider: int, int2, int4, and then more bytes on their way at once.
    lesson.run(&copy::LADDER)?;
    if let (false, Some(rate)) = (lesson.kernels(&copy::LADDER)?.is_empty(), lesson.copy_rate()?) {
        lesson.say(figure::copy_rate(rate));
    }

    // Further apart: the same number of elements, from places at more and more of a distance.
    let (strided, offset) = further_apart(&lesson)?;

    lesson.plot(&figure::whole(&lesson, figure::by_width(&lesson), strided, offset))?;
    lesson.finish()
}

/// Runs the row, draws it, and gives what the figure shows: by stride and by offset.
fn further_apart(lesson: &Lesson) -> anyhow::Result<(Option<Series>, Option<Series>)> {
    let mut series = Vec::new();
    for kernel in lesson.kernels(&access::ACCESS)? {
        lesson.run_kernel(&kernel)?;
        if lesson.draws(&access::ACCESS) {
            let drawn = figure::by_distance(lesson, &kernel, access::distances(&kernel.name))?;
            let labels: Vec<String> = drawn.points.iter().map(|point| format!("{:.0}", point.x)).collect();
            let bars: Vec<_> =
                labels.iter().map(String::as_str).zip(drawn.points.iter().map(|point| point.y)).collect();
            lesson.say(chart(&figure::title(lesson, &kernel), &bars));
            series.push(drawn);
        }
    }
    let mut series = series.into_iter();
    Ok((series.next(), series.next()))
}
