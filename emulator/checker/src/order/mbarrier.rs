//! The order that barrier objects make (PTX ISA, "mbarrier": `.release` of arrivals, `.acquire` of waits).
//!
//! What threads knew and had done when they arrived in a phase is gathered, and a wait that finds the phase complete learns
//! it; one that finds it incomplete learns nothing. An arrival that waits for copies brings these along, and what its thread had
//! done before it (towards silence). Operations on an object are strong and do not race with each other; initialising it is a
//! plain write, which a barrier must part from all other use. Invalidating it is strong as well: `cuda::pipeline` lets one
//! lane do that for a warp that no memory operation has brought together. Use of an object that is no more shows where the
//! schedule puts it behind.

use crate::access::touched::Kind;
use crate::checks::{BlockState, Checker, WarpState};
use crate::findings::values::{Done, Values};
use crate::order::clock::{View, joined};
use crate::order::release::{Reach, SyncVar};
use machine::exec::mbarrier::{Action, Mbarrier};
use machine::exec::memory::Semantics;
use machine::registers::lanes;
use machine::watch::{Signal, Touch};
use std::rc::Rc;

/// What is known of one object.
#[derive(Debug, Default)]
pub struct Object {
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

impl Checker<'_> {
    /// Judges an operation, before it takes effect.
    pub fn use_mbarrier(&mut self, touch: &Touch, op: &Mbarrier, block: &mut BlockState, warp: &mut WarpState) {
        let (kind, done) = match op.action {
            Action::Init(_) => (Kind::Write, Done::Initialise),
            Action::Inval => (Kind::Atomic, Done::Invalidate),
            Action::Test(_) => (Kind::Read, Done::AskPhase),
            _ => (Kind::Atomic, Done::Arrive),
        };
        let semantics = if kind == Kind::Write { Semantics::WEAK } else { touch.semantics };
        self.race(&Touch { semantics, ..*touch }, None, kind, block, warp, Values::without(done), 0);
        if !matches!(op.action, Action::Init(_) | Action::Inval) {
            return;
        }
        for lane in lanes(touch.mask) {
            let address = touch.addresses[lane];
            block.objects.insert(address, Object::default());
            if let Some(bits) = &mut block.bits {
                bits.fill(address, touch.bytes.into(), matches!(op.action, Action::Inval));
            }
        }
    }

    pub fn mbarrier_signal(&mut self, address: u64, signal: &Signal, block: &mut BlockState, warp: &mut WarpState) {
        let object = block.objects.entry(address).or_default();
        match signal {
            Signal::Arrives { at, lane, semantics } => {
                if semantics.releases() {
                    let mut view = (*warp.views[*lane]).clone();
                    warp.tell(&mut view, at.block, at.warp, 1 << lane);
                    warp.clock += 1;
                    object.gather(&Rc::new(view));
                } else {
                    warp.patterns[*lane].fences.iter().for_each(|(_, fenced)| object.gather(fenced));
                }
            }
            Signal::Completes => {
                let gathered = std::mem::take(&mut object.gathered);
                object.complete = joined(&object.complete, &gathered);
            }
            Signal::Passes { at, lane, semantics } => {
                let reach = Reach::new(semantics.scope, at.block, self.sites.of(at, &warp.chains));
                let complete = SyncVar::new(reach, 8, vec![(reach, object.complete.clone())]);
                warp.observe(*lane, None, &complete, *semantics, reach);
            }
            Signal::Tracks { at, lane, last } => {
                let mut view = (*warp.views[*lane]).clone();
                warp.tell(&mut view, at.block, at.warp, 1 << lane);
                let by = at.warp + at.launch.copying_warps().unwrap_or(0);
                if *last > 0 {
                    view.raise(at.block, by, 1 << lane, *last);
                }
                warp.clock += 1;
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
