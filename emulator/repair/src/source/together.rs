//! Threads that would not take part in what all do together: they stay, and do nothing else.

use super::SourceFile;
use super::guesses::named;
use super::statements::{Role, StatementKind};
use finding::{Edit, Position, Remedy, SourceLocation};
use std::ops::Range;

impl SourceFile {
    /// Makes all threads do what the line does together: in a branch around it, after threads that leave, in a loop
    /// that is over sooner for some. What stands beside it is done under the same condition as before.
    pub fn together(&self, at: &SourceLocation) -> Vec<Remedy> {
        let mut all = Vec::new();
        for (id, role) in self.around(at.line) {
            all.extend(match role {
                Some(Role::Then) => self.without_branch(id),
                Some(Role::Body) => self.even_loop(id),
                _ => None,
            });
            all.extend(self.without_leaving(id));
        }
        all.retain(|edits| !edits.is_empty());
        all.into_iter().map(|edits| named(edits, &at.file)).collect()
    }

    /// `if (c) { a; barrier; }`
    fn without_branch(&self, id: usize) -> Option<Remedy> {
        let branch = self.statement(id);
        let list = &self.tree.lists[self.body(id, Role::Then)?];
        let (open, _) = list.braces?;
        if branch.kind != StatementKind::If
            || self.body(id, Role::Else).is_some()
            || self.has_effects(branch.header.clone())
        {
            return None;
        }
        // Its braces stay: what it declares is known in them.
        let mut edits = vec![self.becomes(branch.first..open + 1, "{")];
        self.apart(&list.statements, self.code(branch.header.clone()), &mut edits)?;
        Some(edits)
    }

    /// `if (c) return; a; barrier;`, and the same with `break` in a loop.
    fn without_leaving(&self, id: usize) -> Option<Remedy> {
        let list = &self.tree.lists[self.statement(id).list];
        let here = list.statements.iter().position(|one| *one == id)?;
        let (at, leave, condition) =
            (0..here).rev().find_map(|at| Some((at, list.statements[at], self.leaving(list.statements[at])?)))?;
        let jump = self.statement(self.tree.lists[self.body(leave, Role::Then)?].statements[0]).first;
        let ends_the_list = match self.token(jump) {
            "return" => list.role == Role::Function,
            _ => list.role == Role::Body,
        };
        let whole = self.statement(leave).first..self.statement(leave).last + 1;
        let mut edits = vec![self.becomes(whole, "")];
        self.apart(&list.statements[at + 1..], &condition, &mut edits)?;
        ends_the_list.then_some(edits)
    }

    /// `for (i = first; i < n; i += step) { a; barrier; }`: as many iterations for all.
    fn even_loop(&self, id: usize) -> Option<Remedy> {
        let each = self.statement(id);
        let parts = self.split(each.header.clone(), ";");
        let [start, until, _] = &parts[..] else { return None };
        let sign = self.outside_brackets(start.clone()).find(|at| self.token(*at) == "=")?;
        let (name, first) = (self.token(sign - 1), sign + 1..start.end);
        let is_plain = !first.clone().any(|at| self.token(at) == ",") && !self.has_effects(first.clone());
        if each.kind != StatementKind::For
            || !is_plain
            || self.token(until.start) != name
            || first.len() == 1 && self.token(first.start) == "0"
        {
            return None;
        }
        let compared = until.start + 1;
        if !["<", "<="].contains(&self.token(compared)) {
            return None;
        }
        let since = match first.len() {
            1 => format!("{name} - {}", self.code(first)),
            _ => format!("{name} - ({})", self.code(first)),
        };
        let mut edits = vec![self.becomes(until.clone(), format!("{since} {}", self.code(compared..until.end)))];
        let list = self.body(id, Role::Body)?;
        self.apart(&self.tree.lists[list].statements, self.code(until.clone()), &mut edits)?;
        Some(edits)
    }

    /// These statements only where the condition holds, but for what all do together.
    fn apart(&self, ids: &[usize], condition: &str, edits: &mut Remedy) -> Option<()> {
        for id in ids {
            let statement = self.statement(*id);
            let whole = statement.first..statement.last + 1;
            let guard = || Edit::Guard { at: self.place(statement.first), condition: condition.to_string() };
            match statement.kind {
                StatementKind::Jump | StatementKind::Label => return None,
                StatementKind::Simple if self.is_declaration(*id) => {
                    // The initial value may be out of bounds for them.
                    let parts = self.split(statement.first..statement.last, ",");
                    let sign = self.outside_brackets(whole.clone()).find(|at| self.token(*at) == "=");
                    let Some(value) = sign.map(|sign| sign + 1..statement.last) else { continue };
                    let reads = value.clone().any(|at| ["[", "*", "->"].contains(&self.token(at)));
                    if reads && !self.is_together(&value) {
                        let is_one = parts.len() == 1 && !self.has_word(&(whole.start..value.start), "&");
                        is_one.then_some(())?;
                        edits.push(self.becomes(value.clone(), format!("{condition} ? {} : 0", self.code(value))));
                    }
                }
                StatementKind::Simple if self.is_together(&whole) => {
                    let stored = self.assignment(*id, &(statement.first..statement.last));
                    if let Some((_, _, value)) =
                        stored.filter(|(object, ..)| !self.is_barrier(*id) && !object.is_empty())
                    {
                        let name = self.new_name("value", statement.first, &mut Vec::new());
                        let statement = format!("const auto {name} = {};", self.code(value.clone()));
                        edits.push(Edit::Insert { statement, at: Position::Before { at: self.place(whole.start) } });
                        edits.push(self.becomes(value, name));
                        edits.push(guard());
                    }
                }
                _ if self.is_together(&whole) => {
                    for role in [Role::Then, Role::Else, Role::Body] {
                        if let Some(list) = self.body(*id, role) {
                            self.apart(&self.tree.lists[list].statements, condition, edits)?;
                        }
                    }
                }
                _ => edits.push(guard()),
            }
        }
        Some(())
    }

    /// Returns true if lanes or threads wait for one another in it, or in a function of this file that it calls.
    pub(super) fn is_together(&self, range: &Range<usize>) -> bool {
        let waits = |range: &Range<usize>| {
            range.clone().filter(|at| self.is_word(*at)).any(|at| {
                let name = self.token(at);
                name.contains("sync") || name.starts_with("shfl") || ["any", "all", "ballot", "reduce"].contains(&name)
            })
        };
        let called = range
            .clone()
            .flat_map(|at| self.tree.functions.iter().filter(move |function| function.name == self.token(at)));
        waits(range) || called.map(|function| function.body.0..function.body.1).any(|body| waits(&body))
    }

    /// Returns the condition of the threads that stay behind `if (a < b) break;` or `return;`: `a >= b`.
    fn leaving(&self, id: usize) -> Option<String> {
        let list = &self.tree.lists[self.body(id, Role::Then)?];
        let [only] = list.statements[..] else { return None };
        let (jump, header) = (self.statement(only), self.statement(id).header.clone());
        let is_plain = jump.kind == StatementKind::Jump
            && jump.last == jump.first + 1
            && ["break", "return"].contains(&self.token(jump.first));
        if !is_plain || self.body(id, Role::Else).is_some() || self.has_effects(header.clone()) {
            return None;
        }
        Some(self.negated(header))
    }

    /// The opposite of a condition.
    fn negated(&self, header: Range<usize>) -> String {
        let signs: Vec<usize> =
            self.outside_brackets(header.clone()).filter(|at| opposite(self.token(*at)).is_some()).collect();
        let other = |at: usize| ["&&", "||", "?", ",", ";", "&", "|", "^"].contains(&self.token(at));
        match signs[..] {
            [sign] if !self.outside_brackets(header.clone()).any(other) => {
                let (left, right) = (self.code(header.start..sign), self.code(sign + 1..header.end));
                format!("{left} {} {right}", opposite(self.token(sign)).unwrap_or_default())
            }
            _ => format!("!({})", self.code(header)),
        }
    }
}

fn opposite(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "<" => ">=",
        ">=" => "<",
        ">" => "<=",
        "<=" => ">",
        "==" => "!=",
        "!=" => "==",
        _ => return None,
    })
}
