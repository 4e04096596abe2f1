//! The state of a context: its memory, its objects, and the work that waits in its streams.
//!
//! A fault is sticky, as on hardware: from then on every call that needs the context returns its code.

use super::advice::AdviceMap;
use super::captures::Captures;
use super::conditions::Conditions;
use super::graph_memory::GraphMemories;
use super::managed::{self, Managed};
use super::objects::{Array, Event, Function, ImageObject, MipmappedArray, Module, Stream};
use super::shared_memory::SharedMemories;
use super::virtual_memory::VirtualMemory;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::settings;
use crate::emulated::findings::again::Budget;
use crate::emulated::findings::explored::Explorations;
use crate::emulated::findings::read_back::ReadBacks;
use crate::emulated::findings::report::Reports;
use crate::emulated::queue::{self, NextStep, StreamMark, VectorClock};
use cust_raw::{CUfunc_cache, CUfunc_cache_enum, CUresult, CUsharedconfig, CUsharedconfig_enum};
use emulator::{Allocation, Device, Fault, HostOrder, Profile};
use std::collections::BTreeMap;

/// Everything behind a context's lock.
pub(crate) struct ContextState {
    /// Goes before the memory that it has protected.
    pub(crate) managed: Managed,
    pub(crate) advice: AdviceMap,
    pub(crate) device: Device,
    pub(crate) queue: ContextQueue,
    pub(crate) reports: Reports,
    /// For running launches again under other schedules.
    pub(crate) budget: Budget,
    pub(crate) explorations: Explorations,
    /// The memory that the last launch left under another schedule, where that matters.
    pub(crate) left_elsewhere: Option<Device>,
    /// Copies whose findings wait.
    pub(crate) read_back: ReadBacks,
    fault: Option<CUresult>,
    /// A limit of the emulator's that a launch met: returned by the next wait, once.
    refused: Option<CUresult>,
    pub(crate) modules: BTreeMap<u64, Module>,
    pub(crate) functions: BTreeMap<u64, Function>,
    /// The modules of the libraries that were needed here, by library.
    pub(crate) libraries: BTreeMap<u64, u64>,
    pub(crate) streams: BTreeMap<u64, Stream>,
    /// The per-thread default streams by thread, made at first use.
    pub(crate) thread_streams: BTreeMap<u64, u64>,
    pub(crate) events: BTreeMap<u64, Event>,
    pub(crate) captures: Captures,
    pub(crate) graph_memories: GraphMemories,
    pub(crate) conditions: Conditions,
    pub(crate) virtual_memory: VirtualMemory,
    /// Goes after the memory that lies in it.
    pub(crate) shared: SharedMemories,
    pub(crate) arrays: BTreeMap<u64, Array>,
    pub(crate) mipmapped_arrays: BTreeMap<u64, MipmappedArray>,
    /// Texture and surface objects.
    pub(crate) images: BTreeMap<u64, ImageObject>,
    /// Flags of page-locked and registered host memory by address.
    pub(crate) host_flags: BTreeMap<u64, u32>,
    pub(crate) limits: BTreeMap<u32, usize>,
    /// Which allocation of the program's began at an address, the first one being 1.
    pub(crate) owned: BTreeMap<u64, u64>,
    pub(crate) allocations: u64,
    /// By address, the bytes that `cuStreamWriteValue` last wrote there, and the clock of its stream.
    pub(crate) stream_values: BTreeMap<u64, (Vec<u8>, VectorClock)>,
    pub(crate) cache_config: CUfunc_cache,
    pub(crate) shared_config: CUsharedconfig,
}

pub(crate) type ContextQueue = queue::StreamQueues<ContextState>;
pub(crate) type StreamWork = queue::Work<ContextState>;

/// The device that is emulated.
pub fn profile() -> Profile {
    Profile::default()
}

impl ContextState {
    pub(crate) fn new() -> ContextState {
        let mut device = Device::new(profile());
        device.configure(settings::config());
        if settings::notes_partial_copies() {
            device.note_partial_copies();
            device.note_volatile_pairs();
            device.note_exits_before_barriers();
        }
        ContextState {
            device,
            queue: ContextQueue::new(),
            reports: Reports::default(),
            budget: Budget::default(),
            explorations: Explorations::default(),
            left_elsewhere: None,
            read_back: ReadBacks::default(),
            fault: None,
            refused: None,
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            libraries: BTreeMap::new(),
            streams: BTreeMap::new(),
            thread_streams: BTreeMap::new(),
            events: BTreeMap::new(),
            captures: Captures::default(),
            graph_memories: GraphMemories::default(),
            conditions: Conditions::default(),
            virtual_memory: VirtualMemory::default(),
            shared: SharedMemories::default(),
            managed: Managed::default(),
            advice: AdviceMap::default(),
            arrays: BTreeMap::new(),
            mipmapped_arrays: BTreeMap::new(),
            images: BTreeMap::new(),
            host_flags: BTreeMap::new(),
            limits: BTreeMap::new(),
            owned: BTreeMap::new(),
            allocations: 0,
            stream_values: BTreeMap::new(),
            cache_config: CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE,
            shared_config: CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
        }
    }

    /// Shows what kernels have printed, and what was found.
    pub(crate) fn say(&mut self) {
        let is_idle = self.fault.is_some() || matches!(self.queue.step_to_empty(), NextStep::Reached);
        self.reports.print(is_idle);
    }

    /// Checks the accesses of the program since the last call.
    pub(crate) fn hear_host(&mut self) {
        let notes = managed::take_notes();
        if notes.is_empty() {
            return;
        }
        let order = self.queue.host_order();
        for (address, writes) in notes {
            if let Some(copy) = self.managed.copy_beside(address, writes)
                && let Some(finding) = self.device.host_access_beside_copy(address, writes, copy)
            {
                self.reports.moved(vec![finding]);
            }
            // The memory may belong to another context; it is not known here then.
            if let Ok(findings) = self.device.host_access(address, writes, &order) {
                self.reports.moved(findings);
            }
        }
    }

    /// Reports the findings of copies that have waited for what the program does next.
    pub(crate) fn settle_read_back(&mut self) {
        self.read_back.settle(&mut self.reports);
    }

    /// Returns the error that the context is lost to, if it is.
    pub(crate) fn fault(&self) -> Option<CUresult> {
        self.fault
    }

    /// Returns the error of a wait: the context's fault, or else a limit that was met since the last wait.
    pub(crate) fn take_error(&mut self) -> Option<CUresult> {
        let refused = self.refused.take();
        self.fault.or(refused)
    }

    /// The context is lost to this error. Callbacks that are to hear of it do, on a thread of ours.
    pub(crate) fn fail(&mut self, code: CUresult) {
        if self.fault.is_some() {
            return;
        }
        self.fault = Some(code);
        let calls = self.queue.abandon();
        self.managed.abandon();
        if !calls.is_empty() {
            std::thread::spawn(move || calls.into_iter().for_each(|host| host.run(code)));
        }
    }

    /// Returns true if work that is under way is not to go on: a fault, or a limit that nobody has heard of yet.
    pub(crate) fn is_stopped(&self) -> bool {
        self.fault.is_some() || self.refused.is_some()
    }

    /// Takes the context back from the error that it was lost to. Work that was queued then stays abandoned.
    pub(crate) fn recover(&mut self) {
        self.fault = None;
    }

    /// A launch met a limit of the emulator's.
    pub(crate) fn refuse(&mut self, code: CUresult) {
        self.refused.get_or_insert(code);
    }

    /// Sets the error for the fault that ended a kernel, as a GPU reports it.
    pub(crate) fn fail_with(&mut self, fault: &Fault) {
        let code = match fault {
            Fault::IllegalAddress => CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
            Fault::MisalignedAddress => CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
            Fault::IllegalInstruction => CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
            Fault::Assert => CUresult::CUDA_ERROR_ASSERT,
            Fault::LaunchFailed => CUresult::CUDA_ERROR_LAUNCH_FAILED,
            Fault::Timeout | Fault::InstructionLimit => CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
            Fault::StackOverflow => CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR,
            Fault::Internal(text) => {
                words::complain(&say!("emulator-error", text));
                CUresult::CUDA_ERROR_UNKNOWN
            }
        };
        self.fail(code);
    }

    /// Queues device work in a stream.
    pub(crate) fn submit(
        &mut self,
        key: u64,
        work: impl FnOnce(&mut ContextState, &HostOrder) + Send + 'static,
    ) -> CallResult<StreamMark> {
        self.not_captured(key)?;
        Ok(self.queue.submit(key, &[], StreamWork::device(work)))
    }

    /// Returns true if work of a stream is to become nodes ([`Captures::is_captured`]).
    pub(crate) fn is_captured(&mut self, stream: u64) -> CallResult<bool> {
        self.captures.is_captured(stream, &self.streams)
    }

    /// Refuses work that cannot be a node ([`Captures::not_captured`]).
    pub(crate) fn not_captured(&mut self, stream: u64) -> CallResult {
        self.captures.not_captured(stream, &self.streams)
    }

    /// The range must lie in one live allocation, as for every copy and fill.
    pub(crate) fn check_range(&self, address: u64, bytes: usize) -> CallResult<Allocation> {
        let allocation = self.allocation(address).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        match address.checked_add(bytes as u64) {
            Some(end) if end <= allocation.base + allocation.bytes => Ok(allocation),
            _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    }

    pub(crate) fn array(&self, array: u64) -> CallResult<&Array> {
        self.arrays.get(&array).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    pub(crate) fn mipmapped_array(&self, array: u64) -> CallResult<&MipmappedArray> {
        self.mipmapped_arrays.get(&array).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    pub(crate) fn function(&self, function: u64) -> CallResult<&Function> {
        self.functions.get(&function).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }
}
