//! The part of a warp in the happens-before order: the vector clocks and the release and acquire patterns of its
//! threads.

use crate::order::bulk::Agent;
use crate::order::clock::{View, joined};
use crate::order::copies::WarpCopies;
use crate::order::expected::ObjectOperation;
use crate::order::release::{By, Location, Patterns, PendingRelease, Reach, ReleasedView, SyncVar};
use crate::sites::touched::Clock;
use machine::exec::barrier::FencedSpace;
use machine::exec::memory::Semantics;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::{At, Touch};
use std::rc::Rc;

/// The first clock of a warp.
pub const START: Clock = 1;

/// The view of a lane, and its pending observations.
pub struct Knows {
    view: Rc<View>,
    pending: Rc<Vec<PendingRelease>>,
}

#[derive(Default)]
pub struct WarpOrder {
    clock: Clock,
    /// The views, by lane.
    views: Vec<Rc<View>>,
    patterns: Vec<Patterns>,
    /// True if some thread's patterns are not empty, or were not.
    has_patterns: bool,
    /// True if some thread of the warp has passed a fence, or has released or observed something that a later access
    /// may need.
    fenced: bool,
    /// Its asynchronous copies, if there are any.
    copied: Option<Box<WarpCopies>>,
    /// The agent of the bulk copy that is being judged.
    bulk: Option<Agent>,
}

impl WarpOrder {
    /// Begins a warp whose threads have the view `nothing`.
    pub fn begin(&mut self, nothing: &Rc<View>) {
        self.clock = START;
        self.fenced = false;
        self.copied = None;
        // As a rule the previous warp has acquired nothing either.
        if self.views.len() != WARP || self.views.iter().any(|view| !Rc::ptr_eq(view, nothing)) {
            self.views.clear();
            self.views.resize_with(WARP, || nothing.clone());
        }
        if std::mem::take(&mut self.has_patterns) || self.patterns.is_empty() {
            self.patterns.resize_with(WARP, Patterns::default);
            let nothing_seen = Rc::default();
            self.patterns.iter_mut().for_each(|patterns| patterns.clear(&nothing_seen));
        }
    }

    /// Sets the view with which all its threads begin.
    pub fn inherit(&mut self, view: Rc<View>) {
        self.views.fill(view);
    }

    #[inline(always)]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the views, by lane.
    #[inline(always)]
    pub fn views(&self) -> &[Rc<View>] {
        &self.views
    }

    #[inline(always)]
    pub fn patterns(&self) -> &[Patterns] {
        &self.patterns
    }

    /// False if the patterns of all threads are empty.
    pub(super) fn has_patterns(&self) -> bool {
        self.has_patterns
    }

    pub(super) fn patterns_mut(&mut self, lane: usize) -> &mut Patterns {
        self.has_patterns = true;
        &mut self.patterns[lane]
    }

    /// True if some thread of the warp may release or acquire because of an earlier operation.
    #[inline]
    pub(super) fn is_fenced(&self) -> bool {
        self.fenced
    }

    pub(super) fn set_fenced(&mut self) {
        self.fenced = true;
    }

    /// Replaces the view of a lane.
    pub(super) fn set_view(&mut self, lane: usize, view: Rc<View>) {
        self.views[lane] = view;
    }

    /// Joins `view` to the view of a lane.
    pub fn learn(&mut self, lane: usize, view: &Rc<View>) {
        self.views[lane] = joined(&self.views[lane], view);
    }

    /// Begins the accesses of a warp whose launch has clusters: the epoch before them stands for its start alone.
    pub fn start_in_cluster(&mut self) {
        self.clock = START + 1;
    }

    /// Advances the clock: what the warp does from here on is not in the views that it has published.
    pub(super) fn advance(&mut self) {
        self.clock += 1;
    }

    #[inline(always)]
    pub fn copied(&self) -> Option<&WarpCopies> {
        self.copied.as_deref()
    }

    /// Begins the judgement of copy `number` of the warp, started by lanes of it. `again` are those whose copy repeats
    /// the last one to its destination.
    pub fn begin_copy(&mut self, by: u32, number: Clock, again: Mask) {
        self.copied.get_or_insert_with(|| Box::new(WarpCopies::new(by))).begin(number, again);
    }

    /// Records that a lane has waited for its copies up to that number.
    pub fn waited_for(&mut self, lane: usize, last: Clock) {
        if let Some(copied) = &mut self.copied {
            copied.wait(lane, last);
        }
    }

    /// Ends the judgement of a copy.
    pub fn end_copy(&mut self) {
        if let Some(copied) = &mut self.copied {
            copied.end();
        }
    }

    /// Begins the judgement of an access of a bulk copy.
    pub fn begin_bulk(&mut self, agent: Agent) {
        self.bulk = Some(agent);
    }

    pub fn end_bulk(&mut self) {
        self.bulk = None;
    }

    /// Returns the agent of the bulk copy that is being judged.
    #[inline(always)]
    pub fn bulk(&self) -> Option<Agent> {
        self.bulk
    }

    /// Handles a proxy fence of lanes. Lanes that share a view share the new one: it has the accesses of all of them,
    /// and each of them has passed the fence.
    pub fn proxy_fence(&mut self, block: u64, warp: u32, mask: Mask, space: FencedSpace) {
        let mut rest = mask;
        while rest != 0 {
            let view = self.views[rest.trailing_zeros() as usize].clone();
            let alike = lanes(rest).filter(|&lane| Rc::ptr_eq(&self.views[lane], &view));
            let alike: Mask = alike.fold(0, |mask, lane| mask | 1 << lane);
            let mut done = (*view).clone();
            self.tell(&mut done, block, warp, alike);
            let fenced = Rc::new(view.with_proxied(&done, space));
            lanes(alike).for_each(|lane| self.views[lane] = fenced.clone());
            rest &= !alike;
        }
        self.clock += 1;
    }

    /// Handles a release fence of lanes for tensor maps.
    pub fn release_maps(&mut self, at: &At, mask: Mask) {
        for lane in lanes(mask) {
            let done = self.told(at.block, at.warp, lane);
            self.set_view(lane, Rc::new(self.views()[lane].with_map_release(&done)));
        }
        self.step();
    }

    /// Handles an acquire fence of lanes for the maps at these addresses.
    pub fn acquire_maps(&mut self, maps: &[u64], mask: Mask) {
        for lane in lanes(mask) {
            self.set_view(lane, Rc::new(self.views()[lane].with_map_acquire(maps[lane])));
        }
    }

    /// Records that a strong read of `lane` observes what a location has released.
    pub fn observe(&mut self, lane: usize, place: Option<Location>, var: &SyncVar, semantics: Semantics, reach: Reach) {
        for (released, narrow) in var.seen_by(reach) {
            let (theirs, view) = released;
            let meets = theirs.meets(reach);
            if narrow.is_none() && theirs.by == By::ToldFenceSc {
                self.patterns_mut(lane).told.observe(released);
            } else if !semantics.acquires() {
                self.patterns_mut(lane).observe(released, narrow, reach, place);
                self.fenced = true;
            } else if narrow.is_none() && meets {
                self.learn(lane, view);
            } else {
                self.views[lane] = View::with_denied(&self.views[lane], narrow.unwrap_or(reach.denies(*theirs)), view);
                if narrow.is_none() {
                    // A wider fence may follow.
                    self.patterns_mut(lane).observe(released, narrow, reach, place);
                    self.fenced = true;
                }
            }
        }
    }

    /// Returns what a strong write of `lane` to `place` releases: by itself, because of an earlier fence or release,
    /// and because of fences of other threads before a barrier.
    pub fn releases(&mut self, touch: &Touch, lane: usize, place: Location, reach: Reach) -> Vec<ReleasedView> {
        let patterns = &self.patterns[lane];
        let released = touch.semantics.releases().then(|| {
            let mut view = (*self.views[lane]).clone();
            self.tell(&mut view, touch.at.block, touch.at.warp, 1 << lane);
            (reach, Rc::new(view))
        });
        // A release covers what the fences before it cover, except for those of wider scope, and for the order of
        // `fence.sc`.
        let adds = |fence: &Reach| released.is_none() || fence.wide && !reach.wide || fence.by == By::FenceSc;
        let fences = patterns.fences.iter().filter(|(fence, _)| adds(fence));
        let own = patterns.own(place).filter(|(own, _)| adds(own));
        let before = fences.chain(own).chain(&patterns.told.fenced);
        let all = released.iter().chain(before).cloned().collect();
        if let Some(released) = released {
            self.patterns_mut(lane).releases(place, released);
            self.fenced = true;
        }
        all
    }

    /// Acquires what relaxed reads of `lane` have observed, as far as the scope of `fence` includes it. `fence` is a
    /// fence, or an acquiring operation at `place`, which acquires only what was observed there.
    pub fn acquire(&mut self, lane: usize, place: Option<Location>, fence: Reach) {
        if self.patterns[lane].pending.is_empty() {
            return;
        }
        let here = |pending: &PendingRelease| place.is_none() || pending.place == place;
        let (here, mut left): (Vec<PendingRelease>, Vec<PendingRelease>) =
            Rc::unwrap_or_clone(std::mem::take(&mut self.patterns[lane].pending)).into_iter().partition(here);
        for pending in here {
            let (_, view) = &pending.released;
            let Some(narrow) = pending.denied(fence) else {
                self.learn(lane, view);
                continue;
            };
            self.views[lane] = View::with_denied(&self.views[lane], narrow, view);
            // A wider fence may follow.
            if pending.narrow.is_none() {
                left.push(pending);
            }
        }
        self.patterns[lane].pending = Rc::new(left);
    }

    /// Returns the state on which the observation of a location by `lane` depends. `None` if it also depends on fences
    /// that were carried through a barrier.
    pub(super) fn knows(&self, lane: usize) -> Option<Knows> {
        let Patterns { told, pending, .. } = &self.patterns[lane];
        told.is_empty().then(|| Knows { view: self.views[lane].clone(), pending: pending.clone() })
    }

    /// True if [`WarpOrder::knows`] would return the same.
    pub(super) fn knows_as_much(&self, lane: usize, as_this: &Knows) -> bool {
        let Patterns { told, pending, .. } = &self.patterns[lane];
        let is_same = Rc::ptr_eq(pending, &as_this.pending) || pending.is_empty() && as_this.pending.is_empty();
        is_same && Rc::ptr_eq(&self.views[lane], &as_this.view) && told.is_empty()
    }

    /// Copies the state of lane `other`, which had the same state and has observed the same location.
    pub(super) fn looks_as(&mut self, lane: usize, other: usize) {
        self.views[lane] = self.views[other].clone();
        self.patterns[lane].pending = self.patterns[other].pending.clone();
    }

    /// Handles stores at an earlier position in the coherence order. The location keeps what the later ones have
    /// released. Returns what each lane's own store releases.
    pub fn released_behind(&mut self, touch: &Touch, site: impl FnOnce() -> u32) -> Vec<SyncVar> {
        let semantics = touch.semantics;
        if !semantics.is_strong() {
            return vec![SyncVar::default(); touch.mask.count_ones() as usize];
        }
        let tag = touch.shared_block();
        let reach = Reach::in_launch(touch.at.launch, semantics.scope, touch.at.block, site());
        let place = |lane: usize| (tag, touch.addresses[lane]);
        let released = lanes(touch.mask).map(|lane| self.releases(touch, lane, place(lane), reach));
        let released = released.map(|released| SyncVar::new(reach, touch.bytes, released)).collect();
        self.clock += Clock::from(semantics.releases());
        released
    }

    /// Adds all accesses of these lanes, and the copies that they have waited for, to a view that is published.
    pub fn tell(&self, view: &mut View, block: u64, warp: u32, mask: Mask) {
        view.raise(block, warp, mask, self.clock);
        for (warp, mask, clock) in self.copied.iter().flat_map(|copied| copied.of(mask)) {
            view.raise(block, warp, mask, clock);
        }
    }

    /// Returns the view of a lane with its own accesses, for threads that come after it, and advances the clock.
    pub fn hand_over(&mut self, block: u64, warp: u32, lane: usize) -> View {
        let view = self.told(block, warp, lane);
        self.clock += 1;
        view
    }

    /// Returns the view of a lane with its own accesses.
    pub(super) fn told(&self, block: u64, warp: u32, lane: usize) -> View {
        let mut view = (*self.views[lane]).clone();
        self.tell(&mut view, block, warp, 1 << lane);
        view
    }

    /// Returns a lane's operation at a barrier object, at this time.
    pub fn operation(&self, at: &At, lane: usize, site: u32) -> ObjectOperation {
        ObjectOperation { block: at.block, warp: at.warp, lane, clock: self.clock, site }
    }

    /// Advances the clock after a release, which does not cover later accesses.
    pub fn step(&mut self) {
        self.clock += 1;
    }
}
