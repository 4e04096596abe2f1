//! A few words of a line that become others.

use super::SourceFile;
use super::change::{SourceChanges, TextPiece};
use super::scan::words;
use crate::Unfit;
use finding::SourceLocation;
use std::ops::Range;

impl SourceFile {
    /// `old` stands once in the code of the line, however it is spaced, or begins at the column.
    pub(super) fn rewrite(
        &self,
        at: &SourceLocation,
        old: &str,
        new: &str,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let places = self.places_of(at.line, old);
        let begins = |place: &&Range<usize>| self.at(self.byte(place.start)).column == at.column;
        let here = match &places[..] {
            [here] => here,
            _ => places.iter().find(begins).ok_or(Unfit::NothingThere { line: at.line })?,
        };
        if old == new {
            return Err(Unfit::OtherThing { line: at.line });
        }
        let bytes = self.bytes(here.clone());
        if new.is_empty() {
            changes.replace(self.with_its_line(bytes), Vec::new());
        } else {
            changes.replace(bytes, vec![TextPiece::New(new.to_string())]);
        }
        Ok(())
    }

    /// Returns the places of these tokens in the line.
    pub(super) fn places_of(&self, line: u32, old: &str) -> Vec<Range<usize>> {
        let words = words(old);
        let starts = (0..self.scan.tokens.len()).filter(|at| self.line(*at) == line && !words.is_empty());
        let is_there = |start: &usize| words.iter().zip(*start..).all(|(word, at)| self.token(at) == *word);
        starts.filter(is_there).map(|start| start..start + words.len()).collect()
    }
}
