//! What a launch did, counted: the names, what each means, and sums by launch and by source line.
//!
//! A counter is named as NVIDIA Nsight Compute names the same thing, where it has a name. [`Level::Program`] marks what
//! the program asks of the hardware (requests, sectors, bank conflicts, atomics, barriers): a GPU counts the same for
//! the same launch, unless the assembler drops or splits an access. [`Level::Ptx`] marks what is counted in PTX
//! instructions: a GPU runs SASS, which has fewer or more of them, so these compare between kernels and not with a GPU.
//!
//! The model of the memory pipeline is in `checker/src/counters/memory.rs`.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Index, IndexMut};

/// What a counter's value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The kernel, its launch and the schedule.
    Program,
    /// Also on the compiler: counted in PTX instructions, where a GPU counts SASS.
    Ptx,
}

macro_rules! counters {
    ($($counter:ident $level:ident $name:literal $meaning:literal,)*) => {
        /// A number that adds up over instructions, lines and launches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Counter { $($counter,)* }

        impl Counter {
            pub const ALL: &[Counter] = &[$(Counter::$counter,)*];

            /// Nsight Compute's name without `.sum`; a name without `__` is ours.
            pub fn name(self) -> &'static str {
                match self { $(Counter::$counter => $name,)* }
            }

            /// In plain words.
            pub fn meaning(self) -> &'static str {
                match self { $(Counter::$counter => $meaning,)* }
            }

            pub fn level(self) -> Level {
                match self { $(Counter::$counter => Level::$level,)* }
            }
        }
    };
}

counters! {
    Blocks Program "launch__grid_size" "blocks",
    Warps Program "smsp__warps_launched" "warps",
    Threads Program "launch__thread_count" "threads",
    HostLaunches Program "launches_from_host" "launches by the host",
    DeviceLaunches Program "launches_from_device" "launches by the device",

    Instructions Ptx "smsp__inst_executed" "warp instructions",
    ThreadInstructions Ptx "smsp__thread_inst_executed" "thread instructions, guarded-off ones included",
    ThreadInstructionsOn Ptx "smsp__thread_inst_executed_pred_on" "thread instructions that took effect",

    Integer Ptx "smsp__sass_thread_inst_executed_op_integer_pred_on" "thread instructions: integer and logic",
    Fp16 Ptx "smsp__sass_thread_inst_executed_op_fp16_pred_on" "thread instructions: half precision",
    Fp32 Ptx "smsp__sass_thread_inst_executed_op_fp32_pred_on" "thread instructions: single precision",
    Fp64 Ptx "smsp__sass_thread_inst_executed_op_fp64_pred_on" "thread instructions: double precision",
    Conversion Ptx "smsp__sass_thread_inst_executed_op_conversion_pred_on" "thread instructions: conversions",
    Control Ptx "smsp__sass_thread_inst_executed_op_control_pred_on" "thread instructions: branches, calls, ends",
    Memory Ptx "smsp__sass_thread_inst_executed_op_memory_pred_on" "thread instructions: loads, stores, atomics",
    Constant Ptx "op_constant" "thread instructions: parameters and constants",
    InterThread Ptx "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on"
        "thread instructions: shuffles, votes, matches",
    Synchronisation Ptx "op_synchronisation" "thread instructions: barriers and fences",
    Misc Ptx "smsp__sass_thread_inst_executed_op_misc_pred_on" "thread instructions: moves and the rest",

    Branches Ptx "smsp__inst_executed_op_branch" "branches of a warp",
    DivergentBranches Ptx "smsp__sass_branch_targets_threads_divergent" "branches that split a warp",
    LoopIterations Ptx "loop_rounds" "rounds of loops, by warps: branches back, taken or not",

    GlobalLoads Program "smsp__inst_executed_op_global_ld" "global loads of a warp",
    GlobalLoadRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_ld" "global load requests, those of cp.async with them",
    GlobalLoadSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_ld" "32-byte sectors of global loads and of cp.async",
    GlobalLoadBytes Program "smsp__sass_data_bytes_mem_global_op_ld" "bytes that threads load from global memory",
    GlobalStores Program "smsp__inst_executed_op_global_st" "global stores of a warp",
    GlobalStoreRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_st" "global store requests",
    GlobalStoreSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_st" "32-byte sectors of global stores",
    GlobalStoreBytes Program "smsp__sass_data_bytes_mem_global_op_st" "bytes that threads store to global memory",
    GlobalAtomics Program "smsp__inst_executed_op_global_atom" "global atomics of a warp, old value used",
    GlobalAtomicRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_atom" "global atomic requests, old value used",
    GlobalAtomicSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_atom" "32-byte sectors of global atomics",
    GlobalReductions Program "smsp__inst_executed_op_global_red" "global atomics of a warp, old value not used",
    GlobalReductionRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_red"
        "global atomic requests, old value not used",
    GlobalReductionSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_red"
        "32-byte sectors of global atomics, old value not used",

    AsyncCopies Program "smsp__inst_executed_op_ldgsts" "copies from global to shared memory that a warp starts (cp.async)",
    AsyncCopyBytes Program "smsp__sass_data_bytes_mem_global_op_ldgsts" "bytes that such copies take from global memory",

    LocalLoadRequests Ptx "l1tex__t_requests_pipe_lsu_mem_local_op_ld" "local load requests",
    LocalLoadSectors Ptx "l1tex__t_sectors_pipe_lsu_mem_local_op_ld" "32-byte sectors of local loads",
    LocalStoreRequests Ptx "l1tex__t_requests_pipe_lsu_mem_local_op_st" "local store requests",
    LocalStoreSectors Ptx "l1tex__t_sectors_pipe_lsu_mem_local_op_st" "32-byte sectors of local stores",

    SharedLoads Program "smsp__inst_executed_op_shared_ld" "shared loads of a warp",
    SharedLoadWavefronts Program "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld" "passes that shared loads take",
    SharedLoadConflicts Program "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"
        "passes more, by bank conflicts of loads",
    SharedStores Program "smsp__inst_executed_op_shared_st" "shared stores of a warp",
    SharedStoreWavefronts Program "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st" "passes that shared stores take",
    SharedStoreConflicts Program "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st"
        "passes more, by bank conflicts of stores",
    SharedAtomics Program "smsp__inst_executed_op_shared_atom" "shared atomics of a warp",

    AtomicOperations Program "atomic_operations" "atomic operations of threads",
    AtomicConflicts Program "atomic_conflicts_in_warp" "atomic operations that meet another of their warp at one address",
    AtomicRounds Program "atomic_rounds" "rounds of atomics, where a warp's operations on one address go one by one",

    Barriers Program "barriers" "block barriers completed",
    BarrierArrivals Program "barrier_arrivals" "arrivals of warps at block barriers",
    BarrierWaits Program "barrier_waits" "arrivals that had to wait",
    WarpMeetings Program "warp_meetings" "meetings of a warp: shuffles, votes, __syncwarp()",
    WarpWaits Program "warp_waits" "groups of lanes that had to wait for others of their warp",
    Fences Program "fences" "fences of a warp",
}

macro_rules! ratios {
    ($($ratio:ident $name:literal $meaning:literal: $over:ident / $under:ident $(* $scale:literal)?,)*) => {
        /// A quotient of two counters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Ratio { $($ratio,)* }

        impl Ratio {
            pub const ALL: &[Ratio] = &[$(Ratio::$ratio,)*];

            /// Nsight Compute's name; a name without `__` is ours.
            pub fn name(self) -> &'static str {
                match self { $(Ratio::$ratio => $name,)* }
            }

            pub fn meaning(self) -> &'static str {
                match self { $(Ratio::$ratio => $meaning,)* }
            }

            /// `None` where there is nothing to divide by.
            pub fn of(self, totals: &Totals) -> Option<f64> {
                let (over, under, scale) = match self {
                    $(Ratio::$ratio => (Counter::$over, Counter::$under, 1.0 $(* $scale)?),)*
                };
                (totals[under] != 0).then(|| totals[over] as f64 / totals[under] as f64 * scale)
            }

            pub fn level(self) -> Level {
                match self { $(Ratio::$ratio => Counter::$over.level(),)* }
            }
        }
    };
}

ratios! {
    ThreadsPerInstruction "smsp__thread_inst_executed_per_inst_executed.ratio" "threads in a warp instruction":
        ThreadInstructions / Instructions,
    LoadSectorsPerRequest "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
        "32-byte sectors of a global load": GlobalLoadSectors / GlobalLoadRequests,
    StoreSectorsPerRequest "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"
        "32-byte sectors of a global store": GlobalStoreSectors / GlobalStoreRequests,
    LoadBytesPerRequest "bytes_per_global_load" "bytes that a global load of a warp brings":
        GlobalLoadBytes / GlobalLoadRequests,
    LoadBytesPerSector "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"
        "bytes used of each 32-byte sector loaded": GlobalLoadBytes / GlobalLoadSectors,
    StoreBytesPerSector "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"
        "bytes used of each 32-byte sector stored": GlobalStoreBytes / GlobalStoreSectors,
    SharedLoadWays "passes_per_shared_load" "passes of a shared load": SharedLoadWavefronts / SharedLoads,
    SharedStoreWays "passes_per_shared_store" "passes of a shared store": SharedStoreWavefronts / SharedStores,
    AtomicRoundsPerOperation "atomic_rounds_per_operation" "rounds for each atomic operation":
        AtomicRounds / AtomicOperations,
}

/// Something to show: a counter or a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    Sum(Counter),
    Per(Ratio),
}

impl Metric {
    pub fn name(self) -> &'static str {
        match self {
            Metric::Sum(counter) => counter.name(),
            Metric::Per(ratio) => ratio.name(),
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Metric::Sum(counter) => counter.meaning(),
            Metric::Per(ratio) => ratio.meaning(),
        }
    }

    /// 0 for a ratio with nothing to divide by.
    pub fn of(self, totals: &Totals) -> f64 {
        match self {
            Metric::Sum(counter) => totals[counter] as f64,
            Metric::Per(ratio) => ratio.of(totals).unwrap_or(0.0),
        }
    }
}

/// Every counter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals([u64; Counter::ALL.len()]);

impl Default for Totals {
    fn default() -> Self {
        Totals([0; Counter::ALL.len()])
    }
}

impl Index<Counter> for Totals {
    type Output = u64;
    fn index(&self, counter: Counter) -> &u64 {
        &self.0[counter as usize]
    }
}

impl IndexMut<Counter> for Totals {
    fn index_mut(&mut self, counter: Counter) -> &mut u64 {
        &mut self.0[counter as usize]
    }
}

impl AddAssign<&Totals> for Totals {
    fn add_assign(&mut self, other: &Totals) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, value)| *sum += value);
    }
}

impl Totals {
    /// Those that are not zero, in the order of the table.
    pub fn counted(&self) -> impl Iterator<Item = (Counter, u64)> + '_ {
        Counter::ALL.iter().map(|&counter| (counter, self[counter])).filter(|&(_, value)| value != 0)
    }
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineName {
    pub file: String,
    pub line: u32,
}

/// One launch, or several added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    pub totals: Totals,
    /// By the user's own line: an instruction that comes from CUDA's headers counts where they were used. What belongs to
    /// no instruction (blocks, launches) is in `totals` only.
    pub lines: BTreeMap<LineName, Totals>,
    /// Addresses that atomics went to. A block's shared memory counts apart from another's.
    pub atomic_addresses: u64,
    /// Operations on the address with the most of them.
    pub busiest_address: u64,
    /// How many threads stored to an allocation of global memory, or did an atomic operation there, by its address.
    pub writers: BTreeMap<u64, u64>,
}

impl Counted {
    /// Takes another launch in. Its atomics may have gone to the same addresses: their number becomes an upper
    /// bound, and the busiest address stays that of one launch.
    pub fn absorb(&mut self, other: &Counted) {
        self.totals += &other.totals;
        for (name, totals) in &other.lines {
            *self.lines.entry(name.clone()).or_default() += totals;
        }
        self.atomic_addresses += other.atomic_addresses;
        self.busiest_address = self.busiest_address.max(other.busiest_address);
        for (base, threads) in &other.writers {
            *self.writers.entry(*base).or_default() += threads;
        }
    }

    /// What the lines of `file` that `is_in` names add up to; a file is known by its end: `lesson04/sum.cu`.
    pub fn on_lines(&self, file: &str, is_in: impl Fn(u32) -> bool) -> Totals {
        let mut sum = Totals::default();
        let here = self.lines.iter().filter(|(name, _)| name.file.ends_with(file) && is_in(name.line));
        here.for_each(|(_, totals)| sum += totals);
        sum
    }
}

impl Index<Counter> for Counted {
    type Output = u64;
    fn index(&self, counter: Counter) -> &u64 {
        &self.totals[counter]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_name_is_used_once() {
        let names: Vec<&str> =
            Counter::ALL.iter().map(|c| c.name()).chain(Ratio::ALL.iter().map(|r| r.name())).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    }

    #[test]
    fn a_ratio_of_nothing_is_none() {
        let mut totals = Totals::default();
        assert_eq!(Ratio::LoadSectorsPerRequest.of(&totals), None);
        totals[Counter::GlobalLoadRequests] = 2;
        totals[Counter::GlobalLoadSectors] = 7;
        assert_eq!(Ratio::LoadSectorsPerRequest.of(&totals), Some(3.5));
    }

    #[test]
    fn launches_add_up_and_the_busiest_address_does_not() {
        let mut one = Counted { atomic_addresses: 3, busiest_address: 5, ..Counted::default() };
        one.totals[Counter::Fences] = 2;
        let name = LineName { file: "/a/b.cu".into(), line: 4 };
        one.lines.insert(name.clone(), one.totals);
        let mut both = one.clone();
        both.absorb(&one);
        assert_eq!((both[Counter::Fences], both.lines[&name][Counter::Fences]), (4, 4));
        assert_eq!((both.atomic_addresses, both.busiest_address), (6, 5));
        assert_eq!(both.on_lines("b.cu", |line| line == 4)[Counter::Fences], 4);
        assert_eq!(both.on_lines("b.cu", |line| line == 5)[Counter::Fences], 0);
    }
}
