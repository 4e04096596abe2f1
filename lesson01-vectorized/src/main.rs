//! Lesson 01: the same bytes in fewer loads.
//! Run: cargo run -p lesson01-vectorized      Look for: what is left over, and the bars of the ladder.

use common::check::{self, Values};
use common::{Failure, Lesson, Ratio, Series, chart};
use cust::prelude::*;
use lesson01_vectorized::{KERNELS, ROWS, access, copy, figure, reference};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson01", KERNELS, ROWS)?;

    what_is_left(&lesson)?;
    where_it_begins(&lesson)?;
    let widths = wider_and_wider(&lesson)?;
    let (strided, offset) = further_apart(&lesson)?;
    lesson.plot(&figure::whole(&lesson, widths, strided, offset))?;
    lesson.finish()
}

/// A grid has whole blocks, and a vector type whole groups. Some elements fit neither.
fn what_is_left(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in [lesson.pair("copy")?, lesson.kernels("int2_tail")?, lesson.kernels("int4_tail")?].concat() {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(1).ints(copy::with_a_rest(kernel.row.name, run.size()), i32::MIN, i32::MAX);
            run.each(|| check::equal(&copy::copied(run, &kernel.name, &input, 0)?, &input))
        })?;
    }
    Ok(())
}

/// A buffer that begins one int late.
fn where_it_begins(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("int4_offset")? {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(2).ints(run.size(), i32::MIN, i32::MAX);
            run.each(|| check::equal(&copy::copied(run, &kernel.name, &input, 1)?, &input))
        })?;
    }
    Ok(())
}

/// int, int2, int4, and then more bytes on their way at once. Gives what the figure shows by width.
fn wider_and_wider(lesson: &Lesson) -> anyhow::Result<Vec<(&'static str, Series)>> {
    let kernels = lesson.kernels("ladder")?;
    for kernel in &kernels {
        lesson.trial(kernel, |run| {
            let input = Values::seeded(3).ints(run.size(), i32::MIN, i32::MAX);
            run.moves(2 * size_of_val(&input[..]) as u64);
            run.each(|| check::equal(&copy::copied(run, &kernel.name, &input, 0)?, &input))
        })?;
    }
    if let (false, Some(rate)) = (kernels.is_empty(), lesson.copy_rate()?) {
        lesson.say(format!("ladder: the driver's own copy inside the device: {rate:.0} GB/s, read and written\n"));
    }
    let line = |value: &dyn Fn(&str) -> Option<f64>| {
        let widths = [(4.0, "ladder_int"), (8.0, "ladder_int2"), (16.0, "ladder_int4")];
        let points = widths.into_iter().filter_map(|(width, kernel)| Some((width, value(kernel)?))).collect();
        Series { name: "int, int2, int4".to_string(), points }
    };
    let ratio = |ratio: Ratio| line(&|kernel| ratio.of(&lesson.counted(kernel)?.totals));
    let all = [
        ("bytes of each load of a warp", ratio(Ratio::LoadBytesPerRequest)),
        (figure::SECTORS, ratio(Ratio::LoadSectorsPerRequest)),
        (figure::RATE, line(&|kernel| lesson.rate(kernel))),
    ];
    Ok(all.into_iter().filter(|(_, series)| !series.points.is_empty()).collect())
}

/// The same number of elements, from places further and further apart.
fn further_apart(lesson: &Lesson) -> anyhow::Result<(Option<Series>, Option<Series>)> {
    let mut series = Vec::new();
    for kernel in lesson.kernels("access")? {
        let distances: &[usize] = if kernel.name == "access_strided" { &access::STRIDES } else { &access::OFFSETS };
        lesson.trial(&kernel, |run| {
            let n = run.size();
            let most = distances.iter().map(|&by| access::needed(&kernel.name, n, by)).max().unwrap_or(0);
            let input = Values::seeded(4).ints(most, i32::MIN, i32::MAX);
            let source = input.as_slice().as_dbuf()?;
            run.each(|| {
                for &by in distances {
                    let expected = reference::read(&kernel.name, &input, n, by);
                    check::equal(&access::read(run, &kernel.name, &source, n, by)?, &expected)?;
                }
                Ok(())
            })
        })?;
        if lesson.draws("access") {
            let drawn = figure::by_distance(lesson, &kernel, distances)?;
            let labels: Vec<String> = drawn.points.iter().map(|(by, _)| format!("{by:.0}")).collect();
            let bars: Vec<_> =
                labels.iter().map(String::as_str).zip(drawn.points.iter().map(|point| point.1)).collect();
            let what = if kernel.name == "access_strided" { "stride" } else { "offset" };
            let title = format!("{}: {}, by {what} in ints", kernel.name, figure::measure(lesson));
            lesson.say(chart(&title, &bars));
            series.push(drawn);
        }
    }
    let mut series = series.into_iter();
    Ok((series.next(), series.next()))
}
