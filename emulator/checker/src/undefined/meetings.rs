//! Undefined values that lanes exchange at a `.sync` instruction (PTX ISA, "shfl.sync", "vote.sync", "match.sync",
//! "redux.sync"). A vote errs towards undefined: one undefined predicate makes the result undefined, even if the others
//! decide it; a ballot has separate bits.

use crate::evidence::here::Here;
use crate::sites::LaunchPlace;
use crate::undefined::memory::Undefined;
use crate::undefined::origins::{AbsentRead, OriginId, telling};
use crate::undefined::warp::{Brought, WarpUndefined};
use finding::AbsentLane;
use machine::exec::warp::{Collective, CollectiveKind, Vote};
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use machine::run::sites::thread_name;
use machine::watch::{At, CollectiveGroup};

impl WarpUndefined {
    /// Records the undefined bits that one group brings.
    pub fn gather(&mut self, regs: &Registers, op: &Collective, group: Mask) {
        if ![op.a, op.b, op.c].iter().any(|&reg| self.registers.is_tainted(regs, reg, group)) {
            return;
        }
        self.brought.resize(WARP, Brought::default());
        for lane in lanes(group) {
            let value = self.registers.get(regs, op.a, lane);
            let rest = self.registers.get(regs, op.b, lane) | self.registers.get(regs, op.c, lane);
            let origin = |reg: Reg| self.registers.origins.get(regs, reg, lane);
            let behind = telling([op.b, op.c].map(origin).into_iter());
            self.brought[lane] = Brought { value, rest: rest != 0, origins: (origin(op.a), behind) };
        }
    }
}

impl Undefined {
    /// Records that the lanes `met` have reached a shuffle: those that were absent there before came too late.
    pub fn come(&mut self, at: &At, met: Mask, launch_place: LaunchPlace) {
        if !self.origins.is_empty() {
            self.origins.come(launch_place, at.launch.block_index(at.block), at.warp, met);
        }
    }

    /// Sets the undefined bits of the results of one group.
    pub fn give(&mut self, meeting: &CollectiveGroup, warp: &mut WarpUndefined, regs: &Registers, mut here: Here) {
        let CollectiveGroup { op, group, met, out, .. } = *meeting;
        let all_there = lanes(group).fold(true, |all, lane| all & (met >> out.source[lane] & 1 != 0));
        let suspect = match op.kind {
            CollectiveKind::Shuffle(_) if self.suspects_own => group & !out.p,
            _ => 0,
        };
        if warp.brought.is_empty() && suspect == 0 && (all_there || !matches!(op.kind, CollectiveKind::Shuffle(_))) {
            // No lane has brought anything undefined, as in most meetings.
            warp.registers.define(regs, op.d, group);
            warp.registers.define(regs, op.p, group);
            return;
        }
        warp.brought.resize(WARP, Brought::default());
        let guilty = lanes(met).map(|lane| warp.brought[lane]).filter(|brought| brought.value != 0);
        let any = guilty.clone().next().is_some();
        let theirs = telling(guilty.map(|brought| brought.origins.0));
        for lane in lanes(group) {
            let mine = warp.brought[lane];
            let (undefined, origin) = match op.kind {
                CollectiveKind::Barrier | CollectiveKind::Elect => (0, 0),
                CollectiveKind::Shuffle(_) => {
                    let from = out.source[lane];
                    let given = warp.brought[usize::from(from)];
                    if met >> from & 1 == 0 || suspect >> lane & 1 != 0 {
                        // The value of an absent lane is undefined.
                        (!0, self.absent(meeting, warp, regs, (lane, u32::from(from)), &mut here))
                    } else if mine.rest {
                        (!0, mine.origins.1)
                    } else {
                        (given.value, given.origins.0)
                    }
                }
                CollectiveKind::Vote(Vote::Ballot) => {
                    (lanes(met).map(|other| u64::from(warp.brought[other].value != 0) << other).sum(), theirs)
                }
                _ if any => (!0, theirs),
                _ => (0, 0),
            };
            warp.registers.set(regs, op.d, lane, undefined);
            if undefined != 0 {
                warp.registers.origins.set(regs, op.d, lane, origin);
            }
            let range = matches!(op.kind, CollectiveKind::Shuffle(_)) && mine.rest;
            let agree = matches!(op.kind, CollectiveKind::MatchAll { .. }) && any;
            warp.registers.set(regs, op.p, lane, u64::from(range || agree));
            if range || agree {
                warp.registers.origins.set(regs, op.p, lane, if range { mine.origins.1 } else { theirs });
            }
        }
    }

    /// Records that lane `lane` is about to take the value of lane `from`, which is absent, and returns the origin.
    fn absent(
        &mut self,
        meeting: &CollectiveGroup,
        warp: &WarpUndefined,
        regs: &Registers,
        (lane, from): (usize, u32),
        here: &mut Here,
    ) -> OriginId {
        let CollectiveGroup { at, op, .. } = meeting;
        let members = regs.get(op.members, lane) as Mask;
        let absent = if here.warp.exists() >> from & 1 == 0 {
            AbsentLane::NoThread { threads: here.warp.exists().count_ones() }
        } else if members >> from & 1 == 0 {
            // It may have ended too; the mask is what the kernel itself specifies.
            AbsentLane::NotNamed { mask: members }
        } else {
            AbsentLane::Exited
        };
        let taker = thread_name(at.launch, at.block, 32 * at.warp + lane as u32);
        let launch_place = here.launch_place(at);
        let asked = warp
            .registers
            .masks
            .source(regs, op.members, lane)
            .filter(|_| matches!(absent, AbsentLane::NotNamed { .. }));
        let away = here.warp.partings().away(lane, from as usize);
        let comes = here.warp.partings().has_met(launch_place.site, from);
        self.origins.absent(AbsentRead { launch_place, taker, from, absent, away, asked, comes })
    }
}
