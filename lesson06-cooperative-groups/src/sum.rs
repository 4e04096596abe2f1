//! `sum_kernel_*` and `sum_unified`: the sum of a long vector.

use crate::reference;
use common::check;
use common::{Run, launch};
use cust::memory::{DeviceBox, UnifiedBox, UnifiedBuffer};
use cust::prelude::*;

/// Threads of a block.
const BLOCK: u32 = 256;
/// More blocks than any GPU holds at once gain nothing: each thread strides.
const MOST_BLOCKS: usize = 4096;
/// Elements that a thread takes at a time.
const VECTOR: usize = 4;

/// How many blocks a sum of `n` elements is given.
fn blocks(n: usize) -> anyhow::Result<u32> {
    anyhow::ensure!(n <= 1 << 30, "{n} elements are too many: these kernels count up to 2^30");
    Ok(n.div_ceil(BLOCK as usize * VECTOR).clamp(1, MOST_BLOCKS) as u32)
}

/// Bytes of dynamic shared memory that `kernel` is launched with.
fn shared_bytes(kernel: &str) -> u32 {
    match kernel {
        "sum_kernel_block_bytes" => BLOCK, // Threads, and no sizeof(int): this is the bug.
        "sum_kernel_block" | "sum_unified" => BLOCK * size_of::<i32>() as u32,
        _ => 0,
    }
}

/// Runs `kernel` once for each run of this size, on values that are uploaded once.
pub fn job(run: &Run, kernel: &str, values: &[i32]) -> anyhow::Result<()> {
    if kernel == "sum_unified" {
        return unified(run, kernel, values);
    }
    let expected = reference::total(values);
    let (blocks, bytes) = (blocks(values.len())?, shared_bytes(kernel));
    let function = run.function()?;
    let input = values.as_dbuf()?;
    run.moves(size_of_val(values) as u64);
    run.each(|| {
        let stream = Stream::new(StreamFlags::DEFAULT, None)?;
        let sum = DeviceBox::new(&0i32)?;
        // SAFETY: `input` holds n ints, `sum` one; the broken kernel's shared memory is too small, and the device says so.
        unsafe {
            launch!(function<<<blocks, BLOCK, bytes, stream>>>(
                sum.as_device_ptr(), input.as_device_ptr(), values.len() as u32
            ))?;
        }
        stream.synchronize()?;
        check::equal_value(sum.as_host_value()?, expected)
    })
}

/// The same on memory that host and device share: no copies, one address.
fn unified(run: &Run, kernel: &str, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values);
    let (blocks, bytes) = (blocks(values.len())?, shared_bytes(kernel));
    let function = run.function()?;
    // The pointer is taken once: cust wants the buffer mutable for it.
    let mut input = UnifiedBuffer::from_slice(values)?;
    let first = input.as_unified_ptr();
    run.each(|| {
        let stream = Stream::new(StreamFlags::DEFAULT, None)?;
        let sum = UnifiedBox::new(0i32)?;
        // SAFETY: `input` holds n ints, `sum` one, and the host touches neither until the stream is done.
        unsafe {
            launch!(function<<<blocks, BLOCK, bytes, stream>>>(
                sum.as_unified_ptr(), first, values.len() as u32
            ))?;
        }
        stream.synchronize()?;
        check::equal_value(*sum, expected)
    })
}
