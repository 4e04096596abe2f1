//! Who is before whom: what threads know of each other, and what hands that on.

pub mod barriers;
pub mod clock;
pub mod copies;
pub mod fences;
pub mod grids;
pub mod launches;
pub mod locations;
pub mod mbarrier;
pub mod release;
pub mod warp;

use barriers::Gathering;
use copies::StartedCopies;
use mbarrier::Objects;

/// What is kept with a block.
#[derive(Default)]
pub struct BlockOrder {
    pub barriers: Vec<Gathering>,
    pub copies: StartedCopies,
    pub objects: Objects,
}

impl BlockOrder {
    pub fn begin(&mut self) {
        self.copies.clear();
        self.objects.clear();
        self.barriers.clear();
        self.barriers.resize(machine::exec::barrier::BARRIERS + 1, Gathering::default());
    }
}
