//! Draws the Mandelbrot set: any window of the plane, any size, by both methods; and says where the work went.
//! Run: cargo run -p lesson05-dynamic-parallelism --bin mandelbrot -- --help

use anyhow::Context as _;
use clap::Parser;
use common::cli::DeviceChoice;
use common::{Stage, Took, device_runtime};
use lesson05_dynamic_parallelism::plane::{MAX_DWELL, View};
use lesson05_dynamic_parallelism::reference::{self, BY_PIXEL, Division, FILLED, Picture};
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS, children, draw, set};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

#[derive(Parser)]
#[command(about = "The Mandelbrot set, a thread a pixel and by Mariani and Silver's method with launches by kernels")]
struct Options {
    /// Where to run
    #[arg(long, value_enum, env = "LESSON_DEVICE", default_value = "auto")]
    device: DeviceChoice,

    /// Size of the picture: WIDTHxHEIGHT, or one number for both
    #[arg(long, default_value = "1024", value_parser = size)]
    size: (usize, usize),

    /// The point in the middle
    #[arg(long, default_value = "-0.5,0", value_parser = point, allow_hyphen_values = true)]
    center: (f64, f64),

    /// The picture's width in the plane
    #[arg(long, default_value_t = 2.0)]
    across: f64,

    /// Steps after which a point counts as one of the set
    #[arg(long, default_value_t = MAX_DWELL, value_parser = clap::value_parser!(i32).range(1..))]
    max_dwell: i32,

    /// Parts of a side at first
    #[arg(long, default_value_t = Division::SLIDE.first)]
    first: usize,

    /// Rectangles whose parts would be so small or smaller go pixel by pixel
    #[arg(long, default_value_t = Division::SLIDE.min_size)]
    min_size: usize,

    /// How often rectangles are divided, at most
    #[arg(long, default_value_t = Division::SLIDE.max_depth, value_parser = depth)]
    max_depth: usize,

    /// The picture
    #[arg(long, default_value = "mandelbrot.png")]
    out: PathBuf,

    /// The picture with the method's rectangles, coloured by depth
    #[arg(long, default_value = "mandelbrot-rectangles.png")]
    rectangles: PathBuf,

    /// No pictures: the times of both methods, from 1024 x 1024 up to 2^N x 2^N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=14))]
    times: Option<u32>,

    /// No pictures: the codes of launches that fail
    #[arg(long)]
    codes: bool,
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |text: &str| text.parse().ok().filter(|side| (1..=32768).contains(side));
    side(width).zip(side(height)).ok_or_else(|| "write 1 to 32768 pixels a side, as in 640x480".to_string())
}

fn point(text: &str) -> Result<(f64, f64), String> {
    let (x, y) = text.split_once(',').ok_or("write two numbers, as in -0.75,0.1")?;
    x.trim().parse().ok().zip(y.trim().parse().ok()).ok_or_else(|| "write two numbers, as in -0.75,0.1".to_string())
}

fn depth(text: &str) -> Result<usize, String> {
    // A byte holds four times the depth, and something besides.
    text.parse().ok().filter(|depth| (1..=20).contains(depth)).ok_or_else(|| "write 1 to 20".to_string())
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    device_runtime::carry(DEVICE_RUNTIME);
    let stage = Stage::open(options.device, KERNELS, ROWS)?;
    println!("on {}", stage.name());
    if options.codes {
        return codes(&stage);
    }
    match options.times {
        Some(largest) => times(&stage, largest),
        None => picture(&stage, &options),
    }
}

/// What goes on, on a terminal only; taken away by the next line.
fn tell(text: &str) {
    if std::io::stderr().is_terminal() {
        // A terminal that has gone away is no reason to fail.
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
    }
}

fn by_pixel(stage: &Stage, view: &View, max_dwell: i32) -> anyhow::Result<(Vec<i32>, Took)> {
    stage.run("mandelbrot_correct", |run| set::by_pixel(run, view, max_dwell))
}

fn by_division(stage: &Stage, view: &View, division: Division, max_dwell: i32) -> anyhow::Result<(Picture, Took)> {
    stage.run("mariani_silver_correct", |run| set::by_division(run, view, division, max_dwell))
}

fn picture(stage: &Stage, options: &Options) -> anyhow::Result<()> {
    let ((width, height), (x, y)) = (options.size, options.center);
    anyhow::ensure!(options.across > 0.0, "--across takes a positive number");
    let view = View::around(x, y, options.across, width, height);
    let division = Division {
        first: options.first.clamp(1, width.min(height)),
        min_size: options.min_size,
        max_depth: options.max_depth,
    };
    if view.is_too_deep() {
        println!(
            "single precision ends here: {} from one pixel to the next is lost in a coordinate near {x}, so that \
             neighbours are one point and the picture falls into blocks",
            view.plane.step
        );
    }
    tell(&format!("{width} x {height}, a thread a pixel ..."));
    let (each, pixel_time) = by_pixel(stage, &view, options.max_dwell)?;
    tell(&format!("{width} x {height}, by rectangles ..."));
    let (divided, division_time) = by_division(stage, &view, division, options.max_dwell)?;
    tell("drawing ...");
    draw::dwells(&view, &each, options.max_dwell).save(&options.out).with_context(|| said(&options.out))?;
    let areas = reference::areas(&view, &each, division);
    let rectangles = draw::rectangles(&view, &divided.dwells, options.max_dwell, &areas);
    rectangles.save(&options.rectangles).with_context(|| said(&options.rectangles))?;
    tell("");

    println!("{} and {}\n", options.out.display(), options.rectangles.display());
    println!("a thread a pixel   {}", shown(pixel_time));
    println!("by rectangles      {}\n", shown(division_time));
    where_the_work_went(&each, &divided);
    let other = each.iter().zip(&divided.dwells).filter(|(a, b)| a != b).count();
    println!(
        "\n{other} of {} pixels differ between the methods{}",
        view.pixels(),
        match other {
            0 => "",
            _ =>
                ": they lie in rectangles whose border has one dwell everywhere, on pixels at least, and whose inside has not",
        }
    );
    Ok(())
}

fn said(path: &std::path::Path) -> String {
    format!("cannot write {}", path.display())
}

fn shown(took: Took) -> String {
    match took.milliseconds {
        Some(milliseconds) => format!("{milliseconds:.3} ms"),
        None => format!("{:.2} s on the emulator, whose time says nothing of a GPU's", took.host.as_secs_f64()),
    }
}

/// Pixels and steps by depth.
fn where_the_work_went(each: &[i32], divided: &Picture) {
    let all: i64 = each.iter().map(|&dwell| i64::from(dwell)).sum();
    println!("depth      filled  pixel by pixel  steps saved");
    for depth in 0..=divided.depths.iter().max().map_or(0, |deepest| deepest / 4) {
        let of = |kind: u8| divided.depths.iter().zip(each).filter(move |(it, _)| **it == 4 * depth + kind);
        let saved: i64 = of(FILLED).map(|(_, &dwell)| i64::from(dwell)).sum();
        let (filled, computed) = (of(FILLED).count(), of(BY_PIXEL).count());
        println!("{depth:>5} {filled:>11} {computed:>15} {:>11.1}%", 100.0 * saved as f64 / all.max(1) as f64);
    }
    println!("(of {all} steps that a thread a pixel makes; the steps along borders are extra)");
}

/// The times of both methods, the median of five on a GPU.
fn times(stage: &Stage, largest: u32) -> anyhow::Result<()> {
    println!("{:>8} {:>16} {:>16} {:>8} {:>14}", "side", "a thread a pixel", "by rectangles", "ratio", "differing");
    let rounds = if stage.is_gpu() { 5 } else { 1 };
    for power in 10..=largest {
        let view = View::whole(1 << power);
        let (mut pixel, mut division, mut other) = (Vec::new(), Vec::new(), 0);
        for round in 0..rounds + usize::from(stage.is_gpu()) {
            tell(&format!("{0} x {0}, round {1} ...", view.width, round + 1));
            let (each, pixel_time) = by_pixel(stage, &view, MAX_DWELL)?;
            let (divided, division_time) = by_division(stage, &view, Division::SLIDE, MAX_DWELL)?;
            other = each.iter().zip(&divided.dwells).filter(|(a, b)| a != b).count();
            // The first one on a GPU warms up.
            if round > 0 || !stage.is_gpu() {
                pixel.push(milliseconds(pixel_time));
                division.push(milliseconds(division_time));
            }
        }
        let (pixel, division) = (median(pixel), median(division));
        tell("");
        println!("{:>8} {pixel:>13.3} ms {division:>13.3} ms {:>8.2} {other:>14}", view.width, pixel / division);
    }
    Ok(())
}

fn milliseconds(took: Took) -> f64 {
    took.milliseconds.unwrap_or(1e3 * took.host.as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What launches that fail leave behind.
fn codes(stage: &Stage) -> anyhow::Result<()> {
    let (found, _) = stage.run("launch_error_correct", children::codes)?;
    let asked = [
        "a launch as it should be",
        "1025 threads a block",
        "a grid of no blocks",
        "1 MiB of shared memory",
        "one launch into the tail stream too many",
        "one launch too deep",
    ];
    for (asked, code) in asked.iter().zip(found.codes) {
        println!("{asked:<42} {code:>4}");
    }
    println!("{:<42} {:>4}", "tail launches until one failed", found.tail_launches);
    println!("{:<42} {:>4}", "nested launches that ran", found.deepest);
    // Last: a GPU may not survive it.
    match stage.run("launch_error_correct", children::stream_code) {
        Ok((code, _)) => println!("{:<42} {code:>4}", "a stream that has been destroyed"),
        Err(error) => println!("{:<42} {error:#}", "a stream that has been destroyed"),
    }
    Ok(())
}
