//! The slow path of an access: it is compared, by the [rule], with all earlier ones that are kept, and recorded.
//!
//! Property: a race is a pair of the new access and an earlier one. So comparing the new one with each kept one finds
//! all races with those; pairs that only read or are morally strong are passed over.
//!
//! Only the latest of racing writes is kept, so that one bug is not reported for every pair that it gives rise to.

use crate::access::actor::Current;
use crate::access::race::{Race, distance};
use crate::access::warp_access::{WarpAccess, bytes_in};
use crate::fast::cell::ShadowCell;
use crate::fast::cells::LINE;
use crate::fast::checker::FastChecker;
use crate::fast::observation::ObservedWrites;
use crate::fast::one_word::{first, passes};
use crate::fast::record::{again, record, thin_out};
use crate::fast::side_table::SideTable;
use crate::fast::word_accesses::WordAccesses;
use crate::rule;
use crate::sites::touched::{AccessInfo, Clock, MOST_INSTRUCTIONS, RecordedAccess, RecordedKind};
use machine::registers::{Mask, lanes};

/// Judges an access of `size` bytes at `offset` and records it. Calls `found` with every race.
///
/// Races are found here, in [`read_only`], in `displaced` and in `speculation`, all by [`rule::race`]: a breakpoint
/// there is hit by each. The fast paths around this function are [`Actor::walk`](crate::access::actor::Actor::walk) for
/// rows, [`OneWord::try_all`](crate::fast::one_word::OneWord::try_all) and
/// [`OneWord::try_lane`](crate::fast::one_word::OneWord::try_lane). They settle only accesses that race with nothing,
/// and leave the rest to it.
pub fn access(
    checker: &mut FastChecker,
    current: &Current,
    access: &WarpAccess,
    offset: u64,
    size: u32,
    found: &mut impl FnMut(Race, u64),
) {
    let FastChecker { cells, overflow, era, .. } = checker.parts();
    let (kind, scope) = (access.kind, access.scope);
    debug_assert!((current.actor.site() as usize) < MOST_INSTRUCTIONS);
    let end = offset + u64::from(size);
    let mut word = offset & !3;
    while word < end {
        let info = AccessInfo::new(current.actor.site(), bytes_in(word, offset, end), kind, scope, size);
        let new = current.actor.touched(current.lane, info);
        let (page, line) = cells.page(word);
        if page.lines[line].launch != era {
            page.renew(line, era, current.actor.outlives(), overflow);
        }
        let cell = &mut page.cells(line, overflow)[(word % LINE / 4) as usize];
        if cell.read.info.is_older() {
            // From here on the launch's own accesses take its place in the cell, also where they touch fewer bytes. If
            // nothing orders it before them, it moves to the side table.
            let read = std::mem::take(&mut cell.read);
            if !current.ordered(read) {
                overflow.get(cell).add(read, 0);
            }
        }
        if cell.is_untouched() && !current.fails() {
            // Nothing to compare with: the case of most cells.
            *(if kind == RecordedKind::Read { &mut cell.read } else { &mut cell.write }) = new;
        } else if current.passes_by()
            || !(current.actor.may_use_fast_paths() && is_settled(cell, overflow, current, new))
        {
            let told = match current.actor.may_use_fast_paths() && races_with_nothing(cell, overflow, current, new) {
                true => Some(Vec::new()),
                false => check(cell, overflow, current, new, &mut |race| found(race, word)),
            };
            if let (Some(told), Some(more)) = (told, overflow.existing(cell).filter(|more| more.may_race(new.info))) {
                thin_out(more, current, new, &told);
            }
            if new.info.writes() && cell.write.info.is_older() && current.ordered(cell.write) {
                cell.write = RecordedAccess::default();
            }
            record(cell, overflow, current, new);
        }
        word += 4;
    }
}

/// Judges a read of one word against the writes before it, without recording it. Calls `found` with every race.
pub fn read_only(
    checker: &mut FastChecker,
    current: &Current,
    word: u64,
    new: RecordedAccess,
    found: &mut impl FnMut(Race),
) {
    let FastChecker { cells, overflow, era, .. } = checker.parts();
    let (page, line) = cells.page(word);
    if page.lines[line].launch != era {
        page.renew(line, era, current.actor.outlives(), overflow);
    }
    let (_, mut cell) = cells.peek(word);
    if !overflow.has_writes(&cell) {
        // The side table must not change through a copy of the cell. Reads cannot conflict with a read, so skip them.
        cell.more = 0;
    }
    check(&mut cell, overflow, current, new, found);
}

/// Tries those fast paths that also apply to one word of a longer access: see [`again`] and [`first`].
#[inline(always)]
fn is_settled(cell: &mut ShadowCell, overflow: &mut SideTable, current: &Current, new: RecordedAccess) -> bool {
    again(cell, overflow, current, new) || current.actor.may_use_word_paths() && first(cell, overflow, *current, new)
}

/// Returns true if a plain access races with nothing that the cell keeps: each kept access touches
/// other bytes, or happens before the new one.
#[inline(always)]
fn races_with_nothing(cell: &ShadowCell, overflow: &mut SideTable, current: &Current, new: RecordedAccess) -> bool {
    new.info.scope().is_none()
        && cell.lanes == 0
        && passes(cell.write, *current, new)
        && (!new.info.writes() || passes(cell.read, *current, new))
        && current.comes_after_all_of(overflow, cell, new.info)
}

/// The cost of the slow path, in comparisons with earlier accesses.
const COMPARISONS_OF_CHECK: u64 = 16;

/// Warp, clock and manner of an access, and the lanes that have made it.
type SideTableEntry = (u32, Clock, AccessInfo, Mask);

/// Judges an access of one word. Returns the manner of each access in the side table that races with it, or `None` if
/// the side table was not consulted.
#[inline(always)]
fn check(
    cell: &mut ShadowCell,
    overflow: &mut SideTable,
    current: &Current,
    new: RecordedAccess,
    found: &mut impl FnMut(Race),
) -> Option<Vec<AccessInfo>> {
    let (write, read) = (cell.write, cell.read);
    overflow.looks += COMPARISONS_OF_CHECK;
    let more = overflow.existing(cell).map(|more| {
        more.join(write, cell.lanes);
        more.sort(new.info);
        &*more
    });
    let joined = cell.lanes;
    let observed = ObservedWrites::new(write, read, more, current);
    let judge = |old: RecordedAccess| rule::race(current, old, new).filter(|race| !observed.has(race.first));
    let mut found = |race: Race| found(Race { own_update: own_update(&race, (write, joined), more), ..race });
    // The write may be ordered for all lanes of its step at once.
    let is_alone = cell.lanes & cell.lanes.wrapping_sub(1) == 0;
    let is_open = !current.is_strong_with(write.warp(), write.info, new.info)
        && (is_alone || !current.knows_all(write.warp(), cell.lanes, write.clock));
    let last = if is_open { judge(write) } else { None };
    last.into_iter().for_each(&mut found);
    // If the last write races, it represents its step in the report. The other lanes are in `spread`, or in the side
    // table, where each is judged.
    let is_told = |key: (u32, Clock, AccessInfo)| last.is_some() && key == (write.warp(), write.clock, write.info);
    let others = joined & !(1 << write.lane());
    let others = (is_open && others != 0).then_some((write.warp(), write.clock, write.info, others));
    if new.info.writes()
        && let Some(race) = judge(read)
    {
        found(race);
    }
    let kept = more.filter(|more| more.may_race(new.info));
    if kept.is_none() && others.is_none() {
        return None;
    }
    let entries = others.into_iter().chain(kept.into_iter().flat_map(|more| more.against(new.info)));
    let entries = entries.filter(|&(warp, clock, info, _)| !is_told((warp, clock, info)));
    let mut looks = 0;
    let mut races = among(entries, &observed, new, &mut looks);
    let told: Vec<AccessInfo> = races.iter().map(|race| race.first.info).collect();
    // In a stable order, so that a seed always gives the same report.
    let distance = |race: &Race| distance(current.actor.at().launch, race);
    races.sort_by_key(|race| (race.first.info.site(), distance(race), race.first.thread, race.first.clock));
    races.dedup_by_key(|race| (race.first.info.site(), distance(race)));
    races.into_iter().for_each(found);
    overflow.looks += looks;
    Some(told)
}

/// Returns the races of `new` with entries of the side table, one for each manner of access and distance. Adds the
/// number of accesses compared to `looks`.
fn among(
    entries: impl Iterator<Item = SideTableEntry>,
    observed: &ObservedWrites,
    new: RecordedAccess,
    looks: &mut u64,
) -> Vec<Race> {
    let &ObservedWrites { write, more, current, .. } = observed;
    let mut races: Vec<Race> = Vec::new();
    // Writes that the chain no longer distinguishes are observed all together or not at all. For narrow scopes this
    // holds within a block.
    let mut all_observed = None;
    for (warp, clock, info, mask) in entries {
        *looks += 1;
        // Strong accesses do not race with each other unless a scope is too narrow or their bytes differ; reads never
        // with reads.
        let may_race = (info.writes() || new.info.writes()) && info.bytes() & new.info.bytes() != 0;
        if !may_race || current.is_strong_with(warp, info, new.info) {
            continue;
        }
        let like = RecordedAccess { thread: warp * 32 + mask.trailing_zeros(), clock, info };
        // If entries have the same manner and distance, the first thread is reported.
        let distance = |race: &Race| distance(current.actor.at().launch, race);
        let away = || distance(&Race::of(like, new));
        let comes_first = |race: &Race| {
            race.first.info == info
                && (race.first.thread, race.first.clock) <= (like.thread, clock)
                && distance(race) == away()
        };
        if races.iter().any(comes_first) {
            continue;
        }
        let mut left = mask & !current.ordered_lanes(like, mask);
        if left == 0 {
            continue;
        }
        let is_told_apart = || more.is_some_and(|more| more.chain(info).knows(warp, clock, info));
        let alike = || Some((info, (!info.is_wide()).then(|| current.place(warp).0)));
        if all_observed.is_some() && all_observed == alike() && !is_told_apart() {
            continue;
        }
        while left != 0 {
            let old = like.by(left.trailing_zeros() as usize);
            left &= left - 1;
            *looks += 1;
            if observed.has(old) {
                if (info.is_wide() || old != write) && !is_told_apart() {
                    all_observed = alike();
                    break;
                }
                if left != 0 {
                    left &= !observed.alike(old, left);
                }
            } else if let Some(race) = rule::race(current, old, new) {
                races.push(race);
                break;
            }
        }
    }
    races
}

/// Returns the site of the last strong write of the word by the thread of a race's plain load, if that write is kept.
fn own_update(race: &Race, (write, others): (RecordedAccess, Mask), more: Option<&WordAccesses>) -> Option<u32> {
    let (a, b) = (race.first, race.second);
    let is_plain_load = |it: &RecordedAccess| it.info.kind() == RecordedKind::Read && it.info.scope().is_none();
    let thread = [a, b].into_iter().find(is_plain_load)?.thread;
    let is_update = |info: AccessInfo| info.writes() && info.scope().is_some() && !info.is_older();
    let is_own = |it: &RecordedAccess| it.thread == thread && is_update(it.info);
    let last = std::iter::once(write).chain(lanes(others).map(|lane| write.by(lane))).find(is_own);
    let kept = || {
        let is_own =
            |warp: u32, info, mask: Mask| warp == thread / 32 && mask >> (thread % 32) & 1 != 0 && is_update(info);
        let own = more?.writes().filter(|(warp, _, info, mask)| is_own(*warp, *info, *mask));
        own.max_by_key(|(_, clock, info, _)| (*clock, *info)).map(|(_, _, info, _)| info.site())
    };
    last.map(|it| it.info.site()).or_else(kept)
}
