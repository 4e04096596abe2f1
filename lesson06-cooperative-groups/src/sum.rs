//! The sum of a long vector: each thread adds up its share, then the block, and then one atomic for each.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Peer, PeerCall, Row, Run, Slug, launch};
use cust::memory::{DeviceBox, UnifiedBox, UnifiedBuffer};
use cust::prelude::*;

/// A block's sum in shared memory of a size that each launch gives; then in tiles, and by a function of the header.
pub const SUM_KERNEL_BLOCK: Row = Row::of("sum_kernel_block")
    .broken(&[("sum_kernel_block_bytes", Expect::Finding(Slug::OutOfBounds))])
    .correct(&["sum_kernel_block"])
    .ladder(&["sum_kernel_tile", "sum_kernel_reduce"])
    .sizes(1 << 24, 4096)
    .seeds(16)
    .gpu(1 << 28)
    .peer(Peer::Sum)
    .from_zero()
    .shows_from(0)
    .isolated()
    .job(|run| summed(run, &ints(run)));

/// The same kernel on memory that host and device share.
pub const SUM_UNIFIED: Row = Row::of("sum_unified")
    .correct(&["sum_unified"])
    .sizes(1 << 20, 4096)
    .seeds(16)
    .from_zero()
    .job(|run| summed_where_it_lies(run, &ints(run)));

fn ints(run: &Run) -> Vec<i32> {
    InputValues::seeded(2).ints(run.size(), -1000, 1000)
}

/// `sum_kernel_block`: the values are copied once for all runs.
pub fn summed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values);
    let input = values.as_dbuf()?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(of_buffer(run, &input)?, expected))
}

/// Threads of a block.
pub const BLOCK: u32 = 256;
/// More blocks than any GPU holds at once gain nothing: each thread strides.
const MOST_BLOCKS: usize = 4096;
/// Elements that a thread takes at a time.
const VECTOR: usize = 4;

/// Returns the number of blocks for a sum of `n` elements.
pub fn blocks(n: usize) -> anyhow::Result<u32> {
    check::at_most(n, 1 << 30)?;
    Ok(n.div_ceil(BLOCK as usize * VECTOR).clamp(1, MOST_BLOCKS) as u32)
}

/// Bytes of dynamic shared memory that `kernel` is launched with.
pub fn shared_bytes(kernel: &str) -> u32 {
    match kernel {
        "sum_kernel_block_bytes" => BLOCK, // Threads, and no sizeof(int): this is the bug.
        "sum_kernel_block" | "sum_unified" => BLOCK * size_of::<i32>() as u32,
        _ => 0,
    }
}

/// The `sum_kernel_*`.
fn of_buffer(run: &Run, input: &DeviceBuffer<i32>) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    let sum = DeviceBox::new(&0i32)?;
    // SAFETY: `input` holds n ints, `sum` one; the broken kernel's shared memory is too small, and the device says so.
    unsafe {
        launch!(function<<<blocks(n)?, BLOCK, shared_bytes(&run.kernel().name), stream>>>(
            sum.as_device_ptr(), input.as_device_ptr(), n as u32
        ))?;
    }
    stream.synchronize()?;
    let answer = sum.as_host_value()?;
    let [from, to] = [input.as_device_ptr(), sum.as_device_ptr()].map(|pointer| pointer.as_raw());
    // SAFETY: `input` holds n ints, `sum` one.
    unsafe {
        let call = PeerCall { from, to, kept: 0, n: n as u32 };
        run.beside(&stream, call, || check::equal_value(sum.as_host_value()?, answer));
    }
    Ok(answer)
}

/// `sum_unified`: on memory that host and device share, with no copies and one address.
pub fn summed_where_it_lies(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values);
    let mut input = UnifiedBuffer::from_slice(values)?;
    run.each(|| check::equal_value(of_unified(run, &mut input)?, expected))
}

/// `sum_unified`. The buffer is mutable since cust gives its pointer only then.
fn of_unified(run: &Run, input: &mut UnifiedBuffer<i32>) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    let sum = UnifiedBox::new(0i32)?;
    // SAFETY: `input` holds n ints, `sum` one, and the host touches neither until the stream is done.
    unsafe {
        launch!(function<<<blocks(n)?, BLOCK, shared_bytes(&run.kernel().name), stream>>>(
            sum.as_unified_ptr(), input.as_unified_ptr(), n as u32
        ))?;
    }
    stream.synchronize()?;
    Ok(*sum)
}
