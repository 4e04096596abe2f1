//! The state of a [`GridQueue`](super::GridQueue): all grids that are not complete, under one lock.

use super::GridEvent;
use super::stream::{Stream, StreamEntry, StreamQueue};
use crate::run::launch::Launch;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of grids that have to complete before observers are told which of them are retained.
const LEAST_COMPLETE: usize = 64;
/// The handles up to this one are CUDA's own.
const LAST_RESERVED_HANDLE: u64 = 0x1000;

/// A grid that is not complete.
pub(super) struct QueuedGrid<'a> {
    launch: Arc<Launch<'a>>,
    parent: Option<usize>,
    /// The parent's stream that the grid was launched into.
    stream: Option<Stream>,
    pub blocks_left: u64,
    /// The number of grids launched and not complete. Those of the tail stream count from when they may begin.
    pub children: u32,
    streams: FxHashMap<Stream, StreamQueue>,
    pub tail: VecDeque<usize>,
    has_begun: bool,
    /// True if one of its threads waits for room among the pending launches.
    is_waiting: bool,
}

impl<'a> QueuedGrid<'a> {
    pub fn new(launch: Arc<Launch<'a>>, parent: Option<usize>, stream: Option<Stream>) -> QueuedGrid<'a> {
        QueuedGrid {
            blocks_left: launch.blocks(),
            launch,
            parent,
            stream,
            children: 0,
            streams: FxHashMap::default(),
            tail: VecDeque::new(),
            has_begun: false,
            is_waiting: false,
        }
    }

    /// Closes the streams of a block that has ended, and those of its threads.
    pub fn close_streams(&mut self, block: u64) {
        if self.streams.is_empty() {
            return;
        }
        let of_threads = (0..self.launch.threads_per_block()).map(|thread| Stream::Thread(block, thread));
        for stream in std::iter::once(Stream::Block(block)).chain(of_threads) {
            if let Some(queue) = self.streams.get_mut(&stream) {
                queue.is_closed = true;
                self.remove_if_finished(stream);
            }
        }
    }

    fn remove_if_finished(&mut self, stream: Stream) {
        if self.streams.get(&stream).is_some_and(StreamQueue::is_finished) {
            self.streams.remove(&stream);
        }
    }
}

#[derive(Default)]
pub(super) struct QueueState<'a> {
    /// The grids that are not complete; the host's own is the first.
    pub nodes: Vec<Option<QueuedGrid<'a>>>,
    /// Nodes of complete grids, to be used again.
    vacant: Vec<usize>,
    /// Grids with blocks that have not begun, in the order in which they became ready.
    pub dispatchable: Vec<Arc<Launch<'a>>>,
    /// The number of those that have begun no block.
    pub unstarted: usize,
    /// The number of grids that have begun and of which no thread waits for room.
    running: usize,
    pub is_crowded: bool,
    /// The number of launches that have not begun, including those that are being prepared.
    pub pending: usize,
    /// The number of grids so far.
    pub grids: u32,
    /// The memory that all grids so far take ([`MEMORY_LIMIT`](super::MEMORY_LIMIT)).
    pub memory: u64,
    /// The number of grids that have completed since [`GridEvent::Retains`] was last reported.
    newly_complete: usize,
    /// The number of grids that have to complete before it is reported again.
    report_at: usize,
    pub next_block: u64,
    last_handle: u64,
    /// The events that kernels have created, by handle, with the mark of their last record.
    pub cuda_events: FxHashMap<u64, Option<u64>>,
    /// The marks that have been reached, with the grids that they come after.
    reached_marks: FxHashMap<u64, Vec<u32>>,
    pub next_mark: u64,
    /// The node of the grid that has created a stream, by handle.
    pub stream_owners: FxHashMap<u64, usize>,
    /// True if the host's grid is complete, and so all are.
    pub is_complete: bool,
}

impl<'a> QueueState<'a> {
    /// Creates the state at the start of a launch, in which the host's grid has begun.
    pub fn new(root: &Arc<Launch<'a>>) -> QueueState<'a> {
        let node = QueuedGrid { has_begun: true, ..QueuedGrid::new(root.clone(), None, None) };
        QueueState {
            nodes: vec![Some(node)],
            dispatchable: vec![root.clone()],
            running: 1,
            grids: 1,
            next_block: root.blocks(),
            last_handle: LAST_RESERVED_HANDLE,
            ..QueueState::default()
        }
    }

    /// Returns the grid at a node. Panics if it is complete: callers name the grid of a running block or its parent.
    pub fn node_mut(&mut self, node: usize) -> &mut QueuedGrid<'a> {
        self.nodes[node].as_mut().expect("not complete")
    }

    pub fn vacant_node(&mut self) -> usize {
        self.vacant.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            self.nodes.len() - 1
        })
    }

    pub fn new_handle(&mut self) -> u64 {
        self.last_handle += 1;
        self.last_handle
    }

    /// Records that a block of a grid has begun. With its first block the grid is no longer pending.
    pub fn mark_begun(&mut self, node: usize) {
        if !std::mem::replace(&mut self.node_mut(node).has_begun, true) {
            self.pending -= 1;
            self.unstarted -= 1;
            self.running += 1;
        }
    }

    /// Records whether a thread of a running grid waits for room.
    pub fn set_waiting(&mut self, node: usize, is_waiting: bool) {
        let was_waiting = std::mem::replace(&mut self.node_mut(node).is_waiting, is_waiting);
        self.running = self.running + usize::from(was_waiting) - usize::from(is_waiting);
    }

    /// Returns true if a launch that is pending now may begin before a thread of `node` goes on.
    pub fn may_find_room(&self, node: usize) -> bool {
        let is_running = |node: &&QueuedGrid| node.has_begun && !node.is_waiting;
        let ancestors = std::iter::successors(self.nodes[node].as_ref(), |node| self.nodes[node.parent?].as_ref());
        self.unstarted > 0 && !self.is_crowded || self.running > ancestors.filter(is_running).count()
    }

    /// Lets blocks of a grid begin: its turn in its stream has come.
    pub fn make_ready(&mut self, node: usize, after: Vec<u32>, events: &mut Vec<GridEvent>) {
        let launch = self.node_mut(node).launch.clone();
        events.push(GridEvent::Begins { grid: launch.number, after });
        self.dispatchable.push(launch);
        self.unstarted += 1;
    }

    /// Adds an entry to a stream of `owner`, and begins what can begin.
    pub fn enqueue(&mut self, owner: usize, stream: Stream, entry: StreamEntry, events: &mut Vec<GridEvent>) {
        self.node_mut(owner).streams.entry(stream).or_default().entries.push_back(entry);
        self.advance(owner, stream, events);
    }

    /// Begins the entries of a stream that can begin, and those of the owner's other streams that wait for them.
    fn advance(&mut self, owner: usize, stream: Stream, events: &mut Vec<GridEvent>) {
        let mut has_reached_mark = false;
        while let Some(queue) = self.nodes[owner].as_mut().and_then(|node| node.streams.get_mut(&stream)) {
            if queue.is_busy {
                break;
            }
            match queue.entries.front() {
                None => break,
                Some(&StreamEntry::Grid(node)) => {
                    queue.is_busy = true;
                    let after = queue.after.clone();
                    self.make_ready(node, after, events);
                    break;
                }
                Some(&StreamEntry::Record(mark)) => {
                    self.reached_marks.insert(mark, queue.after.clone());
                    queue.entries.pop_front();
                    has_reached_mark = true;
                }
                Some(StreamEntry::Wait(mark)) => {
                    let Some(after) = self.reached_marks.get(mark) else { break };
                    queue.order_after(after);
                    queue.entries.pop_front();
                }
            }
        }
        if has_reached_mark {
            self.advance_others(owner, stream, events);
        }
    }

    fn advance_others(&mut self, owner: usize, stream: Stream, events: &mut Vec<GridEvent>) {
        let streams = self.nodes[owner].iter().flat_map(|node| node.streams.keys().copied());
        let others: Vec<Stream> = streams.filter(|other| *other != stream).collect();
        others.into_iter().for_each(|other| self.advance(owner, other, events));
    }

    /// Completes a grid if nothing of it is left, then its ancestors for which it was the last.
    pub fn complete(&mut self, node: usize, events: &mut Vec<GridEvent>) {
        let mut current = node;
        while let Some(parent) = self.complete_one(current, events) {
            current = parent;
        }
    }

    /// Completes a grid if nothing of it is left, and returns its parent. Otherwise makes the next grid of its tail
    /// stream ready, if it is that one's turn.
    fn complete_one(&mut self, node: usize, events: &mut Vec<GridEvent>) -> Option<usize> {
        let grid = self.node_mut(node);
        if grid.blocks_left > 0 || grid.children > 0 {
            return None;
        }
        let number = grid.launch.number;
        if let Some(tail) = grid.tail.pop_front() {
            grid.children += 1;
            self.make_ready(tail, vec![number], events);
            return None;
        }
        let QueuedGrid { parent, stream, is_waiting, .. } = self.nodes[node].take().expect("looked up above");
        self.running -= usize::from(!is_waiting);
        let Some(parent) = parent else {
            self.is_complete = true;
            return None;
        };
        self.vacant.push(node);
        self.newly_complete += 1;
        let owner = self.node_mut(parent);
        events.push(GridEvent::Ends { grid: number, parent: owner.launch.number });
        owner.children -= 1;
        if let Some((stream, queue)) = stream.and_then(|stream| Some((stream, owner.streams.get_mut(&stream)?))) {
            queue.finish_grid(number);
            self.advance(parent, stream, events);
            self.node_mut(parent).remove_if_finished(stream);
        }
        Some(parent)
    }

    /// Reports the complete grids that others may still be ordered after. Does so only once so many grids have
    /// completed that finding these costs no more than they did.
    pub fn report_retained(&mut self, events: &mut Vec<GridEvent>) {
        if self.newly_complete < self.report_at.max(LEAST_COMPLETE) {
            return;
        }
        let streams = || self.nodes.iter().flatten().flat_map(|node| node.streams.values());
        let entries = streams().flat_map(|queue| &queue.entries);
        let awaited = entries.filter_map(|entry| if let StreamEntry::Wait(mark) = entry { Some(*mark) } else { None });
        let marks: FxHashSet<u64> = self.cuda_events.values().flatten().copied().chain(awaited).collect();
        self.reached_marks.retain(|mark, _| marks.contains(mark));
        let after = streams().map(|queue| &queue.after).chain(self.reached_marks.values());
        let mut complete: Vec<u32> = after.flatten().copied().collect();
        complete.sort_unstable();
        complete.dedup();
        let entries = streams().map(|queue| 1 + queue.entries.len()).sum::<usize>();
        let examined = self.nodes.len() + entries + self.cuda_events.len();
        (self.newly_complete, self.report_at) = (0, examined + complete.len());
        events.push(GridEvent::Retains { complete });
    }
}
