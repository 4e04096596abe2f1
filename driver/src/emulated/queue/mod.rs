//! The streams of a context and the work that waits in them (CUDA C++ Programming Guide, "Asynchronous Concurrent
//! Execution").
//!
//! Submitting only queues. Work runs when the host waits for it, and then only as much as the wait needs: a program
//! that forgets to wait sees old data, every time. Work of one stream runs in order, after all that it waits for. The
//! legacy null stream waits for all earlier work of blocking streams, and they for its. Only host functions run without
//! being waited for. The price: a program that polls page-locked memory instead of waiting through CUDA waits forever.

mod clock;
mod timeline;

use crate::emulated::base::{process::is_ending, thread::run_host_function};
use clock::Clocks;
pub(crate) use clock::{Reserved, VectorClock, join};
use cust_raw::CUresult;
use emulator::HostOrder;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use timeline::{Running, Timeline};

/// The key of the legacy null stream; other streams are keyed by their handle.
pub(crate) const LEGACY: u64 = 0;

/// Work on the state `S` of the context.
type DeviceWork<S> = dyn FnOnce(&mut S, &HostOrder) + Send;

/// A call of a function of the program.
pub(crate) struct HostCall {
    pub(crate) call: Box<dyn FnOnce(CUresult) + Send>,
    /// True if the call is made even if the context has failed.
    pub(crate) always: bool,
}

impl HostCall {
    /// Calls the function with the status of the context, unless the program ends.
    pub(crate) fn run(self, status: CUresult) {
        if !is_ending() {
            run_host_function(|| (self.call)(status));
        }
    }
}

/// Checks whether a stream may go on.
type Condition<S> = dyn Fn(&S) -> WaitOutcome + Send;

/// The result of a look for the value that a stream waits for.
pub(crate) enum WaitOutcome {
    Waits,
    /// It goes on after an operation with this clock.
    After(VectorClock),
    /// It goes on after all that has been submitted.
    AfterAll,
}

/// The work of an operation when its turn comes.
pub(crate) enum Work<S> {
    Device(Box<DeviceWork<S>>),
    /// Goes on only once a condition is met, to which later work of other streams may lead.
    Wait(Box<Condition<S>>),
    /// Runs with the context unlocked, and gets the status of the context.
    Host(HostCall),
}

impl<S> Work<S> {
    pub(crate) fn device(work: impl FnOnce(&mut S, &HostOrder) + Send + 'static) -> Work<S> {
        Work::Device(Box::new(work))
    }

    pub(crate) fn nothing() -> Work<S> {
        Work::device(|_, _| {})
    }
}

/// A point in a stream that can be waited for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StreamMark {
    pub(crate) stream: u64,
    sequence: u64,
    pub(crate) order: HostOrder,
}

impl StreamMark {
    /// Returns the stream, and the sequence number of the operation at the mark.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.stream, self.sequence)
    }
}

/// An operation in a stream.
pub(crate) struct StreamOperation<S> {
    /// Its number among all operations of the context.
    sequence: u64,
    /// The streams that it waits for, each up to a sequence number.
    after: Vec<(u64, u64)>,
    submitted: Duration,
    pub(crate) order: HostOrder,
    pub(crate) work: Work<S>,
}

struct Stream<S> {
    agent: u32,
    /// True if the stream takes part in the null stream's implicit order.
    blocking: bool,
    /// True if the last operation submitted is a launch, which a dependent launch may overlap with.
    ends_in_launch: bool,
    waiting: VecDeque<StreamOperation<S>>,
    /// The sequence number of the last operation submitted.
    last: u64,
    /// The sequence number of the last operation done.
    done: u64,
    /// True if an operation of this stream runs, which may be a host function on any thread.
    busy: bool,
    /// The times of the operation that runs.
    running: Option<Running>,
    /// The time at which the last operation done ended.
    end: Duration,
    /// True if its first operation waits for a value that was not there when it looked.
    blocked: bool,
    /// True if the stream is destroyed. It is removed with its last operation.
    closed: bool,
}

/// The next step to reach a goal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextStep {
    Reached,
    /// Run the first operation of this stream.
    Run(u64),
    /// Wait: another thread runs a host function that must end first.
    Wait,
    /// Streams wait for values, and nothing else is left to run: only the host can write one.
    Blocked,
}

/// An order that was found when operations were queued already: those of an agent from `tick` on come after `clock`.
struct LateOrder {
    agent: usize,
    tick: u32,
    clock: VectorClock,
}

impl LateOrder {
    fn add_to(&self, clock: &mut VectorClock) {
        if clock.get(self.agent).is_some_and(|&tick| tick >= self.tick) {
            join(clock, &self.clock);
        }
    }
}

/// The streams of a context; `S` is its state.
pub(crate) struct StreamQueues<S> {
    clocks: Clocks,
    streams: BTreeMap<u64, Stream<S>>,
    /// The number of operations so far.
    submitted: u64,
    /// The clock of all blocking streams that were removed: the null stream comes after it.
    removed_clock: VectorClock,
    /// The time at which the last operation of all streams that were removed ended.
    removed_end: Duration,
    timeline: Timeline,
    /// Orders that the host does not know of yet.
    late: Vec<LateOrder>,
}

impl<S> StreamQueues<S> {
    pub(crate) fn new() -> StreamQueues<S> {
        let mut queue = StreamQueues {
            clocks: Clocks::new(),
            streams: BTreeMap::new(),
            submitted: 0,
            removed_clock: vec![],
            removed_end: Duration::ZERO,
            timeline: Timeline::new(),
            late: vec![],
        };
        queue.open(LEGACY, true);
        queue
    }

    /// Adds a stream without work.
    pub(crate) fn open(&mut self, key: u64, blocking: bool) {
        let agent = self.clocks.open();
        let stream = Stream {
            agent,
            blocking,
            ends_in_launch: false,
            waiting: VecDeque::new(),
            last: 0,
            done: 0,
            busy: false,
            running: None,
            end: Duration::ZERO,
            blocked: false,
            closed: false,
        };
        self.streams.insert(key, stream);
    }

    /// Destroys a stream. It takes no more work; what it has still runs.
    pub(crate) fn close(&mut self, key: u64) {
        if let Some(stream) = self.streams.get_mut(&key) {
            stream.closed = true;
            self.remove_if_finished(key);
        }
    }

    /// Removes a stream that is destroyed and has no work left.
    fn remove_if_finished(&mut self, key: u64) {
        if let Some(stream) = self.streams.get(&key)
            && stream.closed
            && stream.done == stream.last
        {
            if stream.blocking {
                join(&mut self.removed_clock, self.clocks.tail(stream.agent));
            }
            self.removed_end = self.removed_end.max(stream.end);
            self.clocks.retire(stream.agent);
            self.streams.remove(&key);
        }
    }

    /// Queues an operation. It runs after all earlier ones of its stream, those that the null stream's rules ask for,
    /// and `waits`. Returns the mark of the operation.
    pub(crate) fn submit(&mut self, key: u64, waits: &[&StreamMark], work: Work<S>) -> StreamMark {
        self.submit_as(key, waits, work, false)
    }

    /// Queues a launch of a kernel. A dependent one may overlap with a launch right before it in its stream.
    pub(crate) fn submit_launch(
        &mut self,
        key: u64,
        waits: &[&StreamMark],
        work: Work<S>,
        is_dependent: bool,
    ) -> StreamMark {
        let overlaps = is_dependent && self.streams[&key].ends_in_launch;
        let mark = self.submit_as(key, waits, work, overlaps);
        self.streams.get_mut(&key).expect("it has just got work").ends_in_launch = true;
        mark
    }

    fn submit_as(&mut self, key: u64, waits: &[&StreamMark], work: Work<S>, overlaps: bool) -> StreamMark {
        let stream = &self.streams[&key];
        let (agent, blocking) = (stream.agent, stream.blocking);
        let implicit: Vec<u64> = match (key, blocking) {
            (LEGACY, _) => {
                self.streams.iter().filter(|(other, s)| **other != LEGACY && s.blocking).map(|s| *s.0).collect()
            }
            (_, true) => vec![LEGACY],
            (_, false) => vec![],
        };
        let mut clocks: Vec<VectorClock> = waits.iter().map(|mark| self.with_late(&mark.order.clock)).collect();
        clocks.extend(implicit.iter().map(|other| self.clocks.tail(self.streams[other].agent).clone()));
        if key == LEGACY {
            clocks.push(self.removed_clock.clone());
        }
        let mut after: Vec<(u64, u64)> = waits.iter().map(|mark| (mark.stream, mark.sequence)).collect();
        after.extend(implicit.iter().map(|other| (*other, self.streams[other].last)));
        after.retain(|&(stream, sequence)| !self.is_done(stream, sequence));

        self.submitted += 1;
        let sequence = self.submitted;
        let order = match overlaps {
            true => self.clocks.submit_overlapping(agent, &clocks),
            false => self.clocks.submit(agent, &clocks),
        };
        let submitted = self.timeline.now();
        let stream = self.streams.get_mut(&key).expect("looked up above");
        stream.last = sequence;
        stream.ends_in_launch = false;
        stream.waiting.push_back(StreamOperation { sequence, after, submitted, order: order.clone(), work });
        StreamMark { stream: key, sequence, order }
    }

    /// Reserves the order of operations after `after` that are chosen only when their turn comes: for each part its
    /// number of ticks. Returns the parts, and a mark that comes after all of them.
    pub(crate) fn reserve(&mut self, after: &StreamMark, ticks: &[u32]) -> (Vec<Reserved>, StreamMark) {
        let mut end = after.clone();
        let mut reserve = |&ticks: &u32| {
            let (part, tail) = self.clocks.reserve(&after.order.clock, ticks);
            join(&mut end.order.clock, tail);
            part
        };
        let parts = ticks.iter().map(&mut reserve).collect();
        (parts, end)
    }

    fn is_done(&self, stream: u64, sequence: u64) -> bool {
        self.streams.get(&stream).is_none_or(|stream| stream.done >= sequence)
    }

    /// Returns the next step towards `sequence` of stream `key`: the stream's first operation, or the first of what
    /// that one waits for. Every wait is for something submitted earlier, so this ends.
    fn step_to(&self, mut key: u64, mut sequence: u64) -> NextStep {
        loop {
            if self.is_done(key, sequence) {
                return NextStep::Reached;
            }
            let stream = &self.streams[&key];
            if stream.busy {
                return NextStep::Wait;
            }
            let Some(first) = stream.waiting.front() else { return NextStep::Reached };
            match first.after.iter().find(|(other, upto)| !self.is_done(*other, *upto)) {
                Some(&(other, upto)) => (key, sequence) = (other, upto),
                None if stream.blocked => return self.step_elsewhere(),
                None => return NextStep::Run(key),
            }
        }
    }

    /// Returns the first operation of another stream, which may write the value that a stream waits for.
    fn step_elsewhere(&self) -> NextStep {
        if self.streams.values().any(|stream| stream.busy) {
            return NextStep::Wait;
        }
        let fronts = self.streams.iter().filter_map(|(key, stream)| Some((key, stream, stream.waiting.front()?)));
        let ready = fronts.filter(|(_, stream, first)| {
            !stream.blocked && first.after.iter().all(|&(other, upto)| self.is_done(other, upto))
        });
        ready.min_by_key(|(_, _, first)| first.sequence).map_or(NextStep::Blocked, |(key, ..)| NextStep::Run(*key))
    }

    /// Returns the clock with the orders that were found late.
    fn with_late(&self, clock: &VectorClock) -> VectorClock {
        let mut clock = clock.clone();
        self.late.iter().for_each(|late| late.add_to(&mut clock));
        clock
    }

    /// Returns true if the first operation of this stream has waited for a value in vain.
    pub(crate) fn is_blocked(&self, key: u64) -> bool {
        self.streams.get(&key).is_some_and(|stream| stream.blocked)
    }

    /// Puts an operation back that waits for a value.
    pub(crate) fn put_back(&mut self, key: u64, operation: StreamOperation<S>) {
        if let Some(stream) = self.streams.get_mut(&key) {
            (stream.busy, stream.running, stream.blocked) = (false, None, true);
            stream.waiting.push_front(operation);
        }
    }

    /// Lets all streams look again for the values that they wait for.
    pub(crate) fn look_again(&mut self) {
        self.streams.values_mut().for_each(|stream| stream.blocked = false);
    }

    /// Orders an operation, and all that comes after it, after `clock`; `None` stands for all that has been submitted.
    pub(crate) fn order_after(&mut self, operation: &HostOrder, clock: Option<VectorClock>) {
        let all = || {
            let mut all = self.removed_clock.clone();
            self.streams.values().for_each(|stream| join(&mut all, self.clocks.tail(stream.agent)));
            all
        };
        let clock = clock.unwrap_or_else(all);
        let agent = operation.agent as usize;
        let late = LateOrder { agent, tick: operation.clock[agent], clock };
        let queued = self.streams.values_mut().flat_map(|stream| &mut stream.waiting);
        queued.for_each(|operation| late.add_to(&mut operation.order.clock));
        late.add_to(&mut self.removed_clock);
        self.clocks.each_tail(|tail| late.add_to(tail));
        self.late.push(late);
    }

    /// Returns the next step towards a mark.
    pub(crate) fn step_to_mark(&self, mark: &StreamMark) -> NextStep {
        self.step_to(mark.stream, mark.sequence)
    }

    /// Returns the next step towards an idle stream.
    pub(crate) fn step_to_idle(&self, key: u64) -> NextStep {
        self.streams.get(&key).map_or(NextStep::Reached, |stream| self.step_to(key, stream.last))
    }

    /// Returns the next step towards an idle context, in the order of submission.
    pub(crate) fn step_to_empty(&self) -> NextStep {
        let pending = self.streams.iter().filter(|(_, stream)| stream.done != stream.last);
        // A stream without waiting operations still runs its last one, and that comes first.
        let first = pending.min_by_key(|(_, s)| s.waiting.front().map_or(0, |operation| operation.sequence));
        first.map_or(NextStep::Reached, |(&key, _)| self.step_to_idle(key))
    }

    /// Takes the first operation of a stream, to run it. The stream is busy until [`StreamQueues::finished`].
    pub(crate) fn take(&mut self, key: u64) -> StreamOperation<S> {
        let stream = self.streams.get_mut(&key).expect("a step names a stream that has work");
        stream.busy = true;
        let operation = stream.waiting.pop_front().expect("a step names a stream that has work");
        let ends = operation.after.iter().map(|(stream, _)| self.end(*stream));
        let start = ends.chain([self.end(key)]).fold(operation.submitted, Duration::max);
        let running = self.timeline.begin(start);
        self.streams.get_mut(&key).expect("looked up above").running = Some(running);
        operation
    }

    /// Returns the time at which the last operation of a stream ended.
    fn end(&self, key: u64) -> Duration {
        self.streams.get(&key).map_or(self.removed_end, |stream| stream.end)
    }

    /// Returns the time at which the running operation of this stream began.
    pub(crate) fn start(&self, key: u64) -> Option<Duration> {
        Some(self.streams.get(&key)?.running?.start)
    }

    /// Adds to the time that the running operation of this stream takes on the device.
    pub(crate) fn add_duration(&mut self, key: u64, time: Duration) {
        if let Some(running) = self.streams.get_mut(&key).and_then(|stream| stream.running.as_mut()) {
            running.takes = Some(running.takes.unwrap_or_default() + time);
        }
    }

    /// Records the end of the running operation of a stream, by its sequence number.
    pub(crate) fn finished(&mut self, key: u64, operation: u64) {
        self.look_again();
        if let Some(stream) = self.streams.get_mut(&key) {
            stream.busy = false;
            if let Some(running) = stream.running.take() {
                stream.end = self.timeline.end(running);
            }
            stream.done = stream.done.max(operation);
            self.remove_if_finished(key);
        }
    }

    /// Returns the clock of an operation that the host does now.
    pub(crate) fn host_order(&self) -> HostOrder {
        self.clocks.host_order()
    }

    /// Records that the host has waited for this mark.
    pub(crate) fn host_joins(&mut self, mark: &StreamMark) {
        self.timeline.host_reaches(self.end(mark.stream));
        self.clocks.host_joins(&self.with_late(&mark.order.clock));
        self.forget_late();
    }

    /// Removes the late orders that all later operations have by the host's clock.
    fn forget_late(&mut self) {
        let host = self.clocks.host_order().clock;
        self.late.retain(|late| host.get(late.agent).is_none_or(|&tick| tick < late.tick));
    }

    /// Records that the host has waited for everything before this mark, but not for the operation itself.
    pub(crate) fn host_joins_before(&mut self, mark: &StreamMark) {
        let mut clock = self.with_late(&mark.order.clock);
        clock[mark.order.agent as usize] -= 1;
        self.clocks.host_joins(&clock);
        self.timeline.host_reaches(self.end(mark.stream));
    }

    /// Records that the host has waited for a whole stream.
    pub(crate) fn host_joins_stream(&mut self, key: u64) {
        if let Some(stream) = self.streams.get(&key) {
            let tail = self.clocks.tail(stream.agent).clone();
            self.clocks.host_joins(&tail);
            self.forget_late();
            self.timeline.host_reaches(self.end(key));
        }
    }

    /// Records that the host has waited for the whole context.
    pub(crate) fn host_joins_all(&mut self) {
        let end = self.streams.values().map(|stream| stream.end).fold(self.removed_end, Duration::max);
        self.timeline.host_reaches(end);
        let tails: Vec<VectorClock> =
            self.streams.values().map(|stream| self.clocks.tail(stream.agent).clone()).collect();
        for tail in tails.iter().chain([&self.removed_clock.clone()]) {
            self.clocks.host_joins(tail);
        }
        self.forget_late();
    }

    /// Drops all waiting operations of a context that has failed. Returns the host calls that are made nevertheless.
    pub(crate) fn abandon(&mut self) -> Vec<HostCall> {
        let keys: Vec<u64> = self.streams.keys().copied().collect();
        let mut dropped = vec![];
        for key in keys {
            let stream = self.streams.get_mut(&key).expect("its key was just listed");
            dropped.extend(stream.waiting.drain(..));
            stream.done = stream.last;
            self.remove_if_finished(key);
        }
        dropped.sort_by_key(StreamOperation::sequence);
        let calls = dropped.into_iter().filter_map(|operation| match operation.work {
            Work::Host(call) if call.always => Some(call),
            _ => None,
        });
        calls.collect()
    }
}

impl<S> StreamOperation<S> {
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }
}

#[cfg(test)]
mod tests;
