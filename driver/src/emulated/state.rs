//! The state of a context, and the loop that runs its queued work.
//!
//! One lock for each context and none around them: contexts on several host threads run side by side, kernels included.
//! A fault is sticky, as on hardware: from then on every call that needs the context returns its code.

use super::again::Budget;
use super::capture::Capture;
use super::listen;
use super::managed::Managed;
use super::objects::{Array, Event, Function, Module, Stream};
use super::outcome::Outcome;
use super::queue::{self, HostCall, Mark, Step};
use super::read_back::ReadBack;
use super::report::Reports;
use super::thread::with_stack;
use cust_raw::{CUfunc_cache, CUfunc_cache_enum, CUresult, CUsharedconfig, CUsharedconfig_enum};
use emulator::{Device, Fault, Order, Profile};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

pub(crate) struct Context {
    pub(crate) handle: u64,
    pub(crate) flags: AtomicU32,
    state: Mutex<State>,
    /// Signalled when a host function has ended.
    progress: Condvar,
    /// Threads that run an operation for a query, and what is signalled when one has ended.
    queries: Mutex<u32>,
    query_done: Condvar,
}

/// The time that a query waits for the work that it has begun. A kernel that waits for the host goes on after it.
const PATIENCE: Duration = Duration::from_millis(100);
/// Stack of a thread that runs an operation: as much as a program's first thread has.
const STACK: usize = 8 << 20;

/// Counts a thread that runs an operation for a query, however that ends.
struct Query(Arc<Context>);

impl Query {
    fn begin(context: &Arc<Context>) -> Query {
        *context.queries.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Query(context.clone())
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        *self.0.queries.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.query_done.notify_all();
    }
}

/// Everything behind a context's lock.
pub(crate) struct State {
    /// Goes before the memory that it has protected.
    pub(crate) managed: Managed,
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) reports: Reports,
    /// For running launches again under other schedules.
    pub(crate) budget: Budget,
    /// The memory that the last launch left under another schedule, where that matters.
    pub(crate) left_elsewhere: Option<Device>,
    /// Copies whose findings wait.
    pub(crate) read_back: Vec<ReadBack>,
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
    pub(crate) captures: Vec<Capture>,
    pub(crate) arrays: BTreeMap<u64, Array>,
    /// Flags of page-locked and registered host memory by address.
    pub(crate) host_flags: BTreeMap<u64, u32>,
    pub(crate) limits: BTreeMap<u32, usize>,
    /// Which allocation of the program's began at an address, the first one being 1.
    pub(crate) owned: BTreeMap<u64, u64>,
    pub(crate) allocations: u64,
    pub(crate) cache_config: CUfunc_cache,
    pub(crate) shared_config: CUsharedconfig,
}

pub(crate) type Queue = queue::Queue<State>;
pub(crate) type Work = queue::Work<State>;
pub(crate) type Locked<'a> = MutexGuard<'a, State>;

/// The device that is emulated.
pub fn profile() -> Profile {
    Profile::default()
}

/// The process in which `cuInit` was called, or 0. Not a flag: a process that is forked afterwards cannot use CUDA.
static INITIALISED: AtomicU32 = AtomicU32::new(0);

/// `cuInit`. As on a GPU, it fails in a process that was forked from one that had called it.
pub(crate) fn initialise() -> Outcome {
    let own = std::process::id();
    match INITIALISED.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire) {
        Err(other) if other != own => Err(CUresult::CUDA_ERROR_NOT_INITIALIZED),
        _ => Ok(()),
    }
}

/// By handle.
pub(crate) static CONTEXTS: RwLock<BTreeMap<u64, Arc<Context>>> = RwLock::new(BTreeMap::new());

thread_local! {
    /// Set while this thread runs a host function of a stream, which may not call CUDA.
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn is_in_host_function() -> bool {
    IN_HOST_FUNCTION.get()
}

/// True in a process that was forked from one that had called `cuInit`: what it has inherited is its parent's.
pub fn is_forked() -> bool {
    ![0, std::process::id()].contains(&INITIALISED.load(Ordering::Acquire))
}

/// `CUDA_ERROR_NOT_PERMITTED` inside a host function, `CUDA_ERROR_NOT_INITIALIZED` before `cuInit` and in a forked
/// process.
pub(crate) fn may_call() -> Outcome {
    if IN_HOST_FUNCTION.get() {
        return Err(CUresult::CUDA_ERROR_NOT_PERMITTED);
    }
    if INITIALISED.load(Ordering::Acquire) == std::process::id() {
        Ok(())
    } else {
        Err(CUresult::CUDA_ERROR_NOT_INITIALIZED)
    }
}

pub(crate) fn find(handle: u64) -> Option<Arc<Context>> {
    CONTEXTS.read().expect("no panic holds this lock").get(&handle).cloned()
}

/// The calling thread's current context.
pub(crate) fn current() -> Outcome<Arc<Context>> {
    may_call()?;
    match with_stack(|stack| stack.current()) {
        0 => Err(CUresult::CUDA_ERROR_INVALID_CONTEXT),
        handle => find(handle).ok_or(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
    }
}

impl Context {
    pub(crate) fn new(handle: u64, flags: u32) -> Arc<Context> {
        let mut device = Device::new(profile());
        device.configure(listen::config());
        if listen::notes_partial_copies() {
            device.note_partial_copies();
            device.note_volatile_pairs();
            device.note_exits_before_barriers();
        }
        let state = State {
            device,
            queue: Queue::new(),
            reports: Reports::default(),
            budget: Budget::default(),
            left_elsewhere: None,
            read_back: vec![],
            fault: None,
            refused: None,
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            libraries: BTreeMap::new(),
            streams: BTreeMap::new(),
            thread_streams: BTreeMap::new(),
            events: BTreeMap::new(),
            captures: vec![],
            managed: Managed::default(),
            arrays: BTreeMap::new(),
            host_flags: BTreeMap::new(),
            limits: BTreeMap::new(),
            owned: BTreeMap::new(),
            allocations: 0,
            cache_config: CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE,
            shared_config: CUsharedconfig_enum::CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
        };
        Arc::new(Context {
            handle,
            flags: AtomicU32::new(flags),
            state: Mutex::new(state),
            progress: Condvar::new(),
            queries: Mutex::new(0),
            query_done: Condvar::new(),
        })
    }

    /// The context's state; its fault if it has one.
    pub(crate) fn lock(&self) -> Outcome<Locked<'_>> {
        let mut state = self.lock_faulted();
        state.hear_host();
        state.fault.map_or(Ok(state), Err)
    }

    /// The context's state even if it has failed: to destroy it, or to say why.
    pub(crate) fn lock_faulted(&self) -> Locked<'_> {
        self.state.lock().unwrap_or_else(|poisoned| {
            // A panic of ours left the state half changed. It is not trusted again.
            self.state.clear_poison();
            let mut state = poisoned.into_inner();
            state.fail(CUresult::CUDA_ERROR_UNKNOWN);
            state
        })
    }

    /// Runs queued work until `step` says that its goal is reached.
    fn run<'a>(&'a self, mut state: Locked<'a>, step: impl Fn(&Queue) -> Step) -> Locked<'a> {
        loop {
            match step(&state.queue) {
                Step::Reached => {
                    state.managed.close();
                    return state;
                }
                Step::Run(key) => state = self.run_one(state, key),
                Step::Wait => {
                    state = self.progress.wait(state).unwrap_or_else(|poisoned| {
                        drop(poisoned);
                        self.lock_faulted()
                    });
                }
            }
        }
    }

    fn run_one<'a>(&'a self, mut state: Locked<'a>, key: u64) -> Locked<'a> {
        state.managed.open();
        if listen::misses_work() {
            state.device.miss_work([]);
        }
        let operation = state.queue.take(key);
        let sequence = operation.sequence();
        match operation.work {
            Work::Device(work) => work(&mut state, &operation.order),
            Work::Host(host) => {
                state.say();
                drop(state);
                call(host, CUresult::CUDA_SUCCESS);
                state = self.lock_faulted();
            }
        }
        state.queue.finished(key, sequence);
        state.managed.done(key, sequence);
        self.progress.notify_all();
        state
    }

    /// After a wait: what kernels printed appears, and what went wrong is said.
    fn waited<'a>(&self, mut state: Locked<'a>) -> Outcome<Locked<'a>> {
        state.say();
        match (state.fault, state.refused.take()) {
            (Some(code), _) | (None, Some(code)) => Err(code),
            (None, None) => Ok(state),
        }
    }

    /// Runs the operation of this mark, and what it waits for. The host is not told.
    pub(crate) fn reach<'a>(&'a self, state: Locked<'a>, mark: &Mark) -> Outcome<Locked<'a>> {
        let state = self.run(state, |queue| queue.step_to_mark(mark));
        self.waited(state)
    }

    /// Waits for a mark on behalf of the host.
    pub(crate) fn wait<'a>(&'a self, state: Locked<'a>, mark: &Mark) -> Outcome<Locked<'a>> {
        let mut state = self.run(state, |queue| queue.step_to_mark(mark));
        state.queue.host_joins(mark);
        self.waited(state)
    }

    /// Waits for all work of a stream.
    pub(crate) fn wait_stream<'a>(&'a self, state: Locked<'a>, key: u64) -> Outcome<Locked<'a>> {
        let mut state = self.run(state, |queue| queue.step_to_idle(key));
        state.queue.host_joins_stream(key);
        self.waited(state)
    }

    /// Waits for all work of the context.
    pub(crate) fn drain<'a>(&'a self, state: Locked<'a>) -> Outcome<Locked<'a>> {
        self.waited(self.finish(state))
    }

    /// As `drain`, but errors stay in the context.
    pub(crate) fn finish<'a>(&'a self, state: Locked<'a>) -> Locked<'a> {
        let mut state = self.run(state, Queue::step_to_empty);
        state.queue.host_joins_all();
        state.settle_read_back();
        state
    }

    /// `CUDA_ERROR_NOT_READY` if an operation that a query has begun still runs after a while. To be asked before a
    /// query locks the state, which that operation holds.
    pub(crate) fn is_ready(&self) -> Outcome {
        let running = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.query_done.wait_timeout_while(running, PATIENCE, |running| *running > 0);
        let (running, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *running > 0 { Err(CUresult::CUDA_ERROR_NOT_READY) } else { Ok(()) }
    }

    /// A little of the work towards a goal, as time passing would do. True if there was nothing left to do. An
    /// operation runs on a thread of its own: one that waits for the host must not keep the host from going on.
    pub(crate) fn poll<'a>(
        self: &'a Arc<Context>,
        state: Locked<'a>,
        goal: impl Fn(&Queue) -> Step + Send + 'static,
    ) -> Outcome<(Locked<'a>, bool)> {
        match goal(&state.queue) {
            Step::Reached => Ok((self.waited(state)?, true)),
            Step::Run(_) => {
                let query = Query::begin(self);
                drop(state);
                let run = move || {
                    let context = &query.0;
                    let mut state = context.lock_faulted();
                    if let Step::Run(key) = goal(&state.queue) {
                        state = context.run_one(state, key);
                        state.managed.close();
                    }
                };
                // Without a thread the work stays where it is, for whoever waits for it.
                if std::thread::Builder::new().stack_size(STACK).spawn(run).is_err() {
                    return Err(CUresult::CUDA_ERROR_NOT_READY);
                }
                self.is_ready()?;
                Ok((self.waited(self.lock_faulted())?, false))
            }
            Step::Wait => Ok((self.waited(state)?, false)),
        }
    }

    /// Ends all work.
    pub(crate) fn shut_down(&self) {
        let mut state = self.lock_faulted();
        // The host's accesses since the program's last call have not been checked yet.
        state.hear_host();
        self.finish(state).say();
    }
}

/// Runs a host function, which may not call CUDA.
fn call(host: HostCall, status: CUresult) {
    IN_HOST_FUNCTION.set(true);
    (host.call)(status);
    IN_HOST_FUNCTION.set(false);
}

impl State {
    /// Shows what kernels have printed, and what was found.
    fn say(&mut self) {
        let is_idle = self.fault.is_some() || matches!(self.queue.step_to_empty(), Step::Reached);
        self.reports.print(is_idle);
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
            std::thread::spawn(move || calls.into_iter().for_each(|host| call(host, code)));
        }
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
    pub(crate) fn submit(&mut self, key: u64, work: impl FnOnce(&mut State, &Order) + Send + 'static) -> Outcome<Mark> {
        self.not_captured(key)?;
        Ok(self.queue.submit(key, &[], Work::device(work)))
    }
}
