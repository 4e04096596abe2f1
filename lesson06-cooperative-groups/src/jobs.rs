//! What the kernels of a row are asked: the CPU's answer, and whether the device gives the same.

use crate::{copies, costs, groups, names, reduce, reference, reverse, sum};
use common::{Run, check};
use cust::memory::UnifiedBuffer;
use cust::prelude::*;

/// `reduce_sum`: a sum for each block, and where a kernel adds up twice, one of the squares.
pub fn summed_by_group(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let kernel = run.kernel().name.as_str();
    let taking_part = if kernel == "reduce_sum_coalesced" { reference::odd_only(values) } else { values.to_vec() };
    let sums = reference::sums(&taking_part, reduce::BLOCK);
    let squares = reference::sums(&reference::squares(&taking_part), reduce::BLOCK);
    run.each(|| {
        let got = reduce::sums(run, values)?;
        check::equal(&got.sums, &sums)?;
        match kernel {
            "reduce_sum_once" | "reduce_sum_halving" => Ok(()), // These add up once.
            _ => check::equal(&got.squares, &squares),
        }
    })
}

/// `sum_kernel_block`: the values are copied once for all runs.
pub fn summed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values);
    let input = values.as_dbuf()?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(sum::of_buffer(run, &input)?, expected))
}

/// `sum_unified`: on memory that host and device share, with no copies and one address.
pub fn summed_where_it_lies(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values);
    let mut input = UnifiedBuffer::from_slice(values)?;
    run.each(|| check::equal_value(sum::of_unified(run, &mut input)?, expected))
}

/// `block_barrier`.
pub fn turned(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_in_pieces(values, groups::BARRIER_BLOCK);
    run.each(|| check::equal(&groups::turned(run, values)?, &expected))
}

/// `barrier_cost`: so many steps, with a barrier after each.
pub fn stepped(run: &Run, barriers: u32) -> anyhow::Result<()> {
    let expected = reference::stepped(costs::threads(run.size()), barriers);
    run.each(|| check::equal(&costs::numbers(run, barriers)?, &expected))
}

/// `names`: launches of several shapes.
pub fn named(run: &Run) -> anyhow::Result<()> {
    let kernel = &run.kernel().name;
    run.each(|| {
        names::shapes(kernel).iter().try_for_each(|&(grid, block)| {
            let expected = names::expected(kernel, grid, block);
            check::equal(&names::words(run, grid, block, expected.len())?, &expected)
        })
    })
}

/// `partition`: values beyond the last whole block are 0.
pub fn parted(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let padded = groups::whole_blocks(values);
    let expected = groups::sums_of_parts(&run.kernel().name, &padded);
    run.each(|| check::equal(&groups::parts(run, &padded, expected.len())?, &expected))
}

/// `agg_inc`: a ticket for every positive value, or the positive values themselves.
pub fn ticketed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let positive: Vec<i32> = values.iter().copied().filter(|&value| value > 0).collect();
    let wanted: Vec<bool> = values.iter().map(|&value| value > 0).collect();
    run.each(|| {
        let (count, given) = groups::tickets(run, values)?;
        check::equal_value(count, positive.len())?;
        if run.kernel().name == "agg_inc_filter" {
            return check::multiset(&given[..count], &positive);
        }
        let has_one = |&ticket: &i32| ticket != groups::NONE;
        let tickets: Vec<i32> = given.iter().copied().filter(has_one).collect();
        check::multiset(&tickets, &(0..count as i32).collect::<Vec<_>>())?;
        check::equal(&given.iter().map(has_one).collect::<Vec<_>>(), &wanted)
    })
}

/// `async_copy`: the values are copied to the device once for all runs.
pub fn copied(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_in_pieces(values, copies::TILE);
    let input = values.as_dbuf()?;
    run.moves(2 * size_of_val(values) as u64);
    run.each(|| check::equal(&copies::reversed(run, &input)?, &expected))
}

/// `grid_reverse`.
pub fn reversed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed(values);
    run.moves(4 * size_of_val(values) as u64); // Each element is read and written twice.
    run.each(|| check::equal(&reverse::in_place(run, values)?, &expected))
}
