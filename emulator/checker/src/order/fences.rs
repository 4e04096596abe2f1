//! Fences: the observed releases are acquired, and the lanes' later strong writes release their views (see
//! [`super::release`]).

use crate::order::clock::{View, joined};
use crate::order::release::{By, Reach, Thread};
use crate::order::warp::WarpOrder;
use crate::sites::touched::Clock;
use machine::exec::barrier::Fence;
use machine::exec::memory::Ordering;
use machine::registers::{Mask, lanes};
use machine::watch::At;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl WarpOrder {
    /// Records that lanes pass a fence at `site`. If loads may read older values, `order` is the order of `fence.sc`,
    /// which is then kept too.
    pub fn fence(&mut self, at: &At, fence: &Fence, site: u32, mask: Mask, mut order: Option<&mut FencesSc>) {
        let total = fence.semantics.ordering == Ordering::Sc;
        let by = if total { By::FenceSc } else { By::Release };
        let reach = Reach { by, ..Reach::in_launch(at.launch, fence.semantics.scope, at.block, site) };
        for lane in lanes(mask) {
            if fence.semantics.acquires() {
                self.acquire(lane, None, reach);
            }
            if total && !self.patterns()[lane].told.observed.is_empty() {
                for (_, view) in self.patterns_mut(lane).told.acquire(reach) {
                    self.learn(lane, &view);
                }
            }
            if let (Some(order), true) = (&mut order, total) {
                let thread = (at.block, at.warp, lane as u32);
                self.set_view(lane, order.pass(reach, &self.views()[lane], thread, self.clock()));
            }
            if fence.semantics.releases() {
                let view = self.told(at.block, at.warp, lane);
                self.patterns_mut(lane).fence((reach, Rc::new(view)));
            }
        }
        self.step();
        self.set_fenced();
    }
}

/// The order of `fence.sc` (PTX ISA, "Fence-SC order"): morally strong ones synchronise in the order in which they ran.
/// It holds the views of each block's fences, and of those of wide scope.
#[derive(Debug, Default)]
pub struct FencesSc {
    wide: Rc<View>,
    blocks: FxHashMap<u64, Rc<View>>,
}

impl FencesSc {
    /// Returns `view` after a fence of that reach.
    pub fn pass(&mut self, reach: Reach, view: &Rc<View>, (block, warp, lane): Thread, clock: Clock) -> Rc<View> {
        let own = self.blocks.entry(reach.block).or_default();
        let before = if reach.wide { joined(&self.wide, own) } else { own.clone() };
        let after = Rc::new(view.with_fence_order(&before));
        let mut known = after.promote_fence_order();
        known.raise(block, warp, 1 << lane, clock);
        let known = Rc::new(known);
        *own = joined(own, &known);
        if reach.wide {
            self.wide = joined(&self.wide, &known);
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_of_scopes_that_do_not_meet_order_nothing() {
        let mut fences = FencesSc::default();
        let narrow = |block| Reach { block, cluster: None, wide: false, by: By::Release, site: 0 };
        let sees = |view: &View| view.clock_with_fences(0, 0, 0);
        fences.pass(narrow(0), &Rc::default(), (0, 0, 0), 3);
        assert_eq!(sees(&fences.pass(narrow(1), &Rc::default(), (1, 0, 0), 1)), 0);
        assert_eq!(sees(&fences.pass(narrow(0), &Rc::default(), (0, 1, 0), 1)), 3);
        let wide = fences.pass(Reach { wide: true, ..narrow(0) }, &Rc::default(), (0, 2, 0), 1);
        assert_eq!((sees(&wide), wide.clock_of(0, 0, 0)), (3, 0));
    }
}
