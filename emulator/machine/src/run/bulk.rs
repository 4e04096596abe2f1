//! The bulk copies of a block that are under way, and the groups that its threads have made of them.

use crate::exec::atomic::Operation;
use crate::memory::space::Space;
use crate::registers::Mask;
use ptx::ast::Type;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// Bytes that lie together at both sides of a copy of a tensor.
#[derive(Clone, Copy, Debug)]
pub struct CopySegment {
    /// `None`: they are filled.
    pub from: Option<u64>,
    pub to: u64,
    pub bytes: u32,
}

/// A copy of a box of a tensor: its bytes, and the change that a load makes of them.
#[derive(Clone, Debug)]
pub struct BoxCopy {
    pub segments: Box<[CopySegment]>,
    /// The bytes of an element: no access of the copy is smaller.
    pub element: u32,
    /// The 16-bit pattern that fills bytes outside the tensor.
    pub fill: u16,
    /// Rounds each element to `tf32`.
    pub rounds: bool,
    /// A reduction takes subnormal numbers for zeros.
    pub flushes: bool,
}

/// One bulk copy.
#[derive(Clone, Debug)]
pub struct BulkUnderWay {
    pub warp: u32,
    pub lane: u32,
    /// Bulk copies of a block are numbered from 1, as they start.
    pub number: u32,
    /// `None`: registers, whose values it has from the start (`st.async`, `red.async`).
    pub from: Option<(Space, u64)>,
    pub to: (Space, u64),
    /// The block whose shared memory `to` is in, and the barrier object; its own unless it is a peer's.
    pub owner: u64,
    pub bytes: u32,
    /// The bytes of each 16 that are copied.
    pub byte_mask: u16,
    /// The operation by which the destination is updated.
    pub reduction: Option<(Operation, Type)>,
    /// The barrier object whose transactions its bytes are; `None`: it belongs to a group.
    pub object: Option<u64>,
    /// The box that it copies; `None`: the `bytes` at `from` go to `to`.
    pub tensor: Option<Rc<BoxCopy>>,
    /// The bytes of the source, once it has read them.
    pub data: Option<Box<[u8]>>,
}

impl BulkUnderWay {
    /// The bytes that the copy moves, in order.
    pub fn segments(&self) -> impl Iterator<Item = CopySegment> + '_ {
        let whole = CopySegment { from: self.from.map(|(_, from)| from), to: self.to.1, bytes: self.bytes };
        let segments = self.tensor.as_ref().map(|tensor| tensor.segments.iter().copied());
        let whole = (segments.is_none() && self.bytes > 0).then_some(whole);
        segments.into_iter().flatten().chain(whole)
    }
}

/// The next move of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Reads,
    Writes,
}

/// A group of one thread's copies.
#[derive(Debug, Default)]
struct BulkGroup {
    copies: Vec<u32>,
    /// Its thread has waited until it had read its sources.
    has_read: bool,
}

/// The groups of one thread.
#[derive(Debug, Default)]
struct Groups {
    /// The copies that belong to no group yet.
    open: Vec<u32>,
    /// The groups that have not been waited for, the oldest first.
    committed: VecDeque<BulkGroup>,
}

/// The bulk copies of one block.
#[derive(Debug, Default)]
pub struct BulkCopies {
    number: u32,
    under_way: Vec<BulkUnderWay>,
    groups: FxHashMap<(u32, u32), Groups>,
}

impl BulkCopies {
    pub fn clear(&mut self) {
        *self = BulkCopies::default();
    }

    pub(super) fn next_number(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.under_way.len()
    }

    pub(super) fn start(&mut self, copy: BulkUnderWay) {
        if copy.object.is_none() {
            self.groups.entry((copy.warp, copy.lane)).or_default().open.push(copy.number);
        }
        self.under_way.push(copy);
    }

    pub(super) fn put_back(&mut self, copy: BulkUnderWay) {
        self.under_way.push(copy);
    }

    pub(super) fn commit(&mut self, thread: (u32, u32)) {
        let groups = self.groups.entry(thread).or_default();
        let copies = std::mem::take(&mut groups.open);
        groups.committed.push_back(BulkGroup { copies, has_read: false });
    }

    /// Returns the copies of a thread that are over, or have read their sources if `reads`, once only `left` of its
    /// groups are not.
    pub(super) fn passes(&mut self, thread: (u32, u32), left: u32, reads: bool) -> Vec<u32> {
        let Some(Groups { committed, .. }) = self.groups.get_mut(&thread) else { return Vec::new() };
        let over = committed.len().saturating_sub(left as usize);
        if !reads {
            return committed.drain(..over).flat_map(|group| group.copies).collect();
        }
        let new = committed.iter_mut().take(over).filter(|group| !group.has_read);
        new.flat_map(|group| {
            group.has_read = true;
            group.copies.clone()
        })
        .collect()
    }

    fn take(&mut self, is_wanted: impl Fn(&BulkUnderWay) -> bool) -> Option<(Move, BulkUnderWay)> {
        let at = self.under_way.iter().position(is_wanted)?;
        Some(self.take_next(at))
    }

    /// Takes out the `nth` copy, for its next move.
    pub(super) fn take_next(&mut self, nth: usize) -> (Move, BulkUnderWay) {
        let copy = self.under_way.remove(nth);
        (if copy.data.is_some() { Move::Writes } else { Move::Reads }, copy)
    }

    /// Takes out a copy by its number; if only its reads count, unless it has made them.
    pub(super) fn take_of(&mut self, number: u32, reads: bool) -> Option<(Move, BulkUnderWay)> {
        self.take(|copy| copy.number == number && !(reads && copy.data.is_some()))
    }

    /// Takes out a copy that the object of a block at `address` tracks.
    pub(super) fn take_tracked(&mut self, owner: u64, address: u64) -> Option<(Move, BulkUnderWay)> {
        self.take(|copy| copy.owner == owner && copy.object == Some(address))
    }

    /// True if a copy is under way into another block's memory than that of block `own`.
    pub(super) fn any_to_peers(&self, own: u64) -> bool {
        self.under_way.iter().any(|copy| copy.owner != own)
    }

    pub(super) fn take_of_lanes(&mut self, warp: u32, mask: Mask) -> Option<(Move, BulkUnderWay)> {
        self.take(|copy| copy.warp == warp && mask >> copy.lane & 1 != 0)
    }
}
