//! The warp whose access is judged, and the accesses that are ordered before it.

use crate::order::clock::View;
use crate::order::copies::WarpCopies;
use crate::order::launches::Past;
use crate::order::warp::WarpOrder;
use crate::sites::Sites;
use crate::sites::touched::{AccessInfo, Clock, RecordedAccess, RecordedKind};
use machine::exec::Op;
use machine::registers::{Mask, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::At;
use std::cell::OnceCell;
use std::rc::Rc;

/// The manner in which a warp makes the access that is judged.
pub struct AccessManner {
    pub kind: RecordedKind,
    /// The lanes whose compare-and-swap fails.
    pub fails: Mask,
    /// Set if loads may read older values and writes may take earlier positions in the coherence order.
    pub out_of_turn: Option<OutOfTurn>,
    /// True if fast paths may be used.
    pub may_use_fast_paths: bool,
    /// True if morally strong pairs are to be found too, as hints.
    pub hints: bool,
}

/// The lanes that are not the immediate successor of the last write in the coherence order.
pub struct OutOfTurn {
    /// The lanes that read an older value than the last write's, or whose store takes an earlier position.
    pub lanes: Mask,
    /// By lane, the number of writes after the one that it reads, or after its own.
    pub back: [u8; WARP],
}

/// The warp whose access is judged.
pub struct Actor<'a> {
    at: &'a At<'a>,
    /// The site of the access.
    site: u32,
    sites: &'a Sites,
    order: &'a WarpOrder,
    /// The views, by lane.
    views: &'a [Rc<View>],
    /// True if only what proxy fences have covered is ordered before the access.
    is_by_proxy: bool,
    /// The number of the warp in the launch.
    warp: u32,
    /// The warp that its accesses are recorded for: a separate one for asynchronous copies.
    recorded: u32,
    clock: Clock,
    /// True if all its lanes share one view: see [`Actor::is_alike`].
    alike: OnceCell<bool>,
    warps_per_block: u32,
    /// The launches before this one, for memory that outlives a launch.
    past: Option<&'a Past>,
    manner: AccessManner,
    /// True for an atomic operation of which no lane fails: consecutive updates of its lanes are kept as one.
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
        let bulk = order.bulk();
        Actor {
            at,
            site,
            sites,
            order,
            warp,
            views: order.views(),
            is_by_proxy: false,
            recorded: match bulk {
                Some((agent, _)) => warp - at.warp + agent,
                None => warp + copy.and_then(|_| launch.copying_warps()).unwrap_or(0),
            },
            clock: bulk.map(|(_, clock)| clock).or(copy).unwrap_or(order.clock()),
            alike: OnceCell::new(),
            warps_per_block,
            past,
            joins: manner.fails == 0 && matches!(launch.code.instrs[at.pc as usize].op, Op::Atomic(_)),
            manner,
        }
    }

    /// Returns the same actor for the order of proxies: `views` have what proxy fences have covered.
    pub fn by_proxy(self, views: &'a [Rc<View>]) -> Actor<'a> {
        Actor { views, is_by_proxy: true, ..self }
    }

    /// True if only what proxy fences have covered is ordered before the access.
    #[inline(always)]
    pub fn is_by_proxy(&self) -> bool {
        self.is_by_proxy
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

    /// Returns the views, by lane.
    #[inline(always)]
    pub fn views(&self) -> &'a [Rc<View>] {
        self.views
    }

    /// Returns the warp's asynchronous copies, if one of them is being judged.
    #[inline]
    pub fn copying(&self) -> Option<&'a WarpCopies> {
        self.order.copied().filter(|copied| copied.now().is_some())
    }

    /// Returns the instruction at a site.
    pub fn op(&self, site: u32) -> &'a Op {
        &self.at.launch.code.instrs[self.sites.pc(site) as usize].op
    }

    /// The launch.
    pub fn launch(&self) -> &Launch<'_> {
        self.at.launch
    }

    /// True if the memory outlives a launch.
    #[inline(always)]
    pub fn outlives(&self) -> bool {
        self.past.is_some()
    }

    /// The launches before this one, for memory that outlives a launch.
    #[inline(always)]
    pub fn past(&self) -> Option<&'a Past> {
        self.past
    }

    /// True if all accesses of older launches are ordered before this one.
    #[inline(always)]
    pub fn is_after_all(&self) -> bool {
        let have_waited = || self.views().iter().all(|view| view.has_waited());
        self.past.is_none_or(|past| past.are_all_before() || past.are_all_before_waited() && have_waited())
    }

    /// True if launch number `launch` is ordered before the accesses of a lane.
    #[inline(always)]
    pub fn is_after(&self, launch: u32, lane: u32) -> bool {
        let has_waited = || self.views()[lane as usize].has_waited();
        self.past.is_none_or(|past| past.are_all_before() || past.is_before(launch, has_waited()))
    }

    /// Returns the vector clocks and release patterns of its threads.
    #[inline(always)]
    pub fn order(&self) -> &'a WarpOrder {
        self.order
    }

    /// Returns the number of the warp in the launch.
    #[inline(always)]
    pub fn warp(&self) -> u32 {
        self.warp
    }

    /// True if morally strong pairs are to be found too, as hints.
    #[inline(always)]
    pub fn wants_hints(&self) -> bool {
        self.manner.hints
    }

    /// True if fast paths may be used.
    #[inline(always)]
    pub fn may_use_fast_paths(&self) -> bool {
        self.manner.may_use_fast_paths
    }

    /// True if fast paths for single words may be used.
    #[inline(always)]
    pub fn may_use_word_paths(&self) -> bool {
        let is_behind = || self.manner.out_of_turn.as_ref().is_some_and(|it| it.lanes != 0);
        self.may_use_fast_paths()
            && self.copying().is_none()
            && self.order.bulk().is_none()
            && !(self.manner.kind != RecordedKind::Read && is_behind())
    }

    #[inline(always)]
    pub fn fails(&self, lane: u32) -> bool {
        self.manner.fails >> lane & 1 != 0
    }

    /// True for an atomic operation of which no lane fails: consecutive updates of its lanes are kept as one.
    #[inline(always)]
    pub fn joins(&self) -> bool {
        self.joins
    }

    /// True if, besides joining, it drops the value that it finds and the schedule lets no load read an
    /// older value. Then it may belong to a run
    /// ([`WriteChain::runs_on`](crate::fast::write_chain::WriteChain::runs_on)).
    #[inline(always)]
    pub fn runs_on(&self) -> bool {
        self.may_use_fast_paths() && self.joins && self.manner.kind == RecordedKind::Write && !self.is_adverse()
    }

    /// True if loads may read older values, and writes take earlier positions in the coherence order.
    #[inline(always)]
    pub fn is_adverse(&self) -> bool {
        self.manner.out_of_turn.is_some()
    }

    /// Returns the block of a warp of the launch.
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
    /// True if all its lanes share one view, so that the same accesses happen before each.
    #[inline(always)]
    pub fn is_alike(&self) -> bool {
        // Comparing all is faster than stopping at the first that differs.
        let alike = || self.views().iter().fold(true, |alike, view| alike & Rc::ptr_eq(view, &self.views()[0]));
        *self.alike.get_or_init(alike)
    }

    /// True for atomic operations.
    pub fn updates(&self) -> bool {
        matches!(self.at.launch.code.instrs[self.at.pc as usize].op, Op::Atomic(_))
    }

    /// Returns the block of a warp of the launch, and the warp's number in it.
    #[inline(always)]
    pub fn place(&self, warp: u32) -> (u64, u32) {
        match warp.checked_sub(self.warp - self.at.warp) {
            Some(warp) if warp < self.warps_per_block => (self.at.block, warp),
            _ => (u64::from(warp / self.warps_per_block), warp % self.warps_per_block),
        }
    }

    /// Returns the access that a lane is about to make.
    #[inline(always)]
    pub fn touched(&self, lane: u32, info: AccessInfo) -> RecordedAccess {
        RecordedAccess { thread: self.recorded * 32 + lane, clock: self.clock, info }
    }
}

impl Current<'_> {
    #[inline(always)]
    pub fn place(&self, warp: u32) -> (u64, u32) {
        self.actor.place(warp)
    }

    /// True if it reads an older value than the last write's, or its store takes an earlier position.
    #[inline]
    pub fn passes_by(&self) -> bool {
        self.actor.manner.out_of_turn.as_ref().is_some_and(|it| it.lanes >> self.lane & 1 != 0)
    }

    /// Returns the number of writes after the one that it reads, or after its own.
    pub fn back(&self) -> u32 {
        self.actor.manner.out_of_turn.as_ref().map_or(0, |it| it.back[self.lane as usize].into())
    }

    /// True if its compare-and-swap fails.
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
        view.clock_of(block, warp, lane as usize) >= clock
    }

    /// True for an access that would happen before the current one if shuffles ordered memory, as cooperative groups'
    /// own code assumes. Also true for a store of its own warp in the same step, in which all lanes store what they
    /// have computed together.
    pub fn is_ordered_by_shuffles(&self, other: RecordedAccess, new: RecordedAccess) -> bool {
        let (block, warp) = self.place(other.warp());
        let same_step = other.warp() == new.warp() && other.clock == new.clock && other.info.site() == new.info.site();
        same_step || self.view().is_ordered_by_shuffles(block, warp, other.lane() as usize, other.clock)
    }

    /// True if all accesses of these lanes up to `clock` happen before the current one, by its view.
    pub fn knows_all(&self, warp: u32, mask: Mask, clock: Clock) -> bool {
        let (block, warp) = self.place(warp);
        self.view().clock_of_all(block, warp, mask) >= clock
    }

    /// Returns those of the lanes in `mask`, which have made the same access as `like`, whose access is ordered before
    /// the current one.
    pub fn ordered_lanes(&self, like: RecordedAccess, mask: Mask) -> Mask {
        if let Some(launch) = like.launch() {
            return if self.actor.is_after(launch, self.lane) { mask } else { 0 };
        }
        if mask.is_power_of_two() {
            return if self.ordered(like.by(mask.trailing_zeros() as usize)) { mask } else { 0 };
        }
        let (block, warp) = self.place(like.warp());
        let known = self.view().lanes_before(block, warp, mask, like.clock);
        let is_own = like.warp() == self.actor.warp && !self.actor.is_by_proxy;
        let own = if is_own { mask & 1 << self.lane } else { 0 };
        let waited = self.actor.order.copied().map_or(0, |copied| {
            let has_waited = |&lane: &usize| self.has_waited(copied, like.by(lane));
            lanes(mask & !known).filter(has_waited).map(|lane| 1 << lane).sum()
        });
        known | own | waited
    }

    pub fn is_in_its_block(&self, warp: u32) -> bool {
        self.place(warp).0 == self.actor.at.block
    }

    /// Returns the warps of the launch that its view may have an entry for; `None` if its view has whole grids.
    pub fn known_warps(&self) -> Option<impl Iterator<Item = u32>> {
        let (own, warps) = (self.actor.at.block, self.actor.warps_per_block);
        let others = self.view().blocks()?.filter(move |block| *block != own);
        Some(others.chain([own]).flat_map(move |block| (0..warps).map(move |warp| block as u32 * warps + warp)))
    }

    /// True for an asynchronous copy of its own that it has waited for.
    pub fn has_waited(&self, copied: &WarpCopies, other: RecordedAccess) -> bool {
        let (block, warp) = self.place(other.warp());
        block == self.actor.at.block && copied.has_waited(self.lane, (warp, other.lane()), other.clock)
    }
}
