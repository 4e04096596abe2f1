//! The list of findings: one for each pair of source lines and kind. The pair of the highest [`PairRank`] is shown, the
//! others are counted. The crate `diagnose` may show another pair of that rank, if more is known about it.

use crate::evidence::compared::ComparedLoads;
use crate::findings::clue::{Clue, RaceClue, RaceEvidence};
use crate::findings::skipped::told_once;
use crate::sites::Sites;
use finding::{Access, Action, Cause, Distance, Finding, Severity, Slug, SourceLocation};
use machine::run::launch::Launch;
use rustc_hash::{FxHashMap, FxHashSet};

/// The identity of a finding: slug, and both lines.
pub type FindingKey = (Slug, u32, u32);

/// The priority of a pair among those of one finding: the first field that differs decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairRank {
    /// Errors come before notes.
    pub fails: bool,
    /// True if, in one line, one thread has loaded what another overwrites.
    pub lost_update: bool,
    /// The greatest distance comes first, since a fix inside one block does not cover errors between blocks.
    pub distance: Distance,
    pub clarity: Clarity,
}

/// The clarity with which the kinds of two accesses show what is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clarity {
    /// Neither is only a read.
    TwoWrites,
    ReadLater,
    ReadFirst,
}

/// The rank of findings that are not about a pair of threads.
pub const ONE_THREAD: PairRank =
    PairRank { fails: true, lost_update: false, distance: Distance::Warp, clarity: Clarity::TwoWrites };

/// The greatest number of pairs of one finding that are searched for more evidence.
const TRIES: u64 = 256;

/// A finding, and the clue for details that may be added when its launch is over.
pub struct ListedFinding {
    pub key: FindingKey,
    pub finding: Finding,
    pub clue: Option<Clue>,
    /// Further pairs of the same rank, about which something else may be known.
    pub alternatives: Vec<(Finding, RaceClue)>,
    rank: PairRank,
    /// The distances between threads that raced, one bit each.
    distances: u8,
    /// True if no race explains it.
    pub is_independent: bool,
    /// True if an asynchronous copy is one of the accesses that raced.
    pub is_of_copies: bool,
    /// Sites of plain loads that raced with atomic operations; `None` once something else raced here.
    plain_loads: Option<Vec<u32>>,
}

impl ListedFinding {
    /// Returns all distances between threads that raced here.
    pub fn distances(&self) -> Vec<Distance> {
        let all = [Distance::Warp, Distance::Block, Distance::Grid];
        all.into_iter().filter(|it| self.distances >> *it as u8 & 1 != 0).collect()
    }

    /// True if `shown` has some evidence, other than that of this entry's own pair or of one of its alternatives.
    pub fn shows_more(&self, shown: &RaceEvidence, ends: [u32; 2]) -> bool {
        let first = match &self.clue {
            Some(Clue::Race(clue)) => Some(&**clue),
            _ => None,
        };
        let mut kept = first.into_iter().chain(self.alternatives.iter().map(|(_, clue)| clue));
        !shown.is_nothing() && !kept.any(|clue| clue.shows_as(shown, ends))
    }

    /// True for a race that fails a kernel, or a hint.
    pub fn is_race(&self) -> bool {
        is_race(self.finding.slug) && self.finding.severity != Severity::Note
    }
}

/// True for two accesses that nothing orders.
pub fn is_race(slug: Slug) -> bool {
    matches!(slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope)
}

#[derive(Default)]
pub struct Findings {
    list: Vec<ListedFinding>,
    known: FxHashMap<FindingKey, usize>,
    /// Numbers of source lines.
    number_of_line: FxHashMap<SourceLocation, u32>,
    /// Numbers of source lines, by site.
    number_of_site: FxHashMap<u32, u32>,
    /// The races of asynchronous copies.
    copies: FxHashSet<FindingKey>,
    /// The number of changes to the list.
    changes: u64,
    has_skipped: bool,
}

impl Findings {
    /// Counts a finding that is in the list; false if it is new, or of higher rank than the one kept. `plain_load` is
    /// the site of the load in a race of a plain load with an atomic operation.
    pub fn count(&mut self, key: FindingKey, rank: PairRank, plain_load: Option<u32>) -> bool {
        let Some(&at) = self.known.get(&key) else { return false };
        let ListedFinding { finding, rank: kept, distances, plain_loads, .. } = &mut self.list[at];
        finding.count += 1;
        match (plain_load, plain_loads.as_mut()) {
            (Some(site), Some(sites)) if sites.contains(&site) => {}
            (Some(site), Some(sites)) => sites.push(site),
            _ => *plain_loads = None,
        }
        *distances |= 1 << rank.distance as u8;
        *kept >= rank
    }

    /// Adds a new finding, or replaces one of lower rank.
    pub fn add(
        &mut self,
        key: FindingKey,
        finding: Finding,
        rank: PairRank,
        plain_load: Option<u32>,
        clue: Option<Clue>,
    ) {
        self.put(key, finding, rank, plain_load, clue, false);
    }

    /// Adds a finding that no race explains, whatever follows.
    pub fn add_independent(&mut self, key: FindingKey, finding: Finding, clue: Option<Clue>) {
        self.put(key, finding, ONE_THREAD, None, clue, true);
    }

    fn put(
        &mut self,
        key: FindingKey,
        mut finding: Finding,
        rank: PairRank,
        plain_load: Option<u32>,
        clue: Option<Clue>,
        is_independent: bool,
    ) {
        self.changes += 1;
        if let Some(&at) = self.known.get(&key) {
            let entry = &mut self.list[at];
            finding.count = entry.finding.count;
            (entry.finding, entry.clue, entry.rank, entry.is_independent) = (finding, clue, rank, is_independent);
            entry.alternatives.clear();
            return;
        }
        self.known.insert(key, self.list.len());
        self.list.push(ListedFinding {
            key,
            finding,
            clue,
            alternatives: Vec::new(),
            rank,
            distances: 1 << rank.distance as u8,
            is_independent,
            is_of_copies: false,
            plain_loads: plain_load.map(|site| vec![site]),
        });
    }

    /// Records that an asynchronous copy is one of the accesses that raced.
    pub fn races_with_copies(&mut self, key: FindingKey) {
        self.copies.insert(key);
    }

    /// Returns the entry of a race, if more may be known about another pair of the same rank.
    pub fn open(&mut self, key: FindingKey, rank: PairRank) -> Option<&mut ListedFinding> {
        let entry = &mut self.list[*self.known.get(&key)?];
        let is_certain = match &entry.clue {
            Some(Clue::Race(clue)) => clue.is_certain,
            _ => true,
        };
        let is_open = !is_certain && entry.rank == rank && entry.finding.count <= TRIES;
        (is_open && entry.finding.severity != Severity::Note).then_some(entry)
    }

    /// Keeps another pair like the one of `key`.
    pub fn add_alternative(&mut self, key: FindingKey, finding: Finding, clue: RaceClue) {
        self.changes += 1;
        self.list[self.known[&key]].alternatives.push((finding, clue));
    }

    /// Returns a number that grows whenever the list gets something new.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the findings so far, in the order in which they were found, each with the other pairs of its lines that
    /// are kept.
    pub fn so_far(&self) -> impl Iterator<Item = &Finding> {
        self.list.iter().flat_map(|entry| {
            let others = entry.alternatives.iter().map(|(finding, _)| finding);
            std::iter::once(&entry.finding).chain(others)
        })
    }

    /// Removes races of loads that compare-and-swaps have checked. Must be called before the list is read.
    pub fn dismiss_compared(&mut self, compared: &ComparedLoads, sites: &Sites) {
        let is_checked = |site: &u32| compared.were_checked(*site, sites.pc(*site));
        let checked =
            |entry: &ListedFinding| entry.plain_loads.as_ref().is_some_and(|loads| loads.iter().all(is_checked));
        self.list.retain(|entry| !checked(entry));
        self.known = self.list.iter().enumerate().map(|(at, entry)| (entry.key, at)).collect();
    }

    /// Returns a number for the user's line of a site. Instructions without a line get one each.
    pub fn line(&mut self, launch: &Launch, sites: &Sites, site: u32) -> u32 {
        if let Some(&number) = self.number_of_site.get(&site) {
            return number;
        }
        let number = match sites.user_lines(launch.code, site).0 {
            None => sites.pc(site) | 1 << 31,
            // Two columns of one line count separately: they are two accesses of the source.
            Some(line) => {
                let next = self.number_of_line.len() as u32;
                *self.number_of_line.entry(line).or_insert(next)
            }
        };
        self.number_of_site.insert(site, number);
        number
    }

    /// Records an invalid access, which is omitted; it is reported once for each line.
    pub fn misplaced(&mut self, launch: &Launch, sites: &Sites, site: u32, slug: Slug, tell: &dyn Fn() -> Finding) {
        let line = match sites.user_lines(launch.code, site).0 {
            None => self.line(launch, sites, site),
            Some(place) => {
                let next = self.number_of_line.len() as u32;
                *self.number_of_line.entry(SourceLocation { column: 0, ..place }).or_insert(next)
            }
        };
        self.has_skipped = true;
        let key = (slug, line, line);
        if !self.count(key, ONE_THREAD, None) {
            self.add(key, tell(), ONE_THREAD, None, None);
        }
    }

    /// Records an access of another block's shared memory that may come before that block's start, or after its end.
    /// Each is reported once for each line.
    pub fn outlives(&mut self, launch: &Launch, sites: &Sites, site: u32, is_late: bool, tell: &dyn Fn() -> Finding) {
        let line = self.line(launch, sites, site);
        let key = (Slug::OutOfBounds, line, u32::MAX - u32::from(is_late));
        if !self.count(key, ONE_THREAD, None) {
            self.add(key, tell(), ONE_THREAD, None, None);
        }
    }

    /// True if a race with this line is in the list.
    pub fn has_race_in(&mut self, launch: &Launch, sites: &Sites, site: u32) -> bool {
        let line = self.line(launch, sites, site);
        self.list.iter().any(|entry| entry.is_race() && [entry.key.1, entry.key.2].contains(&line))
    }

    /// True if an access was omitted.
    pub fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// Returns all of them, in the order in which they were found.
    pub fn finish(mut self) -> Vec<ListedFinding> {
        self.list.iter_mut().for_each(|entry| entry.is_of_copies = self.copies.contains(&entry.key));
        told_once(&mut self.list);
        self.list
    }

    /// True if threads reach a barrier of their block in a way that it does not allow.
    pub fn has_divergence(&self) -> bool {
        let is_of_object = |entry: &ListedFinding| matches!(entry.finding.cause, Cause::BarrierObject { .. });
        self.list.iter().any(|entry| entry.finding.slug == Slug::BarrierDivergence && !is_of_object(entry))
    }

    pub fn has_race(&self) -> bool {
        self.list.iter().any(ListedFinding::is_race)
    }
}

/// Returns one access of a finding, at a site.
pub fn access(launch: &Launch, sites: &Sites, block: u64, thread: u32, site: u32, action: Action) -> Access {
    machine::run::sites::access(launch, block, thread, sites.pc(site), &sites.calls(site), action)
}
