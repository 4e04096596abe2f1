//! A fence: what was observed is acquired, and what the lanes know goes out with their later strong writes (see [`crate::order::release`]).

use crate::checks::{Checker, WarpState};
use crate::delays::history::{Step, Strength};
use crate::order::clock::joined;
use crate::order::release::{By, Reach};
use machine::exec::barrier::Fence;
use machine::exec::memory::Ordering;
use machine::registers::{Mask, lanes};
use machine::watch::At;
use std::rc::Rc;

impl Checker<'_> {
    pub fn pass_fence(&mut self, at: &At, fence: &Fence, warp: &mut WarpState, mask: Mask) {
        let total = fence.semantics.ordering == Ordering::Sc;
        let by = if total { By::FenceSc } else { By::Release };
        let site = self.sites.of(at, &warp.chains);
        let reach = Reach { by, ..Reach::new(fence.semantics.scope, at.block, site) };
        if fence.semantics.acquires() {
            self.unreleased.fenced(at.block, at.warp, mask, fence.semantics.scope);
            if let Some(delays) = &mut self.delays {
                delays.followers.acquire(at.block, at.warp, mask);
            }
        }
        for lane in lanes(mask) {
            if fence.semantics.acquires() {
                warp.acquire(lane, None, reach);
            }
            if total && !warp.patterns[lane].told.observed.is_empty() {
                for (_, view) in warp.patterns[lane].told.acquire(reach) {
                    warp.views[lane] = joined(&warp.views[lane], &view);
                }
            }
            if let (Some(delays), Ordering::Sc) = (&mut self.delays, fence.semantics.ordering) {
                let (lane, strength) = (lane as u32, Strength::Wide);
                let step = Step { block: at.block, warp: at.warp, lane, clock: warp.clock, strength };
                let view = &mut warp.views[step.lane as usize];
                *view = delays.fences.pass(reach, view, step);
            }
            if fence.semantics.releases() {
                let mut view = (*warp.views[lane]).clone();
                warp.tell(&mut view, at.block, at.warp, 1 << lane);
                warp.patterns[lane].fence((reach, Rc::new(view)));
            }
        }
        warp.clock += 1;
        warp.fenced = true;
    }
}
