//! The side table, to which cells refer by index: it has an entry for each word whose cell has no room for its
//! accesses.
//!
//! Property: where an access is kept does not change what it is compared with. A read or update that is redundant is
//! dropped by the property of [`readers`](crate::fast::readers): two others of different blocks stand for it.

use crate::fast::cell::ShadowCell;
use crate::fast::readers::{Readers, UnorderedBlocks};
use crate::fast::word_accesses::WordAccesses;
use crate::sites::touched::{AccessInfo, Clock, RecordedAccess, RecordedKind};
use machine::registers::Mask;

/// The side table: the entries to which cells refer by index.
#[derive(Clone, Debug, Default)]
pub struct SideTable {
    list: Vec<WordAccesses>,
    free: Vec<u32>,
    readers: Vec<Readers>,
    free_readers: Vec<u32>,
    /// Set if no access of one block is ever ordered before one of another.
    unordered: Option<UnorderedBlocks>,
    /// The number of accesses that were compared one by one since the last [`SideTable::take_looks`].
    pub looks: u64,
}

/// Flag in [`ShadowCell::more`]: the index refers to [`Readers`].
const READERS: u32 = 1 << 31;

/// Flag in [`ShadowCell::more`]: further accesses like the cell's last read, or like its last write, need not be
/// recorded.
const SATURATED: u32 = 1 << 30;

/// Returns the index of the entry that a cell refers to.
#[inline(always)]
fn index(more: u32) -> usize {
    (more & !(READERS | SATURATED)) as usize
}

impl SideTable {
    pub fn new(unordered: Option<UnorderedBlocks>) -> SideTable {
        SideTable { unordered, ..SideTable::default() }
    }

    /// Set if no access of one block is ever ordered before one of another.
    #[inline(always)]
    pub fn unordered(&self) -> Option<UnorderedBlocks> {
        self.unordered
    }

    #[inline(always)]
    pub fn take_looks(&mut self) -> u64 {
        std::mem::take(&mut self.looks)
    }

    pub fn get(&mut self, cell: &mut ShadowCell) -> &mut WordAccesses {
        if cell.more == 0 {
            cell.more = self.vacant();
        } else if cell.more & READERS != 0 {
            self.widen(cell);
        }
        cell.more &= !SATURATED;
        &mut self.list[index(cell.more) - 1]
    }

    fn vacant(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.list.push(WordAccesses::default());
            self.list.len() as u32
        })
    }

    /// As [`SideTable::get`], for callers that add no access, so that the flag SATURATED stays. `None` if there is
    /// none.
    pub fn existing(&mut self, cell: &mut ShadowCell) -> Option<&mut WordAccesses> {
        match cell.more {
            0 => None,
            more if more & READERS != 0 => Some(self.get(cell)),
            more => Some(&mut self.list[index(more) - 1]),
        }
    }

    /// True if the side table has a write of the word.
    #[inline(always)]
    pub fn has_writes(&self, cell: &ShadowCell) -> bool {
        cell.more != 0 && cell.more & READERS == 0 && self.list[index(cell.more) - 1].writes
    }

    /// True if a plain read need not be recorded, since others represent it: see [`UnorderedBlocks`]. If not, the flag
    /// SATURATED is not set.
    #[inline(always)]
    pub fn is_read_redundant(&mut self, cell: &mut ShadowCell, new: RecordedAccess) -> bool {
        if cell.more & READERS == 0 {
            return false;
        }
        let is_like_last = cell.read.info == new.info;
        if is_like_last && cell.more & SATURATED != 0 {
            return true;
        }
        if !is_like_last {
            // The flag is about reads like the last one.
            cell.more &= !SATURATED;
        }
        let is_redundant = self.readers[index(cell.more)].is_redundant(new.info, self.unordered);
        cell.more |= if is_redundant && is_like_last { SATURATED } else { 0 };
        is_redundant
    }

    /// True if an update that drops the old value need not be recorded, since two of different blocks, made alike,
    /// represent it. As with reads, whatever races with it races with one of these.
    #[inline(always)]
    pub fn is_update_redundant(&self, cell: &ShadowCell, new: RecordedAccess) -> bool {
        cell.more & (READERS | SATURATED) == SATURATED
            && new.info.kind() == RecordedKind::Write
            && new.info.is_alike_write(cell.write.info)
    }

    /// Notes that `new` has become the cell's last write: from here on updates like it may be redundant.
    #[inline(always)]
    pub fn note_update(&mut self, cell: &mut ShadowCell, new: RecordedAccess) {
        if let Some(blocks) = self.unordered
            && new.info.kind() == RecordedKind::Write
            && cell.more & READERS == 0
            && cell.more != 0
            && self.list[index(cell.more) - 1].has_update_beside(new, blocks)
        {
            cell.more |= SATURATED;
        }
    }

    /// As [`WordAccesses::add`], for a read.
    #[inline(always)]
    pub fn add_read(&mut self, cell: &mut ShadowCell, read: RecordedAccess, others: Mask) {
        let is_plain = read.info.scope().is_none() && !read.info.is_older() && !read.info.is_spread();
        if !is_plain || cell.more != 0 && cell.more & READERS == 0 {
            return self.get(cell).add(read, others);
        }
        if cell.more == 0 {
            cell.more = READERS | self.vacant_readers();
        }
        self.readers[index(cell.more)].add(read, others | 1 << read.lane(), self.unordered);
    }

    fn vacant_readers(&mut self) -> u32 {
        self.free_readers.pop().unwrap_or_else(|| {
            self.readers.push(Readers::default());
            self.readers.len() as u32 - 1
        })
    }

    /// Moves the cell from [`Readers`] to an entry that also holds writes.
    #[inline(never)]
    fn widen(&mut self, cell: &mut ShadowCell) {
        let old = index(cell.more) as u32;
        cell.more = self.vacant();
        let (more, readers) = (&mut self.list[cell.more as usize - 1], &mut self.readers[old as usize]);
        more.take_reads(readers);
        self.free_readers.push(old);
    }

    /// True if `is` holds for all entries beside the cell that can race with `new`.
    pub fn all_against(
        &self,
        cell: &ShadowCell,
        new: AccessInfo,
        mut is: impl FnMut((u32, Clock, AccessInfo, Mask)) -> bool,
    ) -> bool {
        if cell.more == 0 {
            return true;
        }
        if cell.more & READERS == 0 {
            return self.list[index(cell.more) - 1].against(new).all(is);
        }
        let readers = &self.readers[index(cell.more)];
        let mut all = readers.others.iter().chain(readers.newest);
        !new.writes() || all.all(|((warp, clock, info), lanes)| is((warp, clock, info, lanes)))
    }

    pub fn release(&mut self, cell: &mut ShadowCell) {
        let more = std::mem::take(&mut cell.more);
        if more & READERS != 0 {
            self.readers[index(more)].clear();
            self.free_readers.push(index(more) as u32);
        } else if more != 0 {
            self.list[index(more) - 1].clear();
            self.free.push(index(more) as u32);
        }
    }
}
