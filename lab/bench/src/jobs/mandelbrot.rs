//! `mandelbrot`: the slides' picture, region and number of steps. What all are compared with is a thread per pixel.

use crate::data;
use crate::device::{Arg, Step};
use crate::measure::{Group, Method};
use crate::run::Run;
use anyhow::{Context as _, Result, ensure};
use cust::context::{CurrentContext, ResourceLimit};
use lesson05_dynamic_parallelism::plane::{MAX_DWELL, Plane, View};
use lesson05_dynamic_parallelism::reference::{self, Division};
use lesson05_dynamic_parallelism::set;
use std::thread;

/// A picture, and where it goes. All addresses are the device's.
struct Place {
    view: View,
    division: Division,
    dwells: u64,
    /// A byte for each pixel.
    depths: u64,
    /// One int.
    errors: u64,
    queue: u64,
}

/// The expected picture of a method: the pixels' own dwells, or those of the same method on the CPU, which fills
/// rectangles by their border and may miss what is inside.
#[derive(Clone, Copy)]
enum Answer {
    EachPixel,
    Filled,
    Boxes,
}

/// A function that returns the steps which one call enqueues.
type Call = fn(&Run, &str, &Place) -> Result<Vec<Step>>;

const PEER: &str = "mandelbrot_correct";
const METHODS: &[(&str, Answer, Call)] = &[
    (PEER, Answer::EachPixel, by_pixel),
    ("mariani_silver_correct", Answer::Filled, by_division),
    ("mandelbrot_queue_correct", Answer::Boxes, by_queue),
];

/// (dwells, width, height, plane, max_dwell), blocks of 64 x 4.
fn by_pixel(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let (width, height) = (place.view.width as u32, place.view.height as u32);
    let arguments = [
        Arg::Pointer(place.dwells),
        Arg::Int(width as i32),
        Arg::Int(height as i32),
        Arg::Struct(plane(&place.view.plane)),
        Arg::Int(MAX_DWELL),
    ];
    Ok(vec![run.gpu.launch(kernel, (width.div_ceil(64), height.div_ceil(4)), (64, 4), &arguments)?])
}

/// (image, whole, depth): kernels that launch kernels.
fn by_division(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let Place { view, division, .. } = place;
    let (width, height) = (view.width as i32, view.height as i32);
    // `struct Image` of mariani_silver.cu: three pointers, seven numbers of four bytes, one of padding.
    let mut image: Vec<u8> =
        [place.dwells, place.depths, place.errors].iter().flat_map(|at| at.to_ne_bytes()).collect();
    image.extend(width.to_ne_bytes());
    image.extend(plane(&view.plane));
    let limits = [MAX_DWELL, division.min_size as i32, division.max_depth as i32, 0];
    image.extend(limits.iter().flat_map(|number| number.to_ne_bytes()));
    let whole = [0, 0, width, height].iter().flat_map(|number| number.to_ne_bytes()).collect();
    let parts = division.first as u32;
    let clear = Step::Fill { at: place.errors, value: 0, words: 1 };
    let arguments = [Arg::Struct(image), Arg::Struct(whole), Arg::Int(0)];
    Ok(vec![clear, run.gpu.launch(kernel, (parts, parts), (64, 4), &arguments)?])
}

/// (image, tile, queue), after the queue has been cleared.
fn by_queue(run: &Run, kernel: &str, place: &Place) -> Result<Vec<Step>> {
    let view = &place.view;
    let shape @ set::QueueShape { tile, threads } = set::QueueShape::of(view);
    let most = run.gpu.most_blocks(kernel, threads)?;
    let (blocks, words) = shape.queue((view.width as u32, view.height as u32), most);
    ensure!(words <= queue_words(view), "the queue has no room for {words} words");
    // `struct Image` of boxes.cuh: a pointer, six numbers of four bytes.
    let mut image = place.dwells.to_ne_bytes().to_vec();
    image.extend((view.width as i32).to_ne_bytes());
    image.extend((view.height as i32).to_ne_bytes());
    image.extend(plane(&view.plane));
    image.extend(MAX_DWELL.to_ne_bytes());
    let queue = [0, 4, 8, 12].iter().flat_map(|offset| (place.queue + offset).to_ne_bytes()).collect();
    let clear = Step::Fill { at: place.queue, value: 0, words };
    let arguments = [Arg::Struct(image), Arg::Int(tile as i32), Arg::Struct(queue)];
    Ok(vec![clear, run.gpu.launch(kernel, blocks, threads, &arguments)?])
}

/// Room for any queue: more than a slot for each 32 x 32 pixels and each block.
fn queue_words(view: &View) -> usize {
    2 * view.width.div_ceil(32) * view.height.div_ceil(32) + (1 << 16)
}

/// `struct Plane`, as C has it.
fn plane(Plane { left, top, step }: &Plane) -> Vec<u8> {
    [left, top, step].iter().flat_map(|number| number.to_ne_bytes()).collect()
}

pub fn mandelbrot(run: &mut Run) -> Result<()> {
    if !run.gpu.is_emulated {
        // If the limit is refused, large pictures find no room for their launches, and the checks see that.
        let _ = CurrentContext::set_resource_limit(ResourceLimit::DeviceRuntimePendingLaunchCount, 1 << 17);
    }
    for &side in run.at_scale(&[1024, 2048, 4096, 8192, 16384][..], &[1024, 4096], &[40]) {
        if let Err(error) = of_side(run, side) {
            run.skip(&format!("mandelbrot, {side} x {side}"), &error);
        }
    }
    Ok(())
}

fn of_side(run: &mut Run, side: usize) -> Result<()> {
    let view = View::whole(side);
    let pixels = view.pixels();
    let division = if side < 1024 { Division { first: 2, min_size: 2, max_depth: 3 } } else { Division::SLIDE };
    let (dwells, depths, errors) = (run.gpu.room::<u32>(pixels)?, run.gpu.room::<u8>(pixels)?, run.gpu.room::<i32>(1)?);
    let (dwells, depths, errors) =
        (dwells.as_device_ptr().as_raw(), depths.as_device_ptr().as_raw(), errors.as_device_ptr().as_raw());
    let queue = run.gpu.room::<u32>(queue_words(&view))?;
    let queue = queue.as_device_ptr().as_raw();
    let place = Place { view, division, dwells, depths, errors, queue };

    run.gpu.fill(errors, 0, 1)?;
    let each_pixel = each_pixel(run, &place)?;
    let (filled, boxes) = thread::scope(|scope| {
        let filled = scope.spawn(|| reference::mariani_silver(&view, &each_pixel, division).dwells);
        let boxes = reference::by_boxes(&view, &each_pixel, set::QueueShape::of(&view).tile as usize);
        (filled.join().expect("the reference panicked"), boxes)
    });
    for (method, picture) in [("mariani_silver_correct", &filled), ("mandelbrot_queue_correct", &boxes)] {
        let differ = each_pixel.iter().zip(picture).filter(|(each, filled)| each != filled).count();
        if differ > 0 {
            run.note(say!("filled-differ", method, side, differ, pixels));
        }
    }

    let mut methods = Vec::new();
    for &(kernel, answer, call) in METHODS {
        let wanted = match answer {
            Answer::EachPixel => &each_pixel,
            Answer::Filled => &filled,
            Answer::Boxes => &boxes,
        };
        methods.push(Method::new(kernel, vec![call(run, kernel, &place)?], move |run, _| {
            let error = run.host.download(errors, 1)?[0];
            ensure!(error == 0, "a launch by a kernel failed with CUDA error {error}");
            let wrong = run.host.first_wrong(dwells, pixels, |i, word| word as i32 == wanted[i])?;
            ensure!(wrong.is_none(), "pixel {} is wrong", wrong.unwrap_or(0));
            Ok(())
        }));
    }
    run.group(&Group {
        job: "mandelbrot",
        input: format!("{side} x {side}"),
        n: pixels as u64,
        bytes: 0,
        methods,
        peer: Some(PEER),
        poison: Box::new(move |run| {
            data::poison(&run.gpu, dwells, pixels)?;
            data::poison(&run.gpu, depths, pixels / 4)?;
            run.gpu.fill(errors, 0, 1)
        }),
    })
}

/// Every pixel's dwell. A large picture is computed by the kernel for single pixels; the CPU computes some of its
/// lines, as many as a second has room for, and all of a small one.
fn each_pixel(run: &Run, place: &Place) -> Result<Vec<i32>> {
    let View { width, height, plane } = place.view;
    let by_cpu = |line: usize| (0..width).map(move |x| reference::dwell(plane, x, line, MAX_DWELL));
    let every = (place.view.pixels() >> 20).max(1);
    if every == 1 {
        let lines = run.host.parallel(height, |lines| lines.flat_map(by_cpu).collect::<Vec<_>>());
        return Ok(lines.concat());
    }
    data::poison(&run.gpu, place.dwells, place.view.pixels())?;
    let steps = by_pixel(run, PEER, place)?;
    steps.iter().try_for_each(|step| step.enqueue(&run.gpu.stream))?;
    run.gpu.stream.synchronize()?;
    let picture: Vec<i32> =
        run.host.download(place.dwells, place.view.pixels())?.into_iter().map(|dwell| dwell as i32).collect();
    let some = height / every;
    let wrong = run.host.parallel(some, |lines| {
        lines.map(|line| line * every).find(|&line| !by_cpu(line).eq(picture[line * width..][..width].iter().copied()))
    });
    match wrong.into_iter().flatten().next() {
        Some(line) => Err(anyhow::anyhow!("line {line}")).context("the kernel for single pixels is wrong"),
        None => Ok(picture),
    }
}
