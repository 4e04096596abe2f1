//! Threads by name: "threads 0 to 15 and 32 to 47", "thread 128 (warp 4, lane 0)".

use finding::{ThreadName, Threads};
use std::fmt::Write;

/// Runs shown before the rest is counted.
const SHOWN: usize = 6;

/// Threads of one block.
pub fn threads(threads: &Threads) -> String {
    let mut text = if threads.count() == 1 { "thread ".to_string() } else { "threads ".to_string() };
    // Two neighbours are named one by one.
    let split = threads.runs().into_iter().flat_map(|(first, last)| match last - first {
        1 => vec![(first, first), (last, last)],
        _ => vec![(first, last)],
    });
    let runs: Vec<(u32, u32)> = split.collect();
    let shown = if runs.len() > SHOWN { SHOWN - 1 } else { runs.len() };
    for (nth, (first, last)) in runs[..shown].iter().enumerate() {
        text += match nth {
            0 => "",
            nth if nth + 1 == runs.len() => " and ",
            _ => ", ",
        };
        let _ = match last - first {
            0 => write!(text, "{first}"),
            _ => write!(text, "{first} to {last}"),
        };
    }
    let rest: u32 = runs[shown..].iter().map(|(first, last)| last - first + 1).sum();
    if rest > 0 { format!("{text} and {rest} more") } else { text }
}

/// `thread 128 (warp 4, lane 0)`; block and three dimensions only where they tell something.
pub(crate) fn who(ThreadName { block, thread, linear }: ThreadName, names_block: bool) -> String {
    let block = if names_block { format!("block {}, ", index(block)) } else { String::new() };
    format!("{block}thread {} (warp {}, lane {})", index(thread), linear / 32, linear % 32)
}

/// An index of up to three dimensions.
pub(super) fn index([x, y, z]: [u32; 3]) -> String {
    if (y, z) == (0, 0) { x.to_string() } else { format!("({x},{y},{z})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_their_ends() {
        let mut set = Threads::of_warp(0, 0xffff_0000);
        assert_eq!(threads(&set), "threads 16 to 31");
        set.add(1, 0x1);
        set.add(2, 0x8000_0000);
        assert_eq!(threads(&set), "threads 16 to 32 and 95");
        assert_eq!(threads(&Threads::of_warp(1, 1)), "thread 32");
        assert_eq!(threads(&Threads::of_warp(0, 0b11)), "threads 0 and 1");
        assert_eq!(threads(&Threads::of_warp(0, 0b1101_1011)), "threads 0, 1, 3, 4, 6 and 7");
    }

    #[test]
    fn many_runs_are_counted() {
        assert_eq!(threads(&Threads::of_warp(0, 0xaaaa_aaaa)), "threads 1, 3, 5, 7, 9 and 11 more");
    }
}
