//! Every atomic function of CUDA, every type, in global and in shared memory: four rows of their own, apart from the story.
//!
//! A kernel's name is operation, type and state space, as in `add_half2_shared`; [`Entry::parse`] reads it, so the kernel
//! files are the only table. The order of the atomics is free, so each launch is asked whether some order explains it ([`history`]).

mod entry;
mod history;

use crate::grid;
use common::check::Values;
use common::{Lesson, Row, Run, launch};
use cust::prelude::*;
use entry::Entry;

/// Its rows.
pub const ROWS: [&str; 4] = ["atomic_add", "atomic_add_sm90", "atomic_arithmetic", "atomic_bits"];

/// Runs all of it.
pub fn run(lesson: &Lesson) -> anyhow::Result<()> {
    ROWS.iter().try_for_each(|row| lesson.run(row))
}

/// What the rows have in common.
pub const fn row(row: Row) -> Row {
    row.sizes(2000, 500).seeds(8).from_zero().job(job)
}

/// The kernels of one file: `both` exist in global and in shared memory, `global` only there.
macro_rules! kernels {
    (both: $($both:literal)*; global: $($global:literal)*) => {
        &[$(concat!($both, "_global"), concat!($both, "_shared"),)* $(concat!($global, "_global"),)*]
    };
}

pub const ADD: &[&str] = kernels!(
    both: "add_int" "add_unsigned" "add_ull" "add_float" "add_double" "add_half" "add_half2";
    global:
);
pub const ADD_SM90: &[&str] = kernels!(
    both: "add_bfloat16" "add_bfloat162";
    global: "add_float2" "add_float4"
);
pub const ARITHMETIC: &[&str] = kernels!(
    both: "sub_int" "sub_unsigned" "min_int" "min_unsigned" "min_longlong" "min_ull"
        "max_int" "max_unsigned" "max_longlong" "max_ull" "inc_unsigned" "dec_unsigned";
    global:
);
pub const BITS: &[&str] = kernels!(
    both: "exch_int" "exch_unsigned" "exch_ull" "exch_float" "cas_int" "cas_unsigned" "cas_ull" "cas_ushort"
        "and_int" "and_unsigned" "and_ull" "or_int" "or_unsigned" "or_ull" "xor_int" "xor_unsigned" "xor_ull";
    global:
);

/// Blocks small enough that a few hundred threads make several, each with shared cells of its own.
const BLOCK: u32 = 64;

/// What the shared kernels have room for in a block.
pub const MOST_SHARED_CELLS: u32 = 256;

/// How many cells the lesson gives n threads (in shared memory: a block): seven, so that every cell has many threads
/// and every warp many cells.
///
/// From 14,000 threads on there is one cell in global memory for each 2000 threads. The emulator remembers who was at
/// a cell, so a crowd at one cell would cost its square.
pub fn cells(kernel: &str, n: u32) -> u32 {
    if kernel.ends_with("_shared") { 7 } else { (n / 2000).max(7) }
}

/// The rows' job.
pub fn job(run: &Run) -> anyhow::Result<()> {
    let n = grid::count(run.size())?;
    check(run, n, cells(&run.kernel().name, n), 1)
}

/// n threads, `cells` cells (in shared memory: a block), inputs by `seed`: is there an order of the atomics that explains
/// what they returned and what they left?
pub fn check(run: &Run, n: u32, cells: u32, seed: u64) -> anyhow::Result<()> {
    run.each(|| launch(run, n, cells, seed))
}

/// One launch. `Err` with a [`Mismatch`] if no order explains it.
fn launch(run: &Run, n: u32, cells: u32, seed: u64) -> anyhow::Result<()> {
    let kernel = &run.kernel().name;
    let entry = Entry::parse(kernel).ok_or_else(|| anyhow::anyhow!("`{kernel}` is not of the catalogue"))?;
    let blocks = n.div_ceil(BLOCK).max(1);
    let slices = if entry.is_shared { blocks } else { 1 };
    let mut values = Values::seeded(seed);
    let first = entry.inputs((slices * cells) as usize, &mut values);
    let operands = entry.inputs(n as usize, &mut values);

    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    // Bytes here, the kernel's own type there: every buffer starts at a multiple of 256.
    let cell = first.as_slice().as_dbuf()?;
    let operand = operands.as_slice().as_dbuf()?;
    let old = run.poisoned::<u8>(operands.len())?;
    // SAFETY: `cell` has `cells` cells, or as many for each block; `operand` and `old` an element for each thread
    // below n; `entry` and the kernel agree on the type, since both have it from the name.
    unsafe {
        launch!(function<<<blocks, BLOCK, 0, stream>>>(
            cell.as_device_ptr(), cells, operand.as_device_ptr(), old.as_device_ptr(), n
        ))?;
    }
    stream.synchronize()?;

    let meets = |thread: u32| {
        if entry.is_shared { thread / BLOCK * cells + thread % BLOCK % cells } else { thread % cells }
    };
    let threads = (0..n).map(|thread| meets(thread) as usize);
    entry.check(&first, &cell.as_host_vec()?, &operands, &old.as_host_vec()?, threads)
}
