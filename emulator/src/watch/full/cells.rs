//! Who touched which bytes last: a cell for every four bytes that anyone touched.
//!
//! A cell holds the last write and the last read. What does not fit beside them (several
//! readers, several atomics, threads that share a word byte by byte) goes to a side table,
//! where one entry stands for many lanes of a warp. A cell takes 32 bytes for 4, and pages
//! of cells exist only where memory was touched.

use super::clock::Clock;
use crate::exec::memory::Scope;
use crate::registers::Mask;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Read = 1,
    Write = 2,
    Atomic = 3,
}

/// How an access was made, in one word: 18 bits of address, then
/// 4 of bytes touched, 2 of kind, 2 scope, 1 strong, 1 seen, 1 older, 3 size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct How(u32);

/// Kernels with more instructions than this are not watched for races.
pub const MOST_INSTRUCTIONS: usize = 1 << 18;

const OLDER: u32 = 1 << 3;
const SEEN: u32 = 1 << 4;

impl How {
    pub fn new(pc: u32, bytes: u32, kind: Kind, scope: Option<Scope>, size: u32) -> How {
        let scope_bits = scope.map_or(0, |scope| 1 | (scope as u32) << 1);
        How(pc << 14 | bytes << 10 | (kind as u32) << 8 | scope_bits << 5 | size.trailing_zeros())
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    pub fn pc(self) -> u32 {
        self.0 >> 14
    }

    /// Which of the four bytes.
    pub fn bytes(self) -> u32 {
        self.0 >> 10 & 0xf
    }

    pub fn kind(self) -> Kind {
        match self.0 >> 8 & 3 {
            1 => Kind::Read,
            2 => Kind::Write,
            _ => Kind::Atomic,
        }
    }

    pub fn writes(self) -> bool {
        self.kind() != Kind::Read
    }

    /// True for an access of an older launch.
    pub fn is_older(self) -> bool {
        self.0 & OLDER != 0
    }

    /// True for a cell's last read if its thread has observed the last write.
    pub fn has_seen(self) -> bool {
        self.0 & SEEN != 0
    }

    pub fn seen(self, seen: bool) -> How {
        How(self.0 & !SEEN | if seen { SEEN } else { 0 })
    }

    /// The scope of a strong access.
    pub fn scope(self) -> Option<Scope> {
        let scope = [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys][(self.0 >> 6 & 3) as usize];
        (self.0 >> 5 & 1 == 1).then_some(scope)
    }

    /// Scope, bytes and size of a strong write.
    fn way(self) -> Option<(Scope, u32, u32)> {
        self.scope().filter(|_| self.writes()).map(|scope| (scope, self.bytes(), self.size()))
    }

    pub fn size(self) -> u32 {
        1 << (self.0 & 7)
    }
}

/// One access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Touched {
    /// Warp in the launch x 32 + lane.
    pub thread: u32,
    pub clock: Clock,
    pub how: How,
}

impl Touched {
    pub fn warp(self) -> u32 {
        self.thread / 32
    }

    pub fn lane(self) -> u32 {
        self.thread % 32
    }

    /// The same as a later launch keeps it: who made it no longer counts, in which launch does.
    pub fn of_launch(self, launch: u32) -> Touched {
        if self.how.is_none() || self.how.is_older() {
            return self;
        }
        Touched { thread: u32::MAX, clock: launch, how: How(self.how.0 | OLDER) }
    }

    /// The launch of an access that is not of the current one.
    pub fn launch(self) -> Option<u32> {
        self.how.is_older().then_some(self.clock)
    }
}

/// The last accesses of four bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// The launch they belong to. A write of an older one stays until this one writes.
    pub launch: u32,
    pub write: Touched,
    pub read: Touched,
    /// Index into the side table, plus one.
    pub more: u32,
}

/// Accesses that a cell has no room for: lanes of a warp at one clock.
#[derive(Clone, Debug, Default)]
pub struct More {
    entries: FxHashMap<(u32, Clock, How), Mask>,
    /// How the strong writes among them were made, if all in one way: a million atomic
    /// additions to a counter are then judged at a glance.
    strong: Option<(Scope, u32, u32)>,
    /// Entries that are not such strong writes.
    others: usize,
}

impl More {
    pub fn add(&mut self, touched: Touched) {
        let how = touched.how;
        match self.entries.entry((touched.warp(), touched.clock, how)) {
            Entry::Occupied(mut known) => *known.get_mut() |= 1 << touched.lane(),
            Entry::Vacant(new) => {
                new.insert(1 << touched.lane());
                let way = how.way();
                if way.is_none() || *self.strong.get_or_insert(way.expect("strong")) != way.expect("strong") {
                    self.others += 1;
                }
            }
        }
    }

    /// False if nothing in here can race with `new`: all are strong writes like it.
    pub fn concerns(&self, new: How) -> bool {
        self.others != 0 || new.way().is_none() && new.scope().is_none() || {
            let alike = |(scope, bytes, size): (Scope, u32, u32)| {
                scope >= Scope::Gpu && new.scope() >= Some(Scope::Gpu) && bytes == new.bytes() && size == new.size()
            };
            !self.strong.is_none_or(alike)
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, Clock, How, Mask)> {
        self.entries.iter().map(|(&(warp, clock, how), &lanes)| (warp, clock, how, lanes))
    }

    pub fn retain(&mut self, keep: impl Fn(How) -> bool) {
        self.entries.retain(|&(.., how), _| keep(how));
        let strong = self.strong;
        self.others = self.entries.keys().filter(|(.., how)| how.way().is_none() || how.way() != strong).count();
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn clear(&mut self) {
        *self = More::default();
    }
}

/// Side table: entries are few, so an index is never given back before the launch is over.
#[derive(Clone, Debug, Default)]
pub struct Side {
    list: Vec<More>,
    free: Vec<u32>,
}

impl Side {
    pub fn get(&mut self, cell: &mut Cell) -> &mut More {
        if cell.more == 0 {
            cell.more = self.free.pop().unwrap_or_else(|| {
                self.list.push(More::default());
                self.list.len() as u32
            });
        }
        &mut self.list[cell.more as usize - 1]
    }

    pub fn existing(&mut self, cell: &Cell) -> Option<&mut More> {
        self.list.get_mut((cell.more as usize).checked_sub(1)?)
    }

    pub fn release(&mut self, cell: &mut Cell) {
        if cell.more != 0 {
            self.list[cell.more as usize - 1].clear();
            self.free.push(cell.more);
            cell.more = 0;
        }
    }
}

/// Cells in a page: 4 KiB of memory.
const PAGE: usize = 1024;

/// The cells of one stretch of memory, made page by page as they are touched.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pages: Vec<Option<Box<[Cell; PAGE]>>>,
}

impl Cells {
    /// The cell of the four bytes that hold `offset`.
    #[inline(always)]
    pub fn at(&mut self, offset: u64) -> &mut Cell {
        let index = (offset / 4) as usize;
        let page = index / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let cells = self.pages[page].get_or_insert_with(|| Box::new([Cell::default(); PAGE]));
        &mut cells[index % PAGE]
    }

    pub fn clear(&mut self) {
        self.pages.iter_mut().flatten().for_each(|page| **page = [Cell::default(); PAGE]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_fits_a_word() {
        let how = How::new(200_000, 0b0110, Kind::Atomic, Some(Scope::Gpu), 4);
        assert_eq!(
            (how.pc(), how.bytes(), how.kind(), how.scope(), how.size()),
            (200_000, 0b0110, Kind::Atomic, Some(Scope::Gpu), 4)
        );
        assert_eq!(How::new(1, 0xf, Kind::Read, None, 16).scope(), None);
        let old = Touched { thread: 7, clock: 9, how }.of_launch(3);
        assert_eq!(
            (old.launch(), old.of_launch(4).launch(), old.how.size(), old.how.pc()),
            (Some(3), Some(3), 4, 200_000)
        );
        assert_eq!(size_of::<Cell>(), 32);
    }
}
