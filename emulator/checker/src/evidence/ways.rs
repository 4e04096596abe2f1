//! Which ways the lanes of a warp take between a branch and where its ways rejoin, and at how many aligned barriers they wait there.
//!
//! Lanes that have come the same way are one track. A track's `hash` stands for the way up to now: where ways rejoin it is the
//! same again, whichever of them was taken, so lanes are compared branch by branch, whenever they come. Nothing here asks who waited
//! for whom, nor who came first.

use crate::evidence::rejoin::{NOWHERE, Parting, RETURN};
use finding::Threads;
use machine::code::Code;
use machine::registers::Mask;
use machine::schedule::mix;

/// Lanes that have left a branch's ways where these rejoin.
#[derive(Clone, Debug)]
pub struct Left {
    pub threads: Threads,
    /// The last branch that they came to, and the last barrier, as sites; the barrier with its number.
    pub branch: u32,
    pub barrier: Option<(u32, u32)>,
    pub loops: bool,
    /// Which time which branch: lanes of one `key` have parted there.
    key: u64,
    /// Which way.
    way: u64,
    waits: Waits,
}

/// Aligned barriers, and those of them that are `__syncthreads()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Waits {
    aligned: u32,
    whole: u32,
}

/// Two parts of a warp or a block, of which one waits at more barriers than the other.
pub struct Parted {
    pub with: Left,
    pub without: Left,
}

/// Lanes that have come one way.
#[derive(Clone, Debug, PartialEq)]
struct Track {
    mask: Mask,
    hash: u64,
    open: Vec<Open>,
}

/// A branch whose ways have not rejoined.
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

/// Those who have left that are kept to compare others with.
const MOST: usize = 64;

/// One warp's.
#[derive(Debug, Default)]
pub struct WarpWays {
    tracks: Vec<Track>,
    left: Gone,
    /// By frame: how deep it is, and where it returns to.
    frames: Vec<(u32, u32)>,
}

/// Who has left branches: a warp's lanes, or a block's warps.
#[derive(Debug, Default)]
pub struct Gone(Vec<Left>);

impl Gone {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps who has left; `counts` says how often it has waited. Gives those with whom it parted, and who waited more often or
    /// less.
    /// `forget` says whose key may be forgotten.
    fn compare(&mut self, new: &Left, counts: impl Fn(Waits) -> u32, forget: impl Fn(u64) -> bool) -> Option<Parted> {
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

    /// Compares warps of a block by the `__syncthreads()` that they have waited at.
    pub fn compare_warps(&mut self, new: &Left) -> Option<Parted> {
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

    /// A call leads from frame `outer` to frame `inner`, and comes back to `back`.
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

    /// Lanes wait at an aligned barrier, which is a `__syncthreads()` or not.
    pub fn wait(&mut self, site: u32, id: u32, is_whole: bool, mask: Mask) {
        for open in self.tracks_of(mask).flat_map(|track| &mut track.open) {
            open.waits.aligned += 1;
            open.waits.whole += u32::from(is_whole);
            open.barrier = Some((site, id));
        }
    }

    /// Lanes come to a branch and go one way.
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

    /// Lanes come to `pc`, where ways rejoin.
    pub fn rejoin(&mut self, warp: u32, pc: u32, frame: u32, mask: Mask) -> Vec<Left> {
        let depth = self.depth(frame);
        self.leave(warp, mask, |open| (open.rejoin, open.depth) == (pc, depth))
    }

    /// Lanes return from a function. What rejoins at its return rejoins where the caller goes on.
    pub fn come_back(&mut self, code: &Code, warp: u32, frame: u32, mask: Mask) -> Vec<Left> {
        let Some(&(depth, back)) = self.frames.get(frame as usize).filter(|(depth, _)| *depth != 0) else {
            return Vec::new();
        };
        if !super::exited::ends(code, back) {
            return self.leave(warp, mask, |open| (open.rejoin, open.depth) == (RETURN, depth));
        }
        // The caller has nothing left to do, and so is no place to rejoin: its own caller is, if there is one.
        for track in self.tracks_of(mask) {
            if depth == 1 {
                track.open.retain(|open| open.depth < depth);
            }
            track.open.iter_mut().filter(|open| open.depth == depth).for_each(|open| open.depth -= 1);
        }
        Vec::new()
    }

    /// Closes the outermost branch that `is_it`, and those inside.
    fn leave(&mut self, warp: u32, mask: Mask, is_it: impl Fn(&Open) -> bool) -> Vec<Left> {
        let mut all = Vec::new();
        for track in self.tracks_of(mask) {
            let Some(at) = track.open.iter().position(&is_it) else { continue };
            let open = track.open.swap_remove(at);
            track.open.truncate(at);
            track.hash = mix(open.key);
            let Open { branch, barrier, loops, key, way, waits, .. } = open;
            all.push(Left { threads: Threads::of_warp(warp, track.mask), branch, barrier, loops, key, way, waits });
        }
        all
    }

    /// Lanes of this warp that took another way at the branch which `left` come from, and waited at a barrier more or fewer times.
    /// To be asked once for each `left`, before the lanes go on.
    pub fn compare(&mut self, left: &Left) -> Option<Parted> {
        // Nobody else can come.
        if self.tracks.len() == 1 && self.left.0.is_empty() {
            return None;
        }
        let tracks = &self.tracks;
        let is_open = |key| tracks.iter().any(|track| track.open.iter().any(|open| open.key == key));
        self.left.compare(left, |waits| waits.aligned, |key| !is_open(key))
    }

    /// Makes one track of those who have come the same way after all.
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

    /// The tracks of `mask`, split off from other lanes.
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
    /// True if what is to come is judged alike. Which barrier was the last makes no difference.
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

    /// Lanes come to where the branch's ways rejoin: who has waited, and who has not.
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
            // The first have ended meanwhile.
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
        // What is left of the loop has come another way.
        warp.part(3, 0, BRANCH, 3, 0b1000);
        assert!(rejoins(&mut warp, 0b1000).is_some());
    }
}
