//! The choices of a run as data: what was asked, and which answer was taken.
//!
//! Recorded is every question with more than one answer. How long turns are, how many blocks are under way and which
//! lanes a schedule splits off stays the schedule's own: it does the same whenever it is asked the same.

use super::api::{BinaryChoice, ChoicePoint};
use finding::SourceLocation;

/// The kind of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum ChoiceKind {
    /// [`ChoicePoint`]s, by its names.
    Block,
    Grid,
    Warp,
    Group,
    Copy,
    Back,
    Behind,
    /// [`BinaryChoice`]s, by its names: 0 is no, 1 is yes.
    Begins,
    Converges,
    Wrote,
    HoldsBack,
    /// Which half of a group's lanes goes on first: 0 is none, 1 the lower one, 2 the upper one.
    Parts,
}

impl ChoiceKind {
    /// True for what a person who steps through a kernel is asked: which block, warp or group of lanes goes next.
    pub fn is_whose_turn(self) -> bool {
        matches!(self, ChoiceKind::Block | ChoiceKind::Warp | ChoiceKind::Group)
    }

    pub(super) fn of(question: &ChoicePoint) -> ChoiceKind {
        match question {
            ChoicePoint::Block(_) => ChoiceKind::Block,
            ChoicePoint::Grid(_) => ChoiceKind::Grid,
            ChoicePoint::Warp { .. } => ChoiceKind::Warp,
            ChoicePoint::Group { .. } => ChoiceKind::Group,
            ChoicePoint::Copy(_) => ChoiceKind::Copy,
            ChoicePoint::Back(_) => ChoiceKind::Back,
            ChoicePoint::Behind(_) => ChoiceKind::Behind,
        }
    }

    pub(super) fn of_doubt(doubt: BinaryChoice) -> ChoiceKind {
        match doubt {
            BinaryChoice::Begins => ChoiceKind::Begins,
            BinaryChoice::Converges => ChoiceKind::Converges,
            BinaryChoice::Wrote => ChoiceKind::Wrote,
            BinaryChoice::HoldsBack => ChoiceKind::HoldsBack,
        }
    }
}

/// One answer of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct ScheduleChoice {
    /// The launch, as the device counts them since it was configured.
    pub launch: u32,
    pub kind: ChoiceKind,
    /// The number of answers, two or more.
    pub answers: u32,
    /// Which one was taken, from 0.
    pub pick: u32,
}

/// The progress of a schedule that follows given choices in a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// All choices that were made, given ones and others, in order.
    pub choices: Vec<ScheduleChoice>,
    pub stop: Option<Stop>,
}

/// Why a launch is not at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(tag = "why", rename_all = "kebab-case"))]
pub enum Stop {
    /// The next choice is somebody's: one of these. Its kind and number of answers go with them;
    /// [`ScheduleChoice::pick`] counts them.
    Unanswered(Box<ChoiceOptions>),
    Misfit(Misfit),
}

/// A given choice that does not fit what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Misfit {
    /// Its place in the given list, from 0.
    pub place: usize,
    pub given: ScheduleChoice,
    /// The kind of the choice there, and the number of answers; `None` if the launch has ended.
    pub asked: Option<(ChoiceKind, u32)>,
}

/// The options of a choice, in the order of the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(tag = "of", rename_all = "kebab-case"))]
pub enum ChoiceOptions {
    Blocks {
        blocks: Vec<BlockOption>,
    },
    Warps {
        block: BlockOption,
        warps: Vec<WarpOption>,
    },
    Groups {
        block: BlockOption,
        warp: u32,
        groups: Vec<GroupOption>,
    },
    /// A choice that is not about whose turn it is; the `lanes` that it is about, where it is about lanes.
    Other {
        kind: ChoiceKind,
        answers: u32,
        lanes: u32,
    },
}

impl ChoiceOptions {
    /// Returns the kind of choice that is to be made.
    pub fn kind(&self) -> ChoiceKind {
        match self {
            ChoiceOptions::Blocks { .. } => ChoiceKind::Block,
            ChoiceOptions::Warps { .. } => ChoiceKind::Warp,
            ChoiceOptions::Groups { .. } => ChoiceKind::Group,
            ChoiceOptions::Other { kind, .. } => *kind,
        }
    }

    /// Returns the number of answers.
    pub fn answers(&self) -> u32 {
        match self {
            ChoiceOptions::Blocks { blocks } => blocks.len() as u32,
            ChoiceOptions::Warps { warps, .. } => warps.len() as u32,
            ChoiceOptions::Groups { groups, .. } => groups.len() as u32,
            ChoiceOptions::Other { answers, .. } => *answers,
        }
    }

    /// The choice of answer `pick`, from 0, in a launch.
    pub fn choice(&self, launch: u32, pick: u32) -> ScheduleChoice {
        ScheduleChoice { launch, kind: self.kind(), answers: self.answers(), pick }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct BlockOption {
    /// Counted through all grids of the launch.
    pub number: u64,
    pub kernel: String,
    /// In its grid.
    pub index: [u32; 3],
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct WarpOption {
    pub warp: u32,
    /// Its groups that can go on.
    pub groups: Vec<GroupOption>,
}

/// Lanes that stand at one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct GroupOption {
    /// A bit each.
    pub lanes: u32,
    /// The user's line; `None` where the PTX says none.
    pub location: Option<SourceLocation>,
    /// The lines that called the function around it, innermost first.
    pub called_from: Vec<SourceLocation>,
    /// From 1.
    pub ptx_line: u32,
}
