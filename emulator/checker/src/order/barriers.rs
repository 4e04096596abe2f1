//! The order by barriers of a warp and of a block (PTX ISA, "bar", "bar.warp.sync").

use crate::order::clock::{TooNarrow, View, joined};
use crate::order::release::Carried;
use crate::order::warp::WarpOrder;
use crate::sites::touched::Clock;
use machine::exec::warp::Collective;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::At;
use std::rc::Rc;

/// A barrier between its first arrival and its completion.
#[derive(Default)]
pub struct Gathering {
    view: Option<Rc<View>>,
    arrived: Vec<(u32, Mask, Clock)>,
    /// The number of threads that wait for its completion.
    waiting: u32,
    released: Option<Rc<View>>,
    /// The patterns that the arriving threads bring in addition to their views; below, those that the released threads
    /// get.
    told: Carried,
    told_to_all: Carried,
}

impl Gathering {
    /// Resets the barrier for a new block. The previous one has used few of its barriers.
    pub fn clear(&mut self) {
        if self.view.is_some() || self.released.is_some() {
            *self = Gathering::default();
        }
    }

    pub fn arrive(&mut self, which: u32, warp: &mut WarpOrder, mask: Mask, waits: bool) {
        self.waiting += if waits { mask.count_ones() } else { 0 };
        for lane in lanes(mask) {
            let mine = &warp.views()[lane];
            match &mut self.view {
                // Most threads share one view.
                Some(view) if Rc::ptr_eq(view, mine) => {}
                Some(view) => *view = joined(view, mine),
                None => self.view = Some(mine.clone()),
            }
        }
        if warp.has_patterns() {
            lanes(mask).for_each(|lane| self.told.add(&warp.patterns()[lane]));
        }
        self.arrived.push((which, mask, warp.clock()));
        self.arrived.extend(warp.copied().into_iter().flat_map(|copied| copied.of(mask)));
        warp.step();
    }

    /// Completes the barrier. Returns how many threads wait.
    pub fn complete(&mut self, block: u64) -> u32 {
        let mut view = (*self.view.take().unwrap_or_default()).clone();
        for (warp, mask, clock) in self.arrived.drain(..) {
            view.raise(block, warp, mask, clock);
        }
        self.released = Some(Rc::new(view));
        self.told_to_all = std::mem::take(&mut self.told);
        std::mem::take(&mut self.waiting)
    }

    pub fn release(&self, warp: &mut WarpOrder, mask: Mask) {
        if let Some(view) = &self.released {
            for lane in lanes(mask) {
                warp.set_view(lane, view.clone());
            }
        }
        if !self.told_to_all.is_empty() {
            lanes(mask).for_each(|lane| warp.patterns_mut(lane).told.clone_from(&self.told_to_all));
            if !self.told_to_all.fenced.is_empty() {
                warp.set_fenced();
            }
        }
    }
}

impl WarpOrder {
    pub fn meet(&mut self, at: &At, op: &Collective, met: Mask) {
        // Shuffles and votes exchange registers alone.
        if !op.kind.orders() {
            return;
        }
        let mut whole: Option<Rc<View>> = None;
        for lane in lanes(met) {
            let mine = &self.views()[lane];
            match &mut whole {
                Some(whole) if Rc::ptr_eq(whole, mine) => {}
                Some(known) => *known = joined(known, mine),
                None => whole = Some(mine.clone()),
            }
        }
        let mut view = (*whole.unwrap_or_default()).clone();
        self.tell(&mut view, at.block, at.warp, met);
        let view = Rc::new(view);
        lanes(met).for_each(|lane| self.set_view(lane, view.clone()));
        let mut told = Carried::default();
        if self.has_patterns() {
            lanes(met).for_each(|lane| told.add(&self.patterns()[lane]));
        }
        if !told.is_empty() {
            lanes(met).for_each(|lane| self.patterns_mut(lane).told.clone_from(&told));
        }
        self.step();
    }

    /// Records that lanes have met in code of cooperative groups where that orders no memory. The join of their views
    /// is kept separately ([`TooNarrow::SHUFFLED`]), for the judgement of that code alone.
    pub fn shuffled(&mut self, at: &At, met: Mask) {
        let mut whole = Rc::default();
        lanes(met).for_each(|lane| whole = joined(&whole, &self.views()[lane]));
        let mut view = (*whole).clone();
        self.tell(&mut view, at.block, at.warp, met);
        let view = Rc::new(view);
        let first = self.views()[met.trailing_zeros() as usize % WARP].clone();
        let apart = View::with_denied(&first, TooNarrow::SHUFFLED, &view);
        for lane in lanes(met) {
            let mine = &self.views()[lane];
            let alike = Rc::ptr_eq(mine, &first);
            let known = if alike { apart.clone() } else { View::with_denied(mine, TooNarrow::SHUFFLED, &view) };
            self.set_view(lane, known);
        }
        self.step();
    }
}
