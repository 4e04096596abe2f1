//! Counters of a launch: the names, what each means, and sums by launch and by source line.
//!
//! A counter is named as NVIDIA Nsight Compute names the same thing, where it has a name. [`CounterLevel::Program`]
//! marks what the program asks of the hardware (requests, sectors, bank conflicts, atomics, barriers): a GPU counts the
//! same for the same launch, unless the assembler drops or splits an access. [`CounterLevel::Ptx`] marks what is
//! counted in PTX instructions: a GPU runs SASS, which has fewer or more of them, so these compare between kernels and
//! not with a GPU.
//!
//! The model of the memory pipeline is in `checker/src/counters/memory.rs`.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Index, IndexMut};

/// The kind of behaviour that a counter's value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterLevel {
    /// The kernel, its launch and the schedule.
    Program,
    /// Also on the compiler: counted in PTX instructions, where a GPU counts SASS.
    Ptx,
}

macro_rules! counters {
    ($($counter:ident $level:ident $name:literal,)*) => {
        /// A number that adds up over instructions, lines and launches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Counter { $($counter,)* }

        impl Counter {
            pub const ALL: &[Counter] = &[$(Counter::$counter,)*];

            /// Nsight Compute's name without `.sum`; a name without `__` is ours. `report` says by it what is counted.
            pub fn name(self) -> &'static str {
                match self { $(Counter::$counter => $name,)* }
            }

            pub fn level(self) -> CounterLevel {
                match self { $(Counter::$counter => CounterLevel::$level,)* }
            }
        }
    };
}

counters! {
    Blocks Program "launch__grid_size",
    Warps Program "smsp__warps_launched",
    Threads Program "launch__thread_count",
    HostLaunches Program "launches_from_host",
    DeviceLaunches Program "launches_from_device",

    Instructions Ptx "smsp__inst_executed",
    ThreadInstructions Ptx "smsp__thread_inst_executed",
    ThreadInstructionsOn Ptx "smsp__thread_inst_executed_pred_on",

    Integer Ptx "smsp__sass_thread_inst_executed_op_integer_pred_on",
    Fp16 Ptx "smsp__sass_thread_inst_executed_op_fp16_pred_on",
    Fp32 Ptx "smsp__sass_thread_inst_executed_op_fp32_pred_on",
    Fp64 Ptx "smsp__sass_thread_inst_executed_op_fp64_pred_on",
    Conversion Ptx "smsp__sass_thread_inst_executed_op_conversion_pred_on",
    Control Ptx "smsp__sass_thread_inst_executed_op_control_pred_on",
    Memory Ptx "smsp__sass_thread_inst_executed_op_memory_pred_on",
    Constant Ptx "op_constant",
    InterThread Ptx "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on",
    Synchronisation Ptx "op_synchronisation",
    Misc Ptx "smsp__sass_thread_inst_executed_op_misc_pred_on",

    Branches Ptx "smsp__inst_executed_op_branch",
    DivergentBranches Ptx "smsp__sass_branch_targets_threads_divergent",
    LoopIterations Ptx "loop_rounds",

    GlobalLoads Program "smsp__inst_executed_op_global_ld",
    GlobalLoadRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    GlobalLoadSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    GlobalLoadBytes Program "smsp__sass_data_bytes_mem_global_op_ld",
    GlobalStores Program "smsp__inst_executed_op_global_st",
    GlobalStoreRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    GlobalStoreSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    GlobalStoreBytes Program "smsp__sass_data_bytes_mem_global_op_st",
    GlobalAtomics Program "smsp__inst_executed_op_global_atom",
    GlobalAtomicRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_atom",
    GlobalAtomicSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_atom",
    GlobalReductions Program "smsp__inst_executed_op_global_red",
    GlobalReductionRequests Program "l1tex__t_requests_pipe_lsu_mem_global_op_red",
    GlobalReductionSectors Program "l1tex__t_sectors_pipe_lsu_mem_global_op_red",

    AsyncCopies Program "smsp__inst_executed_op_ldgsts",
    AsyncCopyBytes Program "smsp__sass_data_bytes_mem_global_op_ldgsts",

    LocalLoadRequests Ptx "l1tex__t_requests_pipe_lsu_mem_local_op_ld",
    LocalLoadSectors Ptx "l1tex__t_sectors_pipe_lsu_mem_local_op_ld",
    LocalStoreRequests Ptx "l1tex__t_requests_pipe_lsu_mem_local_op_st",
    LocalStoreSectors Ptx "l1tex__t_sectors_pipe_lsu_mem_local_op_st",

    SharedLoads Program "smsp__inst_executed_op_shared_ld",
    SharedLoadWavefronts Program "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
    SharedLoadConflicts Program "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    SharedStores Program "smsp__inst_executed_op_shared_st",
    SharedStoreWavefronts Program "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
    SharedStoreConflicts Program "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    SharedAtomics Program "smsp__inst_executed_op_shared_atom",

    AtomicOperations Program "atomic_operations",
    AtomicConflicts Program "atomic_conflicts_in_warp",
    AtomicRounds Program "atomic_rounds",

    Barriers Program "barriers",
    BarrierArrivals Program "barrier_arrivals",
    BarrierWaits Program "barrier_waits",
    WarpMeetings Program "warp_meetings",
    WarpWaits Program "warp_waits",
    Fences Program "fences",
}

macro_rules! ratios {
    ($($ratio:ident $name:literal: $over:ident / $under:ident $(* $scale:literal)?,)*) => {
        /// A quotient of two counters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Ratio { $($ratio,)* }

        impl Ratio {
            pub const ALL: &[Ratio] = &[$(Ratio::$ratio,)*];

            /// Nsight Compute's name; a name without `__` is ours.
            pub fn name(self) -> &'static str {
                match self { $(Ratio::$ratio => $name,)* }
            }

            /// `None` where there is nothing to divide by.
            pub fn of(self, totals: &Totals) -> Option<f64> {
                let (over, under, scale) = match self {
                    $(Ratio::$ratio => (Counter::$over, Counter::$under, 1.0 $(* $scale)?),)*
                };
                (totals[under] != 0).then(|| totals[over] as f64 / totals[under] as f64 * scale)
            }

            pub fn level(self) -> CounterLevel {
                match self { $(Ratio::$ratio => Counter::$over.level(),)* }
            }
        }
    };
}

ratios! {
    ThreadsPerInstruction "smsp__thread_inst_executed_per_inst_executed.ratio": ThreadInstructions / Instructions,
    LoadSectorsPerRequest "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio":
        GlobalLoadSectors / GlobalLoadRequests,
    StoreSectorsPerRequest "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio":
        GlobalStoreSectors / GlobalStoreRequests,
    LoadBytesPerRequest "bytes_per_global_load": GlobalLoadBytes / GlobalLoadRequests,
    LoadBytesPerSector "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio":
        GlobalLoadBytes / GlobalLoadSectors,
    StoreBytesPerSector "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio":
        GlobalStoreBytes / GlobalStoreSectors,
    SharedLoadWays "passes_per_shared_load": SharedLoadWavefronts / SharedLoads,
    SharedStoreWays "passes_per_shared_store": SharedStoreWavefronts / SharedStores,
    AtomicRoundsPerOperation "atomic_rounds_per_operation": AtomicRounds / AtomicOperations,
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
pub struct LaunchCounts {
    pub totals: Totals,
    /// By the user's own line: an instruction that comes from CUDA's headers counts where they were used. What belongs
    /// to no instruction (blocks, launches) is in `totals` only.
    pub lines: BTreeMap<LineName, Totals>,
    /// Addresses that atomics went to. A block's shared memory counts apart from another's.
    pub atomic_addresses: u64,
    /// Operations on the address with the most of them.
    pub busiest_address: u64,
    /// Instructions of the thread with the most of them. An iteration that leaves all its registers as they were, as
    /// one that waits for a flag, does not count.
    pub busiest_thread: u64,
    /// Elements of memory that the thread with the most of them loaded, stored or updated, without those iterations.
    pub most_accesses: u64,
    /// The number of threads that stored to each allocation of global memory, or did an atomic operation there, by its
    /// address.
    pub writers: BTreeMap<u64, u64>,
}

impl LaunchCounts {
    /// Takes another launch in. Its atomics may have gone to the same addresses: their number becomes an upper
    /// bound, and the busiest address and the busiest thread stay those of one launch.
    pub fn absorb(&mut self, other: &LaunchCounts) {
        self.totals += &other.totals;
        for (name, totals) in &other.lines {
            *self.lines.entry(name.clone()).or_default() += totals;
        }
        self.atomic_addresses += other.atomic_addresses;
        self.busiest_address = self.busiest_address.max(other.busiest_address);
        self.busiest_thread = self.busiest_thread.max(other.busiest_thread);
        self.most_accesses = self.most_accesses.max(other.most_accesses);
        for (base, threads) in &other.writers {
            *self.writers.entry(*base).or_default() += threads;
        }
    }

    /// Returns the sums over the lines of `file` that `is_in` names; a file is known by its end: `lesson04/sum.cu`.
    pub fn on_lines(&self, file: &str, is_in: impl Fn(u32) -> bool) -> Totals {
        let mut sum = Totals::default();
        let here = self.lines.iter().filter(|(name, _)| name.file.ends_with(file) && is_in(name.line));
        here.for_each(|(_, totals)| sum += totals);
        sum
    }
}

impl Index<Counter> for LaunchCounts {
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
        let mut one = LaunchCounts { atomic_addresses: 3, busiest_address: 5, ..LaunchCounts::default() };
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
