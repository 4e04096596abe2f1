//! A block: its warps, its shared memory and its sixteen barriers.

use super::launch::Launch;
use super::warp::Warp;
use crate::memory::Region;
use crate::memory::history::History;
use crate::registers::Mask;
use crate::watch::Watch;

/// Barriers a block has (PTX ISA, "bar").
pub const BARRIERS: usize = 16;

/// One barrier between two uses.
#[derive(Clone, Debug, Default)]
pub struct BarrierState {
    /// Lanes that have arrived, warp by warp.
    pub arrived: Vec<Mask>,
    /// Threads wanted, where the instruction says so.
    pub expected: Option<u32>,
    /// What `bar.red` gathered.
    pub votes: u32,
    pub voters: u32,
}

impl BarrierState {
    pub fn count(&self) -> u32 {
        self.arrived.iter().map(|mask| mask.count_ones()).sum()
    }

    pub fn reset(&mut self) {
        self.arrived.fill(0);
        self.expected = None;
        self.votes = 0;
        self.voters = 0;
    }
}

pub struct Block<W: Watch> {
    pub linear: u64,
    pub warps: Vec<Warp<W>>,
    pub shared: Region,
    /// Older values of shared memory.
    pub history: History,
    pub barriers: Vec<BarrierState>,
    /// The warp that ran last; `usize::MAX` before the first.
    pub cursor: usize,
    pub watch: W::Block,
}

impl<W: Watch> Block<W> {
    pub fn new(launch: &Launch) -> Option<Block<W>> {
        let warps = launch.warps_per_block();
        Some(Block {
            linear: 0,
            warps: (0..warps).map(|index| Warp::new(launch, index)).collect(),
            // One byte where there is none, so that every block has a region to miss.
            shared: Region::owned(Some(0), launch.shared_bytes())?,
            history: History::default(),
            barriers: vec![BarrierState { arrived: vec![0; warps as usize], ..Default::default() }; BARRIERS],
            cursor: usize::MAX,
            watch: W::Block::default(),
        })
    }

    pub fn restart(&mut self, launch: &Launch, linear: u64) {
        self.linear = linear;
        self.cursor = usize::MAX;
        for warp in &mut self.warps {
            warp.restart(launch, linear);
        }
        for barrier in &mut self.barriers {
            barrier.reset();
        }
        self.shared.clear();
        self.history.clear();
    }

    pub fn is_done(&self) -> bool {
        self.warps.iter().all(|warp| warp.groups.is_empty())
    }

    /// True if the barrier's last awaited thread has come.
    pub fn is_complete(&self, id: usize) -> bool {
        let barrier = &self.barriers[id];
        match barrier.expected {
            // Threads that have exited or never were count as arrived with their warp.
            Some(expected) => {
                let here: u32 = barrier
                    .arrived
                    .iter()
                    .zip(&self.warps)
                    .filter(|(arrived, _)| **arrived != 0)
                    .map(|(arrived, warp)| (arrived | !warp.live()).count_ones())
                    .sum();
                here >= expected
            }
            None => {
                barrier.count() > 0
                    && barrier.arrived.iter().zip(&self.warps).all(|(arrived, warp)| warp.live() & !arrived == 0)
            }
        }
    }
}
