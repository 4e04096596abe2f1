//! One finding: a fact about the user's kernel, with the accesses that prove it. No field holds a sentence.

#[cfg(feature = "json")]
use crate::json;
use crate::{Access, Cause, Distance, MOST_CALLERS, Remedy, Slug, SourceLocation, Unwritten, Where};

/// The kernel's bug. Never the emulator's limit, never the emulator's error.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    pub slug: Slug,
    pub severity: Severity,
    /// Kernel name as in the PTX; empty for what the host did by itself.
    pub kernel: String,
    /// The accesses in the order in which this run made them: two for a race, one or more otherwise.
    pub accesses: Vec<Access>,
    /// Which of the accesses a report's header names; `None`: the one that came last.
    pub headline: Option<usize>,
    pub place: Where,
    #[cfg_attr(feature = "json", serde(with = "json::keyed_cause"))]
    #[cfg_attr(feature = "schema", schemars(with = "json::KeyedCause<'static>"))]
    pub cause: Cause,
    /// Remedies, the smallest first; empty where nothing local does.
    pub remedies: Vec<Remedy>,
    /// The number of times that this pair of lines was seen in this launch.
    pub count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Severity {
    Error,
    /// Nothing fails by it: two equal values stored to one place, or what PTX allows and the CUDA programming guide
    /// does not.
    Note,
    /// No bug by itself; asked for where an answer is wrong and no finding says why.
    Hint,
}

impl Finding {
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns true for a race between blocks of a cluster, in the shared memory of one of them.
    pub fn is_in_cluster(&self) -> bool {
        let is_between_blocks = matches!(&self.cause, Cause::Unordered(race) if race.distance == Distance::Grid);
        is_between_blocks && matches!(self.place, Where::Shared { .. })
    }

    /// Returns true if threads of a block access that block's own shared memory.
    pub fn is_in_own_block(&self) -> bool {
        let Where::Shared { block: owner, .. } = self.place else { return false };
        self.accesses.iter().all(|access| access.thread.is_some_and(|thread| thread.block == owner))
    }

    /// Returns the source lines that it is about: its accesses', and the line that wrote beside what nothing has
    /// written.
    pub fn locations(&self) -> impl Iterator<Item = &SourceLocation> {
        let accesses = self.accesses.iter().filter_map(|access| access.location.as_ref());
        accesses.chain(self.written_beside())
    }

    /// Returns the lines between which the first two accesses stand apart, the upper one first: two lines of the
    /// innermost function that led to both. If two calls of it lead to them, these are the lines of the calls. What
    /// stands between them in a function that is called twice is passed in each call, maybe by a part of the threads.
    pub fn lines_apart(&self) -> Option<[&SourceLocation; 2]> {
        let [first, second, ..] = &self.accesses[..] else { return None };
        let is_whole = [first, second].iter().all(|access| access.called_from.len() < MOST_CALLERS);
        let innermost = |access| lines_of(access).take(if is_whole { usize::MAX } else { 1 }).collect::<Vec<_>>();
        let (first, second) = (innermost(first), innermost(second));
        let (one, other) = first.into_iter().rev().zip(second.into_iter().rev()).find(|(one, other)| one != other)?;
        let (upper, lower) = if one.line < other.line { (one, other) } else { (other, one) };
        (upper.file == lower.file && upper.line < lower.line).then_some([upper, lower])
    }

    /// Returns the nearest line that wrote beside a value that was only copied by the host, or the kernel's first line.
    pub fn written_beside(&self) -> Option<&SourceLocation> {
        let Cause::NeverWritten(value) = &self.cause else { return None };
        match &value.from {
            Unwritten::Copied { at, beside, .. } => beside.as_ref().map(|beside| &beside.at).or(at.as_ref()),
            _ => None,
        }
    }
}

/// The lines that led to an access, innermost first: its own, and those of the calls.
fn lines_of(access: &Access) -> impl Iterator<Item = &SourceLocation> {
    access.location.iter().chain(&access.called_from)
}

/// True if findings say why a run's answer is wrong: then nobody needs to look for hints. A value that was never
/// written may itself come from what hints are about.
pub fn explain_an_answer(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.slug != Slug::UndefinedValue)
}
