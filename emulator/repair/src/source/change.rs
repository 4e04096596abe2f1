//! Changes of one text that are collected and then made at once.
//!
//! A change may keep parts of what it replaces; other changes inside these parts are made too, wherever they move.

use crate::Unfit;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextPiece {
    New(String),
    /// These bytes of what is replaced.
    Kept(Range<usize>),
    /// These bytes from elsewhere, where another change replaces them.
    Moved(Range<usize>),
}

/// The order of what is inserted at one place: first the ends of what is before it, from the inside, then the starts of
/// what is behind it, from the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InsertionRank {
    start: bool,
    depth: isize,
    step: u8,
}

impl InsertionRank {
    pub fn end(depth: usize, step: u8) -> InsertionRank {
        InsertionRank { start: false, depth: -(depth as isize), step }
    }

    pub fn start(depth: usize, step: u8) -> InsertionRank {
        InsertionRank { start: true, depth: depth as isize, step }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct SourceChange {
    range: Range<usize>,
    rank: InsertionRank,
    pieces: Vec<TextPiece>,
}

#[derive(Debug, Default)]
pub(super) struct SourceChanges {
    changes: Vec<SourceChange>,
    /// Names that they introduce.
    pub names: Vec<String>,
}

impl SourceChanges {
    pub fn insert(&mut self, at: usize, rank: InsertionRank, pieces: Vec<TextPiece>) {
        self.push(SourceChange { range: at..at, rank, pieces });
    }

    pub fn replace(&mut self, range: Range<usize>, pieces: Vec<TextPiece>) {
        self.push(SourceChange { range, rank: InsertionRank::start(usize::MAX / 2, u8::MAX), pieces });
    }

    /// The same change twice, such as the braces around what gets two neighbours, is one.
    fn push(&mut self, change: SourceChange) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// The bytes that are replaced, and by what, in order; an error where two changes do not go together.
    pub fn resolved(mut self, text: &str) -> Result<Vec<(Range<usize>, String)>, Unfit> {
        self.changes.sort_by_key(|change| (change.range.start, change.rank));
        let all: Vec<&SourceChange> = self.changes.iter().collect();
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for change in outermost(&all) {
            let new = rendered(change, &all, text)?;
            match edits.last_mut() {
                Some((range, old)) if range.end == change.range.start => {
                    range.end = change.range.end;
                    *old += &new;
                }
                Some((range, _)) if range.end > change.range.start => return Err(clash(text, change)),
                _ => edits.push((change.range.clone(), new)),
            }
        }
        Ok(edits)
    }
}

fn clash(text: &str, change: &SourceChange) -> Unfit {
    Unfit::OtherThing { line: text[..change.range.start].matches('\n').count() as u32 + 1 }
}

/// Strictly inside: what is inserted at an edge of a change stays outside of it.
fn inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    let edge = inner.is_empty() && (inner.start == outer.start || inner.start == outer.end);
    outer.start <= inner.start && inner.end <= outer.end && inner != outer && !edge
}

fn outermost<'a>(changes: &[&'a SourceChange]) -> Vec<&'a SourceChange> {
    let nested = |inner: &SourceChange| changes.iter().any(|outer| inside(&inner.range, &outer.range));
    changes.iter().copied().filter(|change| !nested(change)).collect()
}

/// The change's own text, with the changes inside of what it keeps.
fn rendered(change: &SourceChange, all: &[&SourceChange], text: &str) -> Result<String, Unfit> {
    let within: Vec<&SourceChange> = all.iter().copied().filter(|inner| inside(&inner.range, &change.range)).collect();
    let keeps = |piece: &TextPiece, inner: &SourceChange| match piece {
        TextPiece::New(_) => false,
        TextPiece::Kept(kept) => kept.start <= inner.range.start && inner.range.end <= kept.end,
        TextPiece::Moved(moved) => inside(&inner.range, moved),
    };
    let kept = |inner: &SourceChange| all.iter().flat_map(|change| &change.pieces).any(|piece| keeps(piece, inner));
    if let Some(lost) = within.iter().find(|inner| !kept(inner)) {
        return Err(clash(text, lost));
    }
    let mut result = String::new();
    for piece in &change.pieces {
        let (range, among) = match piece {
            TextPiece::New(new) => {
                result += new;
                continue;
            }
            TextPiece::Kept(range) => (range, &within[..]),
            TextPiece::Moved(range) => (range, all),
        };
        let inner: Vec<&SourceChange> = among.iter().copied().filter(|inner| keeps(piece, inner)).collect();
        let mut done = range.start;
        for inner in outermost(&inner) {
            if inner.range.start < done {
                return Err(clash(text, inner));
            }
            result += &text[done..inner.range.start];
            result += &rendered(inner, all, text)?;
            done = inner.range.end;
        }
        result += &text[done..range.end];
    }
    Ok(result)
}
