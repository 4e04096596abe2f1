//! One memory access of a warp: judged, recorded, and its undefined bits looked up or set.

use super::cells::Kind;
use super::clock::joined;
use super::describe::Values;
use super::race::{self, Current};
use super::sync::{self, Reach, Released};
use super::{BlockState, Full, WarpState};
use crate::memory::space::Space;
use crate::registers::{Mask, WARP, lanes};
use crate::watch::Touch;
use std::rc::Rc;

impl Full<'_> {
    /// Judges and records what every lane is about to do.
    pub(super) fn race(
        &mut self,
        touch: &Touch,
        kind: Kind,
        block: &mut BlockState,
        warp: &WarpState,
        values: Values,
        bytes: u32,
    ) {
        let (Some(region), true) = (touch.region, self.races) else { return };
        let launch = touch.at.launch;
        let scope = touch.semantics.is_strong().then_some(touch.semantics.scope);
        let number = (touch.at.block * u64::from(self.warps_per_block)) as u32 + touch.at.warp;
        let Full { state, side, findings, .. } = self;
        let (memory, past) = match touch.space {
            Space::Shared => (&mut block.memory, None),
            Space::Global => {
                let (memory, past) = state.memory(region.base());
                (memory, Some(past))
            }
            _ => return,
        };
        let base = region.base();
        for lane in lanes(touch.mask) {
            let current = Current {
                at: &touch.at,
                warp: number,
                lane: lane as u32,
                clock: warp.clock,
                view: &warp.views[lane],
                denied: warp.patterns[lane].denied.as_deref(),
                warps_per_block: self.warps_per_block,
                past,
            };
            let offset = touch.addresses[lane] - base;
            // Elements of a vector are accesses of their own; plain ones may be judged as one.
            let (count, size) = if scope.is_some() { (touch.elements, bytes) } else { (1, bytes * touch.elements) };
            for element in 0..count {
                let offset = offset + u64::from(bytes * element);
                race::access(memory, side, self.number, &current, offset, size, kind, scope, &mut |race, word| {
                    let earlier = race.launch.and_then(|number| past?.record(number));
                    findings.race(launch, touch, &values, race, word, lane, earlier);
                });
            }
        }
    }

    /// What strong accesses and plain writes do to a location's release. Lanes in `failed`
    /// compare and do not exchange: they only read.
    pub(super) fn synchronise(&mut self, touch: &Touch, kind: Kind, failed: Mask, warp: &mut WarpState) {
        let semantics = touch.semantics;
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        if !semantics.is_strong() {
            // A plain write hides what was released there before.
            if kind == Kind::Write && !self.sync.is_empty() {
                for lane in lanes(touch.mask) {
                    self.sync.remove(&(tag, touch.addresses[lane]));
                }
            }
            return;
        }
        let reach = Reach::new(semantics.scope, touch.at.block);
        let mut released_something = false;
        // Elements of a vector are locations of their own.
        let places = lanes(touch.mask).flat_map(|lane| (0..touch.elements).map(move |element| (lane, element)));
        for (lane, element) in places {
            let key = (tag, touch.addresses[lane] + u64::from(touch.bytes * element));
            if kind != Kind::Write
                && let Some(var) = self.sync.get(&key)
            {
                for released in var.entries() {
                    let (theirs, view) = released;
                    if !theirs.meets(reach) {
                        sync::deny(&mut warp.patterns[lane].denied, Some(view));
                    } else if semantics.acquires() {
                        warp.views[lane] = joined(&warp.views[lane], view);
                    } else {
                        warp.patterns[lane].observe(released);
                    }
                }
            }
            if kind == Kind::Read || failed >> lane & 1 != 0 {
                continue;
            }
            let released: Option<Released> = if semantics.releases() {
                released_something = true;
                let mut view = (*warp.views[lane]).clone();
                view.raise(touch.at.block, touch.at.warp, 1 << lane, warp.clock);
                Some((reach, Rc::new(view)))
            } else {
                let fence = &warp.patterns[lane].fence;
                fence.as_ref().map(|(fenced, view)| (fenced.narrowed(semantics.scope), view.clone()))
            };
            let thread = (touch.at.block, touch.at.warp, lane as u32);
            if kind == Kind::Write {
                let own = self.sync.get(&key).and_then(|var| var.own(thread, semantics.scope));
                match (&released, &own) {
                    (None, None) => drop(self.sync.remove(&key)),
                    _ => self.sync.entry(key).or_default().replace(released.iter().chain(&own)),
                }
            } else if let Some(released) = &released {
                self.sync.entry(key).or_default().chain(released);
            }
            if let (true, Some(released)) = (semantics.releases(), released) {
                self.sync.entry(key).or_default().releaser = Some((thread, released));
            }
        }
        if released_something {
            warp.clock += 1;
        }
    }

    /// Undefined bits of memory that the lanes are about to read.
    pub(super) fn memory_bits(
        &self,
        touch: &Touch,
        block: &BlockState,
        warp: &WarpState,
        skip: u64,
        bytes: u32,
    ) -> [u64; WARP] {
        let mut undefined = [0; WARP];
        let bits = match (touch.space, touch.region) {
            (Space::Shared, _) => block.bits.as_ref().map(|bits| (bits, 0)),
            (Space::Global, Some(region)) => self.state.bits.get(region.base()).map(|bits| (bits, region.base())),
            (Space::Local, _) => {
                for lane in lanes(touch.mask) {
                    let (local, address) = (&warp.locals[lane], (touch.addresses[lane] + skip) as usize);
                    undefined[lane] = (0..bytes as usize).fold(0, |value, byte| {
                        let undefined = local.get(address.wrapping_add(byte)).copied().unwrap_or(0xff);
                        value | u64::from(undefined) << (8 * byte)
                    });
                }
                None
            }
            _ => None,
        };
        if let Some((bits, base)) = bits {
            for lane in lanes(touch.mask) {
                undefined[lane] = bits.get(touch.addresses[lane] + skip - base, bytes);
            }
        }
        undefined
    }

    #[expect(clippy::too_many_arguments, reason = "one place, all its sides")]
    pub(super) fn set_memory_bits(
        &mut self,
        touch: &Touch,
        block: &mut BlockState,
        warp: &mut WarpState,
        lane: usize,
        skip: u64,
        bytes: u32,
        undefined: u64,
    ) {
        let address = touch.addresses[lane] + skip;
        match (touch.space, touch.region) {
            (Space::Shared, _) => {
                if let Some(bits) = &mut block.bits {
                    bits.set(address, bytes, undefined);
                }
            }
            (Space::Global, Some(region)) => {
                if let Some(bits) = self.state.bits.get_mut(region.base()) {
                    bits.set(address - region.base(), bytes, undefined);
                }
            }
            (Space::Local, _) => {
                let local = &mut warp.locals[lane];
                let end = (address as usize).saturating_add(bytes as usize);
                // An address outside is the machine's to report; nothing is written there.
                if end > 1 << 24 {
                    return;
                }
                if local.len() < end {
                    local.resize(end, 0xff);
                }
                for byte in 0..bytes as usize {
                    local[address as usize + byte] = (undefined >> (8 * byte)) as u8;
                }
            }
            _ => {}
        }
    }
}
