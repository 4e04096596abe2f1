//! The data of one launch: the host's grid, and the grids that it launches in turn.

use super::grids::{GridIdentity, Grids};
use crate::code::{Function, KernelCode, KernelPart};
use crate::memory::{Memory, Region};
use crate::monitor::{Monitor, Progress};
use crate::profile::Profile;
use crate::program::GlobalVariable;
use crate::types::{EndedAt, Fault, Parameter};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// The system's part of shared memory lies so far behind a block's own, at a multiple of so many bytes.
const RESERVED_GAP: u64 = 4096;
const RESERVED_ALIGN: u64 = 128;
/// Bytes that are copied, cleared or printed in the time of a thread's instruction.
const BYTES_PER_FUEL: u64 = 256;
/// The threads that stand for the bulk copies of one thread.
pub const BULK_AGENTS: u32 = 16;
/// The number of ended threads that bring a launch as much fuel as it began with.
const THREADS_PER_FUEL: u64 = 1024;

/// The state that all grids of one launch share: the host's own, and those that its kernels launch.
#[derive(Debug)]
pub struct LaunchTree {
    /// Thread instructions left before the launch counts as endless, and the most that it has at once.
    pub fuel: AtomicU64,
    pub fuel_given: u64,
    /// The host that follows the launch.
    pub monitor: Option<Arc<Monitor>>,
    /// Thread instructions, as far as workers have reported them.
    pub executed: AtomicU64,
    /// Blocks of the host's own grid that have ended.
    pub blocks_done: AtomicU64,
    pub stop: AtomicBool,
    pub fault: Mutex<Option<Fault>>,
    /// The place where a kernel ended itself, if it did.
    pub ended_at: Mutex<Option<EndedAt>>,
    pub printed: Mutex<Vec<u8>>,
    /// The messages of assertions that failed.
    pub assertions: Mutex<Vec<u8>>,
    pub grids: Grids,
    /// The next `%gridid`.
    pub grid_ids: AtomicU64,
    /// The device's clock when the launch begins, in nanoseconds.
    pub begins: u64,
    /// The time that the clocks of its warps have advanced since.
    pub time: AtomicU64,
}

impl LaunchTree {
    pub fn new(fuel: u64, first_id: u64, begins: u64, monitor: Option<Arc<Monitor>>) -> LaunchTree {
        LaunchTree {
            fuel: AtomicU64::new(fuel),
            fuel_given: fuel,
            monitor,
            executed: AtomicU64::new(0),
            blocks_done: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            fault: Mutex::new(None),
            ended_at: Mutex::new(None),
            printed: Mutex::new(Vec::new()),
            assertions: Mutex::new(Vec::new()),
            grids: Grids::default(),
            grid_ids: AtomicU64::new(first_id),
            begins,
            time: AtomicU64::new(0),
        }
    }

    /// Adds thread instructions to those executed, and reports to the host. Returns those that it still allows.
    pub fn executed(&self, instructions: u64, blocks: u64) -> u64 {
        let instructions = self.executed.fetch_add(instructions, Relaxed) + instructions;
        let Some(monitor) = &self.monitor else { return u64::MAX };
        let progress = Progress { blocks_done: self.blocks_done.load(Relaxed), blocks, instructions };
        if monitor.report(&progress) { monitor.limit().saturating_sub(instructions) } else { 0 }
    }

    /// Uses up fuel.
    pub fn burn(&self, fuel: u64) {
        self.burn_and_fill(fuel, 0, u64::MAX);
    }

    /// Uses up fuel for work on so many bytes.
    pub fn burn_for_bytes(&self, bytes: u64) {
        if bytes >= BYTES_PER_FUEL {
            self.burn(bytes / BYTES_PER_FUEL);
        }
    }

    /// Uses up fuel; then each thread that has ended brings some, up to what may be there at once. What is left.
    pub fn burn_and_fill(&self, fuel: u64, ended: u64, most: u64) -> u64 {
        let brought = ended.saturating_mul(self.fuel_given / THREADS_PER_FUEL);
        let burn = |left: u64| left.saturating_sub(fuel).saturating_add(brought).min(most);
        burn(self.fuel.fetch_update(Relaxed, Relaxed, |left| Some(burn(left))).unwrap_or_default())
    }
}

/// One grid: what its kernel is given, the same for all its threads.
pub struct Launch<'a> {
    pub tree: &'a LaunchTree,
    pub code: &'a KernelCode,
    pub memory: &'a Memory,
    /// Addresses of the module's variables, by index.
    pub globals: &'a [u64],
    /// The variables themselves, by the same index.
    pub names: &'a [GlobalVariable],
    /// The kernel's parameters, for their places in the block.
    pub parameters: &'a [Parameter],
    /// The parameter block, at address 0 of its own space.
    pub params: Region,
    pub profile: &'a Profile,
    pub kernel: &'a str,
    /// The kernel's part of the code.
    pub part: &'a KernelPart,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Blocks of a cluster along each axis.
    pub cluster: [u32; 3],
    /// Launched with the size of its clusters, by the kernel's directive or by the launch.
    pub is_explicit_cluster: bool,
    pub dynamic_shared: u32,
    pub grid_id: u64,
    /// Blocks that may run at once.
    pub resident: u64,
    /// Launched as cooperative: all its blocks are there at once.
    pub cooperative: bool,
    /// Address of the words with which cooperative groups make a barrier of the grid; 0 outside cooperative launches.
    pub grid_sync: u64,
    /// The next block nobody has begun.
    pub next_block: AtomicU64,
    /// Its number in the launch, from 0, which is the host's own.
    pub number: u32,
    /// Its place in the queue of grids.
    pub node: usize,
    /// The number of nested launches by kernels that led here.
    pub depth: u32,
    pub identity: Arc<GridIdentity>,
}

impl<'a> Launch<'a> {
    #[inline]
    pub fn threads_per_block(&self) -> u32 {
        self.block.iter().product()
    }

    #[inline]
    pub fn warps_per_block(&self) -> u32 {
        self.threads_per_block().div_ceil(32)
    }

    #[inline]
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    #[inline]
    pub fn blocks_per_cluster(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// True if blocks have peers, whose shared memory they can access.
    #[inline]
    pub fn has_peers(&self) -> bool {
        self.cluster != [1; 3]
    }

    /// The rank of a block in its cluster (PTX ISA, "%cluster_ctarank").
    pub fn cluster_rank(&self, block: u64) -> u32 {
        let index = self.block_index(block);
        let [x, y, z] = std::array::from_fn(|axis| index[axis] % self.cluster[axis]);
        (z * self.cluster[1] + y) * self.cluster[0] + x
    }

    /// The number of the cluster that a block is of.
    pub fn cluster_number(&self, block: u64) -> u64 {
        let index = self.block_index(block);
        let [x, y, z] = std::array::from_fn(|axis| u64::from(index[axis] / self.cluster[axis]));
        let [wide, high, _] = std::array::from_fn(|axis| u64::from(self.grid[axis] / self.cluster[axis]));
        (z * high + y) * wide + x
    }

    /// The block of a rank in a cluster, linear in its grid.
    pub fn block_of_cluster(&self, cluster: u64, rank: u32) -> u64 {
        let [wide, high, _]: [u64; 3] = std::array::from_fn(|axis| u64::from(self.grid[axis] / self.cluster[axis]));
        let first = [cluster % wide, cluster / wide % high, cluster / wide / high];
        let [across, down, _] = self.cluster;
        let within = [rank % across, rank / across % down, rank / across / down];
        let [x, y, z]: [u64; 3] =
            std::array::from_fn(|axis| first[axis] * u64::from(self.cluster[axis]) + u64::from(within[axis]));
        (z * u64::from(self.grid[1]) + y) * u64::from(self.grid[0]) + x
    }

    /// The kernel itself.
    #[inline]
    pub fn entry(&self) -> &'a Function {
        &self.code.functions[self.part.first as usize]
    }

    /// Returns the start of the system's part of each block's shared memory, for a kernel that asks. On a GPU of
    /// compute capability 8.0 or more it lies before the block's own. Here it lies behind it, with a gap, so that an
    /// index past either end is seen.
    #[inline]
    pub fn reserved_shared(&self) -> Option<u64> {
        let own = self.shared_bytes().next_multiple_of(RESERVED_ALIGN);
        self.code.asks_for_reserved_shared.then_some(own + RESERVED_GAP)
    }

    /// All of a block's shared memory, the system's part included.
    #[inline]
    pub fn whole_shared_bytes(&self) -> u64 {
        let reserved = u64::from(self.profile.shared_reserved_per_block);
        self.reserved_shared().map_or(self.shared_bytes(), |begin| begin + reserved)
    }

    #[inline]
    pub fn shared_bytes(&self) -> u64 {
        self.part.static_shared + u64::from(self.dynamic_shared)
    }

    /// The number of its first block: blocks are counted through all grids of a launch.
    #[inline]
    pub fn first_block(&self) -> u64 {
        self.identity.first_block
    }

    /// The index of one of its own blocks.
    #[inline]
    pub fn block_index(&self, block: u64) -> [u32; 3] {
        self.identity.block_index(block)
    }

    /// The grid of a block, its own or another one of the launch.
    pub fn grid_of(&self, block: u64) -> Arc<GridIdentity> {
        match self.identity.holds(block) {
            true => self.identity.clone(),
            false => self.tree.grids.of(block).unwrap_or_else(|| self.identity.clone()),
        }
    }

    /// The most warps that a block of this launch has. Where grids of several shapes run together, each block has room
    /// for as many as a block can have.
    #[inline]
    pub fn most_warps(&self) -> u32 {
        if self.code.launches { 32 } else { self.warps_per_block() }
    }

    /// Warps between the first warps of two neighbouring blocks, as checkers count them.
    #[inline]
    pub fn warp_stride(&self) -> u32 {
        let parts = match (self.code.copies, self.code.bulk_copies, self.code.products) {
            (false, ..) => 1,
            (true, false, _) => 2,
            (true, true, false) => 2 + BULK_AGENTS,
            (true, true, true) => 3 + BULK_AGENTS,
        };
        parts * self.most_warps()
    }

    /// Asynchronous copies count as made by threads of their own: the copies of a warp's lanes by those of the warp
    /// that stands so far behind it. Bulk copies have [`BULK_AGENTS`] such threads each, so far apart, after these.
    #[inline]
    pub fn copying_warps(&self) -> Option<u32> {
        self.code.copies.then(|| self.most_warps())
    }

    /// Products of a warpgroup count as made by threads of their own, those of the warp that stands so far after it.
    #[inline]
    pub fn multiplying_warps(&self) -> u32 {
        (2 + BULK_AGENTS) * self.most_warps()
    }

    #[inline]
    pub fn thread_index(&self, linear: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [linear % x, linear / x % y, linear / x / y]
    }

    /// Ends the launch for every worker; the first fault is the one that counts.
    pub fn fail(&self, fault: Fault) {
        self.end(fault, None);
    }

    /// As [`Launch::fail`], where the kernel asked for it.
    pub fn end(&self, fault: Fault, at: Option<EndedAt>) {
        let mut first = self.tree.fault.lock().expect("no worker panics with the lock");
        if first.is_none() {
            *first = Some(fault);
            *self.tree.ended_at.lock().expect("no worker panics with the lock") = at;
        }
        self.tree.stop.store(true, Relaxed);
    }

    /// The launch goes on, and this is how it ends.
    pub fn will_end(&self, fault: Fault) {
        self.tree.fault.lock().expect("no worker panics with the lock").get_or_insert(fault);
    }

    /// True once it is known how the launch ends.
    pub fn has_fault(&self) -> bool {
        self.tree.fault.lock().expect("no worker panics with the lock").is_some()
    }

    #[inline]
    pub fn stopped(&self) -> bool {
        self.tree.stop.load(Relaxed)
    }
}
