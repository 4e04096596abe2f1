//! Rows: a warp's plain access in which consecutive lanes access consecutive elements, judged 32 bytes at a time.
//!
//! Property: what a view orders before one lane, it orders before all lanes that share this view. So one comparison of
//! an earlier row's clock with the view settles all lanes of a line.
//!
//! A line is settled only if no lane races and each recorded access covers what it replaces. All else is left to
//! [`judge`](crate::fast::judge).

use crate::access::actor::{Actor, Current};
use crate::access::row::LaneRow;
use crate::fast::cells::{LINE, ShadowPage};
use crate::fast::checker::FastChecker;
use crate::fast::side_table::SideTable;
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use machine::registers::{Mask, WARP};
use std::rc::Rc;

impl Actor<'_> {
    /// Judges and records all whole lines of a row. Returns the lanes that remain.
    #[inline(never)]
    pub fn walk(&self, checker: &mut FastChecker, row: &LaneRow, kind: RecordedKind, mask: Mask) -> Mask {
        let FastChecker { cells, overflow, base, era, .. } = checker.parts();
        let info = AccessInfo::new(self.site(), 0xf, kind, None, row.size);
        let info = if row.falls { info.falling() } else { info };
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
        let (mut page, mut at) = cells.page(offset);
        let mut lines = 0;
        loop {
            // The lane of the line's lowest element.
            let lane = if row.falls { row.last - before } else { row.first + before };
            let here = lanes << if row.falls { lane + 1 - count } else { lane };
            if mask & here == here {
                if page.lines[at].launch != era {
                    page.renew(at, era, self.outlives(), overflow);
                }
                let new = self.touched(lane, info);
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
                (page, at) = cells.page(offset + lines * LINE);
            }
        }
    }

    #[inline(always)]
    fn enter(
        &self,
        page: &mut ShadowPage,
        at: usize,
        overflow: &SideTable,
        new: RecordedAccess,
        kind: RecordedKind,
    ) -> bool {
        let line = &mut page.lines[at];
        let is_open = line.has_older() && !self.is_after_all();
        if line.has_cells() || is_open || !self.ordered(line.write, new) {
            return false;
        }
        if kind == RecordedKind::Read && page.is_read_redundant(at, new, overflow.unordered()) {
            return true;
        }
        let line = &mut page.lines[at];
        let (read, comes_after) = (line.read, self.ordered(line.read, new));
        if kind == RecordedKind::Read {
            // Parts of words are joined cell by cell.
            if !comes_after && (read.info.is_older() || read.info.size().min(new.info.size()) < 4) {
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
        page.lines[at].set_rows(new, RecordedAccess::default());
        true
    }

    /// Replaces the cells of a line by a row that is written over them, if all accesses that they keep are ordered
    /// before it. Returns false if some access is not ordered.
    #[inline(never)]
    fn calm(
        &self,
        page: &mut ShadowPage,
        at: usize,
        overflow: &mut SideTable,
        new: RecordedAccess,
        kind: RecordedKind,
    ) -> bool {
        // Elements of one or two bytes have several lanes to a cell.
        if kind == RecordedKind::Read || !page.lines[at].has_cells() || new.info.size() < 4 {
            return false;
        }
        let cells = page.cells(at, overflow);
        let calm = cells.iter().enumerate().all(|(index, cell)| {
            let current = Current { actor: self, lane: new.of_cell(index).lane() };
            cell.lanes == 0
                && [cell.write, cell.read].iter().all(|&old| old.info.is_none() || current.ordered(old))
                && current.knows_all_of(overflow, cell, new.info)
        });
        if calm {
            cells.iter_mut().for_each(|cell| overflow.release(cell));
            page.lines[at].set_rows(new, RecordedAccess::default());
        }
        calm
    }

    /// True if every lane of an earlier row is known to be ordered before the new row's lanes.
    #[inline(always)]
    fn ordered(&self, old: RecordedAccess, new: RecordedAccess) -> bool {
        if old.info.is_none() || old.thread == new.thread && old.info.is_row_like(new.info) {
            return true;
        }
        let count = LINE as usize / new.info.size() as usize;
        let first = lowest(new) as usize;
        if let Some(launch) = old.launch() {
            return (first..first + count).all(|lane| self.is_after(launch, lane as u32));
        }
        let view = &self.views()[first];
        let alike = self.views()[first..first + count].iter().all(|other| Rc::ptr_eq(view, other));
        let (block, warp) = self.place(old.warp());
        alike && view.clock_of_all(block, warp, lanes_of(old.info.size()) << lowest(old)) >= old.clock
    }
}

/// Returns the first lane that has an element of a row's line.
#[inline(always)]
fn lowest(row: RecordedAccess) -> u32 {
    if row.info.falls() { row.lane() + 1 - LINE as u32 / row.info.size() } else { row.lane() }
}

/// Returns the first lanes, as many as a line has elements of `size` bytes.
#[inline(always)]
fn lanes_of(size: u32) -> Mask {
    !0 >> (WARP as u32 - LINE as u32 / size)
}
