//! The order that barrier objects make (PTX ISA, "mbarrier": `.release` of arrivals, `.acquire` of waits).
//!
//! What threads knew and had done when they arrived in a phase is gathered, and a wait that finds the phase complete learns
//! it; one that finds it incomplete learns nothing. An arrival that waits for copies brings these along, and what its thread had
//! done before it (towards silence). Operations on an object are strong and do not race with each other; initialising it is a
//! plain write, which a barrier must part from all other use. Invalidating it is strong as well: `cuda::pipeline` lets one
//! lane do that for a warp that no memory operation has brought together. Use of an object that is no more shows where the
//! schedule puts it behind.

use crate::order::clock::{View, joined};
use crate::order::release::{Reach, SyncVar};
use crate::order::warp::WarpOrder;
use machine::watch::{At, Signal};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A block's barrier objects, by address.
#[derive(Debug, Default)]
pub struct Objects {
    objects: FxHashMap<u64, Object>,
}

/// What is known of one object.
#[derive(Debug, Default)]
struct Object {
    /// What the arrivals of the current phase bring.
    gathered: Rc<View>,
    /// What those of complete phases have brought.
    complete: Rc<View>,
    /// Arrivals that wait for copies: warp, lane, last copy.
    tracked: Vec<((u32, usize, u32), Rc<View>)>,
}

impl Object {
    fn gather(&mut self, view: &Rc<View>) {
        self.gathered = joined(&self.gathered, view);
    }
}

impl Objects {
    pub fn clear(&mut self) {
        self.objects.clear();
    }

    /// There is a new object, or none.
    pub fn reset(&mut self, address: u64) {
        self.objects.insert(address, Object::default());
    }

    /// Something has happened at an object; `site` is where.
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
                let reach = Reach::new(semantics.scope, at.block, site(at));
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
