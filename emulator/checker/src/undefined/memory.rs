//! The undefined bits of memory that an access touches: looked up for loads, set by stores.

use crate::access::row::Row;
use crate::checks::{BlockState, Checker, WarpState};
use crate::undefined::bits::Bits;
use crate::undefined::registers::RegisterBits;
use machine::memory::space::Space;
use machine::registers::{Mask, WARP, lanes};
use machine::watch::Touch;

impl Checker<'_> {
    /// The shadow of the memory that is touched, and the address it begins at; `None` for local memory.
    fn shadow<'b>(&'b self, touch: &Touch, block: &'b BlockState) -> Option<(&'b Bits, u64)> {
        match (touch.space, touch.region) {
            (Space::Shared, _) => block.bits.as_ref().map(|bits| (bits, 0)),
            (Space::Global, Some(region)) => self.state.bits.get(region.base()).map(|bits| (bits, region.base())),
            _ => None,
        }
    }

    fn shadow_mut<'b>(&'b mut self, touch: &Touch, block: &'b mut BlockState) -> Option<(&'b mut Bits, u64)> {
        match (touch.space, touch.region) {
            (Space::Shared, _) => block.bits.as_mut().map(|bits| (bits, 0)),
            (Space::Global, Some(region)) => self.state.bits.get_mut(region.base()).map(|bits| (bits, region.base())),
            _ => None,
        }
    }

    /// True if all that the lanes are about to read is known to be defined. A quick look: false says nothing.
    pub fn all_defined(&self, touch: &Touch, row: Option<&Row>, block: &BlockState) -> bool {
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
                (least, most - least + u64::from(touch.bytes * touch.elements))
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
    pub fn define_row(&mut self, touch: &Touch, row: &Row, block: &mut BlockState) {
        let (first, bytes) = row.span();
        if let Some((bits, base)) = self.shadow_mut(touch, block) {
            bits.fill(first - base, bytes, false);
        }
    }

    /// Undefined bits of memory that the lanes are about to read.
    pub fn memory_bits(
        &self,
        touch: &Touch,
        block: &BlockState,
        warp: &WarpState,
        skip: u64,
        bytes: u32,
    ) -> [u64; WARP] {
        let mut undefined = [0; WARP];
        if touch.space == Space::Local {
            for lane in lanes(touch.mask) {
                let (local, address) = warp.own_bits(lane, touch.addresses[lane] + skip);
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

    /// Sets the undefined bits of the memory that each lane in `mask` writes.
    #[expect(clippy::too_many_arguments, reason = "one place, all its sides")]
    pub fn set_memory_bits(
        &mut self,
        touch: &Touch,
        block: &mut BlockState,
        warp: &mut WarpState,
        mask: Mask,
        skip: u64,
        bytes: u32,
        undefined: impl Fn(&RegisterBits, usize) -> u64,
    ) {
        if touch.space != Space::Local {
            if let Some((bits, base)) = self.shadow_mut(touch, block) {
                for lane in lanes(mask) {
                    bits.set(touch.addresses[lane] + skip - base, bytes, undefined(&warp.bits, lane));
                }
            }
            return;
        }
        for lane in lanes(mask) {
            let (address, undefined) = (touch.addresses[lane] + skip, undefined(&warp.bits, lane));
            let (local, address) = warp.own_bits_mut(lane, address);
            let end = (address as usize).saturating_add(bytes as usize);
            // An address outside is the machine's to report; nothing is written there.
            if end > 1 << 24 {
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
