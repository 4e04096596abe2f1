//! The lines of a report's source, and what is said below each.

use crate::causes::undefined::beside;
use crate::phrase::threads::{index, who};
use crate::{Change, Fix, Reader, Source, action};
use finding::{Access, Finding, SourceLocation, ThreadName};

/// A line of the source, with what was done there.
#[derive(Clone)]
pub(crate) struct End {
    /// In the order of the run, from 1; 0 of a line that is no end.
    pub number: usize,
    pub path: String,
    pub line: u32,
    /// `None` where the source is not at hand.
    pub text: Option<String>,
    /// Columns before the mark.
    pub indent: usize,
    /// Empty of a line that is only shown.
    pub action: String,
}

impl End {
    fn at(number: usize, location: &SourceLocation, action: String, source: Option<Source>) -> End {
        let written = source.and_then(|source| source.text.lines().nth((location.line as usize).checked_sub(1)?));
        End {
            number,
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
) -> Vec<End> {
    let naming = Naming::of(finding);
    let end = |number, location: &SourceLocation, action| End::at(number, location, action, source_of(&location.file));
    let of_access = |(number, access): (usize, &Access)| {
        let location = access.location.as_ref()?;
        Some(end(number, location, deed(access, naming, reader) + &callers(access, location, source_of, reader)))
    };
    let mut ends: Vec<End> = (1..).zip(&finding.accesses).filter_map(of_access).collect();
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

/// Further lines of the ends' file that the report speaks of: the cause's, then those that a fix changes.
pub(crate) fn cited<'a>(
    finding: &Finding,
    fix: &Fix,
    ends: &[End],
    source_of: &impl Fn(&str) -> Option<Source<'a>>,
) -> Vec<End> {
    let Some(file) = finding.accesses.iter().find_map(|access| Some(&access.location.as_ref()?.file)) else {
        return vec![];
    };
    let of_fix: &[Change] = match fix {
        Fix::Tried { changes, .. } => changes,
        _ => &[],
    };
    let of_cause = finding.cause.lines().into_iter().filter(|at| at.file == *file).map(|at| at.line);
    let mut lines: Vec<End> = Vec::new();
    for line in of_cause.chain(of_fix.iter().map(|change| change.line)) {
        let at = SourceLocation { file: file.clone(), line, column: 1 };
        let end = End::at(0, &at, String::new(), source_of(file));
        let is_there = |one: &End| (one.line, &one.path) == (line, &end.path);
        if end.text.as_ref().is_some_and(|text| !text.trim().is_empty()) && !ends.iter().chain(&lines).any(is_there) {
            lines.push(end);
        }
    }
    lines
}

/// By file, in the order of the ends, then by line.
pub(crate) fn with_line(ends: &[End], line: &End) -> Vec<End> {
    let after = ends.iter().position(|end| end.path == line.path && end.line > line.line);
    let last = ends.iter().rposition(|end| end.path == line.path).map_or(ends.len(), |last| last + 1);
    let mut ends = ends.to_vec();
    ends.insert(after.unwrap_or(last), line.clone());
    ends
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

/// What a thread's name must say to tell the ends of one finding apart.
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
        let block = finding.accesses.iter().find_map(|access| access.thread).map(|thread| thread.block);
        match block.filter(|block| *block != [0; 3] && !self.block) {
            Some(block) => say!(reader, "in-block-of-grid", block = index(block)),
            None => String::new(),
        }
    }
}

/// Who did what.
pub(crate) fn deed(access: &Access, naming: Naming, reader: &Reader) -> String {
    let action = action(access, reader);
    match access.thread {
        None => action,
        Some(thread) => format!("{} {action}", who(thread, naming.block, naming.lane, reader)),
    }
}
