//! Atomic operations that find an older value (see [`crate::delays::history`]): the writes that they may find, and what
//! they then observe and release (PTX ISA, "Memory Consistency Model": the axiom Atomicity).
//!
//! An atomic operation writes directly after the write that it finds. So it may find the same values as a load if the
//! next write is a store, which comes after both. Before another update, which has read the same value, it fits only if
//! it leaves the value as it is. That other update has then observed it, and may have acquired long ago what this one
//! releases. So it must release nothing, unless that can make no difference any more ([`crate::delays::followers`]). A
//! compare-and-swap that fails is a read.
//!
//! Imprecision errs towards newer values: in addition to the cases in [`crate::delays::history`], lanes that access one
//! address together, vectors, and values with undefined bits find the latest.

use crate::delays::history::Histories;
use crate::delays::loads::{Delays, step};
use crate::order::locations::Releases;
use crate::order::release::Reach;
use crate::order::warp::WarpOrder;
use crate::sites::touched::Clock;
use machine::exec::atomic::Atomic;
use machine::lanes::at_one;
use machine::registers::lanes;
use machine::watch::{Late, Room, Touch};

impl Delays {
    /// Returns the values that each lane's atomic operation may find; `None` if all find the latest value.
    pub fn may_find(&self, touch: &Touch, atomic: &Atomic, block: &Histories, warp: &WarpOrder) -> Option<Box<Room>> {
        let histories = self.histories_of(touch, block).filter(|_| touch.elements == 1 && touch.bytes <= 8)?;
        let tag = touch.shared_block();
        let mut findable: Option<Box<Room>> = None;
        for lane in lanes(touch.mask) {
            let (address, view) = (touch.addresses[lane], &warp.views()[lane]);
            let by = step(touch, lane, warp.clock());
            let most = histories.furthest_back(address, touch.bytes, by, view);
            if most == 0 || at_one(touch.addresses, address) & touch.mask != 1 << lane {
                continue;
            }
            let is_defined = |back: &u32| histories.older(address, *back).is_some_and(|(_, undefined)| undefined == 0);
            let defined: u8 = (1..=most).filter(is_defined).map(|back| 1 << back).sum();
            let writes = histories.behind(address, touch.bytes, by, view) & defined;
            let own = touch
                .semantics
                .releases()
                .then(|| Reach::in_launch(touch.at.launch, touch.semantics.scope, touch.at.block, 0));
            let releases = own.into_iter().chain(warp.patterns()[lane].reaches((tag, address)));
            // The widest reaches whomever the others do.
            let release = releases.max_by_key(|release| release.wide);
            let followers = release.map(|release| (&self.followers, release));
            let between = histories.between(address, touch.bytes, (by, view), followers) & defined;
            // If nothing uses the result, it may as well be the latest value.
            let (reads, keeps) = if atomic.looked_at { (defined, writes | between) } else { (writes, writes) };
            let of_lane = findable.get_or_insert_with(|| Box::new(Room::NONE));
            (of_lane.reads[lane], of_lane.keeps[lane], of_lane.writes[lane]) = (reads, keeps, writes);
        }
        findable
    }

    /// Records that the lanes' atomic operations observe the older values that they find.
    pub fn observe_late(
        &self,
        touch: &Touch,
        atomic: &Atomic,
        late: &Late,
        reach: Reach,
        block: &Histories,
        warp: &mut WarpOrder,
    ) {
        let tag = touch.shared_block();
        for lane in lanes(touch.mask).filter(|_| atomic.dst[0].is_some()) {
            let (address, back) = (touch.addresses[lane], late.back[lane].into());
            let place = Some((tag, address));
            if let Some((released, _)) =
                self.histories_of(touch, block).and_then(|histories| histories.older(address, back))
            {
                warp.observe(lane, place, released, touch.semantics, reach);
            }
            if touch.semantics.acquires() {
                warp.acquire(lane, place, reach);
            }
        }
    }

    /// Records these atomic operations directly after the writes that they have found. They have been judged, when
    /// their warp was at `clock`.
    pub fn put_late(
        &mut self,
        touch: &Touch,
        late: &Late,
        (reach, clock): (Reach, Clock),
        block: &mut Histories,
        warp: &mut WarpOrder,
        releases: &mut Releases,
    ) {
        self.late_is_over();
        let tag = touch.shared_block();
        if touch.semantics.acquires() {
            self.acquires(&touch.at, touch.mask, touch.semantics.scope);
        }
        let now = self.followers.now();
        for lane in lanes(touch.mask) {
            let (address, back, by) = (touch.addresses[lane], late.back[lane].into(), (step(touch, lane, clock), now));
            if late.fails >> lane & 1 != 0 {
                if let Some(histories) = self.histories_of_mut(touch, block) {
                    histories.reads(address, touch.bytes, back, by);
                }
                continue;
            }
            let released = warp.releases(touch, lane, (tag, address), reach);
            let reaches_latest = self
                .histories_of_mut(touch, block)
                .is_some_and(|histories| histories.updated_behind((address, touch.bytes), back, by, reach, &released));
            if reaches_latest && !released.is_empty() {
                releases.hand_on((tag, address), touch.bytes, &released);
            }
        }
        if touch.semantics.releases() && touch.mask & !late.fails != 0 {
            warp.step();
        }
    }
}
