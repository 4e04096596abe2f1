//! Which grids of a launch may run, and when each is complete (CUDA Programming Guide, "CUDA Dynamic Parallelism":
//! "Execution Environment", "Streams", "Limits").
//!
//! A kernel launches grids into streams of its own grid: the NULL stream of the launching block, named streams,
//! fire-and-forget, which is a stream for one grid, and the tail stream. What lies in one stream runs one after the
//! other. A grid is complete when its blocks have ended, the grids that it launched are complete, and then, one by one,
//! those that it launched into its tail stream. There is no other order: a child may begin while its parent still runs,
//! or long after. Which, is the schedule's choice ([`Question::Grid`]).
//!
//! A launch is pending until its first block begins. Where the limit of pending launches is reached a real device has
//! no room for another. If some pending grid can begin without this one's end, the launching thread waits for that
//! here, and fails otherwise. A device that is full of waiting parents would fail earlier: this errs towards success.
//!
//! The file is long because a grid's streams, its end and the room for others are one state, under one lock.

use super::grids::Identity;
use super::launch::Launch;
use crate::schedule::{Question, Schedule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A stream of one grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// The NULL stream of a block.
    Block(u64),
    /// The per-thread default stream: block and thread.
    Thread(u64, u32),
    /// Created by the grid.
    Named(u64),
    FireAndForget,
    Tail,
}

/// An event in the order of grids, for those who watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Grid `grid` may begin: it comes after all that these have done.
    Begins { grid: u32, after: Vec<u32> },
    /// Grid `grid` is complete, and so are all that it launched.
    Ends { grid: u32, parent: u32 },
    /// Later grids may begin after these complete grids, and after no other complete ones.
    Keeps { complete: Vec<u32> },
}

/// An entry of a stream.
enum Step {
    Grid(usize),
    Record(u64),
    Wait(u64),
}

#[derive(Default)]
struct Line {
    steps: VecDeque<Step>,
    /// The grid at the front runs.
    busy: bool,
    /// The grids that the next grid comes after.
    after: Vec<u32>,
    /// Nobody is left to put more into it.
    closed: bool,
}

impl Line {
    /// Nothing will begin in it.
    fn is_over(&self) -> bool {
        self.closed && self.steps.is_empty()
    }
}

/// A grid that is not complete.
struct Node<'a> {
    launch: Arc<Launch<'a>>,
    parent: Option<usize>,
    stream: Option<Stream>,
    blocks_left: u64,
    /// Grids launched and not complete, those in the tail stream aside until they begin.
    children: u32,
    lines: FxHashMap<Stream, Line>,
    tail: VecDeque<usize>,
    begun: bool,
    /// A thread of it waits for room among the pending launches.
    waits: bool,
}

#[derive(Default)]
struct State<'a> {
    nodes: Vec<Option<Node<'a>>>,
    vacant: Vec<usize>,
    /// Grids with blocks that have not begun, in the order in which they became ready.
    open: Vec<Arc<Launch<'a>>>,
    /// Those of them that have not begun.
    ready: usize,
    /// Grids that have begun, of which no thread waits for room.
    running: usize,
    is_crowded: bool,
    /// Launches that have not begun, and those being prepared.
    pending: usize,
    grids: u32,
    kept: u64,
    /// Grids that have completed since it was last told which of them are kept, and how many make it worth telling.
    complete: usize,
    most_complete: usize,
    next_block: u64,
    next_handle: u64,
    /// Events by handle: the mark that their last record has.
    events: FxHashMap<u64, Option<u64>>,
    /// Marks that have been reached: what lies behind them.
    reached: FxHashMap<u64, Vec<u32>>,
    next_mark: u64,
    streams: FxHashMap<u64, usize>,
    over: bool,
}

/// The grids of one launch.
pub struct Queue<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
    most_pending: usize,
}

/// The answer to a thread that wants to launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// It may go on.
    Yes,
    /// Not before a pending grid has begun.
    Later,
    /// No pending grid can begin before this one ends.
    Never,
    /// Nor will there be any: the host has no memory for more.
    NoMore,
}

/// Grids that are looked at in the time of a thread's instruction.
const GRIDS_PER_FUEL: u64 = 16;
/// The memory that the grids of one launch may take, in units of 16 bytes: this much of each grid, and one for each
/// grid above it, which its threads know.
const MOST_KEPT: u64 = 1 << 25;
const KEPT_OF_EACH: u64 = 64;
/// The number of complete grids from which on the checker is told which of them are kept.
const LEAST_COMPLETE: usize = 64;
/// A number below those of streams that programs create, which CUDA keeps for its own.
const FIRST_HANDLE: u64 = 0x1000;

impl<'a> Queue<'a> {
    pub fn new(root: &Arc<Launch<'a>>, most_pending: usize) -> Queue<'a> {
        let mut state = State { next_handle: FIRST_HANDLE, ..State::default() };
        state.add(root.clone(), None, None);
        state.nodes[0].as_mut().expect("just added").begun = true;
        state.open.push(root.clone());
        (state.grids, state.next_block, state.running) = (1, root.blocks(), 1);
        Queue { state: Mutex::new(state), changed: Condvar::new(), most_pending }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block that has not begun, of a grid that the schedule chooses.
    pub fn draw(&self, schedule: &mut dyn Schedule) -> Option<(Arc<Launch<'a>>, u64)> {
        let mut state = self.lock();
        let count = state.open.len();
        let at = match count {
            0 => return None,
            1 => 0,
            // The newest first where there is no room for more, of those whose beginning makes some.
            _ if state.pending >= self.most_pending => {
                let is_ready = |launch: &Arc<Launch>| launch.next_block.load(Relaxed) == 0;
                state.open.iter().rposition(is_ready).unwrap_or(count - 1)
            }
            _ => schedule.choose(Question::Grid(count)),
        };
        let launch = state.open[at].clone();
        let nth = launch.next_block.fetch_add(1, Relaxed);
        let node = state.nodes[launch.node].as_mut().expect("open");
        if !std::mem::replace(&mut node.begun, true) {
            state.pending -= 1;
            state.ready -= 1;
            state.running += 1;
        }
        let of = launch.blocks();
        if nth + 1 == of {
            state.open.remove(at);
        }
        Some((launch, schedule.begins(nth, of)))
    }

    /// True if some grid has blocks that have not begun.
    #[inline]
    pub fn is_open(&self) -> bool {
        !self.lock().open.is_empty()
    }

    /// No block will begin only to make room for others: too many have.
    pub fn set_crowded(&self, is_crowded: bool) {
        self.lock().is_crowded = is_crowded;
    }

    /// True if a pending grid has to begin for others to find room.
    #[inline]
    pub fn is_full(&self) -> bool {
        let state = self.lock();
        state.pending >= self.most_pending && state.ready > 0
    }

    /// Waits a while for a block to begin; false once all grids are complete.
    pub fn wait(&self) -> bool {
        let state = self.lock();
        if state.over {
            return false;
        }
        // Not for long: a launch that fails tells nobody.
        drop(self.changed.wait_timeout(state, Duration::from_millis(1)));
        true
    }

    /// A block of a grid has ended, by its number in the launch. Returns what follows from it, in order.
    pub fn ended(&self, launch: &Launch<'a>, block: u64) -> Vec<Event> {
        let mut state = self.lock();
        let mut events = Vec::new();
        let node = state.nodes[launch.node].as_mut().expect("not complete: this was its block");
        node.blocks_left -= 1;
        if !node.lines.is_empty() {
            let threads = launch.threads_per_block();
            for stream in std::iter::once(Stream::Block(block)).chain((0..threads).map(|it| Stream::Thread(block, it)))
            {
                let Some(line) = node.lines.get_mut(&stream) else { continue };
                line.closed = true;
                if line.is_over() {
                    node.lines.remove(&stream);
                }
            }
        }
        state.settle(launch.node, &mut events);
        state.keep(&mut events);
        self.changed.notify_all();
        events
    }

    /// Asks for room for one more launch by a thread of `launch`, and takes it.
    pub fn reserve(&self, launch: &Launch<'a>) -> Room {
        let mut state = self.lock();
        let full = state.pending >= self.most_pending;
        if full {
            // It is asked again and again, and looks at all grids above.
            launch.tree.burn(u64::from(launch.depth) / GRIDS_PER_FUEL);
        }
        let room = match full {
            _ if state.kept >= MOST_KEPT => return Room::NoMore,
            false => Room::Yes,
            true if state.may_find_room(launch.node) => Room::Later,
            true => Room::Never,
        };
        state.pending += usize::from(!full);
        let node = state.nodes[launch.node].as_mut().expect("it runs");
        let has_waited = std::mem::replace(&mut node.waits, room == Room::Later);
        state.running = state.running + usize::from(has_waited) - usize::from(room == Room::Later);
        room
    }

    /// Gives a reservation back.
    pub fn release(&self) {
        self.lock().pending -= 1;
    }

    /// The numbers that a new grid gets: its own, and its first block's.
    pub fn number(&self, blocks: u64, depth: u32) -> (u32, u64, usize) {
        let mut state = self.lock();
        let number = state.grids;
        state.grids += 1;
        state.kept += KEPT_OF_EACH + u64::from(depth);
        let first = state.next_block;
        state.next_block += blocks;
        let node = state.vacant.pop().unwrap_or_else(|| {
            state.nodes.push(None);
            state.nodes.len() - 1
        });
        (number, first, node)
    }

    /// Puts a grid, for which room has been reserved, into a stream of its parent's.
    pub fn launch(&self, parent: &Launch<'a>, child: Arc<Launch<'a>>, stream: Stream) -> Vec<Event> {
        let mut state = self.lock();
        let (node, mut events) = (child.node, Vec::new());
        state.nodes[node] = Some(Node::new(child, Some(parent.node), Some(stream)));
        let above = state.nodes[parent.node].as_mut().expect("it runs");
        match stream {
            Stream::Tail => above.tail.push_back(node),
            Stream::FireAndForget => {
                above.children += 1;
                state.open(node, Vec::new(), &mut events);
            }
            _ => {
                above.children += 1;
                above.lines.entry(stream).or_default().steps.push_back(Step::Grid(node));
                state.advance(parent.node, stream, &mut events);
            }
        }
        self.changed.notify_all();
        events
    }

    pub fn create_stream(&self, launch: &Launch) -> u64 {
        let mut state = self.lock();
        let handle = state.handle();
        state.streams.insert(handle, launch.node);
        handle
    }

    /// True if the stream was created by this grid and not destroyed.
    pub fn has_stream(&self, launch: &Launch, handle: u64) -> bool {
        self.lock().streams.get(&handle) == Some(&launch.node)
    }

    /// Destroys a stream. The grids that were launched into it run all the same.
    pub fn destroy_stream(&self, launch: &Launch, handle: u64) -> bool {
        let mut state = self.lock();
        let known = state.streams.get(&handle) == Some(&launch.node);
        if known {
            state.streams.remove(&handle);
        }
        known
    }

    pub fn create_event(&self) -> u64 {
        let mut state = self.lock();
        let handle = state.handle();
        state.events.insert(handle, None);
        handle
    }

    pub fn destroy_event(&self, event: u64) -> bool {
        self.lock().events.remove(&event).is_some()
    }

    pub fn record(&self, launch: &Launch, event: u64, stream: Stream) -> Option<Vec<Event>> {
        let mut state = self.lock();
        let mark = state.next_mark;
        *state.events.get_mut(&event)? = Some(mark);
        state.next_mark += 1;
        Some(state.step(launch.node, stream, Step::Record(mark)))
    }

    /// Later work in the stream comes after what the event has recorded. One that was never recorded orders nothing.
    pub fn wait_event(&self, launch: &Launch, event: u64, stream: Stream) -> Option<Vec<Event>> {
        let mut state = self.lock();
        match *state.events.get(&event)? {
            None => Some(Vec::new()),
            Some(mark) => Some(state.step(launch.node, stream, Step::Wait(mark))),
        }
    }
}

impl<'a> Node<'a> {
    fn new(launch: Arc<Launch<'a>>, parent: Option<usize>, stream: Option<Stream>) -> Node<'a> {
        Node {
            blocks_left: launch.blocks(),
            launch,
            parent,
            stream,
            children: 0,
            lines: FxHashMap::default(),
            tail: VecDeque::new(),
            begun: false,
            waits: false,
        }
    }
}

impl<'a> State<'a> {
    fn add(&mut self, launch: Arc<Launch<'a>>, parent: Option<usize>, stream: Option<Stream>) {
        self.nodes.push(Some(Node::new(launch, parent, stream)));
    }

    fn handle(&mut self) -> u64 {
        self.next_handle += 1;
        self.next_handle
    }

    /// A grid's turn in its stream has come.
    fn open(&mut self, node: usize, after: Vec<u32>, events: &mut Vec<Event>) {
        let launch = self.nodes[node].as_ref().expect("launched").launch.clone();
        events.push(Event::Begins { grid: launch.number, after });
        self.open.push(launch);
        self.ready += 1;
    }

    fn step(&mut self, node: usize, stream: Stream, step: Step) -> Vec<Event> {
        let mut events = Vec::new();
        let owner = self.nodes[node].as_mut().expect("it runs");
        owner.lines.entry(stream).or_default().steps.push_back(step);
        self.advance(node, stream, &mut events);
        events
    }

    /// Begins what a stream can begin.
    fn advance(&mut self, owner: usize, stream: Stream, events: &mut Vec<Event>) {
        let mut reached = false;
        while let Some(line) = self.nodes[owner].as_mut().and_then(|node| node.lines.get_mut(&stream)) {
            if line.busy {
                break;
            }
            match line.steps.front() {
                None => break,
                Some(&Step::Grid(node)) => {
                    line.busy = true;
                    let after = line.after.clone();
                    self.open(node, after, events);
                    break;
                }
                Some(&Step::Record(mark)) => {
                    self.reached.insert(mark, line.after.clone());
                    line.steps.pop_front();
                    reached = true;
                }
                Some(Step::Wait(mark)) => {
                    let Some(behind) = self.reached.get(mark) else { break };
                    for grid in behind {
                        if !line.after.contains(grid) {
                            line.after.push(*grid);
                        }
                    }
                    line.steps.pop_front();
                }
            }
        }
        if reached {
            let others: Vec<Stream> = self.nodes[owner]
                .iter()
                .flat_map(|node| node.lines.keys().copied())
                .filter(|it| *it != stream)
                .collect();
            others.into_iter().for_each(|other| self.advance(owner, other, events));
        }
    }

    /// Looks whether a grid is complete, and whether that completes others.
    fn settle(&mut self, node: usize, events: &mut Vec<Event>) {
        let mut at = node;
        loop {
            let it = self.nodes[at].as_mut().expect("not complete");
            if it.blocks_left > 0 || it.children > 0 {
                return;
            }
            let number = it.launch.number;
            if let Some(tail) = it.tail.pop_front() {
                it.children += 1;
                return self.open(tail, vec![number], events);
            }
            let Node { parent, stream, waits, .. } = self.nodes[at].take().expect("just seen");
            self.running -= usize::from(!waits);
            let Some(above) = parent else {
                self.over = true;
                return;
            };
            self.vacant.push(at);
            self.complete += 1;
            let owner = self.nodes[above].as_mut().expect("complete only after its children");
            events.push(Event::Ends { grid: number, parent: owner.launch.number });
            owner.children -= 1;
            if let Some((stream, line)) = stream.and_then(|stream| Some((stream, owner.lines.get_mut(&stream)?))) {
                line.busy = false;
                line.steps.pop_front();
                line.after = vec![number];
                self.advance(above, stream, events);
                let lines = &mut self.nodes[above].as_mut().expect("not complete").lines;
                if lines.get(&stream).is_some_and(Line::is_over) {
                    lines.remove(&stream);
                }
            }
            at = above;
        }
    }

    /// Tells which complete grids others may still come after, once so many have completed that looking for these costs
    /// no more than they did.
    fn keep(&mut self, events: &mut Vec<Event>) {
        if self.complete < self.most_complete.max(LEAST_COMPLETE) {
            return;
        }
        let lines = || self.nodes.iter().flatten().flat_map(|node| node.lines.values());
        // Marks that an event still has, or that a stream waits for.
        let waits = lines().flat_map(|line| &line.steps);
        let waits = waits.filter_map(|step| if let Step::Wait(mark) = step { Some(*mark) } else { None });
        let marks: FxHashSet<u64> = self.events.values().flatten().copied().chain(waits).collect();
        self.reached.retain(|mark, _| marks.contains(mark));
        let mut complete: Vec<u32> =
            lines().map(|line| &line.after).chain(self.reached.values()).flatten().copied().collect();
        complete.sort_unstable();
        complete.dedup();
        let looked_at = self.nodes.len() + lines().map(|line| 1 + line.steps.len()).sum::<usize>() + self.events.len();
        (self.complete, self.most_complete) = (0, looked_at + complete.len());
        events.push(Event::Keeps { complete });
    }

    /// True if a launch that is pending now may begin before grid `node` goes on.
    fn may_find_room(&self, node: usize) -> bool {
        let runs = |node: &&Node| node.begun && !node.waits;
        let above = std::iter::successors(self.nodes[node].as_ref(), |node| self.nodes[node.parent?].as_ref());
        self.ready > 0 && !self.is_crowded || self.running > above.filter(runs).count()
    }
}

/// Creates the identity of a child grid: its name contains its relation to the grid that launches it.
pub fn identity<'a>(
    parent: &Launch<'a>,
    part: u32,
    shape: ([u32; 3], [u32; 3]),
    first_block: u64,
    by: (u64, u32),
    place: (u32, Vec<u32>),
) -> Arc<Identity> {
    let ((grid, block), (by_block, thread), (pc, calls)) = (shape, by, place);
    let origin = super::grids::Origin { parent: parent.identity.clone(), block: by_block, thread, pc, calls };
    Arc::new(Identity { part, grid, block, first_block, origin: Some(origin) })
}
