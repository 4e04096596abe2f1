//! A product of matrices on the tensor cores, whose tiles come by tensor maps.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, TensorMap, Unit, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;
use half::f16;

/// Products that a warpgroup starts, and waits for later.
pub const PRODUCT: Row = Row::pair("product", Slug::RaceShared)
    .broken(&[("product_early", Expect::Finding(Slug::Wgmma)), ("product_unfenced", Expect::Finding(Slug::Wgmma))])
    .correct(&["product_three"])
    .only_capability(9, 0)
    .sizes(elements(70), elements(34))
    .of_unit(Unit::Floats)
    .seeds(16)
    .from_zero()
    // Three tiles: a stage is filled again.
    .shows_from(elements(33))
    .job(|run| {
        let shape = ProductShape::of_size(run.size());
        let mut values = InputValues::seeded(13);
        let a = values.ints(shape.rows * shape.depth, -4, 4);
        let b = values.ints(shape.columns * shape.depth, -4, 4);
        multiplied(run, &a, &b, shape)
    });

/// The sums are `rows` times `columns`, of `depth` products each.
#[derive(Clone, Copy, Debug)]
pub struct ProductShape {
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
}

/// A row of a factor is four times as long as a column, so that a small product has several tiles in a row.
const ASPECT: usize = 4;

/// Elements of a factor with so many rows.
const fn elements(rows: usize) -> usize {
    rows * rows * ASPECT
}

impl ProductShape {
    /// The shape where each factor has about `size` elements.
    fn of_size(size: usize) -> ProductShape {
        let side = (size / ASPECT).isqrt();
        ProductShape { rows: side, columns: side, depth: side * ASPECT }
    }
}

/// Threads of a block: a warpgroup that multiplies, and a warp that fills the stages.
const BLOCK: u32 = 160;
/// Rows and columns of a block's part of the result, and columns of a tile of either factor.
const ROWS: u32 = 64;
const COLUMNS: u32 = 32;
const DEPTH: u32 = 64;

/// Whole numbers of few bits, so that all sums are exact. `b` is the second factor, transposed.
pub fn multiplied(run: &Run, a: &[i32], b: &[i32], shape: ProductShape) -> anyhow::Result<()> {
    let ProductShape { rows, columns, depth } = shape;
    check::at_most(rows.max(columns), 1 << 15)?;
    check::at_most(depth, 1 << 19)?;
    let before = InputValues::seeded(14).ints(rows * columns, -1000, 1000);
    let expected = reference::multiplied(a, b, depth, &before);
    let (a, b) = (Factor::new(a, rows, depth, ROWS)?, Factor::new(b, columns, depth, COLUMNS)?);
    run.each(|| {
        let sums: Vec<i32> = sums(run, &a, &b, shape, &before)?.iter().map(|&sum| sum as i32).collect();
        check::equal(&sums, &expected)
    })
}

/// A factor on the device, and the map by which copies read it.
struct Factor {
    map: TensorMap,
    _elements: DeviceBuffer<u16>,
}

impl Factor {
    /// Each row begins at a multiple of 16 bytes. A map has at least one element.
    fn new(values: &[i32], rows: usize, depth: usize, box_rows: u32) -> anyhow::Result<Factor> {
        let (rows, columns) = (rows.max(1), depth.max(1));
        let pitch = TensorMap::pitch(columns);
        let mut elements = vec![0; rows * pitch];
        for (row, values) in elements.chunks_mut(pitch).zip(values.chunks(columns)) {
            row.iter_mut().zip(values).for_each(|(element, &value)| *element = f16::from_f32(value as f32).to_bits());
        }
        let elements = elements.as_slice().as_dbuf()?;
        let map = TensorMap::of_f16(&elements, (rows, columns), (box_rows, DEPTH))?;
        Ok(Factor { map, _elements: elements })
    }
}

/// The kernel adds to what is there, so each run copies it to the device.
fn sums(run: &Run, a: &Factor, b: &Factor, shape: ProductShape, before: &[i32]) -> anyhow::Result<Vec<f32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (rows, columns, tiles) = (shape.rows as u32, shape.columns as u32, (shape.depth as u32).div_ceil(DEPTH));
    let grid = (columns.div_ceil(COLUMNS).max(1), rows.div_ceil(ROWS).max(1));
    let before: Vec<f32> = before.iter().map(|&value| value as f32).collect();
    let out = before.as_slice().as_dbuf()?;
    // SAFETY: the maps are of matrices with `rows` and `columns` rows of at most `tiles` boxes, and `out` holds `rows`
    // times `columns` floats.
    unsafe {
        launch!(function<<<grid, BLOCK, 0, stream>>>(a.map, b.map, out.as_device_ptr(), rows, columns, tiles))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
