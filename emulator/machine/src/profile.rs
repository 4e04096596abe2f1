//! The properties of the emulated device. Occupancy, launch limits and attributes all follow from them.

/// Registers are allocated to a warp in units of this many.
const REGISTER_UNIT: u32 = 256;
/// The most registers that a thread can have.
pub const MOST_REGISTERS: u32 = 255;

/// One device's fixed properties. The default is the course's documented profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub name: String,
    /// Compute capability, major and minor.
    pub capability: (u32, u32),
    pub multiprocessors: u32,
    pub threads_per_multiprocessor: u32,
    pub blocks_per_multiprocessor: u32,
    pub registers_per_multiprocessor: u32,
    /// Bytes.
    pub shared_per_multiprocessor: u32,
    /// Bytes a block may have without opting in.
    pub shared_per_block: u32,
    /// Bytes a block may have after `cuFuncSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES)`.
    pub shared_per_block_optin: u32,
    /// Bytes the system keeps of each block's shared memory.
    pub shared_reserved_per_block: u32,
    pub threads_per_block: u32,
    pub max_block: [u32; 3],
    pub max_grid: [u32; 3],
    pub warp_size: u32,
    /// Device memory in bytes; taken from the host only as it is touched.
    pub memory: u64,
    /// Bytes of local memory a thread may use.
    pub local_per_thread: u32,
}

impl Default for Profile {
    fn default() -> Self {
        Profile {
            name: "Emulated GPU (compute capability 9.0)".to_string(),
            capability: (9, 0),
            multiprocessors: 8,
            threads_per_multiprocessor: 2048,
            blocks_per_multiprocessor: 32,
            registers_per_multiprocessor: 65536,
            shared_per_multiprocessor: 228 * 1024,
            shared_per_block: 48 * 1024,
            shared_per_block_optin: 227 * 1024,
            shared_reserved_per_block: 1024,
            threads_per_block: 1024,
            max_block: [1024, 1024, 64],
            max_grid: [0x7fff_ffff, 65535, 65535],
            warp_size: 32,
            memory: 8 << 30,
            local_per_thread: 512 * 1024,
        }
    }
}

/// Cycles per millisecond: a cycle is a nanosecond.
pub const CLOCK_RATE: u32 = 1_000_000;
/// Warp instructions that a multiprocessor begins in a cycle.
const ISSUED: u64 = 4;
/// Nanoseconds that any launch takes.
const LAUNCH: u64 = 1000;

impl Profile {
    /// Nanoseconds that a launch takes, if its slowest warp took `slowest` and all of them ran so many instructions.
    /// This is what the kernel's own clocks say, and a bound from below for many blocks. It is no estimate of a GPU's
    /// time.
    pub fn launch_time(&self, slowest: u64, warp_instructions: u64) -> u64 {
        LAUNCH + slowest.max(warp_instructions / (u64::from(self.multiprocessors) * ISSUED))
    }

    /// An attribute by its number in `cudaDeviceAttr`, as far as kernels can ask for it.
    pub fn attribute(&self, number: u32) -> Option<u32> {
        Some(match number {
            1 => self.threads_per_block,
            2..=4 => self.max_block[number as usize - 2],
            5..=7 => self.max_grid[number as usize - 5],
            8 => self.shared_per_block,
            9 => 64 * 1024, // Constant memory.
            10 => self.warp_size,
            12 => self.registers_per_multiprocessor,
            13 => CLOCK_RATE,
            16 => self.multiprocessors,
            39 => self.threads_per_multiprocessor,
            75 => self.capability.0,
            76 => self.capability.1,
            81 => self.shared_per_multiprocessor,
            82 => self.registers_per_multiprocessor,
            97 => self.shared_per_block_optin,
            106 => self.blocks_per_multiprocessor,
            111 => self.shared_reserved_per_block,
            _ => return None,
        })
    }

    /// The most registers that each thread may have where `blocks` blocks of `threads` threads are to be resident at
    /// once. Blocks that other limits keep out are not counted.
    pub fn most_registers(&self, threads: u32, blocks: u32) -> u32 {
        let warps = threads.div_ceil(self.warp_size).max(1);
        let by_threads = self.threads_per_multiprocessor / (warps * self.warp_size);
        let blocks = blocks.min(by_threads).min(self.blocks_per_multiprocessor).max(1);
        let per_warp = self.registers_per_multiprocessor / blocks / warps / REGISTER_UNIT * REGISTER_UNIT;
        (per_warp / self.warp_size).min(MOST_REGISTERS)
    }

    /// Blocks of this shape that one multiprocessor holds at a time; 0 where not even one fits.
    pub fn resident_blocks(&self, threads: u32, registers_per_thread: u32, shared_bytes: u32) -> u32 {
        if threads == 0 || threads > self.threads_per_block {
            return 0;
        }
        let warps = threads.div_ceil(self.warp_size);
        let by_threads = self.threads_per_multiprocessor / (warps * self.warp_size);
        let per_warp = (registers_per_thread.max(1) * self.warp_size).next_multiple_of(REGISTER_UNIT);
        let by_registers = self.registers_per_multiprocessor / per_warp / warps;
        let by_shared =
            self.shared_per_multiprocessor / (shared_bytes + self.shared_reserved_per_block).next_multiple_of(128);
        self.blocks_per_multiprocessor.min(by_threads).min(by_registers).min(by_shared)
    }
}
