//! What lanes trade at a `.sync` instruction, as far as it is undefined, and the order that
//! barriers of a warp and of a block make (PTX ISA, "bar", "bar.warp.sync", "shfl.sync",
//! "vote.sync", "match.sync", "redux.sync"). A vote errs towards undefined: one undefined predicate makes the outcome
//! so, even where the others decide it; a ballot keeps its bits apart.

use crate::checks::{Checker, WarpState};
use crate::order::clock::{Clock, Narrow, View, joined};
use crate::order::release::Carried;
use crate::trace::partings;
use crate::undefined::origins::Spot;
use crate::undefined::origins::{Origin, telling};
use machine::exec::warp::{Collective, Kind as Meeting, Outputs, Vote};
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use machine::watch::At;
use std::rc::Rc;

/// Undefined bits that a lane brings to a meeting.
#[derive(Clone, Copy, Default)]
pub struct Brought {
    value: u64,
    /// Whether all the rest has any.
    rest: bool,
    /// What is behind the value, and behind the rest.
    origins: (Origin, Origin),
}

/// A barrier between its first arrival and its completion.
#[derive(Clone, Default)]
pub struct Gathering {
    view: Option<Rc<View>>,
    arrived: Vec<(u32, Mask, Clock)>,
    released: Option<Rc<View>>,
    /// Lanes arrive, and wait later.
    is_split: bool,
    /// What they tell beside their views, and what is told to those who pass.
    told: Carried,
    told_to_all: Carried,
}

impl Gathering {
    pub fn arrive(&mut self, which: u32, warp: &mut WarpState, mask: Mask) {
        let mut left = mask;
        for lane in lanes(mask) {
            let to_cluster = warp.to_cluster[lane].take();
            left &= !(u32::from(to_cluster.is_some()) << lane);
            let mine = to_cluster.as_ref().unwrap_or(&warp.views[lane]);
            self.view = Some(match self.view.take() {
                Some(view) => joined(&view, mine),
                None => mine.clone(),
            });
            self.told.add(&warp.patterns[lane]);
        }
        self.is_split |= left != mask;
        self.arrived.push((which, left, warp.clock));
        self.arrived.extend(warp.copied.iter().flat_map(|copied| copied.of(mask)));
        warp.clock += 1;
    }

    pub fn complete(&mut self, block: u64) {
        let mut view = (*self.view.take().unwrap_or_default()).clone();
        for (warp, mask, clock) in self.arrived.drain(..) {
            view.raise(block, warp, mask, clock);
        }
        self.released = Some(Rc::new(view));
        self.told_to_all = std::mem::take(&mut self.told);
    }

    pub fn release(&self, warp: &mut WarpState, mask: Mask) {
        if let Some(view) = &self.released {
            for lane in lanes(mask) {
                // Behind an arrival a lane may have learned more than it has brought.
                warp.views[lane] = if self.is_split { joined(view, &warp.views[lane]) } else { view.clone() };
            }
        }
        if !self.told_to_all.is_empty() {
            lanes(mask).for_each(|lane| warp.patterns[lane].told.clone_from(&self.told_to_all));
            warp.fenced |= !self.told_to_all.fenced.is_empty();
        }
    }
}

impl WarpState {
    /// `barrier.cluster.arrive`: settles what each lane brings when it waits.
    pub fn arrive_at_cluster(&mut self, at: &At, releases: bool, mask: Mask) {
        for lane in lanes(mask) {
            let view = if releases {
                let mut view = (*self.views[lane]).clone();
                self.tell(&mut view, at.block, at.warp, 1 << lane);
                Rc::new(view)
            } else {
                let fences = self.patterns[lane].fences.iter();
                fences.fold(Rc::default(), |all, (_, fenced)| joined(&all, fenced))
            };
            self.to_cluster[lane] = Some(view);
        }
        self.clock += Clock::from(releases);
    }

    pub fn meet(&mut self, at: &At, op: &Collective, met: Mask) {
        self.brought.clear();
        // Only bar.warp.sync orders memory; shuffles and votes exchange registers.
        if op.kind != Meeting::Barrier {
            return;
        }
        let mut whole: Option<Rc<View>> = None;
        for lane in lanes(met) {
            let mine = &self.views[lane];
            whole = Some(whole.map_or_else(|| mine.clone(), |whole| joined(&whole, mine)));
        }
        let mut view = (*whole.unwrap_or_default()).clone();
        self.tell(&mut view, at.block, at.warp, met);
        let view = Rc::new(view);
        lanes(met).for_each(|lane| self.views[lane] = view.clone());
        let mut told = Carried::default();
        lanes(met).for_each(|lane| told.add(&self.patterns[lane]));
        if !told.is_empty() {
            lanes(met).for_each(|lane| self.patterns[lane].told.clone_from(&told));
        }
        self.clock += 1;
    }

    /// Lanes have met in code of cooperative groups where memory is not ordered: what they know is kept apart
    /// ([`Narrow::SHUFFLED`]), for the judgement of that code alone.
    pub fn shuffled(&mut self, at: &At, met: Mask) {
        let mut whole = Rc::default();
        lanes(met).for_each(|lane| whole = joined(&whole, &self.views[lane]));
        let mut view = (*whole).clone();
        self.tell(&mut view, at.block, at.warp, met);
        let view = Rc::new(view);
        let first = self.views[met.trailing_zeros() as usize % WARP].clone();
        let apart = View::denying(&first, Narrow::SHUFFLED, &view);
        for lane in lanes(met) {
            let mine = &self.views[lane];
            let alike = Rc::ptr_eq(mine, &first);
            self.views[lane] = if alike { apart.clone() } else { View::denying(mine, Narrow::SHUFFLED, &view) };
        }
        self.clock += 1;
    }

    pub fn gather(&mut self, regs: &Registers, op: &Collective, group: Mask) {
        if ![op.a, op.b, op.c].iter().any(|&reg| self.bits.is_tainted(regs, reg, group)) {
            return;
        }
        self.brought.resize(WARP, Brought::default());
        for lane in lanes(group) {
            let value = self.bits.get(regs, op.a, lane);
            let rest = self.bits.get(regs, op.b, lane) | self.bits.get(regs, op.c, lane);
            let origin = |reg: Reg| self.bits.origins.get(regs, reg, lane);
            let behind = telling([op.b, op.c].map(origin).into_iter());
            self.brought[lane] = Brought { value, rest: rest != 0, origins: (origin(op.a), behind) };
        }
    }
}

impl Checker<'_> {
    /// Lanes meet: at a barrier they are ordered, elsewhere only in the eyes of cooperative groups' own code.
    pub fn meeting(&mut self, at: &At, op: &Collective, warp: &mut WarpState, met: Mask) {
        let (site, clock, orders) = (self.sites.of(at, &warp.chains), warp.clock, op.kind == Meeting::Barrier);
        warp.ways.meet(partings::Meeting { site, met, gone: warp.exited, orders, clock });
        warp.meet(at, op, met);
        if !self.state.origins.is_empty() {
            let spot = Spot { launch: self.number, site };
            self.state.origins.come(spot, at.launch.block_index(at.block), at.warp, met);
        }
        let code = at.launch.code;
        if code.groups_trade_by_memory && !orders && code.is_of_groups(at.pc, &self.sites.calls(site)) {
            warp.shuffled(at, met);
        }
    }

    /// What one group gets.
    #[expect(clippy::too_many_arguments, reason = "a meeting has many sides")]
    pub fn give(
        &mut self,
        at: &At,
        warp: &mut WarpState,
        regs: &Registers,
        op: &Collective,
        group: Mask,
        met: Mask,
        out: &Outputs,
    ) {
        let all_there = lanes(group).fold(true, |all, lane| all & (met >> out.source[lane] & 1 != 0));
        if warp.brought.is_empty() && (all_there || !matches!(op.kind, Meeting::Shuffle(_))) {
            // Nobody has brought anything undefined, as in most meetings.
            warp.bits.define(regs, op.d, group);
            warp.bits.define(regs, op.p, group);
            return;
        }
        warp.brought.resize(WARP, Brought::default());
        let guilty = lanes(met).map(|lane| warp.brought[lane]).filter(|brought| brought.value != 0);
        let any = guilty.clone().next().is_some();
        let theirs = telling(guilty.map(|brought| brought.origins.0));
        for lane in lanes(group) {
            let mine = warp.brought[lane];
            let (undefined, origin) = match op.kind {
                Meeting::Barrier | Meeting::Elect => (0, 0),
                Meeting::Shuffle(_) => {
                    let from = out.source[lane];
                    let given = warp.brought[usize::from(from)];
                    if met >> from & 1 == 0 {
                        // What an absent lane holds is anybody's guess.
                        (!0, self.absent(at, warp, regs, op, lane, u32::from(from)))
                    } else if mine.rest {
                        (!0, mine.origins.1)
                    } else {
                        (given.value, given.origins.0)
                    }
                }
                Meeting::Vote(Vote::Ballot) => {
                    (lanes(met).map(|other| u64::from(warp.brought[other].value != 0) << other).sum(), theirs)
                }
                _ if any => (!0, theirs),
                _ => (0, 0),
            };
            warp.bits.set(regs, op.d, lane, undefined);
            if undefined != 0 {
                warp.bits.origins.set(regs, op.d, lane, origin);
            }
            let range = matches!(op.kind, Meeting::Shuffle(_)) && mine.rest;
            let agree = matches!(op.kind, Meeting::MatchAll { .. }) && any;
            warp.bits.set(regs, op.p, lane, u64::from(range || agree));
            if range || agree {
                warp.bits.origins.set(regs, op.p, lane, if range { mine.origins.1 } else { theirs });
            }
        }
        warp.bits.settle(regs, op.d);
    }
}
