//! The lesson's drawings: who reads whom, who votes what, and the masks that `__activemask()` gave.

use crate::catalogue::exchange;
use crate::{WARP, reference};
use common::check::InputValues;
use common::diagram::{Diagram, LaneSource, bits};
use std::collections::BTreeSet;

/// One of the shuffles at distance 4 and width 16.
pub fn shuffle(kernel: &str) -> Diagram {
    let (distance, width) = (4, 16);
    let function = match kernel {
        "exchange_idx" => "__shfl_sync",
        "exchange_up" => "__shfl_up_sync",
        "exchange_down" => "__shfl_down_sync",
        _ => "__shfl_xor_sync",
    };
    let reads = |lane| match exchange::source(kernel, lane, distance, width) {
        from if from == lane => LaneSource::Own,
        from => LaneSource::Lane(from),
    };
    Diagram::exchange(&format!("{function}(0xffffffff, value, {distance}, {width})"), std::array::from_fn(reads))
}

/// Even lanes that read their odd neighbours.
pub fn neighbours() -> Diagram {
    let reads = |lane: usize| if lane.is_multiple_of(2) { LaneSource::Absent(lane + 1) } else { LaneSource::Apart };
    let title = say!("even-lanes", call = "__shfl_down_sync(0x55555555, value, 1)");
    Diagram::exchange(&title, std::array::from_fn(reads))
}

/// A tree of a full warp's size among 16 threads.
pub fn half_warp() -> Diagram {
    first_round(&say!("half-warp", call = "__shfl_down_sync(0xffffffff, sum, 16)"), 16)
}

/// A tree of a full warp's size among 20 lanes, which the mask names.
pub fn twenty_lanes() -> Diagram {
    first_round(&say!("twenty-lanes", call = "__shfl_down_sync(0x000fffff, sum, 16)"), 20)
}

/// The first round of a full warp's tree where only the first `there` lanes take part.
fn first_round(title: &str, there: usize) -> Diagram {
    let reads = |lane: usize| match lane {
        lane if lane >= there => LaneSource::Apart,
        lane if lane + 16 >= WARP => LaneSource::Own,
        lane if lane + 16 >= there => LaneSource::Absent(lane + 16),
        lane => LaneSource::Lane(lane + 16),
    };
    Diagram::exchange(title, std::array::from_fn(reads))
}

/// The four votes of one warp.
pub fn votes() -> Diagram {
    let (members, predicates) = (0x00ff_ffff, 0x0012_4924);
    let answer = |kernel: &str| match kernel {
        "vote_ballot" => bits(reference::vote(kernel, members, predicates)),
        _ => reference::vote(kernel, members, predicates).to_string(),
    };
    let answers = [
        ("__all_sync", answer("vote_all")),
        ("__any_sync", answer("vote_any")),
        ("__uni_sync", answer("vote_uni")),
        ("__ballot_sync", answer("vote_ballot")),
    ];
    Diagram::vote(&say!("votes", mask = "0x00ffffff"), members, predicates, &answers)
}

/// The groups that `__match_any_sync()` finds.
pub fn matches() -> Diagram {
    let mut values = InputValues::seeded(3);
    let held: [u64; WARP] = std::array::from_fn(|_| values.below(4));
    let same = std::array::from_fn(|lane| reference::lanes_with(!0, |other| held[other] == held[lane]));
    Diagram::groups("__match_any_sync(0xffffffff, value)", !0, &held, &same)
}

/// The masks that the runs had.
#[derive(Debug, Default)]
pub struct Masks {
    runs: u64,
    /// Runs in which all masks were full.
    whole: u64,
    seen: BTreeSet<u32>,
}

impl Masks {
    /// One run: the mask of each thread.
    pub fn add(&mut self, masks: &[u32]) {
        self.runs += 1;
        self.whole += u64::from(masks.iter().all(|&mask| mask == !0));
        self.seen.extend(masks);
    }

    /// In words, with some of the partial masks.
    pub fn told(&self) -> String {
        let mut partial: Vec<u32> = self.seen.iter().copied().filter(|&mask| mask != !0).collect();
        let mut text = say!("masks", whole = self.whole, runs = self.runs, others = partial.len()) + "\n";
        // The fullest first: those that look most harmless.
        partial.sort_by_key(|&mask| (std::cmp::Reverse(mask.count_ones()), mask));
        for &mask in partial.iter().take(4) {
            let count = format!("{:>2}", mask.count_ones());
            text += &format!("  {}  {}\n", bits(mask), say!("lanes-of-mask", count));
        }
        if self.whole == self.runs {
            text += &format!("  {}\n", say!("met-again"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_fits_a_terminal() {
        let drawn = exchange::EACH.iter().map(|kernel| shuffle(kernel));
        for picture in drawn.chain([neighbours(), half_warp(), twenty_lanes(), votes(), matches()]) {
            assert!(picture.to_string().lines().all(|line| line.len() <= 80), "{picture}");
        }
    }

    #[test]
    fn partial_masks_are_told_the_fullest_first() {
        let mut masks = Masks::default();
        masks.add(&[!0; 64]);
        masks.add(&[0xff, 0xff, !0xff, !0]);
        assert_eq!((masks.runs, masks.whole), (2, 1));
        assert_eq!(
            masks.told(),
            "\
__activemask() after the loop: all 32 lanes in 1 of 2 runs; 2 other masks in the rest
  0xffffff00 ........########################  24 of 32 lanes
  0x000000ff ########........................   8 of 32 lanes
"
        );
    }

    #[test]
    fn half_a_warp_reads_lanes_that_are_not_there() {
        assert!(half_warp().to_string().contains("reads !16 !17"));
        assert!(twenty_lanes().to_string().contains("reads  16  17  18  19 !20"));
    }
}
