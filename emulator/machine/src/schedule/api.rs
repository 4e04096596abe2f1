//! The interface between a launch and its schedule: what a launch asks, and what it reports.

use super::choices::Followed;
use crate::registers::Mask;
use crate::run::group::Group;

/// The properties of a schedule that do not change while a launch runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleTraits {
    /// It is asked at every write and barrier, and may give loads older values and stores earlier positions.
    pub is_adverse: bool,
    /// A group stops where another one waits to be joined.
    pub stops_to_converge: bool,
    /// A turn, and its block's turn, ends after each event that other threads could see.
    pub shows_each_event: bool,
}

impl ScheduleTraits {
    /// True if a person chooses event by event. Choices that turns already settle are not asked.
    pub fn is_free(self) -> bool {
        self.is_adverse && self.shows_each_event
    }
}

/// One of several. The answers are numbered from 0.
#[derive(Clone, Copy)]
pub enum ChoicePoint<'a> {
    /// Which of the resident blocks, given by their linear indices, runs next.
    Block(&'a [u64]),
    /// From which of so many grids, in the order in which they became ready, the next block begins. Kernels have
    /// launched all but the first.
    Grid(usize),
    /// Which warp of `ready` (indices in order), the last one having been `last`; `usize::MAX` before the first.
    Warp { ready: &'a [usize], last: usize },
    /// Which of the warp's groups; `ready` holds indices into `groups`.
    Group { groups: &'a [Group], ready: &'a [usize] },
    /// Chooses which of this many asynchronous copies under way in a block, in the order in which they started, moves
    /// now. 0 is none.
    Copy(usize),
    /// The number of writes back at which a load reads, at most this many (0: the latest). For an
    /// atomic operation: how far before the end of the coherence order it takes its position.
    Back(usize),
    /// The distance from the end of the coherence order at which a store takes its position, at most this (0: the end).
    Behind(usize),
}

impl ChoicePoint<'_> {
    /// Returns the number of answers.
    pub fn answers(&self) -> usize {
        match *self {
            ChoicePoint::Block(resident) => resident.len(),
            ChoicePoint::Grid(ready) => ready,
            ChoicePoint::Warp { ready, .. } | ChoicePoint::Group { ready, .. } => ready.len(),
            ChoicePoint::Copy(others) | ChoicePoint::Back(others) | ChoicePoint::Behind(others) => 1 + others,
        }
    }
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryChoice {
    /// A thread has just launched a grid: it gets a place beside the blocks under way, and the turn ends.
    Begins,
    /// Groups that stand at the same instruction become one now.
    Converges,
    /// The group that runs has just written to memory: its turn ends.
    Wrote,
    /// A group that stands at a barrier does not arrive yet.
    HoldsBack,
}

/// Whose turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOf {
    Block,
    Group,
}

/// The place where lanes may fall behind the others of their group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsAt {
    /// At a branch that all of them take.
    Branch,
    /// Before a turn, wherever the group stands.
    Turn,
}

/// Something that happened since the schedule was last asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A group used its whole slice while others of its warp were ready, or the warp has run for long in several
    /// groups: one may be waiting for another.
    Spent,
    /// The warp that ran last used its whole slice looking at what others change, while other warps were ready.
    Lingers,
    /// A turn is over after so many warp instructions.
    Ran(u64),
}

/// The choices a schedule makes.
pub trait Schedule: Send {
    fn traits(&self) -> ScheduleTraits {
        ScheduleTraits::default()
    }
    /// Blocks that should be under way at once, of `most` that may be.
    fn residents(&mut self, most: u64) -> u64;
    /// Which of the grid's `of` blocks begins as the `nth`: every one once.
    fn begins(&self, nth: u64, of: u64) -> u64 {
        debug_assert!(nth < of);
        nth
    }
    /// Returns an answer, less than [`ChoicePoint::answers`].
    fn choose(&mut self, question: ChoicePoint) -> usize;
    /// Warp instructions before somebody else gets a turn.
    fn slice(&mut self, of: TurnOf) -> u64;
    fn decide(&mut self, question: BinaryChoice) -> bool;
    /// Returns the lanes of a group with `mask` that part from the others, or 0.
    fn parts(&mut self, _mask: Mask, _at: PartsAt) -> Mask {
        0
    }
    fn observe(&mut self, _event: Event) {}
    /// True if the launch must stop: a person has not chosen yet, or a given choice does not fit.
    fn is_over(&self) -> bool {
        false
    }
    /// Returns what a schedule that follows given choices has done. `has_ended` says that the launch is at its end.
    fn followed(&mut self, _has_ended: bool) -> Option<Followed> {
        None
    }
}
