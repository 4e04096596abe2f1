//! Which threads access which memory, over all runs of a search.

use crate::event::Location;
use rustc_hash::{FxHashMap, FxHashSet};

/// The accesses of a byte, over all runs.
#[derive(Clone, Copy)]
struct Byte {
    location: Location,
    /// The first thread that accessed it.
    first: usize,
    has_others: bool,
    is_written: bool,
    /// Accesses of several sizes were seen.
    is_mixed: bool,
}

impl Byte {
    /// Several threads access it, and one of them writes.
    fn is_shared(&self) -> bool {
        self.has_others && self.is_written
    }
}

/// The memory that threads share.
#[derive(Default)]
pub struct Footprint {
    bytes: FxHashMap<(Option<u64>, u64), Byte>,
    shared: FxHashSet<Location>,
    /// Locations that are shared, and that the run under way takes as private.
    new: FxHashSet<Location>,
}

impl Footprint {
    /// Returns true if accesses of the location are events.
    pub fn is_shared(&self, location: Location) -> bool {
        self.shared.contains(&location)
    }

    /// Records an access. Returns false if it overlaps, in memory that threads share, one of another size.
    pub fn note(&mut self, location: Location, thread: usize, writes: bool) -> bool {
        let mut is_whole = true;
        for address in location.address..location.address + u64::from(location.bytes) {
            let first = Byte { location, first: thread, has_others: false, is_written: false, is_mixed: false };
            let byte = self.bytes.entry((location.block, address)).or_insert(first);
            byte.is_mixed |= byte.location != location;
            byte.has_others |= byte.first != thread;
            byte.is_written |= writes;
            if byte.is_shared() {
                is_whole &= !byte.is_mixed;
                if !self.shared.contains(&location) {
                    self.new.insert(location);
                }
            }
        }
        is_whole
    }

    /// Returns true if the run under way has taken a location as private that is shared.
    pub fn has_news(&self) -> bool {
        !self.new.is_empty()
    }

    /// Takes the shared locations that are no events yet.
    pub fn take_news(&mut self) -> impl Iterator<Item = Location> + '_ {
        self.new.drain()
    }

    /// Makes the accesses of these locations events, and of no others.
    pub fn share(&mut self, locations: &FxHashSet<Location>) {
        self.new.clear();
        self.shared.clone_from(locations);
    }
}
