//! An update in two statements: what it reads is read before a barrier, and written after it.

use super::Source;
use super::change::{Changes, Piece};
use super::statements::{Kind, Role};
use crate::Unfit;
use finding::{BarrierKind, SourceLocation};

impl Source {
    pub(super) fn split_update(
        &self,
        at: &SourceLocation,
        barrier: BarrierKind,
        changes: &mut Changes,
    ) -> Result<(), Unfit> {
        let unfit = Unfit::OtherThing { line: at.line };
        let mut found = Vec::new();
        for (id, all) in self.expressions_at(at) {
            if self.statement(id).kind == Kind::Simple
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
        // An `if` that holds nothing else is the update's own condition: those outside of it would not reach the barrier.
        if self.has_effects(object.clone()) || bare && matches!(list.role, Role::Then | Role::Else) {
            return Err(unfit);
        }
        let operator = self.token(sign).strip_suffix('=').unwrap_or_default();
        let name = match operator {
            "+" => "sum",
            "-" => "difference",
            "*" => "product",
            _ => "updated",
        };
        let name = self.new_name(name, sign, &mut changes.names);
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
        let mut pieces = vec![Piece::New(format!("const auto {name} = "))];
        if operator.is_empty() {
            pieces.push(Piece::Kept(kept));
        } else {
            let tight = self.binds(&value, operator, false);
            let (open, close) = if tight { ("", "") } else { ("(", ")") };
            pieces.push(Piece::Kept(object.clone()));
            pieces.push(Piece::New(format!(" {operator} {open}")));
            pieces.push(Piece::Kept(kept));
            pieces.push(Piece::New(close.to_string()));
        }
        let barrier = self.barrier_text(barrier, changes);
        pieces.push(Piece::New(format!(";{space}{barrier}{space}")));
        pieces.push(Piece::Kept(object));
        pieces.push(Piece::New(format!(" = {name};")));
        changes.replace(all, pieces);
        Ok(())
    }
}
