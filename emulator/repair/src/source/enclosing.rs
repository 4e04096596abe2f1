//! The statements around a line.

use super::SourceFile;
use super::statements::{Role, StatementKind};
use finding::TextPosition;
use std::ops::Range;

/// An `if` around a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The start of the branch.
    pub at: TextPosition,
    /// The first and the last line of its header, up to the condition's closing parenthesis.
    pub header: (u32, u32),
    pub last_line: u32,
    /// True if the line is in the `else` part.
    pub in_else: bool,
    pub has_else: bool,
}

/// A loop around a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The start of the loop.
    pub at: TextPosition,
    pub last_line: u32,
}

impl SourceFile {
    /// Returns the `if`s of which a part contains the statement in a line, the innermost first.
    pub fn branches(&self, line: u32) -> Vec<Branch> {
        let mut branches = Vec::new();
        for (id, role) in self.around(line) {
            let statement = self.statement(id);
            if statement.kind == StatementKind::If && matches!(role, Some(Role::Then | Role::Else)) {
                branches.push(Branch {
                    at: self.at(self.byte(statement.first)),
                    header: (self.line(statement.first), self.line(statement.header.end)),
                    last_line: self.line(statement.last),
                    in_else: role == Some(Role::Else),
                    has_else: self.body(id, Role::Else).is_some(),
                });
            }
        }
        branches
    }

    /// Returns the starts of the `switch`es that contain the statement in a line, the innermost first.
    pub fn switches(&self, line: u32) -> Vec<TextPosition> {
        let around = self.around(line).into_iter().map(|(id, _)| self.statement(id));
        let switches = around.filter(|statement| statement.kind == StatementKind::Switch);
        switches.map(|statement| self.at(self.byte(statement.first))).collect()
    }

    /// Returns the loops that contain the statement in a line, the innermost first.
    pub fn loops(&self, line: u32) -> Vec<Loop> {
        let around = self.around(line).into_iter().map(|(id, _)| self.statement(id));
        let loops = around.filter(|statement| {
            matches!(statement.kind, StatementKind::For | StatementKind::While | StatementKind::Do)
        });
        loops
            .map(|statement| Loop { at: self.at(self.byte(statement.first)), last_line: self.line(statement.last) })
            .collect()
    }

    /// Returns the statement in a line and those around it, from the inside. Each but the first has the role of that of
    /// its lists which contains the statement before. Statements around a lambda are left out.
    pub(super) fn around(&self, line: u32) -> Vec<(usize, Option<Role>)> {
        let mut around = Vec::new();
        let mut next = self.innermost(line).map(|id| (id, None));
        while let Some((id, role)) = next {
            around.push((id, role));
            let list = &self.tree.lists[self.statement(id).list];
            next = list.owner.filter(|_| list.role != Role::Lambda).map(|owner| (owner, Some(list.role)));
        }
        around
    }

    /// Returns the last statement that has a token of its own in the line: outer ones come before inner ones.
    fn innermost(&self, line: u32) -> Option<usize> {
        (0..self.tree.statements.len()).rev().find(|id| self.own_tokens(*id).any(|token| self.line(token) == line))
    }

    /// Returns the tokens of a statement without those of its bodies and lambdas.
    pub(super) fn own_tokens(&self, id: usize) -> impl Iterator<Item = usize> {
        let lists = self.lambdas(id).map(|list| list.0..list.1 + 1);
        let lambdas: Vec<Range<usize>> = lists.collect();
        self.extent(id).filter(move |at| !lambdas.iter().any(|lambda| lambda.contains(at)))
    }

    /// Returns the braces of the lambdas in a statement.
    pub(super) fn lambdas(&self, id: usize) -> impl Iterator<Item = (usize, usize)> {
        let own = self.tree.lists.iter().filter(move |list| list.owner == Some(id) && list.role == Role::Lambda);
        own.filter_map(|list| list.braces)
    }

    /// Returns the tokens of a simple statement, or those of the header of another one.
    pub(super) fn extent(&self, id: usize) -> Range<usize> {
        let statement = self.statement(id);
        match statement.kind {
            StatementKind::Simple | StatementKind::Jump | StatementKind::Label => statement.first..statement.last + 1,
            StatementKind::Do => statement.header.start..statement.header.end + 1,
            StatementKind::Block => statement.first..statement.first,
            StatementKind::If | StatementKind::For | StatementKind::While | StatementKind::Switch => {
                statement.first..statement.header.end + 1
            }
        }
    }

    /// Returns the statements around a statement, the innermost first.
    pub(super) fn parents(&self, id: usize) -> impl Iterator<Item = usize> {
        let parent = |id: usize| self.tree.lists[self.statement(id).list].owner;
        std::iter::successors(parent(id), move |id| parent(*id))
    }

    /// Returns the list of statements of `owner` in this role.
    pub(super) fn body(&self, owner: usize, role: Role) -> Option<usize> {
        self.tree.lists.iter().position(|list| list.owner == Some(owner) && list.role == role)
    }
}
