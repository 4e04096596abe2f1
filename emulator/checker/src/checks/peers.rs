//! Accesses of the shared memory of other blocks of a cluster, before their block is sure to have started or after it
//! may have ended (CUDA C++ Programming Guide, "Distributed Shared Memory"). A bulk copy may outlive its own block too.
//!
//! Both are judged by the happens-before order, not by when blocks ran: the start of a block is before the access, and
//! the access before the end of some thread of that block. A block that has ended in this run is one whose end came
//! first.

use super::{BlockState, Checker, WarpState};
use crate::order::clock::{View, joined};
use crate::order::warp::START;
use crate::sites::touched::Clock;
use finding::{AccessKind, Action, Cause, Finding, MemoryAccess, Severity, Slug, Space, Where};
use machine::registers::{Mask, lanes};
use machine::run::launch::Launch;
use machine::run::sites::access;
use machine::watch::Touch;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The last access of a thread of another block, or of a bulk copy.
struct PeerAccess {
    clock: Clock,
    site: u32,
    address: u64,
    bytes: u32,
    kind: AccessKind,
    thread: u32,
}

/// The accesses of a block's shared memory by others and by bulk copies, and the end of the block.
#[derive(Default)]
pub struct PeerAccesses {
    /// By block, warp and lane.
    last: FxHashMap<(u64, u32, u32), PeerAccess>,
    /// The joined views of its threads that have ended.
    known: Rc<View>,
    has_ended: bool,
}

impl PeerAccesses {
    pub fn begin(&mut self) {
        self.last.clear();
        self.known = Rc::default();
        self.has_ended = false;
    }

    /// Threads of the block have ended.
    pub fn exits(&mut self, views: &[Rc<View>], mask: Mask) {
        lanes(mask).for_each(|lane| self.known = joined(&self.known, &views[lane]));
    }
}

impl Checker<'_> {
    /// Checks and records an access by lanes of another block, or by a bulk copy.
    pub(super) fn check_lifetime(&mut self, touch: &Touch, kind: AccessKind, block: &mut BlockState, warp: &WarpState) {
        let is_own = touch.owner == touch.at.block;
        if is_own && warp.order.bulk().is_none() || touch.mask & !warp.astray == 0 {
            return;
        }
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        let launch = touch.at.launch;
        // A copy's own agent makes the access, so a block must have waited for the copy before it ends.
        let (by, clock) = warp.order.bulk().unwrap_or((touch.at.warp, warp.order.clock()));
        for lane in lanes(touch.mask & !warp.astray) {
            let made = PeerAccess {
                clock,
                site,
                address: touch.addresses[lane],
                bytes: touch.bytes,
                kind,
                thread: 32 * touch.at.warp + lane as u32,
            };
            if !is_own && !has_started(launch, &warp.order.views()[lane], touch.owner) {
                self.tell_lifetime(launch, touch.owner, touch.at.block, &made, Lifetime::NotStarted);
            } else if block.peers.has_ended {
                self.tell_lifetime(launch, touch.owner, touch.at.block, &made, Lifetime::Ended);
            }
            block.peers.last.insert((touch.at.block, by, lane as u32), made);
        }
    }

    /// All threads of a block have ended: others' accesses must have come before that.
    pub(super) fn check_end(&mut self, launch: &Launch, linear: u64, block: &mut BlockState) {
        block.peers.has_ended = true;
        let mut late: Vec<_> = block.peers.last.drain().collect();
        late.retain(|((by, warp, lane), made)| block.peers.known.clock_of(*by, *warp, *lane as usize) < made.clock);
        late.sort_by_key(|(by, _)| *by);
        for ((by, ..), made) in late {
            // A copy that is in a race has not been waited for, and the race says so.
            if by == linear && self.findings.has_race_in(launch, &self.trace.sites, made.site) {
                continue;
            }
            self.tell_lifetime(launch, linear, by, &made, Lifetime::Ended);
        }
    }

    fn tell_lifetime(&mut self, launch: &Launch, owner: u64, by: u64, made: &PeerAccess, owners: Lifetime) {
        let sites = &self.trace.sites;
        let tell = || {
            let calls = sites.calls(made.site);
            let action = Action::Accessed { bytes: made.bytes.into() };
            let mut end = access(launch, by, made.thread, sites.pc(made.site), &calls, action);
            let scope = end.memory.and_then(|memory| memory.scope);
            end.memory = Some(MemoryAccess { kind: made.kind, space: Space::Shared, scope, bytes: made.bytes });
            Finding {
                slug: Slug::OutOfBounds,
                severity: Severity::Error,
                kernel: launch.kernel.into(),
                accesses: vec![end],
                headline: None,
                place: Where::Shared { block: launch.block_index(owner), bytes: made.bytes, offset: made.address },
                cause: match owners {
                    Lifetime::NotStarted => Cause::BeforePeerStarts { kind: made.kind },
                    Lifetime::Ended => Cause::AfterPeerEnds { kind: made.kind },
                },
                remedies: Vec::new(),
                count: 1,
            }
        };
        self.findings.outlives(launch, sites, made.site, owners == Lifetime::Ended, &tell);
    }
}

/// The state that a block may be in when its memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifetime {
    NotStarted,
    Ended,
}

/// True if a view comes after the start of some thread of a block.
fn has_started(launch: &Launch, view: &View, block: u64) -> bool {
    (0..launch.warps_per_block()).any(|warp| (0..32).any(|lane| view.clock_of(block, warp, lane) >= START))
}
