//! The releases of locations, and the effect of accesses on them (see [`super::release`]).

use crate::order::release::{Location, Reach, ReleasedView, SyncVar};
use crate::order::warp::{Knows, WarpOrder};
use crate::sites::touched::RecordedKind;
use machine::lanes::at_one;
use machine::registers::{Mask, lanes};
use machine::watch::Touch;
use rustc_hash::FxHashMap;

/// The releases of a location after the write of one lane, and before that of the next lane of its instruction: lane,
/// address, releases.
pub type WriteReleases = (usize, u64, SyncVar);

/// The aspects of an access that concern release and acquire.
#[derive(Clone, Copy)]
pub struct SyncAccess<'a> {
    pub touch: &'a Touch<'a>,
    pub kind: RecordedKind,
    /// True if it observes the value that it finds.
    pub observes: bool,
    /// The lanes whose compare-and-exchange fails: they only read.
    pub failed: Mask,
    /// True if lanes with the same state may observe a location together. The checker sets it once for all accesses.
    pub may_be_short: bool,
}

/// The last observation of a location by a lane of an access: the location, the lane, and its state before.
struct LastLook {
    place: Location,
    lane: usize,
    knew: Knows,
}

impl<'a> SyncAccess<'a> {
    #[inline(always)]
    pub fn read(touch: &'a Touch<'a>) -> SyncAccess<'a> {
        SyncAccess { touch, kind: RecordedKind::Read, observes: true, failed: 0, may_be_short: false }
    }

    #[inline(always)]
    pub fn write(touch: &'a Touch<'a>) -> SyncAccess<'a> {
        SyncAccess { touch, kind: RecordedKind::Write, observes: false, failed: 0, may_be_short: false }
    }
}

/// The releases of locations, by block (shared memory; `None`: global) and address.
#[derive(Debug, Default)]
pub struct Releases {
    places: FxHashMap<Location, SyncVar>,
}

impl Releases {
    /// True if nothing has been released anywhere.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn get(&self, place: Location) -> Option<&SyncVar> {
        self.places.get(&place)
    }

    /// Adds the releases of an update at an earlier position in the coherence order, which the latest write hands on.
    pub fn hand_on(&mut self, place: Location, bytes: u32, released: &[ReleasedView]) {
        self.places.entry(place).or_default().hand_on(bytes, released);
    }

    /// Acquires for an update before it is judged, since an acquiring update is judged with the view that it has then.
    pub fn acquire_first(&self, access: SyncAccess, warp: &mut WarpOrder, site: impl FnOnce() -> u32) {
        let SyncAccess { touch, .. } = access;
        if !touch.semantics.acquires() || self.places.is_empty() && !warp.is_fenced() {
            return;
        }
        let tag = touch.shared_block();
        let reach = Reach::in_launch(touch.at.launch, touch.semantics.scope, touch.at.block, site());
        let mut last = None;
        for lane in lanes(touch.mask) {
            for element in 0..touch.elements {
                let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
                self.look(&access, lane, key, reach, warp, &mut last);
            }
        }
    }

    /// Handles a strong read of a location. `last` is the last observation there since the last write.
    #[inline(always)]
    fn look(
        &self,
        access: &SyncAccess,
        lane: usize,
        place: Location,
        reach: Reach,
        warp: &mut WarpOrder,
        last: &mut Option<LastLook>,
    ) {
        if let Some(last) = last
            && last.place == place
            && warp.knows_as_much(lane, &last.knew)
        {
            return warp.looks_as(lane, last.lane);
        }
        let goes_with_others = access.may_be_short && !access.touch.mask.is_power_of_two();
        *last = if goes_with_others { warp.knows(lane).map(|knew| LastLook { place, lane, knew }) } else { None };
        self.look_alone(access.touch, lane, place, reach, warp);
        if !warp.patterns()[lane].told.is_empty() {
            *last = None;
        }
    }

    fn look_alone(&self, touch: &Touch, lane: usize, place: Location, reach: Reach, warp: &mut WarpOrder) {
        let semantics = touch.semantics;
        if let Some(var) = self.places.get(&place).filter(|var| var.is_for(touch.bytes)) {
            warp.observe(lane, Some(place), var, semantics, reach);
        }
        if semantics.acquires() && !warp.patterns()[lane].pending.is_empty() {
            warp.acquire(lane, Some(place), reach);
        }
    }

    /// Updates the releases of locations after strong accesses and plain writes, and acquires for those that observe.
    /// If lanes write to one location, `wrote` gets its releases between their writes.
    pub fn synchronise(
        &mut self,
        access: SyncAccess,
        warp: &mut WarpOrder,
        site: impl FnOnce() -> u32,
        mut wrote: Option<&mut Vec<WriteReleases>>,
    ) {
        let SyncAccess { touch, kind, observes, failed, .. } = access;
        let semantics = touch.semantics;
        let tag = touch.shared_block();
        if !semantics.is_strong() {
            // A plain write removes what was released there before.
            if kind == RecordedKind::Write && !self.places.is_empty() {
                for lane in lanes(touch.mask) {
                    self.places.remove(&(tag, touch.addresses[lane]));
                }
            }
            return;
        }
        if self.places.is_empty() && !semantics.releases() && !warp.is_fenced() {
            // There are no releases, and these lanes add none.
            return;
        }
        let reach = Reach::in_launch(touch.at.launch, semantics.scope, touch.at.block, site());
        let (mut released_something, mut last) = (false, None);
        // Each element of a vector is a separate location.
        let places = lanes(touch.mask).flat_map(|lane| (0..touch.elements).map(move |element| (lane, element)));
        for (lane, element) in places {
            let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
            if observes {
                self.look(&access, lane, key, reach, warp, &mut last);
            }
            if kind == RecordedKind::Read || failed >> lane & 1 != 0 {
                continue;
            }
            released_something |= semantics.releases();
            last = None;
            let released = warp.releases(touch, lane, key, reach);
            match kind {
                RecordedKind::Atomic if !released.is_empty() => {
                    self.places.entry(key).or_default().update(reach, touch.bytes, &released)
                }
                RecordedKind::Atomic => {
                    if let Some(var) = self.places.get_mut(&key) {
                        var.update(reach, touch.bytes, &released);
                    }
                }
                _ if released.is_empty() => drop(self.places.remove(&key)),
                _ => drop(self.places.insert(key, SyncVar::new(reach, touch.bytes, released))),
            }
            let others = at_one(touch.addresses, touch.addresses[lane]) & touch.mask & !failed;
            if let Some(wrote) = &mut wrote
                && others > 1 << lane
            {
                wrote.push((lane, key.1, self.places.get(&key).cloned().unwrap_or_default()));
            }
        }
        if released_something {
            warp.step();
        }
    }
}
