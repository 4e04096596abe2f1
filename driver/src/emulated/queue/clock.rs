//! Which operations are ordered before which, as vector clocks (CUDA C++ Programming Guide, "Streams", "Events").
//!
//! Agents are the host (0) and the streams. An operation joins what its stream did before, what the host knew
//! to be done when it submitted it, and what it was told to wait for; then it ticks its own agent. Waiting on the
//! host joins the operation into the host. All host threads of a context count as one: an order between two of them
//! that only luck made is taken as given, so this errs towards silence.

use emulator::HostOrder;

/// Entry `i`: how many operations of agent `i` are known to be done. Missing entries are 0.
pub(crate) type VectorClock = Vec<u32>;

/// Takes the later of both, entry by entry.
pub(crate) fn join(into: &mut VectorClock, from: &[u32]) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (mine, &theirs) in into.iter_mut().zip(from) {
        *mine = (*mine).max(theirs);
    }
}

const HOST: usize = 0;

/// Ticks of an agent for operations of a part of the work that is chosen only when its turn comes. Once they are used
/// up, operations share the last one: from then on those of one part count as ordered after those of all others.
#[derive(Debug)]
pub(crate) struct Reserved {
    agent: u32,
    last: u32,
    limit: u32,
}

impl Reserved {
    /// Returns the order of the part's next operation, which comes after `clock`.
    pub(crate) fn next(&mut self, mut clock: VectorClock) -> HostOrder {
        self.last = (self.last + 1).min(self.limit);
        let agent = self.agent as usize;
        if clock.len() <= agent {
            clock.resize(agent + 1, 0);
        }
        clock[agent] = self.last;
        HostOrder { agent: self.agent, clock, overlaps: None }
    }
}

pub(crate) struct Clocks {
    host: VectorClock,
    /// The clock of each agent's last operation; entry 0 is unused.
    tails: Vec<VectorClock>,
    /// Agents whose stream is gone.
    retired: Vec<u32>,
}

impl Clocks {
    pub(crate) fn new() -> Clocks {
        Clocks { host: vec![1], tails: vec![vec![]], retired: vec![] }
    }

    /// An agent for a new stream. One whose stream is gone is taken again only if the host knows all of its work to be
    /// done. Then everything that the new stream will do comes after it anyway, and clocks stay short.
    pub(crate) fn open(&mut self) -> u32 {
        let known = |agent: &u32| {
            let agent = *agent as usize;
            let own = self.tails[agent].get(agent).copied().unwrap_or(0);
            self.host.get(agent).copied().unwrap_or(0) >= own
        };
        if let Some(index) = self.retired.iter().position(known) {
            return self.retired.swap_remove(index);
        }
        self.tails.push(vec![]);
        self.tails.len() as u32 - 1
    }

    /// The stream of this agent is gone and its work is done.
    pub(crate) fn retire(&mut self, agent: u32) {
        // One with few ticks left is not taken again.
        if self.tails[agent as usize].get(agent as usize).is_none_or(|&tick| tick < u32::MAX / 2) {
            self.retired.push(agent);
        }
    }

    /// Reserves `ticks` of an agent, for operations after `after`. The agent is taken again only once the host knows
    /// all of them to be done.
    pub(crate) fn reserve(&mut self, after: &VectorClock, ticks: u32) -> (Reserved, &VectorClock) {
        let agent = self.open();
        let index = agent as usize;
        let last = self.tails[index].get(index).copied().unwrap_or(0);
        let limit = last + ticks;
        let mut clock = after.clone();
        join(&mut clock, &self.tails[index]);
        if clock.len() <= index {
            clock.resize(index + 1, 0);
        }
        clock[index] = limit;
        self.tails[index] = clock;
        self.retire(agent);
        (Reserved { agent, last, limit }, &self.tails[index])
    }

    /// A new operation of `agent` that also comes after all of `after`.
    pub(crate) fn submit<'a>(&mut self, agent: u32, after: impl IntoIterator<Item = &'a VectorClock>) -> HostOrder {
        let mut clock = self.host.clone();
        join(&mut clock, &self.tails[agent as usize]);
        for earlier in after {
            join(&mut clock, earlier);
        }
        if clock.len() < self.tails.len() {
            clock.resize(self.tails.len(), 0);
        }
        clock[agent as usize] += 1;
        self.host[HOST] += 1;
        self.tails[agent as usize].clone_from(&clock);
        HostOrder { agent, clock, overlaps: None }
    }

    /// A new launch of `agent` that comes after all of `after`, and may overlap with the launches before it in its
    /// stream. Those that the host or another stream has waited for are done.
    pub(crate) fn submit_overlapping(&mut self, agent: u32, after: &[VectorClock]) -> HostOrder {
        let clocks = after.iter().chain([&self.host]);
        let known = clocks.map(|clock| clock.get(agent as usize).copied().unwrap_or(0)).max();
        HostOrder { overlaps: known, ..self.submit(agent, after) }
    }

    /// The clock of the agent's last operation.
    pub(crate) fn tail(&self, agent: u32) -> &VectorClock {
        &self.tails[agent as usize]
    }

    pub(crate) fn each_tail(&mut self, change: impl FnMut(&mut VectorClock)) {
        self.tails.iter_mut().for_each(change);
    }

    /// Returns the order of what the host does itself: after all that it knows to be done, before all that it submits
    /// from now on.
    pub(crate) fn host_order(&self) -> HostOrder {
        HostOrder { agent: HOST as u32, clock: self.host.clone(), overlaps: None }
    }

    /// The host has waited for an operation with this clock.
    pub(crate) fn host_joins(&mut self, clock: &[u32]) {
        join(&mut self.host, clock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(a: &HostOrder, b: &HostOrder) -> bool {
        let at = |clock: &VectorClock| clock.get(a.agent as usize).copied().unwrap_or(0);
        at(&b.clock) >= at(&a.clock)
    }

    #[test]
    fn one_stream_is_in_order() {
        let mut clocks = Clocks::new();
        let stream = clocks.open();
        let (first, second) = (clocks.submit(stream, []), clocks.submit(stream, []));
        assert!(before(&first, &second) && !before(&second, &first));
    }

    #[test]
    fn two_streams_are_not() {
        let mut clocks = Clocks::new();
        let (a, b) = (clocks.open(), clocks.open());
        let (first, second) = (clocks.submit(a, []), clocks.submit(b, []));
        assert!(!before(&first, &second) && !before(&second, &first));
    }

    #[test]
    fn an_event_orders_two_streams() {
        let mut clocks = Clocks::new();
        let (a, b) = (clocks.open(), clocks.open());
        let recorded = clocks.submit(a, []);
        let later_in_a = clocks.submit(a, []);
        let waits = clocks.submit(b, [&recorded.clock]);
        assert!(before(&recorded, &waits));
        assert!(!before(&later_in_a, &waits), "only what came before the event");
        let third = clocks.open();
        let chained = clocks.submit(third, [&waits.clock]);
        assert!(before(&recorded, &chained), "order is transitive");
    }

    #[test]
    fn waiting_on_the_host_orders_what_is_submitted_next() {
        let mut clocks = Clocks::new();
        let (a, b) = (clocks.open(), clocks.open());
        let first = clocks.submit(a, []);
        let early = clocks.submit(b, []);
        clocks.host_joins(&first.clock);
        let late = clocks.submit(b, []);
        assert!(!before(&first, &early) && before(&first, &late));
    }

    #[test]
    fn a_dependent_launch_comes_after_what_something_else_has_waited_for() {
        let mut clocks = Clocks::new();
        let (a, b) = (clocks.open(), clocks.open());
        let first = clocks.submit(a, []);
        assert_eq!(clocks.submit_overlapping(a, &[]).overlaps, Some(0));
        let waits = clocks.submit(b, [&first.clock]);
        assert_eq!(clocks.submit_overlapping(a, &[waits.clock]).overlaps, Some(1));
        let third = clocks.submit(a, []);
        clocks.host_joins(&third.clock);
        assert_eq!(clocks.submit_overlapping(a, &[]).overlaps, Some(4));
    }

    #[test]
    fn reserved_parts_come_before_what_comes_after_all_of_them() {
        let mut clocks = Clocks::new();
        let a = clocks.open();
        let gate = clocks.submit(a, []);
        let mut tails = vec![];
        let mut reserve = || {
            let (part, tail) = clocks.reserve(&gate.clock, 2);
            tails.push(tail.clone());
            part
        };
        let (mut one, mut other) = (reserve(), reserve());
        let end = clocks.submit(a, &tails);
        let (first, beside) = (one.next(gate.clock.clone()), other.next(gate.clock.clone()));
        assert!(before(&gate, &first) && !before(&first, &beside) && !before(&beside, &first));
        let second = one.next(beside.clock.clone());
        assert!(before(&beside, &second) && before(&first, &end) && before(&second, &end));
        // A third one shares the last tick.
        let third = one.next(second.clock.clone());
        assert!(before(&second, &third) && before(&third, &end));
    }

    #[test]
    fn an_agent_is_taken_again_only_once_the_host_knows_its_work() {
        let mut clocks = Clocks::new();
        let a = clocks.open();
        let work = clocks.submit(a, []);
        clocks.retire(a);
        let b = clocks.open();
        assert_ne!(a, b, "work of a is not known to be done");
        let unordered = clocks.submit(b, []);
        assert!(!before(&work, &unordered));
        clocks.host_joins(&work.clock);
        let c = clocks.open();
        assert_eq!(a, c);
        assert!(before(&work, &clocks.submit(c, [])));
    }
}
