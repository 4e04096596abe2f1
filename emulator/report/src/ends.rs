//! The lines of a report's source, and what is said below each.

use crate::causes::undefined::{beside, missed};
use crate::parameters::is_word;
use crate::phrase::threads::{index, who};
use crate::{Change, FixState, Reader, Source, action};
use finding::{Access, Action, Cause, Finding, MemoryPlace, Slug, SourceLocation, ThreadName, WaitAt, Where};

/// A line of the source, with what was done there.
#[derive(Clone)]
pub(crate) struct AccessLine {
    /// In the order of the run, from 1; 0 of a line that is no end.
    pub number: usize,
    /// The number that is shown.
    pub shown: usize,
    pub path: String,
    pub line: u32,
    /// `None` where the source is not at hand.
    pub text: Option<String>,
    /// Columns before the mark.
    pub indent: usize,
    /// Empty of a line that is only shown.
    pub action: String,
}

impl AccessLine {
    fn at(number: usize, location: &SourceLocation, action: String, source: Option<Source>) -> AccessLine {
        let written = source.and_then(|source| source.text.lines().nth((location.line as usize).checked_sub(1)?));
        AccessLine {
            number,
            shown: number,
            path: source.map_or(location.file.as_str(), |source| source.path).to_string(),
            line: location.line,
            text: written.map(|text| expand_tabs(text.trim_end())),
            indent: written.map_or(0, |text| indent(text, location.column)),
            action,
        }
    }
}

/// The ends that have a place, by file (the last end's first), line and number.
pub(crate) fn ends<'a>(
    finding: &Finding,
    reader: &Reader,
    source_of: &impl Fn(&str) -> Option<Source<'a>>,
) -> Vec<AccessLine> {
    let naming = Naming::of(finding);
    let end =
        |number, location: &SourceLocation, action| AccessLine::at(number, location, action, source_of(&location.file));
    let of_access = |(number, access): (usize, &Access)| {
        let location = access.location.as_ref()?;
        let in_time = is_in_time(finding, access);
        let mut shown = access.clone();
        // A value that (1) wrote is written, though it came from one that was not.
        if let Action::Loaded { value: Some(value) } = &mut shown.action {
            value.unwritten &= !in_time;
        }
        let mut end =
            end(number, location, deed(&shown, naming, reader) + &callers(access, location, source_of, reader));
        let is_named =
            |function: &str| end.text.as_ref().is_none_or(|text| has_word(text, function.trim_end_matches("()")));
        if function(&access.action).is_some_and(|name| name.starts_with("__") && !is_named(name)) {
            end.action += &say!(reader, "called-inside");
        }
        if is_again(finding, access) {
            end.action += &say!(reader, "again");
        }
        if in_time {
            end.action += &say!(reader, "in-time");
        }
        Some(end)
    };
    let mut ends: Vec<AccessLine> = (1..).zip(&finding.accesses).filter_map(of_access).collect();
    ends.extend(beside(finding, reader).map(|(location, action)| end(0, location, action)));
    let first_file = ends.last().map(|end| end.path.clone());
    ends.sort_by_key(|end| (Some(&end.path) != first_file.as_ref(), end.path.clone(), end.line, end.number));
    // The lines follow the source, the numbers the run. Of threads that wait for one another the numbers are names.
    if !ends.is_sorted_by_key(|end| end.number) && !finding.slug.is_wait() {
        for end in ends.iter_mut().filter(|end| end.number == 1) {
            end.action = say!(reader, "first-in-run", deed = &end.action);
        }
    }
    ends
}

/// Further lines of the ends' file that the report speaks of: the cause's, then the one where the racing argument gets
/// the name by which the ends know it, then those that a fix changes.
pub(crate) fn cited<'a>(
    finding: &Finding,
    fix: &FixState,
    ends: &[AccessLine],
    reader: &Reader,
    source_of: &impl Fn(&str) -> Option<Source<'a>>,
) -> Vec<AccessLine> {
    let of_accesses = finding.accesses.iter().find_map(|access| access.location.as_ref());
    let Some(SourceLocation { file, .. }) = of_accesses.or_else(|| beside(finding, reader).map(|(at, _)| at)) else {
        return vec![];
    };
    let of_fix: &[Change] = match fix {
        FixState::Tried { changes, .. } => changes,
        _ => &[],
    };
    let of_cause = finding.cause.lines().into_iter().filter(|at| at.file == *file).map(|at| at.line);
    let mut lines: Vec<AccessLine> = Vec::new();
    let of_name = renamed(finding, ends, reader, source_of(file));
    for line in of_cause.chain(of_name).chain(of_fix.iter().map(|change| change.line)) {
        let at = SourceLocation { file: file.clone(), line, column: 1 };
        let action = if of_fix.iter().any(|change| change.is_changed(line)) { missed(finding, reader) } else { None };
        let mut end = AccessLine::at(0, &at, action.unwrap_or_default(), source_of(file));
        end.indent = end.text.as_ref().map_or(0, |text| text.len() - text.trim_start().len());
        let is_there = |one: &AccessLine| (one.line, &one.path) == (line, &end.path);
        if end.text.as_ref().is_some_and(|text| !text.trim().is_empty()) && !ends.iter().chain(&lines).any(is_there) {
            lines.push(end);
        }
    }
    lines
}

/// Finds where the racing argument is assigned to a pointer of another name: the last line above that does so, where no
/// end has its name.
fn renamed(finding: &Finding, ends: &[AccessLine], reader: &Reader, source: Option<Source>) -> Option<u32> {
    let Cause::Unordered(race) = &finding.cause else { return None };
    let MemoryPlace::Argument { number, .. } = race.place.base() else { return None };
    let name = reader.name(*number)?;
    let first = ends.iter().map(|end| end.line).min()?;
    if ends.iter().any(|end| end.text.as_ref().is_none_or(|text| has_word(text, name))) {
        return None;
    }
    let above: Vec<&str> = source?.text.lines().take(first as usize - 1).collect();
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_string();
    let assigns = |line: &str| code(line).split_once('=').is_some_and(|(_, value)| has_word(value, name));
    let at = above.iter().rposition(|line| assigns(line) || line.contains("__global__"))?;
    assigns(above[at]).then_some(at as u32 + 1)
}

/// True if an identifier stands in the text by itself.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !is_word(c)).any(|one| one == word)
}

/// By file, in the order of the ends, then by line.
pub(crate) fn with_line(ends: &[AccessLine], line: &AccessLine) -> Vec<AccessLine> {
    let after = ends.iter().position(|end| end.path == line.path && end.line > line.line);
    let last = ends.iter().rposition(|end| end.path == line.path).map_or(ends.len(), |last| last + 1);
    let mut ends = ends.to_vec();
    ends.insert(after.unwrap_or(last), line.clone());
    ends
}

/// True if an access is the second of two that one thread made by one line: a loop came back to it.
fn is_again(finding: &Finding, access: &Access) -> bool {
    let [first, second] = &finding.accesses[..] else { return false };
    let is_same = first.thread == second.thread
        && (&first.called_from, &first.location, first.ptx_line)
            == (&second.called_from, &second.location, second.ptx_line);
    std::ptr::eq(access, second) && first.thread.is_some() && is_same
}

/// True if an access reads what the racing one wrote. Another run may read it too early.
fn is_in_time(finding: &Finding, access: &Access) -> bool {
    let [Access { action: Action::Stored { value: Some(written) }, .. }, second] = &finding.accesses[..] else {
        return false;
    };
    let reads =
        matches!(&second.action, Action::Loaded { value: Some(read) } if read.bits == written.bits && !read.stale);
    std::ptr::eq(access, second) && reads && matches!(finding.cause, Cause::Unordered(_))
}

/// CUDA's function that an action is told by.
fn function(action: &Action) -> Option<&'static str> {
    match action {
        Action::AskedActiveMask { .. } | Action::ActiveMaskGave { .. } => Some("__activemask()"),
        Action::CalledWithMask { function, .. } => Some(function),
        Action::CameToBarrier { barrier, .. } => barrier.function(),
        Action::Waits(waiting) => match &waiting.at {
            WaitAt::Mask { function, .. } => Some(function),
            WaitAt::Barrier { barrier, .. } => barrier.function(),
            _ => None,
        },
        _ => None,
    }
}

/// `, called from line 30`: the lines that led into the function where an access stands.
fn callers<'a>(
    access: &Access,
    at: &SourceLocation,
    source: &impl Fn(&str) -> Option<Source<'a>>,
    reader: &Reader,
) -> String {
    let caller = |caller: &SourceLocation| {
        let path = source(&caller.file).map_or(caller.file.as_str(), |source| source.path);
        match caller.file == at.file {
            true => say!(reader, "called-from-line", line = caller.line),
            false => say!(reader, "called-from", path, line = caller.line),
        }
    };
    access.called_from.iter().map(caller).collect()
}

const TAB: &str = "    ";

fn expand_tabs(text: &str) -> String {
    text.replace('\t', TAB)
}

/// Columns before `column` (in bytes, from 1) once tabs are expanded; a column beyond the line counts as its end.
fn indent(text: &str, column: u32) -> usize {
    let before = (column.max(1) - 1) as usize;
    text.char_indices().take_while(|&(at, _)| at < before).map(|(_, c)| if c == '\t' { TAB.len() } else { 1 }).sum()
}

/// The parts of a thread's name that tell the ends of one finding apart.
#[derive(Clone, Copy)]
pub(crate) struct Naming {
    pub block: bool,
    pub lane: bool,
}

impl Naming {
    pub fn of(finding: &Finding) -> Naming {
        let threads: Vec<_> = finding.accesses.iter().filter_map(|access| access.thread).collect();
        let differ = |of: fn(&ThreadName) -> ([u32; 3], u32)| {
            let first = threads.first().map(of);
            threads.iter().any(|thread| Some(of(thread)) != first)
        };
        let block = differ(|thread| (thread.block, 0));
        let one_warp = !differ(|thread| (thread.block, thread.linear / 32));
        Naming { block, lane: one_warp && differ(|thread| (thread.block, thread.linear)) }
    }

    /// `, block 3`, where all is done in one block and it is not the first: most kernels that are small have no other.
    pub fn in_block(self, finding: &Finding, reader: &Reader) -> String {
        let of_threads = finding.accesses.iter().find_map(|access| access.thread).map(|thread| thread.block);
        let block = of_threads.or(match finding.place {
            // Its ends are many threads.
            Where::Warp { block, .. } | Where::Block { block } if finding.slug == Slug::BarrierDivergence => {
                Some(block)
            }
            _ => None,
        });
        match block.filter(|block| *block != [0; 3] && !self.block) {
            Some(block) => say!(reader, "in-block-of-grid", block = index(block)),
            None => String::new(),
        }
    }
}

/// Returns the text that says which thread did what.
pub(crate) fn deed(access: &Access, naming: Naming, reader: &Reader) -> String {
    let action = action(access, reader);
    match access.thread {
        None => action,
        Some(thread) => format!("{} {action}", who(thread, naming.block, naming.lane, reader)),
    }
}
