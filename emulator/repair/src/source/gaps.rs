//! The places between statements where something can be inserted, and how lines name them.

use super::statements::{Role, StatementKind, StatementList};
use super::{SourceFile, location};
use finding::{Position, TextPosition};
use std::cmp::Reverse;

/// A place between two statements, or at an end of a list of them, named by the statements beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The start of the statement before it.
    pub after: Option<TextPosition>,
    /// The start of the statement after it.
    pub before: Option<TextPosition>,
}

impl Gap {
    /// Returns the positions that name this place: one or two.
    pub fn positions(&self, file: &str) -> Vec<Position> {
        let before = self.before.map(|at| Position::Before { at: location(at, file) });
        let after = self.after.map(|at| Position::After { at: location(at, file) });
        before.into_iter().chain(after).collect()
    }
}

/// The side of a gap from which a statement names it: the gap is before the statement, or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GapSide {
    Before,
    After,
}

impl SourceFile {
    /// Returns the gaps between two lines of the text, from the top: what is inserted there is after `first_line` and
    /// before `last_line`. Unreachable code, as after a `return`, has none.
    ///
    /// Two accesses in one loop need two calls: from the first line to the loop's last, and from the loop's first to
    /// the second line.
    pub fn boundaries(&self, first_line: u32, last_line: u32) -> Vec<Gap> {
        let mut gaps = Vec::new();
        for list in &self.tree.lists {
            for place in 0..=list.statements.len() {
                gaps.extend(self.gap(list, place, first_line, last_line));
            }
        }
        gaps.sort_by_key(|(order, _)| *order);
        gaps.into_iter().map(|(_, gap)| gap).collect()
    }

    /// Returns the gap before statement number `place` of a list, and the order of gaps in the text. `None` if it is
    /// not between the two lines, is not reachable, or cannot be named by a line.
    fn gap(
        &self,
        list: &StatementList,
        place: usize,
        first_line: u32,
        last_line: u32,
    ) -> Option<((usize, Reverse<usize>), Gap)> {
        let ids = &list.statements;
        let before = place.checked_sub(1).map(|before| ids[before]);
        let next = ids.get(place).copied();
        // The tokens on both sides; a body without braces has one statement.
        let left = match (before, list.braces) {
            (Some(id), _) => self.statement(id).last,
            (None, Some((open, _))) => open,
            (None, None) => self.statement(ids[0]).first - 1,
        };
        let right = match (next, list.braces) {
            (Some(id), _) => self.statement(id).first,
            (None, Some((_, close))) => close,
            (None, None) => left + 1,
        };
        let is_between = first_line <= self.line(left) && self.line(right) <= last_line;
        if !is_between || before.is_some_and(|id| self.statement(id).kind == StatementKind::Jump) {
            return None;
        }
        let start = |id: usize| self.at(self.byte(self.statement(id).first));
        let after = before.filter(|id| self.is_named_by_line(*id, GapSide::After)).map(start);
        let before = next.filter(|id| self.is_named_by_line(*id, GapSide::Before)).map(start);
        // At one token the inner gap comes first.
        let depth = ids.first().map_or(0, |id| self.statement(*id).depth);
        (after.is_some() || before.is_some()).then_some(((right, Reverse(depth)), Gap { after, before }))
    }

    /// Returns the statement that a position in this line names, on this side of the gap.
    pub(super) fn named(&self, line: u32, side: GapSide) -> Option<usize> {
        let begins = |id: &usize| {
            let statement = self.statement(*id);
            statement.kind != StatementKind::Label && self.line(statement.first) == line
        };
        let ids = 0..self.tree.statements.len();
        let outermost: Vec<usize> =
            ids.clone().filter(|id| begins(id) && !self.parents(*id).any(|parent| begins(&parent))).collect();
        // `a(); } b();` is ambiguous.
        if outermost.iter().any(|id| self.statement(*id).list != self.statement(outermost[0]).list) {
            return None;
        }
        let named = match side {
            GapSide::Before => outermost.first(),
            GapSide::After => outermost.last(),
        };
        named.copied().or_else(|| {
            let first = self.scan.tokens.iter().position(|token| token.line == line)?;
            // Inner statements have higher numbers than outer ones.
            ids.rev().find(|id| {
                let statement = self.statement(*id);
                statement.kind != StatementKind::Label && (statement.first..=statement.last).contains(&first)
            })
        })
    }

    /// Returns true if a position in the first line of a statement names it.
    fn is_named_by_line(&self, id: usize, side: GapSide) -> bool {
        let statement = self.statement(id);
        self.named(self.line(statement.first), side) == Some(id) && !self.is_else_if(id)
    }

    /// Returns true for the `if` of an `else if`.
    pub(super) fn is_else_if(&self, id: usize) -> bool {
        let list = &self.tree.lists[self.statement(id).list];
        list.role == Role::Else && list.braces.is_none() && self.statement(id).kind == StatementKind::If
    }
}
