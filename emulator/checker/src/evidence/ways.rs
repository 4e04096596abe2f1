//! The paths that the lanes of a warp take between a branch and where its paths rejoin, and the number of aligned
//! barriers that they wait at there.
//!
//! Lanes that have taken the same path are one track. A track's `hash` identifies the path up to now. Where paths
//! rejoin it is the same again, whichever of them was taken, so lanes are compared branch by branch, whenever they
//! arrive. Nothing here depends on which thread waited for which, or came first.

use crate::evidence::rejoin::{NOWHERE, Parting, RETURN};
use finding::Threads;
use machine::code::KernelCode;
use machine::registers::Mask;
use machine::schedule::mix;

/// Lanes that have left a branch's paths where these rejoin.
#[derive(Clone, Debug)]
pub struct LeftLanes {
    pub threads: Threads,
    /// The site of the last branch on their path. Below, the site of the last barrier, with its number.
    pub branch: u32,
    pub barrier: Option<(u32, u32)>,
    pub loops: bool,
    /// Identifies one execution of one branch: lanes with one `key` have diverged there.
    key: u64,
    /// The path.
    way: u64,
    waits: Waits,
}

/// The numbers of aligned barriers, and of those among them that are `__syncthreads()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Waits {
    aligned: u32,
    whole: u32,
}

/// Two parts of a warp or a block, one of which waits at more barriers than the other.
pub struct Parted {
    pub with: LeftLanes,
    pub without: LeftLanes,
}

/// Lanes that have taken one path.
#[derive(Clone, Debug, PartialEq)]
struct Track {
    mask: Mask,
    hash: u64,
    open: Vec<Open>,
}

/// A branch whose paths have not rejoined.
#[derive(Clone, Debug, PartialEq)]
struct Open {
    rejoin: u32,
    depth: u32,
    branch: u32,
    barrier: Option<(u32, u32)>,
    loops: bool,
    key: u64,
    way: u64,
    waits: Waits,
}

/// The greatest number of entries that are kept for comparison.
const MOST: usize = 64;

/// The paths of one warp.
#[derive(Debug, Default)]
pub struct WarpWays {
    tracks: Vec<Track>,
    left: GoneLanes,
    /// The depth of each frame, and the instruction that it returns to.
    frames: Vec<(u32, u32)>,
}

/// The lanes of a warp, or the warps of a block, that have left branches.
#[derive(Debug, Default)]
pub struct GoneLanes(Vec<LeftLanes>);

impl GoneLanes {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps `new`, and returns the two sides of a branch of which one waited at more barriers, if there are such.
    /// `counts` returns the number of waits that is compared. `forget` is true for keys that may be dropped.
    fn compare(
        &mut self,
        new: &LeftLanes,
        counts: impl Fn(Waits) -> u32,
        forget: impl Fn(u64) -> bool,
    ) -> Option<Parted> {
        let mut found = None;
        let mut is_known = false;
        for known in self.0.iter_mut().filter(|known| known.key == new.key) {
            let (one, other) = (counts(known.waits), counts(new.waits));
            if (known.way, one) == (new.way, other) {
                known.threads.join(&new.threads);
                is_known = true;
            } else if known.way != new.way && one != other {
                let (with, without) = if one > other { (&*known, new) } else { (new, &*known) };
                found = Some(Parted { with: with.clone(), without: without.clone() });
            }
        }
        if !is_known {
            if self.0.len() == MOST {
                let at = self.0.iter().position(|known| forget(known.key)).unwrap_or(0);
                self.0.remove(at);
            }
            self.0.push(new.clone());
        }
        found
    }

    /// Compares the warps of a block by the number of `__syncthreads()` that they have waited at.
    pub fn compare_warps(&mut self, new: &LeftLanes) -> Option<Parted> {
        self.compare(new, |waits| waits.whole, |_| true)
    }
}

impl WarpWays {
    pub fn begin(&mut self, exists: Mask) {
        self.tracks.clear();
        self.tracks.push(Track { mask: exists, hash: 0, open: Vec::new() });
        self.left.clear();
        self.frames.clear();
    }

    /// Records a call from frame `outer` to frame `inner`, which returns to `back`.
    pub fn called(&mut self, outer: u32, inner: u32, back: u32) {
        let depth = self.depth(outer) + 1;
        if self.frames.len() <= inner as usize {
            self.frames.resize(inner as usize + 1, (0, 0));
        }
        self.frames[inner as usize] = (depth, back);
    }

    fn depth(&self, frame: u32) -> u32 {
        self.frames.get(frame as usize).map_or(0, |(depth, _)| *depth)
    }

    pub fn exit(&mut self, mask: Mask) {
        self.tracks.iter_mut().for_each(|track| track.mask &= !mask);
        self.tracks.retain(|track| track.mask != 0);
    }

    /// Records that lanes wait at an aligned barrier. `is_whole`: it is a `__syncthreads()`.
    pub fn wait(&mut self, site: u32, id: u32, is_whole: bool, mask: Mask) {
        for open in self.tracks_of(mask).flat_map(|track| &mut track.open) {
            open.waits.aligned += 1;
            open.waits.whole += u32::from(is_whole);
            open.barrier = Some((site, id));
        }
    }

    /// Records that lanes take one path of a branch.
    pub fn part(&mut self, site: u32, frame: u32, parting: Parting, way: u64, mask: Mask) {
        let depth = self.depth(frame);
        for track in self.tracks_of(mask) {
            let step = mix(mix(track.hash ^ u64::from(site)) ^ way);
            if parting.rejoin != NOWHERE {
                match track.open.last_mut().filter(|open| (open.rejoin, open.depth) == (parting.rejoin, depth)) {
                    Some(open) => {
                        (open.branch, open.way) = (site, mix(open.way ^ step));
                        open.loops |= parting.loops;
                    }
                    None => track.open.push(Open {
                        rejoin: parting.rejoin,
                        depth,
                        branch: site,
                        barrier: None,
                        loops: parting.loops,
                        key: mix(track.hash ^ u64::from(site)),
                        way: step,
                        waits: Waits::default(),
                    }),
                }
            }
            track.hash = step;
        }
    }

    /// Records that lanes arrive at `pc`, where paths rejoin. Returns the lanes that have left a branch.
    pub fn rejoin(&mut self, warp: u32, pc: u32, frame: u32, mask: Mask) -> Vec<LeftLanes> {
        let depth = self.depth(frame);
        self.leave(warp, mask, |open| (open.rejoin, open.depth) == (pc, depth))
    }

    /// Records that lanes return from a function. Paths that rejoin at its return rejoin where the caller continues.
    pub fn come_back(&mut self, code: &KernelCode, warp: u32, frame: u32, mask: Mask) -> Vec<LeftLanes> {
        let Some(&(depth, back)) = self.frames.get(frame as usize).filter(|(depth, _)| *depth != 0) else {
            return Vec::new();
        };
        if !super::exited::ends(code, back) {
            return self.leave(warp, mask, |open| (open.rejoin, open.depth) == (RETURN, depth));
        }
        // The caller only ends from here, so paths do not rejoin there. They rejoin in its own caller, if there is one.
        for track in self.tracks_of(mask) {
            if depth == 1 {
                track.open.retain(|open| open.depth < depth);
            }
            track.open.iter_mut().filter(|open| open.depth == depth).for_each(|open| open.depth -= 1);
        }
        Vec::new()
    }

    /// Closes the outermost branch for which `is_it` is true, and those inside.
    fn leave(&mut self, warp: u32, mask: Mask, is_it: impl Fn(&Open) -> bool) -> Vec<LeftLanes> {
        let mut all = Vec::new();
        for track in self.tracks_of(mask) {
            let Some(at) = track.open.iter().position(&is_it) else { continue };
            let open = track.open.swap_remove(at);
            track.open.truncate(at);
            track.hash = mix(open.key);
            let Open { branch, barrier, loops, key, way, waits, .. } = open;
            all.push(LeftLanes {
                threads: Threads::of_warp(warp, track.mask),
                branch,
                barrier,
                loops,
                key,
                way,
                waits,
            });
        }
        all
    }

    /// Returns the lanes of this warp that took another path at the branch that `left` come from, and waited at more or
    /// fewer barriers. To be called once for each `left`, before the lanes continue.
    pub fn compare(&mut self, left: &LeftLanes) -> Option<Parted> {
        // No other lanes can arrive.
        if self.tracks.len() == 1 && self.left.0.is_empty() {
            return None;
        }
        let tracks = &self.tracks;
        let is_open = |key| tracks.iter().any(|track| track.open.iter().any(|open| open.key == key));
        self.left.compare(left, |waits| waits.aligned, |key| !is_open(key))
    }

    /// Merges the tracks of lanes that have taken the same path after all.
    pub fn settle(&mut self) {
        let mut at = 1;
        while at < self.tracks.len() {
            let (before, [track, ..]) = self.tracks.split_at_mut(at) else { unreachable!("in range") };
            match before.iter_mut().find(|known| known.is_like(track)) {
                Some(known) => {
                    known.mask |= track.mask;
                    self.tracks.swap_remove(at);
                }
                None => at += 1,
            }
        }
        if matches!(&self.tracks[..], [only] if only.open.is_empty()) {
            self.left.clear();
        }
    }

    /// Returns the tracks of `mask`, split off from other lanes.
    fn tracks_of(&mut self, mask: Mask) -> impl Iterator<Item = &mut Track> {
        for at in 0..self.tracks.len() {
            let both = self.tracks[at].mask & mask;
            if both != 0 && both != self.tracks[at].mask {
                self.tracks[at].mask &= !both;
                let apart = Track { mask: both, ..self.tracks[at].clone() };
                self.tracks.push(apart);
            }
        }
        self.tracks.iter_mut().filter(move |track| track.mask & mask != 0)
    }
}

impl Track {
    /// True if both will be judged alike. Which barrier was the last makes no difference.
    fn is_like(&self, other: &Track) -> bool {
        let like = |(one, other): (&Open, &Open)| (one.key, one.way, one.waits) == (other.key, other.way, other.waits);
        self.hash == other.hash && self.open.len() == other.open.len() && self.open.iter().zip(&other.open).all(like)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRANCH: Parting = Parting { rejoin: 9, loops: false };

    fn warp() -> WarpWays {
        let mut warp = WarpWays::default();
        warp.begin(0b1111);
        warp
    }

    /// Returns the lanes that have waited and those that have not, once lanes arrive where the branch's paths rejoin.
    fn rejoins(warp: &mut WarpWays, mask: Mask) -> Option<(Threads, Threads)> {
        let left = warp.rejoin(0, 9, 0, mask);
        let parted = left.iter().filter_map(|left| warp.compare(left)).next();
        warp.settle();
        parted.map(|parted| (parted.with.threads, parted.without.threads))
    }

    #[test]
    fn lanes_that_skip_a_barrier_are_told_whenever_they_come() {
        for waiting_first in [true, false] {
            let mut warp = warp();
            warp.part(3, 0, BRANCH, 1, 0b0011);
            warp.part(3, 0, BRANCH, 2, 0b1100);
            warp.wait(5, 0, true, 0b0011);
            let (first, second) = if waiting_first { (0b0011, 0b1100) } else { (0b1100, 0b0011) };
            assert_eq!(rejoins(&mut warp, first), None);
            // The first lanes have ended in the meantime.
            warp.exit(first);
            let both = (Threads::of_warp(0, 0b0011), Threads::of_warp(0, 0b1100));
            assert_eq!(rejoins(&mut warp, second), Some(both));
        }
    }

    #[test]
    fn lanes_that_go_one_way_at_different_times_have_not_parted() {
        let mut warp = warp();
        for _ in 0..3 {
            for mask in [0b0001, 0b1110] {
                warp.part(3, 0, BRANCH, 1, mask);
                warp.wait(5, 0, true, mask);
                assert_eq!(rejoins(&mut warp, mask), None);
            }
            assert_eq!(warp.tracks.len(), 1);
        }
    }

    #[test]
    fn rounds_count() {
        let mut warp = warp();
        for round in 0..3u32 {
            warp.part(3, 0, Parting { rejoin: 9, loops: true }, 1, 0b1111);
            warp.wait(5, 0, true, if round == 2 { 0b0111 } else { 0b1111 });
        }
        warp.part(3, 0, BRANCH, 2, 0b0111);
        assert_eq!(rejoins(&mut warp, 0b0111), None);
        // The remaining lanes of the loop have taken another path.
        warp.part(3, 0, BRANCH, 3, 0b1000);
        assert!(rejoins(&mut warp, 0b1000).is_some());
    }
}
