//! What one launch is given, the same for all its threads.

use super::code::Code;
use crate::device::{Fault, Parameter};
use crate::memory::{Memory, Region};
use crate::profile::Profile;
use crate::program::GlobalVariable;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The system's part of shared memory lies so far behind a block's own, at a multiple of so many bytes.
const RESERVED_GAP: u64 = 4096;
const RESERVED_ALIGN: u64 = 128;

pub struct Launch<'a> {
    pub code: &'a Code,
    pub memory: &'a Memory,
    /// Addresses of the module's variables, by index.
    pub globals: &'a [u64],
    /// The variables themselves, likewise.
    pub names: &'a [GlobalVariable],
    /// The kernel's parameters, for their places in the block.
    pub parameters: &'a [Parameter],
    /// The parameter block, at address 0 of its own space.
    pub params: Region,
    pub profile: &'a Profile,
    pub kernel: &'a str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub grid_id: u64,
    /// Blocks that may run at once.
    pub resident: u64,
    /// Launched as cooperative: all its blocks are there at once.
    pub cooperative: bool,
    /// Address of the words with which cooperative groups make a barrier of the grid; 0 outside cooperative launches.
    pub grid_sync: u64,
    /// Thread instructions left before the launch counts as endless.
    pub fuel: AtomicU64,
    /// The next block nobody has begun.
    pub next_block: AtomicU64,
    pub stop: AtomicBool,
    pub fault: Mutex<Option<Fault>>,
    pub printed: Mutex<Vec<u8>>,
}

impl Launch<'_> {
    pub fn threads_per_block(&self) -> u32 {
        self.block.iter().product()
    }

    pub fn warps_per_block(&self) -> u32 {
        self.threads_per_block().div_ceil(32)
    }

    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    pub fn shared_bytes(&self) -> u64 {
        self.code.static_shared + u64::from(self.dynamic_shared)
    }

    /// Where the system's part of each block's shared memory begins, for a kernel that asks. On a GPU of compute capability
    /// 8.0 or more it lies before the block's own; here behind it and apart, so that an index past either end is seen.
    pub fn reserved_shared(&self) -> Option<u64> {
        let own = self.shared_bytes().next_multiple_of(RESERVED_ALIGN);
        self.code.asks_for_reserved_shared.then_some(own + RESERVED_GAP)
    }

    /// All of a block's shared memory, the system's part included.
    pub fn whole_shared_bytes(&self) -> u64 {
        let reserved = u64::from(self.profile.shared_reserved_per_block);
        self.reserved_shared().map_or(self.shared_bytes(), |begin| begin + reserved)
    }

    pub fn block_index(&self, linear: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [(linear % x) as u32, (linear / x % y) as u32, (linear / x / y) as u32]
    }

    pub fn thread_index(&self, linear: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [linear % x, linear / x % y, linear / x / y]
    }

    /// Ends the launch for every worker; the first fault is the one that counts.
    pub fn fail(&self, fault: Fault) {
        self.fault.lock().expect("no worker panics with the lock").get_or_insert(fault);
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
