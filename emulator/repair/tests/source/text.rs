//! A kernel around a few lines, and what an edit makes of them.

use finding::{AtomicAccess, AtomicOperation, BarrierKind, Edit, Position, SourceLocation};
use repair::Unfit;
use repair::source::{apply, text_edits};

pub fn at(line: u32) -> SourceLocation {
    place(line, 1)
}

pub fn place(line: u32, column: u32) -> SourceLocation {
    SourceLocation { file: "k.cu".into(), line, column }
}

pub fn before(line: u32) -> Position {
    Position::Before { at: at(line) }
}

pub fn after(line: u32) -> Position {
    Position::After { at: at(line) }
}

pub fn barrier(at: Position) -> Edit {
    Edit::InsertBarrier { barrier: BarrierKind::Block, at }
}

/// The body's lines begin at line 2.
pub fn kernel(body: &str) -> String {
    format!("__global__ void k(int* d, const int* p, int n, unsigned m) {{\n{body}\n}}\n")
}

pub fn edited(source: &str, remedy: &[Edit]) -> Result<String, Unfit> {
    let edits = text_edits(source, "k", remedy)?;
    for pair in edits.windows(2) {
        assert!(pair[0].end < pair[1].start, "{edits:?}");
    }
    Ok(apply(source, &edits))
}

#[track_caller]
pub fn becomes(body: &str, remedy: &[Edit], want: &str) {
    let got = edited(&kernel(body), remedy);
    assert_eq!(got.as_deref(), Ok(kernel(want).as_str()), "{}", got.clone().unwrap_or_default());
}

#[track_caller]
pub fn refused(body: &str, remedy: &[Edit]) {
    assert!(edited(&kernel(body), remedy).is_err(), "{}", edited(&kernel(body), remedy).unwrap_or_default());
}

pub fn load(line: u32) -> Edit {
    Edit::MakeAtomic { at: at(line), access: AtomicAccess::Load }
}

pub fn store(line: u32) -> Edit {
    Edit::MakeAtomic { at: at(line), access: AtomicAccess::Store }
}

pub fn update(line: u32, operation: Option<AtomicOperation>) -> Edit {
    Edit::MakeAtomic { at: at(line), access: AtomicAccess::Update { operation } }
}
