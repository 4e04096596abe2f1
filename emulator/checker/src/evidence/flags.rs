//! Flags between two threads that race: the store that should have been a release, or the missing barrier beside it.
//!
//! A race after such a flag is a race like any other. Only for advice, this keeps the strong stores that one thread
//! makes alone, and what each block has read last by strong reads: a flag, a counter, a lock. It errs towards silence:
//! stores by several lanes at once, and older ones than are kept, are not named.

use crate::order::clock::View;
use crate::order::release::{Location, Thread};
use crate::order::warp::WarpOrder;
use crate::sites::Sites;
use crate::sites::touched::{Clock, RecordedKind};
use machine::exec::memory::Scope;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::{At, Touch};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// The greatest number of locations, and of blocks, that are kept.
const MOST: usize = 4096;
/// The greatest number of stores of one location; below, of reads of one block.
const STORES: usize = 64;
const LOOKS: usize = 8;

/// The accesses that a store releases.
#[derive(Clone)]
pub enum StoreReleases {
    Nothing,
    /// Those that the fence at this site covers.
    Fence(u32, Rc<View>),
    /// All that happen before it.
    All,
}

/// A strong store of one thread.
pub struct FlagStore<'a> {
    pub by: Thread,
    pub clock: Clock,
    pub site: u32,
    /// The view of its thread.
    pub knew: &'a Rc<View>,
    pub releases: StoreReleases,
    /// True if it is no update, and so hides the stores before it.
    pub hides: bool,
}

struct FlagWrite {
    by: Thread,
    clock: Clock,
    knew: Rc<View>,
    site: u32,
    releases: StoreReleases,
    when: u64,
}

impl FlagWrite {
    /// True if it comes after `first`: in the same thread, or by happens-before.
    fn is_behind(&self, sites: &Sites, first: First) -> bool {
        match self.by == first.by {
            true => (self.clock, sites.pc(self.site)) > (first.clock, sites.pc(first.site)),
            false => knows(&self.knew, first.by, first.clock),
        }
    }

    /// True if it releases `first`, which it comes after.
    fn covers(&self, first: First) -> bool {
        match &self.releases {
            StoreReleases::Nothing => false,
            StoreReleases::Fence(_, view) => knows(view, first.by, first.clock),
            StoreReleases::All => true,
        }
    }

    /// True if `view` includes what it releases of its own thread.
    fn has_told(&self, view: &View) -> bool {
        let (block, warp, lane) = self.by;
        match &self.releases {
            StoreReleases::Nothing => false,
            StoreReleases::Fence(_, told) => knows(view, self.by, told.clock_of(block, warp, lane as usize)),
            StoreReleases::All => knows(view, self.by, self.clock),
        }
    }
}

fn knows(view: &View, (block, warp, lane): Thread, clock: Clock) -> bool {
    view.clock_of(block, warp, lane as usize) >= clock
}

struct AcquiredLook {
    place: Location,
    warp: u32,
    mask: Mask,
    clock: Clock,
    site: u32,
    when: u64,
    /// True if the value read is acquired: within the reading thread's block, within the device.
    acquired: [bool; 2],
}

/// A missing barrier next to a flag that is correct by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideFlag {
    /// Another thread of the first access's block has published by the store, which the read has observed, and is not
    /// ordered after the first access. `release` is its fence, or the store.
    Store { store: u32, release: u32, look: u32 },
    /// Another thread of the second access's block, or of its warp, has read the flag, and acquired.
    Look { look: u32, one_warp: bool },
}

/// A strong read of one location by lanes of a warp.
struct FlagLook {
    pub block: u64,
    pub warp: u32,
    pub mask: Mask,
    pub clock: Clock,
    pub site: u32,
    /// The scope in which it acquires, if it does.
    pub acquires: Option<Scope>,
}

/// A store of a flag that does not release the first access, and the read of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    pub site: u32,
    pub look: u32,
    /// True if the read of it acquires, or a fence follows, with a scope that includes both threads.
    pub is_acquired: bool,
}

/// The first of two accesses that race.
#[derive(Clone, Copy)]
pub struct First {
    pub by: Thread,
    pub clock: Clock,
    pub site: u32,
}

#[derive(Default)]
pub struct Flags {
    stores: FxHashMap<Location, VecDeque<FlagWrite>>,
    looks: FxHashMap<u64, VecDeque<AcquiredLook>>,
    now: u64,
}

impl Flags {
    /// Records what may be a flag: a strong store or update of one thread, and a read of one location by lanes.
    #[inline(always)]
    pub fn note(
        &mut self,
        touch: &Touch,
        kind: RecordedKind,
        failed: Mask,
        warp: &WarpOrder,
        site: impl FnOnce() -> u32,
    ) {
        let lane = touch.mask.trailing_zeros() as usize % WARP;
        let one = touch.mask.is_power_of_two();
        let last = 31 - touch.mask.leading_zeros() as usize % WARP;
        // If lanes try to take a lock together, most fail, and have read it.
        let looks = kind == RecordedKind::Read || failed != 0;
        let one_place = one || looks && touch.addresses[lane] == touch.addresses[last];
        if touch.elements != 1 || !one_place {
            return;
        }
        let At { block, warp: number, .. } = touch.at;
        let place = ((touch.space == Space::Shared).then_some(block), touch.addresses[lane]);
        let stores = kind != RecordedKind::Read && failed == 0 && one;
        if kind == RecordedKind::Write && !stores {
            return;
        }
        let site = site();
        if kind != RecordedKind::Write {
            let acquires = touch.semantics.acquires().then_some(touch.semantics.scope);
            let look = FlagLook { block, warp: number, mask: touch.mask, clock: warp.clock(), site, acquires };
            self.looked(place, look);
        }
        if stores {
            let knew = &warp.views()[lane];
            let releases = match warp.patterns()[lane].fences.last() {
                _ if touch.semantics.releases() => StoreReleases::All,
                Some((reach, view)) => StoreReleases::Fence(reach.site, view.clone()),
                None => StoreReleases::Nothing,
            };
            let (by, hides) = ((block, number, lane as u32), kind != RecordedKind::Atomic);
            self.stored(place, FlagStore { by, clock: warp.clock(), site, knew, releases, hides });
        }
    }

    /// Records that lanes of a warp read a location by a strong access.
    fn looked(&mut self, place: Location, look: FlagLook) {
        let FlagLook { block, warp, mask, clock, site, acquires } = look;
        if self.looks.len() >= MOST && !self.looks.contains_key(&block) {
            return;
        }
        let looks = self.looks.entry(block).or_default();
        // The latest read of the other lanes stays: of the lanes that try to take a lock, one continues.
        let older = looks.iter_mut().filter(|look| (look.place, look.warp) == (place, warp));
        older.for_each(|look| look.mask &= !mask);
        looks.retain(|look| look.mask != 0);
        if looks.len() >= LOOKS {
            looks.pop_front();
        }
        looks.push_back(AcquiredLook { place, warp, mask, clock, site, when: self.now, acquired: reaches(acquires) });
    }

    /// Records that lanes of a warp pass a fence, which acquires all that they have read.
    pub fn fenced(&mut self, block: u64, warp: u32, mask: Mask, scope: Scope) {
        let looks = self.looks.get_mut(&block).into_iter().flatten();
        for look in looks.filter(|look| look.warp == warp && look.mask & mask != 0) {
            for (acquired, now) in look.acquired.iter_mut().zip(reaches(Some(scope))) {
                *acquired |= now;
            }
        }
    }

    fn stored(&mut self, place: Location, store: FlagStore) {
        let FlagStore { by, clock, site, knew, releases, hides } = store;
        self.now += 1;
        if self.stores.len() >= MOST && !self.stores.contains_key(&place) {
            return;
        }
        let stores = self.stores.entry(place).or_default();
        match hides {
            true => stores.clear(),
            false => stores.retain(|stored| stored.by != by),
        }
        if stores.len() >= STORES {
            stores.pop_front();
        }
        stores.push_back(FlagWrite { by, clock, knew: knew.clone(), site, releases, when: self.now });
    }

    /// Returns the reads that happen before `second`, the latest first.
    fn seen<'a>(&'a self, second: Thread, view: &'a View) -> impl Iterator<Item = &'a AcquiredLook> {
        let looks = self.looks.get(&second.0).into_iter().flat_map(|looks| looks.iter().rev());
        looks.filter(move |look| look.is_behind(second, view))
    }

    /// Returns the read before `second`, with no fence since, of a location that has `released` the first access.
    /// `is_far`: that access was made in another block.
    pub fn look_between(
        &self,
        second: Thread,
        view: &View,
        is_far: bool,
        released: impl Fn(Location) -> bool,
    ) -> Option<u32> {
        let mut open = self.seen(second, view).filter(|look| !look.acquired[usize::from(is_far)]);
        open.find(|look| released(look.place)).map(|look| look.site)
    }

    /// Returns the store, after `first`, that a read before `second` has observed, and that does not release `first`.
    /// `view` is the view of `second`.
    pub fn store_between(&self, sites: &Sites, first: First, second: Thread, view: &View) -> Option<Flag> {
        let block = second.0;
        let found = |look| self.found_by(block, look).chain(self.found_by_neighbour(look, first.by, second));
        let mut pairs = self.seen(second, view).flat_map(|look| found(look).map(move |it| (look, it)));
        let (look, stored) = pairs.find(|(_, stored)| !stored.covers(first) && stored.is_behind(sites, first))?;
        let is_acquired = look.acquired[usize::from(stored.by.0 != block)];
        Some(Flag { site: stored.site, look: look.site, is_acquired })
    }

    /// Returns the stores that a read by a thread of `block` may have observed: those of other warps before it.
    fn found_by(&self, block: u64, look: &AcquiredLook) -> impl Iterator<Item = &FlagWrite> {
        let (warp, when) = (look.warp, look.when);
        let stores = self.stores.get(&look.place).into_iter().flatten();
        stores.filter(move |stored| stored.when <= when && (stored.by.0, stored.by.1) != (block, warp))
    }

    /// As `found_by`, for lanes of one warp: the stores of `first` before `second` read the location.
    fn found_by_neighbour(
        &self,
        look: &AcquiredLook,
        first: Thread,
        second: Thread,
    ) -> impl Iterator<Item = &FlagWrite> {
        let (block, warp, lane) = second;
        let own = (first.0, first.1) == (block, warp) && look.warp == warp && look.mask >> lane & 1 != 0;
        let stores = own.then(|| self.stores.get(&look.place)).flatten().into_iter().flatten();
        let when = look.when;
        stores.filter(move |stored| stored.when <= when && stored.by == first && first != second)
    }

    /// Returns the flag that would order the two if a barrier connected them to the threads that have set and read it.
    /// Within a block a barrier alone would suffice, except for a flag that a lane has read for its warp.
    pub fn barrier_beside(&self, sites: &Sites, first: First, second: Thread, view: &View) -> Option<BesideFlag> {
        let block = second.0;
        let is_one_block = first.by.0 == block;
        if is_one_block && first.by.1 == second.1 {
            return None;
        }
        let mut before = self.seen(second, view).flat_map(|look| {
            let found = self.found_by(block, look).filter(|stored| stored.by.0 == first.by.0 && stored.by != first.by);
            found.filter(|stored| !stored.is_behind(sites, first) && stored.has_told(view)).map(move |it| (look, it))
        });
        if let Some((look, stored)) = before.next().filter(|_| !is_one_block) {
            let release = if let StoreReleases::Fence(site, _) = stored.releases { site } else { stored.site };
            return Some(BesideFlag::Store { store: stored.site, release, look: look.site });
        }
        let looks = self.looks.get(&block).into_iter().flat_map(|looks| looks.iter().rev());
        let reaches = |look: &&AcquiredLook| {
            look.acquired[usize::from(!is_one_block)] && (!is_one_block || look.warp == second.1)
        };
        let mut alone = looks.filter(reaches).filter(|look| !look.is_behind(second, view));
        let has_seen = |look: &&AcquiredLook| {
            self.found_by(block, look).any(|stored| stored.is_behind(sites, first) && stored.covers(first))
        };
        alone.find(has_seen).map(|look| BesideFlag::Look { look: look.site, one_warp: is_one_block })
    }
}

impl AcquiredLook {
    /// True if the read happens before `second`, whose view is `view`.
    fn is_behind(&self, (block, warp, lane): Thread, view: &View) -> bool {
        let own = self.warp == warp && self.mask >> lane & 1 != 0;
        own || lanes(self.mask).any(|other| view.clock_of(block, self.warp, other) >= self.clock)
    }
}

/// Returns whether this scope includes threads of the same block, and those of others.
fn reaches(scope: Option<Scope>) -> [bool; 2] {
    [scope.is_some(), scope.is_some_and(|scope| scope >= Scope::Device)]
}
