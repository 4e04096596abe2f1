//! The reader of a report: the language, and the names of arguments. PTX only numbers those; the source names them.

use crate::layout::TypeLayout;
use crate::parameters::{element_bytes, is_word, layout};
use crate::shapes::{self, ArrayShape};
use crate::{Source, parameter_name};
use finding::{
    Access, Action, Beyond, Cause, Finding, Look, MemoryPlace, Missing, Outside, Relation, SourceLocation, Unordered,
    Unwritten, WaitAt, Where,
};
use std::collections::{BTreeMap, BTreeSet};
use words::Language;

/// Without a name a text says "argument 1".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    pub language: Language,
    by_number: BTreeMap<usize, String>,
    /// Arrays that a Python function got, by the argument that points to their elements.
    arrays: BTreeMap<usize, ArrayParameter>,
    /// Bytes of an element of what an argument points to.
    elements: BTreeMap<usize, u64>,
    /// The same of an array.
    elements_of_arrays: BTreeMap<String, u64>,
    /// The members of an element of what an argument points to; and whether the source writes `p->x`.
    layouts: BTreeMap<usize, (TypeLayout, bool)>,
    /// The same of variables; and whether one is an array.
    layouts_of_variables: BTreeMap<String, (TypeLayout, bool)>,
    /// The shapes of arrays that have more than one dimension.
    shapes: BTreeMap<String, ArrayShape>,
    /// Arrays of shared memory whose size the launch gives.
    sized_by_launch: BTreeSet<String>,
    /// The variable that the one line assigns which could have written an undefined value.
    pub(crate) assigned: Option<String>,
    /// Arrays and variables whose elements are structures, or of a type that is not known.
    with_members: BTreeSet<String>,
    /// Bytes of an element that an index of a place counts: the size of the access.
    bytes_of_index: Option<u64>,
    /// The lower line of two accesses, if the block of the source that has it also has the upper one.
    pub(crate) below_branch: Option<u32>,
    /// The line that asks for the active mask does so by another function.
    pub(crate) asks_inside: bool,
}

/// An array that a Python function got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayParameter {
    pub name: String,
    pub dimensions: usize,
}

impl Reader {
    pub fn new(language: Language) -> Reader {
        Reader { language, ..Reader::default() }
    }

    /// With the names of the arguments that a finding's places lead to, as far as the sources of its accesses tell
    /// them.
    pub fn of<'a>(finding: &Finding, source: impl Fn(&str) -> Option<Source<'a>>, language: Language) -> Reader {
        let lines = || {
            let of_accesses = finding.accesses.iter().filter_map(|access| access.location.as_ref());
            of_accesses.chain(first_line(finding))
        };
        let text = |at: &SourceLocation| Some(source(&at.file)?.text);
        let named = |number: &usize| {
            let name = lines().find_map(|at| parameter_name(text(at)?, &finding.kernel, *number))?;
            Some((*number, name))
        };
        let sized = |number: &usize| {
            let bytes = lines().find_map(|at| element_bytes(text(at)?, &finding.kernel, *number))?;
            Some((*number, bytes))
        };
        let shaped = |name: &str| {
            let shape = lines().find_map(|at| shapes::declared(text(at)?, at.line, name))?;
            Some((name.to_string(), shape))
        };
        let sized_array = |name: &&str| {
            let bytes = lines().find_map(|at| shapes::element_bytes(text(at)?, at.line, name))?;
            Some((name.to_string(), bytes))
        };
        let laid_out = |number: &usize| {
            let (layout, text) =
                lines().find_map(|at| Some((layout(text(at)?, &finding.kernel, *number)?, text(at)?)))?;
            let name = parameter_name(text, &finding.kernel, *number)?;
            Some((*number, (layout, text.contains(&format!("{name}->")))))
        };
        let laid_out_variable = |name: &&str| {
            let layout = lines().find_map(|at| shapes::layout(text(at)?, at.line, name))?;
            Some((name.to_string(), layout))
        };
        let is_open = |name: &&str| lines().any(|at| text(at).is_some_and(|text| shapes::is_open(text, at.line, name)));
        let has_members =
            |name: &&str| lines().find_map(|at| shapes::has_members(text(at)?, at.line, name)).unwrap_or_default();
        let line = |at: &SourceLocation| text(at)?.lines().nth((at.line as usize).checked_sub(1)?);
        let asks =
            |access: &Access| access.location.as_ref().and_then(line).is_none_or(|line| line.contains("__activemask"));
        let arguments = arguments(finding);
        Reader {
            assigned: writer(finding).and_then(line).and_then(assigned),
            with_members: variables(finding).into_iter().filter(has_members).map(str::to_string).collect(),
            bytes_of_index: bytes_of_index(finding),
            below_branch: below_branch(finding, text),
            asks_inside: matches!(finding.cause, Cause::ActiveMask { .. }) && !finding.accesses.iter().any(asks),
            language,
            by_number: arguments.iter().filter_map(named).collect(),
            arrays: lines().find_map(|at| arrays(&at.file, text(at)?, &finding.kernel)).unwrap_or_default(),
            elements: arguments.iter().filter_map(sized).collect(),
            elements_of_arrays: variables(finding).iter().filter_map(sized_array).collect(),
            layouts: arguments.iter().filter_map(laid_out).collect(),
            layouts_of_variables: variables(finding).iter().filter_map(laid_out_variable).collect(),
            shapes: variables(finding).into_iter().filter_map(shaped).collect(),
            sized_by_launch: variables(finding).into_iter().filter(is_open).map(str::to_string).collect(),
        }
    }

    /// One name more.
    pub fn with(mut self, number: usize, name: &str) -> Reader {
        self.by_number.insert(number, name.to_string());
        self
    }

    pub(crate) fn element(&self, number: usize) -> Option<u64> {
        self.elements.get(&number).copied()
    }

    /// Bytes of one element of what has this name.
    pub(crate) fn element_of(&self, place: &MemoryPlace) -> Option<u64> {
        match place.base() {
            MemoryPlace::Argument { number, .. } => self.element(*number),
            MemoryPlace::Variable { name, .. } => self.elements_of_arrays.get(name).copied(),
            _ => None,
        }
    }

    pub(crate) fn layout(&self, number: usize) -> Option<&(TypeLayout, bool)> {
        self.layouts.get(&number)
    }

    pub(crate) fn layout_of_variable(&self, name: &str) -> Option<&(TypeLayout, bool)> {
        self.layouts_of_variables.get(name)
    }

    pub(crate) fn has_members(&self, name: &str) -> bool {
        self.with_members.contains(name)
    }

    pub(crate) fn argument_has_members(&self, number: usize) -> bool {
        self.layouts.get(&number).is_some_and(|(layout, _)| layout.has_members())
    }

    pub(crate) fn bytes_of_index(&self) -> Option<u64> {
        self.bytes_of_index
    }

    pub(crate) fn shape(&self, name: &str) -> Option<&ArrayShape> {
        self.shapes.get(name)
    }

    pub(crate) fn is_sized_by_launch(&self, name: &str) -> bool {
        self.sized_by_launch.contains(name)
    }

    pub(crate) fn array(&self, number: usize) -> Option<&ArrayParameter> {
        self.arrays.get(&number)
    }

    pub(crate) fn name(&self, number: usize) -> Option<&str> {
        self.by_number.get(&number).map(String::as_str)
    }

    /// An argument as the source calls it, or by its number.
    pub(crate) fn argument(&self, number: usize) -> String {
        match self.name(number) {
            Some(name) => format!("`{name}`"),
            None => say!(self, "argument", number),
        }
    }
}

/// Returns the arrays that a kernel got from Python, if the file is Python's.
#[cfg(feature = "demangle")]
fn arrays(file: &str, source: &str, kernel: &str) -> Option<BTreeMap<usize, ArrayParameter>> {
    file.ends_with(".py").then(|| crate::python::arrays(source, kernel))
}

/// Without names of C++ there are no types, which say what is an array.
#[cfg(not(feature = "demangle"))]
fn arrays(_: &str, _: &str, _: &str) -> Option<BTreeMap<usize, ArrayParameter>> {
    None
}

/// The size of the access whose address a finding's place names.
fn bytes_of_index(finding: &Finding) -> Option<u64> {
    let loads = |access: &&Access| matches!(access.action, Action::LoadedUnwritten { .. });
    let named = finding.accesses.iter().find(loads);
    let mut with_memory = finding.accesses.iter().rev().filter(|access| access.memory.is_some());
    let memory = named.or_else(|| with_memory.next())?.memory.as_ref()?;
    Some(memory.bytes.into())
}

/// The lower line of a finding's two accesses, if a statement begins there that is no deeper in the source than the
/// upper line. Then no branch and no loop has the lower line alone.
fn below_branch<'a>(finding: &Finding, text: impl Fn(&SourceLocation) -> Option<&'a str>) -> Option<u32> {
    let [first, second] = finding.accesses.get(..2)? else { return None };
    let (first, second) = (first.location.as_ref()?, second.location.as_ref()?);
    let (upper, lower) = if first.line < second.line { (first, second) } else { (second, first) };
    (upper.file == lower.file && upper.line < lower.line).then_some(())?;
    let lines = text(lower)?.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut between = lines.skip(upper.line.checked_sub(1)? as usize);
    let mut above: Vec<&str> = between.by_ref().take((lower.line - upper.line) as usize).collect();
    let line = between.next()?.trim();
    // Skip the blocks that begin and end within the upper line.
    let own = above.first_mut()?;
    *own = own.rsplit(['{', '}']).next().unwrap_or_default();
    let (mut depth, mut least) = (0i32, 0i32);
    for letter in above.iter().flat_map(|line| line.chars()) {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        least = least.min(depth);
    }
    let before = above.iter().rev().map(|line| line.trim()).find(|line| !line.is_empty())?;
    let is_statement = before.ends_with([';', '}', '{']) && !line.starts_with(['}', '{']) && !line.starts_with("else");
    let has_comment = above.iter().any(|line| line.contains("/*") || line.contains('#'));
    (depth == least && is_statement && !has_comment).then_some(lower.line)
}

/// The one line that could have written an undefined value.
fn writer(finding: &Finding) -> Option<&SourceLocation> {
    let Cause::NeverWritten(value) = &finding.cause else { return None };
    let Unwritten::Unknown { writers } = &value.from else { return None };
    let first = writers.first()?;
    writers.iter().all(|one| (&one.file, one.line) == (&first.file, first.line)).then_some(first)
}

/// `first` of `if (...) first = f();`: the variable of a line's only assignment.
fn assigned(line: &str) -> Option<String> {
    let (before, after) = line.split_once(" = ")?;
    let name = before.rsplit(|c: char| !is_word(c)).next()?;
    (!name.is_empty() && !after.contains(" = ")).then(|| name.to_string())
}

/// The arguments that a finding's places lead to. A buffer alone does not count: that an argument points into it does
/// not say that the access went by it.
fn arguments(finding: &Finding) -> Vec<usize> {
    let number = |place: &MemoryPlace| match place.base() {
        MemoryPlace::Argument { number, .. } => Some(*number),
        _ => None,
    };
    let copied = copied(finding).and_then(|(_, argument)| argument);
    places(finding).into_iter().filter_map(number).chain(copied.map(|at| at.argument)).collect()
}

/// The variables that a finding names an element of.
fn variables(finding: &Finding) -> Vec<&str> {
    let array = match &finding.place {
        Where::OutsideArray { array, .. } => Some(array.as_str()),
        Where::Misaligned { near: Some(MemoryPlace::Variable { name, .. }), .. } => Some(name.as_str()),
        _ => None,
    };
    let near = match &finding.place {
        Where::Outside { near, .. } => near.as_ref(),
        Where::OutsideArray { there, .. } => there.as_ref(),
        _ => None,
    };
    let name = |place| match place {
        &MemoryPlace::Variable { ref name, index: Some(_) } => Some(name.as_str()),
        MemoryPlace::Part { of, .. } => match &**of {
            MemoryPlace::Variable { name, .. } => Some(name.as_str()),
            _ => None,
        },
        _ => None,
    };
    places(finding).into_iter().chain(near).filter_map(name).chain(array).collect()
}

fn places(finding: &Finding) -> Vec<&MemoryPlace> {
    let of_where = match &finding.place {
        Where::Outside { at: Outside::Near { element, .. }, .. } => element.as_ref(),
        Where::Misaligned { near, .. } => near.as_ref(),
        _ => None,
    };
    let of_actions = finding.accesses.iter().filter_map(of_access);
    of_cause(&finding.cause).into_iter().chain(of_where).chain(of_actions).collect()
}

/// The kernel's first line, where the host alone has done something.
pub(crate) fn first_line(finding: &Finding) -> Option<&SourceLocation> {
    copied(finding).and_then(|(at, _)| at)
}

fn copied(finding: &Finding) -> Option<(Option<&SourceLocation>, Option<Beyond>)> {
    match &finding.cause {
        Cause::NeverWritten(value) => match &value.from {
            Unwritten::Copied { at, argument, .. } => Some((at.as_ref(), *argument)),
            _ => None,
        },
        _ => None,
    }
}

fn of_cause(cause: &Cause) -> Vec<&MemoryPlace> {
    match cause {
        Cause::Unordered(race) => std::iter::once(&race.place).chain(locks(race)).collect(),
        Cause::NeverWritten(value) => match &value.from {
            Unwritten::Loaded { place, .. } => vec![place],
            _ => vec![],
        },
        Cause::BarrierObject { place, .. } | Cause::HostUnordered { place, .. } => vec![place],
        _ => vec![],
    }
}

fn locks(race: &Unordered) -> impl Iterator<Item = &MemoryPlace> {
    let missing = match &race.relation {
        Relation::Threads(pair) => pair.missing.as_ref(),
        _ => None,
    };
    let locks = match missing {
        Some(Missing::Locks { first, second, .. }) => [first.as_ref(), second.as_ref()],
        _ => [None, None],
    };
    locks.into_iter().flatten()
}

fn of_access(access: &Access) -> Option<&MemoryPlace> {
    match &access.action {
        Action::LoadedUnwritten { place } => Some(place),
        Action::Set { place, .. } => place.as_ref(),
        Action::Waits(waiting) => match &waiting.at {
            WaitAt::Spin { look: Some(Look::Value { place, .. } | Look::ArrivalsMissing { place, .. }) } => Some(place),
            _ => None,
        },
        _ => None,
    }
}
