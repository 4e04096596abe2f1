//! The fast checker of one memory region: it judges many lanes together where it can, and else one after the other.
//!
//! Property: the verdict on two accesses does not depend on which one is judged first, so lanes may be judged out of
//! order. What a strong access observes does depend on it, so strong accesses of one word keep their order.

use crate::access::actor::{Actor, Current};
use crate::access::race::Race;
use crate::access::warp_access::WarpAccess;
use crate::fast::cells::{Cells, LINE};
use crate::fast::displaced::Displaced;
use crate::fast::judge;
use crate::fast::one_word::OneWord;
use crate::fast::side_table::SideTable;
use crate::rule::{RaceChecker, covers};
use crate::sites::touched::{RecordedAccess, RecordedKind};
use machine::registers::WARP;

/// The fast checker of one memory region. It borrows the accesses that are kept of that region.
pub struct FastChecker<'m> {
    pub cells: &'m mut Cells,
    pub displaced: &'m mut Displaced,
    pub overflow: &'m mut SideTable,
    /// The address at which the region begins.
    pub base: u64,
    /// The launch, or for shared memory the era, of the accesses that are judged.
    pub era: u32,
}

impl FastChecker<'_> {
    /// Reborrows each part separately.
    #[inline(always)]
    pub fn parts(&mut self) -> FastChecker<'_> {
        FastChecker { cells: self.cells, displaced: self.displaced, overflow: self.overflow, ..*self }
    }
}

impl RaceChecker for FastChecker<'_> {
    #[inline(always)]
    fn judge(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64)) {
        let WarpAccess { touch, kind, scope, .. } = *access;
        let one_word = OneWord::new(touch, kind, scope).filter(|_| actor.may_use_word_paths());
        let mut rest = touch.mask;
        if scope.is_none() && kind != RecordedKind::Atomic && actor.may_use_fast_paths() {
            if let Some(row) = access.row {
                rest = actor.walk(self, row, kind, rest);
            } else if let Some(halves) = &access.halves {
                halves.iter().for_each(|row| rest = actor.walk(self, row, kind, rest));
            }
        }
        // If the first and the last lane share an address, the loop below handles them together.
        let ends_differ = touch.addresses[rest.trailing_zeros() as usize % WARP]
            != touch.addresses[31 - rest.leading_zeros() as usize % WARP];
        if let (Some(one_word), true, true) = (&one_word, rest != 0, ends_differ || rest.is_power_of_two()) {
            rest = one_word.try_all(self, actor, rest, touch.addresses);
        }
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let current = Current { actor, lane: lane as u32 };
            let offset = touch.addresses[lane] - self.base;
            if let Some(one_word) = &one_word
                && let Some(done) = one_word.try_lane(self, current, offset, rest, touch.addresses)
            {
                rest &= !done;
                continue;
            }
            // A strong vector access is an access for each element; a plain one is judged as a whole.
            let bytes = touch.bytes;
            let (count, size) = if scope.is_some() { (touch.elements, bytes) } else { (1, bytes * touch.elements) };
            for element in 0..count {
                let offset = offset + u64::from(bytes * element);
                judge::access(self, &current, access, offset, size, &mut |race, word| {
                    found(&current, element, race, word);
                });
            }
        }
    }

    fn judge_read(&mut self, current: &Current, word: u64, new: RecordedAccess, found: &mut impl FnMut(Race)) {
        judge::read_only(self, current, word, new, found);
    }

    /// Records the read, unless the cell has a read of this launch that the new one does not cover.
    fn note_read(&mut self, word: u64, read: RecordedAccess) {
        let FastChecker { cells, overflow, era, .. } = self.parts();
        let (page, line) = cells.page(word);
        if page.lines[line].launch != era {
            page.renew(line, era, true, overflow);
        }
        let cell = &mut page.cells(line, overflow)[(word % LINE / 4) as usize];
        if cell.read.is_void_or_older() || covers(read.info, cell.read.info) {
            cell.read = read;
        }
    }
}
