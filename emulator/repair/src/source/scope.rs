//! Meanings of names: which are declared in a statement, and which are variables that threads share.

use super::SourceFile;
use super::statements::{Function, StatementKind};
use finding::SourceLocation;
use std::ops::Range;

/// Words that only a declaration begins with.
const DECLARING: [&str; 24] = [
    "const",
    "constexpr",
    "static",
    "extern",
    "auto",
    "int",
    "unsigned",
    "signed",
    "long",
    "short",
    "char",
    "float",
    "double",
    "bool",
    "void",
    "volatile",
    "struct",
    "using",
    "typedef",
    "namespace",
    "__shared__",
    "size_t",
    "register",
    "static_assert",
];

/// A line that assigns to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoringLine {
    /// The number of objects in memory that it names besides those that it assigns to.
    pub reads: usize,
    /// True if a loop of its function repeats it.
    pub in_loop: bool,
}

impl SourceFile {
    pub(super) fn is_declaration(&self, id: usize) -> bool {
        let statement = self.statement(id);
        let range = match statement.kind {
            StatementKind::Simple => statement.first..statement.last,
            _ => statement.header.clone(),
        };
        self.declares(&range)
    }

    /// `const int x`, `T* p`, `ns::type<3> name`; not `f(x)`, `a * b`.
    pub(super) fn declares(&self, range: &Range<usize>) -> bool {
        if DECLARING.contains(&self.token(range.start)) {
            return self.token(range.start + 1) != "(";
        }
        let mut at = range.start;
        if !self.is_word(at) || ["asm", "return", "delete", "new"].contains(&self.token(at)) {
            return false;
        }
        while self.token(at + 1) == "::" {
            at += 2;
        }
        at += 1;
        if self.token(at) == "<"
            && let Some(close) = self.outside_brackets(at..range.end).find(|close| self.token(*close) == ">")
        {
            at = close + 1;
            while self.token(at) == "::" {
                at += 2;
            }
        }
        while ["*", "&", "&&", "const"].contains(&self.token(at)) {
            at += 1;
        }
        at < range.end
            && self.is_word(at)
            && (at + 1 >= range.end || ["=", "[", "(", "{", ",", ":"].contains(&self.token(at + 1)))
    }

    /// The names that a declaration introduces.
    pub(super) fn declared(&self, range: &Range<usize>) -> Vec<&str> {
        if !self.declares(range) {
            return Vec::new();
        }
        let parts = self.split(range.clone(), ",");
        let names = parts.into_iter().filter_map(|part| self.declarator(&part).last());
        names.map(|at| self.token(at)).collect()
    }

    /// The tokens of a declaration up to the name that it declares first.
    pub(super) fn declarator(&self, range: &Range<usize>) -> Range<usize> {
        let mut end = range.start;
        for at in self.outside_brackets(range.clone()) {
            match self.token(at) {
                "=" | "(" | ")" | "{" | "[" | ":" | ";" | "," => break,
                _ => end = at + 1,
            }
        }
        range.start..end
    }

    /// The tokens of the variables in shared or global memory that this file declares.
    pub(super) fn find_shared(&self) -> Vec<usize> {
        let mut names = Vec::new();
        let marks = |at: &usize| ["__shared__", "__device__", "__managed__"].contains(&self.token(*at));
        for mark in (0..self.scan.tokens.len()).filter(marks) {
            let end = (mark..self.scan.tokens.len()).find(|at| [";", "(", "{"].contains(&self.token(*at)));
            // A function has parentheses behind its name.
            let Some(end) = end.filter(|end| self.token(*end) == ";") else { continue };
            for part in self.split(mark..end, ",") {
                names.extend(self.declarator(&part).last().filter(|at| self.is_word(*at)));
            }
        }
        names
    }

    /// The statements that declare the shared variables of this line, and their names there.
    pub(super) fn shared_here(&self, at: &SourceLocation) -> Vec<(usize, usize)> {
        let used: Vec<usize> = self.statements_at(at).into_iter().flat_map(|id| self.own_tokens(id)).collect();
        let is_used = |declared: usize| {
            let is_it = |at: &usize| {
                *at != declared && self.token(*at) == self.token(declared) && self.is_visible(declared, *at)
            };
            used.iter().any(is_it)
        };
        let declared = self.shared.iter().copied().filter(|declared| is_used(*declared));
        declared
            .filter_map(|declared| {
                Some((
                    (0..self.tree.statements.len()).find(|id| {
                        let own = self.statement(*id).first..self.statement(*id).last + 1;
                        self.statement(*id).kind == StatementKind::Simple
                            && own.contains(&declared)
                            && self.has_word(&own, "__shared__")
                    })?,
                    declared,
                ))
            })
            .collect()
    }

    /// The lines of this function that store to the shared variables which the line names.
    pub fn stores_beside(&self, at: &SourceLocation) -> Vec<u32> {
        let names: Vec<&str> = self.shared_here(at).into_iter().map(|(_, declared)| self.token(declared)).collect();
        let here = self.function_of_line(at.line).map(|function| function.body.0..function.body.1).unwrap_or_default();
        let own = (0..self.tree.statements.len()).filter(|id| here.contains(&self.statement(*id).first));
        let stored = own.filter_map(|id| {
            let statement = self.statement(id);
            let (object, ..) = self.assignment(id, &(statement.first..statement.last))?;
            let is_meant =
                statement.kind == StatementKind::Simple && object.clone().any(|at| names.contains(&self.token(at)));
            is_meant.then(|| self.line(object.start))
        });
        stored.collect()
    }

    /// Returns the store of this line, if it assigns to memory.
    pub fn stored_in(&self, line: u32) -> Option<StoringLine> {
        let here = SourceLocation { file: String::new(), line, column: 0 };
        let simple =
            self.statements_at(&here).into_iter().filter(|id| self.statement(*id).kind == StatementKind::Simple);
        let is_store = |id: &usize| {
            let statement = self.statement(*id);
            self.assignment(*id, &(statement.first..statement.last)).is_some()
        };
        let stores = simple.filter(is_store).count();
        let reads = self.objects(&here).len().saturating_sub(stores);
        (stores > 0).then(|| StoringLine { reads, in_loop: !self.loops(line).is_empty() })
    }

    /// The names of what this line assigns to in memory: `x` of `x[i] = 1`.
    pub fn assigned_in(&self, line: u32) -> Vec<&str> {
        let here = SourceLocation { file: String::new(), line, column: 0 };
        let objects = self.statements_at(&here).into_iter().filter_map(|id| {
            let statement = self.statement(id);
            let simple = statement.kind == StatementKind::Simple;
            Some(self.assignment(id, &(statement.first..statement.last)).filter(|_| simple)?.0)
        });
        objects.filter_map(|object| object.clone().find(|at| self.is_word(*at)).map(|at| self.token(at))).collect()
    }

    pub(super) fn function_of_line(&self, line: u32) -> Option<&Function> {
        let mut functions = self.tree.functions.iter();
        functions.find(|function| (self.line(function.body.0)..=self.line(function.body.1)).contains(&line))
    }

    pub(super) fn function_of(&self, token: usize) -> Option<&Function> {
        self.tree.functions.iter().find(|function| (function.body.0..function.body.1).contains(&token))
    }

    /// Returns true if what is declared at one token can be meant at another: it is not in another function.
    pub(super) fn is_visible(&self, declaration: usize, use_of_it: usize) -> bool {
        let holds = |function: &Function, at: usize| (function.parameters.start..function.body.1).contains(&at);
        let mut functions = self.tree.functions.iter();
        functions.all(|function| !holds(function, declaration) || holds(function, use_of_it))
    }

    /// The type of an object's address without `volatile`, if the object is declared with it.
    pub(super) fn plain_pointer(&self, object: &Range<usize>) -> Option<String> {
        let name = object.clone().find(|at| self.is_word(*at))?;
        let mut marks = (0..name).rev().filter(|at| self.token(*at) == "volatile" && self.is_visible(*at, name));
        marks.find_map(|mark| {
            let declarator = self.declarator(&(mark + 1..name));
            let (ty, declared) = (declarator.start..declarator.end.checked_sub(1)?, declarator.end - 1);
            if self.token(declared) != self.token(name) || !self.is_word(ty.start) {
                return None;
            }
            let words: Vec<&str> = ty.filter(|at| self.token(*at) != "__restrict__").map(|at| self.token(at)).collect();
            // The pointee of the pointer, or the variable itself.
            let pointee = self.token(object.start) == "*" && name == object.start + 1 && object.len() == 2;
            let element = self.token(name + 1) == "[" && self.pair(name + 1) + 1 == object.end && name == object.start;
            match words.iter().filter(|word| **word == "*").count() {
                0 => Some(words.join(" ") + "*"),
                1 if pointee || element => Some(words.join(" ").replace(" *", "*")),
                _ => None,
            }
        })
    }
}
