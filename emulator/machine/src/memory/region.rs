//! One stretch of memory that device threads may share, on any number of host threads.
//!
//! Every access is a relaxed atomic of its own width: a plain move on x86-64 and aarch64,
//! and defined in Rust however kernels race. Accesses of different widths to one place
//! can tear, as they may on a GPU. What no such atomic holds and must not tear is done under
//! one lock ([`Region::whole`]).
//!
//! This is one of the emulator's two modules with `unsafe` (the other holds the lane
//! functions). Invariant: `host .. host + bytes` is valid for reads and writes as long as
//! the region lives, and `host` is aligned to 16 bytes, as far as `base` is.

use crate::lanes::outside;
use crate::registers::{FULL, Mask, WARP, lanes};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The largest page of the systems that the emulator runs on.
pub const PAGE: usize = 1 << 16;

/// Host memory that goes with its last region.
#[derive(Debug)]
struct OwnedHostMemory {
    start: *mut u8,
    layout: Layout,
    /// Bytes that a region may have of it.
    room: u64,
}

// SAFETY: it does nothing but free the memory, once.
unsafe impl Send for OwnedHostMemory {}
// SAFETY: as above.
unsafe impl Sync for OwnedHostMemory {}

impl Drop for OwnedHostMemory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `Region::aligned`, and freed once.
        unsafe { dealloc(self.start, self.layout) }
    }
}

/// Memory with device addresses `base .. base + bytes`.
#[derive(Debug)]
pub struct Region {
    base: u64,
    bytes: u64,
    host: *mut u8,
    /// `None`: the caller's.
    owned: Option<Arc<OwnedHostMemory>>,
    /// Kernels may only load from it: `__constant__` memory.
    is_constant: bool,
}

// SAFETY: the memory is reached through atomics only, or through `&mut self`.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

/// An unsigned integer that memory holds.
pub trait MemoryInteger: Copy {
    const BYTES: u64;
    /// # Safety
    /// `at` is valid and aligned.
    unsafe fn read(at: *mut u8) -> Self;
    /// # Safety
    /// As for `read`.
    unsafe fn write(at: *mut u8, value: Self);
}

macro_rules! cells {
    ($($ty:ty, $atomic:ty;)*) => {$(
        impl MemoryInteger for $ty {
            const BYTES: u64 = size_of::<$ty>() as u64;
            #[inline(always)]
            unsafe fn read(at: *mut u8) -> $ty {
                // SAFETY: passed on to the caller.
                unsafe { <$atomic>::from_ptr(at.cast()) }.load(Relaxed)
            }
            #[inline(always)]
            unsafe fn write(at: *mut u8, value: $ty) {
                // SAFETY: passed on to the caller.
                unsafe { <$atomic>::from_ptr(at.cast()) }.store(value, Relaxed)
            }
        }
    )*};
}

cells! {
    u8, AtomicU8;
    u16, AtomicU16;
    u32, AtomicU32;
    u64, AtomicU64;
}

impl Region {
    /// Zeroed memory of its own, taken from the host page by page as it is touched.
    /// `base` `None`: the device address is the host address. `None` if the host has no more.
    pub fn owned(base: Option<u64>, bytes: u64) -> Option<Region> {
        Region::aligned(base, bytes, bytes, 512)
    }

    /// Pages that hold nothing else, at the host's own address.
    pub fn pages(bytes: u64) -> Option<Region> {
        Region::aligned(None, bytes, bytes.checked_next_multiple_of(PAGE as u64)?, PAGE)
    }

    /// With `room` for it, from a multiple of `align` on.
    fn aligned(base: Option<u64>, bytes: u64, room: u64, align: usize) -> Option<Region> {
        // A large alignment would make the allocator touch every page, so align by hand.
        let size = usize::try_from(room).ok()?.checked_add(align)?;
        let layout = Layout::from_size_align(size, 16).ok()?;
        // SAFETY: the size is not zero.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            return None;
        }
        let skip = start.align_offset(align);
        // SAFETY: `skip` < `align`, which the allocation has to spare.
        let host = unsafe { start.add(skip) };
        let base = base.unwrap_or(host as u64);
        Some(Region {
            base,
            bytes,
            host,
            owned: Some(Arc::new(OwnedHostMemory { start, layout, room })),
            is_constant: false,
        })
    }

    /// As [`Region::owned`], with room for other regions after it ([`Region::renamed`]).
    pub fn with_room(base: u64, bytes: u64, room: u64) -> Option<Region> {
        Region::aligned(Some(base), bytes, room.max(bytes), 512)
    }

    /// Makes the region longer, with zeros behind what it holds. It moves to twice as much room if there is none left,
    /// so that growing step by step copies each byte a few times only. `None` if the host has no more.
    pub fn grow(&mut self, bytes: u64) -> Option<()> {
        if self.owned.as_ref().is_none_or(|owned| bytes > owned.room) {
            let mut moved = Region::with_room(self.base, bytes, bytes.checked_mul(2)?)?;
            moved.is_constant = self.is_constant;
            if self.bytes > 0 {
                moved.copy_bytes(self.base, self, self.base, self.bytes);
            }
            *self = moved;
        }
        self.bytes = self.bytes.max(bytes);
        Some(())
    }

    /// The same memory by other addresses, each byte zero. Threads may be there by its old ones.
    pub fn renamed(&self, base: u64, bytes: u64) -> Region {
        let owned = self.owned.as_ref().filter(|owned| bytes <= owned.room && base.is_multiple_of(16));
        let renamed = Region {
            base,
            bytes,
            host: self.host,
            owned: Some(owned.expect("room for it").clone()),
            is_constant: false,
        };
        let words = base + bytes / 8 * 8;
        (base..words).step_by(8).for_each(|at| renamed.store::<u64>(at, 0));
        (words..base + bytes).for_each(|at| renamed.store::<u8>(at, 0));
        renamed
    }

    /// Host memory of the caller's.
    ///
    /// # Safety
    /// `address .. address + bytes` stays valid for reads and writes while the region lives.
    pub unsafe fn borrowed(address: u64, bytes: u64) -> Region {
        Region { base: address, bytes, host: address as *mut u8, owned: None, is_constant: false }
    }

    /// Moves what the region holds to memory of the caller's, and lies there from now on.
    ///
    /// # Safety
    /// `host` is aligned to 16 bytes, and the region's number of bytes there stay valid for reads and writes while the
    /// region lives.
    pub unsafe fn move_to(&mut self, host: *mut u8) {
        // SAFETY: both have so many bytes, and no thread uses the region while it is borrowed here.
        unsafe { std::ptr::copy_nonoverlapping(self.host, host, self.bytes as usize) };
        (self.host, self.owned) = (host, None);
    }

    /// Makes the region read-only for kernels.
    pub fn make_constant(&mut self) {
        self.is_constant = true;
    }

    #[inline(always)]
    pub fn is_constant(&self) -> bool {
        self.is_constant
    }

    #[inline]
    pub fn base(&self) -> u64 {
        self.base
    }

    #[inline]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    #[inline]
    pub fn contains(&self, address: u64, bytes: u64) -> bool {
        address >= self.base && address.checked_add(bytes).is_some_and(|end| end <= self.base + self.bytes)
    }

    /// True if every lane in `mask` may access `bytes` at its address, aligned to `align`.
    #[inline(always)]
    pub fn admits(&self, addresses: &[u64; WARP], mask: Mask, bytes: u64, align: u64) -> bool {
        if bytes > self.bytes {
            return false;
        }
        outside(addresses, self.base, self.bytes - bytes, align - 1) & mask == 0
    }

    #[inline(always)]
    fn at(&self, address: u64, bytes: u64) -> *mut u8 {
        let offset = address.wrapping_sub(self.base);
        assert!(bytes <= self.bytes && offset <= self.bytes - bytes && address.is_multiple_of(bytes), "checked access");
        // SAFETY: inside the region, by the assertion.
        unsafe { self.host.add(offset as usize) }
    }

    /// One value. Panics outside the region: call [`Region::contains`] first.
    #[inline(always)]
    pub fn load<T: MemoryInteger>(&self, address: u64) -> T {
        // SAFETY: `at` checks bounds and alignment; `host` is aligned as `base` is.
        unsafe { T::read(self.at(address, T::BYTES)) }
    }

    #[inline(always)]
    pub fn store<T: MemoryInteger>(&self, address: u64, value: T) {
        // SAFETY: as in `load`.
        unsafe { T::write(self.at(address, T::BYTES), value) }
    }

    /// A value of 1, 2, 4 or 8 bytes.
    #[inline]
    pub fn load_sized(&self, address: u64, bytes: u32) -> u64 {
        match bytes {
            1 => self.load::<u8>(address).into(),
            2 => self.load::<u16>(address).into(),
            4 => self.load::<u32>(address).into(),
            _ => self.load::<u64>(address),
        }
    }

    /// Calls `run` with each lane's place, `skip` bytes after its address. Panics if one is outside the region.
    #[inline(always)]
    fn each<T: MemoryInteger>(
        &self,
        addresses: &[u64; WARP],
        skip: u64,
        mask: Mask,
        mut run: impl FnMut(usize, *mut u8),
    ) {
        let inside = skip.is_multiple_of(T::BYTES) && self.admits(addresses, mask, skip + T::BYTES, T::BYTES);
        assert!(inside, "checked access");
        // SAFETY: inside the region, by the assertion, for the lanes in `mask`; it is called for no other.
        let at = |lane: usize| unsafe { self.host.add((addresses[lane] - self.base + skip) as usize) };
        if mask == FULL {
            (0..WARP).for_each(|lane| run(lane, at(lane)));
        } else {
            lanes(mask).for_each(|lane| run(lane, at(lane)));
        }
    }

    /// Hands each lane in `mask` what lies `skip` bytes after its address.
    #[inline(always)]
    pub fn gather<T: MemoryInteger>(
        &self,
        addresses: &[u64; WARP],
        skip: u64,
        mask: Mask,
        mut to: impl FnMut(usize, T),
    ) {
        // SAFETY: `each` checks bounds and alignment; `host` is aligned as `base` is.
        self.each::<T>(addresses, skip, mask, |lane, at| to(lane, unsafe { T::read(at) }));
    }

    /// The reverse: each lane in `mask` writes what `from` gives it.
    #[inline(always)]
    pub fn scatter<T: MemoryInteger>(&self, addresses: &[u64; WARP], skip: u64, mask: Mask, from: impl Fn(usize) -> T) {
        // SAFETY: as in `gather`.
        self.each::<T>(addresses, skip, mask, |lane, at| unsafe { T::write(at, from(lane)) });
    }

    /// True if the host may be at this memory while a kernel runs: both call it by one address.
    #[inline]
    pub fn is_shared_with_host(&self) -> bool {
        self.base == self.host as u64
    }

    /// Atomically replaces the value by `f(old)` and returns `old`. `bytes` is 2, 4 or 8. `alone` says that no other
    /// host thread is at this memory.
    #[inline(always)]
    pub fn update(&self, address: u64, bytes: u32, alone: bool, f: impl Fn(u64) -> u64) -> u64 {
        if alone {
            let old = self.load_sized(address, bytes);
            match bytes {
                2 => self.store(address, f(old) as u16),
                4 => self.store(address, f(old) as u32),
                _ => self.store(address, f(old)),
            }
            return old;
        }
        macro_rules! swap {
            ($ty:ty, $atomic:ty) => {{
                // SAFETY: `at` checks bounds and alignment.
                let cell = unsafe { <$atomic>::from_ptr(self.at(address, <$ty>::BYTES).cast()) };
                let mut old = cell.load(Relaxed);
                loop {
                    match cell.compare_exchange_weak(old, f(old.into()) as $ty, Relaxed, Relaxed) {
                        Ok(old) => break old.into(),
                        Err(now) => old = now,
                    }
                }
            }};
        }
        match bytes {
            2 => swap!(u16, AtomicU16),
            4 => swap!(u32, AtomicU32),
            _ => swap!(u64, AtomicU64),
        }
    }

    /// Adds to 32-bit words, lane by lane, each in one step; what they held goes to `old`. `alone` says that no other
    /// host thread is at this memory.
    #[inline(always)]
    pub fn add_each(
        &self,
        addresses: &[u64; WARP],
        skip: u64,
        mask: Mask,
        alone: bool,
        value: impl Fn(usize) -> u32,
        mut old: impl FnMut(usize, u32),
    ) {
        self.each::<u32>(addresses, skip, mask, |lane, at| {
            // SAFETY: `each` checks bounds and alignment.
            let cell = unsafe { AtomicU32::from_ptr(at.cast()) };
            let held = if alone {
                let held = cell.load(Relaxed);
                cell.store(held.wrapping_add(value(lane)), Relaxed);
                held
            } else {
                cell.fetch_add(value(lane), Relaxed)
            };
            old(lane, held);
        });
    }

    /// While it is held, an access of 128 bits or of several elements is whole to all others that hold it.
    pub fn whole() -> MutexGuard<'static, ()> {
        static WHOLE: Mutex<()> = Mutex::new(());
        WHOLE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// [`Region::update`] for 128 bits: whole, and not atomic with narrower atomics.
    pub fn update_quad(&self, address: u64, f: impl Fn(u128) -> u128) -> u128 {
        let _whole = Region::whole();
        let old = u128::from(self.load::<u64>(address + 8)) << 64 | u128::from(self.load::<u64>(address));
        let new = f(old);
        self.store(address, new as u64);
        self.store(address + 8, (new >> 64) as u64);
        old
    }

    /// Copies out, as the host does between launches.
    pub fn read_bytes(&self, address: u64, to: &mut [u8]) {
        assert!(self.contains(address, to.len() as u64), "checked access");
        // SAFETY: in bounds; no kernel runs while the host holds the device.
        unsafe { self.host.add((address - self.base) as usize).copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) }
    }

    /// Copies in.
    pub fn write_bytes(&self, address: u64, from: &[u8]) {
        assert!(self.contains(address, from.len() as u64), "checked access");
        // SAFETY: as in `read_bytes`; `copy_from` allows overlap, which pinned memory can have.
        unsafe { self.host.add((address - self.base) as usize).copy_from(from.as_ptr(), from.len()) }
    }

    /// Copies between two regions or within one.
    pub fn copy_bytes(&self, to: u64, source: &Region, from: u64, bytes: u64) {
        assert!(self.contains(to, bytes) && source.contains(from, bytes), "checked access");
        // SAFETY: both ranges are in bounds, and `copy_from` allows overlap.
        unsafe {
            let from = source.host.add((from - source.base) as usize);
            self.host.add((to - self.base) as usize).copy_from(from, bytes as usize);
        }
    }

    /// Sets every byte to zero.
    pub fn clear(&self) {
        // SAFETY: the whole region.
        unsafe { self.host.write_bytes(0, self.bytes as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admits_checks_both_ends_and_the_alignment() {
        let region = Region::owned(Some(1 << 48), 64).unwrap();
        let all = |address: u64| [address; WARP];
        let base = region.base();
        assert!(region.admits(&all(base + 60), !0, 4, 4));
        assert!(!region.admits(&all(base + 61), !0, 4, 1));
        assert!(!region.admits(&all(base + 2), !0, 4, 4));
        assert!(!region.admits(&all(base - 4), !0, 4, 4));
        assert!(!region.admits(&all(u64::MAX - 3), !0, 4, 4));
        let mut one = all(base);
        one[7] = 3;
        assert!(!region.admits(&one, !0, 4, 4) && region.admits(&one, !(1 << 7), 4, 4));
    }

    #[test]
    fn renamed_memory_is_the_same_and_holds_nothing() {
        let old = Region::owned(Some(1 << 20), 64).unwrap();
        (0..8).for_each(|at| old.store::<u64>(old.base() + 8 * at, u64::MAX));
        let new = old.renamed(1 << 21, 21);
        assert_eq!([16, 20].map(|at| new.load::<u8>(new.base() + at)), [0, 0]);
        assert_eq!(old.load::<u64>(old.base() + 16), 0xffff_ff00_0000_0000);
        drop(old);
        new.store::<u8>(new.base() + 20, 7);
        assert!(new.load::<u8>(new.base() + 20) == 7 && !new.contains(new.base() + 21, 1));
    }

    #[test]
    fn widths_share_the_bytes() {
        let region = Region::owned(None, 16).unwrap();
        region.store::<u64>(region.base(), 0x1122_3344_5566_7788);
        assert_eq!(region.load::<u8>(region.base() + 7), 0x11);
        assert_eq!(region.update(region.base() + 4, 4, false, |old| old + 1), 0x1122_3344);
        assert_eq!(region.load::<u16>(region.base() + 4), 0x3345);
    }
}
