//! What the kernels of a row are asked: the CPU's answer, and whether the device gives the same.

use crate::{WARP, blocks, exchange, members, reference, warps};
use common::Run;
use common::check;

/// `exchange`: a shuffle with every distance and width, or a warp of which the even lanes take part.
pub fn exchanged(run: &Run, values: &[i32; WARP]) -> anyhow::Result<()> {
    let kernel = run.kernel().name.as_str();
    if exchange::EACH.contains(&kernel) {
        let expected = exchange::expected(kernel, values);
        run.each(|| check::equal(&exchange::every(run, kernel, values)?, &expected))
    } else {
        let expected = exchange::expected_of_evens(values);
        run.each(|| check::equal(&exchange::evens(run, values)?, &expected))
    }
}

/// `vote`: `ballots` are members and their predicates; `wants`, for the pair, a value for each lane of some warps.
pub fn voted(run: &Run, ballots: &[(u32, u32)], wants: &[u32]) -> anyhow::Result<()> {
    let kernel = run.kernel().name.as_str();
    if members::VOTES.contains(&kernel) {
        return run.each(|| members::vote(run, kernel, ballots));
    }
    let expected = reference::others_want(wants);
    run.each(|| check::equal(&members::others_want(run, wants)?, &expected))
}

/// `match`: masks, and the values of their lanes.
pub fn matched(run: &Run, groups: &[(Vec<u32>, Vec<u64>)]) -> anyhow::Result<()> {
    let kernel = &run.kernel().name;
    run.each(|| groups.iter().try_for_each(|(members, held)| members::matches(run, kernel, members, held)))
}

/// `redux`.
pub fn reduced(run: &Run, members: &[u32], held: &[u32]) -> anyhow::Result<()> {
    run.each(|| members::reduce(run, &run.kernel().name, members, held))
}

/// `pre_volta`: a ticket for each element that is not 0.
pub fn ticketed(run: &Run, want: &[u32]) -> anyhow::Result<()> {
    run.each(|| {
        let (tickets, count) = members::tickets(run, want)?;
        members::each_has_a_ticket(want, &tickets, count)
    })
}

/// `warp_sum` and `lockstep_sum`: one sum for each warp, or for each half of one.
pub fn warp_sums(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let kernel = run.kernel();
    let is_whole = kernel.name == "warp_sum_full" || kernel.row.name == "lockstep_sum";
    let size = if is_whole { WARP } else { WARP / 2 };
    let expected = reference::sums(values, size);
    run.each(|| check::equal(&warps::sums(run, values, size)?, &expected))
}

/// `all_reduce`.
pub fn sums_everywhere(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sums_everywhere(values);
    run.each(|| check::equal(&warps::by_warp(run, values)?, &expected))
}

/// `ballot_sum`.
pub fn ballot_sums(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let sums = reference::sums(values, WARP);
    let expected = &sums[..values.len().div_ceil(WARP)];
    run.each(|| check::equal(&warps::ballot_sums(run, values)?, expected))
}

/// `activemask_sum`; `see` gets the masks that each run's threads found.
pub fn activemask_sums(run: &Run, values: &[u32], see: impl Fn(&[u32])) -> anyhow::Result<()> {
    let steps: Vec<i32> = values.iter().map(|&x| reference::steps(x)).collect();
    let sums = reference::sums(&steps, WARP);
    let expected = &sums[..values.len().div_ceil(WARP)];
    run.each(|| {
        let got = warps::activemask_sums(run, values)?;
        see(&got.masks);
        check::equal(&got.sums, expected)
    })
}

/// `transpose`.
pub fn transposed(run: &Run, values: &[f32]) -> anyhow::Result<()> {
    let expected = reference::transposed(values);
    run.each(|| check::equal(&warps::by_warp(run, values)?, &expected))
}

/// `block_reduce_sum`: blocks of `threads`, a multiple of 32.
pub fn block_sums(run: &Run, values: &[i32], threads: usize) -> anyhow::Result<()> {
    let expected = reference::sums(values, threads);
    run.each(|| check::equal(&blocks::block_sums(run, values, threads as u32)?, &expected))
}

/// `block_reduce_tail`: a block of as many threads as values.
pub fn tail_sum(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = total(values)?;
    run.each(|| check::equal_value(blocks::tail_sum(run, values)?, expected))
}

/// `device_reduce`.
pub fn device_sum(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = total(values)?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(blocks::device_sum(run, values)?, expected))
}

fn total(values: &[i32]) -> anyhow::Result<i32> {
    reference::total(values).ok_or_else(|| check::sum_too_large(values.len()))
}
