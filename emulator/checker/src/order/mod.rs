//! Who is before whom: what threads know of each other, and what hands that on.

pub mod barriers;
pub mod clock;
pub mod copies;
pub mod fences;
pub mod grids;
pub mod known;
pub mod launches;
pub mod locations;
pub mod mbarrier;
pub mod release;
pub mod warp;
pub mod warp_seen;

use barriers::Gathering;
use copies::StartedCopies;
use machine::registers::Mask;
use mbarrier::Objects;
use warp::WarpOrder;

/// What is kept with a block.
#[derive(Default)]
pub struct BlockOrder {
    barriers: Vec<Gathering>,
    copies: StartedCopies,
    objects: Objects,
}

impl BlockOrder {
    pub fn begin(&mut self) {
        self.copies.clear();
        self.objects.clear();
        self.barriers.resize_with(machine::exec::barrier::BARRIERS + 1, Gathering::default);
        self.barriers.iter_mut().for_each(Gathering::clear);
    }

    /// Lanes of warp `which` arrive at a barrier.
    pub fn arrive(&mut self, id: usize, which: u32, warp: &mut WarpOrder, mask: Mask) {
        self.barriers[id].arrive(which, warp, mask);
    }

    /// All that a barrier of `block` waits for have arrived.
    pub fn complete(&mut self, id: usize, block: u64) {
        self.barriers[id].complete(block);
    }

    /// Lanes go on from it.
    pub fn release(&self, id: usize, warp: &mut WarpOrder, mask: Mask) {
        self.barriers[id].release(warp, mask);
    }

    /// Asynchronous copies that its warps have started.
    pub fn copies(&mut self) -> &mut StartedCopies {
        &mut self.copies
    }

    /// Its barrier objects.
    pub fn objects(&mut self) -> &mut Objects {
        &mut self.objects
    }
}
