//! Who touched which bytes last.
//!
//! A warp mostly touches memory as a row, lane by lane: one line of 32 bytes then stands for
//! the accesses of all lanes that lie in it. Where accesses are less regular a line has eight
//! cells of four bytes. Line and cell hold the last write and the last read; what does not
//! fit beside them goes to a [side table](crate::access::overflow); rows of many warps that read one line are kept with its
//! page. A line takes 32 bytes, its cells 256, and pages of lines exist only where memory was touched.

use crate::access::cell::Cell;
use crate::access::overflow::Overflow;
use crate::sites::touched::Touched;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Where its cells are, plus one; once given, they are the line's for good. Beside that, two flags.
    group: u32,
}

/// The cells are in use.
const IN_USE: u32 = 1 << 31;
/// There are [readers](Page::add_reader).
const READERS: u32 = 1 << 30;
const GROUP: u32 = !(IN_USE | READERS);

impl Line {
    /// True if the cells hold what the rows cannot.
    #[inline(always)]
    pub fn has_cells(&self) -> bool {
        self.group & IN_USE != 0
    }

    #[inline(always)]
    pub fn has_readers(&self) -> bool {
        self.group & READERS != 0
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
    /// By line: see [`Page::add_reader`].
    readers: FxHashMap<usize, FxHashSet<Touched>>,
}

impl Page {
    fn new() -> Box<Page> {
        Box::new(Page { lines: [Line::default(); PAGE], groups: Vec::new(), readers: FxHashMap::default() })
    }

    /// A row that has read a line, where another one is about to do so and nothing orders the two. The line stands for the last
    /// one, and what is kept here stands for what its cells would have in the side table, once for all.
    pub fn add_reader(&mut self, line: usize, row: Touched) {
        self.lines[line].group |= READERS;
        self.readers.entry(line).or_default().insert(row);
    }

    pub fn readers(&self, line: usize) -> impl Iterator<Item = Touched> {
        self.readers.get(&line).into_iter().flatten().copied()
    }

    #[inline(always)]
    pub fn forget_readers(&mut self, line: usize) {
        if self.lines[line].has_readers() {
            self.lines[line].group &= !READERS;
            self.readers.entry(line).or_default().clear();
        }
    }

    /// A line's cells; its rows are spread over them if they were not in use.
    #[inline(always)]
    pub fn cells(&mut self, line: usize, overflow: &mut Overflow) -> &mut [Cell; CELLS] {
        if !self.lines[line].has_cells() {
            self.spread(line, overflow);
        }
        &mut self.groups[(self.lines[line].group & GROUP) as usize - 1]
    }

    fn spread(&mut self, at: usize, overflow: &mut Overflow) {
        let line = &mut self.lines[at];
        if line.group & GROUP == 0 {
            if self.groups.len() == self.groups.capacity() {
                // Memory is what a big launch runs out of first: no doubling.
                self.groups.reserve_exact(16);
            }
            self.groups.push([Cell::default(); CELLS]);
            line.group |= self.groups.len() as u32;
        }
        let (write, read) = (line.write, line.read);
        let group = &mut self.groups[(line.group & GROUP) as usize - 1];
        line.group |= IN_USE;
        if write.is_void_or_older() && read.is_void_or_older() {
            // Every cell gets what the line had: most lines are met this way.
            *group = [Cell { write, read, ..Cell::default() }; CELLS];
        } else {
            *group =
                std::array::from_fn(|at| Cell { write: write.of_cell(at), read: read.of_cell(at), ..Cell::default() });
        }
        if line.has_readers() {
            for row in self.readers.get(&at).into_iter().flatten() {
                group.iter_mut().enumerate().for_each(|(at, cell)| overflow.add_read(cell, row.of_cell(at), 0));
            }
            self.forget_readers(at);
        }
    }

    /// A launch's first look at a line. Where memory outlives launches, what older ones did stays until this launch
    /// touches the same bytes: a launch in another stream may be ordered after this one and still not after those.
    #[inline(always)]
    pub fn renew(&mut self, at: usize, launch: u32, outlives: bool, overflow: &mut Overflow) {
        let line = &mut self.lines[at];
        let old = std::mem::replace(&mut line.launch, launch);
        let kept = old != 0 && outlives;
        if line.has_cells() {
            self.renew_cells(at, kept.then_some(old), overflow);
        } else {
            let kept = |touched: Touched| if kept { touched.of_launch(old) } else { Touched::default() };
            (line.write, line.read) = (kept(line.write), kept(line.read));
            // Of an older launch no more is kept than how it has touched the line.
            self.forget_readers(at);
        }
    }

    /// As `renew`, for a line that has cells; what was there is kept as that of launch `old`, if of any.
    fn renew_cells(&mut self, at: usize, old: Option<u32>, overflow: &mut Overflow) {
        let cells = self.cells(at, overflow);
        let Some(old) = old else {
            cells.iter_mut().for_each(|cell| overflow.release(cell));
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
            true => page.groups[(line.group & GROUP) as usize - 1][at],
            false => Cell { write: line.write.of_cell(at), read: line.read.of_cell(at), ..Cell::default() },
        };
        (line.launch, cell)
    }
}

/// What is kept for one stretch of memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub cells: Cells,
    /// Shared memory is a new one for each block: they are told apart as launches are.
    pub block: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::touched::{How, TouchKind};

    #[test]
    fn a_row_says_the_same_as_its_cells() {
        for size in [1, 2, 4, 8, 16] {
            let mut cells = Cells::default();
            let how = How::new(7, 0xf, TouchKind::Write, None, size);
            let (page, line) = cells.page(64);
            page.lines[line] = Line { launch: 1, write: Touched { thread: 96, clock: 2, how }, ..Line::default() };
            let (_, before) = cells.peek(64 + 20);
            let threads: Vec<_> = before.write.parts().map(|part| part.thread - 96).collect();
            let want: Vec<_> = (20..24).step_by(size.min(4) as usize).map(|byte| byte / size).collect();
            assert_eq!(threads, want, "elements of {size} bytes");
            let (page, line) = cells.page(64);
            page.cells(line, &mut Overflow::default());
            assert_eq!(cells.peek(64 + 20).1.write, before.write);
        }
    }

    #[test]
    fn a_row_that_falls_says_the_same_as_its_cells() {
        for size in [4, 8, 16] {
            let mut cells = Cells::default();
            let how = How::new(7, 0xf, TouchKind::Read, None, size).falling();
            let (page, line) = cells.page(0);
            page.lines[line] = Line { launch: 1, read: Touched { thread: 127, clock: 2, how }, ..Line::default() };
            let (_, before) = cells.peek(20);
            assert_eq!((before.read.thread, before.read.how.is_spread()), (127 - 20 / size, false));
            cells.page(0).0.cells(line, &mut Overflow::default());
            assert_eq!(cells.peek(20).1.read, before.read);
        }
    }

    #[test]
    fn a_cell_and_a_line_are_of_one_size() {
        assert_eq!((size_of::<Cell>(), size_of::<Line>()), (32, 32));
    }
}
