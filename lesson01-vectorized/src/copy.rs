//! A copy inside the device: all kernels of the rows `copy`, `int2_tail`, `int4_tail`, `int4_offset` and `ladder`.

use common::check::{self, InputValues};
use common::{Counter, Expect, Metric, Ratio, Row, Run, Slug, launch};
use cust::prelude::*;

/// The elements that remain, copied in single ints: a grid has whole blocks.
pub const COPY: Row = Row::pair("copy", Slug::OutOfBounds)
    .sizes(300_000, 1000)
    .from_zero()
    .shows_from(0)
    .isolated()
    .job(|run| copied(run, &ints(1, with_a_rest("copy", run.size())), 0));

/// The elements that remain of pairs: one int.
pub const INT2_TAIL: Row = Row::pair("int2_tail", Slug::UndefinedValue)
    .broken(&[("int2_tail_slide", Expect::Finding(Slug::UndefinedValue))])
    .sizes(300_000, 257)
    .from_zero()
    .shows_from(257)
    .job(|run| copied(run, &ints(1, with_a_rest("int2_tail", run.size())), 0));

/// The elements that remain of groups of four: up to three ints.
pub const INT4_TAIL: Row = Row::pair("int4_tail", Slug::UndefinedValue)
    .sizes(600_000, 515)
    .from_zero()
    .shows_from(515)
    .job(|run| copied(run, &ints(1, with_a_rest("int4_tail", run.size())), 0));

/// A buffer that begins one int late.
pub const INT4_OFFSET: Row = Row::pair("int4_offset", Slug::Misaligned)
    .sizes(300_000, 1000)
    .from_zero()
    .shows_from(4)
    .isolated()
    .job(|run| copied(run, &ints(2, run.size()), 1));

/// Wider and wider: int, int2, int4, and then more bytes on their way at once. 1 GiB on a GPU.
pub const LADDER: Row = Row::of("ladder")
    .ladder(&["ladder_int", "ladder_int2", "ladder_int4", "ladder_each", "ladder_four"])
    .sizes(1 << 20, 4099)
    .gpu(1 << 28)
    .from_zero()
    .charts(&[
        Metric::Sum(Counter::GlobalLoads),
        Metric::Sum(Counter::LoopIterations),
        Metric::Per(Ratio::LoadBytesPerRequest),
        Metric::Per(Ratio::LoadSectorsPerRequest),
    ])
    .figure("sectors and bytes of a load, by width, stride and offset")
    .job(|run| {
        run.moves(8 * run.size() as u64); // Each int is read and written.
        copied(run, &ints(3, run.size()), 0)
    });

fn ints(seed: u64, n: usize) -> Vec<i32> {
    InputValues::seeded(seed).ints(n, i32::MIN, i32::MAX)
}

/// At most `size` elements, so many that the row's broken kernels leave some over: whole blocks, and then what the bug
/// needs. For the row `copy`, where whole blocks are what hides the bug, one more than `size` if it is even.
fn with_a_rest(row: &str, size: usize) -> usize {
    let (groups, rest) = match row {
        "int2_tail" => (2 * BLOCK as usize, 1),
        "int4_tail" => (4 * BLOCK as usize, 3),
        "copy" => return size | 1,
        _ => return size,
    };
    if size < groups + rest { size } else { (size - rest) / groups * groups + rest }
}

/// A copy is what it was made of. Both sides begin `skip` ints into their buffers.
pub fn copied(run: &Run, input: &[i32], skip: usize) -> anyhow::Result<()> {
    run.each(|| check::equal(&copy(run, input, skip)?, input))
}

/// Threads of a block, as on the slides.
pub const BLOCK: u32 = 128;
/// Blocks of kernels that stride over their input, at most: as many as keep a large GPU busy.
pub const MOST_BLOCKS: u32 = 1024;

/// Returns the copy of `input`. Both buffers begin `skip` ints into their allocation, which is aligned to 512 bytes.
fn copy(run: &Run, input: &[i32], skip: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    check::at_most(n, 1 << 28)?;
    let source = run.poisoned::<i32>(skip + n)?;
    source.index(skip..skip + n).copy_from(input)?;
    let target = run.poisoned::<i32>(skip + n)?;
    let (blocks, threads) = shape(&run.kernel().name, n as u32, MOST_BLOCKS);
    // SAFETY: both buffers hold n ints from `skip` on. A kernel that goes beyond is a broken one, and the lesson.
    unsafe {
        let (to, from) = (target.as_device_ptr().add(skip), source.as_device_ptr().add(skip));
        launch!(function<<<blocks, threads, 0, stream>>>(to, from, n as i32))?;
    }
    stream.synchronize()?;
    let mut copied = vec![0; n];
    target.index(skip..skip + n).copy_to(&mut copied)?;
    Ok(copied)
}

/// Blocks and threads for a kernel: one thread an element group, capped for those that stride.
pub fn shape(kernel: &str, n: u32, most: u32) -> (u32, u32) {
    let (ints, threads, is_capped) = match kernel {
        "ladder_each" => (4, 256, false),
        "ladder_four" => (16, 256, false),
        _ if kernel.starts_with("int2") || kernel.ends_with("int2") => (2, BLOCK, true),
        _ if kernel.starts_with("int4") || kernel.ends_with("int4") => (4, BLOCK, true),
        _ => (1, BLOCK, true),
    };
    // The slides divide n, and forget what is left; ladder_each and ladder_four need a thread for that too.
    let groups = if is_capped { n / ints } else { n.div_ceil(ints) };
    // A launch has at least one block, also for no elements.
    let blocks = groups.div_ceil(threads).max(1);
    (if is_capped { blocks.min(most) } else { blocks }, threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_covers_its_elements_or_is_capped() {
        for (kernel, n, wanted) in [
            ("copy_broken", 0, (1, 128)),
            ("copy_correct", 129, (2, 128)),
            ("int2_tail_slide", 257, (1, 128)),
            ("int4_tail_broken", 515, (1, 128)),
            ("ladder_int", 1 << 20, (1024, 128)),
            ("ladder_int4", 1 << 12, (8, 128)),
            ("ladder_each", 1 << 20, (1024, 256)),
            ("ladder_each", 1025, (2, 256)),
            ("ladder_four", 4097, (2, 256)),
            ("ladder_four", 1 << 28, (1 << 16, 256)),
        ] {
            assert_eq!(shape(kernel, n, MOST_BLOCKS), wanted, "{kernel} {n}");
        }
    }

    #[test]
    fn the_grid_has_no_thread_where_the_slide_needs_one() {
        for size in [515, 1000, 5000, 300_000, 1 << 20] {
            for (row, ints) in [("int2_tail", 2), ("int4_tail", 4)] {
                let n = with_a_rest(row, size) as u32;
                let (blocks, threads) = shape(row, n, MOST_BLOCKS);
                assert!(n as usize <= size && !n.is_multiple_of(ints) && blocks * threads <= n / ints, "{row} {n}");
            }
        }
    }
}
