//! Data races of an access of a warp: the comparison with earlier accesses, and what becomes of the races found.

use super::{BlockState, Checker, WarpState};
use crate::access::actor::{AccessManner, Actor, Current, OutOfTurn};
use crate::access::race::Race;
use crate::access::warp_access::WarpAccess;
use crate::delays::loads::Delays;
use crate::evidence::apart::Between;
use crate::evidence::exited::Exited;
use crate::evidence::flags::Flags;
use crate::evidence::lockset::Lockset;
use crate::evidence::warp::WarpTrace;
use crate::findings::hints::Hints;
use crate::findings::list::Findings;
use crate::findings::race::{Conflict, MissingWait};
use crate::findings::values::AccessValues;
use crate::order::copies::{WarpCopies, is_copy};
use crate::order::launches::Past;
use crate::order::locations::Releases;
use crate::rule::RaceChecker;
use crate::sites::Sites;
use crate::sites::touched::RecordedKind;
use crate::speculation::reads::{SpeculativeLane, SpeculativeReads};
use machine::memory::space::Space;
use machine::registers::{Mask, lanes};
use machine::run::launch::Launch;
use machine::watch::Touch;

/// The cost of a racing access, in thread instructions.
const FUEL_OF_RACE: u64 = 16;

/// The number of comparisons with earlier accesses of a word that take as long as a thread instruction.
pub(super) const COMPARISONS_PER_FUEL: u64 = 4;

impl Checker<'_> {
    /// Checks the access that each lane is about to make for races with earlier ones, and records it.
    ///
    /// Lanes that have gone astray are left out: their accesses may result from that alone.
    pub(super) fn check_races(
        &mut self,
        access: &WarpAccess,
        block: &mut BlockState,
        warp: &WarpState,
        values: AccessValues,
    ) {
        self.note_publication(&access.touch.at, access.touch.mask);
        let remaining = &Touch { mask: access.touch.mask & !warp.astray, ..*access.touch };
        let access = match warp.astray {
            0 => access,
            _ => &WarpAccess { touch: remaining, row: None, halves: None, ..*access },
        };
        let WarpAccess { touch, kind, fails, .. } = *access;
        if touch.mask == 0 {
            return;
        }
        let (Some(region), true) = (touch.region, self.races.judges(touch)) else { return };
        let launch = touch.at.launch;
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        let is_speculative = kind == RecordedKind::Read && self.speculation.is_speculative(touch.at.pc);
        let speculative = is_speculative.then_some(warp.reads.current);
        let Checker { state, findings, races, releases, speculation, trace, delays, .. } = self;
        let (sites, hints) = (&trace.sites, &mut trace.hints);
        let BlockState { memory: block_memory, undefined: block_undefined, reads: block_reads, .. } = block;
        let may_use_fast_paths = state.may_be_short() && hints.is_none();
        let (memory, era, past, undefined) = match touch.space {
            Space::Shared => {
                let era = block_memory.era;
                (block_memory, era, None, state.undefined())
            }
            Space::Global => {
                let (memory, past, undefined) = state.memory(region.base());
                (memory, self.number, Some(past), undefined)
            }
            _ => return,
        };
        // Evaluated only for the accesses in a report.
        let unwritten = |lane: usize, element: usize| {
            let (skip, bytes) = (element as u64 * u64::from(touch.bytes), touch.bytes.min(8));
            let one = Touch { mask: 1 << lane, ..*touch };
            let bits = undefined.memory_bits(&one, block_undefined, &warp.undefined, skip, bytes)[lane];
            bits == u64::MAX >> (64 - 8 * bytes)
        };
        let values = values.unless_unwritten(&unwritten);
        let base = region.base();
        let shared_block = touch.shared_block();
        let out_of_turn = delays.as_ref().map(|delays| out_of_turn(delays, kind, touch.mask));
        let manner = AccessManner { kind, fails, out_of_turn, may_use_fast_paths, hints: hints.is_some() };
        let actor = Actor::new(&touch.at, (site, sites), &warp.order, past, manner);
        let mut found = FoundRaces {
            sites,
            touch,
            values: &values,
            past,
            copies: actor.copying(),
            evidence: Evidence {
                touch,
                shared_block,
                base,
                warp: &warp.trace,
                exited: block.trace.exited(),
                flags: &trace.flags,
                lockset: &trace.lockset,
                releases,
            },
            hints: hints.as_mut(),
            findings,
            racing: 0,
            last: None,
        };
        let mut checker = races.of_region(memory, base, era);
        let mut reads = match shared_block {
            Some(_) => std::mem::take(block_reads),
            None => speculation.take(base),
        };
        let speculative = speculative.filter(|_| !reads.is_full());
        if !actor.is_after_all() {
            checker.judge_displaced(&actor, access, &mut |current: &Current, element, race, word| {
                let reader = speculative.map(|read| SpeculativeLane { read, lane: current.lane });
                found.add(speculation, current, element, race, word, reader);
            });
        }
        if let Some(read) = speculative {
            reads.read(
                &mut checker,
                &actor,
                access,
                read,
                speculation,
                &mut |all: &mut _, current: &Current, element, race, word, by| {
                    found.add(all, current, element, race, word, by);
                },
            );
        } else {
            checker.judge(&actor, access, &mut |current: &Current, element, race, word| {
                found.add(speculation, current, element, race, word, None);
            });
            if kind != RecordedKind::Read && !reads.is_empty() {
                reads.write(
                    &actor,
                    base,
                    access,
                    speculation,
                    &mut |all: &mut _, current: &Current, element, race, word, by| {
                        found.add(all, current, element, race, word, by);
                    },
                );
            }
        }
        let racing = found.racing;
        match shared_block {
            Some(_) => *block_reads = reads,
            None => speculation.put_back(base, reads),
        }
        state.add_racing(racing);
        let burnt = FUEL_OF_RACE * racing + races.take_looks() / COMPARISONS_PER_FUEL;
        if burnt != 0 {
            launch.tree.burn(burnt);
        }
    }
}

/// Returns the wait that would order a launch before the current access, if they are launches in a row of one stream.
fn missing_wait<'a>(past: &'a Past, current: &Current, launch: u32) -> Option<MissingWait<'a>> {
    let has_waited = current.view().has_waited();
    if !past.overlaps_with(launch, has_waited) {
        return None;
    }
    let between = past.waitless().filter(|_| has_waited);
    Some(between.map_or(MissingWait::Own, MissingWait::Of))
}

/// Returns the lanes of an access that are not the immediate successor of the last write.
fn out_of_turn(delays: &Delays, kind: RecordedKind, mask: Mask) -> OutOfTurn {
    OutOfTurn {
        lanes: lanes(mask).filter(|&lane| delays.passes_by(kind, lane)).map(|lane| 1 << lane).sum(),
        back: delays.back(kind),
    }
}

/// The races of one access of a warp, on their way to the findings.
struct FoundRaces<'a> {
    sites: &'a Sites,
    touch: &'a Touch<'a>,
    values: &'a AccessValues<'a>,
    past: Option<&'a Past>,
    /// The warp's asynchronous copies, if the access is one of theirs.
    copies: Option<&'a WarpCopies>,
    evidence: Evidence<'a>,
    hints: Option<&'a mut Hints>,
    findings: &'a mut Findings,
    /// The number of words that raced.
    racing: u64,
    /// The last of them, by lane, element and offset. Several races of one word come one after the other.
    last: Option<(usize, u32, u64)>,
}

impl FoundRaces<'_> {
    /// Adds a race to the findings. If it is one of a speculative read (`reader`) whose value has had no effect yet, it
    /// is held back until the value has one.
    fn add(
        &mut self,
        speculation: &mut SpeculativeReads,
        current: &Current,
        element: u32,
        race: Race,
        word: u64,
        reader: Option<SpeculativeLane>,
    ) {
        let lane = current.lane as usize;
        if race.is_allowed {
            return self.add_hint(race, word, lane);
        }
        let before = self.last.replace((lane, element, word));
        self.racing += u64::from(before != self.last);
        if self.is_benign(current, &race) {
            return;
        }
        let earlier = race.launch.and_then(|number| self.past?.record(number));
        let overlap = race.launch.and_then(|number| missing_wait(self.past?, current, number));
        let between = || self.evidence.between(current, &race, word);
        let Self { sites, touch, values, .. } = *self;
        let conflict = Conflict { sites, touch, values, race, word, lane, earlier, overlap };
        match reader.filter(|reader| !speculation.is_used(*reader)) {
            None => self.findings.race(conflict, &between),
            Some(reader) => {
                if let Some(race) = self.findings.pending(conflict, &between) {
                    speculation.hold(reader, race);
                }
            }
        }
    }

    /// Adds a morally strong pair, which is no race, to the hints if these are asked for.
    fn add_hint(&mut self, race: Race, word: u64, lane: usize) {
        let Self { sites, touch, values, .. } = *self;
        let Some(hints) = &mut self.hints else { return };
        if hints.are_told(touch.at.launch, sites, &race, self.evidence.is_released(word)) {
            let conflict = Conflict { sites, touch, values, race, word, lane, earlier: None, overlap: None };
            hints.pairs().race(conflict, &Between::default);
        }
    }

    /// Returns true for a race that harms nothing: of cooperative groups' own code, which shuffles order for it, or of
    /// a copy that repeats another ([`StartedCopies::repeated`](crate::order::copies::StartedCopies::repeated)).
    fn is_benign(&self, current: &Current, race: &Race) -> bool {
        let launch = self.touch.at.launch;
        let repeats = self.copies.is_some_and(|copies| copies.is_again(current.lane));
        let is_ordered = || current.is_ordered_by_shuffles(race.first, race.second);
        self.touch.space == Space::Shared && is_internal_to_groups(launch, self.sites, race) && is_ordered()
            || repeats && is_copy(launch, race.first)
    }
}

/// Returns true for two accesses of shared memory by cooperative groups' own code.
///
/// Below compute capability 8.0 tiles of several warps exchange values in a `block_tile_memory` that the kernel
/// provides. One lane of the last warp to arrive acquires there what the others have stored, and tells the rest of its
/// warp by a shuffle; these read it. A shuffle orders no memory, so by the rules that is a race, but it is no bug of
/// the kernel. So between accesses of that code its shuffles and votes count as order
/// ([`Current::is_ordered_by_shuffles`]). Pairs that these do not order either are reported, and so is every race with
/// the kernel's own code. From 8.0 on the memory is the system's, and its address shows that.
fn is_internal_to_groups(launch: &Launch, sites: &Sites, race: &Race) -> bool {
    let is_internal = |site: u32| launch.code.is_of_groups(sites.pc(site), &sites.calls(site));
    launch.code.groups_trade_by_memory
        && race.launch.is_none()
        && is_internal(race.first.info.site())
        && is_internal(race.second.info.site())
}

/// The evidence of this run about the order of an access and earlier ones.
struct Evidence<'a> {
    touch: &'a Touch<'a>,
    /// The block, if the memory is its shared memory.
    shared_block: Option<u64>,
    base: u64,
    warp: &'a WarpTrace,
    exited: &'a Exited,
    flags: &'a Flags,
    lockset: &'a Lockset,
    releases: &'a Releases,
}

impl Evidence<'_> {
    fn between(&self, current: &Current, race: &Race, word: u64) -> Between {
        let between = current.between(self.flags, self.releases, race);
        if between.is_known() {
            return between;
        }
        let place = (self.shared_block, self.base + word);
        Between {
            lack: current.apart(race, place, self.warp, self.exited, self.lockset),
            passed: current.passed(race, self.warp, self.exited),
            branch: current.branch(race, self.warp, self.touch.mask),
            ..between
        }
    }

    /// Returns true if the word holds a value that a thread has released.
    fn is_released(&self, word: u64) -> bool {
        let var = self.releases.get((self.shared_block, self.base + word));
        var.is_some_and(|var| !var.entries().is_empty())
    }
}
