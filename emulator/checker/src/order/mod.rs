//! The happens-before order: the vector clocks of threads, and the operations that pass them on.

pub mod barriers;
pub mod bulk;
pub mod clock;
pub mod cluster;
pub mod copies;
pub mod dependent;
pub mod expected;
pub mod fences;
pub mod grids;
pub mod known;
pub mod launches;
pub mod locations;
pub mod maps;
pub mod mbarrier;
pub mod products;
pub mod release;
pub mod warp;
pub mod warp_seen;

use barriers::Gathering;
use bulk::BulkOrder;
use copies::StartedCopies;
use machine::registers::Mask;
use mbarrier::Objects;
use warp::WarpOrder;

/// The state of a block's barriers, copies and barrier objects.
#[derive(Default)]
pub struct BlockOrder {
    barriers: Vec<Gathering>,
    copies: StartedCopies,
    bulk: BulkOrder,
    objects: Objects,
}

impl BlockOrder {
    pub fn begin(&mut self) {
        self.copies.clear();
        self.bulk.clear();
        self.objects.clear();
        self.barriers.resize_with(machine::exec::barrier::BARRIERS + 1, Gathering::default);
        self.barriers.iter_mut().for_each(Gathering::clear);
    }

    /// Records that lanes of warp `which` arrive at a barrier, and wait there if `waits`.
    pub fn arrive(&mut self, id: usize, which: u32, warp: &mut WarpOrder, mask: Mask, waits: bool) {
        self.barriers[id].arrive(which, warp, mask, waits);
    }

    /// Completes a barrier of `block`, at which all threads that it waits for have arrived. Returns how many threads
    /// wait there.
    pub fn complete(&mut self, id: usize, block: u64) -> u32 {
        self.barriers[id].complete(block)
    }

    /// Releases lanes from a barrier: they acquire what its threads have brought.
    pub fn release(&self, id: usize, warp: &mut WarpOrder, mask: Mask) {
        self.barriers[id].release(warp, mask);
    }

    /// Returns the asynchronous copies that its warps have started.
    pub fn copies(&mut self) -> &mut StartedCopies {
        &mut self.copies
    }

    /// Returns the bulk copies that its warps have started.
    pub fn bulk(&mut self) -> &mut BulkOrder {
        &mut self.bulk
    }

    /// Returns its barrier objects.
    pub fn objects(&mut self) -> &mut Objects {
        &mut self.objects
    }
}
