//! A block: its warps, its shared memory, its sixteen barriers and that of its cluster.

use super::arrivals::BarrierState;
use super::bulk::BulkCopies;
use super::launch::Launch;
use super::products::Warpgroups;
use super::warp::Warp;
use crate::exec::barrier::BARRIERS;
use crate::memory::Region;
use crate::memory::history::OlderValues;
use crate::registers::Mask;
use crate::watch::{Off, Watch};
use std::sync::Arc;

pub struct Block<'a, W: Watch> {
    pub(super) launch: Arc<Launch<'a>>,
    /// Its number, through all grids of the launch.
    pub(super) linear: u64,
    pub(super) warps: Vec<Warp<W>>,
    pub(super) shared: Region,
    /// Older values of shared memory.
    pub(super) history: OlderValues,
    pub(super) barriers: Vec<BarrierState>,
    /// Lanes of each warp that have arrived at the cluster's barrier in a phase that is complete, and have not waited.
    pub(super) passes: Vec<Mask>,
    /// All its threads have ended, and not all of its cluster.
    pub(super) has_ended: bool,
    /// Bulk copies under way.
    pub(super) bulk: BulkCopies,
    pub(super) warpgroups: Warpgroups,
    /// The warp that ran last; `usize::MAX` before the first.
    cursor: usize,
    pub(super) watch: W::Block,
}

impl<'a, W: Watch> Block<'a, W> {
    pub fn new(launch: &Arc<Launch<'a>>) -> Option<Block<'a, W>> {
        let warps = launch.warps_per_block();
        Some(Block {
            launch: launch.clone(),
            linear: 0,
            warps: (0..warps).map(|index| Warp::new(launch, index)).collect(),
            // One byte where there is none, so that every block has a region to miss.
            shared: Region::owned(Some(0), launch.whole_shared_bytes())?,
            history: OlderValues::default(),
            barriers: vec![BarrierState::new(warps); BARRIERS + 1],
            passes: vec![0; warps as usize],
            has_ended: false,
            bulk: BulkCopies::default(),
            warpgroups: Warpgroups::default(),
            cursor: usize::MAX,
            watch: W::Block::default(),
        })
    }

    /// True if it can be used again for a block of this grid.
    pub fn is_shaped_for(&self, launch: &Launch) -> bool {
        let shape = |launch: &Launch| (launch.part.first, launch.block, launch.dynamic_shared);
        shape(&self.launch) == shape(launch)
    }

    pub fn restart(&mut self, launch: &Arc<Launch<'a>>, linear: u64) {
        let is_same = Arc::ptr_eq(&self.launch, launch);
        if !is_same {
            self.launch = launch.clone();
        }
        self.linear = linear;
        self.cursor = usize::MAX;
        for warp in &mut self.warps {
            warp.restart(launch, linear, is_same);
        }
        for barrier in &mut self.barriers {
            barrier.reset();
        }
        self.passes.fill(0);
        self.has_ended = false;
        self.bulk.clear();
        self.warpgroups.clear();
        self.shared.clear();
        self.history.clear();
    }

    /// A block that has a copy of one warp and no memory.
    pub fn with_one_warp(&self, which: usize) -> Option<Block<'a, Off>> {
        Some(Block {
            launch: self.launch.clone(),
            linear: self.linear,
            warps: vec![self.warps[which].unwatched()],
            shared: Region::owned(Some(0), 1)?,
            history: OlderValues::default(),
            barriers: Vec::new(),
            passes: Vec::new(),
            has_ended: false,
            bulk: BulkCopies::default(),
            warpgroups: Warpgroups::default(),
            cursor: usize::MAX,
            watch: Default::default(),
        })
    }

    pub fn swap_shared<V: Watch>(&mut self, other: &mut Block<'a, V>) {
        std::mem::swap(&mut self.shared, &mut other.shared);
    }

    /// The warp that ran last; `usize::MAX` before the first.
    #[inline]
    pub fn last_warp(&self) -> usize {
        self.cursor
    }

    #[inline]
    pub fn turn_to(&mut self, warp: usize) {
        self.cursor = warp;
    }

    /// The number of its cluster.
    pub fn cluster(&self) -> u64 {
        self.launch.cluster_number(self.linear)
    }

    pub fn is_ready(&self) -> bool {
        self.warps.iter().any(Warp::is_ready)
    }

    pub fn is_done(&self) -> bool {
        self.warps.iter().all(|warp| warp.groups.is_empty())
    }
}
