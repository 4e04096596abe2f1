//! Bulk copies (PTX ISA, "cp.async.bulk", "Async proxy", "Asynchronous operations").
//!
//! A bulk copy is judged as accesses of threads of its own, *agents*, which begin with the view and the accesses of the
//! thread that starts the copy. A copy that a barrier object tracks has one agent; what that agent has done is brought
//! to the phase that the copy's bytes complete. A copy of a group has two agents: one reads the source, and one writes
//! the destination, since a thread may wait for the reads alone.
//!
//! Each thread has [`BULK_AGENTS`] agents, in warps after those of `cp.async` ([`Launch::copying_warps`]). An agent
//! makes one copy after the other, with the clock as their number. It is free once the thread that starts a copy is
//! ordered after its last one, so copies in flight do not vouch for each other. If a thread has more copies in flight
//! than that, one agent takes a second, and who waits for that one counts as waiting for both (towards silence).
//!
//! Copies use the asynchronous proxy. What a copy reads or writes must not only come after earlier writes by ordinary
//! accesses, it must do so with a proxy fence between ([`View::proxied`]). Ordinary reads before a copy's write need
//! none, nor do accesses after a copy's completion, which has an implicit one. A copy brings along what its thread had
//! done before it started (towards silence).
//!
//! [`View::proxied`]: crate::order::clock::View::proxied

use crate::order::clock::View;
use crate::sites::touched::{Clock, RecordedAccess};
use machine::run::launch::{BULK_AGENTS, Launch};
use machine::watch::At;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An agent at one of its copies: its warp in the block, and the clock. Its lane is the thread's.
pub type Agent = (u32, Clock);

/// A copy that is not known to be over.
#[derive(Debug)]
struct StartedCopy {
    lane: usize,
    /// The agents that read and write.
    agents: [Agent; 2],
    /// The view of the thread that starts the copy.
    view: Rc<View>,
    site: u32,
}

/// The bulk copies of a block.
#[derive(Debug, Default)]
pub struct BulkOrder {
    /// The last copy of each agent, by warp and lane of its thread.
    last: FxHashMap<(u32, usize), [Clock; BULK_AGENTS as usize]>,
    /// Copies by their numbers.
    started: FxHashMap<u32, StartedCopy>,
}

impl BulkOrder {
    pub fn clear(&mut self) {
        self.last.clear();
        self.started.clear();
    }

    /// Begins copy `number`, which a lane starts with `view`. Returns the agents that read and write; one and the same
    /// unless the copy is of a group.
    pub fn begin(&mut self, at: &At, lane: usize, number: u32, view: &View, of_group: bool) -> [Agent; 2] {
        let first = self.agent(at, lane, view, number);
        [first, if of_group { self.agent(at, lane, view, number) } else { first }]
    }

    fn agent(&mut self, at: &At, lane: usize, view: &View, number: u32) -> Agent {
        let warps = at.launch.most_warps();
        let warp = |agent: usize| (2 + agent as u32) * warps + at.warp;
        let last = self.last.entry((at.warp, lane)).or_default();
        let is_free = |agent: usize| last[agent] == 0 || view.clock_of(at.block, warp(agent), lane) >= last[agent];
        let agent = (0..last.len()).find(|&agent| is_free(agent)).unwrap_or(number as usize % last.len());
        last[agent] += 1;
        (warp(agent), last[agent])
    }

    /// Records a copy that has begun, with the view of its thread at that time.
    pub fn starts(&mut self, number: u32, lane: usize, agents: [Agent; 2], view: Rc<View>, site: u32) {
        self.started.insert(number, StartedCopy { lane, agents, view, site });
    }

    /// Adds to `view` what a copy has done, or what it has read if `reads`.
    pub fn waited(&mut self, number: u32, block: u64, reads: bool, view: &mut View) {
        let Some(copy) = self.started.get(&number) else { return };
        for (warp, clock) in copy.agents.iter().take(if reads { 1 } else { 2 }) {
            view.raise(block, *warp, 1 << copy.lane, *clock);
        }
        if !reads {
            self.started.remove(&number);
        }
    }

    /// Ends a copy that a barrier object tracks. Returns what its completion brings to the object.
    pub fn completes(&mut self, number: u32, block: u64) -> Option<Rc<View>> {
        let copy = self.started.remove(&number)?;
        let mut view = Rc::unwrap_or_clone(copy.view);
        let (warp, clock) = copy.agents[1];
        view.raise(block, warp, 1 << copy.lane, clock);
        Some(Rc::new(view))
    }

    /// Returns the site of a copy.
    pub fn site(&self, number: u32) -> u32 {
        self.started.get(&number).map_or(0, |copy| copy.site)
    }
}

/// True for a bulk copy of this launch.
pub fn is_bulk(launch: &Launch, touched: RecordedAccess) -> bool {
    launch.code.bulk_copies
        && !touched.info.is_older()
        && (2 * launch.most_warps()..launch.multiplying_warps()).contains(&(touched.warp() % launch.warp_stride()))
}
