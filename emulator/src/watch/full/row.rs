//! Rows: a warp's plain access that runs over memory lane by lane, judged 32 bytes at a time.
//!
//! The same rules as in [`race`](super::race), for the common case that nothing races and
//! that whatever was there before was such a row too. Everything else is left to the cells.

use super::cells::{How, Kind, LINE, Line, Touched};
use super::race::{Actor, Memory};
use super::side::Side;
use crate::registers::{Mask, WARP};
use crate::watch::Touch;
use std::rc::Rc;

/// Where the lanes of a regular access are: lane `n` is at `start + n * size`, seen from the first lane there is.
#[derive(Clone, Copy)]
pub struct Row {
    first: u32,
    start: u64,
    /// Bytes of one lane.
    size: u32,
}

impl Row {
    /// `None` if the lanes' addresses are not one after the other.
    #[inline(always)]
    pub fn of(touch: &Touch) -> Option<Row> {
        let size = touch.bytes * touch.elements;
        let first = touch.mask.trailing_zeros();
        let start = touch.addresses[first as usize];
        let zero = start.wrapping_sub(u64::from(first * size));
        let mut astray = 0;
        for (lane, &address) in touch.addresses.iter().enumerate() {
            let off = address.wrapping_sub(zero) != lane as u64 * u64::from(size);
            astray |= u32::from(off) << lane;
        }
        (astray & touch.mask == 0).then_some(Row { first, start, size })
    }

    /// From the first lane's first byte to the last lane's last.
    pub fn span(&self, mask: Mask) -> (u64, u64) {
        (self.start, u64::from((32 - mask.leading_zeros() - self.first) * self.size))
    }

    /// True if no lane between the first and the last is missing.
    pub fn is_dense(&self, mask: Mask) -> bool {
        let from_zero = mask >> self.first;
        from_zero & from_zero.wrapping_add(1) == 0
    }
}

impl Actor<'_> {
    /// Judges and records all whole lines of a row; returns the lanes that are left to do.
    #[expect(clippy::too_many_arguments, reason = "one access, all its sides")]
    pub fn walk(
        &self,
        memory: &mut Memory,
        side: &mut Side,
        launch: u32,
        row: &Row,
        base: u64,
        kind: Kind,
        mask: Mask,
    ) -> Mask {
        let how = How::new(self.site, 0xf, kind, None, row.size);
        let count = LINE as u32 / row.size;
        let lanes = lanes_of(row.size);
        let mut left = mask;
        let start = row.start - base;
        if !start.is_multiple_of(u64::from(row.size)) {
            return mask;
        }
        let mut offset = start.next_multiple_of(LINE);
        let mut lane = row.first + (offset - start) as u32 / row.size;
        while lane + count <= WARP as u32 {
            let here = lanes << lane;
            if mask & here == here {
                let (page, at) = memory.cells.page(offset);
                if page.lines[at].launch != launch {
                    page.renew(at, launch, self.past.is_some(), side);
                }
                let new = Touched { thread: self.warp * 32 + lane, clock: self.clock, how };
                if self.enter(&mut page.lines[at], new, kind) {
                    left &= !here;
                }
            }
            offset += LINE;
            lane += count;
        }
        left
    }

    #[inline(always)]
    fn enter(&self, line: &mut Line, new: Touched, kind: Kind) -> bool {
        if line.has_cells() || !self.ordered(line.write, new) || !self.ordered(line.read, new) {
            return false;
        }
        if kind == Kind::Read {
            line.read = new;
        } else {
            line.write = new;
            line.read = Touched::default();
        }
        true
    }

    /// True if every lane of an earlier row is known to be ordered before the new row's lanes.
    #[inline(always)]
    fn ordered(&self, old: Touched, new: Touched) -> bool {
        if old.how.is_none() || old.thread == new.thread && old.how.size() == new.how.size() {
            return true;
        }
        if let Some(launch) = old.launch() {
            return self.past.is_none_or(|past| past.is_before(launch));
        }
        let (first, count) = (new.lane() as usize, LINE as usize / new.how.size() as usize);
        let view = &self.views[first];
        let alike = self.views[first..first + count].iter().all(|other| Rc::ptr_eq(view, other));
        let (block, warp) = self.place(old.warp());
        alike && view.of_all(block, warp, lanes_of(old.how.size()) << old.lane()) >= old.clock
    }
}

/// As many of the first lanes as have an element of so many bytes in a line.
#[inline(always)]
fn lanes_of(size: u32) -> Mask {
    !0 >> (WARP as u32 - LINE as u32 / size)
}
