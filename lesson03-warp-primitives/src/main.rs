//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//! Run: cargo run -p lesson03-warp-primitives      Look for: `absent-lane`, and who was absent.

use common::check::{self, Values};
use common::{Failure, Lesson, Run};
use cust::device::{Device, DeviceAttribute};
use lesson03_warp_primitives::pictures::{self, Masks};
use lesson03_warp_primitives::{KERNELS, ROWS, WARP, blocks, exchange, members, reference, warps};
use std::sync::{Mutex, PoisonError};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson03", KERNELS, ROWS)?;

    who_reads_whom(&lesson)?;
    who_says_what(&lesson)?;
    before_there_were_masks(&lesson)?;
    sums_of_a_warp(&lesson)?;
    who_is_there(&lesson)?;
    memory_is_not_ordered(&lesson)?;
    beyond_the_warp(&lesson)?;
    lesson.finish()
}

/// Four shuffles, every distance, every width.
fn who_reads_whom(lesson: &Lesson) -> anyhow::Result<()> {
    // Every lane holds another value, so that a wrong source shows.
    let values: [i32; WARP] = std::array::from_fn(|lane| 1000 + 7 * lane as i32);
    for kernel in lesson.kernels("exchange")? {
        lesson.trial(&kernel, |run| {
            if exchange::EACH.contains(&kernel.name.as_str()) {
                let expected = exchange::expected(&kernel.name, &values);
                run.each(|| check::equal(&exchange::every(run, &kernel.name, &values)?, &expected))
            } else {
                let expected = exchange::expected_of_evens(&values);
                run.each(|| check::equal(&exchange::evens(run, &values)?, &expected))
            }
        })?;
        match kernel.name.as_str() {
            "exchange_broken" => lesson.say_of(&kernel, pictures::neighbours()),
            "exchange_correct" => {}
            each => lesson.say(pictures::shuffle(each)),
        }
    }
    Ok(())
}

/// One question to the lanes of a mask: votes, groups, reductions.
fn who_says_what(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("vote")? {
        lesson.trial(&kernel, |run| {
            if members::VOTES.contains(&kernel.name.as_str()) {
                let cases = members::ballots(1);
                return run.each(|| members::vote(run, &kernel.name, &cases));
            }
            // Nobody wants, one wants, two want.
            let wants: Vec<u32> = [0, 0x80, 0x4000_0080].iter().flat_map(|&mask: &u32| spread(mask)).collect();
            let expected = reference::others_want(&wants);
            run.each(|| check::equal(&members::others_want(run, &wants)?, &expected))
        })?;
        if kernel.name == "vote_ballot" {
            lesson.say(pictures::votes());
        }
    }
    for kernel in lesson.kernels("match")? {
        lesson.trial(&kernel, |run| {
            // From one kind of value to so many that hardly two lanes agree.
            let cases: Vec<_> = [1, 2, 5, 64, 1000].map(|kinds| members::groups(kinds, 40, kinds)).into();
            run.each(|| cases.iter().try_for_each(|(members, held)| members::matches(run, &kernel.name, members, held)))
        })?;
        if kernel.name == "match_any" {
            lesson.say(pictures::matches());
        }
    }
    let kernels = lesson.kernels("redux")?;
    if !kernels.is_empty() && capability()? < 8 {
        eprintln!("skipped: redux needs a device of compute capability 8.0");
        return Ok(());
    }
    for kernel in kernels {
        lesson.trial(&kernel, |run| {
            let (members, _) = members::groups(7, 100, 2);
            let mut values = Values::seeded(8);
            let held: Vec<u32> = (0..members.len() * WARP).map(|_| values.next_u64() as u32).collect();
            run.each(|| members::reduce(run, &kernel.name, &members, &held))
        })?;
    }
    Ok(())
}

/// What the first masks replaced, and how it is written today.
fn before_there_were_masks(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("pre_volta")? {
        lesson.trial(&kernel, |run| {
            let want: Vec<u32> = Values::seeded(9).ints(run.size(), 0, 2).iter().map(|&x| u32::from(x == 0)).collect();
            run.each(|| {
                let (tickets, count) = members::tickets(run, &want)?;
                members::each_has_a_ticket(&want, &tickets, count)
            })
        })?;
    }
    Ok(())
}

/// A lane's bit as an element.
fn spread(mask: u32) -> [u32; WARP] {
    std::array::from_fn(|lane| mask >> lane & 1)
}

fn capability() -> anyhow::Result<i32> {
    Ok(Device::get_device(0)?.get_attribute(DeviceAttribute::ComputeCapabilityMajor)?)
}

/// A tree of shuffles, and a butterfly.
fn sums_of_a_warp(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("warp_sum")? {
        let size = if kernel.name == "warp_sum_full" { WARP } else { WARP / 2 };
        lesson.trial(&kernel, |run| adds_up(run, size))?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, pictures::first_round("16 threads: __shfl_down_sync(0xffffffff, sum, 16)", 16));
        }
    }
    for kernel in lesson.kernels("all_reduce")? {
        lesson.trial(&kernel, |run| {
            let values = ints(run.size());
            let expected = reference::sums_everywhere(&values);
            run.each(|| check::equal(&warps::by_warp(run, &values)?, &expected))
        })?;
    }
    Ok(())
}

/// One sum for each `size` values.
fn adds_up(run: &Run, size: usize) -> anyhow::Result<()> {
    let values = ints(run.size());
    let expected = reference::sums(&values, size);
    run.each(|| check::equal(&warps::sums(run, &values, size)?, &expected))
}

fn ints(n: usize) -> Vec<i32> {
    Values::seeded(2).ints(n, -1000, 1000)
}

/// Fewer elements than threads: a mask must name those who come, and the tree must ask nobody else.
fn who_is_there(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("ballot_sum")? {
        lesson.trial(&kernel, |run| {
            let values = ints(run.size());
            let expected = reference::sums(&values, WARP);
            run.each(|| check::equal(&warps::ballot_sums(run, &values)?, &expected))
        })?;
        if kernel.is_broken() {
            lesson.say_of(
                &kernel,
                pictures::first_round("20 lanes in the mask: __shfl_down_sync(0x000fffff, sum, 16)", 20),
            );
        }
    }
    for kernel in lesson.kernels("activemask_sum")? {
        let masks = Mutex::new(Masks::default());
        lesson.trial(&kernel, |run| {
            let values: Vec<u32> = Values::seeded(4).ints(run.size(), 1, 10_000).iter().map(|&x| x as u32).collect();
            let steps: Vec<i32> = values.iter().map(|&x| reference::steps(x)).collect();
            let expected = reference::sums(&steps, WARP);
            run.each(|| {
                let got = warps::activemask_sums(run, &values)?;
                if !run.is_extra() {
                    masks.lock().unwrap_or_else(PoisonError::into_inner).add(&got.masks);
                }
                check::equal(&got.sums, &expected)
            })
        })?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, masks.into_inner().unwrap_or_else(PoisonError::into_inner).told());
        }
    }
    Ok(())
}

/// Lanes that trade through shared memory instead of registers.
fn memory_is_not_ordered(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("transpose")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(5).floats(run.size());
            let expected = reference::transposed(&values);
            run.each(|| check::equal(&warps::by_warp(run, &values)?, &expected))
        })?;
    }
    for kernel in lesson.kernels("lockstep_sum")? {
        lesson.trial(&kernel, |run| adds_up(run, WARP))?;
    }
    Ok(())
}

/// Shuffles end at the warp; sums of a block, and of a grid.
fn beyond_the_warp(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("block_reduce_sum")? {
        lesson.trial(&kernel, |run| {
            let (values, threads) = (ints(run.size()), 256);
            let expected = reference::sums(&values, threads);
            run.each(|| check::equal(&blocks::block_sums(run, &values, threads as u32)?, &expected))
        })?;
    }
    for kernel in lesson.pair("block_reduce_tail")? {
        lesson.trial(&kernel, |run| {
            let values = check::ramp(run.size());
            let expected = values.iter().sum();
            run.each(|| check::equal_value(blocks::tail_sum(run, &values)?, expected))
        })?;
    }
    for kernel in lesson.pair("device_reduce")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(6).ints(run.size(), -5, 14);
            let expected = reference::total(&values);
            let expected = expected.ok_or_else(|| anyhow::anyhow!("the sum of {} elements is no int", values.len()))?;
            run.moves(size_of_val(&values[..]) as u64);
            run.each(|| check::equal_value(blocks::device_sum(run, &values)?, expected))
        })?;
    }
    Ok(())
}
