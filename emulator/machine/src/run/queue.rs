//! Which grids of a launch may run, and when each is complete (CUDA Programming Guide, "CUDA Dynamic Parallelism":
//! "Execution Environment", "Streams", "Limits").
//!
//! A kernel launches grids into streams of its own grid: the NULL stream of the launching block, named streams,
//! fire-and-forget, which is a stream for one grid, and the tail stream. Grids of one stream run one after the other. A
//! grid is complete when its blocks have ended, the grids that it launched are complete, and then, one by one, those
//! that it launched into its tail stream. There is no other order: a child may begin while its parent still runs, or
//! long after. When it does is the schedule's choice ([`ChoicePoint::Grid`]).
//!
//! A launch is pending until its first block begins. If the limit of pending launches is reached, a real device has no
//! room for another. If some pending grid can begin before the launching grid ends, the launching thread waits here.
//! Otherwise its launch fails. A device that is full of waiting parents would fail earlier: this errs towards success.

mod state;
mod stream;

pub use stream::Stream;

use super::launch::Launch;
use crate::schedule::{ChoicePoint, Schedule};
use state::{QueueState, QueuedGrid};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use stream::StreamEntry;

/// A change in the order of grids, for observers. Not to be confused with the events that kernels record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridEvent {
    /// Grid `grid` may begin. All that the grids in `after` have done happens before it.
    Begins { grid: u32, after: Vec<u32> },
    /// Grid `grid` is complete, and so are all that it launched.
    Ends { grid: u32, parent: u32 },
    /// The complete grids that later ones may still be ordered after. All other complete grids can be forgotten.
    Retains { complete: Vec<u32> },
}

/// The answer to a thread that wants to launch a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    Granted,
    /// The thread has to wait until a pending grid has begun.
    Waits,
    /// No pending grid can begin before the grid of this thread ends.
    Impossible,
    /// The host has no memory for more grids.
    OutOfMemory,
}

/// The numbers of a new grid.
pub struct GridNumbers {
    pub grid: u32,
    /// The number of its first block, over all grids of the launch.
    pub first_block: u64,
    /// Its index among the grids that are not complete ([`Launch::node`]).
    pub node: usize,
}

/// The number of ancestor grids that a full queue examines in the time of a thread's instruction.
const GRIDS_PER_FUEL: u64 = 16;
/// The limit of the memory for the grids of one launch, in units of 16 bytes.
const MEMORY_LIMIT: u64 = 1 << 25;
/// The memory of a grid in these units. It takes one more for each ancestor, which its threads have in their views.
const MEMORY_OF_GRID: u64 = 64;

/// The grids of one launch that are not complete.
pub struct GridQueue<'a> {
    state: Mutex<QueueState<'a>>,
    changed: Condvar,
    most_pending: usize,
}

/// The worker's side: blocks begin and end.
impl<'a> GridQueue<'a> {
    pub fn new(root: &Arc<Launch<'a>>, most_pending: usize) -> GridQueue<'a> {
        GridQueue { state: Mutex::new(QueueState::new(root)), changed: Condvar::new(), most_pending }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a block of a grid that the schedule chooses. Returns the grid and the block's index in it; `None` if all
    /// blocks of all grids have begun.
    pub fn begin_block(&self, schedule: &mut dyn Schedule) -> Option<(Arc<Launch<'a>>, u64)> {
        let mut state = self.lock();
        let count = state.dispatchable.len();
        let at = match count {
            0 => return None,
            1 => 0,
            // If no more launches have room, the newest pending grid: its first block makes some.
            _ if state.pending >= self.most_pending => {
                let is_unstarted = |launch: &Arc<Launch>| launch.next_block.load(Relaxed) == 0;
                state.dispatchable.iter().rposition(is_unstarted).unwrap_or(count - 1)
            }
            _ => schedule.choose(ChoicePoint::Grid(count)),
        };
        let launch = state.dispatchable[at].clone();
        let nth = launch.next_block.fetch_add(1, Relaxed);
        if nth + 1 == launch.blocks() {
            state.dispatchable.remove(at);
        }
        state.mark_begun(launch.node);
        let block = schedule.begins(nth, launch.blocks());
        Some((launch, block))
    }

    /// Returns true if some grid has blocks that have not begun.
    #[inline]
    pub fn has_unstarted_blocks(&self) -> bool {
        !self.lock().dispatchable.is_empty()
    }

    /// Sets whether so many blocks are resident that no more begin only to make room for launches.
    pub fn set_crowded(&self, is_crowded: bool) {
        self.lock().is_crowded = is_crowded;
    }

    /// Returns true if a pending grid has to begin before others can be launched.
    #[inline]
    pub fn is_full(&self) -> bool {
        let state = self.lock();
        state.pending >= self.most_pending && state.unstarted > 0
    }

    /// Waits a while for a block that can begin. Returns false if all grids are complete.
    pub fn wait(&self) -> bool {
        let state = self.lock();
        if state.is_complete {
            return false;
        }
        // Not for long: nothing notifies the waiters of a launch that fails.
        drop(self.changed.wait_timeout(state, Duration::from_millis(1)));
        true
    }

    /// Records the end of a block, by its number over all grids. Returns the events that follow from it, in order.
    pub fn end_block(&self, launch: &Launch<'a>, block: u64) -> Vec<GridEvent> {
        let mut state = self.lock();
        let mut events = Vec::new();
        let node = state.node_mut(launch.node);
        node.blocks_left -= 1;
        node.close_streams(block);
        state.complete(launch.node, &mut events);
        state.report_retained(&mut events);
        self.changed.notify_all();
        events
    }
}

/// The device runtime's side: launches.
impl<'a> GridQueue<'a> {
    /// Reserves room for one more launch by a thread of `launch`, if there is any.
    pub fn reserve(&self, launch: &Launch<'a>) -> Reservation {
        let mut state = self.lock();
        let is_full = state.pending >= self.most_pending;
        if is_full {
            // A waiting thread asks again and again, and each time all ancestors are examined.
            launch.tree.burn(u64::from(launch.depth) / GRIDS_PER_FUEL);
        }
        if state.memory >= MEMORY_LIMIT {
            return Reservation::OutOfMemory;
        }
        let reservation = match is_full {
            false => Reservation::Granted,
            true if state.may_find_room(launch.node) => Reservation::Waits,
            true => Reservation::Impossible,
        };
        state.pending += usize::from(!is_full);
        state.set_waiting(launch.node, reservation == Reservation::Waits);
        reservation
    }

    /// Gives a reservation back.
    pub fn cancel_reservation(&self) {
        self.lock().pending -= 1;
    }

    /// Assigns the numbers of a new grid of this many blocks.
    pub fn assign_numbers(&self, blocks: u64, depth: u32) -> GridNumbers {
        let mut state = self.lock();
        let (grid, first_block) = (state.grids, state.next_block);
        state.grids += 1;
        state.next_block += blocks;
        state.memory += MEMORY_OF_GRID + u64::from(depth);
        GridNumbers { grid, first_block, node: state.vacant_node() }
    }

    /// Puts a grid, for which room has been reserved, into a stream of its parent's.
    pub fn launch(&self, parent: &Launch<'a>, child: Arc<Launch<'a>>, stream: Stream) -> Vec<GridEvent> {
        let mut state = self.lock();
        let (node, mut events) = (child.node, Vec::new());
        state.nodes[node] = Some(QueuedGrid::new(child, Some(parent.node), Some(stream)));
        let owner = state.node_mut(parent.node);
        match stream {
            Stream::Tail => owner.tail.push_back(node),
            Stream::FireAndForget => {
                owner.children += 1;
                state.make_ready(node, Vec::new(), &mut events);
            }
            _ => {
                owner.children += 1;
                state.enqueue(parent.node, stream, StreamEntry::Grid(node), &mut events);
            }
        }
        self.changed.notify_all();
        events
    }
}

/// The device runtime's side: streams and events. Their handles are unique within the launch.
impl<'a> GridQueue<'a> {
    pub fn create_stream(&self, launch: &Launch) -> u64 {
        let mut state = self.lock();
        let handle = state.new_handle();
        state.stream_owners.insert(handle, launch.node);
        handle
    }

    /// Returns true if the grid has created the stream and not destroyed it.
    pub fn has_stream(&self, launch: &Launch, handle: u64) -> bool {
        self.lock().stream_owners.get(&handle) == Some(&launch.node)
    }

    /// Destroys a stream of this grid. What was launched into it still runs. Returns false if there is no such stream.
    pub fn destroy_stream(&self, launch: &Launch, handle: u64) -> bool {
        let mut state = self.lock();
        let is_own = state.stream_owners.get(&handle) == Some(&launch.node);
        if is_own {
            state.stream_owners.remove(&handle);
        }
        is_own
    }

    pub fn create_event(&self) -> u64 {
        let mut state = self.lock();
        let handle = state.new_handle();
        state.cuda_events.insert(handle, None);
        handle
    }

    /// Destroys an event. Returns false if there is no such event.
    pub fn destroy_event(&self, event: u64) -> bool {
        self.lock().cuda_events.remove(&event).is_some()
    }

    /// Records an event in a stream. Returns `None` if there is no such event.
    pub fn record(&self, launch: &Launch, event: u64, stream: Stream) -> Option<Vec<GridEvent>> {
        let mut state = self.lock();
        let mark = state.next_mark;
        *state.cuda_events.get_mut(&event)? = Some(mark);
        state.next_mark += 1;
        let mut events = Vec::new();
        state.enqueue(launch.node, stream, StreamEntry::Record(mark), &mut events);
        Some(events)
    }

    /// Orders later work of the stream after what the event has recorded, which is nothing if it never was. Returns
    /// `None` if there is no such event.
    pub fn wait_event(&self, launch: &Launch, event: u64, stream: Stream) -> Option<Vec<GridEvent>> {
        let mut state = self.lock();
        let mut events = Vec::new();
        if let Some(mark) = *state.cuda_events.get(&event)? {
            state.enqueue(launch.node, stream, StreamEntry::Wait(mark), &mut events);
        }
        Some(events)
    }
}
