//! Accesses that are not the immediate successor of the last write in the coherence order, under a schedule that makes
//! some: stores at earlier positions, and atomic operations that find an older value.

use super::{BlockState, Checker, WarpState};
use crate::access::warp_access::WarpAccess;
use crate::findings::values::AccessValues;
use crate::order::release::Reach;
use crate::sites::touched::RecordedKind;
use machine::exec::atomic::Atomic;
use machine::exec::memory::StoreOp;
use machine::registers::{Mask, Registers, lanes};
use machine::watch::Touch;

impl Checker<'_> {
    /// Records the writes of an access, if loads may get older values. `updates` is true for atomic operations.
    pub(super) fn note_writes(
        &mut self,
        touch: &Touch,
        clock: u32,
        block: &mut BlockState,
        warp: &WarpState,
        updates: bool,
    ) {
        let Some(delays) = &mut self.delays else { return };
        let BlockState { undefined, histories, .. } = block;
        let bits =
            |skip| self.state.undefined().memory_bits(touch, undefined, &warp.undefined, skip, touch.bytes.min(8));
        delays.note_writes(touch, clock, histories, updates, &self.releases, bits);
    }

    /// Checks and records the stores that take earlier positions in the coherence order. Returns their lanes.
    pub(super) fn check_reordered_stores(
        &mut self,
        touch: &Touch,
        store: &StoreOp,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) -> Mask {
        let Some(back) = self.delays.as_ref().and_then(|delays| delays.stores_behind()) else { return 0 };
        let reordered = lanes(touch.mask).filter(|&lane| back[lane] != 0).map(|lane| 1 << lane).sum();
        let touch = &Touch { mask: reordered, ..*touch };
        let clock = warp.order.clock();
        self.check_races(&WarpAccess::of(touch, RecordedKind::Write), block, warp, AccessValues::store(store, regs));
        let WarpState { undefined, order, trace, .. } = warp;
        let released = order.released_behind(touch, || trace.site(&mut self.trace.sites, &touch.at));
        let bits = |lane| undefined.registers.get(regs, store.src[0], lane) & (u64::MAX >> (64 - 8 * touch.bytes));
        if let Some(delays) = &mut self.delays {
            delays.put_behind(touch, clock, released, bits, &mut block.histories);
        }
        reordered
    }

    /// Checks and records the atomic operations that find an older value. Returns their lanes, and those lanes whose
    /// compare-and-swap fails.
    pub(super) fn check_reordered_updates(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) -> (Mask, Mask) {
        let Some(late) = self.delays.as_ref().and_then(|delays| delays.late()) else { return (0, 0) };
        let touch = &Touch { mask: touch.mask & late.mask(), ..*touch };
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        let reach = Reach::in_launch(touch.at.launch, touch.semantics.scope, touch.at.block, site);
        if let Some(delays) = &self.delays {
            delays.observe_late(touch, atomic, &late, reach, &block.histories, &mut warp.order);
        }
        let clock = warp.order.clock();
        let kind = if atomic.looked_at { RecordedKind::Atomic } else { RecordedKind::Write };
        let access = WarpAccess { fails: late.fails, ..WarpAccess::of(touch, kind) };
        self.check_races(&access, block, warp, AccessValues::atomic(atomic, regs));
        if let Some(delays) = &mut self.delays {
            let (histories, order) = (&mut block.histories, &mut warp.order);
            delays.put_late(touch, &late, (reach, clock), histories, order, &mut self.releases);
        }
        (touch.mask, late.fails)
    }
}
