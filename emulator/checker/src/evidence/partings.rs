//! The sites where lanes of a warp diverged, met and ended. They are reported for an absent lane, and for a race if a
//! barrier did not include a lane.
//!
//! Only branches that lanes decided differently count, not the schedule's own splits. The latest few are kept, so older
//! divergence and meetings are not reported: this errs towards silence.

use crate::evidence::lack::MissingOrder;
use crate::sites::touched::Clock;
use machine::code::InstrGuard;
use machine::registers::{Mask, WARP};
use machine::watch::At;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The greatest number of divergent branches that are kept.
const MOST: usize = 16;
/// The greatest number of meetings of each kind that are kept.
const MEETINGS: usize = 8;

/// The reason why a lane did not reach a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WentAway {
    /// It and the lane that reads it diverged last at this site.
    Parted(u32),
    /// It ended at this site, and the two did not diverge before.
    Ended(u32),
}

#[derive(Clone, Copy, Debug)]
struct WarpParting {
    site: u32,
    one: Mask,
    other: Mask,
}

/// A meeting of lanes at a `.sync` instruction.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub site: u32,
    pub met: Mask,
    /// The lanes that had ended.
    pub gone: Mask,
    /// True if it orders memory.
    pub orders: bool,
    /// The warp's clock before it.
    pub clock: Clock,
}

/// The history of one warp.
#[derive(Debug, Default)]
pub struct Partings {
    /// Warp barriers. Other `.sync` instructions are separate, so that shuffles do not displace the barrier before
    /// them.
    barriers: VecDeque<Met>,
    trades: VecDeque<Met>,
    partings: Vec<WarpParting>,
    /// The index of the oldest, once there are [`MOST`].
    oldest: usize,
    ended: FxHashMap<u32, Mask>,
    /// The branches from which lanes have gone straight to their end.
    out: Vec<(u32, Mask)>,
}

impl Partings {
    pub fn clear(&mut self) {
        self.partings.clear();
        self.oldest = 0;
        self.barriers.clear();
        self.trades.clear();
        self.ended.clear();
        self.out.clear();
    }

    /// Records that lanes take a path that leads straight to their end, at a branch of the kernel itself.
    pub fn leave(&mut self, pc: u32, lanes: Mask) {
        self.out.iter_mut().for_each(|(_, mask)| *mask &= !lanes);
        self.out.retain(|(_, mask)| *mask != 0);
        self.out.push((pc, lanes));
    }

    /// Returns the sites from which lanes have gone to their end at `site`: a branch, if they did nothing after it.
    pub fn left(&self, site: u32, mask: Mask, at: &At) -> Vec<(u32, Mask)> {
        let is_own = at.frame != 0 || at.launch.code.instrs[at.pc as usize].guard != InstrGuard::Always;
        let out: &[(u32, Mask)] = if is_own { &[] } else { &self.out };
        let mut all: Vec<(u32, Mask)> = out.iter().map(|(pc, lanes)| (*pc, lanes & mask)).collect();
        let by_branch = all.iter().fold(0, |all, (_, lanes)| all | lanes);
        all.push((site, mask & !by_branch));
        all.retain(|(_, lanes)| *lanes != 0);
        all
    }

    pub fn part(&mut self, site: u32, one: Mask, other: Mask) {
        let parting = WarpParting { site, one, other };
        if self.partings.len() < MOST {
            return self.partings.push(parting);
        }
        self.partings[self.oldest] = parting;
        self.oldest = (self.oldest + 1) % MOST;
    }

    pub fn meet(&mut self, meeting: Met) {
        let like = if meeting.orders { &mut self.barriers } else { &mut self.trades };
        if like.len() == MEETINGS {
            like.pop_front();
        }
        like.push_back(meeting);
    }

    /// Returns the last barrier after `first`, an access of its lane at that clock, that included one of two lanes and
    /// not the other. Otherwise returns where both exchanged registers at a site for which `between` is true.
    pub fn met(&self, first: (u32, Clock), second: u32, between: impl Fn(u32) -> bool) -> Option<MissingOrder> {
        let (lane, clock) = first;
        let has = |met: Mask, lane: u32| met >> lane & 1 != 0;
        let mut latest_first = self.barriers.iter().rev();
        let one = |it: &&Met| it.clock >= clock && has(it.met, lane) != has(it.met, second);
        if let Some(barrier) = latest_first.find(one) {
            let (site, met) = (barrier.site, barrier.met);
            let ended = self.ended.iter().find(|(_, lanes)| has(**lanes, lane)).map(|(end, _)| *end);
            return Some(match ended {
                // A lane that has been there with others is in another mask.
                Some(end) if has(barrier.gone, lane) && !self.has_met(site, lane) => {
                    MissingOrder::LaneEnded { barrier: site, end }
                }
                _ => MissingOrder::Lane { barrier: site, met },
            });
        }
        let both = |it: &&Met| has(it.met, lane) && has(it.met, second) && between(it.site);
        self.trades.iter().rev().find(both).map(|it| MissingOrder::Trade { site: it.site })
    }

    /// True if a lane has met others at a site, among the meetings that are kept.
    pub fn has_met(&self, site: u32, lane: u32) -> bool {
        self.barriers.iter().chain(&self.trades).any(|it| it.site == site && it.met >> lane & 1 != 0)
    }

    /// Returns the branch of which exactly the lanes of `group` took one side, with both `lanes` among them.
    pub fn side(&self, group: Mask, lanes: Mask) -> Option<u32> {
        let is_it = |it: &&WarpParting| [it.one, it.other].contains(&group) && group & lanes == lanes;
        self.partings.iter().find(is_it).map(|it| it.site)
    }

    /// Returns the site of the last barrier where these lanes met.
    pub fn last_barrier(&self, lanes: Mask) -> Option<u32> {
        self.barriers.iter().rev().find(|it| it.met & lanes == lanes).map(|it| it.site)
    }

    pub fn end(&mut self, site: u32, lanes: Mask) {
        *self.ended.entry(site).or_default() |= lanes;
    }

    /// Returns why `lane` is not where `reader` is.
    pub fn away(&self, reader: usize, lane: usize) -> Option<WentAway> {
        debug_assert!(reader < WARP && lane < WARP, "lanes of one warp");
        let apart = |one: Mask, other: Mask| one >> reader & other >> lane & 1 != 0;
        let (newer, older) = self.partings.split_at(self.oldest);
        let mut latest_first = older.iter().chain(newer).rev();
        let parted = latest_first.find(|it| apart(it.one, it.other) || apart(it.other, it.one));
        let ended = || self.ended.iter().find(|(_, lanes)| **lanes >> lane & 1 != 0);
        parted.map(|it| WentAway::Parted(it.site)).or_else(|| ended().map(|(site, _)| WentAway::Ended(*site)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_parting_of_two_lanes_counts_and_others_do_not() {
        let mut partings = Partings::default();
        partings.part(10, 0x0000_ffff, 0xffff_0000);
        partings.part(20, 0x0000_00ff, 0x0000_ff00);
        assert_eq!(partings.away(0, 16), Some(WentAway::Parted(10)));
        assert_eq!(partings.away(9, 1), Some(WentAway::Parted(20)));
        assert_eq!(partings.away(0, 1), None);
        partings.end(30, 0b10);
        assert_eq!(partings.away(0, 1), Some(WentAway::Ended(30)));
        assert_eq!(partings.away(9, 1), Some(WentAway::Parted(20)));
    }

    #[test]
    fn shuffles_do_not_push_out_a_barrier() {
        let mut partings = Partings::default();
        let met = |site, orders| Met { site, met: 0b11, gone: 0, orders, clock: 1 };
        partings.meet(met(7, true));
        (0..2 * MEETINGS as u32).for_each(|_| partings.meet(met(9, false)));
        assert_eq!(partings.last_barrier(0b11), Some(7));
        assert_eq!(partings.met((0, 1), 1, |site| site == 9), Some(MissingOrder::Trade { site: 9 }));
    }

    #[test]
    fn only_the_latest_partings_are_kept() {
        let mut partings = Partings::default();
        partings.part(1, 0b01, 0b10);
        (2..2 + MOST as u32).for_each(|site| partings.part(site, 0b100, 0b1000));
        assert_eq!(partings.away(0, 1), None);
        assert_eq!(partings.away(3, 2), Some(WentAway::Parted(1 + MOST as u32)));
        partings.part(99, 0b10, 0b01);
        assert_eq!(partings.away(0, 1), Some(WentAway::Parted(99)));
    }
}
