//! Evidence from this run about two threads that race: flags between them, barriers and locks that fail to order them,
//! and the branch that they are in.

use crate::access::actor::Current;
use crate::access::race::Race;
use crate::evidence::exited::Exited;
use crate::evidence::flags::{First, Flag, Flags};
use crate::evidence::lack::MissingOrder;
use crate::evidence::lockset::{Lockset, ThreadProgress};
use crate::evidence::warp::WarpTrace;
use crate::order::clock::View;
use crate::order::locations::Releases;
use crate::order::release::Location;
use crate::sites::touched::{AccessInfo, RecordedKind};
use machine::exec::Op;
use machine::registers::Mask;

/// The evidence about the order of two accesses that race.
#[derive(Clone, Copy, Default)]
pub struct Between {
    pub flag: Option<Flag>,
    /// The site of a read that no fence follows, of a value that was released after the first access.
    pub look: Option<u32>,
    pub lack: Option<MissingOrder>,
    /// The barriers that both threads have passed before they raced: the last of the warp, the last of the block.
    pub passed: [Option<u32>; 2],
    /// The branch that lanes of one warp, among them both threads, are in together: its site, and the lanes.
    pub branch: Option<(u32, Mask)>,
}

impl Between {
    pub fn is_known(&self) -> bool {
        self.flag.is_some() || self.look.is_some() || self.lack.is_some()
    }
}

impl Current<'_> {
    /// Returns the store of a flag between two accesses that race, which would order them if it released the first.
    pub fn between(&self, flags: &Flags, releases: &Releases, race: &Race) -> Between {
        if race.launch.is_some() || race.narrow.is_some() {
            return Between::default();
        }
        let first = race.first;
        let (block, warp) = self.place(first.warp());
        let second = (self.actor.at().block, self.actor.at().warp, self.lane);
        if race.unfenced.is_some() {
            let covers = |view: &View| self.knows(view, first.warp(), first.lane(), first.clock);
            let released =
                |place| releases.get(place).is_some_and(|var| var.entries().iter().any(|(_, view)| covers(view)));
            let look = flags.look_between(second, self.view(), block != second.0, released);
            return Between { look, ..Between::default() };
        }
        let first = First { by: (block, warp, first.lane()), clock: first.clock, site: first.info.site() };
        let flag = flags.store_between(self.actor.sites(), first, second, self.view());
        let beside = || flags.barrier_beside(self.actor.sites(), first, second, self.view()).map(MissingOrder::Beside);
        let lack = if flag.is_none() { beside() } else { None };
        Between { flag, look: None, lack, ..Between::default() }
    }

    /// Returns why two threads of a race are not ordered, if no flag connects them: a barrier that one of them did not
    /// reach, or two locks.
    pub fn apart(
        &self,
        race: &Race,
        place: Location,
        warp: &WarpTrace,
        exited: &Exited,
        lockset: &Lockset,
    ) -> Option<MissingOrder> {
        if race.launch.is_some() || race.narrow.is_some() || race.unfenced.is_some() {
            return None;
        }
        let (sites, at) = (self.actor.sites(), self.actor.at());
        let (block, within) = self.actor.place(race.first.warp());
        let (first, second) = ((block, within, race.first.lane()), (at.block, at.warp, self.lane));
        let pc = |site: u32| sites.pc(site);
        let plain_store = |info: AccessInfo| info.kind() == RecordedKind::Write && info.scope().is_none();
        for (thread, own, other) in
            [(first, race.first.info, race.second.info), (second, race.second.info, race.first.info)]
        {
            let is_plain = plain_store(own) && other.scope().is_some();
            if let Some(taken) = is_plain.then(|| lockset.taken_at(thread, place)).flatten() {
                return Some(MissingOrder::PlainUnlock { taken, store: own.site() });
            }
        }
        if (block, within) == (at.block, at.warp) {
            let (from, to) = (pc(race.first.info.site()), pc(self.actor.site()));
            let met =
                warp.partings().met((first.2, race.first.clock), self.lane, |site| (from..to).contains(&pc(site)));
            if met.is_some() {
                return met;
            }
        }
        let end = exited.before(warp.passed(), first, second).filter(|_| self.is_whole(warp.passed().site));
        if let Some(end) = end {
            return Some(MissingOrder::Ended { end, barrier: warp.passed().site });
        }
        if (block, within) == (at.block, at.warp) {
            // One lane may hold a lock for its warp, and if two lanes each wait for one, they may deadlock.
            return None;
        }
        let step = |clock, site| ThreadProgress { clock, pc: pc(site) };
        let theirs = (first, step(race.first.clock, race.first.info.site()));
        let ours = (second, step(self.actor.clock(), self.actor.site()));
        lockset.lack(theirs, ours)
    }
}

impl Current<'_> {
    /// True for a barrier of all threads of the block.
    fn is_whole(&self, site: u32) -> bool {
        match self.actor.op(site) {
            Op::Barrier(barrier) => !barrier.threads.is_some(),
            _ => false,
        }
    }

    /// Returns the branch in which the lanes of `group`, both threads among them, are.
    pub fn branch(&self, race: &Race, warp: &WarpTrace, group: Mask) -> Option<(u32, Mask)> {
        let is_own = self.actor.place(race.first.warp()) == (self.actor.at().block, self.actor.at().warp);
        let lanes = 1 << race.first.lane() | 1 << self.lane;
        let site = warp.partings().side(group, lanes).filter(|_| is_own && race.launch.is_none())?;
        Some((site, group))
    }

    /// Returns the last barrier of their warp that both threads have passed, and the last of their block.
    pub fn passed(&self, race: &Race, warp: &WarpTrace, exited: &Exited) -> [Option<u32>; 2] {
        let (block, within) = self.actor.place(race.first.warp());
        if race.launch.is_some() || block != self.actor.at().block {
            return [None; 2];
        }
        let lanes = 1 << race.first.lane() | 1 << self.lane;
        let of_warp = (within == self.actor.at().warp).then(|| warp.partings().last_barrier(lanes)).flatten();
        // The first thread is known not to have ended before it.
        let of_block = warp.passed().last(self.lane).filter(|site| exited.is_complete() && self.is_whole(*site));
        [of_warp, of_block]
    }
}
