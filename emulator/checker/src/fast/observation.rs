//! Order by observation: an access is ordered after a write that its past has observed (PTX ISA, "Memory Consistency
//! Model": observation order, which causality order includes). A kernel can only rely on values that it looks at. So an
//! update whose old value is dropped orders nothing.
//!
//! Property: an access does not race with a write that an access before it has observed. That depends on the reads of
//! this write's value, and of values that updates hand on, so only these are kept.

use crate::access::actor::Current;
use crate::fast::cell::ShadowCell;
use crate::fast::side_table::SideTable;
use crate::fast::word_accesses::{WordAccesses, first};
use crate::fast::write_chain::{ChainAccess, RECENT, WriteChain};
use crate::sites::touched::{RecordedAccess, RecordedKind};
use machine::registers::Mask;
use std::cell::{self, OnceCell};

/// Records the cell's new write, which is strong, in the word's chain. `old`, made by these lanes, was the last write.
/// The chain is kept only for words with a side-table entry, where a compare-and-swap has failed, and for all words if
/// the schedule lets writes take earlier positions.
#[inline(always)]
pub fn follow(
    cell: &mut ShadowCell,
    overflow: &mut SideTable,
    current: &Current,
    (old, lanes): (RecordedAccess, Mask),
) {
    let is_needed = current.actor.is_adverse() || current.fails();
    let more = if is_needed { Some(overflow.get(cell)) } else { overflow.existing(cell) };
    if let Some(more) = more {
        let new = cell.write;
        let is_alike = || new.info.is_alike_write(old.info) && cell.read.info.is_none();
        if current.actor.runs_on() && is_alike() && more.runs_on(old, new) {
            return;
        }
        more.settle();
        more.join(old, lanes);
        let fails = current.fails();
        more.wrote(old, cell.read, ChainAccess { access: cell.write, fails }, |write, by| {
            current.actor.links(write, by)
        });
    }
}

/// True if a strong operation that is ordered before the current access has observed what `other` wrote. `write` is the
/// cell's last write. The read kept beside it, and the observers in `more`, came after it. Observers of earlier writes
/// are in their [chain](crate::fast::write_chain). If a write is no longer there, an update is assumed to have
/// observed it.
pub fn observed(
    write: RecordedAccess,
    read: RecordedAccess,
    more: Option<&WordAccesses>,
    current: &Current,
    other: RecordedAccess,
) -> bool {
    let reads = || observers(read, more, current);
    let any_reads = |write: RecordedAccess| reads().any(|by| has_read(current, write, by));
    let in_chain = |chain: &WriteChain, number| chain.observers(number).any(|by| current.ordered(by));
    is_observed(write, more, current, other, in_chain, any_reads)
}

/// Returns the reads that may have read the last write: one lane of each entry, and all its lanes.
fn observers<'a>(
    read: RecordedAccess,
    more: Option<&'a WordAccesses>,
    current: &'a Current,
) -> impl Iterator<Item = (RecordedAccess, Mask)> + 'a {
    let kept = more.into_iter().flat_map(|more| more.observers(current.known_warps()));
    let last = read.parts().map(|part| (part, 1 << part.lane()));
    kept.chain(last).filter(|(by, _)| by.info.kind() == RecordedKind::Read)
}

/// True if one of these lanes has read `write` and is ordered before the current access.
fn has_read(current: &Current, write: RecordedAccess, (by, lanes): (RecordedAccess, Mask)) -> bool {
    current.actor.reads_from(write, by) && current.ordered_lanes(by, lanes) != 0
}

fn is_observed(
    write: RecordedAccess,
    more: Option<&WordAccesses>,
    current: &Current,
    other: RecordedAccess,
    in_chain: impl Fn(&WriteChain, u32) -> bool,
    any_reads: impl Fn(RecordedAccess) -> bool,
) -> bool {
    if !other.info.writes() || other.info.scope().is_none() || other.info.is_older() {
        return false;
    }
    let chain = more.map(|more| more.chain(other.info));
    if let Some((chain, number)) = chain.and_then(|chain| Some((chain, chain.number(other)?))) {
        return in_chain(chain, number) || chain.hands_on(number).is_some_and(any_reads);
    }
    let looked = || {
        write.info.kind() == RecordedKind::Atomic && current.actor.reads_from(other, write) && current.ordered(write)
    };
    any_reads(other) && (write == other || current.actor.is_update(write)) || write != other && looked()
}

/// As [`observed`], for one access that may race with many: caches which observers are ordered before it.
pub struct ObservedWrites<'a> {
    pub write: RecordedAccess,
    read: RecordedAccess,
    pub more: Option<&'a WordAccesses>,
    pub current: &'a Current<'a>,
    /// The first byte of the chain that was looked at first. `ordered` caches the ordered lanes of those of its entries
    /// that have been queried.
    chain: OnceCell<usize>,
    ordered: [cell::Cell<Option<Mask>>; RECENT],
    /// True once the readers of the last write have been queried.
    is_asked: cell::Cell<bool>,
    /// The ordered readers of the last write: one of each manner of access and block.
    reads: OnceCell<Vec<RecordedAccess>>,
}

impl<'a> ObservedWrites<'a> {
    #[inline(always)]
    pub fn new(
        write: RecordedAccess,
        read: RecordedAccess,
        more: Option<&'a WordAccesses>,
        current: &'a Current<'a>,
    ) -> ObservedWrites<'a> {
        let (chain, ordered, is_asked, reads) = Default::default();
        ObservedWrites { write, read, more, current, chain, ordered, is_asked, reads }
    }

    /// See [`observed`].
    pub fn has(&self, other: RecordedAccess) -> bool {
        let &ObservedWrites { write, read, more, current, .. } = self;
        let in_chain = |chain: &WriteChain, number| {
            let is_kept = *self.chain.get_or_init(|| first(other.info)) == first(other.info);
            chain.is_observed_by(number, |at, like, lanes| match self.ordered[at].get().filter(|_| is_kept) {
                Some(ordered) => ordered,
                None => {
                    let ordered = current.ordered_lanes(like, lanes);
                    if is_kept {
                        self.ordered[at].set(Some(ordered));
                    }
                    ordered
                }
            })
        };
        let reads = || observers(read, more, current);
        let any_reads = |write: RecordedAccess| {
            if !self.is_asked.replace(true) {
                return reads().any(|by| has_read(current, write, by));
            }
            let kept = self.reads.get_or_init(|| {
                let mut kept: Vec<RecordedAccess> = Vec::new();
                for (by, lanes) in reads() {
                    let block = |it: RecordedAccess| current.actor.block_of(it.warp());
                    let is_like = |known: &RecordedAccess| known.info == by.info && block(*known) == block(by);
                    if !kept.iter().any(is_like) && current.ordered_lanes(by, lanes) != 0 {
                        kept.push(by);
                    }
                }
                kept
            });
            kept.iter().any(|by| current.actor.reads_from(write, *by))
        };
        is_observed(write, more, current, other, in_chain, any_reads)
    }

    /// Returns those of `lanes`, which have made the same access as `like`, that are observed exactly if `like` is.
    pub fn alike(&self, like: RecordedAccess, lanes: Mask) -> Mask {
        let last = if self.write.is_beside(like) { 1 << self.write.lane() } else { 0 };
        let beside = self.more.map_or(lanes, |more| more.chain(like.info).beside(like, lanes));
        if last >> like.lane() & 1 != 0 { last } else { beside & !last }
    }
}
