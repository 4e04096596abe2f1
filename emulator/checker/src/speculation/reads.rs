//! Reads by the speculative loads of a launch, and the races withheld until a loaded value has an effect.

use crate::access::actor::{Actor, Current};
use crate::access::race::Race;
use crate::access::warp_access::WarpAccess;
use crate::findings::incoming::PendingRace;
use crate::races::RegionChecker;
use crate::rule::{self, RaceChecker};
use crate::sites::touched::{AccessInfo, Clock, RecordedAccess};
use crate::speculation::loads::SpeculativeLoads;
use crate::speculation::taint::{ReadId, ReadSet, ReadSets, TaintedRegisters};
use machine::code::KernelCode;
use machine::registers::{Mask, lanes};
use rustc_hash::FxHashMap;

/// The greatest number of words of one allocation, or of a block's shared memory, whose speculative reads are kept. A
/// larger array is no flag that a compiler loads speculatively: beyond this, loads are judged as if they were certain.
const MOST_WORDS: usize = 1 << 12;

/// One execution of a speculative load by lanes of a warp. Executions at one clock, with no event between them that
/// orders anything, count as one.
#[derive(Debug, Default)]
struct Read {
    /// Lanes in which the value has had an effect.
    used: Mask,
    /// True if no lane of the warp can use it any more.
    is_over: bool,
}

/// The speculative reads of a launch.
#[derive(Default)]
pub struct SpeculativeReads {
    loads: SpeculativeLoads,
    pub sets: ReadSets,
    reads: Vec<Read>,
    held: FxHashMap<ReadId, Vec<(u32, PendingRace)>>,
    /// The reads of global memory, by the allocation's address.
    global: FxHashMap<u64, ReadWords>,
}

/// State of speculative loads per warp.
#[derive(Debug, Default)]
pub struct WarpReads {
    pub tainted: TaintedRegisters,
    /// The last read at each site.
    latest: FxHashMap<u32, (Clock, ReadId)>,
    all: Vec<ReadId>,
    /// The read that the warp's current instruction makes.
    pub current: ReadId,
}

impl SpeculativeReads {
    pub fn new(code: &KernelCode) -> SpeculativeReads {
        SpeculativeReads { loads: SpeculativeLoads::new(code), ..SpeculativeReads::default() }
    }

    /// True if the warp's instruction at `pc` is a speculative load, or may use the value of one.
    #[inline(always)]
    pub fn concerns(&self, pc: u32, warp: &WarpReads) -> bool {
        !self.loads.is_empty() && (!warp.tainted.is_empty() || self.loads.has(pc))
    }

    #[inline(always)]
    pub fn is_speculative(&self, pc: u32) -> bool {
        self.loads.has(pc)
    }

    /// Begins a read by the load at `site`, which is about to run.
    pub fn begin(&mut self, warp: &mut WarpReads, site: u32, clock: Clock) -> ReadId {
        let next = self.reads.len() as ReadId;
        let (of, read) = warp.latest.entry(site).or_insert((clock, next));
        if *of != clock {
            (*of, *read) = (clock, next);
        }
        warp.current = *read;
        if warp.current == next {
            self.reads.push(Read::default());
            warp.all.push(next);
        }
        warp.current
    }

    pub fn is_used(&self, reader: SpeculativeLane) -> bool {
        self.reads[reader.read as usize].used >> reader.lane & 1 != 0
    }

    /// Records that the value of a lane's reads has an effect. Returns the races that were held back for it.
    pub fn record_use(&mut self, lane: usize, reads: ReadSet) -> Vec<PendingRace> {
        let mut races = Vec::new();
        for read in self.sets.reads(reads) {
            let used = &mut self.reads[read as usize].used;
            if *used >> lane & 1 != 0 {
                continue;
            }
            *used |= 1 << lane;
            if let Some(held) = self.held.get_mut(&read) {
                races.extend(held.extract_if(.., |(of, _)| *of == lane as u32).map(|(_, race)| race));
            }
        }
        races
    }

    /// Holds back a race of a lane's read, whose value has had no effect yet.
    pub fn hold(&mut self, SpeculativeLane { read, lane }: SpeculativeLane, race: PendingRace) {
        if self.reads[read as usize].is_over {
            return;
        }
        let held = self.held.entry(read).or_default();
        if held.iter().all(|(of, known)| (*of, known.key()) != (lane, race.key())) {
            held.push((lane, race));
        }
    }

    /// Ends a warp whose threads have all ended. They will not use any further values.
    pub fn end(&mut self, warp: &mut WarpReads) {
        for read in warp.all.drain(..) {
            self.reads[read as usize].is_over = true;
            self.held.remove(&read);
        }
        warp.latest.clear();
        warp.tainted.clear();
    }

    /// Removes and returns the reads of an allocation, until [`SpeculativeReads::put_back`].
    pub fn take(&mut self, base: u64) -> ReadWords {
        self.global.remove(&base).unwrap_or_default()
    }

    pub fn put_back(&mut self, base: u64, words: ReadWords) {
        if !words.is_empty() {
            self.global.insert(base, words);
        }
    }

    /// Returns the reads of global memory that have had an effect: by allocation, each with its offset.
    pub fn used(&self) -> impl Iterator<Item = (u64, Vec<(u64, RecordedAccess)>)> + '_ {
        self.global.iter().map(|(base, words)| {
            let used = words.by_offset.iter().filter_map(|(offset, readers)| {
                let used = |reader: &SpeculativeLanes| reader.lanes & self.reads[reader.read as usize].used;
                let reader = readers.iter().find(|reader| used(reader) != 0)?;
                Some((*offset, reader.touched(used(reader).trailing_zeros())))
            });
            (*base, used.collect())
        })
    }
}

/// A lane of a speculative read.
#[derive(Clone, Copy, Debug)]
pub struct SpeculativeLane {
    pub read: ReadId,
    pub lane: u32,
}

/// Lanes of a warp that have read a word speculatively.
#[derive(Debug)]
struct SpeculativeLanes {
    warp: u32,
    clock: Clock,
    info: AccessInfo,
    read: ReadId,
    lanes: Mask,
}

impl SpeculativeLanes {
    fn touched(&self, lane: u32) -> RecordedAccess {
        RecordedAccess { thread: self.warp * 32 + lane, clock: self.clock, info: self.info }
    }
}

/// A callback for each race: the lane that makes the access, the element, the word, and the reader if the race is one
/// of a speculative read.
type RaceCallback<'f> = dyn FnMut(&mut SpeculativeReads, &Current, u32, Race, u64, Option<SpeculativeLane>) + 'f;

/// The speculative reads of one allocation, or of a block's shared memory: by the offset of each word.
#[derive(Debug, Default)]
pub struct ReadWords {
    by_offset: FxHashMap<u64, Vec<SpeculativeLanes>>,
}

impl ReadWords {
    pub fn is_empty(&self) -> bool {
        self.by_offset.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.by_offset.len() >= MOST_WORDS
    }

    pub fn clear(&mut self) {
        self.by_offset.clear();
    }

    /// Judges a speculative load of a warp against the writes before it, and records it here.
    pub fn read(
        &mut self,
        checker: &mut RegionChecker,
        actor: &Actor,
        access: &WarpAccess,
        read: ReadId,
        all: &mut SpeculativeReads,
        found: &mut RaceCallback,
    ) {
        let base = checker.base();
        access.for_each_word(actor, base, |current, element, word, new| {
            let reader = Some(SpeculativeLane { read, lane: current.lane });
            let mut found = |race| found(all, current, element, race, word, reader);
            checker.judge_read(current, word, new, &mut found);
            self.add(word, new, read, &all.reads);
        });
    }

    fn add(&mut self, word: u64, new: RecordedAccess, read: ReadId, reads: &[Read]) {
        let readers = self.by_offset.entry(word).or_default();
        let (warp, lane) = (new.warp(), 1 << new.lane());
        if let Some(known) = readers.iter_mut().find(|it| it.read == read && it.info == new.info) {
            known.lanes |= lane;
            return;
        }
        // The load has run again, which overwrites unused values of earlier reads. The last of the used reads
        // represents the others: an access that is not ordered after an earlier one is not ordered after the last one
        // either.
        let mut later: Mask = 0;
        for it in readers.iter_mut().rev().filter(|it| it.warp == warp && it.info == new.info) {
            it.lanes &= reads[it.read as usize].used & !later;
            later |= it.lanes;
        }
        readers.retain(|it| it.lanes != 0);
        readers.push(SpeculativeLanes { warp, clock: new.clock, info: new.info, read, lanes: lane });
    }

    /// Judges a write that a warp is about to make against the reads of its words.
    pub fn write(
        &self,
        actor: &Actor,
        base: u64,
        access: &WarpAccess,
        all: &mut SpeculativeReads,
        found: &mut RaceCallback,
    ) {
        access.for_each_word(actor, base, |current, element, word, new| {
            let readers = self.by_offset.get(&word).into_iter().flatten();
            for reader in readers.filter(|reader| reader.info.bytes() & new.info.bytes() != 0) {
                let like = reader.touched(reader.lanes.trailing_zeros());
                let unordered = reader.lanes & !current.ordered_lanes(like, reader.lanes);
                for lane in lanes(unordered) {
                    if let Some(race) = rule::race(current, like.by(lane), new) {
                        let reader = Some(SpeculativeLane { read: reader.read, lane: lane as u32 });
                        found(all, current, element, race, word, reader);
                    }
                }
            }
        });
    }
}
