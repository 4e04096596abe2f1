//! Blocks reversed with every spelling of a barrier, groups taken apart, and one atomic for a group.

use crate::reference;
use common::check::{self, InputValues};
use common::{Counter, Metric, Row, Run, Slug, launch};
use cust::memory::{DeviceBox, DeviceBuffer};
use cust::prelude::*;

/// Six spellings that are one barrier, and those that are gone.
pub const BLOCK_BARRIER: Row = Row::of("block_barrier")
    .compile_fail(crate::REFUSED)
    .correct(BARRIERS)
    .fixed(1024)
    .seeds(16)
    .charts(&[
        Metric::Sum(Counter::Barriers),
        Metric::Sum(Counter::BarrierArrivals),
        Metric::Sum(Counter::Instructions),
    ])
    .job(|run| turned(run, &check::ramp(run.size())));

/// The spellings of a block's barrier that today's header has.
pub const BARRIERS: &[&str] = &[
    "block_barrier_syncthreads",
    "block_barrier_block",
    "block_barrier_call",
    "block_barrier_this",
    "block_barrier_group",
    "block_barrier_split",
];

/// `block_barrier`: each 256 elements are reversed.
pub fn turned(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_in_pieces(values, BARRIER_BLOCK);
    run.each(|| check::equal(&turn(run, values)?, &expected))
}

/// Threads and elements of a block of `block_barrier_*`.
const BARRIER_BLOCK: usize = 256;

fn turn(run: &Run, values: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let out = run.poisoned::<i32>(values.len())?;
    let blocks = (values.len() / BARRIER_BLOCK) as u32;
    // SAFETY: `input` and `out` hold an int for each thread.
    unsafe {
        launch!(function<<<blocks, BARRIER_BLOCK as u32, 0, stream>>>(input.as_device_ptr(), out.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}

/// Tiles, the threads that are together, two halves, many labels.
pub const PARTITION: Row = Row::pair("partition", Slug::Deadlock)
    .correct(&["partition_tiled", "partition_sized", "partition_coalesced", "partition_binary", "partition_labeled"])
    .sizes(4096, 256)
    .from_zero()
    .seeds(32)
    .isolated()
    .job(|run| parted(run, &InputValues::seeded(3).ints(run.size(), 0, 1000)));

/// Threads and elements of a block of `partition_*`.
const PARTITION_BLOCK: usize = 64;
const WARP: usize = 32;

/// `partition`: each part has its sum. Values beyond the last whole block are 0, and there is at least one block.
pub fn parted(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let mut padded = values.to_vec();
    padded.resize(values.len().next_multiple_of(PARTITION_BLOCK).max(PARTITION_BLOCK), 0);
    let expected = sums_of_parts(&run.kernel().name, &padded);
    run.each(|| check::equal(&parts(run, &padded, expected.len())?, &expected))
}

/// The sums that `kernel` makes of `values`, part by part.
fn sums_of_parts(kernel: &str, values: &[i32]) -> Vec<i32> {
    match kernel {
        "partition_tiled" => reference::sums(values, 8),
        "partition_sized" => reference::sums(values, 16),
        "partition_coalesced" => reference::sums(&reference::odd_only(values), WARP),
        "partition_binary" => reference::sums_by_label(values, WARP, 2, |value| (value & 1) as usize),
        "partition_labeled" => reference::sums_by_label(values, WARP, 4, |value| (value & 3) as usize),
        _ => reference::sums(values, WARP),
    }
}

/// `partition_*`: the sums of so many parts of `values`, which are whole blocks.
fn parts(run: &Run, values: &[i32], count: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let sums = DeviceBuffer::<i32>::zeroed(count)?;
    let blocks = (values.len() / PARTITION_BLOCK) as u32;
    // SAFETY: `input` holds an int for each thread, `sums` one for each part.
    unsafe {
        launch!(function<<<blocks, PARTITION_BLOCK as u32, 0, stream>>>(input.as_device_ptr(), sums.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}

/// One atomic for all threads that run together, and a number for each of them.
pub const AGG_INC: Row = Row::pair("agg_inc", Slug::UndefinedValue)
    .ladder(&["agg_inc_filter"])
    .sizes(1 << 16, 1024)
    .from_zero()
    .isolated()
    .job(|run| ticketed(run, &InputValues::seeded(4).with_positive_share(run.size(), 0.5)));

/// `agg_inc`: a ticket for every positive value, or the positive values themselves.
pub fn ticketed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let positive: Vec<i32> = values.iter().copied().filter(|&value| value > 0).collect();
    let wanted: Vec<bool> = values.iter().map(|&value| value > 0).collect();
    run.each(|| {
        let (count, given) = tickets(run, values)?;
        check::equal_value(count, positive.len())?;
        if run.kernel().name == "agg_inc_filter" {
            return check::multiset(&given[..count], &positive);
        }
        let has_one = |&ticket: &i32| ticket != NONE;
        let tickets: Vec<i32> = given.iter().copied().filter(has_one).collect();
        check::multiset(&tickets, &(0..count as i32).collect::<Vec<_>>())?;
        check::equal(&given.iter().map(has_one).collect::<Vec<_>>(), &wanted)
    })
}

/// The value that a thread without a ticket is left with.
const NONE: i32 = -1;

/// `agg_inc_*`: how many tickets there are, and each thread's, or [`NONE`]; from `agg_inc_filter` the values with one.
fn tickets(run: &Run, values: &[i32]) -> anyhow::Result<(usize, Vec<i32>)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = u32::try_from(values.len())?;
    let input = values.as_dbuf()?;
    let count = DeviceBox::new(&0u32)?;
    let given = vec![NONE; values.len()].as_slice().as_dbuf()?;
    let blocks = n.div_ceil(256).max(1);
    // SAFETY: `input` and `given` hold n ints, `count` one unsigned.
    unsafe {
        launch!(function<<<blocks, 256, 0, stream>>>(
            input.as_device_ptr(), n, count.as_device_ptr(), given.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok((count.as_host_value()? as usize, given.as_host_vec()?))
}
