//! The grids of one launch by name: the host's own, and those that kernels have launched (CUDA Programming Guide, "CUDA
//! Dynamic Parallelism").
//!
//! Blocks are numbered through all of them, so a block's number says its grid. The list is kept for reports of checked
//! launches, which name threads of grids that are over.

use crate::code::KernelCode;
use finding::{LaunchSite, ThreadName};
use std::sync::{Arc, Mutex, PoisonError};

/// The identity of a grid, which is kept when it is over.
#[derive(Debug)]
pub struct GridIdentity {
    /// Its kernel's number in [`crate::code::KernelCode::parts`].
    pub part: u32,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub first_block: u64,
    /// `None` for the host's own.
    pub origin: Option<GridOrigin>,
}

/// The thread that launched a grid, and where.
#[derive(Debug)]
pub struct GridOrigin {
    pub parent: Arc<GridIdentity>,
    pub block: u64,
    pub thread: u32,
    pub pc: u32,
    /// The calls that led there, innermost first.
    pub calls: Vec<u32>,
}

impl GridIdentity {
    fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    #[inline]
    pub fn holds(&self, block: u64) -> bool {
        block.checked_sub(self.first_block).is_some_and(|linear| linear < self.blocks())
    }

    /// True if a thread of `other`, or of a grid that it led to, launched this one.
    pub fn is_launched_by(&self, other: &GridIdentity) -> bool {
        let mut grid = self;
        while let Some(origin) = &grid.origin {
            grid = &origin.parent;
            if grid.first_block == other.first_block {
                return true;
            }
        }
        false
    }

    #[inline]
    pub fn block_index(&self, block: u64) -> [u32; 3] {
        let linear = block - self.first_block;
        let [x, y, _] = self.grid.map(u64::from);
        [(linear % x) as u32, (linear / x % y) as u32, (linear / x / y) as u32]
    }

    /// A thread of one of its blocks, as CUDA names it.
    pub fn thread(&self, block: u64, thread: u32) -> ThreadName {
        let [x, y, _] = self.block;
        let index = [thread % x, thread / x % y, thread / x / y];
        ThreadName { block: self.block_index(block), thread: index, linear: thread }
    }

    /// The launches that led here, innermost first.
    pub fn launched_by(&self, code: &KernelCode) -> Vec<LaunchSite> {
        let mut sites = Vec::new();
        let mut grid = self;
        while let Some(origin) = &grid.origin {
            let (location, _) = code.user_lines(origin.pc, &origin.calls);
            sites.push(LaunchSite {
                kernel: code.parts[grid.part as usize].name.clone(),
                location,
                ptx_line: code.instrs.get(origin.pc as usize).map_or(0, |instr| instr.line),
                thread: origin.parent.thread(origin.block, origin.thread),
            });
            grid = &origin.parent;
        }
        sites
    }
}

/// All grids so far, by first block.
#[derive(Debug, Default)]
pub struct Grids(Mutex<Vec<Arc<GridIdentity>>>);

impl Grids {
    pub fn add(&self, grid: &Arc<GridIdentity>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(grid.clone());
    }

    /// The grid that a block is of.
    pub fn of(&self, block: u64) -> Option<Arc<GridIdentity>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.partition_point(|grid| grid.first_block <= block).checked_sub(1)?;
        Some(all[at].clone())
    }
}
