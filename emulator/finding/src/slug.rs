//! The names of errors.

use std::fmt;

/// The name of an error: the same word in reports, JSON, tests and documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Slug {
    RaceShared,
    RaceGlobal,
    RaceScope,
    OutOfBounds,
    Misaligned,
    UseAfterFree,
    UndefinedValue,
    AbsentLane,
    MaskMismatch,
    BarrierDivergence,
    Deadlock,
    Livelock,
    DeviceLaunch,
    CooperativeLaunch,
    Wgmma,
}

impl Slug {
    pub const ALL: [Slug; 15] = [
        Slug::RaceShared,
        Slug::RaceGlobal,
        Slug::RaceScope,
        Slug::OutOfBounds,
        Slug::Misaligned,
        Slug::UseAfterFree,
        Slug::UndefinedValue,
        Slug::AbsentLane,
        Slug::MaskMismatch,
        Slug::BarrierDivergence,
        Slug::Deadlock,
        Slug::Livelock,
        Slug::DeviceLaunch,
        Slug::CooperativeLaunch,
        Slug::Wgmma,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Slug::RaceShared => "race-shared",
            Slug::RaceGlobal => "race-global",
            Slug::RaceScope => "race-scope",
            Slug::OutOfBounds => "out-of-bounds",
            Slug::Misaligned => "misaligned",
            Slug::UseAfterFree => "use-after-free",
            Slug::UndefinedValue => "undefined-value",
            Slug::AbsentLane => "absent-lane",
            Slug::MaskMismatch => "mask-mismatch",
            Slug::BarrierDivergence => "barrier-divergence",
            Slug::Deadlock => "deadlock",
            Slug::Livelock => "livelock",
            Slug::DeviceLaunch => "device-launch",
            Slug::CooperativeLaunch => "cooperative-launch",
            Slug::Wgmma => "wgmma",
        }
    }
}

impl Slug {
    pub fn is_race(self) -> bool {
        matches!(self, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope)
    }

    /// True where threads wait for one another, or meet where they should not.
    pub fn is_wait(self) -> bool {
        matches!(self, Slug::MaskMismatch | Slug::BarrierDivergence | Slug::Deadlock | Slug::Livelock)
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
