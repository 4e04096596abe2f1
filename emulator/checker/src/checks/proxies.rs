//! Accesses through other proxies than the generic one, and writes that are ordered before them with no proxy fence
//! between. What is not ordered at all is a plain race, and found as such.

use super::races::COMPARISONS_PER_FUEL;
use super::{BlockState, Checker, WarpState, burn_for_views};
use crate::access::actor::{AccessManner, Actor, Current};
use crate::access::race::{MissingProxyFence, Race};
use crate::access::warp_access::WarpAccess;
use crate::evidence::apart::Between;
use crate::findings::race::Conflict;
use crate::findings::values::{AccessAction, AccessValues};
use crate::order::bulk::is_bulk;
use crate::order::clock::View;
use crate::order::locations::SyncAccess;
use crate::order::maps::MapOrder;
use crate::order::products::is_product;
use crate::rule::RaceChecker;
use crate::sites::touched::RecordedKind;
use finding::{AccessKind, MapFences};
use machine::exec::Op;
use machine::exec::barrier::Fence;
use machine::exec::bulk_copy::UNIT;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP};
use machine::watch::{At, Events, Touch};
use std::rc::Rc;

/// The proxy of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proxy {
    Async,
    /// The tensormap proxy, for the map at an address.
    Map(u64),
}

impl Proxy {
    /// Returns the part of a thread's view that fences have covered for this proxy.
    fn covered(self, view: &View, space: Space) -> Option<&Rc<View>> {
        match self {
            Proxy::Async => view.proxied(space),
            Proxy::Map(map) => view.maps().and_then(|maps| maps.acquired(map)),
        }
    }

    /// Returns the fences that are missing, if release fences have covered the write or not.
    fn missing(self, view: &View, is_released: bool) -> MissingProxyFence {
        let Proxy::Map(map) = self else { return MissingProxyFence::Async };
        let is_acquired = view.maps().is_some_and(|maps| maps.acquired(map).is_some());
        MissingProxyFence::Map(match (is_released, is_acquired) {
            (true, _) => MapFences::Acquire,
            (false, true) => MapFences::Release,
            (false, false) => MapFences::Both,
        })
    }
}

impl Checker<'_> {
    /// Checks what a bulk copy or a product is about to access for writes by ordinary accesses.
    pub(super) fn check_proxies(
        &mut self,
        touch: &Touch,
        block: &mut BlockState,
        warp: &WarpState,
        values: AccessValues,
    ) {
        self.check_proxy(Proxy::Async, touch, block, warp, values);
    }

    fn check_proxy(
        &mut self,
        proxy: Proxy,
        touch: &Touch,
        block: &mut BlockState,
        warp: &WarpState,
        values: AccessValues,
    ) {
        let (Some(region), 0, true) = (touch.region, warp.astray, self.races.judges(touch)) else { return };
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        let Checker { state, findings, races, trace, .. } = self;
        let (memory, era, past) = match touch.space {
            Space::Shared => {
                let era = block.memory.era;
                (&mut block.memory, era, None)
            }
            _ => {
                let (memory, past, _) = state.memory(region.base());
                (memory, self.number, Some(past))
            }
        };
        let lane = touch.mask.trailing_zeros() as usize;
        let nothing = Rc::default();
        let views_of = |part: &dyn for<'v> Fn(&'v View) -> Option<&'v Rc<View>>| -> Vec<Rc<View>> {
            warp.order.views().iter().map(|view| part(view).unwrap_or(&nothing).clone()).collect()
        };
        let covered = views_of(&|view| proxy.covered(view, touch.space));
        let released = match proxy {
            Proxy::Async => covered.clone(),
            Proxy::Map(_) => views_of(&|view| view.maps().and_then(MapOrder::released)),
        };
        let manner = || AccessManner {
            kind: RecordedKind::Read,
            fails: 0,
            out_of_turn: None,
            may_use_fast_paths: false,
            hints: false,
        };
        let new_actor = || Actor::new(&touch.at, (site, &trace.sites), &warp.order, past, manner());
        let (plain, actor, releasing) = (new_actor(), new_actor().by_proxy(&covered), new_actor().by_proxy(&released));
        let [now, when_released] = [&plain, &releasing].map(|actor| Current { actor, lane: lane as u32 });
        let mut checker = races.of_region(memory, region.base(), era);
        let access = WarpAccess::of(touch, RecordedKind::Read);
        let launch = touch.at.launch;
        access.for_each_word(&actor, region.base(), |current, _, word, new| {
            checker.judge_read(current, word, new, &mut |race| {
                let is_ordinary = race.launch.is_none()
                    && !is_bulk(launch, race.first)
                    && !is_product(launch, race.first)
                    && now.ordered(race.first);
                if is_ordinary {
                    let missing = proxy.missing(now.view(), when_released.ordered(race.first));
                    let race = Race { proxy: Some(missing), ..Race::of(race.first, race.second) };
                    let sites = &trace.sites;
                    let conflict =
                        Conflict { sites, touch, values: &values, race, word, lane, earlier: None, overlap: None };
                    findings.race(conflict, &Between::default);
                }
            });
        });
        let burnt = races.take_looks() / COMPARISONS_PER_FUEL;
        if burnt != 0 {
            launch.tree.burn(burnt);
        }
    }

    /// Checks and records an access of a tensor map: a write, or the read for a copy.
    pub(super) fn check_map(&mut self, touch: &Touch, writes: bool, block: &mut BlockState, warp: &mut WarpState) {
        let (kind, done, access_kind) = match writes {
            true => (RecordedKind::Write, AccessAction::Store, AccessKind::Store),
            false => (RecordedKind::Read, AccessAction::Load, AccessKind::Load),
        };
        let values = AccessValues::without(done);
        if writes {
            self.check_constant_write(touch, access_kind, warp, values);
        }
        let is_copied = matches!(touch.at.launch.code.instrs[touch.at.pc as usize].op, Op::Bulk(_));
        let map = touch.addresses[touch.mask.trailing_zeros() as usize % WARP];
        for skip in (0..u64::from(touch.bytes)).step_by(UNIT as usize) {
            let addresses = [map + skip; WARP];
            let piece = &Touch { addresses: &addresses, bytes: UNIT as u32, ..*touch };
            // An acquire fence is for a map in global memory, and copies take none from elsewhere.
            if !writes && is_copied && touch.space == Space::Global {
                self.check_proxy(Proxy::Map(map), piece, block, warp, values);
            }
            self.check_races(&WarpAccess::of(piece, kind), block, warp, values);
            if writes {
                self.overwrite_objects(piece, block, warp);
                self.synchronise(SyncAccess::write(piece), warp);
            }
        }
    }

    /// Handles a fence for tensor maps. It is an ordinary fence as well: by the ISA ("membar/fence") a release fence
    /// can form a release sequence that synchronises with an acquire sequence.
    pub(super) fn pass_map_fence(
        &mut self,
        at: &At,
        fence: &Fence,
        maps: Option<&[u64; WARP]>,
        block: &mut BlockState,
        warp: &mut WarpState,
        mask: Mask,
    ) {
        match maps {
            None => {
                // `tensormap.cp_fenceproxy`: all lanes come after the copy.
                if let Op::Warp(op) = &at.launch.code.instrs[at.pc as usize].op {
                    warp.order.meet(at, op, mask);
                }
                warp.order.release_maps(at, mask);
                self.fence(at, fence, block, warp, mask);
            }
            Some(maps) => {
                self.fence(at, fence, block, warp, mask);
                warp.order.acquire_maps(maps, mask);
            }
        }
        burn_for_views(at.launch);
    }
}
