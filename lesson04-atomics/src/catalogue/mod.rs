//! Every atomic function of CUDA, every type, in global and in shared memory: four rows of their own, apart from the
//! story.
//!
//! A kernel's name is operation, type and state space, as in `add_half2_shared`; [`CatalogueEntry::parse`] reads it, so
//! the kernel files are the only table. The order of the atomics is free, so each launch is asked whether some order
//! explains it ([`history`]).

mod entry;
mod history;
mod kernels;

use crate::grid;
use common::check::InputValues;
use common::{Row, Run, launch};
use cust::prelude::*;
use entry::CatalogueEntry;

/// `atomicAdd()` in the types that every device has.
pub const ADD: Row = row(Row::of("atomic_add").correct(kernels::ADD));
/// `atomicAdd()` in the types that need compute capability 9.0.
pub const ADD_SM90: Row = row(Row::of("atomic_add_sm90").correct(kernels::ADD_SM90)).from_capability(9);
/// Subtractions, minima, maxima, and counters that wrap.
pub const ARITHMETIC: Row = row(Row::of("atomic_arithmetic").correct(kernels::ARITHMETIC));
/// Exchanges, compare-and-swap, and the bitwise operations.
pub const BITS: Row = row(Row::of("atomic_bits").correct(kernels::BITS));

/// All four, in their order.
pub const ROWS: [Row; 4] = [ADD, ADD_SM90, ARITHMETIC, BITS];

const fn row(row: Row) -> Row {
    row.sizes(2000, 500).seeds(8).from_zero().job(|run| {
        let n = grid::count(run.size())?;
        check(run, n, cells(&run.kernel().name, n), 1)
    })
}

/// Blocks small enough that a few hundred threads make several, each with shared cells of its own.
const BLOCK: u32 = 64;

/// The most cells that the shared kernels have room for in a block.
pub const MOST_SHARED_CELLS: u32 = 256;

/// Returns the number of cells that the lesson gives n threads (in shared memory: a block): seven, so that every cell
/// has many threads and every warp many cells.
///
/// From 14,000 threads on there is one cell in global memory for each 2000 threads. The emulator remembers who was at
/// a cell, so a crowd at one cell would cost its square.
fn cells(kernel: &str, n: u32) -> u32 {
    if kernel.ends_with("_shared") { 7 } else { (n / 2000).max(7) }
}

/// n threads, `cells` cells (in shared memory: a block), inputs by `seed`: is there an order of the atomics that
/// explains what they returned and what they left?
pub fn check(run: &Run, n: u32, cells: u32, seed: u64) -> anyhow::Result<()> {
    run.each(|| launch(run, n, cells, seed))
}

/// One launch. `Err` with a [`Mismatch`] if no order explains it.
fn launch(run: &Run, n: u32, cells: u32, seed: u64) -> anyhow::Result<()> {
    let kernel = &run.kernel().name;
    let entry = CatalogueEntry::parse(kernel).ok_or_else(|| anyhow::anyhow!("`{kernel}` is not of the catalogue"))?;
    let blocks = n.div_ceil(BLOCK).max(1);
    let slices = if entry.is_shared { blocks } else { 1 };
    let mut values = InputValues::seeded(seed);
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
