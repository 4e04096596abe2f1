//! The undefined bits of memory that an access touches: looked up for loads, set by stores.

use crate::access::row::LaneRow;
use crate::undefined::bits::{Bits, GlobalBits};
use crate::undefined::origins::{MemoryOrigins, OriginId, Origins};
use crate::undefined::registers::RegisterBits;
use crate::undefined::warp::WarpUndefined;
use machine::memory::space::Space;
use machine::registers::{WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::Touch;
use rustc_hash::FxHashMap;

/// The undefined bits of global memory, and the origins of undefined values.
#[derive(Debug, Default)]
pub struct Undefined {
    pub(super) bits: GlobalBits,
    /// The origins by number.
    pub(super) origins: Origins,
    /// The origins of bytes in global memory.
    pub(super) memory: MemoryOrigins,
    /// True if a lane's own value counts as undefined where a shuffle returns it for lack of a source lane.
    pub(super) suspects_own: bool,
}

/// The undefined bits of a block's shared memory.
#[derive(Debug, Default)]
pub struct BlockUndefined {
    pub(super) bits: Option<Bits>,
    pub(super) origins: MemoryOrigins,
    /// Bulk copies that have read undefined bits: these, and where they came from, by the copy's number.
    pub(super) bulk: FxHashMap<u32, (Box<[u8]>, OriginId)>,
}

impl BlockUndefined {
    /// Begins a block. The part that the system has reserved counts as written.
    pub fn begin(&mut self, launch: &Launch) {
        let mut bits = Bits::new(launch.whole_shared_bytes(), true);
        if let Some(begin) = launch.reserved_shared() {
            bits.fill(begin, launch.whole_shared_bytes() - begin, false);
        }
        self.bits = Some(bits);
        self.origins.clear();
        self.bulk.clear();
    }

    /// Marks a range as undefined, or as defined.
    pub fn fill(&mut self, offset: u64, bytes: u64, undefined: bool) {
        if let Some(bits) = &mut self.bits {
            bits.fill(offset, bytes, undefined);
        }
    }

    /// Checks if all of it has been written by now.
    pub fn settle(&mut self) {
        self.bits.iter_mut().for_each(Bits::settle);
    }
}

impl Undefined {
    /// Returns a copy with the same undefined bits, without their origins.
    pub fn fork(&self) -> Undefined {
        let mut fork = Undefined { bits: self.bits.clone(), suspects_own: self.suspects_own, ..Undefined::default() };
        fork.origins.misses_work = self.origins.misses_work;
        fork
    }

    /// Sets whether the value that a shuffle returns for lack of a source lane is tracked as undefined.
    pub fn suspect_own(&mut self, suspects: bool) {
        self.suspects_own = suspects;
    }

    /// Records that a write is omitted.
    pub fn lose(&mut self) {
        self.origins.has_lost = true;
    }

    pub fn has_lost(&self) -> bool {
        self.origins.has_lost
    }

    /// Records that some work was not run, so that memory may be unwritten for this reason.
    pub fn miss_work(&mut self) {
        self.origins.misses_work = true;
    }

    pub fn misses_work(&self) -> bool {
        self.origins.misses_work
    }

    pub fn bits(&self) -> &GlobalBits {
        &self.bits
    }

    /// Returns the origins by number.
    pub fn origins(&self) -> &Origins {
        &self.origins
    }

    /// Returns the origins of undefined bytes in global memory.
    pub fn memory(&self) -> &MemoryOrigins {
        &self.memory
    }

    /// Adds an allocation.
    pub fn add(&mut self, base: u64, bytes: u64, undefined: bool) {
        self.bits.add(base, bytes, undefined);
    }

    /// Makes an allocation longer. What it gains is `undefined` or not.
    pub fn grow(&mut self, base: u64, bytes: u64, undefined: bool) {
        if let Some(bits) = self.bits.get_mut(base) {
            bits.grow(bytes, undefined);
        }
    }

    /// Removes an allocation.
    pub fn remove(&mut self, base: u64) {
        if let Some(bits) = self.bits.remove(base) {
            self.memory.forget(base, bits.bytes());
        }
    }

    /// Marks everything as defined.
    pub fn forget(&mut self) {
        self.origins.has_lost = false;
        self.bits.forget();
    }

    /// Marks a range of the allocation at `base` as undefined or defined, if the allocation has been added.
    pub fn fill_known(&mut self, base: u64, offset: u64, bytes: u64, undefined: bool) {
        if let Some(bits) = self.bits.get_mut(base) {
            bits.fill(offset, bytes, undefined);
        }
    }

    /// Marks a range of an allocation as undefined or defined, for the host or a load of a module.
    pub fn fill(&mut self, (base, size): (u64, u64), offset: u64, bytes: u64, undefined: bool) {
        self.bits.entry(base, size).fill(offset, bytes, undefined);
        self.memory.forget(base + offset, bytes);
    }

    /// Copies the undefined bits of a range, as the host copies it from one allocation to another.
    pub fn copy(&mut self, (to_base, size): (u64, u64), to: u64, from_base: u64, from: u64, bytes: (u64, u64)) {
        let shadow = self.bits.get(from_base).cloned();
        let bits = self.bits.entry(to_base, size);
        match shadow {
            Some(shadow) => bits.copy(to, &shadow, from, bytes.1),
            None => bits.fill(to, bytes.0, false),
        }
        self.memory.copy(to_base + to, from_base + from, bytes.1);
    }

    /// The shadow of the memory that is touched, and the address it begins at; `None` for local memory.
    fn shadow<'b>(&'b self, touch: &Touch, block: &'b BlockUndefined) -> Option<(&'b Bits, u64)> {
        match (touch.space, touch.region) {
            (Space::Shared, _) => block.bits.as_ref().map(|bits| (bits, 0)),
            (Space::Global, Some(region)) => self.bits.get(region.base()).map(|bits| (bits, region.base())),
            _ => None,
        }
    }

    fn shadow_mut<'b>(&'b mut self, touch: &Touch, block: &'b mut BlockUndefined) -> Option<(&'b mut Bits, u64)> {
        match (touch.space, touch.region) {
            (Space::Shared, _) => block.bits.as_mut().map(|bits| (bits, 0)),
            (Space::Global, Some(region)) => self.bits.get_mut(region.base()).map(|bits| (bits, region.base())),
            _ => None,
        }
    }

    /// True if all memory that the lanes are about to read is known to be defined. A quick check: false implies
    /// nothing.
    pub fn all_defined(&self, touch: &Touch, row: Option<&LaneRow>, block: &BlockUndefined) -> bool {
        if let (Space::Global | Space::Shared, Some((bits, _))) = (touch.space, self.shadow(touch, block))
            && bits.is_all_defined()
        {
            return true;
        }
        let (first, bytes) = match row {
            Some(row) => row.span(),
            None => {
                let at = || lanes(touch.mask).map(|lane| touch.addresses[lane]);
                let (least, most) = at().fold((u64::MAX, 0), |(least, most), at| (at.min(least), at.max(most)));
                (least, (most - least).saturating_add(u64::from(touch.bytes * touch.elements)))
            }
        };
        match touch.space {
            // Parameters are written by the launch.
            Space::Param => true,
            Space::Local => false,
            _ => {
                bytes <= 1024
                    && self.shadow(touch, block).is_none_or(|(bits, base)| bits.is_defined(first - base, bytes))
            }
        }
    }

    /// Marks a row as written with defined values.
    pub fn define_row(&mut self, touch: &Touch, row: &LaneRow, block: &mut BlockUndefined) {
        let (first, bytes) = row.span();
        if let Some((bits, base)) = self.shadow_mut(touch, block) {
            bits.fill(first - base, bytes, false);
        }
    }

    /// Returns the undefined bits of memory that the lanes are about to read.
    pub fn memory_bits(
        &self,
        touch: &Touch,
        block: &BlockUndefined,
        warp: &WarpUndefined,
        skip: u64,
        bytes: u32,
    ) -> [u64; WARP] {
        let mut undefined = [0; WARP];
        if touch.space == Space::Local {
            for lane in lanes(touch.mask) {
                let (local, address) = warp.locals.own(lane, touch.addresses[lane] + skip);
                undefined[lane] = (0..bytes as usize).fold(0, |value, byte| {
                    let undefined = local.get((address as usize).wrapping_add(byte)).copied().unwrap_or(0xff);
                    value | u64::from(undefined) << (8 * byte)
                });
            }
        } else if let Some((bits, base)) = self.shadow(touch, block) {
            for lane in lanes(touch.mask) {
                undefined[lane] = bits.get(touch.addresses[lane] + skip - base, bytes);
            }
        }
        undefined
    }

    /// Sets the undefined bits of the memory that each lane writes.
    pub fn set_memory_bits(
        &mut self,
        touch: &Touch,
        block: &mut BlockUndefined,
        warp: &mut WarpUndefined,
        skip: u64,
        bytes: u32,
        undefined: impl Fn(&RegisterBits, usize) -> u64,
    ) {
        if touch.space != Space::Local {
            if let Some((bits, base)) = self.shadow_mut(touch, block) {
                for lane in lanes(touch.mask) {
                    bits.set(touch.addresses[lane] + skip - base, bytes, undefined(&warp.registers, lane));
                }
            }
            return;
        }
        let launch = touch.at.launch;
        let room = launch.entry().local_bytes.max(launch.profile.local_per_thread.into());
        for lane in lanes(touch.mask) {
            let (address, undefined) = (touch.addresses[lane] + skip, undefined(&warp.registers, lane));
            let (local, address) = warp.locals.own_mut(lane, address);
            let end = (address as usize).saturating_add(bytes as usize);
            // An address outside is reported by the machine; nothing is written there.
            if end as u64 > room {
                continue;
            }
            if local.len() < end {
                local.resize(end, 0xff);
            }
            for byte in 0..bytes as usize {
                local[address as usize + byte] = (undefined >> (8 * byte)) as u8;
            }
        }
    }
}
