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
pub enum Kind {
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

impl Kind {
    /// True for what a person who steps through a kernel is asked: which block, warp or group of lanes goes next.
    pub fn is_whose_turn(self) -> bool {
        matches!(self, Kind::Block | Kind::Warp | Kind::Group)
    }

    pub(super) fn of(question: &ChoicePoint) -> Kind {
        match question {
            ChoicePoint::Block(_) => Kind::Block,
            ChoicePoint::Grid(_) => Kind::Grid,
            ChoicePoint::Warp { .. } => Kind::Warp,
            ChoicePoint::Group { .. } => Kind::Group,
            ChoicePoint::Copy(_) => Kind::Copy,
            ChoicePoint::Back(_) => Kind::Back,
            ChoicePoint::Behind(_) => Kind::Behind,
        }
    }

    pub(super) fn of_doubt(doubt: BinaryChoice) -> Kind {
        match doubt {
            BinaryChoice::Begins => Kind::Begins,
            BinaryChoice::Converges => Kind::Converges,
            BinaryChoice::Wrote => Kind::Wrote,
            BinaryChoice::HoldsBack => Kind::HoldsBack,
        }
    }
}

/// One answer of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Choice {
    /// The launch, as the device counts them since it was configured.
    pub launch: u32,
    pub kind: Kind,
    /// The number of answers, two or more.
    pub answers: u32,
    /// Which one was taken, from 0.
    pub pick: u32,
}

/// The progress of a schedule that follows given choices in a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// All choices that were made, given ones and others, in order.
    pub choices: Vec<Choice>,
    pub stop: Option<Stop>,
}

/// Why a launch is not at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[cfg_attr(feature = "json", serde(tag = "why", rename_all = "kebab-case"))]
pub enum Stop {
    /// The next choice is somebody's: one of these. Its kind and number of answers go with them; [`Choice::pick`]
    /// counts them.
    Unanswered(Box<ChoiceOptions>),
    Misfit(Misfit),
}

/// A given choice that does not fit what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Misfit {
    /// Its place in the given list, from 0.
    pub place: usize,
    pub given: Choice,
    /// The kind of the choice there, and the number of answers; `None` if the launch has ended.
    pub asked: Option<(Kind, u32)>,
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
        kind: Kind,
        answers: u32,
        lanes: u32,
    },
}

impl ChoiceOptions {
    /// Returns the kind of choice that is to be made.
    pub fn kind(&self) -> Kind {
        match self {
            ChoiceOptions::Blocks { .. } => Kind::Block,
            ChoiceOptions::Warps { .. } => Kind::Warp,
            ChoiceOptions::Groups { .. } => Kind::Group,
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
    pub fn choice(&self, launch: u32, pick: u32) -> Choice {
        Choice { launch, kind: self.kind(), answers: self.answers(), pick }
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
