//! A context: the lock around its state, and the loop that runs queued work until a goal is reached.
//!
//! One lock for each context and none around them: contexts on several host threads run side by side, kernels included.

pub(crate) mod advice;
pub(crate) mod captures;
pub(crate) mod conditions;
pub(crate) mod current;
pub(crate) mod graph_memory;
pub(crate) mod handle;
pub(crate) mod managed;
pub(crate) mod objects;
pub(crate) mod ownership;
pub(crate) mod shared_memory;
pub(crate) mod state;
pub(crate) mod stream_handle;
pub(crate) mod virtual_memory;

use crate::emulated::base::observer::{self, Event};
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::settings;
use crate::emulated::queue::{NextStep, StreamMark, WaitOutcome};
use cust_raw::CUresult;
use state::{ContextQueue, ContextState, StreamWork};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A context, whose state only one thread uses at a time.
pub(crate) struct Context {
    pub(crate) handle: u64,
    /// A number that no other context has or had. After a reset the primary context has its handle and another number.
    pub(crate) number: u64,
    pub(crate) flags: AtomicU32,
    /// Users beside the one that made it (`cuCtxAttach`).
    pub(crate) attached: AtomicU32,
    state: Mutex<ContextState>,
    /// Signalled when a host function has ended.
    progress: Condvar,
    /// Threads that run an operation for a query, and what is signalled when one has ended.
    queries: Mutex<u32>,
    query_done: Condvar,
}

/// The time that a query waits for the work that it has begun. A kernel that waits for the host goes on after it.
const PATIENCE: Duration = Duration::from_millis(100);
/// Stack of a thread that runs an operation: as much as a program's first thread has.
pub(crate) const STACK: usize = 8 << 20;

/// The time between two looks for a value that only the host can still write.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Counts a thread that runs an operation for a query, however that ends.
struct RunningQuery(Arc<Context>);

impl RunningQuery {
    fn begin(context: &Arc<Context>) -> RunningQuery {
        *context.queries.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        RunningQuery(context.clone())
    }
}

impl Drop for RunningQuery {
    fn drop(&mut self) {
        *self.0.queries.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.query_done.notify_all();
    }
}

pub(crate) type Locked<'a> = MutexGuard<'a, ContextState>;

impl Context {
    pub(crate) fn new(handle: u64, flags: u32) -> Arc<Context> {
        let mut state = ContextState::new();
        if let Some(end) = virtual_memory::left_behind().end() {
            state.device.skip_to(end);
        }
        Arc::new(Context {
            handle,
            number: handle::fresh(),
            flags: AtomicU32::new(flags),
            attached: AtomicU32::new(0),
            state: Mutex::new(state),
            progress: Condvar::new(),
            queries: Mutex::new(0),
            query_done: Condvar::new(),
        })
    }

    /// The context's state; its fault if it has one.
    pub(crate) fn lock(&self) -> CallResult<Locked<'_>> {
        let mut state = self.lock_faulted();
        state.hear_host();
        state.fault().map_or(Ok(state), Err)
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
    fn run<'a>(&'a self, mut state: Locked<'a>, step: impl Fn(&ContextQueue) -> NextStep) -> Locked<'a> {
        let (mut blocked, mut is_told) = (None, false);
        loop {
            match step(&state.queue) {
                NextStep::Reached => {
                    state.managed.close();
                    return state;
                }
                NextStep::Run(key) => {
                    state = self.run_one(state, key);
                    blocked = blocked.filter(|_| state.queue.is_blocked(key));
                }
                NextStep::Wait => {
                    state = self.progress.wait(state).unwrap_or_else(|poisoned| {
                        drop(poisoned);
                        self.lock_faulted()
                    });
                }
                NextStep::Blocked => {
                    let elapsed = blocked.get_or_insert_with(Instant::now).elapsed();
                    if elapsed >= settings::FIRST_PROGRESS && !is_told {
                        observer::tell(Event::Blocked { elapsed });
                        is_told = true;
                    }
                    state.queue.look_again();
                    let waited = self.progress.wait_timeout(state, LOOK_AGAIN).map(|(state, _)| state);
                    state = waited.unwrap_or_else(|poisoned| {
                        drop(poisoned);
                        self.lock_faulted()
                    });
                }
            }
        }
    }

    fn run_one<'a>(&'a self, mut state: Locked<'a>, key: u64) -> Locked<'a> {
        state.managed.open();
        if settings::misses_work() {
            state.device.miss_work([]);
        }
        let operation = state.queue.take(key);
        let sequence = operation.sequence();
        if let StreamWork::Wait(look) = &operation.work {
            match look(&state) {
                WaitOutcome::Waits => {
                    state.queue.put_back(key, operation);
                    return state;
                }
                WaitOutcome::After(clock) => state.queue.order_after(&operation.order, Some(clock)),
                WaitOutcome::AfterAll => state.queue.order_after(&operation.order, None),
            }
        }
        match operation.work {
            StreamWork::Wait(_) => {}
            StreamWork::Device(work) => work(&mut state, &operation.order),
            StreamWork::Host(host) => {
                state.say();
                drop(state);
                host.run(CUresult::CUDA_SUCCESS);
                state = self.lock_faulted();
            }
        }
        state.queue.finished(key, sequence);
        state.managed.done(key, sequence);
        self.progress.notify_all();
        state
    }

    /// After a wait: what kernels printed appears, and what went wrong is said.
    fn waited<'a>(&self, mut state: Locked<'a>) -> CallResult<Locked<'a>> {
        state.say();
        state.take_error().map_or(Ok(state), Err)
    }

    /// Runs the operation of this mark, and what it waits for. The host is not told.
    pub(crate) fn reach<'a>(&'a self, state: Locked<'a>, mark: &StreamMark) -> CallResult<Locked<'a>> {
        let state = self.run(state, |queue| queue.step_to_mark(mark));
        self.waited(state)
    }

    /// Waits for a mark on behalf of the host.
    pub(crate) fn wait<'a>(&'a self, state: Locked<'a>, mark: &StreamMark) -> CallResult<Locked<'a>> {
        let mut state = self.run(state, |queue| queue.step_to_mark(mark));
        state.queue.host_joins(mark);
        self.waited(state)
    }

    /// Waits for all work of a stream.
    pub(crate) fn wait_stream<'a>(&'a self, state: Locked<'a>, key: u64) -> CallResult<Locked<'a>> {
        let mut state = self.run(state, |queue| queue.step_to_idle(key));
        state.queue.host_joins_stream(key);
        self.waited(state)
    }

    /// Waits for all work of the context.
    pub(crate) fn drain<'a>(&'a self, state: Locked<'a>) -> CallResult<Locked<'a>> {
        self.waited(self.finish(state))
    }

    /// As `drain`, but errors stay in the context.
    pub(crate) fn finish<'a>(&'a self, state: Locked<'a>) -> Locked<'a> {
        let mut state = self.run(state, ContextQueue::step_to_empty);
        state.queue.host_joins_all();
        state.settle_read_back();
        state
    }

    /// `CUDA_ERROR_NOT_READY` if an operation that a query has begun still runs after a while. To be asked before a
    /// query locks the state, which that operation holds.
    pub(crate) fn is_ready(&self) -> CallResult {
        let running = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.query_done.wait_timeout_while(running, PATIENCE, |running| *running > 0);
        let (running, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *running > 0 { Err(CUresult::CUDA_ERROR_NOT_READY) } else { Ok(()) }
    }

    /// A little of the work towards a goal, as time passing would do. True if there was nothing left to do. An
    /// operation runs on a thread of its own: one that waits for the host must not keep the host from going on.
    pub(crate) fn poll<'a>(
        self: &'a Arc<Context>,
        mut state: Locked<'a>,
        goal: impl Fn(&ContextQueue) -> NextStep + Send + 'static,
    ) -> CallResult<(Locked<'a>, bool)> {
        match goal(&state.queue) {
            NextStep::Reached => Ok((self.waited(state)?, true)),
            NextStep::Run(_) => {
                let query = RunningQuery::begin(self);
                drop(state);
                let run = move || {
                    let context = &query.0;
                    let mut state = context.lock_faulted();
                    if let NextStep::Run(key) = goal(&state.queue) {
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
            NextStep::Wait => Ok((self.waited(state)?, false)),
            NextStep::Blocked => {
                state.queue.look_again();
                Ok((self.waited(state)?, false))
            }
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
