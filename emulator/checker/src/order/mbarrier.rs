//! The order by barrier objects (PTX ISA, "mbarrier": `.release` of arrivals, `.acquire` of waits).
//!
//! The views and accesses of threads that arrive in a phase are gathered. A wait that finds the phase complete acquires
//! them; one that finds it incomplete acquires nothing. An arrival that waits for copies adds these, and the earlier
//! accesses of its thread (towards silence).
//!
//! An arrival of `.cta` at the object of another block of the cluster brings nothing to the threads that wait there. An
//! arrival without a scope counts as `.cluster` (towards silence): the ISA's default is `.cta`, and libraries leave the
//! scope out where they mean the cluster. The scope of a wait includes whoever arrives (towards silence).
//!
//! Operations on an object are strong and do not race with each other. Initialising it is a plain write, which a
//! barrier must separate from all other use. Invalidating it is strong as well: `cuda::pipeline` lets one lane do that
//! for a warp that no memory operation has brought together. Use of an invalidated object is found if the schedule runs
//! it after the invalidation.

use crate::order::clock::{TooNarrow, View, joined};
use crate::order::expected::{ExpectedBytes, ObjectOperation, UnorderedExpect};
use crate::order::release::{Reach, ReleasedView, SyncVar};
use crate::order::warp::WarpOrder;
use machine::exec::IS_WHOLE;
use machine::exec::mbarrier::BYTES;
use machine::memory::space::Space;
use machine::registers::lanes;
use machine::run::launch::Launch;
use machine::watch::{At, Signal, Touch};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A block's barrier objects, by address.
#[derive(Debug, Default)]
pub struct Objects {
    objects: FxHashMap<u64, MbarrierViews>,
    /// The bytes from the first object to the end of the last one.
    span: (u64, u64),
}

/// A valid object that a lane's write ends.
pub struct OverwrittenObject {
    pub address: u64,
    pub initialised: ObjectOperation,
    pub lane: usize,
}

/// The views that one object has gathered.
#[derive(Debug, Default)]
struct MbarrierViews {
    /// The views that arrivals of the current phase bring.
    gathered: Rc<View>,
    /// The views that arrivals of complete phases have brought.
    complete: Rc<View>,
    /// The same of arrivals whose scope is their own block, in a launch with clusters: of the current phase, and of
    /// complete ones.
    narrow: [Vec<ReleasedView>; 2],
    /// Arrivals that wait for copies: warp, lane, last copy.
    tracked: Vec<((u32, usize, u32), Rc<View>)>,
    /// The initialisation of an object that is neither invalidated nor overwritten since.
    initialised: Option<ObjectOperation>,
    expected: ExpectedBytes,
}

impl MbarrierViews {
    fn gather(&mut self, view: &Rc<View>) {
        self.gathered = joined(&self.gathered, view);
    }

    /// Adds the view of an arrival, to be acquired by threads that its scope includes.
    fn gather_within(&mut self, launch: &Launch, reach: Reach, view: Rc<View>) {
        match launch.has_peers() && reach.cluster.is_none() {
            true => add(&mut self.narrow[0], (reach, view)),
            false => self.gather(&view),
        }
    }
}

/// Adds a view to those of the same reach.
fn add(views: &mut Vec<ReleasedView>, (reach, view): ReleasedView) {
    match views.iter_mut().find(|(known, _)| *known == reach) {
        Some((_, known)) => *known = joined(known, &view),
        None => views.push((reach, view)),
    }
}

impl Objects {
    pub fn clear(&mut self) {
        self.objects.clear();
        self.span = (u64::MAX, 0);
    }

    /// Resets an object that is initialised, or invalidated if not. Returns the initialisation of a valid object there.
    pub fn reset(&mut self, address: u64, initialised: Option<ObjectOperation>) -> Option<ObjectOperation> {
        self.span = (self.span.0.min(address), self.span.1.max(address + BYTES));
        let before = self.objects.insert(address, MbarrierViews { initialised, ..MbarrierViews::default() });
        before.and_then(|object| object.initialised)
    }

    /// Ends the objects that a write of a block's shared memory overwrites. Returns one of them that was valid.
    #[inline(always)]
    pub fn overwrite(&mut self, touch: &Touch) -> Option<OverwrittenObject> {
        match touch.space {
            Space::Shared if !self.objects.is_empty() => self.end_in(touch),
            _ => None,
        }
    }

    #[inline(never)]
    fn end_in(&mut self, touch: &Touch) -> Option<OverwrittenObject> {
        let bytes = u64::from(touch.bytes * touch.elements);
        let writer = |from: u64, to: u64| {
            lanes(touch.mask).find(|&lane| touch.addresses[lane] < to && from < touch.addresses[lane] + bytes)
        };
        writer(self.span.0, self.span.1)?;
        let mut first: Option<OverwrittenObject> = None;
        for (&address, object) in &mut self.objects {
            let Some(lane) = writer(address, address + BYTES) else { continue };
            let Some(initialised) = object.initialised.take().filter(|_| IS_WHOLE) else { continue };
            if first.as_ref().is_none_or(|known| address < known.address) {
                first = Some(OverwrittenObject { address, initialised, lane });
            }
        }
        first
    }

    /// Adds what a bulk copy brings whose bytes are transactions of the object.
    pub fn transfer(&mut self, address: u64, view: &Rc<View>) {
        self.objects.entry(address).or_default().gather(view);
    }

    /// Records that a thread with this view expects bytes in the current phase of an object.
    pub fn expect(&mut self, address: u64, operation: ObjectOperation, view: &View, arrives: bool) {
        self.objects.entry(address).or_default().expected.expect(operation, view, arrives);
    }

    /// Handles an event at an object; `site` returns its site. Where a thread finds a phase complete, returns an
    /// `expect_tx` that may come too late for that phase.
    pub fn signal(
        &mut self,
        address: u64,
        signal: &Signal,
        warp: &mut WarpOrder,
        mut site: impl FnMut(&At) -> u32,
    ) -> Option<UnorderedExpect> {
        let object = self.objects.entry(address).or_default();
        match signal {
            Signal::Arrives { at, lane, .. } | Signal::Tracks { at, lane, .. }
                if IS_WHOLE && at.launch.code.bulk_copies =>
            {
                let view = warp.told(at.block, at.warp, *lane);
                object.expected.arrive(warp.operation(at, *lane, site(at)), &view);
            }
            Signal::Completes if IS_WHOLE => object.expected.complete(),
            _ => {}
        }
        match signal {
            Signal::Arrives { at, lane, semantics } => {
                if semantics.releases() {
                    let reach = Reach::in_launch(at.launch, semantics.scope, at.block, site(at));
                    object.gather_within(at.launch, reach, Rc::new(warp.hand_over(at.block, at.warp, *lane)));
                } else {
                    warp.patterns()[*lane].fences.iter().for_each(|(_, fenced)| object.gather(fenced));
                }
            }
            Signal::Completes => {
                let gathered = std::mem::take(&mut object.gathered);
                object.complete = joined(&object.complete, &gathered);
                let [current, complete] = &mut object.narrow;
                current.drain(..).for_each(|released| add(complete, released));
            }
            Signal::Passes { at, lane, semantics } => {
                let reach = Reach::in_launch(at.launch, semantics.scope, at.block, site(at));
                let mut complete = object.complete.clone();
                let [_, narrow] = &object.narrow;
                for (theirs, view) in narrow {
                    if theirs.meets(reach) {
                        complete = joined(&complete, view);
                    } else if semantics.acquires() {
                        let narrow = TooNarrow { release: Some(theirs.site), sees: None, fence: None };
                        warp.set_view(*lane, View::with_denied(&warp.views()[*lane], narrow, view));
                    }
                }
                let complete = SyncVar::new(reach, 8, vec![(reach, complete)]);
                warp.observe(*lane, None, &complete, *semantics, reach);
                return object.expected.take_unordered().filter(|_| IS_WHOLE);
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
        None
    }
}
