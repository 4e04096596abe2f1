//! An access that is made only where its index is inside.

use super::SourceFile;
use super::change::{InsertionRank, SourceChanges, TextPiece};
use super::statements::{Role, StatementKind};
use crate::Unfit;
use finding::SourceLocation;
use std::ops::Range;

/// `x[i]`
pub(super) struct Subscript {
    /// All of it.
    pub element: Range<usize>,
    pub statement: usize,
    pub index: Range<usize>,
}

impl SourceFile {
    pub(super) fn bound_index(
        &self,
        kernel: &str,
        at: &SourceLocation,
        below: Option<usize>,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let unfit = Unfit::OtherThing { line: at.line };
        let function = self.kernel(kernel).ok_or(Unfit::NothingThere { line: at.line })?;
        let parameters = self.parameters(kernel).unwrap_or_default();
        let bound = below.and_then(|below| parameters.get(below)).filter(|parameter| !parameter.ty.contains('*'));
        let bound =
            bound.map(|parameter| parameter.name.as_str()).filter(|name| !name.is_empty()).ok_or(unfit.clone())?;

        let mut indices = self.subscripts(at);
        indices.retain(|it| (function.body.0..function.body.1).contains(&it.element.start));
        if indices.is_empty() {
            return Err(Unfit::NothingThere { line: at.line });
        }
        // The same index twice is one.
        let all_same =
            indices.iter().all(|it| it.statement == indices[0].statement && self.same(&it.index, &indices[0].index));
        if all_same {
            indices.truncate(1);
        }
        let things = indices.into_iter().map(|it| (it.element, (it.statement, it.index)));
        let (id, index) = self.pick(things.collect(), at)?;
        if self.has_effects(index.clone()) {
            return Err(unfit);
        }

        if let Some(sign) = self.compared(id, &index, bound) {
            let strict = &self.token(sign)[..1];
            changes.replace(self.bytes(sign..sign + 1), vec![TextPiece::New(strict.to_string())]);
            return Ok(());
        }
        // The rest of the statement, which would be done without the access, is done all the same.
        let is_all = match self.statement(id).kind {
            StatementKind::Simple | StatementKind::While => true,
            kind => kind == StatementKind::If && self.body(id, Role::Else).is_none(),
        };
        self.add_condition(id, &self.below(&index, bound), changes).filter(|()| is_all).ok_or(unfit)
    }

    /// The statement is executed only where the condition holds.
    pub(super) fn guard(&self, at: &SourceLocation, condition: &str, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let id = self.guarded(at, condition).ok_or(Unfit::NothingThere { line: at.line })?;
        self.add_condition(id, condition, changes).ok_or(Unfit::OtherThing { line: at.line })
    }

    /// The innermost statement in the line that uses what the condition is about; any, where none does.
    pub(super) fn guarded(&self, at: &SourceLocation, condition: &str) -> Option<usize> {
        // Inner ones come later.
        let mut ids = self.statements_at(at);
        ids.retain(|id| self.own_tokens(*id).any(|own| self.line(own) == at.line));
        ids.reverse();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words = || condition.split(|c| !is_word(c)).filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()));
        let uses = |id: &&usize| words().any(|word| self.own_tokens(**id).any(|own| self.token(own) == word));
        ids.iter().find(uses).or(ids.first()).copied()
    }

    /// The elements that a line names.
    pub(super) fn subscripts(&self, at: &SourceLocation) -> Vec<Subscript> {
        let mut indices = Vec::new();
        for (id, expression) in self.expressions_at(at) {
            for open in expression.clone().skip(1).filter(|open| self.token(*open) == "[") {
                let index = open + 1..self.pair(open);
                let Some(start) = self.chain_start(open - 1).filter(|start| *start >= expression.start) else {
                    continue;
                };
                let declared = self.is_declaration(id) && self.declarator(&expression).end == open;
                if !index.is_empty() && !declared {
                    indices.push(Subscript { element: start..index.end + 1, statement: id, index });
                }
            }
        }
        indices
    }

    /// `index < bound`
    pub(super) fn below(&self, index: &Range<usize>, bound: &str) -> String {
        let text = self.code(index.clone());
        if self.is_loose(index) { format!("({text}) < {bound}") } else { format!("{text} < {bound}") }
    }

    /// Returns true if the expression needs parentheses where it is compared.
    pub(super) fn is_loose(&self, range: &Range<usize>) -> bool {
        const LOOSE: [&str; 12] = ["?", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"];
        self.outside_brackets(range.clone()).any(|at| LOOSE.contains(&self.token(at)))
    }

    /// The `<=` in a header around the statement that lets the index be the bound itself.
    fn compared(&self, id: usize, index: &Range<usize>, bound: &str) -> Option<usize> {
        let around = std::iter::once(id).chain(self.parents(id)).take_while(|outer| {
            // Behind `else` the condition does not hold.
            *outer == id
                || !self.body(*outer, Role::Else).is_some_and(|list| {
                    self.tree.lists[list].statements.iter().any(|inner| {
                        self.statement(*inner).first <= index.start && index.end <= self.statement(*inner).last + 1
                    })
                })
        });
        for outer in around.map(|outer| self.statement(outer)) {
            // A `do` tests too late.
            if outer.kind == StatementKind::Do {
                continue;
            }
            for sign in self.outside_brackets(outer.header.clone()).filter(|at| ["<=", ">="].contains(&self.token(*at)))
            {
                let ends = |at: usize| !outer.header.contains(&at) || ["&&", ";"].contains(&self.token(at));
                let length = index.len();
                let is = |start: usize| self.same(&(start..start + length), index);
                let fits = if self.token(sign) == "<=" {
                    sign >= length
                        && is(sign - length)
                        && self.token(sign + 1) == bound
                        && ends(sign - length - 1)
                        && ends(sign + 2)
                } else {
                    is(sign + 1) && self.token(sign - 1) == bound && ends(sign - 2) && ends(sign + 1 + length)
                };
                if fits {
                    return Some(sign);
                }
            }
        }
        None
    }

    fn add_condition(&self, id: usize, condition: &str, changes: &mut SourceChanges) -> Option<()> {
        let statement = self.statement(id);
        let list = &self.tree.lists[statement.list];
        match statement.kind {
            StatementKind::Simple if self.is_declaration(id) => return None,
            StatementKind::If if self.body(id, Role::Else).is_none() => self.and(id, condition, true, changes)?,
            StatementKind::While => self.and(id, condition, true, changes)?,
            StatementKind::Jump | StatementKind::Label | StatementKind::Block => return None,
            StatementKind::Simple
            | StatementKind::If
            | StatementKind::For
            | StatementKind::Do
            | StatementKind::Switch => match (list.braces, list.role, list.owner) {
                // In `if (c) x;` the condition gets one more part.
                (None, Role::Then, Some(owner)) if self.body(owner, Role::Else).is_none() => {
                    self.and(owner, condition, false, changes)?;
                }
                // An `else` would belong to the new `if`.
                (None, ..) if self.before_else(id) => return None,
                _ => changes.insert(
                    self.byte(statement.first),
                    InsertionRank::start(statement.depth, 2),
                    vec![TextPiece::New(format!("if ({condition}) "))],
                ),
            },
        }
        Some(())
    }

    /// Returns true if an `else` follows the statement, of an `if` around it.
    fn before_else(&self, id: usize) -> bool {
        self.token(self.statement(id).last + 1) == "else"
    }

    /// One more condition, before or behind the others.
    fn and(&self, id: usize, condition: &str, first: bool, changes: &mut SourceChanges) -> Option<()> {
        let header = self.statement(id).header.clone();
        let has = |signs: &[&str]| self.outside_brackets(header.clone()).any(|at| signs.contains(&self.token(at)));
        if header.is_empty() || self.declares(&header) || has(&[";", ","]) {
            return None;
        }
        let loose = has(&["||", "?", "="]);
        let bytes = self.bytes(header);
        let (open, close) = if loose { ("(", ")") } else { ("", "") };
        let (before, after) = if first {
            (format!("{condition} && {open}"), close.to_string())
        } else {
            (open.to_string(), format!("{close} && {condition}"))
        };
        for (place, rank, text) in
            [(bytes.start, InsertionRank::start(0, 0), before), (bytes.end, InsertionRank::end(0, 0), after)]
        {
            if !text.is_empty() {
                changes.insert(place, rank, vec![TextPiece::New(text)]);
            }
        }
        Some(())
    }
}
