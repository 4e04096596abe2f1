//! The warp whose access is judged, and what is ordered before it.

use crate::access::cell::Cell;
use crate::access::overflow::Overflow;
use crate::access::race::{Race, Seen};
use crate::order::clock::View;
use crate::order::copies::Copied;
use crate::order::launches::Past;
use crate::order::release::{Pending, Reach};
use crate::order::warp::WarpOrder;
use crate::sites::Sites;
use crate::sites::touched::{Clock, How, TouchKind, Touched};
use machine::exec::Op;
use machine::exec::memory::Scope;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::At;
use std::cell::OnceCell;
use std::rc::Rc;

/// How a warp makes the access that is judged.
pub struct AccessManner {
    pub kind: TouchKind,
    /// Lanes that compare and do not swap.
    pub fails: Mask,
    /// Where loads may look back, and writes come in behind others.
    pub out_of_turn: Option<OutOfTurn>,
    /// It may be judged many lanes at once.
    pub may_be_short: bool,
    /// Pairs that are no races are wanted too.
    pub hints: bool,
}

/// Who does not come right behind the last write.
pub struct OutOfTurn {
    /// Lanes that read an older value than the last write's, or whose store comes in behind it.
    pub lanes: Mask,
    /// How far back they look, or how many writes they come in behind.
    pub back: [u8; WARP],
}

/// The warp whose access is judged.
pub struct Actor<'a> {
    at: &'a At<'a>,
    /// Where the access stands, and all sites so far.
    site: u32,
    sites: &'a Sites,
    order: &'a WarpOrder,
    /// Its number in the launch.
    warp: u32,
    /// The warp that its accesses are written down for: another one for asynchronous copies.
    recorded: u32,
    clock: Clock,
    /// All its lanes share one view: see [`Actor::is_alike`].
    alike: OnceCell<bool>,
    warps_per_block: u32,
    /// The launches before this one, for memory that outlives a launch.
    past: Option<&'a Past>,
    manner: AccessManner,
    /// It updates, and no lane fails: lanes that do so one after the other are kept as one.
    joins: bool,
}

impl<'a> Actor<'a> {
    #[inline(always)]
    pub fn new(
        at: &'a At<'a>,
        (site, sites): (u32, &'a Sites),
        order: &'a WarpOrder,
        past: Option<&'a Past>,
        manner: AccessManner,
    ) -> Actor<'a> {
        let launch = at.launch;
        let warps_per_block = launch.warp_stride();
        let warp = (at.block * u64::from(warps_per_block)) as u32 + at.warp;
        let copy = order.copied().and_then(|copied| copied.now());
        Actor {
            at,
            site,
            sites,
            order,
            warp,
            recorded: warp + copy.and_then(|_| launch.copying_warps()).unwrap_or(0),
            clock: copy.unwrap_or(order.clock()),
            alike: OnceCell::new(),
            warps_per_block,
            past,
            joins: manner.fails == 0 && matches!(launch.code.instrs[at.pc as usize].op, Op::Atomic(_)),
            manner,
        }
    }

    #[inline(always)]
    pub fn at(&self) -> &'a At<'a> {
        self.at
    }

    #[inline(always)]
    pub fn site(&self) -> u32 {
        self.site
    }

    pub fn sites(&self) -> &'a Sites {
        self.sites
    }

    #[inline(always)]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// By lane.
    #[inline(always)]
    pub fn views(&self) -> &'a [Rc<View>] {
        self.order.views()
    }

    /// Its asynchronous copies, if one of them is what is judged.
    #[inline]
    pub fn copying(&self) -> Option<&'a Copied> {
        self.order.copied().filter(|copied| copied.now().is_some())
    }

    /// The instruction at a site.
    pub fn op(&self, site: u32) -> &'a Op {
        &self.at.launch.code.instrs[self.sites.pc(site) as usize].op
    }

    /// The memory outlives a launch.
    #[inline(always)]
    pub fn outlives(&self) -> bool {
        self.past.is_some()
    }

    /// All that older launches did is ordered before.
    #[inline(always)]
    pub fn is_after_all(&self) -> bool {
        self.past.is_none_or(|past| past.are_all_before())
    }

    /// What launch number `launch` did is ordered before.
    #[inline(always)]
    pub fn is_after(&self, launch: u32) -> bool {
        self.past.is_none_or(|past| past.is_before(launch))
    }

    /// It may go short ways.
    #[inline(always)]
    pub fn short_ways(&self) -> bool {
        self.manner.may_be_short
    }

    /// Looks at whole words will do.
    #[inline(always)]
    pub fn may_be_short(&self) -> bool {
        let is_behind = || self.manner.out_of_turn.as_ref().is_some_and(|it| it.lanes != 0);
        self.short_ways() && self.copying().is_none() && !(self.manner.kind != TouchKind::Read && is_behind())
    }

    #[inline(always)]
    pub fn fails(&self, lane: u32) -> bool {
        self.manner.fails >> lane & 1 != 0
    }

    /// It updates, and no lane fails: lanes that do so one after the other are kept as one.
    #[inline(always)]
    pub fn joins(&self) -> bool {
        self.joins
    }

    /// Besides, it drops what it finds, and the schedule lets nothing look back: it may be one of a run
    /// ([`WriteChain::runs_on`](crate::access::write_chain::WriteChain::runs_on)).
    #[inline(always)]
    pub fn runs_on(&self) -> bool {
        self.short_ways() && self.joins && self.manner.kind == TouchKind::Write && !self.is_adverse()
    }

    /// Loads may look back, and writes come in behind others.
    #[inline(always)]
    pub fn is_adverse(&self) -> bool {
        self.manner.out_of_turn.is_some()
    }

    /// The block of a warp of the launch.
    #[inline]
    pub fn block_of(&self, warp: u32) -> u64 {
        u64::from(warp / self.warps_per_block)
    }
}

/// The thread whose access is judged: a lane of its warp.
#[derive(Clone, Copy)]
pub struct Current<'a> {
    pub actor: &'a Actor<'a>,
    pub lane: u32,
}

impl Actor<'_> {
    /// True if all its lanes share one view: what one of them knows they all know.
    #[inline(always)]
    pub fn is_alike(&self) -> bool {
        // All are compared, side by side: that is shorter than to stop at the first that differs.
        let alike = || self.views().iter().fold(true, |alike, view| alike & Rc::ptr_eq(view, &self.views()[0]));
        *self.alike.get_or_init(alike)
    }

    /// True for atomic operations.
    pub fn updates(&self) -> bool {
        matches!(self.at.launch.code.instrs[self.at.pc as usize].op, Op::Atomic(_))
    }

    /// Block and warp in it of a warp in the launch.
    #[inline(always)]
    pub fn place(&self, warp: u32) -> (u64, u32) {
        match warp.checked_sub(self.warp - self.at.warp) {
            Some(warp) if warp < self.warps_per_block => (self.at.block, warp),
            _ => (u64::from(warp / self.warps_per_block), warp % self.warps_per_block),
        }
    }

    /// The access that a lane is about to make.
    #[inline(always)]
    pub fn touched(&self, lane: u32, how: How) -> Touched {
        Touched { thread: self.recorded * 32 + lane, clock: self.clock, how }
    }
}

impl Current<'_> {
    #[inline(always)]
    pub fn place(&self, warp: u32) -> (u64, u32) {
        self.actor.place(warp)
    }

    /// It reads an older value than the last write's, or its store comes in behind that.
    #[inline]
    pub fn passes_by(&self) -> bool {
        self.actor.manner.out_of_turn.as_ref().is_some_and(|it| it.lanes >> self.lane & 1 != 0)
    }

    /// How far back it looks, or how many writes it comes in behind.
    pub fn back(&self) -> u32 {
        self.actor.manner.out_of_turn.as_ref().map_or(0, |it| it.back[self.lane as usize].into())
    }

    /// It compares and does not swap.
    #[inline(always)]
    pub fn fails(&self) -> bool {
        self.actor.fails(self.lane)
    }

    pub fn view(&self) -> &View {
        &self.actor.views()[self.lane as usize]
    }

    #[inline(always)]
    pub fn knows(&self, view: &View, warp: u32, lane: u32, clock: Clock) -> bool {
        let (block, warp) = self.place(warp);
        view.of(block, warp, lane as usize) >= clock
    }

    /// True for an access that would be in the past of the current one if shuffles ordered memory, as cooperative groups' own code
    /// assumes. True too for a store of its own warp in the same step, where all lanes put down what they have worked out together.
    pub fn was_told(&self, other: Touched, new: Touched) -> bool {
        let (block, warp) = self.place(other.warp());
        let same_step = other.warp() == new.warp() && other.clock == new.clock && other.how.site() == new.how.site();
        same_step || self.view().was_told(block, warp, other.lane() as usize, other.clock)
    }

    /// True if what all these lanes did up to `clock` is behind the current access.
    pub fn knows_all(&self, warp: u32, mask: Mask, clock: Clock) -> bool {
        let (block, warp) = self.place(warp);
        self.view().of_all(block, warp, mask) >= clock
    }

    /// True if no strong access can be in the scope of `new`, this thread's, and not in that of `old`, of the same scope; but for one
    /// that is narrow itself, see [`Current::is_far`].
    pub fn reaches_as_far(&self, old: Touched, new: Touched) -> bool {
        new.how.scope().is_none() || new.how.is_wide() || self.is_in_its_block(old.warp())
    }

    /// True for a strong access by another block of its launch.
    #[inline(always)]
    pub fn is_far(&self, old: Touched) -> bool {
        old.how.scope().is_some() && !old.how.is_older() && !old.how.is_spread() && !self.is_in_its_block(old.warp())
    }

    /// Which of these lanes, that have made accesses like this one, have made them before the current access in order.
    pub fn ordered_lanes(&self, like: Touched, mask: Mask) -> Mask {
        if let Some(launch) = like.launch() {
            return if self.actor.is_after(launch) { mask } else { 0 };
        }
        if mask.is_power_of_two() {
            return if self.ordered(like.by(mask.trailing_zeros() as usize)) { mask } else { 0 };
        }
        let (block, warp) = self.place(like.warp());
        let known = self.view().reached(block, warp, mask, like.clock);
        let is_own = like.warp() == self.actor.warp;
        let own = if is_own { mask & 1 << self.lane } else { 0 };
        let waited = self.actor.order.copied().map_or(0, |copied| {
            let has_waited = |&lane: &usize| self.has_waited(copied, like.by(lane));
            lanes(mask & !known).filter(has_waited).map(|lane| 1 << lane).sum()
        });
        known | own | waited
    }

    /// True if an access by that warp and the current one are morally strong, whatever their order: no race.
    #[inline(always)]
    pub fn is_strong_with(&self, warp: u32, old: How, new: How) -> bool {
        !self.actor.manner.hints
            && new.scope().is_some()
            && old.is_like_strong(new)
            && (old.is_wide() && new.is_wide() || self.is_in_its_block(warp))
    }

    pub fn is_in_its_block(&self, warp: u32) -> bool {
        self.place(warp).0 == self.actor.at.block
    }

    /// The warps of the launch of which it may know anything, where these are not all.
    pub fn known_warps(&self) -> Option<impl Iterator<Item = u32>> {
        let (own, warps) = (self.actor.at.block, self.actor.warps_per_block);
        let others = self.view().blocks()?.filter(move |block| *block != own);
        Some(others.chain([own]).flat_map(move |block| (0..warps).map(move |warp| block as u32 * warps + warp)))
    }

    /// True if all that the side table keeps of a word and that can race with `new` is behind the current access.
    pub fn knows_all_of(&self, overflow: &mut Overflow, cell: &Cell, new: How) -> bool {
        let mut looks = 0;
        let is_behind = |(warp, clock, how, lanes): (u32, Clock, How, Mask)| {
            looks += 1;
            !how.is_older() && self.knows_all(warp, lanes, clock)
        };
        let all = overflow.all_against(cell, new, is_behind);
        overflow.looks += looks;
        all
    }

    #[inline(always)]
    pub fn ordered(&self, other: Touched) -> bool {
        if other.how.is_spread() {
            return other.parts().all(|part| self.ordered_alone(part));
        }
        self.ordered_alone(other)
    }

    #[inline(always)]
    fn ordered_alone(&self, other: Touched) -> bool {
        if let Some(launch) = other.launch() {
            return self.actor.is_after(launch);
        }
        other.thread == self.actor.warp * 32 + self.lane
            || self.knows(self.view(), other.warp(), other.lane(), other.clock)
            || self.actor.order.copied().is_some_and(|copied| self.has_waited(copied, other))
    }

    /// True for a copy of its own that it has waited for.
    fn has_waited(&self, copied: &Copied, other: Touched) -> bool {
        let (block, warp) = self.place(other.warp());
        block == self.actor.at.block && copied.has_waited(self.lane, (warp, other.lane()), other.clock)
    }

    /// As `ordered`, but only by what its warp was told, and not because it is its own access.
    #[inline(always)]
    pub fn knows_of(&self, other: Touched) -> bool {
        match other.launch() {
            Some(_) => self.ordered_alone(other),
            None => !other.how.is_spread() && self.knows(self.view(), other.warp(), other.lane(), other.clock),
        }
    }

    /// Judges one recorded access against the new one.
    #[inline(always)]
    pub fn judge(&self, other: Touched, new: Touched) -> Option<Race> {
        let (a, b) = (other.how, new.how);
        if a.is_none() || a.bytes() & b.bytes() == 0 || !(a.writes() || b.writes()) {
            return None;
        }
        other.parts().find_map(|part| self.judge_alone(part, new))
    }

    fn judge_alone(&self, other: Touched, new: Touched) -> Option<Race> {
        let (a, b) = (other.how, new.how);
        if a.bytes() & b.bytes() == 0 || self.ordered_alone(other) {
            return None;
        }
        if let Some(launch) = other.launch() {
            let wide = |how: How| how.scope() >= Some(Scope::Device);
            let morally_strong = wide(a) && wide(b) && a.size() == b.size();
            let race = Race { launch: Some(launch), ..Race::of(other, new) };
            return (!morally_strong).then_some(race);
        }
        let (warp, lane, clock) = (other.warp(), other.lane(), other.clock);
        let (block, within) = self.place(warp);
        let mut narrow = self.view().denied(block, within, lane as usize, clock);
        if let (Some(first), Some(second)) = (a.scope(), b.scope()) {
            let block = |touched: Touched| self.actor.block_of(touched.warp());
            let reach = |touched: Touched, scope: Scope| Reach::new(scope, block(touched), touched.how.site());
            let (theirs, ours) = (reach(other, first), reach(new, second));
            let alike = a.size() == b.size() && a.bytes() == b.bytes();
            if alike && theirs.meets(ours) {
                return self.actor.manner.hints.then(|| Race { is_allowed: true, ..Race::of(other, new) });
            }
            if alike {
                narrow = Some(ours.denies(theirs));
            }
        }
        // What it has observed and not acquired.
        let pending = &self.actor.order.patterns()[self.lane as usize].pending;
        let knows = |pending: &&Pending| pending.narrow.is_none() && self.knows(&pending.released.1, warp, lane, clock);
        let told = &self.actor.order.patterns()[self.lane as usize].told.observed;
        let is_told =
            || told.iter().any(|(_, view)| self.knows(view, warp, lane, clock)).then_some(Seen::BeforeBarrier);
        let seen = || pending.iter().find(knows).map(|pending| Seen::At(pending.seen)).or_else(is_told);
        let unfenced = if narrow.is_none() { seen() } else { None };
        Some(Race { narrow, unfenced, ..Race::of(other, new) })
    }
}
