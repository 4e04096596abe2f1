//! Whether an access is ordered behind a write because its past has observed that (PTX ISA, "Memory Consistency Model":
//! observation order, which causality order takes in). Only what the kernel looks at can be what it relies on, so an update whose
//! old value is dropped orders nothing.

use crate::access::actor::{Actor, Current};
use crate::access::cell::Cell;
use crate::access::overflow::{More, Overflow};
use crate::order::release::Reach;
use crate::sites::touched::{TouchKind, Touched};
use machine::exec::Op;
use machine::registers::Mask;

impl Actor<'_> {
    /// True if `by` is strong and observes what `write` has written, or what a write of the like of it hands on.
    fn reads_from(&self, write: Touched, by: Touched) -> bool {
        let block = |touched: Touched| self.block_of(touched.warp());
        let reach = |touched: Touched, scope| Reach::new(scope, block(touched), 0);
        let scopes = by.how.scope().zip(write.how.scope());
        by.how.is_like_strong(write.how) && scopes.is_some_and(|(a, b)| reach(by, a).meets(reach(write, b)))
    }

    fn is_update(&self, touched: Touched) -> bool {
        !touched.how.is_older() && matches!(self.op(touched.how.site()), Op::Atomic(_))
    }

    /// True if `by`, which came right after `write`, has observed it: a read, or an update that hands it on.
    pub fn links(&self, write: Touched, by: Touched) -> bool {
        self.reads_from(write, by) && (by.how.kind() == TouchKind::Read || self.is_update(by))
    }
}

/// The cell's new write is strong; `old`, by these lanes, was the last one. Kept only where there is more than the cell tells,
/// and where others may come in behind it.
#[inline(always)]
pub fn follow(cell: &mut Cell, overflow: &mut Overflow, current: &Current, (old, lanes): (Touched, Mask)) {
    let more = if current.actor.is_adverse() { Some(overflow.get(cell)) } else { overflow.existing(cell) };
    if let Some(more) = more {
        let new = cell.write;
        let is_alike = || new.how.is_alike_write(old.how) && cell.read.how.is_none();
        if current.actor.runs_on() && is_alike() && more.runs_on(old, new) {
            return;
        }
        more.settle();
        more.join(old, lanes);
        let fails = current.fails();
        more.wrote(old, cell.read, (cell.write, fails), |write, by| current.actor.links(write, by));
    }
}

/// True if a strong operation that is ordered before the current access has observed what `other` wrote
/// (causality order takes in observation order). `write` is the cell's last write; a read kept beside it, and what
/// `more` knows as observers, came after it. What was observed of writes before it stands in their [chain](crate::access::write_chain); of
/// those that are no longer known there, an update is taken to have observed all.
pub fn observed(write: Touched, read: Touched, more: Option<&More>, current: &Current, other: Touched) -> bool {
    if !other.how.writes() || other.how.scope().is_none() || other.how.is_older() {
        return false;
    }
    let chain = more.map(|more| more.chain(other.how));
    let observers = || {
        more.into_iter()
            .flat_map(|more| more.observers(current.known_warps()))
            .chain(read.parts())
            .filter(|by| by.how.kind() == TouchKind::Read)
    };
    let any_reads = |write: Touched| observers().any(|by| current.actor.reads_from(write, by) && current.ordered(by));
    if let Some((chain, number)) = chain.and_then(|chain| Some((chain, chain.number(other)?))) {
        return chain.observers(number).any(|by| current.ordered(by)) || chain.hands_on(number).is_some_and(any_reads);
    }
    let looked =
        || write.how.kind() == TouchKind::Atomic && current.actor.reads_from(other, write) && current.ordered(write);
    any_reads(other) && (write == other || current.actor.is_update(write)) || write != other && looked()
}
