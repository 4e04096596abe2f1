//! Bulk copies: the accesses of both sides, judged when a copy starts, for whenever its bytes move.

use super::{BlockState, Checker, WarpState};
use crate::access::warp_access::WarpAccess;
use crate::findings::values::{AccessAction, AccessValues};
use crate::order::bulk::Agent;
use crate::order::locations::SyncAccess;
use crate::sites::touched::RecordedKind;
use finding::AccessKind;
use machine::exec::bulk_copy::UNIT;
use machine::exec::memory::{Ordering, Scope, Semantics};
use machine::memory::Region;
use machine::memory::space::Space;
use machine::registers::WARP;
use machine::watch::{CopyBlocks, StartedBulk, Touch};
use std::rc::Rc;

/// One side of a bulk copy.
struct CopySide<'a> {
    region: Option<&'a Region>,
    space: Space,
    writes: bool,
    agent: Agent,
}

impl Checker<'_> {
    /// Checks and records the accesses of a bulk copy when a lane starts it.
    pub(super) fn check_bulk(
        &mut self,
        start: &StartedBulk,
        blocks: &mut CopyBlocks<BlockState>,
        warp: &mut WarpState,
    ) {
        let StartedBulk { at, lane, copy, from, to, values, regs } = *start;
        let (view, of_group) = (&warp.order.views()[lane], copy.object.is_none());
        let agents = blocks.own.order.bulk().begin(&at, lane, copy.number, view, of_group);
        if let (Some(_), Some((space, _))) = (from, copy.from) {
            let side = CopySide { region: from, space, writes: false, agent: agents[0] };
            self.check_side(start, &side, blocks.own, warp);
        }
        if to.is_some() {
            let side = CopySide { region: to, space: copy.to.0, writes: true, agent: agents[1] };
            self.check_side(start, &side, blocks.target(), warp);
        }
        if copy.from.is_none() {
            blocks.own.undefined.store_async(copy.number, values, regs, lane, &warp.undefined.registers);
        }
        let site = warp.trace.site(&mut self.trace.sites, &at);
        let view = Rc::new(warp.order.hand_over(at.block, at.warp, lane));
        blocks.own.order.bulk().starts(copy.number, lane, agents, view, site);
    }

    fn check_side(&mut self, start: &StartedBulk, side: &CopySide, block: &mut BlockState, warp: &mut WarpState) {
        let copy = start.copy;
        let element = if side.writes { copy.reduction.map(|(_, ty)| ty.bytes()) } else { None };
        let least = copy.tensor.as_ref().map_or(1, |tensor| tensor.element);
        let is_copied = |skip: &u32| copy.byte_mask == u16::MAX || copy.byte_mask >> (skip % UNIT as u32) & 1 != 0;
        for segment in copy.segments() {
            let bytes = match element {
                Some(bytes) => bytes,
                None if copy.from.is_none() => segment.bytes,
                None if copy.byte_mask == u16::MAX && segment.bytes.is_multiple_of(UNIT as u32) => UNIT as u32,
                None => least,
            };
            let Some(address) = (if side.writes { Some(segment.to) } else { segment.from }) else { continue };
            for skip in (0..segment.bytes).step_by(bytes as usize).filter(is_copied) {
                let addresses = [address + u64::from(skip); WARP];
                let touch = Touch {
                    at: start.at,
                    space: side.space,
                    region: side.region,
                    addresses: &addresses,
                    mask: 1 << start.lane,
                    bytes,
                    elements: 1,
                    semantics: if element.is_some() { REDUCES } else { Semantics::WEAK },
                    owner: if side.writes { copy.owner } else { start.at.block },
                };
                self.check_piece(&touch, side, copy.from.is_some(), block, warp);
            }
        }
    }

    /// Checks one piece; by the asynchronous proxy, unless an asynchronous store writes it.
    fn check_piece(
        &mut self,
        touch: &Touch,
        side: &CopySide,
        by_proxy: bool,
        block: &mut BlockState,
        warp: &mut WarpState,
    ) {
        let (kind, done) = match side.writes {
            true => (RecordedKind::Write, AccessAction::CopyTo),
            false => (RecordedKind::Read, AccessAction::CopyFrom),
        };
        let values = AccessValues::without(done);
        if side.writes {
            self.check_constant_write(touch, AccessKind::AsyncCopy, warp, values);
        }
        warp.order.begin_bulk(side.agent);
        if touch.space == Space::Shared {
            self.check_lifetime(touch, AccessKind::AsyncCopy, block, warp);
        }
        if by_proxy {
            self.check_proxies(touch, block, warp, values);
        }
        self.check_races(&WarpAccess::of(touch, kind), block, warp, values);
        if side.writes {
            self.overwrite_objects(touch, block, warp);
            self.synchronise(SyncAccess::write(touch), warp);
        }
        warp.order.end_bulk();
    }
}

/// The semantics of each update of `cp.reduce.async.bulk`.
const REDUCES: Semantics = Semantics { ordering: Ordering::Relaxed, scope: Scope::Device, volatile: false };
