//! The position of a finding in the trace: noted when it is found, since causes are completed only when the launch is
//! over.

use crate::bits::{Bits, Lanes};
use crate::data::{Launch, LocatedFinding, Site};
use crate::event::{Access, Event, LaneAccess, What, Who};
use checker::is_race;
use finding::{Action, Finding, Slug, Space, ThreadName};
use rustc_hash::FxHashMap;

/// The key of a finding of one launch: its threads, and its lines of the PTX.
type FoundKey = (Slug, Vec<(u32, Option<ThreadName>)>);

fn key(finding: &Finding) -> FoundKey {
    (finding.slug, finding.accesses.iter().map(|access| (access.ptx_line, access.thread)).collect())
}

/// The findings of the launch under way: at which event, and the positions of the accesses.
#[derive(Debug, Default)]
pub(crate) struct Finds {
    /// The number of changes of the checker's list when it was last looked at.
    pub seen: u64,
    known: FxHashMap<FoundKey, (Option<usize>, Vec<Option<usize>>)>,
}

impl Finds {
    /// Notes what is new: found at the event at `at`, if that is kept.
    pub fn note<'f>(&mut self, findings: impl Iterator<Item = &'f Finding>, at: Option<usize>, so_far: &SoFar) {
        for finding in findings {
            let known = self.known.entry(key(finding));
            known.or_insert_with(|| (at, at.map_or(vec![None; finding.accesses.len()], |at| so_far.ends(finding, at))));
        }
    }

    /// A finding of the launch, complete.
    pub fn locate(&self, finding: Finding, so_far: &SoFar) -> LocatedFinding {
        match self.known.get(&key(&finding)) {
            Some((at, accesses)) => LocatedFinding { at: *at, accesses: accesses.clone(), finding },
            None => so_far.found(finding, None),
        }
    }
}

/// The trace up to here.
pub(crate) struct SoFar<'t> {
    pub events: &'t [Event],
    pub sites: &'t [Site],
    pub launches: &'t [Launch],
}

impl SoFar<'_> {
    /// A finding whose accesses are looked for at its event and before, or everywhere.
    pub fn found(&self, finding: Finding, at: Option<usize>) -> LocatedFinding {
        let accesses = match at.or(self.events.len().checked_sub(1)) {
            Some(last) => self.ends(&finding, last),
            None => vec![None; finding.accesses.len()],
        };
        LocatedFinding { at, accesses, finding }
    }

    fn ends(&self, finding: &Finding, last: usize) -> Vec<Option<usize>> {
        let end = |of: &finding::Access, bytes| self.end(of, last, bytes);
        let mut ends: Vec<_> = finding.accesses.iter().map(|access| end(access, None)).collect();
        // Two that race touch the same bytes. An instruction that reads more than a piece for each lane has several events.
        if let (true, [first, second], [_, Some(at)]) = (is_race(finding.slug), &finding.accesses[..], &ends[..])
            && let Some(thread) = second.thread
        {
            let time = self.events[*at].time;
            let of_second = (0..=*at).rev().take_while(|&at| self.events[at].time == time);
            let both = of_second.filter_map(|at| Some((end(first, Some(touched(&self.events[at], thread)?))?, at)));
            ends = match both.map(|(first, second)| vec![Some(first), Some(second)]).next() {
                Some(both) => both,
                None if touched(&self.events[*at], thread).is_some() => vec![None, Some(*at)],
                None => ends,
            };
        }
        ends
    }

    /// The last event up to `last` that is this access; one that the machine has refused is its thread's step there.
    fn end(&self, access: &finding::Access, last: usize, bytes: Option<(u64, u64)>) -> Option<usize> {
        if access.ptx_line == 0 {
            return self.of_host(&access.action, last, bytes);
        }
        let is_there = |who: &Who| {
            let site = &self.sites[who.site];
            site.location == access.location && site.ptx_line == access.ptx_line
        };
        let is_in_line = |who: &Who| access.location.is_some() && self.sites[who.site].location == access.location;
        let by = |at: usize| match (access.thread, &self.events[at].who) {
            (Some(thread), Some(who)) => self.is_by(at, who, thread),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let find = |is_it: &dyn Fn(usize, &Event, &Who) -> bool| {
            (0..=last).rev().find(|&at| {
                let event = &self.events[at];
                event.who.as_ref().is_some_and(|who| is_it(at, event, who) && by(at))
            })
        };
        let touches = |event: &Event| {
            let What::Access(of) = &event.what else { return false };
            let overlaps = |lane: &LaneAccess, (first, end)| lane.address < end && first < lane.address + size(of);
            of.by_lane.iter().any(|lane| {
                let is_its = access.thread.is_none_or(|thread| u32::from(lane.lane) == thread.linear % 32);
                is_its && bytes.is_none_or(|bytes| overlaps(lane, bytes))
            })
        };
        // An instruction that copies accesses two spaces.
        let is_in = |event: &Event, space: Space| {
            let What::Access(of) = &event.what else { return false };
            space == Space::Generic || of.space == space
        };
        if let Some(memory) = &access.memory
            && let Some(at) = find(&|_, event, who| is_there(who) && touches(event) && is_in(event, memory.space))
        {
            return Some(at);
        }
        if bytes.is_some() {
            return None;
        }
        let is_other = |event: &Event| !matches!(event.what, What::Turn | What::Step { .. });
        find(&|_, event, who| is_there(who) && is_other(event))
            .or_else(|| find(&|_, event, who| is_in_line(who) && matches!(event.what, What::Step { .. })))
    }

    /// Returns the position of the host's operation: now, or before the second access of a race, which touches `bytes`.
    fn of_host(&self, action: &Action, last: usize, bytes: Option<(u64, u64)>) -> Option<usize> {
        let Action::EarlierHost { operation: earlier } = action else {
            return Some(last).filter(|&last| bytes_of_host(&self.events[last]).is_some());
        };
        let (first, end) = bytes.or_else(|| bytes_of_host(&self.events[last]))?;
        (0..last).rev().find(|&at| match &self.events[at].what {
            What::Host { operation, address: Bits(address), bytes, .. } => {
                operation == earlier && *address < end && first < address + bytes
            }
            _ => false,
        })
    }

    fn is_by(&self, at: usize, Who { block, warp, lanes: Lanes(mask), .. }: &Who, thread: ThreadName) -> bool {
        let launch = self.launches.iter().rev().find(|launch| launch.first <= at);
        let index = launch.and_then(|launch| launch.block(*block)).map(|(_, index)| index);
        *warp == thread.linear / 32 && mask >> (thread.linear % 32) & 1 != 0 && index == Some(thread.block)
    }
}

fn size(access: &Access) -> u64 {
    u64::from(access.bytes * access.elements)
}

fn bytes_of_host(event: &Event) -> Option<(u64, u64)> {
    match event.what {
        What::Host { address: Bits(address), bytes, .. } => Some((address, address + bytes)),
        _ => None,
    }
}

/// The bytes that a thread touches in an event.
fn touched(event: &Event, thread: ThreadName) -> Option<(u64, u64)> {
    let What::Access(access) = &event.what else { return None };
    let lane = access.by_lane.iter().find(|lane| u32::from(lane.lane) == thread.linear % 32)?;
    Some((lane.address, lane.address + size(access)))
}
