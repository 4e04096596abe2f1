//! Reads and writes of one object that become one atomic operation.

use super::SourceFile;
use super::change::TextPiece;
use super::statements::{Role, StatementKind};
use finding::{AtomicOperation, SourceLocation};
use std::ops::Range;

/// Tokens that become one operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    /// The tokens that are replaced.
    pub range: Range<usize>,
    pub object: Range<usize>,
    operation: &'static str,
    pub pieces: Vec<TextPiece>,
}

impl SourceFile {
    /// All that could become one operation here, of the kind wanted.
    pub(super) fn updates(&self, at: &SourceLocation, wanted: Option<AtomicOperation>) -> Vec<Update> {
        let mut found = Vec::new();
        for (id, all) in self.expressions_at(at) {
            let parent = self.tree.lists[self.statement(id).list].owner;
            let maximum = [Some(id), parent].into_iter().flatten().find_map(|branch| self.guarded_store(branch));
            let update = maximum.or_else(|| self.compound(id, &all)).or_else(|| self.combination(id, &all));
            match update {
                Some(update) => found.push(update),
                None => found.extend(self.counts(id, &all)),
            }
        }
        found.dedup();
        let fits = |operation: &str| match wanted {
            None => true,
            Some(AtomicOperation::Add) => ["atomicAdd", "atomicSub"].contains(&operation),
            Some(wanted) => wanted.cuda_name() == operation,
        };
        found.retain(|update| fits(update.operation));
        found
    }

    /// `x += v;`
    fn compound(&self, id: usize, all: &Range<usize>) -> Option<Update> {
        let (object, sign, value) = self.assignment(id, all)?;
        let operation = operation_of(self.token(sign).strip_suffix('=')?)?;
        let value = vec![TextPiece::Kept(self.bytes(value))];
        let pieces = self.call(operation, &object, value);
        Some(Update { range: all.clone(), object, operation, pieces })
    }

    /// `x = x + v;`, `x = v + x;`, `x = max(x, v);`
    fn combination(&self, id: usize, all: &Range<usize>) -> Option<Update> {
        let (object, sign, value) = self.assignment(id, all)?;
        if self.token(sign) != "=" || self.has_effects(object.clone()) {
            return None;
        }
        let value = self.bare(value);
        let (operation, other) =
            if let Some(call) = self.calls(value.start..value.start + 1, |name| ["min", "max"].contains(&name)).pop() {
                let [one, two] = &call.arguments[..] else { return None };
                let other = if self.same(one, &object) { two } else { one };
                let fits = call.close + 1 == value.end && (self.same(one, &object) || self.same(two, &object));
                let operation = if self.token(call.name) == "min" { "atomicMin" } else { "atomicMax" };
                fits.then(|| (operation, other.clone()))?
            } else if value.start + object.len() < value.end
                && self.same(&(value.start..value.start + object.len()), &object)
            {
                let sign = value.start + object.len();
                let other = sign + 1..value.end;
                self.binds(&other, self.token(sign), self.token(sign) != "-").then_some(())?;
                (operation_of(self.token(sign))?, other)
            } else {
                let start = value.end.checked_sub(object.len() + 1).filter(|start| *start > value.start)?;
                let other = value.start..start;
                let fits = self.same(&(start + 1..value.end), &object)
                    && self.token(start) != "-"
                    && self.binds(&other, self.token(start), true);
                fits.then_some((operation_of(self.token(start))?, other))?
            };
        let again = (other.start..other.end)
            .any(|at| at + object.len() <= other.end && self.same(&(at..at + object.len()), &object));
        if again || other.is_empty() {
            return None;
        }
        let pieces = self.call(operation, &object, vec![TextPiece::Kept(self.bytes(other))]);
        Some(Update { range: all.clone(), object, operation, pieces })
    }

    /// True if an operand of `sign` is one without parentheses: all signs in it bind tighter, or as tight where that is
    /// `too`.
    pub(super) fn binds(&self, operand: &Range<usize>, sign: &str, too: bool) -> bool {
        let Some(least) = tightness(sign) else { return false };
        let signs = self.outside_brackets(operand.clone()).filter(|at| self.is_operand(at.wrapping_sub(1), operand));
        let mut signs =
            signs.filter(|at| !self.is_word(*at) && ![".", "->", "::", "(", "["].contains(&self.token(*at)));
        signs.all(|at| tightness(self.token(at)).is_some_and(|other| other > least || (too && other == least)))
    }

    /// `x++`, `--x`, anywhere in an expression.
    fn counts(&self, id: usize, all: &Range<usize>) -> Vec<Update> {
        let mut found = Vec::new();
        for sign in all.clone().filter(|at| ["++", "--"].contains(&self.token(*at))) {
            let operation = if self.token(sign) == "++" { "atomicAdd" } else { "atomicSub" };
            let postfix = sign > all.start && self.is_operand(sign - 1, all);
            let object = if postfix {
                self.chain_start(sign - 1).map(|start| start..sign)
            } else {
                let operand = if self.token(sign + 1) == "*" { sign + 2 } else { sign + 1 };
                self.chain_end(operand, all.end).map(|end| sign + 1..end)
            };
            let Some(object) = object.filter(|object| object.start >= all.start && self.is_object(object)) else {
                continue;
            };
            let range = object.start.min(sign)..object.end.max(sign + 1);
            let mut pieces = self.call(operation, &object, vec![TextPiece::New("1".into())]);
            // `++x` is the new value.
            let alone = range == *all && self.statement(id).kind == StatementKind::Simple;
            if !postfix && !alone {
                pieces.insert(0, TextPiece::New("(".into()));
                pieces.push(TextPiece::New(if operation == "atomicAdd" { " + 1)" } else { " - 1)" }.into()));
            }
            found.push(Update { range, object, operation, pieces });
        }
        found
    }

    /// `if (v > x) x = v;`: the whole of it is one operation.
    fn guarded_store(&self, id: usize) -> Option<Update> {
        let branch = self.statement(id);
        let then = self
            .body(id, Role::Then)
            .filter(|_| branch.kind == StatementKind::If && self.body(id, Role::Else).is_none())?;
        let [store] = self.tree.lists[then].statements[..] else { return None };
        let statement = self.statement(store);
        let (object, sign, value) = self.assignment(store, &(statement.first..statement.last))?;
        let effects = self.has_effects(value.clone()) || self.has_effects(object.clone());
        let alternatives = self.outside_brackets(branch.header.clone());
        let mut alternatives = alternatives.filter(|at| ["||", "?", ",", ";", "="].contains(&self.token(*at)));
        if self.token(sign) != "=" || effects || alternatives.next().is_some() {
            return None;
        }
        // Returns true if this condition looks for the greater one.
        let compare = |part: &Range<usize>| {
            let sign =
                self.outside_brackets(part.clone()).find(|at| ["<", ">", "<=", ">="].contains(&self.token(*at)))?;
            let (left, right) = (part.start..sign, sign + 1..part.end);
            let straight = self.same(&left, &value) && self.same(&right, &object);
            let swapped = self.same(&left, &object) && self.same(&right, &value);
            (straight || swapped).then_some(self.token(sign).starts_with('>') == straight)
        };
        let mut conditions = self.split(branch.header.clone(), "&&");
        let place = conditions.iter().position(|part| compare(part).is_some())?;
        let operation = if compare(&conditions.remove(place))? { "atomicMax" } else { "atomicMin" };

        let update = self.call(operation, &object, vec![TextPiece::Kept(self.bytes(value.clone()))]);
        let mut pieces = Vec::new();
        if conditions.is_empty() {
            pieces.extend(update);
            pieces.push(TextPiece::New(";".into()));
        } else {
            // The others stay.
            pieces.push(TextPiece::Kept(self.byte(branch.first)..self.byte(branch.header.start)));
            for (index, condition) in conditions.into_iter().enumerate() {
                pieces.extend((index > 0).then(|| TextPiece::New(" && ".into())));
                pieces.push(TextPiece::Kept(self.bytes(condition)));
            }
            pieces.push(TextPiece::Kept(self.byte(branch.header.end)..self.byte(statement.first)));
            pieces.extend(update);
            pieces.push(TextPiece::Kept(self.bytes(statement.last..branch.last + 1)));
        }
        Some(Update { range: branch.first..branch.last + 1, object, operation, pieces })
    }
}

fn operation_of(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "+" => "atomicAdd",
        "-" => "atomicSub",
        "|" => "atomicOr",
        "&" => "atomicAnd",
        "^" => "atomicXor",
        _ => return None,
    })
}

/// Returns how tightly a binary operator binds; the higher the tighter. `None` for those that never are part of an
/// operand here.
fn tightness(sign: &str) -> Option<u8> {
    Some(match sign {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        _ => return None,
    })
}
