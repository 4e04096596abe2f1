//! What the threads of a warp know of others, and what they have released: the warp's part in the order.

use crate::order::clock::{View, joined};
use crate::order::copies::Copied;
use crate::order::release::{By, Location, Patterns, Pending, Reach, Released, SyncVar};
use crate::sites::touched::Clock;
use machine::exec::memory::Semantics;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::Touch;
use std::rc::Rc;

/// What a lane knows of others, and has observed of them.
pub struct Knows {
    view: Rc<View>,
    pending: Rc<Vec<Pending>>,
}

#[derive(Default)]
pub struct WarpOrder {
    clock: Clock,
    /// By lane.
    views: Vec<Rc<View>>,
    patterns: Vec<Patterns>,
    /// Some thread's pattern is not empty, or was not.
    has_patterns: bool,
    /// Some thread of the warp has passed a fence, or has released or observed something that a later access may need.
    fenced: bool,
    /// What it brings to the barrier of its cluster, once it has arrived.
    to_cluster: [Option<Rc<View>>; WARP],
    /// Its asynchronous copies, if there are any.
    copied: Option<Box<Copied>>,
}

impl WarpOrder {
    /// A warp begins, whose threads know `nothing`.
    pub fn begin(&mut self, nothing: &Rc<View>) {
        self.clock = 1;
        self.fenced = false;
        self.copied = None;
        self.to_cluster = Default::default();
        // As a rule the warp before has learned nothing either.
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

    /// All its threads begin with this.
    pub fn inherit(&mut self, view: Rc<View>) {
        self.views.fill(view);
    }

    #[inline(always)]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// By lane.
    #[inline(always)]
    pub fn views(&self) -> &[Rc<View>] {
        &self.views
    }

    #[inline(always)]
    pub fn patterns(&self) -> &[Patterns] {
        &self.patterns
    }

    /// False if no thread has anything in its patterns.
    pub(super) fn has_patterns(&self) -> bool {
        self.has_patterns
    }

    pub(super) fn patterns_mut(&mut self, lane: usize) -> &mut Patterns {
        self.has_patterns = true;
        &mut self.patterns[lane]
    }

    /// Some thread of the warp may release or acquire by what it did before.
    #[inline]
    pub(super) fn is_fenced(&self) -> bool {
        self.fenced
    }

    pub(super) fn set_fenced(&mut self) {
        self.fenced = true;
    }

    /// A lane knows just this from now on.
    pub(super) fn set_view(&mut self, lane: usize, view: Rc<View>) {
        self.views[lane] = view;
    }

    /// A lane learns what others knew.
    pub(super) fn learn(&mut self, lane: usize, view: &Rc<View>) {
        self.views[lane] = joined(&self.views[lane], view);
    }

    /// What a lane brings to the barrier of its cluster when it waits there.
    pub(super) fn set_to_cluster(&mut self, lane: usize, view: Rc<View>) {
        self.to_cluster[lane] = Some(view);
    }

    pub(super) fn take_to_cluster(&mut self, lane: usize) -> Option<Rc<View>> {
        self.to_cluster[lane].take()
    }

    #[inline(always)]
    pub fn copied(&self) -> Option<&Copied> {
        self.copied.as_deref()
    }

    /// Lanes start copy `number` of their warp, whose accesses are judged now; `again` are those whose copy repeats the last one to
    /// its place.
    pub fn begin_copy(&mut self, by: u32, number: Clock, again: Mask) {
        self.copied.get_or_insert_with(|| Box::new(Copied::new(by))).begin(number, again);
    }

    /// A lane has waited for its copies up to that number.
    pub fn waited_for(&mut self, lane: usize, last: Clock) {
        if let Some(copied) = &mut self.copied {
            copied.wait(lane, last);
        }
    }

    /// They have been judged.
    pub fn end_copy(&mut self) {
        if let Some(copied) = &mut self.copied {
            copied.end();
        }
    }

    /// A strong read of `lane` finds what a location has released.
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
                self.views[lane] = View::denying(&self.views[lane], narrow.unwrap_or(reach.denies(*theirs)), view);
                if narrow.is_none() {
                    // A wider fence may follow.
                    self.patterns_mut(lane).observe(released, narrow, reach, place);
                    self.fenced = true;
                }
            }
        }
    }

    /// What a strong write of `lane` to `place` releases: by itself, because of a fence or a release before it, and what
    /// others have fenced before a barrier.
    pub fn releases(&mut self, touch: &Touch, lane: usize, place: Location, reach: Reach) -> Vec<Released> {
        let patterns = &self.patterns[lane];
        let released = touch.semantics.releases().then(|| {
            let mut view = (*self.views[lane]).clone();
            self.tell(&mut view, touch.at.block, touch.at.warp, 1 << lane);
            (reach, Rc::new(view))
        });
        // A release covers what fences before it cover, but for those that reach farther, and for the order of `fence.sc`.
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

    /// A fence of `lane`, or an acquiring operation at `place`, acquires what its relaxed reads have observed (there), as
    /// far as it reaches.
    pub fn acquire(&mut self, lane: usize, place: Option<Location>, fence: Reach) {
        if self.patterns[lane].pending.is_empty() {
            return;
        }
        let here = |pending: &Pending| place.is_none() || pending.place == place;
        let (here, mut left): (Vec<Pending>, Vec<Pending>) =
            Rc::unwrap_or_clone(std::mem::take(&mut self.patterns[lane].pending)).into_iter().partition(here);
        for pending in here {
            let (_, view) = &pending.released;
            let Some(narrow) = pending.denied(fence) else {
                self.learn(lane, view);
                continue;
            };
            self.views[lane] = View::denying(&self.views[lane], narrow, view);
            // A wider fence may follow.
            if pending.narrow.is_none() {
                left.push(pending);
            }
        }
        self.patterns[lane].pending = Rc::new(left);
    }

    /// What a look of `lane` at what a place has released depends on. `None` if it has been told of fences at a barrier, too.
    pub(super) fn knows(&self, lane: usize) -> Option<Knows> {
        let Patterns { told, pending, .. } = &self.patterns[lane];
        told.is_empty().then(|| Knows { view: self.views[lane].clone(), pending: pending.clone() })
    }

    /// True if [`WarpOrder::knows`] would be the same.
    pub(super) fn knows_as_much(&self, lane: usize, as_this: &Knows) -> bool {
        let Patterns { told, pending, .. } = &self.patterns[lane];
        let is_same = Rc::ptr_eq(pending, &as_this.pending) || pending.is_empty() && as_this.pending.is_empty();
        is_same && Rc::ptr_eq(&self.views[lane], &as_this.view) && told.is_empty()
    }

    /// A lane that knew as much has looked at the same place: this one knows what that one knows now.
    pub(super) fn looks_as(&mut self, lane: usize, other: usize) {
        self.views[lane] = self.views[other].clone();
        self.patterns[lane].pending = self.patterns[other].pending.clone();
    }

    /// Stores come in behind others, which keep what the location has released. What each lane's own releases is returned.
    pub fn released_behind(&mut self, touch: &Touch, site: impl FnOnce() -> u32) -> Vec<SyncVar> {
        let semantics = touch.semantics;
        if !semantics.is_strong() {
            return vec![SyncVar::default(); touch.mask.count_ones() as usize];
        }
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let reach = Reach::new(semantics.scope, touch.at.block, site());
        let place = |lane: usize| (tag, touch.addresses[lane]);
        let released = lanes(touch.mask).map(|lane| self.releases(touch, lane, place(lane), reach));
        let released = released.map(|released| SyncVar::new(reach, touch.bytes, released)).collect();
        self.clock += Clock::from(semantics.releases());
        released
    }

    /// Adds to a view all that these lanes have done: what makes it known to others.
    pub fn tell(&self, view: &mut View, block: u64, warp: u32, mask: Mask) {
        view.raise(block, warp, mask, self.clock);
        for (warp, mask, clock) in self.copied.iter().flat_map(|copied| copied.of(mask)) {
            view.raise(block, warp, mask, clock);
        }
    }

    /// What a lane knows and has done, for those who come after it; it goes on at another clock.
    pub fn hand_over(&mut self, block: u64, warp: u32, lane: usize) -> View {
        let view = self.told(block, warp, lane);
        self.clock += 1;
        view
    }

    /// What a lane knows and has done.
    pub(super) fn told(&self, block: u64, warp: u32, lane: usize) -> View {
        let mut view = (*self.views[lane]).clone();
        self.tell(&mut view, block, warp, 1 << lane);
        view
    }

    /// A release of some lanes is over: what they do next it does not cover.
    pub fn step(&mut self) {
        self.clock += 1;
    }
}
