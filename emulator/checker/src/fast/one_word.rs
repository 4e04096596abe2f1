//! Fast paths around [`judge`](crate::fast::judge), for accesses of at most one word that need only a look at their
//! cell. One is for a plain access whose cell shows that nothing races with it. Others are for the first and each
//! further one of many atomic operations made in the same way. Lanes that access one word in one step are handled
//! together: 32 additions to a counter, 32 reads of one parameter, 31 failing attempts to take a lock.
//!
//! Property: what a view orders before one lane, it orders before all lanes that share this view. So equal accesses of
//! one word by such lanes in one step get one verdict, unless a lane's own earlier access decides it.
//!
//! Invariant: later accesses are judged as if the slow path had judged each lane. Where that is not obvious, the path
//! is not taken.

use crate::access::actor::{Actor, Current};
use crate::fast::cell::ShadowCell;
use crate::fast::cells::{CELLS, LINE, PAGE_BYTES};
use crate::fast::checker::FastChecker;
use crate::fast::record::{again, record_read};
use crate::fast::side_table::SideTable;
use crate::rule::covers;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use machine::exec::memory::Scope;
use machine::lanes::at_one;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::Touch;
use std::rc::Rc;

/// A warp's access in which each lane accesses at most one word, other than a strong read.
pub struct OneWord {
    kind: RecordedKind,
    scope: Option<Scope>,
    size: u32,
}

impl OneWord {
    pub fn new(touch: &Touch, kind: RecordedKind, scope: Option<Scope>) -> Option<OneWord> {
        let size = touch.bytes * touch.elements;
        let fits = size <= 4 && if scope.is_some() { kind != RecordedKind::Read && touch.elements == 1 } else { true };
        fits.then_some(OneWord { kind, scope, size })
    }

    /// Judges and records the accesses of the lanes in `rest` that a glance at their cell settles. Such an access is
    /// redundant, replaces an ordered one, or is one of equal strong writes. Returns the remaining lanes.
    #[inline(never)]
    pub fn try_all(&self, checker: &mut FastChecker, actor: &Actor, rest: Mask, addresses: &[u64; WARP]) -> Mask {
        let bytes = (1 << self.size) - 1;
        let glance = Glance {
            outlives: actor.outlives(),
            settled: actor.is_after_all(),
            first: actor.touched(0, AccessInfo::NONE),
            infos: std::array::from_fn(|at| {
                AccessInfo::new(actor.site(), bytes << at & 0xf, self.kind, self.scope, self.size)
            }),
        };
        match (self.scope, self.kind) {
            // If the lanes' views differ, each lane needs its own.
            (Some(_), _) if !actor.is_alike() => rest,
            (Some(_), _) => glance.each(checker, rest, addresses, |cell, overflow, new, is_in_turn| {
                if cell.read.info.is_none() && overflow.is_update_redundant(cell, new) {
                    return true;
                }
                // The order of the lanes decides which writes a strong access has observed.
                if !is_in_turn {
                    return false;
                }
                let is_beside = cell.lanes != 0 && cell.read.info.is_none() && cell.write.is_beside(new);
                if is_beside && !actor.fails(new.lane()) {
                    cell.lanes |= 1 << new.lane();
                    cell.write.thread = new.thread;
                    return true;
                }
                strong(cell, overflow, Current { actor, lane: new.lane() }, new).is_some()
            }),
            (None, kind) => glance.each(checker, rest, addresses, |cell, overflow, new, is_in_turn| {
                let is_behind = |old: RecordedAccess| is_behind(actor, old, new, is_in_turn);
                if kind == RecordedKind::Read && overflow.is_read_redundant(cell, new) {
                    return cell.lanes == 0 && (glance.is_void(cell.write) || is_behind(cell.write));
                }
                // An access narrower than a word does not necessarily represent the one that it finds.
                let stands_for = |old: RecordedAccess| glance.is_void(old) || self.size == 4 && is_behind(old);
                let is_alone = cell.lanes | cell.more == 0 && cell.read.info.scope().is_none();
                let done = is_alone
                    && stands_for(cell.read)
                    && (stands_for(cell.write) || kind == RecordedKind::Read && is_behind(cell.write));
                if done && kind == RecordedKind::Read {
                    cell.read = new;
                } else if done {
                    (cell.write, cell.read) = (new, RecordedAccess::default());
                }
                done
            }),
        }
    }

    /// Judges and records the access of a lane at `offset`, together with those of lanes in `rest` to the same address.
    /// Returns these lanes, or `None` if the slow path has to be taken.
    #[inline(always)]
    pub fn try_lane(
        &self,
        checker: &mut FastChecker,
        current: Current,
        offset: u64,
        rest: Mask,
        addresses: &[u64; WARP],
    ) -> Option<Mask> {
        let actor = current.actor;
        let FastChecker { cells, overflow, era, .. } = checker.parts();
        let (page, line) = cells.page(offset);
        if page.lines[line].launch != era {
            page.renew(line, era, actor.outlives(), overflow);
        }
        let cell = &mut page.cells(line, overflow)[(offset / 4) as usize % CELLS];
        let bytes = ((1 << self.size) - 1) << (offset % 4);
        let new = actor.touched(current.lane, AccessInfo::new(actor.site(), bytes, self.kind, self.scope, self.size));
        if self.scope.is_some() && cell.read.info.is_none() && overflow.is_update_redundant(cell, new) {
            return Some(at_one(addresses, addresses[current.lane as usize]) & rest);
        }
        let together = match (self.scope, self.kind) {
            (Some(_), _) => strong(cell, overflow, current, new)?,
            (None, RecordedKind::Read) => read(cell, overflow, current, new)?,
            (None, _) => write(cell, current, new)?,
        };
        let next = rest.trailing_zeros() as usize % WARP;
        let address = addresses[current.lane as usize];
        let fails = current.fails();
        if !(together || fails) || rest == 0 || addresses[next] != address {
            return Some(0);
        }
        let same = at_one(addresses, address) & rest;
        if fails {
            return Some(fail_alike(cell, overflow, current, new, same));
        }
        let last = new.by(31 - same.leading_zeros() as usize);
        if self.kind == RecordedKind::Read {
            overflow.add_read(cell, new, same & !(1 << last.lane()));
            cell.read = last;
        } else {
            cell.lanes |= same;
            cell.write = last;
        }
        Some(same)
    }
}

/// The properties of the warp that [`OneWord::try_all`] needs.
struct Glance {
    /// The access of lane 0, with the warp's clock and no manner.
    first: RecordedAccess,
    /// The manner of the access, by the byte of the word at which it begins.
    infos: [AccessInfo; 4],
    /// True if the memory outlives a launch.
    outlives: bool,
    /// True if all accesses of older launches are ordered before.
    settled: bool,
}

impl Glance {
    /// True for no access, and for one of an older launch if all of those are ordered before.
    #[inline(always)]
    fn is_void(&self, old: RecordedAccess) -> bool {
        old.info.is_none() || self.settled && old.info.is_older()
    }

    /// Calls `look` with each lane's cell, its access, and whether no lane before it is left. Returns the lanes for
    /// which `look` returns false.
    #[inline(always)]
    fn each(
        &self,
        checker: &mut FastChecker,
        mut rest: Mask,
        addresses: &[u64; WARP],
        look: impl Fn(&mut ShadowCell, &mut SideTable, RecordedAccess, bool) -> bool,
    ) -> Mask {
        let FastChecker { cells, overflow, base, era, .. } = checker.parts();
        let mut left = 0;
        while rest != 0 {
            let offset = addresses[rest.trailing_zeros() as usize] - base;
            let page = cells.page(offset).0;
            let start = base + offset / PAGE_BYTES * PAGE_BYTES;
            while rest != 0 {
                let lane = rest.trailing_zeros();
                let within = addresses[lane as usize].wrapping_sub(start);
                if within >= PAGE_BYTES {
                    break;
                }
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let line = (within / LINE) as usize;
                if page.lines[line].launch != era {
                    page.renew(line, era, self.outlives, overflow);
                }
                let cell = &mut page.cells(line, overflow)[(within / 4) as usize % CELLS];
                let info = self.infos[within as usize % 4];
                let new = RecordedAccess { thread: self.first.thread + lane, info, ..self.first };
                if !look(cell, overflow, new, left == 0) {
                    left |= bit;
                }
            }
        }
        left
    }
}

/// True if `old` is ordered before the access `new`. If lanes before it are left, only an order by the view that all
/// lanes share counts, not one by the lane's own accesses. Otherwise a lane that has touched the word itself might
/// overtake those lanes.
#[inline(always)]
fn is_behind(actor: &Actor, old: RecordedAccess, new: RecordedAccess, is_in_turn: bool) -> bool {
    match is_in_turn {
        true => Current { actor, lane: new.lane() }.ordered(old),
        false => actor.is_alike() && Current { actor, lane: 0 }.knows_of(old),
    }
}

/// Handles an atomic operation or strong store. Returns true if the same access by other lanes need not be judged, and
/// `None` if the fast paths do not apply.
#[inline(never)]
fn strong(cell: &mut ShadowCell, overflow: &mut SideTable, current: Current, new: RecordedAccess) -> Option<bool> {
    let done = again(cell, overflow, &current, new) || first(cell, overflow, current, new);
    done.then(|| cell.lanes != 0 && current.actor.is_alike())
}

/// Records that lanes of `same` fail a compare-and-swap on the word where `new` has just failed. Returns the lanes
/// whose failures differ from that of `new` in the lane number alone; they are recorded. There are many of these where
/// a warp waits for a lock.
#[inline(never)]
fn fail_alike(
    cell: &mut ShadowCell,
    overflow: &mut SideTable,
    current: Current,
    new: RecordedAccess,
    same: Mask,
) -> Mask {
    let actor = current.actor;
    // A swap that succeeds between them changes the value that the others find.
    let swapping = lanes(same).find(|&lane| !actor.fails(lane as u32)).map_or(0, |lane| !0 << lane);
    let failing = same & !swapping;
    let Some(more) = overflow.existing(cell).filter(|_| failing != 0 && cell.write == new && cell.lanes == 0) else {
        return 0;
    };
    let is_settled = || {
        let view = &actor.views()[current.lane as usize];
        current.knows_of(more.plain) && lanes(failing).all(|lane| Rc::ptr_eq(view, &actor.views()[lane]))
    };
    let last = new.by(31 - failing.leading_zeros() as usize);
    if !(more.plain.info.is_none() || is_settled()) || !more.fails_alike(new, failing, last) {
        return 0;
    }
    cell.write = last;
    failing
}

/// Fast path for the first strong write of a word that this launch has not touched, or not since a plain write that is
/// ordered before, as for a counter that was set to zero.
#[inline(always)]
pub fn first(cell: &mut ShadowCell, overflow: &mut SideTable, current: Current, new: RecordedAccess) -> bool {
    let ShadowCell { write, read, lanes, more } = *cell;
    let is_gone = |old: RecordedAccess| old.info.is_none() || old.info.is_older() && current.ordered(old);
    if new.info.way().is_none() || lanes | more != 0 || !is_gone(read) || current.fails() {
        return false;
    }
    let mut settled = true;
    if !is_gone(write) {
        if write.info.scope().is_some() || write.info.is_spread() || write.info.is_older() || !current.ordered(write) {
            return false;
        }
        overflow.get(cell).add(write, 0);
        settled = current.knows_of(write);
    }
    (cell.write, cell.read) = (new, RecordedAccess::default());
    cell.lanes = u32::from(settled && current.actor.joins()) << new.lane();
    true
}

/// True if the cell's last write or read cannot race with `new`.
#[inline(always)]
pub fn passes(old: RecordedAccess, current: Current, new: RecordedAccess) -> bool {
    old.info.is_none() || !old.info.is_older() && old.info.bytes() & new.info.bytes() == 0 || current.ordered(old)
}

/// Fast path for a plain write, if the cell has room for it.
#[inline(always)]
fn write(cell: &mut ShadowCell, current: Current, new: RecordedAccess) -> Option<bool> {
    let ShadowCell { write, read, lanes, more } = *cell;
    if lanes != 0 || more != 0 || !passes(write, current, new) || !passes(read, current, new) {
        return None;
    }
    cell.write = if write.info.is_none() || write.info.is_older() {
        new
    } else if let Some(both) = write.spread_with(new) {
        both
    } else if covers(new.info, write.info) {
        new
    } else {
        return None;
    };
    // The cell's write may stand for several lanes, whose bytes this lane has not written.
    if covers(new.info, read.info) || covers(cell.write.info, read.info) && current.ordered(read) {
        cell.read = RecordedAccess::default();
    }
    Some(false)
}

/// Fast path for a plain read, if only the last write can race with it, or all writes are ordered before it: a sum of
/// atomic operations is read after a barrier. Returns true if the verdict for this lane holds for all.
#[inline(always)]
fn read(cell: &mut ShadowCell, overflow: &mut SideTable, current: Current, new: RecordedAccess) -> Option<bool> {
    let ShadowCell { write, read, lanes, .. } = *cell;
    let is_one = lanes == 0 && !overflow.has_writes(cell);
    let is_settled = if is_one { passes(write, current, new) } else { is_behind_all(cell, overflow, current, new) };
    if !is_settled {
        return None;
    }
    if read.info.is_older() {
        if !current.ordered(read) {
            return None;
        }
        cell.read = new;
    } else {
        record_read(cell, overflow, current, new);
    }
    let for_all = is_one && (write.info.is_none() || write.info.bytes() & new.info.bytes() == 0);
    let settled_by_view = || current.actor.is_alike() && (!is_one || current.knows_of(write));
    Some(cell.read == new && (for_all || settled_by_view()))
}

/// True if all writes of the word are in the view of `current`.
#[inline(never)]
fn is_behind_all(cell: &ShadowCell, overflow: &mut SideTable, current: Current, new: RecordedAccess) -> bool {
    let RecordedAccess { info, clock, .. } = cell.write;
    let is_void = info.is_none();
    if !is_void && (info.is_older() || info.is_spread()) {
        return false;
    }
    let lanes = cell.lanes | 1 << cell.write.lane();
    (is_void || current.knows_all(cell.write.warp(), lanes, clock)) && current.knows_all_of(overflow, cell, new.info)
}
