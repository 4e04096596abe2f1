//! Lesson 04: many threads, one place in memory.
//! Run: cargo run -p lesson04-atomics      Look for: what each broken kernel is reported for, though some are right each time.

use common::check::{self, Mismatch, Values};
use common::{Failure, Lesson, Run};
use cust::device::{Device, DeviceAttribute};
use lesson04_atomics::{
    KERNELS, ROWS, catalogue, counter, figure, filter, grid, histogram, input, lock, maximum, reference, sum,
};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson04", KERNELS, ROWS)?;

    one_counter(&lesson)?;
    one_sum(&lesson)?;
    every_atomic(&lesson)?;
    critical_sections(&lesson)?;
    one_maximum(&lesson)?;
    many_bins(&lesson)?;
    a_place_for_each(&lesson)?;
    lesson.finish()
}

/// A million threads, one counter; and threads of many blocks with atomics of one block.
fn one_counter(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in [lesson.pair("counter")?, lesson.pair("counter_scope")?].concat() {
        lesson.trial(&kernel, |run| {
            // The slide's blocks of 1000 threads; smaller ones, and so more of them, where the blocks matter. The kernel asks
            // for no bounds: every thread launched counts.
            let most = if kernel.row.name == "counter" { 1000 } else { 250 };
            let threads = grid::count(run.size())?.min(most);
            let blocks = grid::count(run.size())?.div_ceil(threads);
            run.each(|| check::equal_value(counter::count(run, blocks, threads)?, (blocks * threads) as i32))
        })?;
    }
    Ok(())
}

/// The fewer threads go to the one place, the faster.
fn one_sum(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("vector_sum")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(4).ints(run.size(), -5, 14);
            let expected = exact_sum(&values)?;
            run.moves(size_of_val(&values[..]) as u64);
            run.each(|| check::equal_value(sum::sum(run, &values)?, expected))
        })?;
    }
    Ok(())
}

fn exact_sum(values: &[i32]) -> anyhow::Result<i32> {
    reference::sum(values).ok_or_else(|| anyhow::anyhow!("the sum of {} elements is no int", values.len()))
}

/// The whole catalogue, and two functions that are easily misread or missing.
fn every_atomic(lesson: &Lesson) -> anyhow::Result<()> {
    for row in ["atomic_add", "atomic_add_sm90", "atomic_arithmetic", "atomic_bits"] {
        if row == "atomic_add_sm90" && capability()? < 9 {
            eprintln!("skipped: {row} needs a device of compute capability 9.0");
            continue;
        }
        for kernel in lesson.kernels(row)? {
            lesson.trial(&kernel, |run| {
                let n = grid::count(run.size())?;
                let cells = catalogue::cells(&kernel.name, n);
                run.each(|| catalogue::run(run, &kernel.name, n, cells, 1))
            })?;
        }
    }
    for kernel in lesson.kernels("atomic_inc")? {
        lesson.trial(&kernel, |run| {
            let n = grid::count(run.size())?;
            run.each(
                || if kernel.name == "atomic_inc_ring" { dealt_in_turn(run, n, 10) } else { tickets_differ(run, n) },
            )
        })?;
    }
    for kernel in lesson.kernels("atomic_max_float")? {
        lesson.trial(&kernel, |run| {
            let values = floats(run.size());
            let expected = reference::maximum_float(&values);
            run.moves(size_of_val(&values[..]) as u64);
            run.each(|| check::equal_value(maximum::of_floats(run, &values)?, expected))
        })?;
    }
    Ok(())
}

fn capability() -> anyhow::Result<i32> {
    Ok(Device::get_device(0)?.get_attribute(DeviceAttribute::ComputeCapabilityMajor)?)
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

/// Both signs, and a NaN here and there.
fn floats(n: usize) -> Vec<f32> {
    let spread = Values::seeded(5).floats(n).into_iter().map(|value| 2000.0 * value - 1000.0);
    spread.enumerate().map(|(i, value)| if i % 7 == 3 { f32::NAN } else { value }).collect()
}

/// Compare-and-swap makes a lock: what it must order, whom its holder may wait for, and what it costs.
fn critical_sections(lesson: &Lesson) -> anyhow::Result<()> {
    for row in ["lock", "lock_scope", "lock_syncwarp"] {
        for kernel in lesson.kernels(row)? {
            lesson.trial(&kernel, |run| {
                let values = Values::seeded(7).ints(run.size(), -5, 14);
                let expected = exact_sum(&values)?;
                run.each(|| check::equal_value(lock::sum(run, &values)?, expected))
            })?;
        }
    }
    for kernel in lesson.pair("lock_order")? {
        lesson.trial(&kernel, |run| {
            let transfers = Values::seeded(8).ints(run.size(), 1, 100);
            let expected = reference::balances(&transfers, 2);
            run.each(|| check::equal(&lock::balances(run, &transfers, 2)?, &expected))
        })?;
    }
    Ok(())
}

/// One place, then a thousand, then a tree.
fn one_maximum(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("array_max")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(6).ints(run.size(), -1_000_000, 1_000_000);
            let expected = reference::maximum(&values);
            run.moves(size_of_val(&values[..]) as u64);
            run.each(|| {
                let most = match kernel.name.as_str() {
                    "array_max_locals" => maximum::by_locals(run, &values, 1024)?,
                    _ => maximum::of_ints(run, &values)?,
                };
                check::equal_value(most, expected)
            })
        })?;
    }
    Ok(())
}

/// 256 places instead of one; a copy of them for each block.
fn many_bins(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in [lesson.kernels("histogram")?, lesson.kernels("histogram_barrier")?].concat() {
        lesson.trial(&kernel, |run| {
            let bytes = run.input();
            let expected = reference::histogram(&bytes);
            run.moves(bytes.len() as u64);
            run.each(|| check::equal(&histogram::of_bytes(run, &bytes)?, &expected))
        })?;
    }
    Ok(())
}

/// A counter that hands out places in an array.
fn a_place_for_each(lesson: &Lesson) -> anyhow::Result<()> {
    let filters = lesson.kernels("filter")?;
    for kernel in &filters {
        lesson.trial(kernel, |run| {
            let src = input::above_average(&run.input());
            let expected = reference::filter(&src);
            run.moves(4 * (src.len() + expected.len()) as u64);
            run.each(|| {
                let kept = filter::filtered(run, &kernel.name, &src)?;
                match kernel.name.as_str() {
                    // The one that keeps the order too.
                    "filter_scan" => check::equal(&kept, &expected),
                    _ => filter::same_elements(&kept, &expected),
                }
            })
        })?;
    }
    if lesson.plots("filter") {
        lesson.plot(&figure::of_filters(lesson, &filters)?)?;
    }
    for kernel in lesson.pair("filter_activemask")? {
        lesson.trial(&kernel, |run| {
            let src = input::above_average(&run.input());
            let expected = reference::filter(&src);
            run.each(|| {
                let places = filter::places(run, &src)?;
                let dst = filter::scattered(&src, &places, expected.len())?;
                filter::same_elements(&dst, &expected)
                    .map_err(|why| Mismatch(format!("after the scatter, {why}")).into())
            })
        })?;
    }
    Ok(())
}
