//! The device's memory: which addresses exist, and what they hold.
//!
//! Device addresses are handed out once and never again, so a pointer into freed memory
//! is known as such for as long as the device lives. Addresses of a reservation that has ended are reused,
//! but only when half of all addresses are gone. A search of all executions asks for all of them again
//! ([`Memory::reuse_addresses`]).

pub mod heap;
pub mod history;
pub mod region;
pub mod space;

pub use region::{PAGE, Region};

use crate::image::Images;
use crate::types::{Allocation, MemoryError};
use finding::HostMemory;
use heap::Heap;
use space::{GRANULE, LARGE, LARGE_ALIGNMENT};
use std::collections::BTreeMap;

/// The kind of an address that no live allocation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAllocation {
    /// Freed: the allocation that was there.
    Freed(Allocation),
    /// Beyond the end (or before the start) of this nearest live allocation.
    Near(Allocation),
    Nothing,
}

#[derive(Debug)]
struct Live {
    region: Region,
    place: HostMemory,
}

/// All allocations of one device.
#[derive(Debug)]
pub struct Memory {
    /// By base address.
    live: Vec<Live>,
    freed: Vec<Allocation>,
    /// The heap of device code.
    pub heap: Heap,
    /// Texture and surface objects.
    pub images: Images,
    next: u64,
    /// Reservations that have ended: one past the end by the first address. No two adjoin.
    spare: BTreeMap<u64, u64>,
    capacity: u64,
    used: u64,
}

/// Reservations end below this address where an earlier one has room for them.
const REUSE: u64 = space::DEVICE + (space::DEVICE_END - space::DEVICE) / 2;

impl Memory {
    pub fn new(capacity: u64) -> Memory {
        Memory {
            live: Vec::new(),
            freed: Vec::new(),
            heap: Heap::default(),
            images: Images::default(),
            next: space::DEVICE,
            spare: BTreeMap::new(),
            capacity,
            used: 0,
        }
    }

    pub fn free_bytes(&self) -> u64 {
        self.capacity - self.used
    }

    pub fn allocate(&mut self, bytes: u64, place: HostMemory) -> Result<u64, MemoryError> {
        let rounded = bytes.max(1).checked_next_multiple_of(GRANULE).ok_or(MemoryError::OutOfMemory)?;
        let region = if place == HostMemory::Device {
            let align = if bytes >= LARGE { LARGE_ALIGNMENT } else { GRANULE };
            let base = self.next.next_multiple_of(align);
            if rounded > self.free_bytes() || base + rounded + GRANULE > space::DEVICE_END {
                return Err(MemoryError::OutOfMemory);
            }
            let region = Region::owned(Some(base), bytes).ok_or(MemoryError::OutOfMemory)?;
            // A gap, so that one element too far is in no allocation.
            self.take_fresh(base, base + rounded + GRANULE);
            self.used += rounded;
            region
        } else {
            // It may be watched, page by page.
            Region::pages(bytes).ok_or(MemoryError::OutOfMemory)?
        };
        Ok(self.insert(region, place))
    }

    /// Addresses for later allocations ([`Memory::place`]), from a multiple of `align` on. Nothing else lies there.
    pub fn reserve(&mut self, bytes: u64, align: u64) -> Result<u64, MemoryError> {
        let rounded = bytes.max(1).checked_next_multiple_of(GRANULE).ok_or(MemoryError::OutOfMemory)?;
        let (room, align) = (rounded.checked_add(GRANULE).ok_or(MemoryError::OutOfMemory)?, align.max(GRANULE));
        let fits = |start: u64, limit: u64| {
            let base = start.checked_next_multiple_of(align)?;
            base.checked_add(room).filter(|end| *end <= limit).map(|end| (base, end))
        };
        if let Some((base, end)) = fits(self.next, REUSE) {
            self.take_fresh(base, end);
            return Ok(base);
        }
        let spare = self.spare.iter().find_map(|(&start, &limit)| Some((start, limit, fits(start, limit)?)));
        if let Some((start, limit, (base, end))) = spare {
            self.spare.remove(&start);
            self.add_spare(start, base);
            self.add_spare(end, limit);
            return Ok(base);
        }
        let (base, end) = fits(self.next, space::DEVICE_END).ok_or(MemoryError::OutOfMemory)?;
        self.take_fresh(base, end);
        Ok(base)
    }

    /// Takes addresses that were never used. Those that the alignment skips are spare.
    fn take_fresh(&mut self, base: u64, end: u64) {
        let skipped = std::mem::replace(&mut self.next, end);
        self.add_spare(skipped, base);
    }

    /// Ends a reservation of so many bytes, in which nothing is allocated.
    pub fn end_reservation(&mut self, address: u64, bytes: u64) {
        self.add_spare(address, address + bytes.max(1).next_multiple_of(GRANULE) + GRANULE);
    }

    /// Adds addresses that may be reserved again, together with those that adjoin them.
    fn add_spare(&mut self, mut start: u64, mut end: u64) {
        if start == end {
            return;
        }
        if let Some((&before, _)) = self.spare.range(..start).next_back().filter(|(_, limit)| **limit == start) {
            self.spare.remove(&before);
            start = before;
        }
        if let Some(limit) = self.spare.remove(&end) {
            end = limit;
        }
        self.spare.insert(start, end);
    }

    /// An allocation at an address that a device like this one has given before. Those to come lie above it.
    pub fn place(&mut self, address: u64, bytes: u64, place: HostMemory) -> Result<(), MemoryError> {
        let rounded = bytes.max(1).checked_next_multiple_of(GRANULE).ok_or(MemoryError::OutOfMemory)?;
        let end = address.checked_add(rounded + GRANULE).ok_or(MemoryError::InvalidAddress)?;
        let is_taken = |live: &Live| {
            live.region.base() < address + bytes.max(1) && address < live.region.base() + live.region.bytes().max(1)
        };
        if self.live.iter().any(is_taken) {
            return Err(MemoryError::InvalidAddress);
        }
        if place == HostMemory::Device {
            if rounded > self.free_bytes() || end > space::DEVICE_END {
                return Err(MemoryError::OutOfMemory);
            }
            self.next = self.next.max(end);
            self.used += rounded;
        }
        self.insert(Region::owned(Some(address), bytes).ok_or(MemoryError::OutOfMemory)?, place);
        Ok(())
    }

    /// Makes the allocation at `address` longer, up to where nothing is allocated.
    pub fn grow(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        let at = self.live.partition_point(|live| live.region.base() < address);
        let end = address.checked_add(bytes).ok_or(MemoryError::InvalidAddress)?;
        let live = self.live.get(at).filter(|live| live.region.base() == address && live.place == HostMemory::Device);
        let old = live.ok_or(MemoryError::InvalidAddress)?.region.bytes();
        let is_blocked = self.live.get(at + 1).is_some_and(|next| next.region.base() < end);
        if bytes < old || is_blocked {
            return Err(MemoryError::InvalidAddress);
        }
        let rounded = |bytes: u64| bytes.max(1).checked_next_multiple_of(GRANULE).ok_or(MemoryError::OutOfMemory);
        let more = rounded(bytes)? - rounded(old)?;
        if more > self.free_bytes() || end > space::DEVICE_END - GRANULE {
            return Err(MemoryError::OutOfMemory);
        }
        self.live[at].region.grow(bytes).ok_or(MemoryError::OutOfMemory)?;
        self.used += more;
        self.next = self.next.max(address + rounded(bytes)? + GRANULE);
        self.freed.retain(|freed| freed.base + freed.bytes <= address || end <= freed.base);
        Ok(())
    }

    /// Makes the allocation at `address` read-only for kernels.
    pub fn make_constant(&mut self, address: u64) {
        if let Some(live) = self.live.iter_mut().find(|live| live.region.base() == address) {
            live.region.make_constant();
        }
    }

    /// Returns the address of the next allocation on the device.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The next allocation on the device lies here, or above.
    pub fn skip_to(&mut self, next: u64) {
        self.next = self.next.max(next.next_multiple_of(GRANULE));
    }

    /// Gives addresses above all live allocations again, so that a program that does the same gets the same ones.
    /// Nothing may be reserved there.
    pub fn reuse_addresses(&mut self) {
        let on_device = self.live.iter().filter(|live| live.place == HostMemory::Device);
        let end = |live: &Live| (live.region.base() + live.region.bytes().max(1)).next_multiple_of(GRANULE) + GRANULE;
        self.next = on_device.map(end).max().unwrap_or(space::DEVICE);
        self.spare.split_off(&self.next);
        self.freed.retain(|freed| freed.base < self.next);
    }

    /// All live allocations but the heap's, from the lowest address.
    pub fn allocations(&self) -> impl Iterator<Item = (&Region, HostMemory)> {
        self.live.iter().map(|live| (&live.region, live.place))
    }

    /// # Safety
    /// See [`Region::borrowed`].
    pub unsafe fn register(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        let end = address.checked_add(bytes).ok_or(MemoryError::InvalidAddress)?;
        if bytes == 0
            || self
                .live
                .iter()
                .any(|live| live.region.base() < end && address < live.region.base() + live.region.bytes())
        {
            return Err(MemoryError::InvalidAddress);
        }
        // SAFETY: passed on to the caller.
        self.insert(unsafe { Region::borrowed(address, bytes) }, HostMemory::Registered);
        Ok(())
    }

    /// Moves the contents of the device allocation at `address` to memory of the caller's, where they stay.
    ///
    /// # Safety
    /// `host` has as many bytes as the allocation, aligned to 16, which nothing else uses without atomics and which
    /// stay until the allocation is freed.
    pub unsafe fn move_to(&mut self, address: u64, host: *mut u8) -> Result<(), MemoryError> {
        let live = self.live.iter_mut().find(|live| live.region.base() == address && live.place == HostMemory::Device);
        // SAFETY: passed on to the caller.
        unsafe { live.ok_or(MemoryError::InvalidAddress)?.region.move_to(host) };
        Ok(())
    }

    fn insert(&mut self, region: Region, place: HostMemory) -> u64 {
        let base = region.base();
        // The host's allocator may reuse addresses; the device's own are new each time.
        self.freed.retain(|old| old.base + old.bytes <= base || base + region.bytes() <= old.base);
        let at = self.live.partition_point(|live| live.region.base() < base);
        self.live.insert(at, Live { region, place });
        base
    }

    pub fn free(&mut self, address: u64) -> Result<Allocation, MemoryError> {
        let at = self.live.iter().position(|live| live.region.base() == address).ok_or(MemoryError::InvalidAddress)?;
        let live = self.live.remove(at);
        let allocation = Allocation { base: address, bytes: live.region.bytes(), place: live.place };
        if live.place == HostMemory::Device {
            self.used -= allocation.bytes.max(1).next_multiple_of(GRANULE);
        }
        self.freed.push(allocation);
        Ok(allocation)
    }

    /// The same addresses with the same bytes, in memory of its own. `None` if the host has no more, if it is more than
    /// `most` bytes, or while kernels' own allocations are live.
    pub fn fork(&self, most: u64) -> Option<Memory> {
        let bytes: u64 = self.live.iter().map(|live| live.region.bytes()).sum();
        let copy = |live: &Live| {
            let (base, bytes) = (live.region.base(), live.region.bytes());
            let mut region = Region::owned(Some(base), bytes)?;
            if live.region.is_constant() {
                region.make_constant();
            }
            if bytes > 0 {
                region.copy_bytes(base, &live.region, base, bytes);
            }
            Some(Live { region, place: live.place })
        };
        let live = (bytes <= most).then(|| self.live.iter().map(copy).collect::<Option<Vec<Live>>>())??;
        let Memory { freed, next, spare, capacity, used, .. } = self;
        Some(Memory {
            live,
            freed: freed.clone(),
            heap: self.heap.fork()?,
            images: self.images.clone(),
            next: *next,
            spare: spare.clone(),
            capacity: *capacity,
            used: *used,
        })
    }

    /// The live allocations.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        self.live.iter().map(|live| &live.region)
    }

    /// The bytes of all live allocations.
    pub fn contents(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for region in self.regions().filter(|region| region.bytes() > 0) {
            let from = all.len();
            all.resize(from + region.bytes() as usize, 0);
            region.read_bytes(region.base(), &mut all[from..]);
        }
        all
    }

    /// A launch is over: what it freed on the heap goes back to the host, and is remembered as freed.
    pub fn sweep(&mut self) -> Vec<Allocation> {
        let freed = self.heap.sweep();
        self.freed.extend(&freed);
        freed
    }

    #[inline(always)]
    fn live_at(&self, address: u64) -> Option<&Live> {
        let at = self.live.partition_point(|live| live.region.base() <= address);
        let live = &self.live[at.checked_sub(1)?];
        live.region.contains(address, 1).then_some(live)
    }

    /// The region that holds `address`.
    #[inline(always)]
    pub fn region(&self, address: u64) -> Option<&Region> {
        match self.live_at(address) {
            Some(live) => Some(&live.region),
            None => self.heap.region(address),
        }
    }

    /// The region that holds all of `address .. address + bytes`, for the host: what kernels allocate is not for it
    /// (CUDA C++ Programming Guide, "Heap Memory Allocation").
    #[inline]
    pub fn range(&self, address: u64, bytes: u64) -> Result<&Region, MemoryError> {
        let live = self.live_at(address).filter(|live| live.region.contains(address, bytes));
        live.map(|live| &live.region).ok_or(MemoryError::InvalidAddress)
    }

    /// True if the host can reach some of it while a kernel runs.
    #[inline]
    pub fn is_shared_with_host(&self) -> bool {
        self.live.iter().any(|live| live.place != HostMemory::Device)
    }

    /// The live allocation that holds `address`, a kernel's own among them.
    pub fn allocation(&self, address: u64) -> Option<Allocation> {
        let Some(live) = self.live_at(address) else { return self.heap.allocation(address) };
        Some(Allocation { base: live.region.base(), bytes: live.region.bytes(), place: live.place })
    }

    /// Why an access of so many `bytes` is not to be had; [`NoAllocation::Nothing`] too if memory has them all, and may
    /// not be used so.
    pub fn missing(&self, address: u64, bytes: u64) -> NoAllocation {
        if self.region(address).is_some_and(|region| region.contains(address, bytes)) {
            return NoAllocation::Nothing;
        }
        if let Some((block, is_live)) = self.heap.below(address).filter(|(block, _)| address - block.base < 1 << 20) {
            return match is_live {
                false if address - block.base < block.bytes.max(1) => NoAllocation::Freed(block),
                _ => NoAllocation::Near(block),
            };
        }
        let holds = |old: &&Allocation| old.base <= address && address - old.base < old.bytes.max(1);
        if let Some(&old) = self.freed.iter().rev().find(holds) {
            return NoAllocation::Freed(old);
        }
        // One that holds the address is too short for the whole access.
        let distance = |live: &&Live| {
            let base = live.region.base();
            if address < base { base - address } else { (address - base).saturating_sub(live.region.bytes()) }
        };
        match self.live.iter().min_by_key(|live| (!live.region.contains(address, 1), distance(live))) {
            Some(live) if distance(&live) < 1 << 20 => NoAllocation::Near(Allocation {
                base: live.region.base(),
                bytes: live.region.bytes(),
                place: live.place,
            }),
            _ => NoAllocation::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_memory_is_remembered_and_never_handed_out_again() {
        let mut memory = Memory::new(1 << 20);
        let first = memory.allocate(100, HostMemory::Device).unwrap();
        memory.free(first).unwrap();
        let second = memory.allocate(100, HostMemory::Device).unwrap();
        assert_ne!(first, second);
        assert!(matches!(memory.missing(first + 99, 1), NoAllocation::Freed(old) if old.base == first));
        assert!(matches!(memory.missing(second + 100, 1), NoAllocation::Near(near) if near.base == second));
        assert_eq!(memory.free(first), Err(MemoryError::InvalidAddress));
    }

    #[test]
    fn reserved_addresses_can_be_allocated_more_than_once() {
        let mut memory = Memory::new(1 << 20);
        let base = memory.reserve(100, 1 << 12).unwrap();
        assert_eq!(base % (1 << 12), 0);
        assert!(memory.region(base).is_none() && memory.allocate(100, HostMemory::Device).unwrap() >= base + 512);
        for _ in 0..2 {
            memory.place(base, 100, HostMemory::Device).unwrap();
            assert_eq!(memory.place(base, 100, HostMemory::Device), Err(MemoryError::InvalidAddress));
            memory.free(base).unwrap();
        }
        assert_eq!(memory.reserve(u64::MAX, 512), Err(MemoryError::OutOfMemory));
        assert_eq!(memory.reserve(1 << 60, 512), Err(MemoryError::OutOfMemory));
    }

    #[test]
    fn addresses_of_reservations_that_ended_are_reused_when_few_are_left() {
        let mut memory = Memory::new(1 << 20);
        let part = 1 << 40;
        let first = memory.reserve(part, part).unwrap();
        memory.end_reservation(first, part);
        assert_ne!(memory.reserve(part, part), Ok(first), "a stale pointer stays known for long");
        for _ in 0..1000 {
            let (one, two) = (memory.reserve(part, part).unwrap(), memory.reserve(part, GRANULE).unwrap());
            assert!(one + part <= two || two + part <= one);
            memory.end_reservation(one, part);
            memory.end_reservation(two, part);
        }
        let all: Vec<u64> = std::iter::from_fn(|| memory.reserve(part, GRANULE).ok()).collect();
        assert!(all.len() > 200, "{} of 224", all.len());
    }

    #[test]
    fn an_allocation_grows_into_free_addresses_only() {
        let mut memory = Memory::new(1 << 14);
        let base = memory.reserve(1 << 13, GRANULE).unwrap();
        memory.place(base, 512, HostMemory::Device).unwrap();
        memory.region(base).unwrap().store::<u64>(base + 504, 7);
        memory.place(base + 4096, 512, HostMemory::Device).unwrap();
        for bytes in [1024, 1536, 4096] {
            memory.grow(base, bytes).unwrap();
            let region = memory.range(base, bytes).unwrap();
            assert_eq!((region.load::<u64>(base + 504), region.load::<u64>(base + bytes - 8)), (7, 0));
        }
        assert_eq!(memory.free_bytes(), (1 << 14) - 4096 - 512);
        assert_eq!(memory.grow(base, 4097), Err(MemoryError::InvalidAddress));
        assert_eq!(memory.grow(base, 512), Err(MemoryError::InvalidAddress));
        assert_eq!(memory.grow(base + 4096, 1 << 14), Err(MemoryError::OutOfMemory));
    }

    #[test]
    fn the_device_has_an_end() {
        let mut memory = Memory::new(4096);
        assert_eq!(memory.allocate(8192, HostMemory::Device), Err(MemoryError::OutOfMemory));
        assert_eq!(memory.allocate(u64::MAX, HostMemory::Device), Err(MemoryError::OutOfMemory));
        let all = memory.allocate(4096, HostMemory::Device).unwrap();
        assert_eq!(memory.free_bytes(), 0);
        memory.free(all).unwrap();
        assert_eq!(memory.free_bytes(), 4096);
    }
}
