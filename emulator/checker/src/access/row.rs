//! The geometry of a warp's access whose lanes access consecutive elements.

use crate::sites::touched::RecordedKind;
use machine::lanes::astray;
use machine::registers::Mask;
use machine::watch::Touch;

/// The addresses of a regular access: each lane's are `size` bytes above those of the lane before it, or below.
#[derive(Clone, Copy)]
pub struct LaneRow {
    pub first: u32,
    pub last: u32,
    /// The lowest address.
    pub start: u64,
    /// The number of bytes of one lane.
    pub size: u32,
    /// True if addresses decrease from lane to lane.
    pub falls: bool,
}

impl LaneRow {
    /// Returns the row of an access, or `None` if the lanes' addresses are not consecutive.
    #[inline(always)]
    pub fn of(touch: &Touch) -> Option<LaneRow> {
        let size = touch.bytes * touch.elements;
        let (first, last) = (touch.mask.trailing_zeros(), 31 - touch.mask.leading_zeros());
        let [one, other] = [first, last].map(|lane| touch.addresses[lane as usize]);
        let falls = other < one && size >= 4;
        let step = if falls { u64::from(size).wrapping_neg() } else { u64::from(size) };
        let zero = one.wrapping_sub(u64::from(first).wrapping_mul(step));
        (astray(touch.addresses, zero, step) & touch.mask == 0).then_some(LaneRow {
            first,
            last,
            start: one.min(other),
            size,
            falls,
        })
    }

    /// Returns two rows, if each half of the warp makes one, as in blocks of 16 x 16 threads. `None` for writes that
    /// overlap: there the lanes of one half race with those of the other.
    #[inline(always)]
    pub fn halves(touch: &Touch, kind: RecordedKind) -> Option<[LaneRow; 2]> {
        let [one, next, ..] = *touch.addresses;
        // Rejects most other accesses at once.
        if touch.mask != !0 || one.abs_diff(next) != u64::from(touch.bytes * touch.elements) {
            return None;
        }
        let half = |mask: Mask| LaneRow::of(&Touch { mask, ..*touch });
        let rows = [half(0xffff)?, half(0xffff_0000)?];
        let [(low, bytes), (high, _)] = rows.map(|row| row.span());
        (kind == RecordedKind::Read || low.abs_diff(high) >= bytes).then_some(rows)
    }

    /// Returns the lowest address, and the number of bytes from there to the end of the highest element.
    pub fn span(&self) -> (u64, u64) {
        (self.start, u64::from((self.last - self.first + 1) * self.size))
    }

    /// True if no lane between the first and the last is missing.
    pub fn is_dense(&self, mask: Mask) -> bool {
        let from_zero = mask >> self.first;
        from_zero & from_zero.wrapping_add(1) == 0
    }
}
