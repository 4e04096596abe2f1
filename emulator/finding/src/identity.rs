//! The identity of a finding: what makes it the same bug in another launch, run or process.
//!
//! Made from data alone, never from a text. Threads, values, counts and what a race lacks are left out, since they
//! depend on the schedule.

use crate::{
    Access, AccessKind, BufferName, Cause, Decision, Finding, MemoryPlace, Outside, Reached, Relation, Slug, Unwritten,
    Where,
};
use std::collections::BTreeSet;

/// Equal for findings of the same bug: the rule broken, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Identity {
    slug: Slug,
    /// `None` for a race of two launches or grids whose lines are known: the report may be filed under either kernel.
    kernel: Option<String>,
    at: BugPosition,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Position"))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
enum BugPosition {
    /// File and line of each access, in no order; `None` for an access without a line, such as one by the host.
    Lines(BTreeSet<Option<(String, u32)>>),
    /// No access has a line.
    Unlocated(Circumstances),
}

/// The identity of a finding without lines. Neither an index nor a line of the PTX, by which an unrolled loop would be
/// as many bugs as it has rounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Circumstances {
    /// [`Cause::key`]; `None` for a race, whose key may depend on the schedule.
    cause: Option<String>,
    access: Option<AccessKind>,
    decision: Option<Decision>,
    /// The kernel that a thread launched.
    launched: Option<String>,
    /// The variable or the argument, without an index.
    memory: Option<MemoryPlace>,
}

impl Finding {
    /// Returns what findings of the same bug have in common.
    pub fn identity(&self) -> Identity {
        let lines: BTreeSet<_> = self.accesses.iter().map(line).collect();
        let has_lines = lines.iter().any(Option::is_some);
        Identity {
            slug: self.slug,
            kernel: (!has_lines || !is_of_two_grids(self)).then(|| self.kernel.clone()),
            at: if has_lines { BugPosition::Lines(lines) } else { BugPosition::Unlocated(Circumstances::of(self)) },
        }
    }
}

fn line(access: &Access) -> Option<(String, u32)> {
    access.location.as_ref().map(|at| (at.file.clone(), at.line))
}

/// Returns true for a race of two launches, or of two grids that kernels launched.
fn is_of_two_grids(finding: &Finding) -> bool {
    let Cause::Unordered(race) = &finding.cause else { return false };
    match race.relation {
        Relation::Launches | Relation::Dependent { .. } | Relation::ParentAndChild { .. } | Relation::Grids { .. } => {
            true
        }
        Relation::ScopeTooNarrow(_) => {
            let kernel = |access: &Access| access.launched_by.first().map(|site| site.kernel.clone());
            finding.accesses.windows(2).any(|pair| kernel(&pair[0]) != kernel(&pair[1]))
        }
        Relation::Host { .. } | Relation::Copies { .. } | Relation::Threads(_) => false,
    }
}

impl Circumstances {
    fn of(finding: &Finding) -> Circumstances {
        let cause = &finding.cause;
        Circumstances {
            cause: (!finding.slug.is_race()).then(|| cause.key().to_string()),
            access: access(cause),
            decision: decision(cause),
            launched: launched(cause),
            memory: memory_of_cause(cause).or_else(|| memory_of_place(&finding.place)),
        }
    }
}

fn access(cause: &Cause) -> Option<AccessKind> {
    match cause {
        Cause::OutOfBounds { kind, .. }
        | Cause::ReadOnly { kind, .. }
        | Cause::Misaligned { kind, .. }
        | Cause::OutsideSurface { kind, .. }
        | Cause::BeforePeerStarts { kind }
        | Cause::AfterPeerEnds { kind }
        | Cause::UseAfterFree { kind, .. } => Some(*kind),
        _ => None,
    }
}

fn decision(cause: &Cause) -> Option<Decision> {
    let reached = match cause {
        Cause::NeverWritten(value) => value.reached,
        Cause::AbsentLane(absence) => absence.reached,
        _ => return None,
    };
    match reached {
        Reached::Decision { decision } => Some(decision),
        Reached::Host => None,
    }
}

fn launched(cause: &Cause) -> Option<String> {
    match cause {
        Cause::LaunchFailed { kernel, .. } => kernel.clone(),
        Cause::PointerToOwnMemory { kernel, .. } => Some(kernel.clone()),
        _ => None,
    }
}

fn memory_of_cause(cause: &Cause) -> Option<MemoryPlace> {
    match cause {
        Cause::Unordered(race) => race.place.whole(),
        Cause::HostUnordered { place, .. } | Cause::ReadOnly { place, .. } | Cause::BarrierObject { place, .. } => {
            place.whole()
        }
        Cause::NeverWritten(value) => match &value.from {
            Unwritten::Loaded { place, .. } => place.whole(),
            Unwritten::Copied { argument, .. } => argument.map(|at| argument_memory(at.argument)),
            Unwritten::Unknown { .. } => None,
        },
        Cause::PointerToOwnMemory { number, .. } => Some(argument_memory(*number)),
        _ => None,
    }
}

/// Leaves out the number of an allocation of the host: a bug in a loop is one.
fn memory_of_place(place: &Where) -> Option<MemoryPlace> {
    match place {
        Where::Global { buffer, .. } | Where::Byte { buffer, .. } => memory_of_buffer(&buffer.of),
        Where::Misaligned { near, .. } => near.as_ref()?.whole(),
        Where::OutsideArray { array, .. } => Some(MemoryPlace::Variable { name: array.clone(), index: None }),
        Where::Outside { at: Outside::Near { element, buffer, .. }, near } => {
            let named = element.as_ref().or(near.as_ref()).and_then(MemoryPlace::whole);
            named.or_else(|| memory_of_buffer(&buffer.of))
        }
        Where::Outside { near, .. } => near.as_ref()?.whole(),
        _ => None,
    }
}

fn memory_of_buffer(name: &BufferName) -> Option<MemoryPlace> {
    match name {
        BufferName::Argument { number } => Some(argument_memory(*number)),
        BufferName::Variable { name } => Some(MemoryPlace::Variable { name: name.clone(), index: None }),
        BufferName::Allocation => None,
    }
}

fn argument_memory(number: usize) -> MemoryPlace {
    MemoryPlace::Argument { number, index: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Buffer, BufferSide, Distance, Narrow, Severity, SourceLocation, Space, Unordered};

    fn access(at: Option<(u32, u32)>, ptx_line: u32) -> Access {
        let location = at.map(|(line, column)| SourceLocation { file: "a.cu".to_string(), line, column });
        Access { location, ptx_line, ..Access::of_host(Action::Accessed { bytes: 4 }) }
    }

    fn finding(slug: Slug, cause: Cause, accesses: Vec<Access>) -> Finding {
        Finding {
            slug,
            severity: Severity::Error,
            kernel: "k".to_string(),
            accesses,
            headline: None,
            place: Where::Nowhere,
            cause,
            remedies: Vec::new(),
            count: 1,
        }
    }

    fn element(number: usize, index: i64) -> MemoryPlace {
        MemoryPlace::Argument { number, index: Some(index) }
    }

    fn race(place: MemoryPlace, relation: Relation, lines: [Option<u32>; 2]) -> Finding {
        let cause = Cause::Unordered(Box::new(Unordered::new(place, Distance::Grid, relation)));
        finding(Slug::RaceGlobal, cause, lines.map(|line| access(line.map(|line| (line, 5)), 40)).to_vec())
    }

    fn of_threads(place: MemoryPlace, lines: [Option<u32>; 2]) -> Identity {
        race(place, Relation::Threads(Box::default()), lines).identity()
    }

    /// Past the end of what argument `number` points to, in line `ptx_line` of the PTX.
    fn out_of_bounds(kind: AccessKind, number: usize, ptx_line: u32) -> Finding {
        let buffer = Buffer { bytes: 64, of: BufferName::Argument { number } };
        let element = Some(element(number, ptx_line.into()));
        let cause = Cause::OutOfBounds { kind, bytes: 4, space: Space::Global, side: BufferSide::Past };
        let place =
            Where::Outside { at: Outside::Near { element, far: 0, side: BufferSide::Past, buffer }, near: None };
        Finding { place, ..finding(Slug::OutOfBounds, cause, vec![access(None, ptx_line)]) }
    }

    #[test]
    fn lines_tell_races_apart_in_either_order_and_whatever_the_place() {
        let one = of_threads(element(1, 0), [Some(13), Some(16)]);
        assert_eq!(one, of_threads(element(2, 7), [Some(16), Some(13)]));
        assert_ne!(one, of_threads(element(1, 0), [Some(13), Some(17)]));
        assert_ne!(one, of_threads(element(1, 0), [Some(13), None]));
        // A line that races with itself does not race with the host.
        assert_ne!(of_threads(element(1, 0), [Some(13), Some(13)]), of_threads(element(1, 0), [Some(13), None]));
    }

    #[test]
    fn columns_and_lines_of_the_ptx_do_not_count_beside_lines() {
        let of = |column, ptx_line| {
            let cause = Cause::UseAfterFree { kind: AccessKind::Load, heap: false };
            finding(Slug::UseAfterFree, cause, vec![access(Some((13, column)), ptx_line)]).identity()
        };
        assert_eq!(of(5, 40), of(9, 44));
    }

    #[test]
    fn without_lines_it_is_the_memory_and_no_index() {
        let one = of_threads(element(1, 0), [None, None]);
        assert_eq!(one, of_threads(element(1, 7), [None, None]));
        let part = MemoryPlace::Part { of: Box::new(MemoryPlace::Argument { number: 1, index: None }), byte: 2 };
        assert_eq!(one, of_threads(part, [None, None]));
        assert_ne!(one, of_threads(element(2, 0), [None, None]));
        let variable = |name: &str| MemoryPlace::Variable { name: name.to_string(), index: Some(0) };
        assert_ne!(of_threads(variable("tile_1"), [None, None]), of_threads(variable("tile_2"), [None, None]));
        let unnamed = |address| of_threads(MemoryPlace::Address { address }, [None, None]);
        assert_eq!(unnamed(64), unnamed(128));
    }

    #[test]
    fn an_unrolled_loop_without_lines_is_one_bug_and_a_read_is_not_a_write() {
        let one = out_of_bounds(AccessKind::Load, 1, 40).identity();
        assert_eq!(one, out_of_bounds(AccessKind::Load, 1, 44).identity());
        assert_ne!(one, out_of_bounds(AccessKind::Load, 2, 40).identity());
        assert_ne!(one, out_of_bounds(AccessKind::Store, 1, 40).identity());
    }

    #[test]
    fn two_grids_may_file_their_race_under_either_kernel() {
        let filed_under = |kernel: &str, relation, lines| {
            Finding { kernel: kernel.to_string(), ..race(element(1, 0), relation, lines) }.identity()
        };
        let lines = [Some(13), Some(16)];
        let grids = || Relation::Grids { kernels: ["a".to_string(), "b".to_string()] };
        for relation in [|| Relation::Launches, grids] {
            assert_eq!(filed_under("a", relation(), lines), filed_under("b", relation(), lines));
            // An argument's number says nothing without its kernel.
            assert_ne!(filed_under("a", relation(), [None; 2]), filed_under("b", relation(), [None; 2]));
        }
        let narrow = || Relation::ScopeTooNarrow(Narrow { parts: Vec::new() });
        assert_ne!(filed_under("a", narrow(), lines), filed_under("b", narrow(), lines));
    }
}
