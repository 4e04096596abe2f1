//! Vector clocks, whose size depends on how irregular the code is.
//!
//! A warp has one clock, which advances at every event that publishes something. A thread's [`View`] has, for each lane
//! of each warp, the clock up to which all accesses of that lane happen before the thread's next step. Threads that
//! have met at a barrier share one view, so a barrier costs one view for a block and not one for each thread.

use crate::order::known::Known;
use crate::order::maps::MapOrder;
use crate::sites::touched::Clock;
use machine::exec::IS_WHOLE;
use machine::exec::barrier::FencedSpace;
use machine::memory::space::Space;
use machine::registers::Mask;
use std::rc::Rc;

/// The vector clock of a thread: everything that happens before its next step. Immutable once shared.
///
/// Besides, a view has parts that are not happens-before: what `fence.sc` orders, which limits the values of loads, and
/// what narrow scopes have denied it, which explains races. A third is the part of it that proxy fences have covered.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The clocks, by block. A grid may be included as a whole.
    known: Known,
    /// The part that only the order of `fence.sc` adds. It limits the values that a load may read, and has no effect on
    /// races.
    fenced: Option<Rc<View>>,
    /// The part that wide enough scopes would add.
    denied: Option<Rc<Denied>>,
    /// True if the grids that the launch depends on happen before the next step
    /// ([`dependent`](crate::order::dependent)).
    has_waited: bool,
    proxied: Proxied,
}

/// The part of a view that proxy fences order before what the asynchronous proxy does from now on, by state space, and
/// before what the tensormap proxy does.
#[derive(Clone, Debug, Default)]
struct Proxied {
    global: Option<Rc<View>>,
    shared: Option<Rc<View>>,
    maps: Option<Rc<MapOrder>>,
}

/// The parts of a synchronisation whose scope does not include the other block, as sites; `None` for wide enough ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooNarrow {
    pub release: Option<u32>,
    /// The access that observes the release.
    pub sees: Option<u32>,
    /// The fence after that access.
    pub fence: Option<u32>,
}

impl TooNarrow {
    /// Not a scope, but a shuffle or a vote at which the lanes have met. It orders no memory.
    pub const SHUFFLED: TooNarrow = TooNarrow { release: None, sees: None, fence: None };
}

/// The views that a thread failed to acquire, with the scopes that were too narrow for it. They are passed on with the
/// thread's own view, through barriers and wide enough releases. So a race after several synchronisations can still
/// name the scope as its cause.
#[derive(Clone, Debug, Default)]
struct Denied(Vec<(TooNarrow, Rc<View>)>);

/// The limit of the entries of [`Denied`]; the last one takes what is above it.
const CAUSES: usize = 8;

impl Denied {
    /// Returns true if adding `view` under these scopes would change nothing.
    fn covers(&self, narrow: TooNarrow, view: &Rc<View>) -> bool {
        self.0.iter().any(|(cause, known)| *cause == narrow && covers(known, view))
    }

    fn add(&mut self, narrow: TooNarrow, view: &Rc<View>) {
        let full = self.0.len() >= CAUSES;
        match self.0.iter_mut().find(|(cause, _)| *cause == narrow) {
            Some((_, known)) => *known = joined(known, view),
            // First, so that it is never the one that takes what is above the limit.
            None if narrow == TooNarrow::SHUFFLED => self.0.insert(0, (narrow, view.clone())),
            None if full => self.0[CAUSES - 1].1 = joined(&self.0[CAUSES - 1].1, view),
            None => self.0.push((narrow, view.clone())),
        }
    }

    fn join(&mut self, other: &Denied) {
        other.0.iter().for_each(|(narrow, view)| self.add(*narrow, view));
    }
}

impl View {
    /// Returns the clock up to which a lane's accesses happen before the thread's next step.
    #[inline]
    pub fn clock_of(&self, block: u64, warp: u32, lane: usize) -> Clock {
        self.known.look(block, warp, Clock::MAX, 0, |seen| seen.get(lane))
    }

    /// True if the grids that the launch depends on happen before the thread's next step.
    #[inline]
    pub fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// Returns this view with the grids that the launch depends on.
    pub fn with_wait(mine: &Rc<View>) -> Rc<View> {
        if mine.has_waited { mine.clone() } else { Rc::new(View { has_waited: true, ..(**mine).clone() }) }
    }

    /// As [`View::clock_of`], including the order of `fence.sc`.
    pub fn clock_with_fences(&self, block: u64, warp: u32, lane: usize) -> Clock {
        let fenced = self.fenced.as_ref().map_or(0, |fenced| fenced.clock_of(block, warp, lane));
        fenced.max(self.clock_of(block, warp, lane))
    }

    /// Returns this view with `fenced` added to its order of `fence.sc`.
    pub fn with_fence_order(&self, fenced: &Rc<View>) -> View {
        let all = self.fenced.as_ref().map_or_else(|| fenced.clone(), |known| joined(known, fenced));
        View { fenced: Some(all), ..self.clone() }
    }

    /// Returns a view in which the order of `fence.sc` counts as happens-before.
    pub fn promote_fence_order(&self) -> View {
        let mut all = View { fenced: None, ..self.clone() };
        if let Some(fenced) = &self.fenced {
            all.join(fenced);
        }
        all
    }

    /// Returns the part that proxy fences order before what the asynchronous proxy does from now on, in
    /// a state space.
    pub fn proxied(&self, space: Space) -> Option<&Rc<View>> {
        let Proxied { global, shared, .. } = &self.proxied;
        if space == Space::Shared { shared.as_ref() } else { global.as_ref() }
    }

    /// Returns this view after a proxy fence, by threads that have done all of `done`.
    pub fn with_proxied(&self, done: &View, space: FencedSpace) -> View {
        let done = Some(Rc::new(View { known: done.known.clone(), ..View::default() }));
        let mut view = self.clone();
        view.proxied.join(&Proxied {
            global: done.clone().filter(|_| space != FencedSpace::Shared),
            shared: done.filter(|_| space != FencedSpace::Global),
            maps: None,
        });
        view
    }

    /// Returns what fences of tensor maps have covered.
    pub fn maps(&self) -> Option<&MapOrder> {
        self.proxied.maps.as_deref().filter(|_| IS_WHOLE)
    }

    /// Returns this view after a release fence for tensor maps, by a thread that has done all of `done`.
    pub fn with_map_release(&self, done: &View) -> View {
        let done = Rc::new(View { known: done.known.clone(), ..View::default() });
        let mut view = self.clone();
        Rc::make_mut(view.proxied.maps.get_or_insert_default()).release(done);
        view
    }

    /// Returns this view after an acquire fence for the tensor map at an address.
    pub fn with_map_acquire(&self, map: u64) -> View {
        let mut view = self.clone();
        Rc::make_mut(view.proxied.maps.get_or_insert_default()).acquire(map);
        view
    }

    /// Returns the clock up to which the accesses of all lanes in `mask` happen before the thread's next step.
    #[inline]
    pub fn clock_of_all(&self, block: u64, warp: u32, mask: Mask) -> Clock {
        self.known.look(block, warp, Clock::MAX, 0, |seen| seen.least(mask))
    }

    /// Returns the lanes in `mask` whose accesses up to `clock` happen before the thread's next step.
    pub fn lanes_before(&self, block: u64, warp: u32, mask: Mask, clock: Clock) -> Mask {
        self.known.look(block, warp, mask, 0, |seen| seen.reached(mask, clock))
    }

    /// Returns the blocks that have an entry; `None` if whole grids are included.
    pub fn blocks(&self) -> Option<impl Iterator<Item = u64>> {
        self.known.blocks()
    }

    /// Adds the accesses of lanes of a warp up to `clock`.
    pub fn raise(&mut self, block: u64, warp: u32, mask: Mask, clock: Clock) {
        self.known.raise(block, warp, mask, clock);
    }

    /// Returns `mine` with the note that it would include `theirs` if the scopes in `narrow` were wider.
    pub fn with_denied(mine: &Rc<View>, narrow: TooNarrow, theirs: &Rc<View>) -> Rc<View> {
        let plain = match (&theirs.fenced, &theirs.denied, theirs.proxied.is_empty()) {
            (None, None, true) => theirs.clone(),
            _ => Rc::new(View { known: theirs.known.clone(), ..View::default() }),
        };
        let is_noted = |denied: &Rc<Denied>| denied.covers(narrow, &plain);
        let inner = theirs.denied.as_ref().filter(|inner| !mine.covers_denied(inner));
        if mine.denied.as_ref().is_some_and(is_noted) && inner.is_none() {
            return mine.clone();
        }
        let mut view = (**mine).clone();
        let denied = Rc::make_mut(view.denied.get_or_insert_default());
        denied.add(narrow, &plain);
        inner.into_iter().for_each(|inner| denied.join(inner));
        Rc::new(view)
    }

    /// Returns the scopes that are to blame if a lane's accesses up to `clock` are not included. `None` if wider scopes
    /// would not include them either.
    pub fn denied_by(&self, block: u64, warp: u32, lane: usize, clock: Clock) -> Option<TooNarrow> {
        let mut causes = self.denied.as_ref()?.0.iter().filter(|(narrow, _)| *narrow != TooNarrow::SHUFFLED);
        causes.find(|(_, known)| known.clock_of(block, warp, lane) >= clock).map(|(narrow, _)| *narrow)
    }

    /// Returns true if the view would include a lane's accesses up to `clock` if shuffles ordered memory.
    pub fn is_ordered_by_shuffles(&self, block: u64, warp: u32, lane: usize, clock: Clock) -> bool {
        let first = self.denied.as_ref().and_then(|denied| denied.0.first());
        first
            .is_some_and(|(narrow, known)| *narrow == TooNarrow::SHUFFLED && known.clock_of(block, warp, lane) >= clock)
    }

    fn covers_denied(&self, other: &Rc<Denied>) -> bool {
        let covers = |mine: &Rc<Denied>| {
            Rc::ptr_eq(mine, other) || other.0.iter().all(|(narrow, view)| mine.covers(*narrow, view))
        };
        self.denied.as_ref().is_some_and(covers)
    }

    /// Adds all accesses of the blocks from the first up to, not including, the second.
    pub fn add_whole(&mut self, blocks: (u64, u64)) {
        self.known.add_whole(blocks);
    }

    /// Joins the part of `other` for blocks outside of that range.
    pub fn join_outside(&mut self, other: &View, blocks: (u64, u64)) {
        let known = other.known.outside(blocks);
        let has_more =
            other.fenced.is_some() || other.denied.is_some() || !other.proxied.is_empty() || other.has_waited;
        if !known.is_empty() || has_more {
            self.join(&View { known, ..other.clone() });
        }
    }

    /// Returns true if joining `other` would change nothing. A thread that spins acquires the same again and again.
    fn covers(&self, other: &View) -> bool {
        covers_part(&self.fenced, &other.fenced)
            && other.denied.as_ref().is_none_or(|theirs| self.covers_denied(theirs))
            && self.has_waited >= other.has_waited
            && self.proxied.covers(&other.proxied)
            && self.known.covers(&other.known)
    }

    /// Joins `other` to this view.
    pub fn join(&mut self, other: &View) {
        join_part(&mut self.fenced, &other.fenced);
        self.proxied.join(&other.proxied);
        match (&mut self.denied, &other.denied) {
            (_, None) => {}
            (None, theirs) => self.denied.clone_from(theirs),
            (Some(mine), Some(theirs)) if Rc::ptr_eq(mine, theirs) => {}
            (Some(mine), Some(theirs)) => Rc::make_mut(mine).join(theirs),
        }
        self.has_waited |= other.has_waited;
        self.known.join(&other.known);
    }
}

impl Proxied {
    fn is_empty(&self) -> bool {
        self.global.is_none() && self.shared.is_none() && self.maps.is_none()
    }

    fn covers(&self, other: &Proxied) -> bool {
        let covers_maps = |theirs: &Rc<MapOrder>| {
            self.maps.as_ref().is_some_and(|mine| Rc::ptr_eq(mine, theirs) || mine.covers(theirs))
        };
        covers_part(&self.global, &other.global)
            && covers_part(&self.shared, &other.shared)
            && (!IS_WHOLE || other.maps.as_ref().is_none_or(covers_maps))
    }

    fn join(&mut self, other: &Proxied) {
        join_part(&mut self.global, &other.global);
        join_part(&mut self.shared, &other.shared);
        match (&mut self.maps, &other.maps) {
            (_, None) => {}
            _ if !IS_WHOLE => {}
            (None, theirs) => self.maps.clone_from(theirs),
            (Some(mine), Some(theirs)) if Rc::ptr_eq(mine, theirs) => {}
            (Some(mine), Some(theirs)) => Rc::make_mut(mine).join(theirs),
        }
    }
}

pub(super) fn covers_part(mine: &Option<Rc<View>>, theirs: &Option<Rc<View>>) -> bool {
    theirs.as_ref().is_none_or(|theirs| mine.as_ref().is_some_and(|mine| covers(mine, theirs)))
}

pub(super) fn join_part(mine: &mut Option<Rc<View>>, theirs: &Option<Rc<View>>) {
    if let Some(theirs) = theirs {
        *mine = Some(mine.as_ref().map_or_else(|| theirs.clone(), |mine| joined(mine, theirs)));
    }
}

fn covers(mine: &Rc<View>, other: &Rc<View>) -> bool {
    Rc::ptr_eq(mine, other) || mine.covers(other)
}

/// Returns the join of `mine` and `other`, and shares one of the two if possible.
pub fn joined(mine: &Rc<View>, other: &Rc<View>) -> Rc<View> {
    if covers(mine, other) {
        return mine.clone();
    }
    // Sharing is worth the comparison: pointers then show that two views are equal.
    if covers(other, mine) {
        return other.clone();
    }
    let mut whole = (**mine).clone();
    whole.join(other);
    Rc::new(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_knows_what_it_was_told_and_no_more() {
        let mut view = View::default();
        view.raise(3, 1, 0b10, 7);
        assert_eq!(
            (view.clock_of(3, 1, 1), view.clock_of(3, 1, 0), view.clock_of(3, 0, 1), view.clock_of(2, 1, 1)),
            (7, 0, 0, 0)
        );
        view.raise(3, 1, 0b10, 5);
        assert_eq!(view.clock_of(3, 1, 1), 7);
        assert_eq!([6, 7, 8].map(|clock| view.lanes_before(3, 1, 0b11, clock)), [0b10, 0b10, 0]);
        view.raise(3, 1, !0, 7);
        assert_eq!(
            [view.lanes_before(3, 1, 0b11, 7), view.lanes_before(3, 0, 0b11, 7), view.lanes_before(2, 1, 0b11, 7)],
            [0b11, 0, 0]
        );
    }

    #[test]
    fn joining_takes_the_later_of_both() {
        let mut a = View::default();
        a.raise(0, 0, !0, 4);
        a.raise(5, 2, 1, 9);
        let mut b = View::default();
        b.raise(0, 0, 0b1, 6);
        b.raise(0, 3, !0, 2);
        let c = joined(&Rc::new(a), &Rc::new(b));
        assert_eq!((c.clock_of(0, 0, 0), c.clock_of(0, 0, 1), c.clock_of(5, 2, 0), c.clock_of(0, 3, 9)), (6, 4, 9, 2));
    }

    #[test]
    fn what_a_scope_denies_is_kept_apart_by_its_cause_and_handed_on() {
        let past = |block, clock| {
            let mut view = View::default();
            view.raise(block, 0, !0, clock);
            Rc::new(view)
        };
        let narrow = |site| TooNarrow { release: Some(site), sees: None, fence: None };
        let first = View::with_denied(&Rc::default(), narrow(5), &past(0, 3));
        let handed_on = joined(&past(1, 9), &first);
        assert_eq!((handed_on.clock_of(0, 0, 0), handed_on.clock_of(1, 0, 0)), (0, 9));
        assert_eq!(handed_on.denied_by(0, 0, 7, 3), Some(narrow(5)));
        assert_eq!((handed_on.denied_by(0, 0, 7, 4), handed_on.denied_by(1, 0, 0, 1)), (None, None));
        // Repeating it changes nothing; through another scope it does.
        assert!(Rc::ptr_eq(&View::with_denied(&handed_on, narrow(5), &past(0, 3)), &handed_on));
        let twice = View::with_denied(&handed_on, narrow(8), &first);
        assert_eq!(twice.denied_by(0, 0, 0, 3), Some(narrow(5)));
    }

    #[test]
    fn joining_what_is_known_shares_the_view() {
        let mut more = View::default();
        more.raise(0, 0, 0b11, 4);
        more.raise(2, 1, !0, 7);
        let mut less = View::default();
        less.raise(2, 1, 0b1, 7);
        let (more, less) = (Rc::new(more), Rc::new(less));
        assert!(Rc::ptr_eq(&joined(&more, &less), &more));
        let whole = joined(&less, &more);
        assert_eq!((whole.clock_of(0, 0, 1), whole.clock_of(0, 0, 2), whole.clock_of(2, 1, 31)), (4, 0, 7));
    }
}
