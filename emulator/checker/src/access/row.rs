//! Rows: a warp's plain access in which consecutive lanes access consecutive elements, upwards or downwards, judged 32
//! bytes at a time.
//!
//! The rules are those of [`judge`](crate::access::judge), for the common case that nothing races and that the earlier
//! accesses were rows too. Everything else is left to the cells.

use crate::access::accesses::Shadow;
use crate::access::actor::{Actor, Current};
use crate::access::cells::{LINE, Page};
use crate::access::table::Overflow;
use crate::sites::touched::{How, TouchKind, Touched};
use machine::lanes::astray;
use machine::registers::{Mask, WARP};
use machine::watch::Touch;
use std::rc::Rc;

/// The addresses of a regular access: each lane's are `size` bytes above those of the lane before it, or below.
#[derive(Clone, Copy)]
pub struct Row {
    first: u32,
    last: u32,
    /// The lowest address.
    start: u64,
    /// The number of bytes of one lane.
    size: u32,
    /// True if addresses decrease from lane to lane.
    falls: bool,
}

impl Row {
    /// Returns the row of an access, or `None` if the lanes' addresses are not consecutive.
    #[inline(always)]
    pub fn of(touch: &Touch) -> Option<Row> {
        let size = touch.bytes * touch.elements;
        let (first, last) = (touch.mask.trailing_zeros(), 31 - touch.mask.leading_zeros());
        let [one, other] = [first, last].map(|lane| touch.addresses[lane as usize]);
        let falls = other < one && size >= 4;
        let step = if falls { u64::from(size).wrapping_neg() } else { u64::from(size) };
        let zero = one.wrapping_sub(u64::from(first).wrapping_mul(step));
        (astray(touch.addresses, zero, step) & touch.mask == 0).then_some(Row {
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
    pub fn halves(touch: &Touch, kind: TouchKind) -> Option<[Row; 2]> {
        let [one, next, ..] = *touch.addresses;
        // Rejects most other accesses at once.
        if touch.mask != !0 || one.abs_diff(next) != u64::from(touch.bytes * touch.elements) {
            return None;
        }
        let half = |mask: Mask| Row::of(&Touch { mask, ..*touch });
        let rows = [half(0xffff)?, half(0xffff_0000)?];
        let [(low, bytes), (high, _)] = rows.map(|row| row.span());
        (kind == TouchKind::Read || low.abs_diff(high) >= bytes).then_some(rows)
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

impl Actor<'_> {
    /// Judges and records all whole lines of a row. Returns the lanes that remain.
    #[inline(never)]
    pub fn walk(&self, shadow: &mut Shadow, row: &Row, kind: TouchKind, mask: Mask) -> Mask {
        let Shadow { memory, overflow, base, era, .. } = shadow.parts();
        let how = How::new(self.site(), 0xf, kind, None, row.size);
        let how = if row.falls { how.falling() } else { how };
        let count = LINE as u32 >> row.size.trailing_zeros();
        let lanes = lanes_of(row.size);
        let mut left = mask;
        let start = row.start - base;
        if start & u64::from(row.size - 1) != 0 {
            return mask;
        }
        let offset = start.next_multiple_of(LINE);
        // The number of lanes with elements below this line.
        let mut before = (offset - start) as u32 >> row.size.trailing_zeros();
        let all = row.last - row.first + 1;
        if before + count > all {
            return mask;
        }
        let (mut page, mut at) = memory.cells.page(offset);
        let mut lines = 0;
        loop {
            // The lane of the line's lowest element.
            let lane = if row.falls { row.last - before } else { row.first + before };
            let here = lanes << if row.falls { lane + 1 - count } else { lane };
            if mask & here == here {
                if page.lines[at].launch != era {
                    page.renew(at, era, self.outlives(), overflow);
                }
                let new = self.touched(lane, how);
                if self.enter(page, at, overflow, new, kind) || self.calm(page, at, overflow, new, kind) {
                    left &= !here;
                }
            }
            before += count;
            if before + count > all {
                return left;
            }
            lines += 1;
            at += 1;
            if at == page.lines.len() {
                (page, at) = memory.cells.page(offset + lines * LINE);
            }
        }
    }

    #[inline(always)]
    fn enter(&self, page: &mut Page, at: usize, overflow: &Overflow, new: Touched, kind: TouchKind) -> bool {
        let line = &mut page.lines[at];
        let is_open = line.has_older() && !self.is_after_all();
        if line.has_cells() || is_open || !self.ordered(line.write, new) {
            return false;
        }
        if kind == TouchKind::Read && page.is_read_redundant(at, new, overflow.unordered()) {
            return true;
        }
        let line = &mut page.lines[at];
        let (read, comes_after) = (line.read, self.ordered(line.read, new));
        if kind == TouchKind::Read {
            // Parts of words are joined cell by cell.
            if !comes_after && (read.how.is_older() || read.how.size().min(new.how.size()) < 4) {
                return false;
            }
            line.read = new;
            if !comes_after {
                page.add_reader(at, read, overflow.unordered());
            }
            return true;
        }
        if !comes_after || line.has_readers() && !page.readers(at).all(|read| self.ordered(read, new)) {
            return false;
        }
        page.forget_readers(at);
        page.lines[at].set_rows(new, Touched::default());
        true
    }

    /// Replaces the cells of a line by a row that is written over them, if all accesses that they keep are ordered
    /// before it.
    #[inline(never)]
    fn calm(&self, page: &mut Page, at: usize, overflow: &mut Overflow, new: Touched, kind: TouchKind) -> bool {
        // Elements of one or two bytes have several lanes to a cell.
        if kind == TouchKind::Read || !page.lines[at].has_cells() || new.how.size() < 4 {
            return false;
        }
        let cells = page.cells(at, overflow);
        let calm = cells.iter().enumerate().all(|(index, cell)| {
            let current = Current { actor: self, lane: new.of_cell(index).lane() };
            cell.lanes == 0
                && [cell.write, cell.read].iter().all(|&old| old.how.is_none() || current.ordered(old))
                && current.knows_all_of(overflow, cell, new.how)
        });
        if calm {
            cells.iter_mut().for_each(|cell| overflow.release(cell));
            page.lines[at].set_rows(new, Touched::default());
        }
        calm
    }

    /// True if every lane of an earlier row is known to be ordered before the new row's lanes.
    #[inline(always)]
    fn ordered(&self, old: Touched, new: Touched) -> bool {
        if old.how.is_none() || old.thread == new.thread && old.how.is_row_like(new.how) {
            return true;
        }
        if let Some(launch) = old.launch() {
            return self.is_after(launch);
        }
        let count = LINE as usize / new.how.size() as usize;
        let first = lowest(new) as usize;
        let view = &self.views()[first];
        let alike = self.views()[first..first + count].iter().all(|other| Rc::ptr_eq(view, other));
        let (block, warp) = self.place(old.warp());
        alike && view.of_all(block, warp, lanes_of(old.how.size()) << lowest(old)) >= old.clock
    }
}

/// Returns the first lane that has an element of a row's line.
#[inline(always)]
fn lowest(row: Touched) -> u32 {
    if row.how.falls() { row.lane() + 1 - LINE as u32 / row.how.size() } else { row.lane() }
}

/// Returns the first lanes, as many as a line has elements of `size` bytes.
#[inline(always)]
fn lanes_of(size: u32) -> Mask {
    !0 >> (WARP as u32 - LINE as u32 / size)
}
