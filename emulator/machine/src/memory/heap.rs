//! The heap of device code: `malloc`, `free`, `new` and `delete` in kernels (CUDA C++ Programming Guide, "Dynamic
//! Global Memory Allocation and Operations").
//!
//! Each block is a region of its own, with an address of its own that is never handed out again. So bounds, use after
//! free, races and undefined values need no rule of their own here. A block lives until a thread of any later launch
//! frees it. While a launch runs, other host threads may look into a block that is freed under them: its memory stays,
//! and a later block may get it by another address. It goes back to the host when the launch is over.

use super::region::Region;
use super::space::{self, GRANULE};
use crate::types::Allocation;
use finding::HostMemory;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The heap's size where the program sets none (`CU_LIMIT_MALLOC_HEAP_SIZE`).
pub const DEFAULT_BYTES: u64 = 8 << 20;

#[derive(Debug)]
struct HeapBlock {
    region: Region,
    freed: AtomicBool,
}

impl HeapBlock {
    fn is_live(&self) -> bool {
        !self.freed.load(Ordering::Acquire)
    }

    fn allocation(&self) -> Allocation {
        Allocation { base: self.region.base(), bytes: self.region.bytes(), place: HostMemory::Heap }
    }
}

#[derive(Debug)]
struct Account {
    next: u64,
    used: u64,
    limit: u64,
    /// Freed blocks whose memory another block may have: places in the list, by the power of two that is their room.
    spare: [Vec<usize>; 64],
}

/// The room that a block takes of the host, a power of two: there are few, so that freed blocks serve most others.
fn room(bytes: u64) -> usize {
    bytes.max(GRANULE).next_power_of_two().trailing_zeros() as usize
}

/// The kind of address that `free` was given, if it is no live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadFree {
    /// This block, which has been freed before.
    Twice(Allocation),
    /// Nothing that `malloc` has returned.
    Foreign,
}

/// All blocks that kernels of one device have allocated.
#[derive(Debug)]
pub struct Heap {
    /// By address: it only ever grows.
    blocks: boxcar::Vec<HeapBlock>,
    account: Mutex<Account>,
}

impl Default for Heap {
    fn default() -> Heap {
        let account =
            Account { next: space::HEAP, used: 0, limit: DEFAULT_BYTES, spare: std::array::from_fn(|_| Vec::new()) };
        Heap { blocks: boxcar::Vec::new(), account: Mutex::new(account) }
    }
}

impl Heap {
    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that all blocks together may have.
    pub fn set_limit(&mut self, bytes: u64) {
        self.account().limit = bytes;
    }

    /// An empty heap with the same limit that hands out the addresses after this one's. `None` while a block is live:
    /// its contents are not copied.
    pub fn fork(&self) -> Option<Heap> {
        if self.blocks.iter().any(|(_, block)| block.is_live()) {
            return None;
        }
        let fork = Heap::default();
        {
            let (mut account, own) = (fork.account(), self.account());
            (account.next, account.limit) = (own.next, own.limit);
        }
        Some(fork)
    }

    /// A new block's address, aligned to 512 bytes (a GPU promises 16); `None` if the heap is full.
    pub fn allocate(&self, bytes: u64) -> Option<u64> {
        let rounded = bytes.max(1).checked_next_multiple_of(GRANULE)?;
        let mut account = self.account();
        // A block costs its own bytes, in steps of 16. No account has the gap after it.
        let cost = bytes.max(1).next_multiple_of(16);
        if cost > account.limit.saturating_sub(account.used) || account.next + rounded + GRANULE > space::HEAP_END {
            return None;
        }
        let base = account.next;
        let room = room(bytes);
        let spare = account.spare[room].pop().and_then(|at| self.blocks.get(at));
        let region = match spare {
            Some(spare) => spare.region.renamed(base, bytes),
            None => Region::with_room(base, bytes, 1 << room)?,
        };
        account.next += rounded + GRANULE;
        account.used += cost;
        // With the lock held: the list stays in the order of addresses.
        self.blocks.push(HeapBlock { region, freed: AtomicBool::new(false) });
        Some(base)
    }

    /// `address` is what [`Heap::allocate`] returned.
    pub fn free(&self, address: u64) -> Result<(), BadFree> {
        let (at, block) = self.block(address).filter(|(_, it)| it.region.base() == address).ok_or(BadFree::Foreign)?;
        if block.freed.swap(true, Ordering::AcqRel) {
            return Err(BadFree::Twice(block.allocation()));
        }
        let mut account = self.account();
        account.used -= block.region.bytes().max(1).next_multiple_of(16);
        account.spare[room(block.region.bytes())].push(at);
        Ok(())
    }

    /// The last block that begins at or before `address`, live or not, and its place in the list.
    fn block(&self, address: u64) -> Option<(usize, &HeapBlock)> {
        let (mut low, mut high) = (0, self.blocks.count());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.blocks.get(middle) {
                Some(block) if block.region.base() <= address => low = middle + 1,
                _ => high = middle,
            }
        }
        let at = low.checked_sub(1)?;
        Some((at, self.blocks.get(at)?))
    }

    pub fn region(&self, address: u64) -> Option<&Region> {
        let (_, block) = self.block(address)?;
        (block.region.contains(address, 1) && block.is_live()).then_some(&block.region)
    }

    pub fn allocation(&self, address: u64) -> Option<Allocation> {
        let (_, block) = self.block(address)?;
        (block.region.contains(address, 1) && block.is_live()).then(|| block.allocation())
    }

    /// The block that is nearest below `address`, and whether it is live.
    pub fn below(&self, address: u64) -> Option<(Allocation, bool)> {
        self.block(address).map(|(_, block)| (block.allocation(), block.is_live()))
    }

    /// Gives freed blocks back to the host, and says which they were; no launch may be running.
    pub fn sweep(&mut self) -> Vec<Allocation> {
        if self.blocks.iter().all(|(_, block)| block.is_live()) {
            return Vec::new();
        }
        self.account().spare.iter_mut().for_each(Vec::clear);
        let (live, freed): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.blocks).into_iter().partition(HeapBlock::is_live);
        self.blocks.extend(live);
        freed.iter().map(HeapBlock::allocation).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_lives_until_it_is_freed() {
        let mut heap = Heap::default();
        let (a, b) = (heap.allocate(100).unwrap(), heap.allocate(1).unwrap());
        assert!(a < b && a % 16 == 0 && heap.region(a + 99).is_some() && heap.region(a + 100).is_none());
        assert_eq!(heap.free(a + 4), Err(BadFree::Foreign));
        assert_eq!(heap.free(a), Ok(()));
        assert!(heap.region(a).is_none());
        assert!(matches!(heap.free(a), Err(BadFree::Twice(old)) if old.base == a && old.bytes == 100));
        assert_eq!(heap.sweep().len(), 1);
        assert!(heap.region(b).is_some() && heap.allocate(4).unwrap() > b);
    }

    #[test]
    fn a_full_heap_has_no_block_to_give_until_one_is_freed() {
        let mut heap = Heap::default();
        heap.set_limit(64);
        let first = heap.allocate(48).unwrap();
        assert_eq!(heap.allocate(17), None);
        assert_eq!(heap.allocate(u64::MAX), None);
        heap.free(first).unwrap();
        assert!(heap.allocate(64).is_some());
    }

    #[test]
    fn a_freed_blocks_memory_serves_another() {
        let heap = Heap::default();
        let first = heap.allocate(40).unwrap();
        let old = heap.region(first).unwrap();
        old.store::<u32>(first + 36, 7);
        heap.free(first).unwrap();
        let second = heap.allocate(300).unwrap();
        let new = heap.region(second).unwrap();
        assert_eq!(new.load::<u32>(second + 36), 0);
        new.store::<u32>(second + 36, 9);
        assert!(second > first && old.load::<u32>(first + 36) == 9 && heap.region(first).is_none());
        // In use: the next one has its own.
        let third = heap.allocate(300).unwrap();
        assert_eq!(heap.region(third).unwrap().load::<u32>(third + 36), 0);
    }

    #[test]
    fn threads_allocate_side_by_side() {
        let heap = Heap::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let at = heap.allocate(8).unwrap();
                        assert_eq!(heap.region(at).map(Region::base), Some(at));
                        heap.free(at).unwrap();
                    }
                });
            }
        });
        assert_eq!(heap.account().used, 0);
    }
}
