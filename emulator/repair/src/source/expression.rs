//! Expressions, as far as tokens tell them: calls and their arguments, and what names an object in memory.

use super::SourceFile;
use super::scan::SourceTokenKind;
use super::statements::StatementKind;
use crate::Unfit;
use finding::SourceLocation;
use std::ops::Range;

const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// Words that stand before an expression.
const BEFORE_AN_EXPRESSION: [&str; 6] = ["return", "else", "do", "case", "sizeof", "throw"];

impl SourceFile {
    /// The text of a token; nothing after the last one.
    pub(super) fn token(&self, at: usize) -> &str {
        self.scan.tokens.get(at).map_or("", |token| &self.text[token.bytes.clone()])
    }

    pub(super) fn pair(&self, at: usize) -> usize {
        self.scan.tokens[at].pair
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.scan.tokens.get(at).is_some_and(|token| token.kind == SourceTokenKind::Word)
    }

    pub(super) fn is_assignment(&self, at: usize) -> bool {
        ASSIGNMENTS.contains(&self.token(at))
    }

    pub(super) fn has_word(&self, range: &Range<usize>, word: &str) -> bool {
        range.clone().any(|at| self.token(at) == word)
    }

    /// The same tokens.
    pub(super) fn same(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        one.len() == other.len() && one.clone().zip(other.clone()).all(|(a, b)| self.token(a) == self.token(b))
    }

    pub(super) fn outside_brackets(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> {
        let mut tokens = Vec::new();
        let mut at = range.start;
        while at < range.end {
            tokens.push(at);
            let opens = ["(", "[", "{"].contains(&self.token(at));
            at = if opens { self.pair(at) } else { at } + 1;
        }
        tokens.into_iter()
    }

    /// The parts between these signs; none of an empty range.
    pub(super) fn split(&self, range: Range<usize>, sign: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        for at in self.outside_brackets(range.clone()).filter(|at| self.token(*at) == sign) {
            parts.push(start..at);
            start = at + 1;
        }
        if !range.is_empty() {
            parts.push(start..range.end);
        }
        parts
    }

    /// Assigns, counts, or calls something that may.
    pub(super) fn has_effects(&self, range: Range<usize>) -> bool {
        const PURE: [&str; 5] = ["min", "max", "sizeof", "int", "unsigned"];
        range.clone().any(|at| {
            let call = self.token(at) == "("
                && at > range.start
                && self.is_word(at - 1)
                && !PURE.contains(&self.token(at - 1));
            call || self.is_assignment(at) || ["++", "--"].contains(&self.token(at))
        })
    }

    /// The parentheses around a whole expression are not part of it.
    pub(super) fn bare(&self, mut range: Range<usize>) -> Range<usize> {
        while range.len() > 2 && self.token(range.start) == "(" && self.pair(range.start) == range.end - 1 {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    /// The first token of the name, element, member or call that ends at `end`: `a->b[i]`, `(*p)`, `f(x)`.
    pub(super) fn chain_start(&self, end: usize) -> Option<usize> {
        let mut at = end;
        loop {
            while [")", "]"].contains(&self.token(at)) {
                let open = self.pair(at);
                let before = open.checked_sub(1)?;
                let called = self.is_word(before)
                    && !BEFORE_AN_EXPRESSION.contains(&self.token(before))
                    && !["if", "while", "for", "switch"].contains(&self.token(before));
                let goes_on = called || [")", "]"].contains(&self.token(before));
                if self.token(at) == ")" && !goes_on {
                    if self.token(before) == ">" {
                        // `reinterpret_cast<int*>(p)`
                        let angle = (0..before).rev().find(|angle| self.token(*angle) == "<")?;
                        return angle.checked_sub(1).filter(|word| self.token(*word).ends_with("_cast"));
                    }
                    return Some(open);
                }
                if !goes_on {
                    return None;
                }
                at = before;
            }
            if !self.is_word(at) {
                return None;
            }
            match at.checked_sub(1).map(|before| self.token(before)) {
                Some("." | "->" | "::") => at = at.checked_sub(2)?,
                _ => return Some(at),
            }
        }
    }

    /// The token after the name, element or member that starts at `start`, before `end`.
    pub(super) fn chain_end(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = start;
        if self.token(at) == "(" {
            at = self.pair(at) + 1;
            if at < end && self.is_word(at) {
                // A cast.
                return self.chain_end(at, end);
            }
        } else if self.is_word(at) && !BEFORE_AN_EXPRESSION.contains(&self.token(at)) {
            let cast = self.token(at).ends_with("_cast") && self.token(at + 1) == "<";
            at = if cast { (at..end).find(|at| self.token(*at) == ">")? + 1 } else { at + 1 };
        } else {
            return None;
        }
        while at < end {
            match self.token(at) {
                "(" | "[" => at = self.pair(at) + 1,
                "." | "->" | "::" => at += 2,
                _ => break,
            }
        }
        (at <= end).then_some(at)
    }

    /// A call of a function whose name fits, anywhere in the range: the name's token and each argument.
    pub(super) fn calls(&self, range: Range<usize>, fits: impl Fn(&str) -> bool) -> Vec<CallExpression> {
        let named = range.filter(|at| self.is_word(*at) && self.token(at + 1) == "(" && fits(self.token(*at)));
        named
            .map(|name| {
                let close = self.pair(name + 1);
                CallExpression { name, close, arguments: self.split(name + 2..close, ",") }
            })
            .collect()
    }

    /// The statements that a location may mean: the one that begins there with all its bodies, or all in the line.
    pub(super) fn statements_at(&self, at: &SourceLocation) -> Vec<usize> {
        let in_line = |id: &usize| self.own_tokens(*id).any(|token| self.line(token) == at.line);
        let all: Vec<usize> = (0..self.tree.statements.len()).filter(in_line).collect();
        let begins = |id: &usize| {
            self.at(self.byte(self.statement(*id).first)) == finding::TextPosition { line: at.line, column: at.column }
        };
        let Some(here) = all.iter().copied().find(begins) else { return all };
        all.into_iter().filter(|id| *id == here || self.parents(*id).any(|parent| parent == here)).collect()
    }

    /// The expressions that a location may mean, each with its statement.
    pub(super) fn expressions_at(&self, at: &SourceLocation) -> Vec<(usize, Range<usize>)> {
        let mut expressions = Vec::new();
        for id in self.statements_at(at) {
            let statement = self.statement(id);
            match statement.kind {
                // Its lambdas' statements have theirs.
                StatementKind::Simple | StatementKind::Jump if self.lambdas(id).next().is_some() => {}
                StatementKind::Simple => expressions.push((id, statement.first..statement.last)),
                StatementKind::Jump => expressions.push((id, statement.first + 1..statement.last)),
                StatementKind::Label | StatementKind::Block => {}
                _ => expressions.extend(self.split(statement.header.clone(), ";").into_iter().map(|part| (id, part))),
            }
        }
        expressions
    }

    /// The one of several things that a location means. A column tells it where a statement does not begin there: that
    /// is where compilers point for all that the statement does.
    pub(super) fn pick<T>(&self, mut things: Vec<(Range<usize>, T)>, at: &SourceLocation) -> Result<T, Unfit> {
        if things.len() > 1 {
            let begins = |id: &usize| {
                self.at(self.byte(self.statement(*id).first))
                    == finding::TextPosition { line: at.line, column: at.column }
            };
            if (0..self.tree.statements.len()).any(|id| begins(&id)) {
                return Err(Unfit::OtherThing { line: at.line });
            }
            let holds = |range: &Range<usize>| {
                let bytes = self.bytes(range.clone());
                let here = finding::TextPosition { line: at.line, column: at.column };
                self.at(bytes.start) <= here && here < self.at(bytes.end)
            };
            things.retain(|(range, _)| holds(range));
            // The innermost of nested ones.
            let last = things.iter().map(|(range, _)| range.start).max();
            things.retain(|(range, _)| Some(range.start) == last);
        }
        match things.len() {
            0 => Err(Unfit::OtherThing { line: at.line }),
            1 => things.pop().map(|(_, thing)| thing).ok_or(Unfit::OtherThing { line: at.line }),
            _ => Err(Unfit::OtherThing { line: at.line }),
        }
    }

    /// The only one of some statements.
    pub(super) fn only(&self, ids: Vec<usize>, at: &SourceLocation) -> Result<usize, Unfit> {
        let things = ids.into_iter().map(|id| (self.statement(id).first..self.statement(id).last + 1, id));
        match things.collect::<Vec<_>>() {
            none if none.is_empty() => Err(Unfit::NothingThere { line: at.line }),
            things => self.pick(things, at),
        }
    }

    /// A name that the function around a token does not have.
    pub(super) fn new_name(&self, name: &str, near: usize, taken: &mut Vec<String>) -> String {
        let around = self.function_of(near).map(|function| function.parameters.start..function.body.1);
        let all = around.unwrap_or(0..self.scan.tokens.len());
        let exists = |name: &String, taken: &[String]| {
            self.has_word(&all, name)
                || taken.contains(name)
                || self.scan.directives.iter().any(|line| self.text[line.clone()].contains(name.as_str()))
        };
        let names = std::iter::once(name.to_string()).chain((2..).map(|number| format!("{name}{number}")));
        let new = names.into_iter().find(|name| !exists(name, taken)).unwrap_or_default();
        taken.push(new.clone());
        new
    }
}

#[derive(Clone, Debug)]
pub(super) struct CallExpression {
    /// The name's token.
    pub name: usize,
    /// The closing parenthesis.
    pub close: usize,
    pub arguments: Vec<Range<usize>>,
}
