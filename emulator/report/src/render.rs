//! A finding as text, in the manner of rustc: both ends numbered on their source lines, then what would fix it.
//!
//! Pure: the caller looks the sources up and says what only it knows (luck over many runs, how to replay).

use crate::ends::{AccessLine, Naming, cited, deed, ends, with_line};
use crate::fewer;
use crate::fix::groups;
use crate::phrase::threads::who;
use crate::reader::first_line;
use crate::{FindingTexts, FixState, Language, Reader, Source, labelled, place, readable, said, said_without_fix};
use finding::{Access, Action, Cause, Finding, HostOperation, Means, Missing, Relation, Severity};
use std::fmt::Write;

/// True if the text carries colours (ANSI SGR codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Ansi,
}

/// The caller's additions to a finding, and how much it wants to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    pub language: Language,
    /// Place and reason as well.
    pub is_verbose: bool,
    /// The text that says how lucky this run was among others.
    pub luck: Option<String>,
    /// The result of trying to fix it.
    pub fix: FixState,
    /// The command that makes the same run again.
    pub replay: Option<String>,
    /// The command that makes that run again and writes it as a page.
    pub see: Option<String>,
    /// That page is of a smaller run than the one that is told.
    pub is_smaller: bool,
    /// A smaller run that shows it, and its command.
    pub smallest: Option<String>,
    /// It is no finding, and shown as a note without a slug.
    pub is_hint: bool,
    /// The way to read more: options of the program.
    pub more: Option<String>,
    /// The reader has many kernels before them: the place begins with the kernel's name.
    pub names_kernel: bool,
}

/// A report has no more rows of so many columns for the sake of lines that it only cites.
const ROWS: usize = 12;
const COLUMNS: usize = 100;

const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BLUE: &str = "1;34";
const BOLD: &str = "1";

/// The finding's report, ending in a line break. `source` finds a file by the name that the PTX gives it.
pub fn render<'a>(
    finding: &Finding,
    source: impl Fn(&str) -> Option<Source<'a>>,
    remarks: &Remarks,
    paint: Paint,
) -> String {
    let reader = Reader::of(finding, &source, remarks.language);
    let mut ends = ends(finding, &reader, &source);
    let fix = format!("= {} (", say!(reader, "label-fix"));
    let rows =
        |ends: &[AccessLine], why| rows(&written(finding, ends, &source, &reader, remarks, why, Paint::Plain), &fix);
    // Each further change of a fix has a row of its own.
    if !remarks.is_verbose && finding.slug.is_wait() {
        for fewer in [fewer::joined, fewer::folded] {
            if rows(&ends, false) > ROWS {
                ends = fewer(finding, &ends, &reader);
            }
        }
    }
    let is_subtle = is_about_fences(&finding.cause) || is_of_pageable_copy(&finding.cause);
    let why = remarks.is_verbose || is_subtle && rows(&ends, true) < ROWS + changes(&remarks.fix);
    for line in cited(finding, &remarks.fix, &ends, &reader, &source) {
        let more = with_line(&ends, &line);
        if remarks.is_verbose || rows(&more, why) <= ROWS {
            ends = more;
        }
    }
    written(finding, &ends, &source, &reader, remarks, why, paint)
}

/// True for a race that looks like a false alarm to readers who know that the copy is synchronous.
fn is_of_pageable_copy(cause: &Cause) -> bool {
    let operation = match cause {
        Cause::HostUnordered { operation, .. } => Some(*operation),
        Cause::Unordered(race) => match race.relation {
            Relation::Host { operation } => Some(operation),
            _ => None,
        },
        _ => None,
    };
    operation == Some(HostOperation::CopyFromPageable)
}

/// True for a race whose effect does not show in one run: the value read may be the one written.
fn is_about_fences(cause: &Cause) -> bool {
    let Cause::Unordered(race) = cause else { return false };
    match &race.relation {
        Relation::ScopeTooNarrow(_) => true,
        Relation::Threads(pair) => matches!(
            pair.missing,
            Some(
                Missing::FenceBeforeFlag { .. }
                    | Missing::FenceAfterLook { .. }
                    | Missing::WrongMeans { means: Means::Fence, .. }
            )
        ),
        _ => false,
    }
}

fn changes(fix: &FixState) -> usize {
    match fix {
        FixState::Tried { changes, .. } => groups(changes).len().max(1),
        _ => 1,
    }
}

/// Rows that a text takes. Who reads a command or a fix copies it: it counts as one.
fn rows(text: &str, fix: &str) -> usize {
    let is_copied = |line: &str| line.contains("cargo ") || line.contains(fix);
    let of_line = |line: &str| if is_copied(line) { 1 } else { line.chars().count().div_ceil(COLUMNS).max(1) };
    text.lines().map(of_line).sum()
}

fn written<'a>(
    finding: &Finding,
    ends: &[AccessLine],
    source: &impl Fn(&str) -> Option<Source<'a>>,
    reader: &Reader,
    remarks: &Remarks,
    tells_why: bool,
    paint: Paint,
) -> String {
    let FindingTexts { message, why, fix } = match remarks.fix {
        FixState::Untold => said_without_fix(finding, reader),
        _ => said(finding, reader),
    };
    // As wide as the largest line number, and two at least.
    let width = ends.iter().map(|end| end.line.to_string().len()).max().unwrap_or(0).max(2);
    let gutter = |text: &str| paint.with(BLUE, &format!("{text:>width$} |"));
    let mut out = String::new();

    let is_hint = remarks.is_hint || finding.severity == Severity::Hint;
    // A note may be what the author wants: its advice asks for no change.
    let asks = !is_hint && finding.is_error();
    let shown: Vec<u32> = ends.iter().filter(|end| end.text.is_some()).map(|end| end.line).collect();
    let (fix_label, fix) = labelled(&remarks.fix, fix, asks, &shown, reader);
    let (word, colour) = match asks {
        false => (say!(reader, "note"), YELLOW),
        true => (say!(reader, "error"), RED),
    };
    let word = if is_hint { word } else { format!("{word}[{}]", finding.slug) };
    let head = paint.with(colour, &word);
    put(&mut out, format_args!("{head}{}", paint.with(BOLD, &format!(": {message}"))));

    let mut file = None;
    let mut line = 0;
    let kernel = match remarks.names_kernel && !finding.kernel.is_empty() {
        true => {
            say!(reader, "in-kernel-named", kernel = readable(&finding.kernel))
                + &Naming::of(finding).in_block(finding, reader)
        }
        false => String::new(),
    };
    // As a rule the header names the end that the run came to last; the lines below follow the source.
    let named = finding.headline.and_then(|index| ends.iter().find(|end| end.number == index + 1));
    if let Some(last) =
        named.or_else(|| ends.iter().rev().filter(|end| !end.action.is_empty()).max_by_key(|end| end.number))
    {
        put(&mut out, format_args!("{:>width$}{} {}:{}{kernel}", "", paint.with(BLUE, "-->"), last.path, last.line));
        file = Some(last.path.as_str());
    } else if let Some(at) = first_line(finding) {
        let path = source(&at.file).map_or(at.file.as_str(), |source| source.path);
        put(&mut out, format_args!("{:>width$}{} {path}:{}{kernel}", "", paint.with(BLUE, "-->"), at.line));
    }
    for end in ends {
        if file != Some(end.path.as_str()) {
            put(&mut out, format_args!("{:>width$}{} {}:{}", "", paint.with(BLUE, ":::"), end.path, end.line));
            file = Some(end.path.as_str());
            line = 0;
        }
        if line != end.line {
            line = end.line;
            if let Some(text) = &end.text {
                put(&mut out, format_args!("{} {text}", gutter(&line.to_string())));
            }
        }
        if end.action.is_empty() {
            continue;
        }
        let number = if end.shown == 0 { String::new() } else { format!("({}) ", end.shown) };
        let mark = paint.with(colour, &format!("^ {number}{}", end.action));
        put(&mut out, format_args!("{} {:indent$}{mark}", gutter(""), "", indent = end.indent));
    }
    for (number, access) in (1..).zip(&finding.accesses) {
        // The title says that the host copies it.
        let is_said = matches!(access.action, Action::HostRead { .. }) && !ends.is_empty() && !remarks.is_verbose;
        if access.location.is_none() && !is_said {
            let action = deed(access, Naming::of(finding), reader);
            let place = match access.ptx_line {
                0 => String::new(), // The host's own.
                line => say!(reader, "line-of-ptx", line) + ": ",
            };
            put(&mut out, format_args!("{} ({number}) {place}{action}", gutter("")));
        }
    }

    let verbose = |text: String| remarks.is_verbose.then_some(text);
    let kernel_alone = match ends.is_empty() && first_line(finding).is_none() {
        true => say!(reader, "kernel-alone", kernel = readable(&finding.kernel)),
        false => String::new(),
    };
    let lines = [
        (say!(reader, "label-where"), (!finding.kernel.is_empty() && remarks.names_kernel).then_some(kernel_alone)),
        (say!(reader, "label-launched"), Some(launches(finding, source, reader))),
        (say!(reader, "label-where"), verbose(place(finding, reader))),
        (say!(reader, "label-why"), tells_why.then_some(why)),
        (say!(reader, "label-luck"), remarks.luck.clone()),
        (fix_label, Some(fix)),
        (say!(reader, "label-replay"), remarks.replay.clone()),
        (say!(reader, "label-smallest"), remarks.smallest.clone()),
        (say!(reader, "label-more"), remarks.more.clone()),
        (say!(reader, "label-see", is_smaller = remarks.is_smaller), remarks.see.clone()),
    ];
    for (label, text) in lines {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            put(&mut out, format_args!("{}", remark(&label, &text, width, paint)));
        }
    }
    out
}

/// Returns a remark, which stands after the lines of the source, whose numbers are `width` wide: ` = label: text`.
pub fn remark(label: &str, text: &str, width: usize, paint: Paint) -> String {
    let equals = paint.with(BLUE, &format!("{:>width$} =", ""));
    // Code is not broken: what does not begin in the first line has one of its own.
    let text = text.replace('\n', &format!("\n{:>1$}", "", width + 7));
    format!("{equals} {} {text}", paint.with(BOLD, &format!("{label}:")))
}

/// Returns the action at one end with its thread, as a report has it.
pub fn deed_of(finding: &Finding, access: &Access, reader: &Reader) -> String {
    deed(access, Naming::of(finding), reader)
}

/// As [`deed_of`], of an access by itself.
pub fn deed_alone(access: &Access, names_block: bool, reader: &Reader) -> String {
    deed(access, Naming { block: names_block, lane: false }, reader)
}

/// Returns a hint as a note: without a slug, and without a way to make its run again.
pub fn hint<'a>(
    hint: &Finding,
    source: impl Fn(&str) -> Option<Source<'a>>,
    language: Language,
    paint: Paint,
) -> String {
    render(hint, source, &Remarks { is_hint: true, language, ..Remarks::default() }, paint)
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_string(),
            Paint::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// Returns how kernels launched the grids of the ends: `(1) by ... at line 30`.
fn launches<'a>(finding: &Finding, source: &impl Fn(&str) -> Option<Source<'a>>, reader: &Reader) -> String {
    let mut all: Vec<String> = Vec::new();
    for (number, access) in (1..).zip(&finding.accesses) {
        let mut text = String::new();
        for (nth, site) in access.launched_by.iter().enumerate().take(DEEPEST + 1) {
            let at = match &site.location {
                Some(at) => format!("{}:{}", source(&at.file).map_or(at.file.as_str(), |it| it.path), at.line),
                None => say!(reader, "line-of-ptx", line = site.ptx_line),
            };
            let naming = Naming { block: true, lane: false };
            text += &match nth {
                DEEPEST => say!(reader, "and-so-on", depth = access.launched_by.len()),
                _ => {
                    let who = who(site.thread, naming.block, naming.lane, reader);
                    say!(
                        reader,
                        "launched",
                        is_first = nth == 0,
                        number = number as u64,
                        kernel = readable(&site.kernel),
                        at,
                        who
                    )
                }
            };
        }
        all.extend(Some(text).filter(|text| !text.is_empty()));
    }
    all.join("; ")
}

/// Launches of a chain that are told one by one.
const DEEPEST: usize = 4;

fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("a String takes every line");
}
