//! What locations have released, and what accesses of them do to that (see [`super::release`]).

use crate::order::release::{Location, Reach, Released, SyncVar};
use crate::order::warp::{Knows, WarpOrder};
use crate::sites::touched::TouchKind;
use machine::lanes::at_one;
use machine::memory::space::Space;
use machine::registers::{Mask, lanes};
use machine::watch::Touch;
use rustc_hash::FxHashMap;

/// What a place has released once a lane has written there, and before others of its instruction's lanes do.
pub type Wrote = (usize, u64, SyncVar);

/// An access, as far as it releases or acquires.
#[derive(Clone, Copy)]
pub struct SyncAccess<'a> {
    pub touch: &'a Touch<'a>,
    pub kind: TouchKind,
    /// What it finds counts as observed.
    pub observes: bool,
    /// Lanes that compare and do not exchange: they only read.
    pub failed: Mask,
    /// Lanes that know the same may look at a place as one. The checker says so, once for all accesses.
    pub may_be_short: bool,
}

/// The last look of a touch's lanes at what a place has released: where it was, who looked, and what that one knew before.
struct Looked {
    place: Location,
    lane: usize,
    knew: Knows,
}

impl<'a> SyncAccess<'a> {
    #[inline(always)]
    pub fn read(touch: &'a Touch<'a>) -> SyncAccess<'a> {
        SyncAccess { touch, kind: TouchKind::Read, observes: true, failed: 0, may_be_short: false }
    }

    #[inline(always)]
    pub fn write(touch: &'a Touch<'a>) -> SyncAccess<'a> {
        SyncAccess { touch, kind: TouchKind::Write, observes: false, failed: 0, may_be_short: false }
    }
}

/// Sync variables by block (shared memory; `None`: global) and address.
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

    /// An update that came in behind the latest write has released this, and that write hands it on.
    pub fn hand_on(&mut self, place: Location, bytes: u32, released: &[Released]) {
        self.places.entry(place).or_default().hand_on(bytes, released);
    }

    /// An acquiring update is judged by what it knows once it has acquired.
    pub fn acquire_first(&self, access: SyncAccess, warp: &mut WarpOrder, site: impl FnOnce() -> u32) {
        let SyncAccess { touch, .. } = access;
        if !touch.semantics.acquires() || self.places.is_empty() && !warp.is_fenced() {
            return;
        }
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let reach = Reach::new(touch.semantics.scope, touch.at.block, site());
        let mut last = None;
        for lane in lanes(touch.mask) {
            for element in 0..touch.elements {
                let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
                self.look(&access, lane, key, reach, warp, &mut last);
            }
        }
    }

    /// A strong read finds what was released at a place. `last` is the last look there since somebody has written.
    #[inline(always)]
    fn look(
        &self,
        access: &SyncAccess,
        lane: usize,
        place: Location,
        reach: Reach,
        warp: &mut WarpOrder,
        last: &mut Option<Looked>,
    ) {
        if let Some(last) = last
            && last.place == place
            && warp.knows_as_much(lane, &last.knew)
        {
            return warp.looks_as(lane, last.lane);
        }
        let goes_with_others = access.may_be_short && !access.touch.mask.is_power_of_two();
        *last = if goes_with_others { warp.knows(lane).map(|knew| Looked { place, lane, knew }) } else { None };
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

    /// What strong accesses and plain writes do to a location's release, and what those that observe learn from it.
    /// For lanes that write to one place `wrote` gets what it has released between them.
    pub fn synchronise(
        &mut self,
        access: SyncAccess,
        warp: &mut WarpOrder,
        site: impl FnOnce() -> u32,
        mut wrote: Option<&mut Vec<Wrote>>,
    ) {
        let SyncAccess { touch, kind, observes, failed, .. } = access;
        let semantics = touch.semantics;
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        if !semantics.is_strong() {
            // A plain write hides what was released there before.
            if kind == TouchKind::Write && !self.places.is_empty() {
                for lane in lanes(touch.mask) {
                    self.places.remove(&(tag, touch.addresses[lane]));
                }
            }
            return;
        }
        if self.places.is_empty() && !semantics.releases() && !warp.is_fenced() {
            // Nobody has released anything, and these lanes do not.
            return;
        }
        let reach = Reach::new(semantics.scope, touch.at.block, site());
        let (mut released_something, mut last) = (false, None);
        // Elements of a vector are locations of their own.
        let places = lanes(touch.mask).flat_map(|lane| (0..touch.elements).map(move |element| (lane, element)));
        for (lane, element) in places {
            let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
            if observes {
                self.look(&access, lane, key, reach, warp, &mut last);
            }
            if kind == TouchKind::Read || failed >> lane & 1 != 0 {
                continue;
            }
            released_something |= semantics.releases();
            last = None;
            let released = warp.releases(touch, lane, key, reach);
            match kind {
                TouchKind::Atomic if !released.is_empty() => {
                    self.places.entry(key).or_default().update(reach, touch.bytes, &released)
                }
                TouchKind::Atomic => {
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
