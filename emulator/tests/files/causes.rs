//! Why each file of `fail/` and `pass/` is told what it is told, and what may fix it, at its end: there it moves no
//! line.
//!
//! - `// cause: no-barrier` is the key of a finding's, a note's or a hint's cause, in their order; two that are alike
//!   are told once;
//! - `// remedy: barrier block between 24 25`, below its cause, is one of its remedies, the smallest first: edits with
//!   ` + ` between.
//!
//! Lines are the file's own: PTX without `.loc` is taken to be its own source. The run is the one in order, without
//! hints where findings explain the answer. After a change `UPDATE_CAUSES=1 cargo test -p emulator --test files causes`
//! writes them anew.

use crate::machine::{Emulated, Loaded};
use crate::{files, plain, read, stem, tests, trial};
use emulator::Policy;
use emulator::finding::{AtomicAccess, BarrierKind, Cause, Edit, Finding, Position, Scope, SourceLocation};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FUEL: u64 = 1 << 24;

fn is_declaration(line: &str) -> bool {
    line.starts_with("// cause:") || line.starts_with("// remedy:")
}

/// Returns the declarations in a file.
fn declared(text: &str) -> Vec<&str> {
    text.lines().filter(|line| is_declaration(line)).collect()
}

/// Returns the findings of its run. Some code is CUDA's own if it has no lines.
fn told(text: &str) -> Vec<Finding> {
    let told = told_of(located(text));
    if told.is_empty() { told_of(text.to_string()) } else { told }
}

fn told_of(text: String) -> Vec<Finding> {
    let loaded = Loaded::new(text);
    let mut machine = Emulated::checked(&loaded, Policy::InOrder, FUEL);
    machine.looks_for_hints = true;
    // Another test checks that a run is as its line says.
    let _ = machine.check();
    let Emulated { mut findings, notes, hints, .. } = machine;
    let hints = if findings.is_empty() { hints } else { Vec::new() };
    findings.extend(notes.into_iter().chain(hints));
    findings
}

/// Returns the lines that it must say.
fn shown(told: &[Finding]) -> Vec<String> {
    let mut all: Vec<Vec<String>> = Vec::new();
    for lines in told.iter().map(lines) {
        if !all.contains(&lines) {
            all.push(lines);
        }
    }
    all.concat()
}

fn lines(finding: &Finding) -> Vec<String> {
    let remedy = |edits: &Vec<Edit>| {
        let edits: Vec<String> = edits.iter().map(written).collect();
        format!("// remedy: {}", edits.join(" + "))
    };
    let cause = format!("// cause: {}", finding.cause.key());
    std::iter::once(cause).chain(finding.remedies.iter().map(remedy)).collect()
}

pub fn written(edit: &Edit) -> String {
    let position = |at: &Position| match at {
        Position::Before { at } => format!("before {}", at.line),
        Position::After { at } => format!("after {}", at.line),
        Position::Between { first: from, second: to } => format!("between {} {}", from.line, to.line),
    };
    let scope = |scope: &Scope| match scope {
        Scope::Block => "block",
        Scope::Cluster => "cluster",
        Scope::Device => "device",
        Scope::System => "system",
    };
    match edit {
        Edit::InsertBarrier { barrier, at } => match barrier {
            BarrierKind::Warp { mask } => format!("barrier warp {mask:#x} {}", position(at)),
            BarrierKind::Part { number, threads } => format!("barrier {number} {threads} {}", position(at)),
            BarrierKind::Block => format!("barrier block {}", position(at)),
            BarrierKind::Cluster => format!("barrier cluster {}", position(at)),
            BarrierKind::Grid => format!("barrier grid {}", position(at)),
        },
        Edit::InsertFence { scope: wide, at } => format!("fence {} {}", scope(wide), position(at)),
        Edit::InsertWait { at } => format!("wait for copies {}", position(at)),
        Edit::InsertBulkWait { at } => format!("wait for bulk copies {}", position(at)),
        Edit::InsertProxyFence { at } => format!("proxy fence {}", position(at)),
        Edit::InsertGridWait { at } => format!("wait for grids {}", position(at)),
        Edit::InsertProductWait { at } => format!("wait for products {}", position(at)),
        Edit::InsertProductFence { at } => format!("wgmma fence {}", position(at)),
        Edit::WidenScope { at, to } => format!("scope {} at {}", scope(to), at.line),
        Edit::MakeAtomic { at, access } => match access {
            AtomicAccess::Load => format!("atomic load at {}", at.line),
            AtomicAccess::Store => format!("atomic store at {}", at.line),
            AtomicAccess::Update { operation: None } => format!("atomic update at {}", at.line),
            AtomicAccess::Update { operation: Some(operation) } => format!("{} at {}", operation.cuda_name(), at.line),
        },
        Edit::ChangeMask { at, mask } => format!("mask {mask:#x} at {}", at.line),
        Edit::ChangeCount { at, threads } => format!("{threads} threads at {}", at.line),
        Edit::ChangeWidth { at, width } => format!("width {width} at {}", at.line),
        Edit::BoundIndex { at, below: None } => format!("bound at {}", at.line),
        Edit::BoundIndex { at, below: Some(number) } => format!("bound by parameter {number} at {}", at.line),
        Edit::Guard { at, condition } => format!("if {condition} at {}", at.line),
        Edit::Rewrite { at, old, new } => format!("{old} to {new} at {}", at.line),
        Edit::Insert { statement, at } => format!("{statement} {}", position(at)),
        Edit::SplitUpdate { at, .. } => format!("split at {}", at.line),
        Edit::RemoveBarrier { at } => format!("no barrier at {}", at.line),
        Edit::Hoist { at, above } => format!("{} before {}", at.line, above.line),
        Edit::UseReturned { at, of } => format!("result of {} at {}", of.line, at.line),
    }
}

fn has_lines(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(".loc "))
}

/// The text with a `.loc` before each instruction of a line, in that line, if it has none.
pub fn located(text: &str) -> String {
    if has_lines(text) {
        return text.to_string();
    }
    let mut located = String::new();
    let mut is_begun = false;
    for (line, number) in text.lines().zip(1..) {
        let instruction = line.trim_start();
        let is_one = instruction.starts_with(|c: char| c.is_ascii_lowercase() || c == '@');
        if is_one && !is_begun && line.starts_with(' ') && !instruction.ends_with(':') {
            located += &format!(".loc 1 {number} 1 ");
        }
        // One that goes on in the next line has its place.
        let code = line.split("//").next().unwrap_or("").trim_end();
        is_begun = is_one && !code.ends_with([';', ':', '{', '}']) || is_begun && !code.ends_with(';');
        located += line;
        located.push('\n');
    }
    located + ".file 1 \"kernel.ptx\"\n"
}

/// True if an edit changes an instruction of the kind that it is about, or stands between two.
fn is_exact(edit: &Edit, text: &str) -> bool {
    let at = |at: &SourceLocation, opcodes: &[&str]| {
        let line = text.lines().nth(at.line as usize - 1).unwrap_or("").trim_start();
        let instruction = if line.starts_with('@') { line.split_once(' ').map_or("", |(_, rest)| rest) } else { line };
        opcodes.iter().any(|opcode| instruction.starts_with(opcode))
    };
    let any = |place: &SourceLocation| at(place, &[""]);
    match edit {
        Edit::InsertBarrier { at, .. } | Edit::InsertFence { at, .. } => match at {
            Position::Before { at } | Position::After { at } => any(at),
            Position::Between { first: from, second: to } => from.line < to.line && any(from) && any(to),
        },
        Edit::WidenScope { at: place, .. } => at(place, &["fence.", "membar.", "atom.", "red.", "ld.", "st."]),
        Edit::MakeAtomic { at: place, access: AtomicAccess::Load } => at(place, &["ld."]),
        Edit::MakeAtomic { at: place, access: AtomicAccess::Store } => at(place, &["st."]),
        Edit::MakeAtomic { at: place, access: AtomicAccess::Update { .. } } => at(place, &["ld.", "st."]),
        Edit::ChangeMask { at: place, .. } => at(place, &["bar.warp.", "shfl.", "vote.", "match.", "redux."]),
        Edit::ChangeCount { at: place, .. } => at(place, &["bar.", "barrier."]),
        Edit::ChangeWidth { at: place, .. } => at(place, &["shfl."]),
        Edit::BoundIndex { at: place, .. } => at(place, &["ld.", "st.", "atom.", "red.", "cp."]),
        // None is proposed by a cause.
        Edit::Guard { .. }
        | Edit::Rewrite { .. }
        | Edit::Insert { .. }
        | Edit::InsertWait { .. }
        | Edit::InsertBulkWait { .. }
        | Edit::InsertProxyFence { .. }
        | Edit::InsertGridWait { .. }
        | Edit::InsertProductWait { .. }
        | Edit::InsertProductFence { .. }
        | Edit::SplitUpdate { .. } => false,
        Edit::RemoveBarrier { at: place } => at(place, &["bar.", "barrier."]),
        Edit::Hoist { at: place, above } => at(place, &["shfl.", "vote.", "match.", "redux."]) && any(above),
        Edit::UseReturned { at: load, of } => at(load, &["ld."]) && at(of, &["atom.", "red."]),
    }
}

fn judge(path: &Path) -> Result<(), String> {
    let text = read(path);
    let (declared, told) = (declared(&text), told(&text));
    let shown = shown(&told);
    if declared != shown && std::env::var("UPDATE_CAUSES").is_ok() {
        let kept = text.lines().filter(|line| !is_declaration(line)).chain(shown.iter().map(String::as_str));
        let text: String = kept.map(|line| format!("{line}\n")).collect();
        return std::fs::write(path, text).map_err(|error| error.to_string());
    }
    if declared != shown {
        return Err(format!("it must end in\n{}\nand says\n{}", shown.join("\n"), declared.join("\n")));
    }
    let mut edits = told.iter().flat_map(|finding| &finding.remedies).flatten();
    // With `.loc` the lines are not the file's.
    match edits.find(|edit| !has_lines(&text) && !is_exact(edit, &text)) {
        Some(edit) => Err(format!("there is nothing to change by `{}`", written(edit))),
        None => Ok(()),
    }
}

fn paths() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(tests().join("fail")).expect("the folder is there");
    let folders = folders.map(|entry| entry.expect("readable").path()).chain([tests().join("pass")]);
    folders.flat_map(|folder| files(&folder, "ptx")).collect()
}

fn every_cause_and_every_edit_is_shown() {
    let texts: Vec<String> = paths().iter().map(|path| read(path)).collect();
    let causes = texts.iter().flat_map(|text| declared(text)).filter_map(|line| line.strip_prefix("// cause: "));
    let shown: BTreeSet<&str> = causes.collect();
    let remedies = texts.iter().flat_map(|text| declared(text)).filter_map(|line| line.strip_prefix("// remedy: "));
    let edits: BTreeSet<&str> = remedies.flat_map(|it| it.split(" + ")).filter_map(|it| it.split(' ').next()).collect();
    let kinds = ["atomic", "barrier", "bound", "fence", "mask", "result", "scope", "width"];
    assert!(edits.into_iter().eq(kinds), "no file shows an edit of each kind");
    let missing: Vec<&str> = Cause::KEYS.into_iter().filter(|key| !shown.contains(key)).collect();
    assert!(missing.is_empty(), "no file shows {missing:?}");
}

pub fn trials() -> Vec<Trial> {
    let name = |path: &Path| format!("causes/{}/{}", stem(path.parent().expect("a folder")), stem(path));
    let all = paths().into_iter().map(|path| trial(name(&path), move || judge(&path)));
    all.chain([plain("causes/every_one_is_shown", every_cause_and_every_edit_is_shown)]).collect()
}
