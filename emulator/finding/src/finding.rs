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

impl Slug {
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
    /// Which of the accesses the header names; `None`: the one that came last.
    pub headline: Option<usize>,
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
    /// The kernel's arguments that point to the places it names.
    pub arguments: Vec<Argument>,
}

/// True if findings say why a run's answer is wrong: then nobody needs to look for hints. A value that was never written may
/// itself come from what hints are about.
pub fn explain_an_answer(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.slug != Slug::UndefinedValue)
}

/// A kernel's argument by its number. PTX has no names for them; a source has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// From 1.
    pub number: usize,
    /// How the texts say the place: "element 5 of what argument 1 points to".
    pub words: String,
    /// Elements from where the argument points; `None` where it points to one element only.
    pub index: Option<i64>,
}

impl Access {
    /// What the host did.
    pub fn of_host(action: String) -> Access {
        Access { location: None, called_from: vec![], ptx_line: 0, thread: None, action, launched_by: vec![] }
    }
}

impl Finding {
    /// The same with names in place of arguments' numbers, as far as `name` knows them.
    pub fn with_arguments_named(&self, name: impl Fn(usize) -> Option<String>) -> Finding {
        let mut named: Vec<_> = self.arguments.iter().filter_map(|it| Some((it, name(it.number)?))).collect();
        // "element 5 of what argument 1 points to" before the part of it that may stand alone.
        named.sort_by_key(|(argument, _)| std::cmp::Reverse(argument.words.len()));
        let rewritten = |text: &str| {
            let places = named.iter().fold(text.to_string(), |text, (Argument { words, index, .. }, name)| {
                let short = match index {
                    Some(index) => format!("`{name}[{index}]`"),
                    None => format!("`*{name}`"),
                };
                without_digit_behind(&text, words, &short)
            });
            named.iter().fold(places, |text, (argument, name)| {
                without_digit_behind(&text, &numbered(argument.number), &format!("`{name}`"))
            })
        };
        let mut finding = self.clone();
        for text in [&mut finding.message, &mut finding.place, &mut finding.why] {
            *text = rewritten(text);
        }
        finding.accesses.iter_mut().for_each(|access| access.action = rewritten(&access.action));
        finding
    }
}

/// Replaces `words` where no digit follows: "argument 1" is not the beginning of "argument 12".
fn without_digit_behind(text: &str, words: &str, short: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(words) {
        let behind = &rest[at + words.len()..];
        let ends = !behind.starts_with(|c: char| c.is_ascii_digit());
        out.push_str(&rest[..at]);
        out.push_str(if ends { short } else { words });
        rest = behind;
    }
    out + rest
}

/// How texts name an argument without its name.
pub fn numbered(number: usize) -> String {
    format!("argument {number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_named_wherever_they_stand() {
        let words = |index: i64| format!("element {index} of what argument 1 points to");
        let argument = |index| Argument { number: 1, words: words(index), index: Some(index) };
        let access = |action: String| Access { action, ..Access::of_host(String::new()) };
        let finding = Finding {
            slug: Slug::Livelock,
            kernel: "transfer".to_string(),
            message: "threads wait".to_string(),
            headline: None,
            accesses: vec![access(format!("finds 1 in {}", words(0))), access(format!("finds 1 in {}", words(12)))],
            place: "the 8-byte buffer that argument 1 points to, not argument 12".to_string(),
            why: String::new(),
            help: String::new(),
            count: 1,
            benign: false,
            arguments: vec![argument(0), argument(12)],
        };
        let named = finding.with_arguments_named(|number| (number == 1).then(|| "locks".to_string()));
        let actions: Vec<&str> = named.accesses.iter().map(|access| access.action.as_str()).collect();
        assert_eq!(actions, ["finds 1 in `locks[0]`", "finds 1 in `locks[12]`"]);
        assert_eq!(named.place, "the 8-byte buffer that `locks` points to, not argument 12");
        assert_eq!(finding.with_arguments_named(|_| None), finding);
    }
}
