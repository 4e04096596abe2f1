//! Words that many threads read and none writes.
//!
//! Property: where no block is ordered before another, a write races with every plain read of its bytes by another
//! block. Of two such reads in different blocks, at least one is by another block than the write.

use crate::fast::entries::{Entries, EntryKey, key};
use crate::sites::touched::{AccessInfo, RecordedAccess};
use machine::code::KernelCode;
use machine::exec::Op;
use machine::registers::Mask;
use machine::run::launch::Launch;

/// Marks a launch whose blocks are unordered: the kernel has no fence, no operation that acquires or releases, and no
/// barrier of the grid. Two readers in different blocks then represent all others that read in the same manner, since a
/// writer races with at least one of the two.
#[derive(Clone, Copy, Debug)]
pub struct UnorderedBlocks {
    warps_per_block: u32,
}

impl UnorderedBlocks {
    pub fn of(launch: &Launch) -> Option<UnorderedBlocks> {
        // Asynchronous copies are judged as threads of warps that belong to no block.
        let may_order = launch.cooperative || launch.code.launches || launch.code.copies || orders(launch.code);
        (!may_order).then_some(UnorderedBlocks { warps_per_block: launch.warp_stride() })
    }

    fn block(self, warp: u32) -> u32 {
        warp / self.warps_per_block
    }

    /// True if the warps belong to at least two blocks.
    pub fn are_two(self, mut warps: impl Iterator<Item = u32>) -> bool {
        let first = warps.next();
        first.is_some_and(|first| warps.any(|warp| self.block(warp) != self.block(first)))
    }

    /// True if two of these rows are of different blocks and made like `info`.
    pub fn have_read(self, info: AccessInfo, rows: impl Iterator<Item = RecordedAccess>) -> bool {
        self.are_two(rows.filter(|row| row.info == info).map(RecordedAccess::warp))
    }
}

/// True if some instruction may order accesses of one thread before those of another, the block's barriers aside.
fn orders(code: &KernelCode) -> bool {
    code.instrs.iter().any(|instr| {
        let semantics = match &instr.op {
            Op::Fence(_) | Op::Mbarrier(_) | Op::ClusterArrive(_) => return true,
            Op::Load(it) => it.semantics,
            Op::Store(it) => it.semantics,
            Op::Atomic(it) => it.semantics,
            _ => return false,
        };
        semantics.acquires() || semantics.releases()
    })
}

/// The number of manners of reading that [`Readers`] remembers to be redundant.
const WAYS: usize = 4;

/// The accesses of a word that has only been read, and only plainly. Most words that need the side table are such, for
/// example a vector that is multiplied by a matrix. It holds the same reads as
/// [`WordAccesses`](crate::fast::word_accesses::WordAccesses) would.
#[derive(Clone, Debug, Default)]
pub struct Readers {
    /// Manners in which two of the kept blocks have read: see [`UnorderedBlocks`].
    redundant: [AccessInfo; WAYS],
    pub newest: Option<(EntryKey, Mask)>,
    pub others: Entries,
}

impl Readers {
    pub fn add(&mut self, read: RecordedAccess, lanes: Mask, blocks: Option<UnorderedBlocks>) {
        if self.is_redundant(read.info, blocks) {
            return;
        }
        match &mut self.newest {
            Some((newest, of)) if *newest == key(read) => *of |= lanes,
            newest => {
                if let Some((key, lanes)) = newest.replace((key(read), lanes)) {
                    self.others.add(key, lanes);
                }
            }
        }
    }

    /// True if two readers of different blocks that have read in this manner are kept.
    #[inline(always)]
    pub fn is_redundant(&mut self, info: AccessInfo, blocks: Option<UnorderedBlocks>) -> bool {
        blocks.is_some_and(|blocks| self.redundant.contains(&info) || self.has_two(info, blocks))
    }

    fn has_two(&mut self, info: AccessInfo, blocks: UnorderedBlocks) -> bool {
        let kept = self.others.iter().chain(self.newest).filter(|((.., of), _)| *of == info);
        let has_two = blocks.are_two(kept.map(|((warp, ..), _)| warp));
        if has_two {
            self.redundant.rotate_right(1);
            self.redundant[0] = info;
        }
        has_two
    }

    /// Removes all reads, and keeps the list's allocation.
    pub fn clear(&mut self) {
        self.redundant = Default::default();
        self.newest = None;
        self.others.clear();
    }
}
