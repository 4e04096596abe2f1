//! The Mandelbrot set on the device: a thread a pixel, and by Mariani and Silver's method.

use crate::plane::{Plane, View};
use crate::reference::{Division, Picture};
use anyhow::Context as _;
use common::{Run, check, launch};
use cust::memory::{DeviceBox, DeviceCopy, DevicePointer};
use cust::prelude::*;

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

/// Width and height as the kernels count them.
fn sides(view: &View) -> anyhow::Result<(u32, u32)> {
    anyhow::ensure!(view.pixels() < 1 << 31, "{} x {} pixels are too many", view.width, view.height);
    Ok((view.width as u32, view.height as u32))
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

/// The `border_dwell` kernels: what each line of three pixels' height has on its border.
pub fn borders(run: &Run, plane: Plane, width: usize, blocks: usize, max_dwell: i32) -> anyhow::Result<Vec<i32>> {
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
