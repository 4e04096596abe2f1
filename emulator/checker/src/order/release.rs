//! Release and acquire (PTX ISA, "Memory Consistency Model": release and acquire patterns, synchronizes-with).
//!
//! A location keeps what the last strong write to it released. A read that observes that write acquires it at once
//! (`.acquire`), or at the reader's next fence or acquiring read of the location (`.relaxed`, `.volatile`). An atomic
//! read-modify-write hands on what it has observed: the ISA's observation passes through such chains. A
//! compare-and-exchange that fails writes nothing and so releases nothing. A release pattern may end in a later strong
//! write of the same thread.
//!
//! Both sides' scopes must include the other thread. If they do not, the reader acquires nothing, and what it would
//! have acquired is recorded separately ([`View::with_denied`]). A race that follows can then name the scope as its
//! cause, and the lines that are too narrow. That also holds after a barrier or another block's flag.
//!
//! All `fence.sc` whose scopes include each other have one order, and the value that a thread reads can determine it. A
//! fence that is before a write in causality order comes before one that is after a read of that write. Neither need be
//! the writer's or the reader's own. So it may be `__threadfence()` by all, then `__syncthreads()`, then one thread's
//! flag; and the same on the other side. Fences and reads are carried through barriers (`Carried`), not through further
//! patterns: there it errs towards a report.

use crate::order::clock::{TooNarrow, View, joined};
use machine::exec::memory::Scope;
use machine::run::launch::Launch;
use std::rc::Rc;

/// The blocks that the scope of one side of a synchronisation includes: its own, or all.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub block: u64,
    /// The block's cluster, if the scope includes it and it has several blocks.
    pub cluster: Option<u64>,
    pub wide: bool,
    pub by: By,
    /// The access or fence that limits the scope. It is named in a report, and ignored by comparisons.
    pub site: u32,
}

impl PartialEq for Reach {
    fn eq(&self, other: &Reach) -> bool {
        (self.block, self.cluster, self.wide, self.by) == (other.block, other.cluster, other.wide, other.by)
    }
}

/// The kind of operation that released, which determines what acquires it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The access itself or a weaker fence.
    Release,
    /// The writer's `fence.sc`.
    FenceSc,
    /// The `fence.sc` of a thread before a barrier. Only another `fence.sc` acquires it.
    ToldFenceSc,
}

impl Reach {
    pub fn new(scope: Scope, block: u64, site: u32) -> Reach {
        Reach { block, cluster: None, wide: scope >= Scope::Device, by: By::Release, site }
    }

    /// As `new`, around a block of a launch whose clusters may have several blocks.
    pub fn in_launch(launch: &Launch, scope: Scope, block: u64, site: u32) -> Reach {
        let has_cluster = scope >= Scope::Cluster && launch.has_peers();
        Reach { cluster: has_cluster.then(|| launch.cluster_number(block)), ..Reach::new(scope, block, site) }
    }

    /// True if each side's scope includes the other (one condition of "morally strong").
    pub fn meets(self, other: Reach) -> bool {
        let is_of_cluster = || self.cluster.is_some() && self.cluster == other.cluster;
        self.block == other.block || self.wide && other.wide || is_of_cluster()
    }

    /// Returns the scopes for which an access of this reach does not synchronise with a release of `theirs`.
    pub fn denies(self, theirs: Reach) -> TooNarrow {
        TooNarrow { release: theirs.narrow(), sees: self.narrow(), fence: None }
    }

    fn narrow(self) -> Option<u32> {
        (!self.wide).then_some(self.site)
    }
}

/// A released view, and the reach of the operation that begins the release pattern.
pub type ReleasedView = (Reach, Rc<View>);

/// The release of a location's last strong write: its own, and those of earlier writes that read-modify-writes have
/// handed on.
///
/// A read has observed it if the read's scope and the write's include each other. Whether the two threads then
/// synchronise depends on the scopes of the release and of the acquire alone, not on those of the updates in between.
#[derive(Clone, Debug, Default)]
pub struct SyncVar {
    last: Option<Reach>,
    /// The size of that write in bytes. A read of another size is not morally strong with it, and observes nothing.
    bytes: u32,
    entries: Vec<ReleasedView>,
}

/// Represents several blocks: reached by wide scopes, and by none of one block.
const SEVERAL: u64 = u64::MAX;

/// Represents no block: reached by no scope.
const NOBODY: u64 = u64::MAX - 1;

/// The number of blocks whose wide releases are also kept separately, for narrow reads in the same block: the latest
/// ones. Narrow reads in other blocks acquire too little, which errs towards a report.
const BLOCKS: usize = 8;

/// Block, warp, lane.
pub type Thread = (u64, u32, u32);

/// The block, if the location is in its shared memory, and the address.
pub type Location = (Option<u64>, u64);

/// The number of observations of a thread that are kept separately by location.
const PLACES: usize = 8;

/// The number of locations of which a thread's own releases are kept: the latest ones.
const OWN: usize = 4;

impl SyncVar {
    /// Returns the state after a write of `bytes` bytes with the reach `by`.
    pub fn new(by: Reach, bytes: u32, released: Vec<ReleasedView>) -> SyncVar {
        SyncVar { last: Some(by), bytes, entries: released }
    }

    /// Records a read-modify-write, which hands on what it has observed and adds to it.
    pub fn update(&mut self, by: Reach, bytes: u32, released: &[ReleasedView]) {
        if std::mem::replace(&mut self.bytes, bytes) != bytes {
            (self.last, self.entries) = (None, Vec::new());
        }
        if let Some(last) = self.last.replace(by).filter(|last| !last.meets(by)) {
            // It has observed nothing. Later reads can only learn the cause.
            let site = if last.wide { by.site } else { last.site };
            self.entries.iter_mut().for_each(|(reach, _)| {
                (reach.block, reach.cluster, reach.wide, reach.site) = (NOBODY, None, false, site)
            });
        }
        released.iter().for_each(|released| self.add(released));
    }

    /// Adds what an earlier update of `bytes` bytes has released, since its write hands that on.
    pub fn hand_on(&mut self, bytes: u32, released: &[ReleasedView]) {
        self.bytes = bytes;
        released.iter().for_each(|released| self.add(released));
    }

    fn add(&mut self, (reach, view): &ReleasedView) {
        // The latest are at the end.
        let mine = match self.entries.iter().position(|(known, _)| known == reach) {
            Some(at) => joined(&self.entries.remove(at).1, view),
            None => view.clone(),
        };
        self.entries.push((*reach, mine));
        if !reach.wide {
            return;
        }
        let alike = |at: &usize| self.entries[*at].0.wide && self.entries[*at].0.by == reach.by;
        let alike: Vec<usize> = (0..self.entries.len()).filter(alike).collect();
        match alike[..] {
            [] | [_] => {}
            [first, second] => {
                let all = joined(&self.entries[first].1, &self.entries[second].1);
                self.entries.insert(first, (Reach { block: SEVERAL, cluster: None, ..*reach }, all));
            }
            [several, ..] => {
                self.entries[several].1 = joined(&self.entries[several].1, view);
                if alike.len() > 1 + BLOCKS {
                    self.entries.remove(alike[1]);
                }
            }
        }
    }

    pub fn entries(&self) -> &[ReleasedView] {
        &self.entries
    }

    /// True if a strong read of so many bytes may observe it.
    pub fn is_for(&self, bytes: u32) -> bool {
        self.bytes == bytes
    }

    /// Returns what a read of that reach finds released, each with the scopes that keep the read from observing it.
    pub fn seen_by(&self, read: Reach) -> impl Iterator<Item = (&ReleasedView, Option<TooNarrow>)> {
        let unseen = self.last.filter(|last| !last.meets(read));
        let of_several = |by: By| self.entries.iter().any(|(reach, _)| reach.block == SEVERAL && reach.by == by);
        let seen = self.entries.iter().filter(move |(theirs, _)| {
            let is_of_cluster = !read.wide && read.cluster.is_some() && theirs.cluster == read.cluster;
            !theirs.wide || [read.block, SEVERAL].contains(&theirs.block) || is_of_cluster || !of_several(theirs.by)
        });
        seen.map(move |released| {
            let release = |last: Reach| released.0.narrow().or(last.narrow());
            let narrow = unseen.map(|last| TooNarrow { release: release(last), ..read.denies(last) });
            (released, narrow.or((released.0.block == NOBODY).then(|| read.denies(released.0))))
        })
    }
}

/// A release that a relaxed read has observed.
#[derive(Clone, Debug)]
pub struct PendingRelease {
    pub released: ReleasedView,
    /// The site of the last such read.
    pub seen: u32,
    /// The scopes that are too narrow already, so that no fence can acquire it.
    pub narrow: Option<TooNarrow>,
    /// The location where it was read, if it is only one: an acquiring operation there acquires it too.
    pub place: Option<Location>,
}

impl PendingRelease {
    /// Returns the scopes that keep a fence from acquiring it.
    pub fn denied(&self, fence: Reach) -> Option<TooNarrow> {
        let (theirs, _) = &self.released;
        if self.narrow.is_none() && theirs.meets(fence) {
            return None;
        }
        let sees = self.narrow.and_then(|narrow| narrow.sees);
        Some(TooNarrow { release: theirs.narrow(), sees, fence: fence.narrow() })
    }
}

/// The release and acquire patterns of one thread.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// The last fence, and the last wide one: every later strong write releases what they cover.
    pub fences: Vec<ReleasedView>,
    /// Releases that relaxed reads have observed, and that the next fence acquires. Lanes that have observed the same
    /// share it.
    pub pending: Rc<Vec<PendingRelease>>,
    pub told: Carried,
    /// The last `.release` of each location. Later strong writes of the thread to that location release it again, even
    /// if others have written there in between.
    own: Vec<(Location, ReleasedView)>,
}

impl Patterns {
    /// Removes everything. All lanes begin with the same shared `pending`.
    pub fn clear(&mut self, pending: &Rc<Vec<PendingRelease>>) {
        self.fences.clear();
        self.pending = pending.clone();
        self.told.fenced.clear();
        self.told.observed.clear();
        self.own.clear();
    }

    /// Records a fence that releases.
    pub fn fence(&mut self, released: ReleasedView) {
        // It covers what the fences before it cover, within its scope. But only a `fence.sc` replaces another in their
        // order.
        let outlasts =
            |known: &Reach| known.wide && !released.0.wide || known.by != By::Release && released.0.by == By::Release;
        self.fences.retain(|(known, _)| outlasts(known));
        self.told.fenced.retain(|(told, _)| outlasts(told));
        self.fences.push(released);
    }

    /// Records what a `.release` at `place` has released.
    pub fn releases(&mut self, place: Location, released: ReleasedView) {
        let is_wider = |known: &Reach| known.wide && !released.0.wide;
        self.own.retain(|(known, (reach, _))| *known != place || is_wider(reach));
        if self.own.len() == OWN {
            self.own.remove(0);
        }
        self.own.push((place, released));
    }

    /// Returns the reaches of what a strong write at `place` releases that is no release itself.
    pub fn reaches(&self, place: Location) -> impl Iterator<Item = Reach> {
        self.fences.iter().chain(&self.told.fenced).chain(self.own(place)).map(|(reach, _)| *reach)
    }

    /// Returns what the thread's last releases at `place` add to a strong write there.
    pub fn own(&self, place: Location) -> impl Iterator<Item = &ReleasedView> {
        self.own.iter().filter(move |(known, _)| *known == place).map(|(_, released)| released)
    }

    /// Records a release that a relaxed read has observed.
    pub fn observe(&mut self, released: &ReleasedView, narrow: Option<TooNarrow>, by: Reach, place: Option<Location>) {
        let (theirs, view) = released;
        // A long spin observes the same few releases; those of one reach are joined. If a thread reads many locations,
        // not all are kept separately.
        let is_full = self.pending.len() >= PLACES;
        let same = |known: &&mut PendingRelease| {
            known.released.0 == *theirs && known.narrow == narrow && (is_full || known.place == place)
        };
        let pending = Rc::make_mut(&mut self.pending);
        match pending.iter_mut().find(same) {
            Some(known) => {
                (known.released.1, known.seen) = (joined(&known.released.1, view), by.site);
                known.place = known.place.filter(|known| Some(*known) == place);
            }
            None => pending.push(PendingRelease { released: released.clone(), seen: by.site, narrow, place }),
        }
    }
}

/// The part of the patterns that barriers pass on in addition to views.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// The views that each `fence.sc` before the barrier covers.
    pub fenced: Vec<ReleasedView>,
    /// Releases that some thread has observed before the barrier; acquired at the next `fence.sc`.
    pub observed: Vec<ReleasedView>,
}

impl Carried {
    pub fn is_empty(&self) -> bool {
        self.fenced.is_empty() && self.observed.is_empty()
    }

    /// Adds the part of a thread that arrives at a barrier.
    pub fn add(&mut self, patterns: &Patterns) {
        let pending = patterns.pending.iter().filter(|pending| pending.narrow.is_none());
        let pending = pending.map(|pending| &pending.released);
        let pending = pending.filter(|(reach, _)| reach.by == By::FenceSc);
        pending.chain(&patterns.told.observed).for_each(|released| note(&mut self.observed, released));
        for (reach, view) in patterns.fences.iter().filter(|(reach, _)| reach.by == By::FenceSc) {
            note(&mut self.fenced, &(Reach { by: By::ToldFenceSc, ..*reach }, view.clone()));
        }
        patterns.told.fenced.iter().for_each(|fenced| note(&mut self.fenced, fenced));
    }

    /// Records that a strong read has observed a `fence.sc` of a thread before the writer's barrier.
    pub fn observe(&mut self, released: &ReleasedView) {
        note(&mut self.observed, released);
    }

    /// Removes and returns what a `fence.sc` acquires.
    pub fn acquire(&mut self, fence: Reach) -> Vec<ReleasedView> {
        let met = |(theirs, _): &ReleasedView| theirs.meets(fence);
        let (acquired, left) = std::mem::take(&mut self.observed).into_iter().partition(met);
        self.observed = left;
        acquired
    }
}

/// Adds a release to a list. Releases of the same reach are joined.
fn note(list: &mut Vec<ReleasedView>, released: &ReleasedView) {
    match list.iter_mut().find(|(reach, _)| *reach == released.0) {
        Some((_, view)) => *view = joined(view, &released.1),
        None => list.push(released.clone()),
    }
}
