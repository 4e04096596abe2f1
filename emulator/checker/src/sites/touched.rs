//! An access in three words, as cells and lines keep it: its manner, its thread and its clock.

use machine::exec::memory::Scope;

/// The clock of a warp: a point in its execution. 0 happens before everything.
pub type Clock = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordedKind {
    Read = 1,
    /// A store, or an atomic operation whose old value is not used.
    Write = 2,
    Atomic = 3,
}

/// Scope, bytes and size of a strong access of device scope or wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrongClass(u32);

impl StrongClass {
    #[inline]
    pub fn bytes(self) -> u32 {
        AccessInfo(self.0).bytes()
    }
}

/// The manner of an access, in one word: 18 bits of site, then 4 of bytes touched, 2 of kind, 2 scope, 1 strong, 1
/// spread, 1 older, 3 size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AccessInfo(u32);

/// Kernels with more instructions than this are not watched for races.
pub const MOST_INSTRUCTIONS: usize = 1 << 18;

const SIZE: u32 = 7;
const OLDER: u32 = 1 << 3;
/// In a cell: neighbouring lanes touched neighbouring elements of the word, and `thread` is the first element's. In a
/// row: addresses decrease from lane to lane.
const SPREAD: u32 = 1 << 4;
/// The bit of [`RecordedKind`] that is set for all that write.
const WRITES: u32 = 2 << 8;
/// Strong, and of scope 2 (`.gpu`) or 3 (`.sys`).
const WIDE: u32 = 1 << 5 | 1 << 7;
const BYTES: u32 = 0xf << 10;
const WAY: u32 = BYTES | 7 << 5 | SIZE;

impl AccessInfo {
    pub const NONE: AccessInfo = AccessInfo(0);

    #[inline]
    pub fn new(site: u32, bytes: u32, kind: RecordedKind, scope: Option<Scope>, size: u32) -> AccessInfo {
        let scope_bits = scope.map_or(0, |scope| 1 | (scope as u32) << 1);
        AccessInfo(site << 14 | bytes << 10 | (kind as u32) << 8 | scope_bits << 5 | size.trailing_zeros())
    }

    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the site of the access: see [`crate::sites`].
    #[inline]
    pub fn site(self) -> u32 {
        self.0 >> 14
    }

    /// Returns the bytes of the word that it touches, as a mask.
    #[inline]
    pub fn bytes(self) -> u32 {
        self.0 >> 10 & 0xf
    }

    #[inline]
    pub fn kind(self) -> RecordedKind {
        match self.0 >> 8 & 3 {
            1 => RecordedKind::Read,
            2 => RecordedKind::Write,
            _ => RecordedKind::Atomic,
        }
    }

    #[inline]
    pub fn writes(self) -> bool {
        self.kind() != RecordedKind::Read
    }

    /// True for an access of an older launch.
    #[inline]
    pub fn is_older(self) -> bool {
        self.0 & OLDER != 0
    }

    #[inline]
    pub fn is_spread(self) -> bool {
        self.0 & SPREAD != 0
    }

    /// Returns this for a row whose addresses decrease from lane to lane.
    pub fn falling(self) -> AccessInfo {
        AccessInfo(self.0 | SPREAD)
    }

    /// True for such a row.
    #[inline(always)]
    pub fn falls(self) -> bool {
        self.0 & SPREAD != 0
    }

    /// True if two rows' elements are of one size and run in one direction.
    #[inline(always)]
    pub fn is_row_like(self, other: AccessInfo) -> bool {
        (self.0 ^ other.0) & (SIZE | SPREAD | OLDER) == 0
    }

    /// Returns the scope of a strong access; `None` for a weak one.
    #[inline]
    pub fn scope(self) -> Option<Scope> {
        let scope = [Scope::Block, Scope::Cluster, Scope::Device, Scope::System][(self.0 >> 6 & 3) as usize];
        (self.0 >> 5 & 1 == 1).then_some(scope)
    }

    /// True for a strong access of device scope or wider.
    #[inline(always)]
    pub fn is_wide(self) -> bool {
        self.0 & WIDE == WIDE
    }

    /// Returns the class of a wide write.
    #[inline(always)]
    pub fn way(self) -> Option<StrongClass> {
        self.wide_way().filter(|_| self.writes())
    }

    /// Returns the class of a wide access.
    #[inline(always)]
    pub fn wide_way(self) -> Option<StrongClass> {
        self.is_wide().then_some(StrongClass(self.0 & WAY))
    }

    /// True if two strong accesses are of the same bytes and size.
    #[inline(always)]
    pub fn is_like(self, way: StrongClass) -> bool {
        (self.0 ^ way.0) & (BYTES | SIZE) == 0
    }

    /// True for a strong access of this launch, of the same bytes and size.
    pub fn is_like_strong(self, other: AccessInfo) -> bool {
        self.scope().is_some() && !self.is_older() && (self.0 ^ other.0) & (BYTES | SIZE) == 0
    }

    /// True if both are wide writes of this launch, of the same bytes and size.
    #[inline(always)]
    pub fn is_alike_write(self, other: AccessInfo) -> bool {
        let both = self.0 & other.0;
        both & WIDE == WIDE && both & WRITES != 0 && (self.0 | other.0) & OLDER == 0 && (self.0 ^ other.0) & WAY == 0
    }

    /// Returns what a later strong access of the same thread must have in common with this one to represent it. For
    /// wide writes of kind [`RecordedKind::Write`] the instruction does not matter.
    #[inline]
    pub fn stood_for(self) -> AccessInfo {
        let is_write = self.is_wide() && self.kind() == RecordedKind::Write && !self.is_older();
        if is_write { AccessInfo(self.0 & (WAY | WIDE | WRITES)) } else { self }
    }

    /// True if a strong read made like this observes each write that one made like `other` would have observed.
    #[inline(always)]
    pub fn observes_as(self, other: AccessInfo) -> bool {
        self.is_like_strong(other) && (self.is_wide() || !other.is_wide())
    }

    #[inline]
    pub fn size(self) -> u32 {
        1 << (self.0 & 7)
    }
}

/// One access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct RecordedAccess {
    /// Warp in the launch x 32 + lane.
    pub thread: u32,
    pub clock: Clock,
    pub info: AccessInfo,
}

impl RecordedAccess {
    #[inline]
    pub fn warp(self) -> u32 {
        self.thread / 32
    }

    #[inline]
    pub fn lane(self) -> u32 {
        self.thread % 32
    }

    /// Returns the same access by another lane.
    #[inline]
    pub fn by(self, lane: usize) -> RecordedAccess {
        RecordedAccess { thread: self.thread & !31 | lane as u32, ..self }
    }

    /// True if only the lanes differ.
    #[inline(always)]
    pub fn is_beside(self, other: RecordedAccess) -> bool {
        (self.thread ^ other.thread) < 32 && self.clock == other.clock && self.info == other.info
    }

    /// True for no access, and for one of an older launch.
    #[inline(always)]
    pub fn is_void_or_older(self) -> bool {
        self.info.is_none() || self.info.is_older()
    }

    /// Returns this access as a later launch keeps it: its launch counts, its thread no longer does.
    #[inline(always)]
    pub fn of_launch(self, launch: u32) -> RecordedAccess {
        if self.is_void_or_older() {
            return self;
        }
        RecordedAccess { thread: u32::MAX, clock: launch, info: AccessInfo(self.info.0 & !SPREAD | OLDER) }
    }

    /// Returns the thread that touched the word's first element, if its elements were touched lane by lane. `None` if
    /// it would be before this warp's first lane.
    fn first_lane(self) -> Option<u32> {
        let before = if self.info.is_spread() { 0 } else { self.info.bytes().trailing_zeros() / self.info.size() };
        (self.lane() >= before).then(|| self.thread - before)
    }

    /// Returns both accesses as one, if neighbouring lanes touch neighbouring bytes or halves in one step.
    #[inline(always)]
    pub fn spread_with(self, new: RecordedAccess) -> Option<RecordedAccess> {
        const SAME: u32 = !(0xf << 10 | SPREAD);
        let alike = new.info.size() < 4
            && self.info.0 & SAME == new.info.0 & SAME
            && self.clock == new.clock
            && self.warp() == new.warp()
            && self.info.bytes() & new.info.bytes() == 0;
        if !alike || self.first_lane()? != new.first_lane()? {
            return None;
        }
        let info = AccessInfo(self.info.0 | new.info.0 | SPREAD);
        Some(RecordedAccess { thread: new.first_lane()?, info, ..new })
    }

    /// Returns the accesses of single threads that a spread access represents. An access that is not spread returns
    /// itself.
    pub fn parts(self) -> impl Iterator<Item = RecordedAccess> {
        let size = self.info.size();
        let count = if self.info.is_spread() { 4 / size } else { 1 };
        (0..count).filter_map(move |element| {
            if count == 1 {
                return Some(self);
            }
            let bytes = ((1 << size) - 1) << (element * size) & self.info.bytes();
            let info = AccessInfo(self.info.0 & !(0xf << 10 | SPREAD) | bytes << 10);
            (bytes != 0).then_some(RecordedAccess { thread: self.thread + element, info, ..self })
        })
    }

    /// Returns the access of cell `at` of a line, given a row's first element.
    #[inline(always)]
    pub fn of_cell(self, at: usize) -> RecordedAccess {
        if self.is_void_or_older() {
            return self;
        }
        let (size, on) = (self.info.size(), at as u32 * 4 / self.info.size());
        if self.info.falls() {
            return RecordedAccess { thread: self.thread - on, info: AccessInfo(self.info.0 & !SPREAD), ..self };
        }
        let info = AccessInfo(self.info.0 | if size < 4 { SPREAD } else { 0 });
        RecordedAccess { thread: self.thread + on, info, ..self }
    }

    /// Returns the launch of an access that is not of the current one.
    #[inline]
    pub fn launch(self) -> Option<u32> {
        self.info.is_older().then_some(self.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lanes_share_a_word_without_a_side_entry() {
        let byte = |lane: u32, at: u32| RecordedAccess {
            thread: 64 + lane,
            clock: 3,
            info: AccessInfo::new(7, 1 << at, RecordedKind::Read, None, 1),
        };
        let four = (5..8).fold(byte(4, 0), |word, lane| word.spread_with(byte(lane, lane - 4)).expect("neighbours"));
        assert_eq!(four.parts().collect::<Vec<_>>(), (4..8).map(|lane| byte(lane, lane - 4)).collect::<Vec<_>>());
        assert_eq!(byte(4, 0).spread_with(byte(6, 1)), None);
        assert_eq!(byte(4, 0).spread_with(byte(4, 1)), None);
        // Lane 0 has no neighbour before it in its warp.
        assert_eq!(byte(0, 1).spread_with(byte(1, 2)), None);
        let half = |lane: u32, at: u32| RecordedAccess {
            thread: lane,
            clock: 3,
            info: AccessInfo::new(7, 3 << at, RecordedKind::Write, None, 2),
        };
        assert_eq!(half(9, 0).spread_with(half(10, 2)).map(|both| both.parts().count()), Some(2));
    }

    #[test]
    fn an_access_fits_a_word() {
        let info = AccessInfo::new(200_000, 0b0110, RecordedKind::Atomic, Some(Scope::Device), 4);
        assert_eq!(
            (info.site(), info.bytes(), info.kind(), info.scope(), info.size()),
            (200_000, 0b0110, RecordedKind::Atomic, Some(Scope::Device), 4)
        );
        assert_eq!(AccessInfo::new(1, 0xf, RecordedKind::Read, None, 16).scope(), None);
        let old = RecordedAccess { thread: 7, clock: 9, info }.of_launch(3);
        assert_eq!(
            (old.launch(), old.of_launch(4).launch(), old.info.size(), old.info.site()),
            (Some(3), Some(3), 4, 200_000)
        );
    }
}
