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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Read = 1,
    /// A store, or an atomic operation whose old value nobody looks at.
    Write = 2,
    Atomic = 3,
}

/// How an access was made, in one word: 18 bits of site, then
/// 4 of bytes touched, 2 of kind, 2 scope, 1 strong, 1 spread, 1 older, 3 size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct How(u32);

/// Kernels with more instructions than this are not watched for races.
pub const MOST_INSTRUCTIONS: usize = 1 << 18;

const OLDER: u32 = 1 << 3;
/// Neighbouring lanes touched neighbouring elements of the word: `thread` is the first element's.
const SPREAD: u32 = 1 << 4;

impl How {
    pub fn new(site: u32, bytes: u32, kind: Kind, scope: Option<Scope>, size: u32) -> How {
        let scope_bits = scope.map_or(0, |scope| 1 | (scope as u32) << 1);
        How(site << 14 | bytes << 10 | (kind as u32) << 8 | scope_bits << 5 | size.trailing_zeros())
    }

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

/// Lanes of a warp that made the same access at one clock.
type Entries = FxHashMap<(u32, Clock, How), Mask>;

/// Accesses that a cell has no room for.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// Strong writes of device scope, all made in one way: a million atomic additions to a
    /// counter cannot race among themselves, and a new one need not look at them.
    alike: Entries,
    way: Option<(Scope, u32, u32)>,
    /// The newest of them, still growing lane by lane: a warp's 32 additions are one entry.
    newest: Option<((u32, Clock, How), Mask)>,
    others: Entries,
}

impl More {
    pub fn add(&mut self, touched: Touched) {
        touched.parts().for_each(|part| self.add_part(part));
    }

    fn add_part(&mut self, touched: Touched) {
        let way = touched.how.way().filter(|(scope, ..)| *scope >= Scope::Gpu);
        let is_alike = way.is_some_and(|way| *self.way.get_or_insert(way) == way);
        let (key, lane) = ((touched.warp(), touched.clock, touched.how), 1 << touched.lane());
        if !is_alike {
            *self.others.entry(key).or_insert(0) |= lane;
            return;
        }
        match &mut self.newest {
            Some((newest, mask)) if *newest == key => *mask |= lane,
            newest => {
                if let Some((key, mask)) = newest.replace((key, lane)) {
                    *self.alike.entry(key).or_insert(0) |= mask;
                }
            }
        }
    }

    /// The entries that can race with `new`.
    pub fn against(&self, new: How) -> impl Iterator<Item = (u32, Clock, How, Mask)> {
        let like = |(_, bytes, size): (Scope, u32, u32)| {
            new.scope() >= Some(Scope::Gpu) && bytes == new.bytes() && size == new.size()
        };
        let alike = !self.way.is_none_or(like);
        let newest = self.newest.iter().filter(move |_| alike).copied();
        let kept = alike.then_some(&self.alike).into_iter().flatten().chain(&self.others);
        let entries = kept.map(|(&key, &lanes)| (key, lanes)).chain(newest);
        entries.map(|((warp, clock, how), lanes)| (warp, clock, how, lanes))
    }

    pub fn retain(&mut self, keep: impl Fn(How) -> bool) {
        self.alike.retain(|&(.., how), _| keep(how));
        self.newest = self.newest.take().filter(|((.., how), _)| keep(*how));
        self.others.retain(|&(.., how), _| keep(how));
    }

    pub fn is_empty(&self) -> bool {
        self.newest.is_none() && self.alike.is_empty() && self.others.is_empty()
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
        assert_eq!(size_of::<Cell>(), 32);
    }
}
