//! Threads by name: "threads 0 to 15 and 32 to 47", "thread 128 (warp 4)".

use crate::Reader;
use crate::phrase::listed;
use finding::{Blocks, ThreadName, Threads};

/// Runs shown before the rest is counted.
const SHOWN: usize = 6;

/// Threads of one block.
pub fn threads(threads: &Threads, reader: &Reader) -> String {
    say!(reader, "threads", count = threads.count(), list = list(threads, reader))
}

/// Lanes of one warp.
pub fn lanes(mask: u32, reader: &Reader) -> String {
    say!(reader, "lanes", count = mask.count_ones(), list = list(&Threads::of_warp(0, mask), reader))
}

/// Blocks of one grid: those of a grid of one dimension by runs of their numbers, others by index.
pub(crate) fn blocks(blocks: &Blocks, reader: &Reader) -> String {
    let count = blocks.count();
    let [_, y, z] = blocks.grid;
    let list = if (y, z) == (1, 1) {
        list_of_runs(&blocks.runs, reader)
    } else {
        let shown = if count as usize > SHOWN { SHOWN - 1 } else { count as usize };
        let named: Vec<String> = blocks.iter().take(shown).map(index).collect();
        match count - shown as u64 {
            0 => listed(&named, reader),
            count => say!(reader, "and-more", list = named.join(", "), count),
        }
    };
    say!(reader, "blocks", count, list)
}

fn list(threads: &Threads, reader: &Reader) -> String {
    let runs: Vec<(u64, u64)> =
        threads.runs().into_iter().map(|(first, last)| (u64::from(first), u64::from(last))).collect();
    list_of_runs(&runs, reader)
}

fn list_of_runs(runs: &[(u64, u64)], reader: &Reader) -> String {
    // Two neighbours are named one by one.
    let split = runs.iter().copied().flat_map(|(first, last)| match last - first {
        1 => vec![(first, first), (last, last)],
        _ => vec![(first, last)],
    });
    let runs: Vec<(u64, u64)> = split.collect();
    let shown = if runs.len() > SHOWN { SHOWN - 1 } else { runs.len() };
    let named = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => say!(reader, "run-of-threads", first, last),
    };
    let named: Vec<String> = runs[..shown].iter().map(named).collect();
    let rest: u64 = runs[shown..].iter().map(|(first, last)| last - first + 1).sum();
    match rest {
        0 => listed(&named, reader),
        count => say!(reader, "and-more", list = named.join(", "), count),
    }
}

/// `thread 128 (warp 4)`; block, lane and three dimensions only where they tell something.
pub(crate) fn who(name: ThreadName, names_block: bool, names_lane: bool, reader: &Reader) -> String {
    let ThreadName { block, thread, linear } = name;
    let (block, thread, warp, lane) = (index(block), index(thread), linear / 32, linear % 32);
    say!(reader, "thread-of-warp", names_block, names_lane, block, thread, warp, lane)
}

/// An index of up to three dimensions.
pub(crate) fn index([x, y, z]: [u32; 3]) -> String {
    if (y, z) == (0, 0) { x.to_string() } else { format!("({x},{y},{z})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_their_ends() {
        let mut set = Threads::of_warp(0, 0xffff_0000);
        assert_eq!(threads(&set, &Reader::default()), "threads 16 to 31");
        set.add(1, 0x1);
        set.add(2, 0x8000_0000);
        assert_eq!(threads(&set, &Reader::default()), "threads 16 to 32 and 95");
        assert_eq!(threads(&Threads::of_warp(1, 1), &Reader::default()), "thread 32");
        assert_eq!(threads(&Threads::of_warp(0, 0b11), &Reader::default()), "threads 0 and 1");
        assert_eq!(threads(&Threads::of_warp(0, 0b1101_1011), &Reader::default()), "threads 0, 1, 3, 4, 6 and 7");
    }

    #[test]
    fn many_runs_are_counted() {
        assert_eq!(
            threads(&Threads::of_warp(0, 0xaaaa_aaaa), &Reader::default()),
            "threads 1, 3, 5, 7, 9 and 11 others"
        );
    }
}
