//! Draws the Mandelbrot set: any window of the plane, any size, by both methods; and says where the work went.
//! Run: cargo run -p lesson05-dynamic-parallelism --bin mandelbrot -- --help

use anyhow::Context as _;
use clap::{ArgAction, Command, CommandFactory, FromArgMatches, Parser};
use common::words::Language;
use common::{DeviceChoice, Pixels, Refusal, RunTime, Stage, device_runtime, speak, translated, usage};
use lesson05_dynamic_parallelism::plane::{MAX_DWELL, View};
use lesson05_dynamic_parallelism::reference::{self, BY_PIXEL, Division, FILLED, Picture};
use lesson05_dynamic_parallelism::set::QueueShape;
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS, children, draw, say, set};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

// The help of each option stands in `messages/`, by `option-NAME`.
#[derive(Parser)]
#[command(disable_help_flag = true)]
struct MandelbrotOptions {
    #[arg(long, value_enum, env = "LESSON_DEVICE", default_value = "auto")]
    device: DeviceChoice,

    #[arg(long, value_name = "LANG")]
    lang: Option<Language>,

    #[arg(long, default_value = "1024", value_parser = size)]
    size: (usize, usize),

    #[arg(long, default_value = "-0.5,0", value_parser = point, allow_hyphen_values = true)]
    center: (f64, f64),

    #[arg(long, default_value_t = 2.0)]
    across: f64,

    #[arg(long, default_value_t = MAX_DWELL, value_parser = clap::value_parser!(i32).range(1..))]
    max_dwell: i32,

    #[arg(long, default_value_t = Division::SLIDE.first)]
    first: usize,

    #[arg(long, default_value_t = Division::SLIDE.min_size)]
    min_size: usize,

    #[arg(long, default_value_t = Division::SLIDE.max_depth, value_parser = depth)]
    max_depth: usize,

    #[arg(long, default_value = "mandelbrot.png")]
    out: PathBuf,

    #[arg(long, default_value = "mandelbrot-rectangles.png")]
    rectangles: PathBuf,

    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=14))]
    times: Option<u32>,

    #[arg(long)]
    codes: bool,

    #[arg(long, short, action = ArgAction::Help)]
    help: Option<bool>,
}

/// The command line with its help in the language of this process.
fn command() -> Command {
    let command = MandelbrotOptions::command().name("mandelbrot").about(say!("about"));
    let command = translated(command, |arg| {
        let help = match arg.get_id().as_str() {
            "device" => say!("option-device"),
            "lang" => say!("option-lang"),
            "size" => say!("option-size"),
            "center" => say!("option-center"),
            "across" => say!("option-across"),
            "max_dwell" => say!("option-max-dwell"),
            "first" => say!("option-first"),
            "min_size" => say!("option-min-size"),
            "max_depth" => say!("option-max-depth"),
            "out" => say!("option-out"),
            "rectangles" => say!("option-rectangles"),
            "times" => say!("option-times"),
            "codes" => say!("option-codes"),
            _ => say!("option-help"),
        };
        let default = arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
        Some(help + &default.map_or(String::new(), |value| format!(" [{}]", say!("default", value))))
    });
    let line = usage(&command);
    command.override_usage(line)
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |text: &str| text.parse().ok().filter(|side| (1..=32768).contains(side));
    side(width).zip(side(height)).ok_or_else(|| say!("not-a-size"))
}

fn point(text: &str) -> Result<(f64, f64), String> {
    let (x, y) = text.split_once(',').ok_or_else(|| say!("not-a-point"))?;
    x.trim().parse().ok().zip(y.trim().parse().ok()).ok_or_else(|| say!("not-a-point"))
}

fn depth(text: &str) -> Result<usize, String> {
    // A byte holds `4 * depth + kind`. The largest picture has 15 halvings down to a pixel.
    text.parse().ok().filter(|depth| (1..=20).contains(depth)).ok_or_else(|| say!("not-a-depth"))
}

fn main() -> anyhow::Result<()> {
    speak(std::env::args_os());
    let matches = command().try_get_matches().unwrap_or_else(|error| Refusal::of(error).exit());
    let options = MandelbrotOptions::from_arg_matches(&matches)?;
    device_runtime::carry(DEVICE_RUNTIME);
    let stage = Stage::open(options.device, KERNELS, ROWS)?;
    println!("{}", say!("on", device = stage.name()));
    if options.codes {
        return codes(&stage);
    }
    match options.times {
        Some(largest) => times(&stage, largest),
        None => picture(&stage, &options),
    }
}

/// Prints what goes on, on a terminal only; taken away by the next line.
fn tell(text: &str) {
    if std::io::stderr().is_terminal() {
        // A terminal that has gone away is no reason to fail.
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
    }
}

fn by_pixel(stage: &Stage, view: &View, max_dwell: i32) -> anyhow::Result<(Vec<i32>, RunTime)> {
    stage.run("mandelbrot_correct", |run| set::by_pixel(run, view, max_dwell))
}

fn by_division(stage: &Stage, view: &View, division: Division, max_dwell: i32) -> anyhow::Result<(Picture, RunTime)> {
    stage.run("mariani_silver_correct", |run| set::by_division(run, view, division, max_dwell))
}

fn picture(stage: &Stage, options: &MandelbrotOptions) -> anyhow::Result<()> {
    let ((width, height), (x, y)) = (options.size, options.center);
    anyhow::ensure!(options.across > 0.0, say!("not-positive"));
    let view = View::around(x, y, options.across, width, height);
    let division = Division {
        first: options.first.clamp(1, width.min(height)),
        min_size: options.min_size,
        max_depth: options.max_depth,
    };
    if view.is_too_deep() {
        println!("{}", say!("too-deep", step = view.plane.step.to_string(), x = x.to_string()));
    }
    tell(&say!("doing-pixels", width = width.to_string(), height = height.to_string()));
    let (each, pixel_time) = by_pixel(stage, &view, options.max_dwell)?;
    tell(&say!("doing-rectangles", width = width.to_string(), height = height.to_string()));
    let (divided, division_time) = by_division(stage, &view, division, options.max_dwell)?;
    tell(&say!("drawing"));
    save(&draw::dwells(&view, &each, options.max_dwell), &options.out)?;
    let areas = reference::areas(&view, &each, division);
    let rectangles = draw::rectangles(&view, &divided.dwells, options.max_dwell, &areas);
    save(&rectangles, &options.rectangles)?;
    tell("");

    let (picture, rectangles) = (options.out.display().to_string(), options.rectangles.display().to_string());
    println!("{}\n", say!("files", picture, rectangles));
    println!("{:<20} {}", say!("a-thread-a-pixel"), shown(pixel_time));
    println!("{:<20} {}\n", say!("by-rectangles"), shown(division_time));
    where_the_work_went(&each, &divided);
    let other = each.iter().zip(&divided.dwells).filter(|(a, b)| a != b).count();
    println!("\n{}", say!("differ", other = other.to_string(), pixels = view.pixels().to_string()));
    if other > 0 {
        println!("{}", say!("why-differ"));
    }
    Ok(())
}

fn save(picture: &Pixels, path: &Path) -> anyhow::Result<()> {
    let png = picture.png()?;
    std::fs::write(path, png).with_context(|| say!("cannot-write", path = path.display().to_string()))
}

fn shown(took: RunTime) -> String {
    match took.milliseconds {
        Some(milliseconds) => format!("{milliseconds:.3} ms"),
        None => say!("host-time", seconds = format!("{:.2}", took.host.as_secs_f64())),
    }
}

/// Pixels and steps by depth.
fn where_the_work_went(each: &[i32], divided: &Picture) {
    let all: i64 = each.iter().map(|&dwell| i64::from(dwell)).sum();
    println!(
        "{:<11} {:>11} {:>15} {:>14}",
        say!("head-depth"),
        say!("head-filled"),
        say!("head-pixels"),
        say!("head-saved")
    );
    for depth in 0..=divided.depths.iter().max().map_or(0, |deepest| deepest / 4) {
        let of = |kind: u8| divided.depths.iter().zip(each).filter(move |(it, _)| **it == 4 * depth + kind);
        let saved: i64 = of(FILLED).map(|(_, &dwell)| i64::from(dwell)).sum();
        let (filled, computed) = (of(FILLED).count(), of(BY_PIXEL).count());
        println!("{depth:<11} {filled:>11} {computed:>15} {:>13.1}%", 100.0 * saved as f64 / all.max(1) as f64);
    }
    println!("{}", say!("of-steps", all = all.to_string()));
}

fn by_queue(stage: &Stage, view: &View, max_dwell: i32) -> anyhow::Result<(Vec<i32>, RunTime)> {
    stage.run("mandelbrot_queue_correct", |run| set::by_queue(run, view, QueueShape::of(view), max_dwell))
}

/// The times of the three methods, the median of five on a GPU. Of the other two also how much faster each is than a
/// thread per pixel, and in how many pixels it differs.
fn times(stage: &Stage, largest: u32) -> anyhow::Result<()> {
    print!("{:>8} {:>20}", say!("head-side"), say!("a-thread-a-pixel"));
    for method in [say!("by-rectangles"), say!("by-queue")] {
        print!(" {method:>17} {:>8} {:>14}", say!("head-ratio"), say!("head-differing"));
    }
    println!();
    let rounds = if stage.is_gpu() { 5 } else { 1 };
    for power in 10..=largest {
        let view = View::whole(1 << power);
        let (mut pixel, mut others) = (Vec::new(), [(Vec::new(), 0), (Vec::new(), 0)]);
        for round in 0..rounds + usize::from(stage.is_gpu()) {
            tell(&say!("doing-round", width = view.width.to_string(), round = round + 1));
            let (each, pixel_time) = by_pixel(stage, &view, MAX_DWELL)?;
            let (divided, division_time) = by_division(stage, &view, Division::SLIDE, MAX_DWELL)?;
            let (queued, queue_time) = by_queue(stage, &view, MAX_DWELL)?;
            // The first one on a GPU warms up.
            let counts = round > 0 || !stage.is_gpu();
            pixel.extend(counts.then(|| milliseconds(pixel_time)));
            let found = [(divided.dwells, division_time), (queued, queue_time)];
            for ((times, other), (dwells, time)) in others.iter_mut().zip(found) {
                times.extend(counts.then(|| milliseconds(time)));
                *other = each.iter().zip(&dwells).filter(|(a, b)| a != b).count();
            }
        }
        let pixel = median(pixel);
        tell("");
        print!("{:>8} {pixel:>17.3} ms", view.width);
        for (times, other) in others {
            let time = median(times);
            print!(" {time:>14.3} ms {:>8.2} {other:>14}", pixel / time);
        }
        println!();
    }
    Ok(())
}

fn milliseconds(took: RunTime) -> f64 {
    took.milliseconds.unwrap_or(1e3 * took.host.as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Checks the error codes that failed launches leave behind.
fn codes(stage: &Stage) -> anyhow::Result<()> {
    let (found, _) = stage.run("launch_error_correct", children::codes)?;
    let asked = [
        say!("as-it-should"),
        say!("too-many-threads"),
        say!("no-blocks"),
        say!("too-much-shared"),
        say!("one-tail-more"),
        say!("one-too-deep"),
    ];
    for (asked, code) in asked.iter().zip(found.codes) {
        println!("{asked:<52} {code:>4}");
    }
    println!("{:<52} {:>4}", say!("tail-until"), found.tail_launches);
    println!("{:<52} {:>4}", say!("nested-that-ran"), found.deepest);
    // Last: a GPU may not survive it.
    match stage.run("launch_error_correct", children::stream_code) {
        Ok((code, _)) => println!("{:<52} {code:>4}", say!("destroyed-stream")),
        Err(error) => println!("{:<52} {error:#}", say!("destroyed-stream")),
    }
    Ok(())
}
