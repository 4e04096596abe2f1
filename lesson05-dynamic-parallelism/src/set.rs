//! The Mandelbrot set on the device: a thread a pixel, by Mariani and Silver's method, and by a queue.

use crate::plane::{Plane, View, max_dwell};
use crate::reference::{self, Division, Picture};
use anyhow::Context as _;
use common::{Row, Run, Slug, Unit, check, launch};
use cust::device::{Device, DeviceAttribute};
use cust::memory::{DeviceBox, DeviceCopy, DevicePointer};
use cust::prelude::*;

/// A thread a pixel: blocks cover more than the image.
pub const MANDELBROT: Row = Row::pair("mandelbrot", Slug::OutOfBounds)
    .of_unit(Unit::Pixels)
    .sizes(10_000, 1_000)
    .gpu(4096 * 4096)
    .isolated()
    .job(|run| drawn(run, View::of_pixels(run.size()), max_dwell(run.size())));

/// `mandelbrot`: each pixel is as on the CPU.
pub fn drawn(run: &Run, view: View, most: i32) -> anyhow::Result<()> {
    let expected = reference::mandelbrot(&view, most);
    run.moves(size_of_val(&expected[..]) as u64);
    run.each(|| check::equal(&by_pixel(run, &view, most)?, &expected))
}

/// The `mandelbrot` kernels: the dwell of each pixel.
pub fn by_pixel(run: &Run, view: &View, max_dwell: i32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (width, height) = sides(view)?;
    let dwells = run.poisoned::<i32>(view.pixels())?;
    let grid = (width.div_ceil(64).max(1), height.div_ceil(4).max(1), 1);
    // SAFETY: `dwells` holds an int for each pixel, and blocks of 64 x 4 cover them.
    unsafe {
        launch!(function<<<grid, (64, 4, 1), 0, stream>>>(
            dwells.as_device_ptr(), width as i32, height as i32, view.plane, max_dwell
        ))?;
    }
    stream.synchronize()?;
    Ok(dwells.as_host_vec()?)
}

/// Width and height as the kernels count them.
fn sides(view: &View) -> anyhow::Result<(u32, u32)> {
    anyhow::ensure!(view.pixels() < 1 << 31, "{} x {} pixels are too many", view.width, view.height);
    Ok((view.width as u32, view.height as u32))
}

/// A border first: what its pixels have in common.
pub const BORDER_DWELL: Row =
    Row::pair("border_dwell", Slug::RaceShared).of_unit(Unit::Pixels).sizes(4_000, 500).job(|run| {
        let (width, blocks) = (run.size().div_ceil(8), 8);
        let plane = View::around(-0.5, 0.0, 2.0, width, 3 * blocks).plane;
        looked_along(run, plane, width, blocks, max_dwell(run.size()))
    });

/// `border_dwell`: what the pixels of a border have in common, for each of some blocks.
pub fn looked_along(run: &Run, plane: Plane, width: usize, blocks: usize, most: i32) -> anyhow::Result<()> {
    let expected = reference::borders(plane, width, blocks, most);
    run.each(|| check::equal(&borders(run, plane, width, blocks, most)?, &expected))
}

/// The `border_dwell` kernels: what each line of three pixels' height has on its border.
fn borders(run: &Run, plane: Plane, width: usize, blocks: usize, max_dwell: i32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let common = run.poisoned::<i32>(blocks)?;
    let (width, grid) = (i32::try_from(width)?, u32::try_from(blocks).context("so many blocks")?);
    // SAFETY: `common` has an int for each block.
    unsafe {
        launch!(function<<<grid, 256, 0, stream>>>(common.as_device_ptr(), width, plane, max_dwell))?;
    }
    stream.synchronize()?;
    Ok(common.as_host_vec()?)
}

/// A grid for each part: Mariani and Silver's method.
pub const MARIANI_SILVER: Row = Row::of("mariani_silver")
    .of_unit(Unit::Pixels)
    .correct(&["mariani_silver_correct"])
    .sizes(65_536, 1_600)
    .seeds(16)
    .gpu(4096 * 4096)
    .job(|run| {
        let view = View::of_pixels(run.size());
        divided(run, view, division(&view), max_dwell(run.size()))
    });

/// Small pictures are divided more finely than on the slide, or nothing would be divided.
fn division(view: &View) -> Division {
    match view.width.min(view.height) {
        side @ ..1024 => Division { first: side.clamp(1, 4), min_size: 4, max_depth: 4 },
        _ => Division::SLIDE,
    }
}

/// `mariani_silver`: pixel for pixel as on the CPU, and each by a grid of the same depth.
pub fn divided(run: &Run, view: View, division: Division, most: i32) -> anyhow::Result<()> {
    let expected = reference::mariani_silver(&view, &reference::mandelbrot(&view, most), division);
    run.moves(size_of_val(&expected.dwells[..]) as u64);
    run.each(|| {
        let picture = by_division(run, &view, division, most)?;
        check::equal(&picture.dwells, &expected.dwells)?;
        check::equal(&picture.depths, &expected.depths)
    })
}

/// `struct Image` of `cuda/lesson05/mariani_silver.cu`.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Image {
    dwells: DevicePointer<i32>,
    depths: DevicePointer<u8>,
    errors: DevicePointer<i32>,
    width: i32,
    plane: Plane,
    max_dwell: i32,
    min_size: i32,
    max_depth: i32,
    /// Tail padding, which is copied to the device as well. Uninitialised, it would make recorded runs differ.
    padding: u32,
}

/// `struct Rectangle`.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Rectangle {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

/// `mariani_silver_correct`: each pixel, and what it is due to.
pub fn by_division(run: &Run, view: &View, division: Division, max_dwell: i32) -> anyhow::Result<Picture> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (width, height) = sides(view)?;
    let parts = u32::try_from(division.first)?;
    anyhow::ensure!(parts > 0 && parts <= width.min(height), "{width} x {height} pixels are not {parts} parts a side");
    let dwells = run.poisoned::<i32>(view.pixels())?;
    let depths = run.poisoned::<u8>(view.pixels())?;
    let errors = DeviceBox::new(&0i32)?;
    let image = Image {
        dwells: dwells.as_device_ptr(),
        depths: depths.as_device_ptr(),
        errors: errors.as_device_ptr(),
        width: width as i32,
        plane: view.plane,
        max_dwell,
        min_size: i32::try_from(division.min_size)?,
        max_depth: i32::try_from(division.max_depth)?,
        padding: 0,
    };
    let whole = Rectangle { x: 0, y: 0, width: width as i32, height: height as i32 };
    // SAFETY: `image` points to an int and a byte for each pixel of `whole`, and to one int for errors.
    unsafe {
        launch!(function<<<(parts, parts, 1), (64, 4, 1), 0, stream>>>(image, whole, 0i32))?;
    }
    stream.synchronize()?;
    check::launched(errors.as_host_value()?)?;
    Ok(Picture { dwells: dwells.as_host_vec()?, depths: depths.as_host_vec()? })
}

/// Mariani and Silver's method without launches by kernels: a queue, and borders that rectangles share.
pub const MANDELBROT_QUEUE: Row = Row::of("mandelbrot_queue")
    .of_unit(Unit::Pixels)
    .correct(&["mandelbrot_queue_correct"])
    .sizes(65_536, 1_600)
    .seeds(16)
    .gpu(4096 * 4096)
    .job(|run| {
        let view = View::of_pixels(run.size());
        queued(run, view, QueueShape::of(&view), max_dwell(run.size()))
    });

/// `mandelbrot_queue`: pixel for pixel as the same method gives it on the CPU.
pub fn queued(run: &Run, view: View, shape: QueueShape, most: i32) -> anyhow::Result<()> {
    let expected = reference::by_boxes(&view, &reference::mandelbrot(&view, most), shape.tile as usize);
    run.moves(size_of_val(&expected[..]) as u64);
    run.each(|| check::equal(&by_queue(run, &view, shape, most)?, &expected))
}

/// The shape of the launch of `mandelbrot_queue_correct`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueShape {
    /// The side of a tile in pixels: 32, 128 or 512.
    pub tile: u32,
    /// Threads of a block.
    pub threads: u32,
}

impl QueueShape {
    /// The fastest one on an H200. Small pictures, which are for the emulator, are divided as often as they can be.
    pub fn of(view: &View) -> QueueShape {
        match view.width.max(view.height) {
            ..256 => QueueShape { tile: 128, threads: 256 },
            256..1024 => QueueShape { tile: 512, threads: 256 },
            1024..2048 => QueueShape { tile: 32, threads: 512 },
            2048..8192 => QueueShape { tile: 128, threads: 512 },
            _ => QueueShape { tile: 512, threads: 256 },
        }
    }

    /// Blocks, of which `most` can be there at once, and words of the queue: three counters, then a slot for each part
    /// and each block.
    pub fn queue(self, (width, height): (u32, u32), most: u32) -> (u32, usize) {
        let squares = |side: u32| width.div_ceil(side) * height.div_ceil(side);
        // Nor more blocks than there is work for.
        let blocks = most.min(squares(32)).max(1);
        let parts: u32 = [32, 128].into_iter().filter(|&side| side < self.tile).map(squares).sum();
        (blocks, (3 + parts + blocks) as usize)
    }

    /// The blocks that can be there at once: what the occupancy call gives, for each multiprocessor.
    fn most_blocks(self, function: &common::Function) -> anyhow::Result<u32> {
        let each = function.max_active_blocks_per_multiprocessor(self.threads.into(), 0)?;
        let multiprocessors = Device::get_device(0)?.get_attribute(DeviceAttribute::MultiprocessorCount)?;
        Ok(each * multiprocessors as u32)
    }
}

/// `struct Image` of `cuda/lesson05/boxes.cuh`.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct BoxImage {
    dwells: DevicePointer<i32>,
    width: i32,
    height: i32,
    plane: Plane,
    max_dwell: i32,
}

/// `struct Queue` of `cuda/lesson05/mandelbrot_queue.cu`.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C)]
struct Queue {
    head: DevicePointer<u32>,
    tail: DevicePointer<u32>,
    open: DevicePointer<u32>,
    slots: DevicePointer<u32>,
}

/// `mandelbrot_queue_correct`: the dwell of each pixel.
pub fn by_queue(run: &Run, view: &View, shape: QueueShape, max_dwell: i32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (width, height) = sides(view)?;
    anyhow::ensure!(width.max(height) <= 1 << 15, "{width} x {height} pixels: a slot has 12 bits for every 8 of them");
    let dwells = run.poisoned::<i32>(view.pixels())?;
    let image = BoxImage {
        dwells: dwells.as_device_ptr(),
        width: width as i32,
        height: height as i32,
        plane: view.plane,
        max_dwell,
    };
    let (blocks, words) = shape.queue((width, height), shape.most_blocks(&function)?);
    let words = vec![0u32; words].as_slice().as_dbuf()?;
    let word = |index: usize| words.index(index).as_device_ptr();
    let queue = Queue { head: word(0), tail: word(1), open: word(2), slots: word(3) };
    // SAFETY: `image` points to an int for each pixel, and the queue has a slot for each part and each block.
    unsafe {
        launch!(function<<<blocks, shape.threads, 0, stream>>>(image, shape.tile as i32, queue))?;
    }
    stream.synchronize()?;
    Ok(dwells.as_host_vec()?)
}
