//! The order by barrier objects (PTX ISA, "mbarrier": `.release` of arrivals, `.acquire` of waits).
//!
//! The views and accesses of threads that arrive in a phase are gathered. A wait that finds the phase complete acquires
//! them; one that finds it incomplete acquires nothing. An arrival that waits for copies adds these, and the earlier
//! accesses of its thread (towards silence).
//!
//! Operations on an object are strong and do not race with each other. Initialising it is a plain write, which a
//! barrier must separate from all other use. Invalidating it is strong as well: `cuda::pipeline` lets one lane do that
//! for a warp that no memory operation has brought together. Use of an invalidated object is found if the schedule runs
//! it after the invalidation.

use crate::order::clock::{View, joined};
use crate::order::release::{Reach, SyncVar};
use crate::order::warp::WarpOrder;
use machine::watch::{At, Signal};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A block's barrier objects, by address.
#[derive(Debug, Default)]
pub struct Objects {
    objects: FxHashMap<u64, MbarrierViews>,
}

/// The views that one object has gathered.
#[derive(Debug, Default)]
struct MbarrierViews {
    /// The views that arrivals of the current phase bring.
    gathered: Rc<View>,
    /// The views that arrivals of complete phases have brought.
    complete: Rc<View>,
    /// Arrivals that wait for copies: warp, lane, last copy.
    tracked: Vec<((u32, usize, u32), Rc<View>)>,
}

impl MbarrierViews {
    fn gather(&mut self, view: &Rc<View>) {
        self.gathered = joined(&self.gathered, view);
    }
}

impl Objects {
    pub fn clear(&mut self) {
        self.objects.clear();
    }

    /// Resets an object that is initialised or invalidated.
    pub fn reset(&mut self, address: u64) {
        self.objects.insert(address, MbarrierViews::default());
    }

    /// Adds what a bulk copy brings whose bytes are transactions of the object.
    pub fn transfer(&mut self, address: u64, view: &Rc<View>) {
        self.objects.entry(address).or_default().gather(view);
    }

    /// Handles an event at an object; `site` returns its site.
    pub fn signal(&mut self, address: u64, signal: &Signal, warp: &mut WarpOrder, site: impl FnOnce(&At) -> u32) {
        let object = self.objects.entry(address).or_default();
        match signal {
            Signal::Arrives { at, lane, semantics } => {
                if semantics.releases() {
                    object.gather(&Rc::new(warp.hand_over(at.block, at.warp, *lane)));
                } else {
                    warp.patterns()[*lane].fences.iter().for_each(|(_, fenced)| object.gather(fenced));
                }
            }
            Signal::Completes => {
                let gathered = std::mem::take(&mut object.gathered);
                object.complete = joined(&object.complete, &gathered);
            }
            Signal::Passes { at, lane, semantics } => {
                let reach = Reach::in_launch(at.launch, semantics.scope, at.block, site(at));
                let complete = SyncVar::new(reach, 8, vec![(reach, object.complete.clone())]);
                warp.observe(*lane, None, &complete, *semantics, reach);
            }
            Signal::Tracks { at, lane, last } => {
                let mut view = warp.hand_over(at.block, at.warp, *lane);
                let by = at.warp + at.launch.copying_warps().unwrap_or(0);
                if *last > 0 {
                    view.raise(at.block, by, 1 << lane, *last);
                }
                object.tracked.push(((at.warp, *lane, *last), Rc::new(view)));
            }
            Signal::Tracked { warp, lane, last } => {
                if let Some(at) = object.tracked.iter().position(|(key, _)| *key == (*warp, *lane, *last)) {
                    let (_, view) = object.tracked.remove(at);
                    object.gather(&view);
                }
            }
        }
    }
}
