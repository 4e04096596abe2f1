//! The kernels of `cuda/locks/`, and the search for all executions of one.

use emulator::explore::Bounds;
use emulator::{Device, HostMemory, HostOrder, LaunchConfig, LaunchExecution, LoadedModule, Profile, Program};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The words of each buffer that a kernel takes: all are 0 at first.
const WORDS: usize = 32;

/// An algorithm, as a correct kernel and some that differ from it in one line.
pub struct Algorithm {
    pub name: &'static str,
    pub weakened: [&'static str; 3],
    ptx: &'static str,
    /// Buffers that its kernels take. The last one has the result.
    buffers: usize,
    /// Returns true if the result is right after a launch of this many threads.
    is_right: fn(&[u32], usize) -> bool,
}

pub const CORRECT: &str = "correct";

pub const ALGORITHMS: [Algorithm; 4] = [
    Algorithm {
        name: "cas_lock",
        weakened: ["no_fence", "block_fence", "block_scope"],
        ptx: include_str!("../../../../cuda/ptx/locks/cas_lock.ptx"),
        buffers: 2,
        is_right: counts_all,
    },
    Algorithm {
        name: "ticket_lock",
        weakened: ["no_fence", "block_fence", "block_scope"],
        ptx: include_str!("../../../../cuda/ptx/locks/ticket_lock.ptx"),
        buffers: 3,
        is_right: counts_all,
    },
    Algorithm {
        name: "ttas_lock",
        weakened: ["no_fence", "block_fence", "block_scope"],
        ptx: include_str!("../../../../cuda/ptx/locks/ttas_lock.ptx"),
        buffers: 2,
        is_right: counts_all,
    },
    Algorithm {
        name: "xf_barrier",
        weakened: ["no_fence", "block_fence", "early"],
        ptx: include_str!("../../../../cuda/ptx/locks/xf_barrier.ptx"),
        buffers: 4,
        is_right: all_arrived,
    },
];

/// Each thread has added 1 under the lock.
fn counts_all(sum: &[u32], threads: usize) -> bool {
    sum[0] as usize == threads
}

/// Each thread has seen what one of another block wrote before the barrier.
fn all_arrived(result: &[u32], threads: usize) -> bool {
    result[..threads].iter().all(|&seen| seen == 1)
}

/// The executions of a launch, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub executions: u64,
    pub is_complete: bool,
    /// Executions with at least one of the following.
    pub wrong: u64,
    /// Those with a data race, without an end, and with a wrong result.
    pub racing: u64,
    pub endless: u64,
    pub mistaken: u64,
}

impl Algorithm {
    /// Visits all executions of a kernel with this many blocks and threads in a block, within bounds.
    pub fn explore(&self, variant: &str, [blocks, threads]: [u32; 2], bounds: Bounds) -> Found {
        let mut device = Device::new(Profile::default());
        let (module, kernel) = self.load(&mut device, variant);
        let buffers: Vec<u64> = (0..self.buffers).map(|_| zeroed(&mut device)).collect();
        let parameters: Vec<u8> = buffers.iter().flat_map(|buffer| buffer.to_le_bytes()).collect();
        let result = *buffers.last().expect("each kernel has a result");
        let shape = LaunchConfig {
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let mut counted = Counted::default();
        let mut visit = |execution: &LaunchExecution| {
            let is_right = (self.is_right)(&words(execution, result), (blocks * threads) as usize);
            counted.add(execution, is_right);
            ControlFlow::Continue(())
        };
        let summary = device.explore(&module, kernel, &shape, &parameters, bounds, &mut visit).expect("it launches");
        assert_eq!(summary.refused, None, "{} {variant}", self.name);
        Found { executions: summary.executions, is_complete: summary.is_complete, ..counted.finish() }
    }

    fn load(&self, device: &mut Device, variant: &str) -> (LoadedModule, usize) {
        let program = Arc::new(Program::from_ptx(&[self.ptx]).expect("nvcc wrote it"));
        let name = format!("{}_{variant}", self.name);
        let kernel = program.kernels().iter().position(|kernel| kernel.name == name);
        (device.load(&program).expect("it loads"), kernel.unwrap_or_else(|| panic!("no kernel {name}")))
    }
}

fn zeroed(device: &mut Device) -> u64 {
    let bytes = 4 * WORDS as u64;
    let buffer = device.allocate(bytes, HostMemory::Device).expect("there is room");
    device.fill(buffer, &[0], bytes, &HostOrder::default()).expect("it is there");
    buffer
}

fn words(execution: &LaunchExecution, buffer: u64) -> Vec<u32> {
    let mut bytes = [0; 4 * WORDS];
    execution.memory.region(buffer).expect("it is there").read_bytes(buffer, &mut bytes);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// Counts executions. One that may leave several memories comes several times, and is wrong if one of these is.
#[derive(Default)]
struct Counted {
    found: Found,
    round: u64,
    number: u64,
    /// The last execution: whether it races, has no end, and has a wrong result.
    last: [bool; 3],
}

impl Counted {
    fn add(&mut self, execution: &LaunchExecution, is_right: bool) {
        if execution.round != self.round {
            *self = Counted { round: execution.round, ..Counted::default() };
        } else if execution.number != self.number {
            self.close();
        }
        self.number = execution.number;
        let is_endless = execution.graph.is_deadlock;
        let signs = [!execution.graph.races.is_empty(), is_endless, !is_endless && !is_right];
        self.last = [0, 1, 2].map(|sign| self.last[sign] | signs[sign]);
    }

    fn close(&mut self) {
        let [races, is_endless, is_mistaken] = std::mem::take(&mut self.last);
        self.found.racing += u64::from(races);
        self.found.endless += u64::from(is_endless);
        self.found.mistaken += u64::from(is_mistaken);
        self.found.wrong += u64::from(races || is_endless || is_mistaken);
    }

    fn finish(mut self) -> Found {
        self.close();
        self.found
    }
}
