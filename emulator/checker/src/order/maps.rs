//! Tensor maps (PTX ISA, "Proxies", "membar/fence", "tensormap.cp_fenceproxy").
//!
//! A tensor copy reads its map through the tensormap proxy. Earlier writes of the map must not only come before the
//! copy. A release fence of that proxy must follow them, and an acquire fence for this map must follow that one. Both
//! fences count for all threads that are ordered after them, and their scopes only as those of ordinary fences.
//!
//! Left out (towards silence): the writes of earlier launches and of the host.

use crate::order::clock::{View, covers_part, join_part, joined};
use std::rc::Rc;

/// The maps whose acquires are kept separately. Further ones count for all maps (towards silence).
const MOST: usize = 64;

/// The address that stands for all maps.
const ALL: u64 = u64::MAX;

/// The part of a view that fences of tensor maps have covered.
#[derive(Clone, Debug, Default)]
pub struct MapOrder {
    /// The view that release fences have covered.
    released: Option<Rc<View>>,
    /// The views that acquire fences have covered, by the address of the map.
    acquired: Vec<(u64, Rc<View>)>,
}

impl MapOrder {
    /// Returns what release fences have covered.
    pub fn released(&self) -> Option<&Rc<View>> {
        self.released.as_ref()
    }

    /// Returns what acquire fences for a map have covered.
    pub fn acquired(&self, map: u64) -> Option<&Rc<View>> {
        let find = |wanted: u64| self.acquired.iter().find(|(address, _)| *address == wanted);
        find(map).or_else(|| find(ALL)).map(|(_, view)| view)
    }

    /// Adds a release fence by threads that have done all of `done`.
    pub fn release(&mut self, done: Rc<View>) {
        join_part(&mut self.released, &Some(done));
    }

    /// Adds an acquire fence.
    pub fn acquire(&mut self, map: u64) {
        let released = self.released.clone().unwrap_or_default();
        self.add(map, &released);
    }

    fn add(&mut self, map: u64, view: &Rc<View>) {
        let is_full = self.acquired.len() >= MOST;
        match self.acquired.iter_mut().find(|(address, _)| *address == map) {
            Some((_, known)) => *known = joined(known, view),
            None if !is_full => self.acquired.push((map, view.clone())),
            None => {
                let all = self.acquired.drain(..).fold(view.clone(), |all, (_, known)| joined(&all, &known));
                self.acquired.push((ALL, all));
            }
        }
    }

    pub fn covers(&self, other: &MapOrder) -> bool {
        let has = |(map, view): &(u64, Rc<View>)| {
            let known = self.acquired.iter().find(|(address, _)| address == map);
            known.is_some_and(|(_, known)| covers_part(&Some(known.clone()), &Some(view.clone())))
        };
        covers_part(&self.released, &other.released) && other.acquired.iter().all(has)
    }

    pub fn join(&mut self, other: &MapOrder) {
        join_part(&mut self.released, &other.released);
        other.acquired.iter().for_each(|(map, view)| self.add(*map, view));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(clock: u32) -> Rc<View> {
        let mut view = View::default();
        view.raise(0, 0, 1, clock);
        Rc::new(view)
    }

    fn clock(view: Option<&Rc<View>>) -> Option<u32> {
        view.map(|view| view.clock_of(0, 0, 0))
    }

    #[test]
    fn an_acquire_covers_what_was_released_before_it_for_its_map_alone() {
        let mut order = MapOrder::default();
        order.acquire(128);
        order.release(done(3));
        assert_eq!((clock(order.released()), clock(order.acquired(128))), (Some(3), Some(0)));
        order.acquire(128);
        order.release(done(5));
        assert_eq!((clock(order.acquired(128)), clock(order.acquired(256))), (Some(3), None));
    }

    #[test]
    fn many_maps_are_kept_as_one() {
        let mut order = MapOrder::default();
        order.release(done(2));
        (0..=MOST as u64).for_each(|map| order.acquire(128 * map));
        assert_eq!((order.acquired.len(), clock(order.acquired(1 << 40))), (1, Some(2)));
    }
}
