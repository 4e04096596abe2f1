//! Flags that were seen and had released nothing: which store should have been a release.
//!
//! A race behind such a flag is a race like any other. For its advice alone this keeps what one thread stores strongly by
//! itself, and what each block has looked at last: a flag, a counter, a lock. So it errs towards saying nothing: stores by
//! several lanes at once, and older ones than are kept, are not named.

use super::clock::{Clock, View};
use super::sites::Sites;
use super::sync::Thread;
use crate::exec::memory::Scope;
use crate::registers::{Mask, lanes};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// Block for shared memory, and address.
pub type Place = (Option<u64>, u64);

/// Places, and blocks, beyond which nothing more is kept.
const MOST: usize = 4096;
/// What is kept of one place, and of one block.
const STORES: usize = 64;
const LOOKS: usize = 8;

struct Stored {
    by: Thread,
    clock: Clock,
    knew: Rc<View>,
    site: u32,
    when: u64,
}

struct Looked {
    place: Place,
    warp: u32,
    mask: Mask,
    clock: Clock,
    site: u32,
    when: u64,
    /// What was seen is acquired: up to the own block, up to the device.
    acquired: [bool; 2],
}

/// What lies between two accesses that race.
#[derive(Clone, Copy, Default)]
pub struct Between {
    pub flag: Option<Flag>,
    /// The site of a look that no fence follows, at what was released behind the first.
    pub look: Option<u32>,
}

/// A look of some lanes of a warp.
pub struct Look {
    pub block: u64,
    pub warp: u32,
    pub mask: Mask,
    pub clock: Clock,
    pub site: u32,
    /// How far it acquires, if it does.
    pub acquires: Option<Scope>,
}

/// A store of a flag that releases nothing.
#[derive(Clone, Copy)]
pub struct Flag {
    pub site: u32,
    /// The look at it is followed by a fence, or acquires, as far as the two threads are apart.
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
pub struct Unreleased {
    stores: FxHashMap<Place, VecDeque<Stored>>,
    looks: FxHashMap<u64, VecDeque<Looked>>,
    now: u64,
}

impl Unreleased {
    /// Lanes of a warp look at a place with a strong access.
    pub fn looked(&mut self, place: Place, look: Look) {
        let Look { block, warp, mask, clock, site, acquires } = look;
        if self.looks.len() >= MOST && !self.looks.contains_key(&block) {
            return;
        }
        let looks = self.looks.entry(block).or_default();
        // The others' latest look stays: of the lanes that try a lock, one goes on.
        let older = looks.iter_mut().filter(|look| (look.place, look.warp) == (place, warp));
        older.for_each(|look| look.mask &= !mask);
        looks.retain(|look| look.mask != 0);
        if looks.len() >= LOOKS {
            looks.pop_front();
        }
        looks.push_back(Looked { place, warp, mask, clock, site, when: self.now, acquired: reaches(acquires) });
    }

    /// Lanes of a warp pass a fence that acquires: all that they have looked at.
    pub fn fenced(&mut self, block: u64, warp: u32, mask: Mask, scope: Scope) {
        let looks = self.looks.get_mut(&block).into_iter().flatten();
        for look in looks.filter(|look| look.warp == warp && look.mask & mask != 0) {
            for (acquired, now) in look.acquired.iter_mut().zip(reaches(Some(scope))) {
                *acquired |= now;
            }
        }
    }

    /// A thread stores strongly. `knew` is what lies behind it where the store releases nothing; a store that is no update
    /// hides those before it.
    pub fn stored(
        &mut self,
        place: Place,
        by: Thread,
        clock: Clock,
        site: u32,
        knew: Option<&Rc<View>>,
        updates: bool,
    ) {
        self.now += 1;
        if self.stores.len() >= MOST && !self.stores.contains_key(&place) {
            return;
        }
        let stores = self.stores.entry(place).or_default();
        match updates {
            true => stores.retain(|stored| stored.by != by),
            false => stores.clear(),
        }
        let Some(knew) = knew else { return };
        if stores.len() >= STORES {
            stores.pop_front();
        }
        stores.push_back(Stored { by, clock, knew: knew.clone(), site, when: self.now });
    }

    /// What `second` has looked at, the latest first.
    fn seen<'a>(&'a self, second: Thread, view: &'a View) -> impl Iterator<Item = &'a Looked> {
        let looks = self.looks.get(&second.0).into_iter().flat_map(|looks| looks.iter().rev());
        looks.filter(move |look| look.is_behind(second, view))
    }

    /// The look that `second` comes behind, with no fence since, at a place that has `released` the first access.
    /// `is_far`: it was made in another block.
    pub fn look_between(
        &self,
        second: Thread,
        view: &View,
        is_far: bool,
        released: impl Fn(Place) -> bool,
    ) -> Option<u32> {
        let mut open = self.seen(second, view).filter(|look| !look.acquired[usize::from(is_far)]);
        open.find(|look| released(look.place)).map(|look| look.site)
    }

    /// The store, behind `first`, that `second` comes behind a look at. `view` is what `second` knows.
    pub fn store_between(&self, sites: &Sites, first: First, second: Thread, view: &View) -> Option<Flag> {
        let is_behind_first = |stored: &&Stored| {
            let own =
                stored.by == first.by && (stored.clock, sites.pc(stored.site)) > (first.clock, sites.pc(first.site));
            let (block, warp, lane) = first.by;
            own || stored.by != first.by && stored.knew.of(block, warp, lane as usize) >= first.clock
        };
        let block = second.0;
        let seen = self.seen(second, view);
        let mut stores = seen.flat_map(|look| {
            let stores = self.stores.get(&look.place).into_iter().flatten();
            let theirs =
                stores.filter(|stored| stored.when <= look.when && (stored.by.0, stored.by.1) != (block, look.warp));
            theirs.map(move |stored| (stored, look.acquired[usize::from(stored.by.0 != block)]))
        });
        let (stored, is_acquired) = stores.find(|(stored, _)| is_behind_first(stored))?;
        Some(Flag { site: stored.site, is_acquired })
    }
}

impl Looked {
    /// True if `second`, who knows `view`, comes behind it.
    fn is_behind(&self, (block, warp, lane): Thread, view: &View) -> bool {
        let own = self.warp == warp && self.mask >> lane & 1 != 0;
        own || lanes(self.mask).any(|other| view.of(block, self.warp, other) >= self.clock)
    }
}

/// Whether this scope reaches threads of the own block, and those of others.
fn reaches(scope: Option<Scope>) -> [bool; 2] {
    [scope.is_some(), scope.is_some_and(|scope| scope >= Scope::Gpu)]
}
