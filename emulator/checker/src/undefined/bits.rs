//! The shadow of memory for undefined values: one shadow bit for each bit, 1 = undefined.
//!
//! Kept page by page, and a page that is wholly defined or wholly undefined has no shadow.

use rustc_hash::FxHashMap;

const PAGE: usize = 4096;

#[derive(Clone, Debug)]
enum BitPage {
    Defined,
    Undefined,
    Mixed(Box<[u8; PAGE]>),
}

/// The shadow of one memory region.
#[derive(Clone, Debug)]
pub struct Bits {
    pages: Vec<BitPage>,
    bytes: u64,
    /// The number of pages that are not known to be wholly defined.
    vague: usize,
    /// The offset where an undefined byte was last seen.
    hint: u64,
}

impl Bits {
    pub fn new(bytes: u64, undefined: bool) -> Bits {
        let page = if undefined { BitPage::Undefined } else { BitPage::Defined };
        let count = (bytes as usize).div_ceil(PAGE).max(1);
        Bits { pages: vec![page; count], bytes, vague: if undefined { count } else { 0 }, hint: 0 }
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds bytes at the end, which are `undefined` or not.
    pub fn grow(&mut self, bytes: u64, undefined: bool) {
        let old = std::mem::replace(&mut self.bytes, bytes);
        self.pages.resize((bytes as usize).div_ceil(PAGE).max(1), BitPage::Defined);
        self.fill(old, bytes - old, undefined);
    }

    /// True if every bit is known to be defined; false implies nothing.
    #[inline(always)]
    pub fn is_all_defined(&self) -> bool {
        self.vague == 0
    }

    /// Checks if all of it has been written by now, so that `is_all_defined` finds it at once. Cheap as long as the
    /// byte that was undefined still is.
    pub fn settle(&mut self) {
        if self.vague == 0 || self.hint < self.bytes && self.get(self.hint, 1) != 0 {
            return;
        }
        let onwards = self.bytes.saturating_sub(self.hint);
        match self.first_undefined(self.hint, onwards).or_else(|| self.first_undefined(0, self.bytes)) {
            Some(first) => self.hint = first,
            None => {
                self.pages.fill(BitPage::Defined);
                self.vague = 0;
            }
        }
    }

    /// Returns the undefined bits of `bytes` (up to 8) at `offset`, which must not cross a page boundary.
    #[inline(always)]
    pub fn get(&self, offset: u64, bytes: u32) -> u64 {
        let (page, at) = (offset as usize / PAGE, offset as usize % PAGE);
        match &self.pages[page] {
            BitPage::Defined => 0,
            BitPage::Undefined => mask(bytes),
            BitPage::Mixed(bits) => match bytes {
                4 => u32::from_le_bytes(bits[at..at + 4].try_into().expect("four bytes")).into(),
                8 => u64::from_le_bytes(bits[at..at + 8].try_into().expect("eight bytes")),
                _ => (0..bytes as usize).fold(0, |value, byte| value | u64::from(bits[at + byte]) << (8 * byte)),
            },
        }
    }

    /// True if no bit of a range is undefined.
    #[inline(always)]
    pub fn is_defined(&self, offset: u64, bytes: u64) -> bool {
        let (page, at) = (offset as usize / PAGE, offset as usize % PAGE);
        match &self.pages[page] {
            BitPage::Defined if at + bytes as usize <= PAGE => true,
            BitPage::Mixed(bits) if at + bytes as usize <= PAGE => {
                bits[at..at + bytes as usize].iter().fold(0, |any, bits| any | bits) == 0
            }
            _ => self.first_undefined(offset, bytes).is_none(),
        }
    }

    #[inline(always)]
    pub fn set(&mut self, offset: u64, bytes: u32, undefined: u64) {
        let (page, at) = (offset as usize / PAGE, offset as usize % PAGE);
        match &self.pages[page] {
            BitPage::Defined if undefined & mask(bytes) == 0 => return,
            _ => {}
        }
        let bits = self.mixed(page);
        match bytes {
            4 => bits[at..at + 4].copy_from_slice(&(undefined as u32).to_le_bytes()),
            _ => bits[at..at + bytes as usize].copy_from_slice(&undefined.to_le_bytes()[..bytes as usize]),
        }
    }

    #[inline(always)]
    fn mixed(&mut self, page: usize) -> &mut [u8; PAGE] {
        let page = &mut self.pages[page];
        match page {
            BitPage::Defined => {
                self.vague += 1;
                *page = BitPage::Mixed(Box::new([0; PAGE]));
            }
            BitPage::Undefined => *page = BitPage::Mixed(Box::new([0xff; PAGE])),
            BitPage::Mixed(_) => {}
        }
        match page {
            BitPage::Mixed(bits) => bits,
            _ => unreachable!("just made"),
        }
    }

    /// Marks a whole range as undefined, or as defined.
    pub fn fill(&mut self, offset: u64, bytes: u64, undefined: bool) {
        let mut at = offset as usize;
        let end = at + bytes as usize;
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            if at.is_multiple_of(PAGE) && (stop - at == PAGE || stop as u64 == self.bytes) {
                let was_vague = !matches!(self.pages[page], BitPage::Defined);
                self.vague = self.vague + usize::from(undefined) - usize::from(was_vague);
                self.pages[page] = if undefined { BitPage::Undefined } else { BitPage::Defined };
            } else if !matches!((&self.pages[page], undefined), (BitPage::Defined, false) | (BitPage::Undefined, true))
            {
                self.mixed(page)[at % PAGE..at % PAGE + (stop - at)].fill(if undefined { 0xff } else { 0 });
            }
            at = stop;
        }
    }

    /// Returns the first byte of a range that has no undefined bit.
    pub fn first_defined(&self, offset: u64, bytes: u64) -> Option<u64> {
        let mut at = offset as usize;
        let end = at + bytes as usize;
        while at < end {
            let stop = end.min((at / PAGE + 1) * PAGE);
            match &self.pages[at / PAGE] {
                BitPage::Defined => return Some(at as u64),
                BitPage::Undefined => {}
                BitPage::Mixed(bits) => {
                    let range = &bits[at % PAGE..at % PAGE + (stop - at)];
                    if let Some(first) = range.iter().position(|&byte| byte == 0) {
                        return Some((at + first) as u64);
                    }
                }
            }
            at = stop;
        }
        None
    }

    /// Returns the first byte of a range that has an undefined bit.
    pub fn first_undefined(&self, offset: u64, bytes: u64) -> Option<u64> {
        let mut at = offset as usize;
        let end = at + bytes as usize;
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            match &self.pages[page] {
                BitPage::Defined => {}
                BitPage::Undefined => return Some(at as u64),
                BitPage::Mixed(bits) => {
                    let range = &bits[at % PAGE..at % PAGE + (stop - at)];
                    let is_defined = |part: &&[u8]| part.iter().fold(0, |any, bits| any | bits) == 0;
                    let defined = 64 * range.chunks(64).take_while(is_defined).count();
                    let rest = range.get(defined..).unwrap_or_default();
                    if let Some(first) = rest.iter().position(|&byte| byte != 0) {
                        return Some((at + defined + first) as u64);
                    }
                }
            }
            at = stop;
        }
        None
    }

    /// Copies the shadow of a range, byte by byte.
    pub fn copy(&mut self, to: u64, source: &Bits, from: u64, bytes: u64) {
        for byte in 0..bytes {
            let undefined = source.get(from + byte, 1);
            self.set(to + byte, 1, undefined);
        }
    }
}

fn mask(bytes: u32) -> u64 {
    if bytes >= 8 { !0 } else { (1 << (8 * bytes)) - 1 }
}

/// The shadows of all global allocations, by base address.
#[derive(Clone, Debug, Default)]
pub struct GlobalBits {
    regions: FxHashMap<u64, Bits>,
}

impl GlobalBits {
    /// Adds a region, which is `undefined` or not, as its owner determines.
    pub fn add(&mut self, base: u64, bytes: u64, undefined: bool) {
        self.regions.insert(base, Bits::new(bytes, undefined));
    }

    /// Returns the shadow of the region at `base`; one that was not added counts as defined.
    pub fn entry(&mut self, base: u64, bytes: u64) -> &mut Bits {
        self.regions.entry(base).or_insert_with(|| Bits::new(bytes, false))
    }

    pub fn remove(&mut self, base: u64) -> Option<Bits> {
        self.regions.remove(&base)
    }

    pub fn get(&self, base: u64) -> Option<&Bits> {
        self.regions.get(&base)
    }

    pub fn get_mut(&mut self, base: u64) -> Option<&mut Bits> {
        self.regions.get_mut(&base)
    }

    /// Marks everything as defined, after a launch that was not checked.
    pub fn forget(&mut self) {
        for bits in self.regions.values_mut() {
            bits.pages.fill(BitPage::Defined);
            bits.vague = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_region_keeps_its_bits() {
        let mut bits = Bits::new(4096, true);
        bits.fill(0, 4000, false);
        bits.grow(3 * 4096, false);
        bits.grow(4 * 4096, true);
        assert_eq!(bits.first_undefined(0, 4 * 4096), Some(4000));
        assert_eq!(bits.first_undefined(4096, 3 * 4096), Some(3 * 4096));
        bits.fill(0, 4 * 4096, false);
        assert!(bits.is_all_defined());
    }

    #[test]
    fn bits_are_kept_one_by_one() {
        let mut bits = Bits::new(8192, true);
        assert_eq!(bits.get(4, 4), 0xffff_ffff);
        bits.set(4, 2, 0);
        bits.set(6, 1, 0x0f);
        assert_eq!(bits.get(4, 4), 0xff0f_0000);
        assert_eq!(bits.first_undefined(4, 4), Some(6));
        assert_eq!((bits.first_defined(3, 4), bits.first_defined(6, 4)), (Some(4), None));
        bits.fill(0, 8192, false);
        assert_eq!((bits.first_undefined(0, 8192), bits.is_all_defined()), (None, true));
        bits.fill(4090, 10, true);
        assert!(!bits.is_all_defined());
        assert_eq!((bits.get(4088, 4), bits.get(4096, 8)), (0xffff_0000, 0xffff_ffff));
        assert_eq!(bits.first_defined(4090, 20), Some(4100));
    }

    #[test]
    fn what_is_written_bit_by_bit_is_seen_to_be_all_defined() {
        let mut bits = Bits::new(5000, true);
        let write = |bits: &mut Bits, range: std::ops::Range<u64>| range.for_each(|byte| bits.set(byte, 1, 0));
        write(&mut bits, 0..4999);
        bits.settle();
        assert_eq!((bits.is_all_defined(), bits.first_undefined(0, 5000)), (false, Some(4999)));
        // Undefined again below the byte that was seen.
        bits.set(70, 1, 0x10);
        write(&mut bits, 4999..5000);
        bits.settle();
        assert_eq!((bits.is_all_defined(), bits.first_undefined(0, 5000)), (false, Some(70)));
        write(&mut bits, 70..71);
        bits.settle();
        assert!(bits.is_all_defined());
    }
}
