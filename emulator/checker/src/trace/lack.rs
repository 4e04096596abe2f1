//! What keeps two threads that race apart where no flag joins them: barriers that did not take in both, and locks. All of it this
//! run has shown.

use crate::access::judge::{Current, Race};
use crate::access::touched::{How, Kind};
use crate::checks::WarpState;
use crate::order::release::Location;
use crate::trace::exited::Exited;
use crate::trace::flags::Beside;
use crate::trace::lockset::{Lockset, Moment};
use machine::exec::Op;
use machine::registers::Mask;

/// What two threads that race lack, beside the fences of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    Beside(Beside),
    /// The first one's thread ended here, before the barrier that the second one's has passed.
    Ended {
        end: u32,
        barrier: u32,
    },
    /// At the warp's barrier at this site these lanes met, and the other's is not one of them.
    Lane {
        barrier: u32,
        met: Mask,
    },
    /// The same, and the other lane had ended at the second site.
    LaneEnded {
        barrier: u32,
        end: u32,
    },
    /// Both lanes have traded registers here, which orders no memory.
    Trade {
        site: u32,
    },
    /// A word that was taken by a compare-and-swap or an exchange is set back by a plain store.
    PlainUnlock {
        taken: u32,
        store: u32,
    },
    /// The locks that each holds, as far as they are locks.
    Locks([Option<Location>; 2]),
}

impl Current<'_> {
    /// What keeps two threads of a race apart that no flag joins: a barrier that one of them did not come to, or two locks.
    pub fn apart(
        &self,
        race: &Race,
        place: Location,
        warp: &WarpState,
        ended: &Exited,
        holders: &Lockset,
    ) -> Option<Lack> {
        if race.launch.is_some() || race.narrow.is_some() || race.unfenced.is_some() {
            return None;
        }
        let (sites, at) = (self.actor.sites, self.actor.at);
        let (block, within) = self.actor.place(race.first.warp());
        let (first, second) = ((block, within, race.first.lane()), (at.block, at.warp, self.lane));
        let pc = |site: u32| sites.pc(site);
        let plain_store = |how: How| how.kind() == Kind::Write && how.scope().is_none();
        for (thread, own, other) in
            [(first, race.first.how, race.second.how), (second, race.second.how, race.first.how)]
        {
            let is_plain = plain_store(own) && other.scope().is_some();
            if let Some(taken) = is_plain.then(|| holders.taken_at(thread, place)).flatten() {
                return Some(Lack::PlainUnlock { taken, store: own.site() });
            }
        }
        if (block, within) == (at.block, at.warp) {
            let (from, to) = (pc(race.first.how.site()), pc(self.actor.site));
            let met = warp.ways.met((first.2, race.first.clock), self.lane, |site| (from..to).contains(&pc(site)));
            if met.is_some() {
                return met;
            }
        }
        let end = ended.before(&warp.passed, first, second).filter(|_| self.is_whole(warp.passed.site));
        if let Some(end) = end {
            return Some(Lack::Ended { end, barrier: warp.passed.site });
        }
        let step = |clock, site| Moment { clock, pc: pc(site) };
        let theirs = (first, step(race.first.clock, race.first.how.site()));
        let ours = (second, step(self.actor.clock, self.actor.site));
        holders.apart(theirs, ours).map(Lack::Locks)
    }
}

impl Current<'_> {
    /// True for a barrier of all threads of the block.
    fn is_whole(&self, site: u32) -> bool {
        match &self.actor.at.launch.code.instrs[self.actor.sites.pc(site) as usize].op {
            Op::Barrier(barrier) => !barrier.threads.is_some(),
            _ => false,
        }
    }

    /// The branch in which two lanes of a warp are with `group`.
    pub fn branch(&self, race: &Race, warp: &WarpState, group: Mask) -> Option<(u32, Mask)> {
        let is_own = self.actor.place(race.first.warp()) == (self.actor.at.block, self.actor.at.warp);
        let lanes = 1 << race.first.lane() | 1 << self.lane;
        let site = warp.ways.side(group, lanes).filter(|_| is_own && race.launch.is_none())?;
        Some((site, group))
    }

    /// The last barrier of their warp that both threads have passed, and the last of their block.
    pub fn passed(&self, race: &Race, warp: &WarpState, ended: &Exited) -> [Option<u32>; 2] {
        let (block, within) = self.actor.place(race.first.warp());
        if race.launch.is_some() || block != self.actor.at.block {
            return [None; 2];
        }
        let lanes = 1 << race.first.lane() | 1 << self.lane;
        let of_warp = (within == self.actor.at.warp).then(|| warp.ways.last_barrier(lanes)).flatten();
        // Of the first thread it is known that it has not ended before.
        let of_block = warp.passed.last(self.lane).filter(|site| ended.is_complete() && self.is_whole(*site));
        [of_warp, of_block]
    }
}
