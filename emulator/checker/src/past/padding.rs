//! Padding: bytes between the fields of a structure, and after the last one, which a kernel that writes field by field
//! leaves unwritten.
//!
//! Types are not known here. A gap counts as padding if a compiler would have left it: the next store begins where it
//! ends, and is wider than it. After the last field of the last structure no store follows. There the gap must end at a
//! multiple of the size of an earlier store that is wider. It must also be as long as a gap before it, or in a short
//! allocation.
//!
//! Errs towards silence: a field that was forgotten before a wider one looks the same.

use crate::past::state::DeviceState;
use crate::undefined::bits::Bits;
use finding::{AccessKind, Action, Space};

/// The size of the widest store.
const WIDEST: u64 = 32;
/// The size up to which a structure may be alone in its allocation.
const ALONE: u64 = 128;
/// The number of bytes before a tail in which a gap like it is searched for.
const NEAR: u64 = 256;

/// A gap in an allocation: its first byte, and the first byte after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PaddingGap {
    first: u64,
    past: u64,
}

impl PaddingGap {
    fn bytes(self) -> u64 {
        self.past - self.first
    }
}

impl DeviceState {
    /// Returns the first byte of `from .. end`, of the allocation at `base`, that has not been written and is no
    /// padding.
    pub(super) fn first_forgotten(&self, base: u64, from: u64, end: u64) -> Option<u64> {
        let bits = self.undefined().bits().get(base)?;
        let mut gaps = gaps(bits, from, end);
        gaps.find(|gap| !self.is_padding(base, bits, *gap, end)).map(|gap| gap.first)
    }

    /// True if all undefined bytes in an access of `from .. end` are padding, and the access begins before each gap.
    pub(crate) fn has_only_padding(&self, base: u64, from: u64, end: u64) -> bool {
        let Some(bits) = self.undefined().bits().get(base) else { return false };
        gaps(bits, from, end).all(|gap| gap.first > from && self.is_padding(base, bits, gap, end))
    }

    /// Returns the padding in `from .. end`, each gap with its size.
    pub(super) fn padding(&self, base: u64, from: u64, end: u64) -> Vec<(u64, u64)> {
        let Some(bits) = self.undefined().bits().get(base) else { return Vec::new() };
        let padding = gaps(bits, from, end).filter(|gap| self.is_padding(base, bits, *gap, end));
        padding.map(|gap| (gap.first, gap.bytes())).collect()
    }

    fn is_padding(&self, base: u64, bits: &Bits, gap: PaddingGap, end: u64) -> bool {
        // A value that came from a shuffle or a load was written there.
        if gap.bytes() >= WIDEST || gap.first == 0 || self.undefined().memory().get(base + gap.first, 1) != 0 {
            return false;
        }
        if gap.past < bits.bytes() && bits.get(gap.past, 1) == 0 {
            return self.is_before_wider(base, bits, gap);
        }
        gap.past == end && self.is_tail(base, bits, gap)
    }

    /// True if the next store begins where the gap ends, and is wider than the gap.
    fn is_before_wider(&self, base: u64, bits: &Bits, gap: PaddingGap) -> bool {
        let wider = |bytes: u64| gap.bytes() < bytes && (base + gap.past).is_multiple_of(bytes);
        match self.store_at(base, gap.past) {
            Some(PaddingStore::Of(bytes)) => wider(bytes),
            // Another field of its word was written later: an earlier store may have been one of two bytes, if the
            // kernel has any.
            Some(PaddingStore::Hidden { has_halves }) => wider(2) && has_halves && bits.is_defined(gap.past, 2),
            None => false,
        }
    }

    fn is_tail(&self, base: u64, bits: &Bits, gap: PaddingGap) -> bool {
        let is_alike = |before: PaddingGap| before.bytes() == gap.bytes() && self.is_before_wider(base, bits, before);
        let from = gap.first.saturating_sub(NEAR);
        if bits.bytes() > ALONE && !gaps(bits, from, gap.first).any(is_alike) {
            return false;
        }
        let before = gap.first.saturating_sub(ALONE)..gap.first;
        let ends = |bytes: u64| gap.bytes() < bytes && (base + gap.past).is_multiple_of(bytes);
        before.rev().any(|at| matches!(self.store_at(base, at), Some(PaddingStore::Of(bytes)) if ends(bytes)))
    }

    /// Returns the store that wrote byte `at` of an allocation, if a kernel did.
    fn store_at(&self, base: u64, at: u64) -> Option<PaddingStore> {
        let (launch, cell) = self.touched(base)?.cells.peek(at & !3);
        let info = cell.write.info;
        if info.is_none() || !info.writes() {
            return None;
        }
        let code = self.past().record(cell.write.launch().unwrap_or(launch))?.code()?;
        if info.bytes() >> (at & 3) & 1 != 0 {
            return Some(PaddingStore::Of(info.size().into()));
        }
        let is_half = |memory: finding::MemoryAccess| {
            memory.kind == AccessKind::Store && memory.bytes == 2 && memory.space != Space::Shared
        };
        let accesses = code.instrs.iter().filter_map(|it| machine::run::sites::memory_access(&it.op, &Action::Used));
        Some(PaddingStore::Hidden { has_halves: { accesses }.any(is_half) })
    }
}

/// The store that wrote a byte, as far as it is known.
enum PaddingStore {
    /// The size of the store in bytes.
    Of(u64),
    /// Other bytes of its word were written later. `has_halves`: the kernel of that write has a store of two bytes.
    Hidden { has_halves: bool },
}

/// Returns the gaps in `from .. end`, whose bytes are not wholly defined.
fn gaps(bits: &Bits, from: u64, end: u64) -> impl Iterator<Item = PaddingGap> {
    let mut at = from;
    std::iter::from_fn(move || {
        let first = bits.first_undefined(at, end.checked_sub(at)?)?;
        let past = bits.first_defined(first, end - first).unwrap_or(end);
        at = past;
        Some(PaddingGap { first, past })
    })
}
