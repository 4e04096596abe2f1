//! What names mean here: which are declared in a statement, and which are variables that threads share.

use super::Source;
use super::statements::Kind;
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

impl Source {
    pub(super) fn is_declaration(&self, id: usize) -> bool {
        let statement = self.statement(id);
        let range = match statement.kind {
            Kind::Simple => statement.first..statement.last,
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
                "=" | "(" | "{" | "[" | ":" | ";" | "," => break,
                _ => end = at + 1,
            }
        }
        range.start..end
    }

    /// The variables in shared or global memory that this file declares.
    pub(super) fn shared_variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let marks = |at: &usize| ["__shared__", "__device__", "__managed__"].contains(&self.token(*at));
        for mark in (0..self.scan.tokens.len()).filter(marks) {
            let end = (mark..self.scan.tokens.len()).find(|at| [";", "(", "{"].contains(&self.token(*at)));
            // A function has parentheses behind its name.
            let Some(end) = end.filter(|end| self.token(*end) == ";") else { continue };
            for part in self.split(mark..end, ",") {
                names.extend(self.declarator(&part).last().filter(|at| self.is_word(*at)).map(|at| self.token(at)));
            }
        }
        names
    }
}
