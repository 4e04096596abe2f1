//! An update in two statements: what it reads is read before a barrier, and written after it.

use super::SourceFile;
use super::change::{SourceChanges, TextPiece};
use super::statements::{Role, StatementKind};
use crate::Unfit;
use finding::{BarrierKind, SourceLocation};
use std::ops::Range;

impl SourceFile {
    pub(super) fn split_update(
        &self,
        at: &SourceLocation,
        barrier: BarrierKind,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let unfit = Unfit::OtherThing { line: at.line };
        let mut found = Vec::new();
        for (id, all) in self.expressions_at(at) {
            if self.statement(id).kind == StatementKind::Simple
                && let Some((object, sign, value)) = self.assignment(id, &all)
            {
                found.push((all, (id, object, sign, value)));
            }
        }
        if found.is_empty() {
            return Err(Unfit::NothingThere { line: at.line });
        }
        let (id, object, sign, value) = self.pick(found, at)?;
        let statement = self.statement(id);
        let list = &self.tree.lists[statement.list];
        let bare = list.braces.is_none();
        // An `if` that holds nothing else is the update's own condition: those outside of it would not reach the
        // barrier.
        let branch = list.owner.filter(|owner| {
            list.role == Role::Then && list.statements.len() == 1 && self.body(*owner, Role::Else).is_none()
        });
        let condition = branch.map(|branch| self.statement(branch).header.clone());
        let is_own = condition.as_ref().is_some_and(|condition| !self.has_effects(condition.clone()));
        if self.has_effects(object.clone()) || bare && matches!(list.role, Role::Then | Role::Else) && !is_own {
            return Err(unfit);
        }
        if let (Some(branch), Some(condition), true) = (branch, condition, is_own) {
            return self.split_branch(branch, condition, (object, sign, value), barrier, changes).ok_or(unfit);
        }
        let (name, operator) = self.updated(sign, changes);
        if bare {
            self.add_braces(id, changes);
        }
        let all = self.bytes(statement.first..statement.last + 1);
        let own_line = self.leads_its_line(all.start);
        let space = match own_line {
            true => format!("{}{}", self.line_end(all.start), self.indentation(statement.first)),
            false => " ".to_string(),
        };
        let (object, kept) = (self.bytes(object), self.bytes(value.clone()));
        let mut pieces = vec![TextPiece::New(format!("const auto {name} = "))];
        if operator.is_empty() {
            pieces.push(TextPiece::Kept(kept));
        } else {
            let tight = self.binds(&value, operator, false);
            let (open, close) = if tight { ("", "") } else { ("(", ")") };
            pieces.push(TextPiece::Kept(object.clone()));
            pieces.push(TextPiece::New(format!(" {operator} {open}")));
            pieces.push(TextPiece::Kept(kept));
            pieces.push(TextPiece::New(close.to_string()));
        }
        let barrier = self.barrier_text(barrier, changes);
        pieces.push(TextPiece::New(format!(";{space}{barrier}{space}")));
        pieces.push(TextPiece::Kept(object));
        pieces.push(TextPiece::New(format!(" = {name};")));
        changes.replace(all, pieces);
        Ok(())
    }

    /// A name for what the sign gives, and the operator in it.
    fn updated(&self, sign: usize, changes: &mut SourceChanges) -> (String, &str) {
        let operator = self.token(sign).strip_suffix('=').unwrap_or_default();
        let name = match operator {
            "+" => "sum",
            "-" => "difference",
            "*" => "product",
            _ => "updated",
        };
        (self.new_name(name, sign, &mut changes.names), operator)
    }

    /// `if (c) x += v;`: all reach the barrier.
    fn split_branch(
        &self,
        branch: usize,
        condition: Range<usize>,
        (object, sign, value): (Range<usize>, usize, Range<usize>),
        barrier: BarrierKind,
        changes: &mut SourceChanges,
    ) -> Option<()> {
        let statement = self.statement(branch);
        let is_plain = !self.outside_brackets(condition.clone()).any(|at| ["?", ",", ";"].contains(&self.token(at)));
        if !is_plain || self.is_else_if(branch) || self.token(statement.last + 1) == "else" {
            return None;
        }
        let (name, operator) = self.updated(sign, changes);
        if self.tree.lists[statement.list].braces.is_none() {
            self.add_braces(branch, changes);
        }
        let all = self.bytes(statement.first..statement.last + 1);
        let space = match self.leads_its_line(all.start) {
            true => format!("{}{}", self.line_end(all.start), self.indentation(statement.first)),
            false => " ".to_string(),
        };
        let (condition, object, kept) = (self.code(condition), self.code(object), self.code(value.clone()));
        let new = match operator {
            "" => format!("({kept})"),
            _ if self.binds(&value, operator, false) => format!("{object} {operator} {kept}"),
            _ => format!("{object} {operator} ({kept})"),
        };
        let barrier = self.barrier_text(barrier, changes);
        let text = format!(
            "const auto {name} = {condition} ? {new} : 0;{space}{barrier}{space}if ({condition}) {object} = {name};"
        );
        changes.replace(all, vec![TextPiece::New(text)]);
        Some(())
    }
}
