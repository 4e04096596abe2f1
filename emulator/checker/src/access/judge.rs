//! Data races by happens-before (PTX ISA, "Memory Consistency Model": conflict, morally strong, causality order).
//!
//! Two accesses of one place race if at least one writes, they are not ordered, and they are not morally strong: both
//! strong, of the same size, each in the other's scope. Order comes from program order, block and warp barriers, release
//! and acquire; never from the order in which this run happened to do things. Exact for the accesses that a run makes; of
//! a racing write only the latest is kept, so that one bug is not reported for every pair that it gives rise to.

use crate::access::accesses::{Shadow, WarpAccess};
use crate::access::actor::Current;
use crate::access::cell::Cell;
use crate::access::cells::LINE;
use crate::access::observation::Observed;
use crate::access::overflow::{More, Overflow};
use crate::access::race::{Race, distance};
use crate::access::record::{again, record, thin_out};
use crate::access::short::first;
use crate::sites::touched::{Clock, How, MOST_INSTRUCTIONS, TouchKind, Touched};
use machine::registers::{Mask, lanes};

/// Judges `size` bytes at `offset` and records them. `found` gets every race.
///
/// Every race is found here, by [`Current::judge`]: a breakpoint there is hit by each. The short ways around this function
/// are [`Actor::walk`](crate::access::actor::Actor::walk) for rows, [`Short::glance`](crate::access::short::Short::glance)
/// and [`Short::go`](crate::access::short::Short::go). They settle only what races with nothing, and leave the rest to it.
pub fn access(
    shadow: &mut Shadow,
    current: &Current,
    access: &WarpAccess,
    offset: u64,
    size: u32,
    found: &mut impl FnMut(Race, u64),
) {
    let Shadow { memory, overflow, era, .. } = shadow.parts();
    let (kind, scope) = (access.kind, access.scope);
    debug_assert!((current.actor.site() as usize) < MOST_INSTRUCTIONS);
    let end = offset + u64::from(size);
    let mut word = offset & !3;
    while word < end {
        let from = offset.max(word) - word;
        let to = end.min(word + 4) - word;
        let bytes = ((1u32 << to) - 1) & !((1u32 << from) - 1);
        let how = How::new(current.actor.site(), bytes, kind, scope, size);
        let new = current.actor.touched(current.lane, how);
        let (page, line) = memory.cells.page(word);
        if page.lines[line].launch != era {
            page.renew(line, era, current.actor.outlives(), overflow);
        }
        let cell = &mut page.cells(line, overflow)[(word % LINE / 4) as usize];
        if cell.read.how.is_older() {
            // From here on the launch's own accesses stand for it, unless nothing orders it before them.
            let read = std::mem::take(&mut cell.read);
            if !current.ordered(read) {
                overflow.get(cell).add(read, 0);
            }
        }
        if cell.is_untouched() {
            // Nothing to judge against: most cells are met this way.
            *(if kind == TouchKind::Read { &mut cell.read } else { &mut cell.write }) = new;
        } else if current.passes_by() || !(current.actor.short_ways() && is_settled(cell, overflow, current, new)) {
            check(cell, overflow, current, new, &mut |race| found(race, word));
            if new.how.writes() && cell.write.how.is_older() && current.ordered(cell.write) {
                cell.write = Touched::default();
            }
            record(cell, overflow, current, new);
        }
        word += 4;
    }
}

/// The short ways for one word, which more than words go too: see [`again`] and [`first`].
#[inline(always)]
fn is_settled(cell: &mut Cell, overflow: &mut Overflow, current: &Current, new: Touched) -> bool {
    again(cell, overflow, current, new) || current.actor.may_be_short() && first(cell, overflow, *current, new)
}

/// The long way takes at least as long as so many looks at earlier accesses.
const LOOKS_OF_CHECK: u64 = 16;

/// Warp, clock and how of an access, and the lanes that have made it.
type Entry = (u32, Clock, How, Mask);

#[inline(always)]
fn check(cell: &mut Cell, overflow: &mut Overflow, current: &Current, new: Touched, found: &mut impl FnMut(Race)) {
    let (write, read) = (cell.write, cell.read);
    overflow.looks += LOOKS_OF_CHECK;
    let more = overflow.existing(cell).map(|more| {
        more.join(write, cell.lanes);
        more.sort(new.how);
        &*more
    });
    let spread = cell.lanes;
    let observed = Observed::new(write, read, more, current);
    let judge = |old: Touched| current.judge(old, new).filter(|race| !observed.has(race.first));
    let mut found = |race: Race| found(Race { own_update: own_update(&race, (write, spread), more), ..race });
    // What a warp did in one step may be known as a whole.
    let is_alone = cell.lanes & cell.lanes.wrapping_sub(1) == 0;
    let is_open = !current.is_strong_with(write.warp(), write.how, new.how)
        && (is_alone || !current.knows_all(write.warp(), cell.lanes, write.clock));
    let last = if is_open { judge(write) } else { None };
    last.into_iter().for_each(&mut found);
    // Of its step the last write is told, if it races: the others are in `spread` or, judged one by one, in the side table.
    let is_told = |key: (u32, Clock, How)| last.is_some() && key == (write.warp(), write.clock, write.how);
    let others = spread & !(1 << write.lane());
    let others = (is_open && others != 0).then_some((write.warp(), write.clock, write.how, others));
    if new.how.writes()
        && let Some(race) = judge(read)
    {
        found(race);
    }
    let kept = more.filter(|more| more.may_race(new.how));
    if kept.is_none() && others.is_none() {
        return;
    }
    let entries = others.into_iter().chain(kept.into_iter().flat_map(|more| more.against(new.how)));
    let entries = entries.filter(|&(warp, clock, how, _)| !is_told((warp, clock, how)));
    let mut looks = 0;
    let mut races = among(entries, &observed, new, &mut looks);
    let told: Vec<How> = races.iter().map(|race| race.first.how).collect();
    // In a stable order, so that a seed always tells the same story.
    let distance = |race: &Race| distance(current.actor.at().launch, race);
    races.sort_by_key(|race| (race.first.how.site(), distance(race), race.first.thread, race.first.clock));
    races.dedup_by_key(|race| (race.first.how.site(), distance(race)));
    races.into_iter().for_each(found);
    overflow.looks += looks;
    if let Some(more) = overflow.existing(cell).filter(|more| more.may_race(new.how)) {
        thin_out(more, current, new, &told);
    }
}

/// What races with `new` of a side table's entries: of those made alike and equally far away one. Counts how many accesses it has looked at.
fn among(entries: impl Iterator<Item = Entry>, observed: &Observed, new: Touched, looks: &mut u64) -> Vec<Race> {
    let &Observed { write, more, current, .. } = observed;
    let mut races: Vec<Race> = Vec::new();
    // Of writes that are no longer told apart all that are made alike, those of narrow scope in one block, are observed, or none.
    let mut all_observed = None;
    for (warp, clock, how, mask) in entries {
        *looks += 1;
        // Atomics do not race with each other unless scopes or sizes differ; reads never with reads.
        let may_race = (how.writes() || new.how.writes()) && how.bytes() & new.how.bytes() != 0;
        if !may_race || current.is_strong_with(warp, how, new.how) {
            continue;
        }
        let like = Touched { thread: warp * 32 + mask.trailing_zeros(), clock, how };
        // Of those alike and equally far away the thread that comes first is told.
        let distance = |race: &Race| distance(current.actor.at().launch, race);
        let away = || distance(&Race::of(like, new));
        let comes_first = |race: &Race| {
            race.first.how == how
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
        let is_told_apart = || more.is_some_and(|more| more.chain(how).knows(warp, clock, how));
        let alike = || Some((how, (!how.is_wide()).then(|| current.place(warp).0)));
        if all_observed.is_some() && all_observed == alike() && !is_told_apart() {
            continue;
        }
        while left != 0 {
            let old = like.by(left.trailing_zeros() as usize);
            left &= left - 1;
            *looks += 1;
            if observed.has(old) {
                if (how.is_wide() || old != write) && !is_told_apart() {
                    all_observed = alike();
                    break;
                }
                if left != 0 {
                    left &= !observed.alike(old, left);
                }
            } else if let Some(race) = current.judge(old, new) {
                races.push(race);
                break;
            }
        }
    }
    races
}

/// The site of the last strong write of the word that the thread of a race's plain load has made, where that is kept.
fn own_update(race: &Race, (write, others): (Touched, Mask), more: Option<&More>) -> Option<u32> {
    let (a, b) = (race.first, race.second);
    let is_plain_load = |it: &Touched| it.how.kind() == TouchKind::Read && it.how.scope().is_none();
    let thread = [a, b].into_iter().find(is_plain_load)?.thread;
    let is_update = |how: How| how.writes() && how.scope().is_some() && !how.is_older();
    let is_own = |it: &Touched| it.thread == thread && is_update(it.how);
    let last = std::iter::once(write).chain(lanes(others).map(|lane| write.by(lane))).find(is_own);
    let kept = || {
        let is_own =
            |warp: u32, how, mask: Mask| warp == thread / 32 && mask >> (thread % 32) & 1 != 0 && is_update(how);
        let own = more?.writes().filter(|(warp, _, how, mask)| is_own(*warp, *how, *mask));
        own.max_by_key(|(_, clock, how, _)| (*clock, *how)).map(|(_, _, how, _)| how.site())
    };
    last.map(|it| it.how.site()).or_else(kept)
}
