//! A sum for each block, by a function that takes any group.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// One function for any group: a block, a tile of it, the threads that run together.
pub const REDUCE_SUM: Row = Row::pair("reduce_sum", Slug::RaceShared)
    .broken(&[("reduce_sum_once", Expect::Finding(Slug::RaceShared)), ("reduce_sum_halving", Expect::WrongResult)])
    .ladder(&["reduce_sum_tile", "reduce_sum_coalesced"])
    .sizes(9600, 384)
    .from_zero()
    .shows_from(3)
    .job(|run| summed_by_group(run, &InputValues::seeded(1).ints(run.size(), -1000, 1000)));

/// Threads and elements of a block: no power of two, and that is the point.
const BLOCK: usize = 96;

/// A sum for each block, and where a kernel adds up twice, one of the squares.
pub fn summed_by_group(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let kernel = run.kernel().name.as_str();
    let taking_part = if kernel == "reduce_sum_coalesced" { reference::odd_only(values) } else { values.to_vec() };
    let sums = reference::sums(&taking_part, BLOCK);
    let squares = reference::sums(&reference::squares(&taking_part), BLOCK);
    run.each(|| {
        let (got, of_squares) = add_up(run, values)?;
        check::equal(&got, &sums)?;
        match kernel {
            "reduce_sum_once" | "reduce_sum_halving" => Ok(()), // These add up once.
            _ => check::equal(&of_squares, &squares),
        }
    })
}

/// Returns what each block has added up: the values, and their squares.
fn add_up(run: &Run, values: &[i32]) -> anyhow::Result<(Vec<i32>, Vec<i32>)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    check::at_most(values.len(), 1 << 30)?;
    let blocks = values.len().div_ceil(BLOCK);
    let input = values.as_dbuf()?;
    let sums = DeviceBuffer::<i32>::zeroed(blocks)?;
    let squares = DeviceBuffer::<i32>::zeroed(blocks)?;
    // A launch has at least one block; for no elements there is nothing to launch.
    if blocks > 0 {
        // SAFETY: `input` holds n ints, `sums` and `squares` one for each block.
        unsafe {
            launch!(function<<<blocks as u32, BLOCK as u32, 0, stream>>>(
                input.as_device_ptr(), values.len() as u32, sums.as_device_ptr(), squares.as_device_ptr()
            ))?;
        }
    }
    stream.synchronize()?;
    Ok((sums.as_host_vec()?, squares.as_host_vec()?))
}
