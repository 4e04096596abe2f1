//! The shadow memory: the last accesses of each word.
//!
//! Property: the rule compares the thread, clock and manner of an access. In a row all three follow from the access of
//! its first element, so one record determines the accesses of all eight words.
//!
//! A warp mostly touches memory as a row, lane by lane. Then one line of 32 bytes represents the accesses of all lanes
//! that lie in it. If accesses are less regular, a line has eight cells of four bytes. Line and cell hold the last
//! write and the last read; other accesses go to a [side table](crate::fast::side_table). Rows of many warps that read
//! one line are kept with its page. A line takes 32 bytes, its cells 256, and pages of lines exist only where memory
//! was touched.
//!
//! A line is in one of three forms:
//! - rows alone;
//! - cells ([`ShadowLine::has_cells`]);
//! - rows above cells of older launches ([`ShadowLine::has_older`]): if a row is absent, the cell below it counts.

use crate::fast::cell::ShadowCell;
use crate::fast::readers::UnorderedBlocks;
use crate::fast::side_table::SideTable;
use crate::sites::touched::RecordedAccess;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of bytes, and below of cells, in a line.
pub const LINE: u64 = 32;
pub const CELLS: usize = LINE as usize / 4;

/// The last accesses of 32 bytes. They are either two *rows*, or eight cells. A row is a plain access in which
/// neighbouring lanes touched neighbouring elements, upwards or downwards, recorded as the access of its first element.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShadowLine {
    /// The launch of all accesses that are not marked as older. Those marked stay until this launch replaces them.
    pub launch: u32,
    pub write: RecordedAccess,
    pub read: RecordedAccess,
    /// The index of its cells plus one, and flags. Once assigned, the cells are never freed.
    group: u32,
}

/// The cells are in use, the rows are not.
const IN_USE: u32 = 1 << 31;
/// The page has [readers](ShadowPage::add_reader) of the line.
const READERS: u32 = 1 << 30;
/// Set with `READERS`: further rows like the last one that has read the line need not be recorded.
const SATURATED: u32 = 1 << 29;
/// The cells hold accesses of older launches, below the rows.
const OLDER: u32 = 1 << 28;
const GROUP: u32 = !(IN_USE | READERS | SATURATED | OLDER);

impl ShadowLine {
    /// True if the cells hold what the rows cannot.
    #[inline(always)]
    pub fn has_cells(&self) -> bool {
        self.group & IN_USE != 0
    }

    /// True if cells below the rows hold accesses of older launches.
    #[inline(always)]
    pub fn has_older(&self) -> bool {
        self.group & OLDER != 0
    }

    #[inline(always)]
    pub fn has_readers(&self) -> bool {
        self.group & READERS != 0
    }

    pub fn set_rows(&mut self, write: RecordedAccess, read: RecordedAccess) {
        self.group &= !(IN_USE | OLDER);
        (self.write, self.read) = (write, read);
    }

    /// Returns the accesses of the word at `at`, for which the group holds `cell`.
    #[inline]
    fn cell(&self, at: usize, cell: ShadowCell) -> ShadowCell {
        if self.has_cells() {
            return cell;
        }
        let (write, read) = (self.write.of_cell(at), self.read.of_cell(at));
        match self.has_older() {
            false => ShadowCell { write, read, ..ShadowCell::default() },
            // A written row replaces the cells.
            true if read.info.is_none() => cell,
            true => ShadowCell { read, ..cell },
        }
    }
}

impl ShadowCell {
    /// Returns the cell as a later launch keeps it.
    #[inline(always)]
    fn of_launch(self, launch: u32) -> ShadowCell {
        ShadowCell { write: self.write.of_launch(launch), read: self.read.of_launch(launch), ..ShadowCell::default() }
    }
}

/// The number of lines in a page: 4 KiB of memory.
const PAGE: usize = 128;
pub const PAGE_BYTES: u64 = PAGE as u64 * LINE;

#[derive(Clone, Debug)]
pub struct ShadowPage {
    pub lines: [ShadowLine; PAGE],
    groups: Vec<[ShadowCell; CELLS]>,
    /// By line: see [`ShadowPage::add_reader`].
    readers: FxHashMap<usize, FxHashSet<RecordedAccess>>,
}

impl ShadowPage {
    fn new() -> Box<ShadowPage> {
        Box::new(ShadowPage { lines: [ShadowLine::default(); PAGE], groups: Vec::new(), readers: FxHashMap::default() })
    }

    /// Adds a row that has read the line, before another row does so that is not ordered after it. The line itself
    /// holds the latest one. The rows here replace the reads that its cells would have in the side table, once for the
    /// whole line.
    pub fn add_reader(&mut self, line: usize, row: RecordedAccess, blocks: Option<UnorderedBlocks>) {
        let readers = self.readers.entry(line).or_default();
        if !blocks.is_some_and(|blocks| blocks.have_read(row.info, readers.iter().copied())) {
            readers.insert(row);
        }
        let line = &mut self.lines[line];
        line.group = line.group & !SATURATED | READERS;
    }

    /// True if a row that reads a line need not be recorded, since others represent it.
    #[inline(always)]
    pub fn is_read_redundant(&mut self, at: usize, row: RecordedAccess, blocks: Option<UnorderedBlocks>) -> bool {
        let line = &mut self.lines[at];
        let is_like_last = line.read.info == row.info;
        if is_like_last && line.group & SATURATED != 0 {
            return true;
        }
        if !is_like_last {
            // The flag is about rows like the last one.
            line.group &= !SATURATED;
        }
        let Some(blocks) = blocks.filter(|_| line.has_readers()) else { return false };
        let kept = self.readers.get(&at).into_iter().flatten().copied();
        let is_redundant = blocks.have_read(row.info, kept);
        line.group |= if is_redundant && is_like_last { SATURATED } else { 0 };
        is_redundant
    }

    /// Returns the accesses of the word at `at` of a line.
    fn view(&self, line: &ShadowLine, at: usize) -> ShadowCell {
        let group = (line.group & GROUP) as usize;
        line.cell(at, if group == 0 { ShadowCell::default() } else { self.groups[group - 1][at] })
    }

    pub fn readers(&self, line: usize) -> impl Iterator<Item = RecordedAccess> {
        self.readers.get(&line).into_iter().flatten().copied()
    }

    #[inline(always)]
    pub fn forget_readers(&mut self, line: usize) {
        if self.lines[line].has_readers() {
            self.lines[line].group &= !(READERS | SATURATED);
            self.readers.entry(line).or_default().clear();
        }
    }

    /// Returns a line's cells. If they were not in use, its rows are distributed to them.
    #[inline(always)]
    pub fn cells(&mut self, line: usize, overflow: &mut SideTable) -> &mut [ShadowCell; CELLS] {
        if !self.lines[line].has_cells() {
            self.spread(line, overflow);
        }
        &mut self.groups[(self.lines[line].group & GROUP) as usize - 1]
    }

    fn spread(&mut self, at: usize, overflow: &mut SideTable) {
        let line = &mut self.lines[at];
        if line.group & GROUP == 0 {
            if self.groups.len() == self.groups.capacity() {
                // A big launch runs out of memory first: no doubling.
                self.groups.reserve_exact(16);
            }
            self.groups.push([ShadowCell::default(); CELLS]);
            line.group |= self.groups.len() as u32;
        }
        let old = *line;
        let group = &mut self.groups[(old.group & GROUP) as usize - 1];
        line.group = line.group & !OLDER | IN_USE;
        if old.has_older() && old.read.info.is_none() {
            // This launch begins to touch single words, as an older one did.
            return;
        }
        if !old.has_older() && old.write.is_void_or_older() && old.read.is_void_or_older() {
            // Every cell gets the line's accesses: the case of most lines.
            *group = [ShadowCell { write: old.write, read: old.read, ..ShadowCell::default() }; CELLS];
        } else {
            group.iter_mut().enumerate().for_each(|(index, cell)| *cell = old.cell(index, *cell));
        }
        if old.has_readers() {
            for row in self.readers.get(&at).into_iter().flatten() {
                group.iter_mut().enumerate().for_each(|(at, cell)| overflow.add_read(cell, row.of_cell(at), 0));
            }
            self.forget_readers(at);
        }
    }

    /// Prepares a line for its first access by a launch. If memory outlives launches, accesses of older ones stay until
    /// this launch touches the same bytes: a launch in another stream may be ordered after this one and still not after
    /// those.
    #[inline(always)]
    pub fn renew(&mut self, at: usize, launch: u32, outlives: bool, overflow: &mut SideTable) {
        let line = &mut self.lines[at];
        let old = std::mem::replace(&mut line.launch, launch);
        let kept = old != 0 && outlives;
        if line.has_cells() {
            self.renew_cells(at, kept.then_some(old), outlives, overflow);
            return;
        }
        let kept = |touched: RecordedAccess| if kept { touched.of_launch(old) } else { RecordedAccess::default() };
        (line.write, line.read) = (kept(line.write), kept(line.read));
        line.group &= if old == 0 { !OLDER } else { !0 };
        // For an older launch only its accesses of the line itself are kept.
        self.forget_readers(at);
    }

    /// As `renew`, for a line that has cells. Their accesses are kept as those of launch `old`, if there is one.
    fn renew_cells(&mut self, at: usize, old: Option<u32>, outlives: bool, overflow: &mut SideTable) {
        let Some(old) = old else {
            if !outlives {
                self.cells(at, overflow).iter_mut().for_each(|cell| overflow.release(cell));
            }
            return self.lines[at].set_rows(RecordedAccess::default(), RecordedAccess::default());
        };
        let cells = self.cells(at, overflow);
        // The side table belongs to the launch: an older cell's entry has no meaning now. So what it held of this
        // launch is lost (`docs/limits.md`).
        cells.iter_mut().for_each(|cell| *cell = cell.of_launch(old));
        let ShadowCell { write, read, .. } = cells[0];
        let are_alike = cells.iter().all(|cell| (cell.write, cell.read) == (write, read));
        let line = &mut self.lines[at];
        if are_alike {
            return line.set_rows(write, read);
        }
        line.set_rows(RecordedAccess::default(), RecordedAccess::default());
        line.group |= OLDER;
    }
}

/// The cells of one memory region, allocated by page on first access.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    pages: Vec<Option<Box<ShadowPage>>>,
}

impl Cells {
    /// Returns the page that holds `offset`, and the index of the line in it.
    #[inline(always)]
    pub fn page(&mut self, offset: u64) -> (&mut ShadowPage, usize) {
        let index = (offset / LINE) as usize;
        let page = index / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        (self.pages[page].get_or_insert_with(ShadowPage::new), index % PAGE)
    }

    /// Drops all accesses of a range of whole lines.
    pub fn forget(&mut self, offset: u64, bytes: u64) {
        for at in (offset..offset + bytes).step_by(LINE as usize) {
            let (page, line) = self.page(at);
            // Accesses of launch 0 are removed when the line is next touched.
            page.lines[line].launch = 0;
        }
    }

    /// Returns the launch that the word at `offset` belongs to, and its cell.
    pub fn peek(&self, offset: u64) -> (u32, ShadowCell) {
        let (index, at) = ((offset / LINE) as usize, (offset % LINE / 4) as usize);
        let Some(Some(page)) = self.pages.get(index / PAGE) else { return Default::default() };
        let line = &page.lines[index % PAGE];
        (line.launch, page.view(line, at))
    }

    /// Returns the last write and read of the word at `offset` by launches older than `era`, and true if all words of
    /// the line have the same.
    #[inline]
    pub fn older(&self, offset: u64, era: u32) -> (bool, [RecordedAccess; 2]) {
        let index = (offset / LINE) as usize;
        let Some(Some(page)) = self.pages.get(index / PAGE) else { return Default::default() };
        let line = &page.lines[index % PAGE];
        let is_row = !line.has_cells() && !line.has_older();
        let (write, read) = match is_row {
            true => (line.write, line.read),
            false => {
                let cell = page.view(line, (offset % LINE / 4) as usize);
                (cell.write, cell.read)
            }
        };
        let older = |touched: RecordedAccess| match line.launch {
            0 => RecordedAccess::default(),
            launch if launch == era && !touched.info.is_older() => RecordedAccess::default(),
            launch => touched.of_launch(launch),
        };
        (is_row, [older(write), older(read)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::touched::{AccessInfo, RecordedKind};

    /// Compares rows, single words and new launches in a random order with eight words that are kept one by one, each
    /// renewed at once.
    #[test]
    fn every_form_of_a_line_says_the_same_as_words_kept_one_by_one() {
        let mut seed = 7u64;
        let mut below = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        let mut seen_older = 0;
        for _ in 0..300 {
            let (mut cells, mut overflow) = (Cells::default(), SideTable::default());
            let (mut words, mut era) = ([[RecordedAccess::default(); 2]; CELLS], 1);
            for clock in 1..60 {
                if below(4) == 0 {
                    era += 1;
                }
                let (page, at) = cells.page(64);
                if page.lines[at].launch != era {
                    let old = page.lines[at].launch;
                    words.iter_mut().flatten().for_each(|touched| *touched = touched.of_launch(old));
                    page.renew(at, era, true, &mut overflow);
                }
                let (is_write, word) = (below(2) == 0, below(CELLS as u64) as usize);
                let kind = if is_write { RecordedKind::Write } else { RecordedKind::Read };
                let info = AccessInfo::new(1 + below(3) as u32, 0xf, kind, None, 4);
                let new = RecordedAccess { thread: 32 * (1 + below(5) as u32), clock, info };
                let pair = |before: [RecordedAccess; 2], new| {
                    if is_write { [new, RecordedAccess::default()] } else { [before[0], new] }
                };
                if below(2) == 0 {
                    let cell = &mut page.cells(at, &mut overflow)[word];
                    words[word] = pair(words[word], new);
                    [cell.write, cell.read] = pair([cell.write, cell.read], new);
                } else {
                    let line = &mut page.lines[at];
                    seen_older += u32::from(line.has_older());
                    if !line.has_cells() {
                        words = std::array::from_fn(|word| pair(words[word], new.of_cell(word)));
                        let [write, read] = pair([line.write, line.read], new);
                        if is_write { line.set_rows(write, read) } else { line.read = read }
                    }
                }
                for (word, [write, read]) in words.into_iter().enumerate() {
                    let (launch, cell) = cells.peek(64 + 4 * word as u64);
                    assert_eq!((launch, cell.write, cell.read), (era, write, read), "word {word} at {clock}");
                    let older = |touched: RecordedAccess| {
                        if touched.info.is_older() { touched } else { RecordedAccess::default() }
                    };
                    assert_eq!(cells.older(64 + 4 * word as u64, era).1, [older(write), older(read)]);
                }
            }
        }
        assert!(seen_older > 100, "{seen_older}");
    }

    #[test]
    fn a_row_says_the_same_as_its_cells() {
        for size in [1, 2, 4, 8, 16] {
            let mut cells = Cells::default();
            let info = AccessInfo::new(7, 0xf, RecordedKind::Write, None, size);
            let (page, line) = cells.page(64);
            page.lines[line] =
                ShadowLine { launch: 1, write: RecordedAccess { thread: 96, clock: 2, info }, ..ShadowLine::default() };
            let (_, before) = cells.peek(64 + 20);
            let threads: Vec<_> = before.write.parts().map(|part| part.thread - 96).collect();
            let want: Vec<_> = (20..24).step_by(size.min(4) as usize).map(|byte| byte / size).collect();
            assert_eq!(threads, want, "elements of {size} bytes");
            let (page, line) = cells.page(64);
            page.cells(line, &mut SideTable::default());
            assert_eq!(cells.peek(64 + 20).1.write, before.write);
        }
    }

    #[test]
    fn a_row_that_falls_says_the_same_as_its_cells() {
        for size in [4, 8, 16] {
            let mut cells = Cells::default();
            let info = AccessInfo::new(7, 0xf, RecordedKind::Read, None, size).falling();
            let (page, line) = cells.page(0);
            page.lines[line] =
                ShadowLine { launch: 1, read: RecordedAccess { thread: 127, clock: 2, info }, ..ShadowLine::default() };
            let (_, before) = cells.peek(20);
            assert_eq!((before.read.thread, before.read.info.is_spread()), (127 - 20 / size, false));
            cells.page(0).0.cells(line, &mut SideTable::default());
            assert_eq!(cells.peek(20).1.read, before.read);
        }
    }

    #[test]
    fn a_cell_and_a_line_are_of_one_size() {
        assert_eq!((size_of::<ShadowCell>(), size_of::<ShadowLine>()), (32, 32));
    }
}
