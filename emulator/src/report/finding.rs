//! One finding: a fact about the user's kernel, with the accesses that prove it.

use std::fmt;

/// The name of an error: the same word in reports, JSON, tests and documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
}

impl Slug {
    pub const ALL: [Slug; 14] = [
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
        }
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A place in the kernel's source, as `.loc` gives it, walked out of headers to the user's own line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLocation {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Which thread, as CUDA names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadName {
    pub block: [u32; 3],
    pub thread: [u32; 3],
    /// Linear thread index in its block.
    pub linear: u32,
}

/// One end of a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// `None` where the PTX carries no `.loc`.
    pub location: Option<SourceLocation>,
    /// The user's lines that called the function around `location`, innermost first.
    pub called_from: Vec<SourceLocation>,
    /// Line in the PTX text.
    pub ptx_line: u32,
    pub thread: Option<ThreadName>,
    /// Past tense, with the value: "stored 128".
    pub action: String,
    /// Where a kernel launched the thread's grid: the launches that led there, innermost first.
    pub launched_by: Vec<LaunchSite>,
}

/// A launch made by a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchSite {
    /// The kernel that was launched.
    pub kernel: String,
    /// The line of the launch, where the PTX says it.
    pub location: Option<SourceLocation>,
    pub ptx_line: u32,
    /// Who launched it.
    pub thread: ThreadName,
}

/// The kernel's bug. Never the emulator's limit, never the emulator's error.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub slug: Slug,
    /// Kernel name as in the PTX.
    pub kernel: String,
    /// One lowercase sentence without a final stop.
    pub message: String,
    /// The accesses in the order in which this run made them: two for a race, one or more otherwise.
    pub accesses: Vec<Access>,
    /// Block, space and address in words.
    pub place: String,
    /// Why this is a bug: what is missing.
    pub why: String,
    /// What would mend it.
    pub help: String,
    /// How often this pair of lines was seen in this launch.
    pub count: u64,
    /// True for a milder note (two equal values written to one place).
    pub benign: bool,
    /// The kernel's argument that points to the place, where one does.
    pub argument: Option<Argument>,
}

/// A kernel's argument by its number. PTX has no names for them; a source has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// From 1.
    pub number: usize,
    /// How the message says the place: "element 5 of what argument 1 points to".
    pub words: String,
    /// Elements from where the argument points; `None` where it points to one element only.
    pub index: Option<u64>,
}

impl Access {
    /// What the host did.
    pub fn of_host(action: String) -> Access {
        Access { location: None, called_from: vec![], ptx_line: 0, thread: None, action, launched_by: vec![] }
    }
}

impl Finding {
    /// The same with the argument's name in place of its number.
    pub fn with_argument_named(&self, name: &str) -> Finding {
        let Some(Argument { number, words, index }) = &self.argument else { return self.clone() };
        let short = match index {
            Some(index) => format!("`{name}[{index}]`"),
            None => format!("`*{name}`"),
        };
        let named = |text: &str| text.replace(words.as_str(), &short).replace(&numbered(*number), &format!("`{name}`"));
        Finding { message: named(&self.message), place: named(&self.place), why: named(&self.why), ..self.clone() }
    }
}

/// How texts name an argument without its name.
pub fn numbered(number: usize) -> String {
    format!("argument {number}")
}
