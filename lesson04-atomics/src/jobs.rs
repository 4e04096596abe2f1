//! What the kernels of a row are asked: the CPU's answer, and whether the device gives the same. The catalogue's is in
//! `catalogue`.

use crate::{counter, filter, histogram, last_block, lock, maximum, reference, sum};
use common::Run;
use common::check::{self, Mismatch};

/// `counter` and `counter_scope`: the kernels ask for no bounds, so every thread launched counts.
pub fn counted(run: &Run, (blocks, threads): (u32, u32)) -> anyhow::Result<()> {
    run.each(|| check::equal_value(counter::count(run, blocks, threads)?, (blocks * threads) as i32))
}

/// `vector_sum`.
pub fn summed(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = exact_sum(values)?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(sum::sum(run, values)?, expected))
}

/// `lock`, `lock_scope` and `lock_syncwarp`.
pub fn summed_one_by_one(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = exact_sum(values)?;
    run.each(|| check::equal_value(lock::sum(run, values)?, expected))
}

fn exact_sum(values: &[i32]) -> anyhow::Result<i32> {
    reference::sum(values).ok_or_else(|| check::sum_too_large(values.len()))
}

/// `lock_order`: transfers round a ring of accounts.
pub fn transferred(run: &Run, transfers: &[i32], accounts: u32) -> anyhow::Result<()> {
    let expected = reference::balances(transfers, accounts as usize);
    run.each(|| check::equal(&lock::balances(run, transfers, accounts)?, &expected))
}

/// `atomic_inc`: tickets for n threads, or a ring of so many slots.
pub fn dealt(run: &Run, n: u32, slots: u32) -> anyhow::Result<()> {
    let is_ring = run.kernel().name == "atomic_inc_ring";
    run.each(|| if is_ring { dealt_in_turn(run, n, slots) } else { tickets_differ(run, n) })
}

/// Every ticket from 0 on once, and the counter beyond the last.
fn tickets_differ(run: &Run, n: u32) -> anyhow::Result<()> {
    let (mut tickets, count) = counter::inc::tickets(run, n)?;
    check::equal_value(count, n)?;
    tickets.sort_unstable();
    check::equal(&tickets, &(0..n).collect::<Vec<_>>())
}

/// Slot s is dealt to every thread whose turn is s, s + slots, s + 2 * slots and so on.
fn dealt_in_turn(run: &Run, n: u32, slots: u32) -> anyhow::Result<()> {
    let (mut dealt, next) = counter::inc::ring(run, n, slots)?;
    let mut expected: Vec<u32> = (0..n).map(|turn| turn % slots).collect();
    dealt.sort_unstable();
    expected.sort_unstable();
    check::equal(&dealt, &expected)?;
    check::equal_value(next, n % slots)
}

/// `atomic_max_float`.
pub fn largest_float(run: &Run, values: &[f32]) -> anyhow::Result<()> {
    let expected = reference::maximum_float(values);
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(maximum::of_floats(run, values)?, expected))
}

/// `array_max`; one kernel has `locals` maxima between the elements and the one.
pub fn largest(run: &Run, values: &[i32], locals: u32) -> anyhow::Result<()> {
    let expected = reference::maximum(values);
    run.moves(size_of_val(values) as u64);
    run.each(|| {
        let most = match run.kernel().name.as_str() {
            "array_max_locals" => maximum::by_locals(run, values, locals)?,
            _ => maximum::of_ints(run, values)?,
        };
        check::equal_value(most, expected)
    })
}

/// `last_block`: sums, and the largest.
pub fn finished_by_the_last(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = match run.kernel().name.as_str() {
        "last_block_max" => reference::maximum(values),
        _ => exact_sum(values)?,
    };
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(last_block::reduced(run, values)?, expected))
}

/// `histogram` and `histogram_barrier`.
pub fn binned(run: &Run, bytes: &[u8]) -> anyhow::Result<()> {
    let expected = reference::histogram(bytes);
    run.moves(bytes.len() as u64);
    run.each(|| check::equal(&histogram::of_bytes(run, bytes)?, &expected))
}

/// `filter`.
pub fn filtered(run: &Run, src: &[i32]) -> anyhow::Result<()> {
    filtered_in_tiles(run, src, None)
}

/// `filter`, with blocks of so many threads for the kernels whose tiles depend on it.
pub fn filtered_in_tiles(run: &Run, src: &[i32], threads: Option<u32>) -> anyhow::Result<()> {
    let expected = reference::filter(src);
    run.moves(4 * (src.len() + expected.len()) as u64);
    run.each(|| {
        let kernel = run.kernel().name.as_str();
        let kept = filter::filtered(run, kernel, src, threads)?;
        match kernel {
            // These keep the order too.
            "filter_scan" | "filter_lookback" => check::equal(&kept, &expected),
            _ => filter::same_elements(&kept, &expected),
        }
    })
}

/// `filter_activemask`: it gives out places, and the next step of the program stores there.
pub fn scattered(run: &Run, src: &[i32]) -> anyhow::Result<()> {
    let expected = reference::filter(src);
    run.each(|| {
        let places = filter::places(run, src)?;
        let dst = filter::scattered(src, &places, expected.len())?;
        filter::same_elements(&dst, &expected)
            .map_err(|why| Mismatch::new(say!("after-scatter", why = why.to_string())).into())
    })
}
