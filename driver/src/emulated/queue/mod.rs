//! The streams of a context and the work that waits in them (CUDA C++ Programming Guide, "Asynchronous Concurrent
//! Execution").
//!
//! Submitting only queues. Work runs when something waits for it, and then no more than that needs: a program that
//! forgets to wait sees old data, every time. Work of one stream runs in order; before it runs whatever it waits for.
//! The legacy null stream waits for all earlier work of blocking streams, and they for its. The price: a program that
//! polls page-locked memory instead of waiting through CUDA waits for ever. Host functions alone run without being
//! waited for.

mod clock;
mod timeline;

use crate::emulated::base::thread::run_host_function;
use clock::{Clock, Clocks, join};
use cust_raw::CUresult;
use emulator::Order;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use timeline::{Running, Timeline};

/// The key of the legacy null stream; other streams are keyed by their handle.
pub(crate) const LEGACY: u64 = 0;

/// On the state of the context.
type DeviceWork<S> = dyn FnOnce(&mut S, &Order) + Send;

pub(crate) struct HostCall {
    pub(crate) call: Box<dyn FnOnce(CUresult) + Send>,
    /// Made even if the context has failed.
    pub(crate) always: bool,
}

impl HostCall {
    /// Calls the program with the status of the context.
    pub(crate) fn run(self, status: CUresult) {
        run_host_function(|| (self.call)(status));
    }
}

/// The work of an operation when its turn comes.
pub(crate) enum Work<S> {
    Device(Box<DeviceWork<S>>),
    /// A call into the program: runs with the context unlocked, and is told how the context is.
    Host(HostCall),
}

impl<S> Work<S> {
    pub(crate) fn device(work: impl FnOnce(&mut S, &Order) + Send + 'static) -> Work<S> {
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
    pub(crate) order: Order,
}

impl StreamMark {
    /// Its stream, and its number there.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.stream, self.sequence)
    }
}

pub(crate) struct Operation<S> {
    sequence: u64,
    /// Stream and sequence number of what must be done first.
    after: Vec<(u64, u64)>,
    submitted: Duration,
    pub(crate) order: Order,
    pub(crate) work: Work<S>,
}

struct Stream<S> {
    agent: u32,
    /// Takes part in the null stream's implicit order.
    blocking: bool,
    waiting: VecDeque<Operation<S>>,
    /// The last one submitted, and the last one done.
    last: u64,
    done: u64,
    /// A host function of this stream is running on some thread.
    busy: bool,
    /// The operation that was taken last, while it runs.
    running: Option<Running>,
    /// When the last operation that is done ended.
    end: Duration,
    /// Destroyed: vanishes with its last work.
    closed: bool,
}

/// The next step to reach a goal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Reached,
    /// Run the first operation of this stream.
    Run(u64),
    /// Another thread is in a host function that must end first.
    Wait,
}

pub(crate) struct Queue<S> {
    clocks: Clocks,
    streams: BTreeMap<u64, Stream<S>>,
    submitted: u64,
    /// The clock of blocking streams that no longer exist: the null stream comes after it.
    gone: Clock,
    /// When the last of what streams that no longer exist did ended.
    gone_end: Duration,
    timeline: Timeline,
}

impl<S> Queue<S> {
    pub(crate) fn new() -> Queue<S> {
        let mut queue = Queue {
            clocks: Clocks::new(),
            streams: BTreeMap::new(),
            submitted: 0,
            gone: vec![],
            gone_end: Duration::ZERO,
            timeline: Timeline::new(),
        };
        queue.open(LEGACY, true);
        queue
    }

    pub(crate) fn open(&mut self, key: u64, blocking: bool) {
        let agent = self.clocks.open();
        let stream = Stream {
            agent,
            blocking,
            waiting: VecDeque::new(),
            last: 0,
            done: 0,
            busy: false,
            running: None,
            end: Duration::ZERO,
            closed: false,
        };
        self.streams.insert(key, stream);
    }

    /// The stream takes no more work; what it has still runs.
    pub(crate) fn close(&mut self, key: u64) {
        if let Some(stream) = self.streams.get_mut(&key) {
            stream.closed = true;
            self.sweep(key);
        }
    }

    fn sweep(&mut self, key: u64) {
        if let Some(stream) = self.streams.get(&key)
            && stream.closed
            && stream.done == stream.last
        {
            if stream.blocking {
                join(&mut self.gone, self.clocks.tail(stream.agent));
            }
            self.gone_end = self.gone_end.max(stream.end);
            self.clocks.retire(stream.agent);
            self.streams.remove(&key);
        }
    }

    /// Queues work behind what its stream holds, behind what the null stream's rules say, and behind `waits`.
    pub(crate) fn submit(&mut self, key: u64, waits: &[&StreamMark], work: Work<S>) -> StreamMark {
        let stream = &self.streams[&key];
        let (agent, blocking) = (stream.agent, stream.blocking);
        let implicit: Vec<u64> = match (key, blocking) {
            (LEGACY, _) => {
                self.streams.iter().filter(|(other, s)| **other != LEGACY && s.blocking).map(|s| *s.0).collect()
            }
            (_, true) => vec![LEGACY],
            (_, false) => vec![],
        };
        let mut clocks: Vec<Clock> = waits.iter().map(|mark| mark.order.clock.clone()).collect();
        clocks.extend(implicit.iter().map(|other| self.clocks.tail(self.streams[other].agent).clone()));
        if key == LEGACY {
            clocks.push(self.gone.clone());
        }
        let mut after: Vec<(u64, u64)> = waits.iter().map(|mark| (mark.stream, mark.sequence)).collect();
        after.extend(implicit.iter().map(|other| (*other, self.streams[other].last)));
        after.retain(|&(stream, sequence)| !self.is_done(stream, sequence));

        self.submitted += 1;
        let sequence = self.submitted;
        let order = self.clocks.submit(agent, &clocks);
        let submitted = self.timeline.now();
        let stream = self.streams.get_mut(&key).expect("looked up above");
        stream.last = sequence;
        stream.waiting.push_back(Operation { sequence, after, submitted, order: order.clone(), work });
        StreamMark { stream: key, sequence, order }
    }

    fn is_done(&self, stream: u64, sequence: u64) -> bool {
        self.streams.get(&stream).is_none_or(|stream| stream.done >= sequence)
    }

    /// The next step towards `sequence` of `key`: its first operation, or the first of what that one waits for. Every
    /// wait is for something submitted earlier, so this ends.
    fn step_to(&self, key: u64, sequence: u64) -> Step {
        let (mut key, mut sequence) = (key, sequence);
        loop {
            if self.is_done(key, sequence) {
                return Step::Reached;
            }
            let stream = &self.streams[&key];
            if stream.busy {
                return Step::Wait;
            }
            let Some(first) = stream.waiting.front() else { return Step::Reached };
            match first.after.iter().find(|(other, upto)| !self.is_done(*other, *upto)) {
                Some(&(other, upto)) => (key, sequence) = (other, upto),
                None => return Step::Run(key),
            }
        }
    }

    pub(crate) fn step_to_mark(&self, mark: &StreamMark) -> Step {
        self.step_to(mark.stream, mark.sequence)
    }

    pub(crate) fn step_to_idle(&self, key: u64) -> Step {
        self.streams.get(&key).map_or(Step::Reached, |stream| self.step_to(key, stream.last))
    }

    /// The next step towards no work at all: in the order of submission.
    pub(crate) fn step_to_empty(&self) -> Step {
        let pending = self.streams.iter().filter(|(_, stream)| stream.done != stream.last);
        let first = pending.min_by_key(|(_, s)| s.waiting.front().map_or(0, |operation| operation.sequence));
        first.map_or(Step::Reached, |(&key, _)| self.step_to_idle(key))
    }

    /// Takes the first operation of a stream. The stream counts as busy until `finished`.
    pub(crate) fn take(&mut self, key: u64) -> Operation<S> {
        let stream = self.streams.get_mut(&key).expect("a step names a stream that has work");
        stream.busy = true;
        let operation = stream.waiting.pop_front().expect("a step names a stream that has work");
        let ends = operation.after.iter().map(|(stream, _)| self.end(*stream));
        let start = ends.chain([self.end(key)]).fold(operation.submitted, Duration::max);
        let running = self.timeline.begin(start);
        self.streams.get_mut(&key).expect("looked up above").running = Some(running);
        operation
    }

    fn end(&self, key: u64) -> Duration {
        self.streams.get(&key).map_or(self.gone_end, |stream| stream.end)
    }

    /// When the operation of this stream that runs now began.
    pub(crate) fn start(&self, key: u64) -> Option<Duration> {
        Some(self.streams.get(&key)?.running?.start)
    }

    /// The operation of this stream that runs now takes so long on the device.
    pub(crate) fn takes(&mut self, key: u64, time: Duration) {
        if let Some(running) = self.streams.get_mut(&key).and_then(|stream| stream.running.as_mut()) {
            running.takes = Some(time);
        }
    }

    pub(crate) fn finished(&mut self, key: u64, operation: u64) {
        if let Some(stream) = self.streams.get_mut(&key) {
            stream.busy = false;
            if let Some(running) = stream.running.take() {
                stream.end = self.timeline.end(running);
            }
            stream.done = stream.done.max(operation);
            self.sweep(key);
        }
    }

    /// Returns the order of an operation that the host does now.
    pub(crate) fn host_order(&self) -> Order {
        self.clocks.host_order()
    }

    /// The host has waited for this mark.
    pub(crate) fn host_joins(&mut self, mark: &StreamMark) {
        self.timeline.host_reaches(self.end(mark.stream));
        self.clocks.host_joins(&mark.order.clock);
    }

    /// The host has waited for everything before this mark, but not for the operation itself.
    pub(crate) fn host_joins_before(&mut self, mark: &StreamMark) {
        let mut clock = mark.order.clock.clone();
        clock[mark.order.agent as usize] -= 1;
        self.clocks.host_joins(&clock);
        self.timeline.host_reaches(self.end(mark.stream));
    }

    /// The host has waited for a whole stream.
    pub(crate) fn host_joins_stream(&mut self, key: u64) {
        if let Some(stream) = self.streams.get(&key) {
            let tail = self.clocks.tail(stream.agent).clone();
            self.clocks.host_joins(&tail);
            self.timeline.host_reaches(self.end(key));
        }
    }

    /// The host has waited for the whole context.
    pub(crate) fn host_joins_all(&mut self) {
        let end = self.streams.values().map(|stream| stream.end).fold(self.gone_end, Duration::max);
        self.timeline.host_reaches(end);
        let tails: Vec<Clock> = self.streams.values().map(|stream| self.clocks.tail(stream.agent).clone()).collect();
        for tail in tails.iter().chain([&self.gone.clone()]) {
            self.clocks.host_joins(tail);
        }
    }

    /// The context has failed: nothing that waits will run. Gives back the host calls to be made nevertheless.
    pub(crate) fn abandon(&mut self) -> Vec<HostCall> {
        let keys: Vec<u64> = self.streams.keys().copied().collect();
        let mut dropped = vec![];
        for key in keys {
            let stream = self.streams.get_mut(&key).expect("its key was just listed");
            dropped.extend(stream.waiting.drain(..));
            stream.done = stream.last;
            self.sweep(key);
        }
        dropped.sort_by_key(Operation::sequence);
        let calls = dropped.into_iter().filter_map(|operation| match operation.work {
            Work::Host(call) if call.always => Some(call),
            _ => None,
        });
        calls.collect()
    }
}

impl<S> Operation<S> {
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Queue = super::Queue<()>;

    /// Runs to the mark and gives the streams in the order in which their operations ran.
    fn run(queue: &mut Queue, mark: &StreamMark) -> Vec<u64> {
        let mut ran = vec![];
        loop {
            match queue.step_to_mark(mark) {
                Step::Reached => return ran,
                Step::Run(key) => {
                    let operation = queue.take(key);
                    queue.finished(key, operation.sequence());
                    ran.push(key);
                }
                Step::Wait => panic!("no host function here"),
            }
        }
    }

    fn queue(blocking: &[u64], non_blocking: &[u64]) -> Queue {
        let mut queue = Queue::new();
        blocking.iter().for_each(|&key| queue.open(key, true));
        non_blocking.iter().for_each(|&key| queue.open(key, false));
        queue
    }

    #[test]
    fn waiting_runs_no_more_than_it_needs() {
        let mut queue = queue(&[10, 20], &[]);
        queue.submit(20, &[], Work::nothing());
        queue.submit(10, &[], Work::nothing());
        let mark = queue.submit(10, &[], Work::nothing());
        queue.submit(10, &[], Work::nothing());
        assert_eq!(run(&mut queue, &mark), [10, 10]);
        assert_eq!(queue.step_to_idle(10), Step::Run(10));
        assert_eq!(queue.step_to_idle(20), Step::Run(20));
    }

    #[test]
    fn a_wait_runs_the_other_stream_first() {
        let mut queue = queue(&[], &[10, 20, 30]);
        let a = queue.submit(10, &[], Work::nothing());
        let b = queue.submit(20, &[&a], Work::nothing());
        queue.submit(30, &[&b], Work::nothing());
        let last = queue.submit(30, &[], Work::nothing());
        assert_eq!(run(&mut queue, &last), [10, 20, 30, 30]);
    }

    #[test]
    fn the_null_stream_waits_for_blocking_streams_and_they_for_it() {
        let mut queue = queue(&[10, 20], &[30]);
        queue.submit(10, &[], Work::nothing());
        queue.submit(30, &[], Work::nothing());
        queue.submit(LEGACY, &[], Work::nothing());
        let later = queue.submit(20, &[], Work::nothing());
        assert_eq!(run(&mut queue, &later), [10, LEGACY, 20]);
        assert_eq!(queue.step_to_idle(30), Step::Run(30), "a non-blocking stream takes no part");
    }

    #[test]
    fn the_null_stream_orders_by_clock_what_it_orders_by_queue() {
        let mut queue = queue(&[10, 20], &[30]);
        let first = queue.submit(10, &[], Work::nothing());
        let aside = queue.submit(30, &[], Work::nothing());
        let null = queue.submit(LEGACY, &[], Work::nothing());
        let later = queue.submit(20, &[], Work::nothing());
        let before = |a: &StreamMark, b: &StreamMark| {
            b.order.clock[a.order.agent as usize] >= a.order.clock[a.order.agent as usize]
        };
        assert!(before(&first, &null) && before(&null, &later) && before(&first, &later));
        assert!(!before(&aside, &null) && !before(&aside, &later) && !before(&null, &aside));
    }

    #[test]
    fn a_destroyed_blocking_stream_is_still_before_the_null_stream() {
        let mut queue = queue(&[10], &[]);
        let work = queue.submit(10, &[], Work::nothing());
        queue.close(10);
        assert_eq!(run(&mut queue, &work), [10]);
        let null = queue.submit(LEGACY, &[], Work::nothing());
        let agent = work.order.agent as usize;
        assert!(null.order.clock[agent] >= work.order.clock[agent]);
    }

    #[test]
    fn a_closed_stream_ends_with_its_work() {
        let mut queue = queue(&[10], &[]);
        let mark = queue.submit(10, &[], Work::nothing());
        queue.close(10);
        assert_eq!(queue.step_to_mark(&mark), Step::Run(10));
        assert_eq!(queue.step_to_empty(), Step::Run(10));
        run(&mut queue, &mark);
        assert_eq!(queue.step_to_mark(&mark), Step::Reached);
        assert_eq!(queue.step_to_empty(), Step::Reached);
    }

    #[test]
    fn emptying_goes_in_the_order_of_submission() {
        let mut queue = queue(&[], &[20, 10]);
        let (a, b) = (queue.submit(20, &[], Work::nothing()), queue.submit(10, &[], Work::nothing()));
        assert_eq!(queue.step_to_empty(), Step::Run(20));
        run(&mut queue, &a);
        assert_eq!(queue.step_to_empty(), Step::Run(10));
        run(&mut queue, &b);
        assert_eq!(queue.step_to_empty(), Step::Reached);
    }

    #[test]
    fn abandoned_work_counts_as_done() {
        let mut queue = queue(&[10], &[]);
        let mark = queue.submit(10, &[], Work::nothing());
        for always in [false, true] {
            queue.submit(10, &[], Work::Host(HostCall { call: Box::new(|_| ()), always }));
        }
        assert_eq!(queue.abandon().len(), 1);
        assert_eq!(queue.step_to_mark(&mark), Step::Reached);
    }
}
