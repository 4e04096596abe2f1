//! Recording of accesses: a cell keeps the last write and read, and the side table those that these do not represent.
//!
//! Property: whatever later races with an access also races with a newer one that happens after it, touches all its
//! bytes, writes if it writes, and is weak or equally strong. So the older one can be dropped.
//!
//! Exceptions: narrow scopes ([`WordAccesses::keep_far`]) and observed writes. Of many accesses, one that has just been
//! reported is dropped too.

use crate::access::actor::Current;
use crate::fast::cell::ShadowCell;
use crate::fast::observation::{follow, observed};
use crate::fast::side_table::SideTable;
use crate::fast::word_accesses::WordAccesses;
use crate::fast::write_chain::ChainAccess;
use crate::rule::covers;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};

/// Fast path for one more strong write of device scope or wider on a word. Since the word was last read or plainly
/// written, it has seen only such writes, all of the same bytes and size. So none of them can race with another.
/// Returns false if this does not apply.
#[inline(always)]
pub fn again(cell: &mut ShadowCell, overflow: &mut SideTable, current: &Current, new: RecordedAccess) -> bool {
    let old = cell.write;
    if !new.info.is_alike_write(old.info) || !cell.read.info.is_none() {
        return false;
    }
    if overflow.is_update_redundant(cell, new) {
        return true;
    }
    if cell.lanes != 0 && old.is_beside(new) && current.actor.is_alike() && !current.fails() {
        // The first lane's view orders `plain` before it; its neighbours share that view.
        cell.lanes |= 1 << new.lane();
        cell.write = new;
        return true;
    }
    let plain = match overflow.existing(cell) {
        Some(more) if !more.is_all_alike(new.info) => return false,
        Some(more) => more.plain,
        None => RecordedAccess::default(),
    };
    let settled = plain.info.is_none() || current.knows_of(plain);
    if !settled && !current.ordered(plain) {
        return false;
    }
    replace(cell, overflow, current, new);
    cell.lanes = u32::from(settled && current.actor.joins()) << new.lane();
    overflow.note_update(cell, new);
    true
}

/// Replaces the cell's last write by a strong one. Each may race with a plain access later, so a write that is not
/// ordered before the new one is kept.
#[inline(always)]
fn replace(cell: &mut ShadowCell, overflow: &mut SideTable, current: &Current, new: RecordedAccess) {
    let (old, lanes, read) = (cell.write, cell.lanes, cell.read);
    (cell.write, cell.lanes) = (new, 0);
    let is_alone = lanes & lanes.wrapping_sub(1) == 0;
    // A compare-and-swap that fails has written nothing, so it cannot represent another write.
    let fails = current.actor.fails(new.lane());
    let is_own = old.thread == new.thread && is_alone && (!fails || old.info == new.info);
    if !(old.info.is_none() || is_own) {
        // Writes that this thread has observed happen before its store. So an access after the store is also after
        // them.
        let more = overflow.existing(cell).map(|more| &*more);
        let may_be = || {
            old.info.kind() == RecordedKind::Atomic
                || !read.info.is_none()
                || more.is_some_and(|more| more.is_observed(old.info))
        };
        let is_known = || {
            is_alone && new.info.kind() == RecordedKind::Write && may_be() && observed(old, read, more, current, old)
        };
        let is_ordered = current.ordered(old) && (lanes == 0 || current.knows_all(old.warp(), lanes, old.clock));
        if fails || !current.reaches_as_far(old, new) || !is_ordered && !is_known() {
            overflow.get(cell).add(old, lanes);
        } else if current.is_far(old) {
            overflow.get(cell).keep_far(old, lanes);
        }
    }
    follow(cell, overflow, current, (old, lanes));
}

#[inline(always)]
pub fn record_read(cell: &mut ShadowCell, overflow: &mut SideTable, current: Current, new: RecordedAccess) {
    let old = cell.read;
    if overflow.is_read_redundant(cell, new) {
        return;
    }
    if let Some(both) = old.spread_with(new) {
        cell.read = both;
        return;
    }
    let is_strong = old.info.scope().is_some() && !old.info.is_older();
    let mut follows = |cell: &mut ShadowCell| overflow.existing(cell).is_some_and(|more| more.follows(old.info));
    let observes = is_strong && (cell.write.info.scope().is_some() || follows(cell));
    if observes && (old.thread != new.thread || old.clock != new.clock || !new.info.observes_as(old.info)) {
        overflow.get(cell).observe(old);
    }
    let replaces =
        old.info.is_none() || covers(new.info, old.info) && current.reaches_as_far(old, new) && current.ordered(old);
    if !replaces {
        // Keep both: a later write may be ordered after one and not after the other.
        overflow.add_read(cell, old, 0);
    } else if current.is_far(old) {
        overflow.get(cell).keep_far(old, 0);
    }
    cell.read = new;
}

#[inline(always)]
pub fn record(cell: &mut ShadowCell, overflow: &mut SideTable, current: &Current, new: RecordedAccess) {
    if current.passes_by() && (new.info.kind() != RecordedKind::Read || new.info.scope().is_some()) {
        return record_behind(cell, overflow, current, new);
    }
    if new.info.kind() == RecordedKind::Read {
        return record_read(cell, overflow, *current, new);
    }
    let ShadowCell { write: old, read, lanes, .. } = *cell;
    let is_alone = lanes & lanes.wrapping_sub(1) == 0;
    let is_plain = new.info.scope().is_none();
    if let Some(both) = old.spread_with(new).filter(|_| is_alone && is_plain) {
        // From here on the first lane implies the others.
        (cell.write, cell.lanes) = (both, 0);
    } else if covers(new.info, old.info) && new.info.scope().is_some() {
        let is_like_last = new.info.is_alike_write(old.info) && read.info.is_none();
        if is_like_last && overflow.is_update_redundant(cell, new) {
            return;
        }
        replace(cell, overflow, current, new);
        if is_like_last {
            overflow.note_update(cell, new);
        }
    } else {
        let others = std::mem::take(&mut cell.lanes);
        if !old.info.is_none() && !covers(new.info, old.info) {
            overflow.get(cell).add(old, others);
        }
        cell.write = new;
        if new.info.scope().is_some() {
            follow(cell, overflow, current, (old, others));
        }
    }
    if new.info.scope().is_some() {
        // Reads of this write are kept separately from reads of the previous one.
        if !cell.read.info.is_none() {
            let read = std::mem::take(&mut cell.read);
            overflow.get(cell).add(read, 0);
        }
    } else {
        // Every conflicting access before a plain write is ordered before it, observed, or has just been reported. The
        // cell's write may stand for several lanes, whose bytes this lane has not written.
        let is_read_covered =
            covers(new.info, cell.read.info) || covers(cell.write.info, cell.read.info) && current.ordered(cell.read);
        if !cell.read.info.is_none() && is_read_covered {
            cell.read = RecordedAccess::default();
        }
        if let Some(more) = overflow.existing(cell) {
            more.retain(|info| !covers(new.info, info));
            let is_weak = old.info.scope().is_none() && read.info.scope().is_none();
            if more.is_empty() {
                overflow.release(cell);
            } else if !(is_weak && more.is_unobserved()) {
                more.settle();
                more.join(old, lanes);
                more.hide(old, read, new.info, |write, by| current.actor.links(write, by));
            }
        }
    }
}

/// Records a read or update of an older value, or a store at an earlier position in the coherence order. Later reads of
/// the cell do not read it.
fn record_behind(cell: &mut ShadowCell, overflow: &mut SideTable, current: &Current, new: RecordedAccess) {
    // So that the next access like the last write is compared with this one.
    let lanes = std::mem::take(&mut cell.lanes);
    let (more, back) = (overflow.get(cell), current.back());
    if lanes & lanes.wrapping_sub(1) != 0 {
        more.add(cell.write, lanes);
        more.join(cell.write, lanes);
    }
    more.add(new, 0);
    let chain = more.chain_mut(new.info);
    let links = |write, by| current.actor.links(write, by);
    let fails = current.fails();
    match new.info.kind() {
        RecordedKind::Read => chain.looked_back(cell.write, ChainAccess::of(new), back, links),
        _ if fails => chain.looked_back(cell.write, ChainAccess::failed_swap(new), back, links),
        _ if current.actor.updates() => chain.updated_behind(cell.write, new, back, links),
        RecordedKind::Write | RecordedKind::Atomic => chain.wrote_behind(cell.write, new, back),
    }
}

/// Shortens the entries of a word that many threads have accessed: those that race with the new access have just been
/// reported, and the new one represents those that it covers. Otherwise all would be compared with all. A few stay, so
/// that later races with them are reported too.
pub fn thin_out(more: &mut WordAccesses, current: &Current, new: RecordedAccess, told: &[AccessInfo]) {
    more.thin_out(new, |(warp, clock, info), mask| {
        let new = new.info;
        if !info.is_older() && current.knows_all(warp, mask, clock) {
            let reaches_as_far = new.scope().is_none() || new.is_wide() || current.is_in_its_block(warp);
            return !(covers(new, info) && (new.writes() || !info.writes()) && reaches_as_far);
        }
        !told.contains(&info)
    });
}
