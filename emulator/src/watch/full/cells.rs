//! Who touched which bytes last.
//!
//! A warp mostly touches memory as a row, lane by lane: one line of 32 bytes then stands for
//! the accesses of all lanes that lie in it. Where accesses are less regular a line has eight
//! cells of four bytes. Line and cell hold the last write and the last read; what does not
//! fit beside them goes to a [side table](super::side). A line takes 32 bytes, its cells
//! 256, and pages of lines exist only where memory was touched.

use super::clock::Clock;
use super::side::Side;
use crate::exec::memory::Scope;
use crate::registers::Mask;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Read = 1,
    /// A store, or an atomic operation whose old value nobody looks at.
    Write = 2,
    Atomic = 3,
}

/// Scope, bytes and size of a strong write of device scope or wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way(u32);

impl Way {
    pub fn bytes(self) -> u32 {
        How(self.0).bytes()
    }
}

/// How an access was made, in one word: 18 bits of site, then
/// 4 of bytes touched, 2 of kind, 2 scope, 1 strong, 1 spread, 1 older, 3 size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct How(u32);

/// Kernels with more instructions than this are not watched for races.
pub const MOST_INSTRUCTIONS: usize = 1 << 18;

const SIZE: u32 = 7;
const OLDER: u32 = 1 << 3;
/// In a cell: neighbouring lanes touched neighbouring elements of the word, and `thread` is the first element's.
/// In a row: addresses fall from lane to lane.
const SPREAD: u32 = 1 << 4;
/// A bit that [`Kind`] has for all that write.
const WRITES: u32 = 2 << 8;
/// Strong, and of scope 2 (`.gpu`) or 3 (`.sys`).
const WIDE: u32 = 1 << 5 | 1 << 7;
const BYTES: u32 = 0xf << 10;
const WAY: u32 = BYTES | 7 << 5 | SIZE;

impl How {
    pub const NONE: How = How(0);

    pub fn new(site: u32, bytes: u32, kind: Kind, scope: Option<Scope>, size: u32) -> How {
        let scope_bits = scope.map_or(0, |scope| 1 | (scope as u32) << 1);
        How(site << 14 | bytes << 10 | (kind as u32) << 8 | scope_bits << 5 | size.trailing_zeros())
    }

    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Where it was made: see [`super::sites`].
    pub fn site(self) -> u32 {
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

    pub fn is_spread(self) -> bool {
        self.0 & SPREAD != 0
    }

    /// The same, as a row whose addresses fall from lane to lane.
    pub fn falling(self) -> How {
        How(self.0 | SPREAD)
    }

    /// True for such a row.
    #[inline(always)]
    pub fn falls(self) -> bool {
        self.0 & SPREAD != 0
    }

    /// True if two rows' elements are of one size and run in one direction.
    #[inline(always)]
    pub fn is_row_like(self, other: How) -> bool {
        (self.0 ^ other.0) & (SIZE | SPREAD | OLDER) == 0
    }

    /// The scope of a strong access.
    pub fn scope(self) -> Option<Scope> {
        let scope = [Scope::Cta, Scope::Cluster, Scope::Gpu, Scope::Sys][(self.0 >> 6 & 3) as usize];
        (self.0 >> 5 & 1 == 1).then_some(scope)
    }

    /// True for a strong access of device scope or wider.
    #[inline(always)]
    pub fn is_wide(self) -> bool {
        self.0 & WIDE == WIDE
    }

    /// The way of a wide write.
    #[inline(always)]
    pub fn way(self) -> Option<Way> {
        self.wide_way().filter(|_| self.writes())
    }

    /// The way of a wide access.
    #[inline(always)]
    pub fn wide_way(self) -> Option<Way> {
        self.is_wide().then_some(Way(self.0 & WAY))
    }

    /// True if two strong accesses are of the same bytes and size.
    #[inline(always)]
    pub fn is_like(self, way: Way) -> bool {
        (self.0 ^ way.0) & (BYTES | SIZE) == 0
    }

    /// True for a strong access of this launch, of the same bytes and size.
    pub fn is_like_strong(self, other: How) -> bool {
        self.scope().is_some() && !self.is_older() && (self.0 ^ other.0) & (BYTES | SIZE) == 0
    }

    /// True if both are wide writes of this launch, of the same bytes and size.
    #[inline(always)]
    pub fn is_alike_write(self, other: How) -> bool {
        let both = self.0 & other.0;
        both & WIDE == WIDE && both & WRITES != 0 && (self.0 | other.0) & OLDER == 0 && (self.0 ^ other.0) & WAY == 0
    }

    /// True if a strong read made like this observes whatever one made like `other` would have.
    #[inline(always)]
    pub fn observes_as(self, other: How) -> bool {
        self.is_like_strong(other) && (self.is_wide() || !other.is_wide())
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

    /// The same access by another lane.
    pub fn by(self, lane: usize) -> Touched {
        Touched { thread: self.thread & !31 | lane as u32, ..self }
    }

    /// True if only the lanes differ.
    #[inline(always)]
    pub fn is_beside(self, other: Touched) -> bool {
        (self.thread ^ other.thread) < 32 && self.clock == other.clock && self.how == other.how
    }

    /// True if it says no more than in which launch, if in any.
    #[inline(always)]
    fn is_void_or_older(self) -> bool {
        self.how.is_none() || self.how.is_older()
    }

    /// The same as a later launch keeps it: who made it no longer counts, in which launch does.
    #[inline(always)]
    pub fn of_launch(self, launch: u32) -> Touched {
        if self.is_void_or_older() {
            return self;
        }
        Touched { thread: u32::MAX, clock: launch, how: How(self.how.0 & !SPREAD | OLDER) }
    }

    /// Who touched the word's first element, if its elements were touched lane by lane. `None` where
    /// the lane before this warp's first would have.
    fn first_lane(self) -> Option<u32> {
        let before = if self.how.is_spread() { 0 } else { self.how.bytes().trailing_zeros() / self.how.size() };
        (self.lane() >= before).then(|| self.thread - before)
    }

    /// Both in one, where neighbouring lanes touch neighbouring bytes or halves in one step.
    #[inline(always)]
    pub fn spread_with(self, new: Touched) -> Option<Touched> {
        const SAME: u32 = !(0xf << 10 | SPREAD);
        let alike = new.how.size() < 4
            && self.how.0 & SAME == new.how.0 & SAME
            && self.clock == new.clock
            && self.warp() == new.warp()
            && self.how.bytes() & new.how.bytes() == 0;
        if !alike || self.first_lane()? != new.first_lane()? {
            return None;
        }
        let how = How(self.how.0 | new.how.0 | SPREAD);
        Some(Touched { thread: new.first_lane()?, how, ..new })
    }

    /// The accesses that a spread one stands for; any other is its own and only part.
    pub fn parts(self) -> impl Iterator<Item = Touched> {
        let size = self.how.size();
        let count = if self.how.is_spread() { 4 / size } else { 1 };
        (0..count).filter_map(move |element| {
            if count == 1 {
                return Some(self);
            }
            let bytes = ((1 << size) - 1) << (element * size) & self.how.bytes();
            let how = How(self.how.0 & !(0xf << 10 | SPREAD) | bytes << 10);
            (bytes != 0).then_some(Touched { thread: self.thread + element, how, ..self })
        })
    }

    /// What a row's first element says about cell `at` of its line.
    #[inline(always)]
    pub fn of_cell(self, at: usize) -> Touched {
        if self.is_void_or_older() {
            return self;
        }
        let (size, on) = (self.how.size(), at as u32 * 4 / self.how.size());
        if self.how.falls() {
            return Touched { thread: self.thread - on, how: How(self.how.0 & !SPREAD), ..self };
        }
        let how = How(self.how.0 | if size < 4 { SPREAD } else { 0 });
        Touched { thread: self.thread + on, how, ..self }
    }

    /// The launch of an access that is not of the current one.
    pub fn launch(self) -> Option<u32> {
        self.how.is_older().then_some(self.clock)
    }
}

/// The last accesses of four bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    pub write: Touched,
    /// Lanes that made this same strong write at this clock of their warp, if nothing but the like of it
    /// can race with another; else 0.
    pub lanes: Mask,
    pub read: Touched,
    /// Index into the side table, plus one.
    pub more: u32,
}

impl Cell {
    pub fn is_untouched(&self) -> bool {
        self.write.how.is_none() && self.read.how.is_none() && self.more == 0
    }
}

/// Bytes that a line stands for, and cells.
pub const LINE: u64 = 32;
pub const CELLS: usize = LINE as usize / 4;

/// The last accesses of 32 bytes: two *rows*, plain accesses in which neighbouring lanes touched
/// neighbouring elements, upwards or downwards, each written down as the access of its first element; or else eight cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// The launch that the accesses belong to. A write of an older one stays until this one writes.
    pub launch: u32,
    pub write: Touched,
    pub read: Touched,
    /// Where its cells are, plus one; once given, they are the line's for good.
    group: u32,
}

const IN_USE: u32 = 1 << 31;

impl Line {
    /// True if the cells hold what the rows cannot.
    #[inline(always)]
    pub fn has_cells(&self) -> bool {
        self.group & IN_USE != 0
    }

    pub fn set_rows(&mut self, write: Touched, read: Touched) {
        self.group &= !IN_USE;
        (self.write, self.read) = (write, read);
    }
}

/// Lines in a page: 4 KiB of memory.
const PAGE: usize = 128;
pub const PAGE_BYTES: u64 = PAGE as u64 * LINE;

#[derive(Clone, Debug)]
pub struct Page {
    pub lines: [Line; PAGE],
    groups: Vec<[Cell; CELLS]>,
}

impl Page {
    fn new() -> Box<Page> {
        Box::new(Page { lines: [Line::default(); PAGE], groups: Vec::new() })
    }

    /// A line's cells; its rows are spread over them if they were not in use.
    #[inline(always)]
    pub fn cells(&mut self, line: usize) -> &mut [Cell; CELLS] {
        if !self.lines[line].has_cells() {
            self.spread(line);
        }
        &mut self.groups[(self.lines[line].group & !IN_USE) as usize - 1]
    }

    fn spread(&mut self, line: usize) {
        let line = &mut self.lines[line];
        if line.group == 0 {
            if self.groups.len() == self.groups.capacity() {
                // Memory is what a big launch runs out of first: no doubling.
                self.groups.reserve_exact(16);
            }
            self.groups.push([Cell::default(); CELLS]);
            line.group = self.groups.len() as u32;
        }
        let (write, read) = (line.write, line.read);
        let group = &mut self.groups[line.group as usize - 1];
        line.group |= IN_USE;
        if write.is_void_or_older() && read.is_void_or_older() {
            // The same for every cell: most lines are met this way.
            *group = [Cell { write, read, ..Cell::default() }; CELLS];
        } else {
            *group =
                std::array::from_fn(|at| Cell { write: write.of_cell(at), read: read.of_cell(at), ..Cell::default() });
        }
    }

    /// A launch's first look at a line. Where memory outlives launches, what older ones did stays until this launch
    /// touches the same bytes: a launch in another stream may be ordered after this one and still not after those.
    #[inline(always)]
    pub fn renew(&mut self, at: usize, launch: u32, outlives: bool, side: &mut Side) {
        let line = &mut self.lines[at];
        let old = std::mem::replace(&mut line.launch, launch);
        let kept = old != 0 && outlives;
        if line.has_cells() {
            self.renew_cells(at, kept.then_some(old), side);
        } else {
            let kept = |touched: Touched| if kept { touched.of_launch(old) } else { Touched::default() };
            (line.write, line.read) = (kept(line.write), kept(line.read));
        }
    }

    /// The same for a line that has cells; what was there is kept as that of launch `old`, if of any.
    fn renew_cells(&mut self, at: usize, old: Option<u32>, side: &mut Side) {
        let cells = self.cells(at);
        let Some(old) = old else {
            cells.iter_mut().for_each(|cell| side.release(cell));
            return self.lines[at].set_rows(Touched::default(), Touched::default());
        };
        let Cell { write, read, .. } = cells[0];
        let alike = |cell: &Cell| (cell.write.how, cell.read.how) == (write.how, read.how);
        if !write.how.is_older() && !read.how.is_older() && cells.iter().all(alike) {
            // No more is kept than how the accesses were made, and that is the same for all.
            return self.lines[at].set_rows(write.of_launch(old), read.of_launch(old));
        }
        for cell in &mut *cells {
            // The side table is the launch's own: an older cell's entry means nothing now.
            *cell = Cell { write: cell.write.of_launch(old), read: cell.read.of_launch(old), ..Cell::default() };
        }
        let Cell { write, read, .. } = cells[0];
        if cells.iter().all(|cell| (cell.write, cell.read) == (write, read)) {
            self.lines[at].set_rows(write, read);
        }
    }
}

/// The cells of one stretch of memory, made page by page as they are touched.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pages: Vec<Option<Box<Page>>>,
}

impl Cells {
    /// The page that holds `offset`, and which of its lines.
    #[inline(always)]
    pub fn page(&mut self, offset: u64) -> (&mut Page, usize) {
        let index = (offset / LINE) as usize;
        let page = index / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        (self.pages[page].get_or_insert_with(Page::new), index % PAGE)
    }

    /// Forgets who touched a range of whole lines.
    pub fn forget(&mut self, offset: u64, bytes: u64) {
        for at in (offset..offset + bytes).step_by(LINE as usize) {
            let (page, line) = self.page(at);
            // What is of no launch goes when the line is next touched.
            page.lines[line].launch = 0;
        }
    }

    /// The cell of the four bytes that hold `offset`, and the launch it belongs to.
    pub fn peek(&self, offset: u64) -> (u32, Cell) {
        let (index, at) = ((offset / LINE) as usize, (offset % LINE / 4) as usize);
        let Some(Some(page)) = self.pages.get(index / PAGE) else { return Default::default() };
        let line = &page.lines[index % PAGE];
        let cell = match line.has_cells() {
            true => page.groups[(line.group & !IN_USE) as usize - 1][at],
            false => Cell { write: line.write.of_cell(at), read: line.read.of_cell(at), ..Cell::default() },
        };
        (line.launch, cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lanes_share_a_word_without_a_side_entry() {
        let byte = |lane: u32, at: u32| Touched {
            thread: 64 + lane,
            clock: 3,
            how: How::new(7, 1 << at, Kind::Read, None, 1),
        };
        let four = (5..8).fold(byte(4, 0), |word, lane| word.spread_with(byte(lane, lane - 4)).expect("neighbours"));
        assert_eq!(four.parts().collect::<Vec<_>>(), (4..8).map(|lane| byte(lane, lane - 4)).collect::<Vec<_>>());
        assert_eq!(byte(4, 0).spread_with(byte(6, 1)), None);
        assert_eq!(byte(4, 0).spread_with(byte(4, 1)), None);
        // Lane 0 has no neighbour before it in its warp.
        assert_eq!(byte(0, 1).spread_with(byte(1, 2)), None);
        let half =
            |lane: u32, at: u32| Touched { thread: lane, clock: 3, how: How::new(7, 3 << at, Kind::Write, None, 2) };
        assert_eq!(half(9, 0).spread_with(half(10, 2)).map(|both| both.parts().count()), Some(2));
    }

    #[test]
    fn a_row_says_the_same_as_its_cells() {
        for size in [1, 2, 4, 8, 16] {
            let mut cells = Cells::default();
            let how = How::new(7, 0xf, Kind::Write, None, size);
            let (page, line) = cells.page(64);
            page.lines[line] = Line { launch: 1, write: Touched { thread: 96, clock: 2, how }, ..Line::default() };
            let (_, before) = cells.peek(64 + 20);
            let threads: Vec<_> = before.write.parts().map(|part| part.thread - 96).collect();
            let want: Vec<_> = (20..24).step_by(size.min(4) as usize).map(|byte| byte / size).collect();
            assert_eq!(threads, want, "elements of {size} bytes");
            let (page, line) = cells.page(64);
            page.cells(line);
            assert_eq!(cells.peek(64 + 20).1.write, before.write);
        }
    }

    #[test]
    fn a_row_that_falls_says_the_same_as_its_cells() {
        for size in [4, 8, 16] {
            let mut cells = Cells::default();
            let how = How::new(7, 0xf, Kind::Read, None, size).falling();
            let (page, line) = cells.page(0);
            page.lines[line] = Line { launch: 1, read: Touched { thread: 127, clock: 2, how }, ..Line::default() };
            let (_, before) = cells.peek(20);
            assert_eq!((before.read.thread, before.read.how.is_spread()), (127 - 20 / size, false));
            cells.page(0).0.cells(line);
            assert_eq!(cells.peek(20).1.read, before.read);
        }
    }

    #[test]
    fn an_access_fits_a_word() {
        let how = How::new(200_000, 0b0110, Kind::Atomic, Some(Scope::Gpu), 4);
        assert_eq!(
            (how.site(), how.bytes(), how.kind(), how.scope(), how.size()),
            (200_000, 0b0110, Kind::Atomic, Some(Scope::Gpu), 4)
        );
        assert_eq!(How::new(1, 0xf, Kind::Read, None, 16).scope(), None);
        let old = Touched { thread: 7, clock: 9, how }.of_launch(3);
        assert_eq!(
            (old.launch(), old.of_launch(4).launch(), old.how.size(), old.how.site()),
            (Some(3), Some(3), 4, 200_000)
        );
        assert_eq!((size_of::<Cell>(), size_of::<Line>()), (32, 32));
    }
}
