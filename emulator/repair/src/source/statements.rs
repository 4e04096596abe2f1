//! The statements of each function's body, as lists in lists.
//!
//! A body is always a list, with braces or without: `if (c) x;` holds a list of one statement.

use super::scan::{Scan, SourceToken, SourceTokenKind};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatementKind {
    Simple,
    /// `return`, `break`, `continue`, `goto`: what follows it is not reached from here.
    Jump,
    /// `case 1:`, `default:` or `name:`. It stands in the list, but nothing is inserted before or after it.
    Label,
    Block,
    If,
    For,
    While,
    Do,
    Switch,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub kind: StatementKind,
    /// First and last token.
    pub first: usize,
    pub last: usize,
    /// The tokens between the parentheses of an `if`, a loop or a `switch`.
    pub header: Range<usize>,
    pub list: usize,
    /// The start in the text: at its `#pragma`, if it has one.
    pub start: usize,
    pub depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Function,
    Then,
    Else,
    Body,
    /// The body of a lambda in a statement: what it does is done where it is called.
    Lambda,
}

#[derive(Debug)]
pub(super) struct StatementList {
    pub role: Role,
    /// The statement whose body it is.
    pub owner: Option<usize>,
    /// Its braces' tokens.
    pub braces: Option<(usize, usize)>,
    pub statements: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Function {
    pub name: String,
    /// The tokens before its name.
    pub head: Range<usize>,
    /// The tokens between its parentheses.
    pub parameters: Range<usize>,
    /// Its braces' tokens.
    pub body: (usize, usize),
}

#[derive(Debug, Default)]
pub(super) struct StatementTree {
    pub functions: Vec<Function>,
    pub lists: Vec<StatementList>,
    pub statements: Vec<Statement>,
}

pub(super) fn parse(text: &str, scan: &Scan) -> StatementTree {
    let mut parser = Parser { text, scan, tree: StatementTree::default() };
    parser.declarations(0, scan.tokens.len());
    parser.tree
}

/// Words that look like a function's name before its parentheses, and are none.
const NOT_A_NAME: [&str; 8] = [
    "__launch_bounds__",
    "__cluster_dims__",
    "__attribute__",
    "__declspec",
    "__align__",
    "alignas",
    "decltype",
    "noexcept",
];

struct Parser<'a> {
    text: &'a str,
    scan: &'a Scan,
    tree: StatementTree,
}

impl Parser<'_> {
    fn token(&self, at: usize) -> &SourceToken {
        &self.scan.tokens[at]
    }

    fn text(&self, at: usize) -> &str {
        self.scan.tokens.get(at).map_or("", |token| &self.text[token.bytes.clone()])
    }

    /// Functions in a file, a namespace or a class.
    fn declarations(&mut self, start: usize, end: usize) {
        let (mut at, mut begin) = (start, start);
        while at < end {
            match self.text(at) {
                "(" | "[" => at = self.token(at).pair,
                "template" if self.text(at + 1) == "<" => at = self.after_angles(at + 1) - 1,
                ";" => begin = at + 1,
                "{" => {
                    let close = self.token(at).pair;
                    let head: Vec<&str> = (begin..at).map(|token| self.text(token)).collect();
                    let scope =
                        head.iter().any(|word| ["struct", "class", "union", "namespace", "extern"].contains(word));
                    if let Some((name, parameters)) = self.function_head(begin, at) {
                        let name_at = parameters.start - 2;
                        let function = Function { name, head: begin..name_at, parameters, body: (at, close) };
                        if self.body_of(&function).is_some() {
                            self.tree.functions.push(function);
                        }
                        begin = close + 1;
                    } else if scope {
                        self.declarations(at + 1, close);
                        begin = close + 1;
                    }
                    at = close;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// `name (parameters)` among the tokens before a `{`; none before an initialiser or a class.
    fn function_head(&self, begin: usize, end: usize) -> Option<(String, Range<usize>)> {
        let (mut at, mut found) = (begin, None);
        while at < end {
            match self.text(at) {
                "template" if self.text(at + 1) == "<" => at = self.after_angles(at + 1) - 1,
                "operator" => {
                    let open = (at + 2..end).find(|&open| self.text(open) == "(")?;
                    let sign: String = (at..open).map(|token| self.text(token)).collect();
                    return Some((sign, open + 1..self.token(open).pair));
                }
                "=" => return None,
                "[" => at = self.token(at).pair,
                "(" => {
                    let named = at > begin
                        && self.token(at - 1).kind == SourceTokenKind::Word
                        && !NOT_A_NAME.contains(&self.text(at - 1));
                    if named {
                        // The last one: a macro may stand before the function.
                        found = Some((self.text(at - 1).to_string(), at + 1..self.token(at).pair));
                    }
                    at = self.token(at).pair;
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// The token after the `>` that closes the `<` at `open`.
    fn after_angles(&self, open: usize) -> usize {
        let mut depth = 0i32;
        let mut at = open;
        while at < self.scan.tokens.len() {
            match self.text(at) {
                "<" => depth += 1,
                ">" => depth -= 1,
                ">>" => depth -= 2,
                "(" | "[" | "{" => at = self.token(at).pair,
                ";" => break,
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                break;
            }
        }
        at
    }

    fn body_of(&mut self, function: &Function) -> Option<()> {
        let kept = (self.tree.lists.len(), self.tree.statements.len());
        let list = self.braced(function.body.0, Role::Function, None, 0);
        if list.is_none() {
            self.tree.lists.truncate(kept.0);
            self.tree.statements.truncate(kept.1);
        }
        list.map(|_| ())
    }

    /// The list in the braces at `open`; gives the token after them.
    fn braced(&mut self, open: usize, role: Role, owner: Option<usize>, depth: usize) -> Option<usize> {
        let close = self.token(open).pair;
        let list = self.tree.lists.len();
        self.tree.lists.push(StatementList { role, owner, braces: Some((open, close)), statements: Vec::new() });
        let mut at = open + 1;
        while at < close {
            at = self.statement(at, close, list, depth)?;
        }
        Some(close + 1)
    }

    /// The body at `at`, with braces or without; gives the token after it.
    fn body(&mut self, at: usize, end: usize, role: Role, owner: usize, depth: usize) -> Option<usize> {
        if at >= end {
            return None;
        }
        if self.text(at) == "{" {
            return self.braced(at, role, Some(owner), depth + 1);
        }
        let list = self.tree.lists.len();
        self.tree.lists.push(StatementList { role, owner: Some(owner), braces: None, statements: Vec::new() });
        self.statement(at, end, list, depth + 1)
    }

    /// The statement at `first`, before `end`; gives the token after it.
    fn statement(&mut self, first: usize, end: usize, list: usize, depth: usize) -> Option<usize> {
        let id = self.tree.statements.len();
        let kind = match self.text(first) {
            "{" => StatementKind::Block,
            "if" => StatementKind::If,
            "for" => StatementKind::For,
            "while" => StatementKind::While,
            "do" => StatementKind::Do,
            "switch" => StatementKind::Switch,
            "return" | "break" | "continue" | "goto" => StatementKind::Jump,
            "case" | "default" => StatementKind::Label,
            "else" | "catch" | "try" => return None,
            _ if self.token(first).kind == SourceTokenKind::Word && self.text(first + 1) == ":" => StatementKind::Label,
            _ => StatementKind::Simple,
        };
        let start = self.start_with_pragmas(first);
        self.tree.statements.push(Statement { kind, first, last: first, header: first..first, list, start, depth });
        self.tree.lists[list].statements.push(id);
        let next = match kind {
            StatementKind::Simple | StatementKind::Jump => {
                let next = self.through(first, end, ";")?;
                self.lambdas(first, next, id, depth);
                next
            }
            StatementKind::Label => self.through(first, end, ":")?,
            StatementKind::Block => self.braced(first, Role::Body, Some(id), depth + 1)?,
            StatementKind::Do => {
                let after = self.body(first + 1, end, Role::Body, id, depth)?;
                if self.text(after) != "while" || self.text(after + 1) != "(" {
                    return None;
                }
                let close = self.token(after + 1).pair;
                self.tree.statements[id].header = after + 2..close;
                self.through(close + 1, end, ";")?
            }
            StatementKind::If | StatementKind::For | StatementKind::While | StatementKind::Switch => {
                let open = if self.text(first + 1) == "constexpr" { first + 2 } else { first + 1 };
                if self.text(open) != "(" {
                    return None;
                }
                let close = self.token(open).pair;
                self.tree.statements[id].header = open + 1..close;
                let role = if kind == StatementKind::If { Role::Then } else { Role::Body };
                let mut after = self.body(close + 1, end, role, id, depth)?;
                if kind == StatementKind::If && after < end && self.text(after) == "else" {
                    after = self.body(after + 1, end, Role::Else, id, depth)?;
                }
                after
            }
        };
        self.tree.statements[id].last = next - 1;
        Some(next)
    }

    /// The bodies of the lambdas in a statement; one that cannot be read stays a part of it.
    fn lambdas(&mut self, first: usize, end: usize, owner: usize, depth: usize) {
        let mut at = first;
        while at < end {
            let Some(open) = self.lambda_body(at, end) else {
                at += 1;
                continue;
            };
            let kept = (self.tree.lists.len(), self.tree.statements.len());
            if self.braced(open, Role::Lambda, Some(owner), depth + 1).is_none() {
                self.tree.lists.truncate(kept.0);
                self.tree.statements.truncate(kept.1);
            }
            at = self.token(open).pair + 1;
        }
    }

    /// The brace behind `[captures] (parameters) -> type`, if that begins at `at`.
    fn lambda_body(&self, at: usize, end: usize) -> Option<usize> {
        // Behind what has elements, `[` is an index.
        let is_index = at.checked_sub(1).is_some_and(|before| {
            let is_word = self.token(before).kind == SourceTokenKind::Word && self.text(before) != "return";
            is_word || [")", "]", "}"].contains(&self.text(before))
        });
        let is_attribute = self.text(at + 1) == "[";
        if self.text(at) != "[" || is_index || is_attribute {
            return None;
        }
        let mut next = self.token(at).pair + 1;
        if self.text(next) == "(" {
            next = self.token(next).pair + 1;
        }
        let is_part = |at: usize| {
            self.token(at).kind == SourceTokenKind::Word || ["->", "::", "*", "&", "<", ">"].contains(&self.text(at))
        };
        while next < end && is_part(next) {
            next += 1;
        }
        (next < end && self.text(next) == "{").then_some(next)
    }

    /// The token after the next `sign` outside of brackets.
    fn through(&self, first: usize, end: usize, sign: &str) -> Option<usize> {
        let mut at = first;
        while at < end {
            match self.text(at) {
                "(" | "[" | "{" => at = self.token(at).pair,
                text if text == sign => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// A `#pragma` right before a statement belongs to it.
    fn start_with_pragmas(&self, first: usize) -> usize {
        let before = if first == 0 { 0 } else { self.token(first - 1).bytes.end };
        let own = self.token(first).bytes.start;
        let lines = self.scan.directives.iter().filter(|line| before <= line.start && line.end <= own).rev();
        let pragmas = lines.take_while(|line| self.text[line.start + 1..line.end].trim_start().starts_with("pragma"));
        pragmas.last().map_or(own, |line| line.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::scan::scan;

    /// Every token of a body belongs to one statement, which ends as statements do.
    fn check(text: &str, scan: &Scan, tree: &StatementTree) {
        let word = |at: usize| &text[scan.tokens[at].bytes.clone()];
        for (id, list) in tree.lists.iter().enumerate() {
            let mut next = match list.braces {
                Some((open, _)) => open + 1,
                None => tree.statements[list.statements[0]].first,
            };
            for statement in list.statements.iter().map(|id| &tree.statements[*id]) {
                assert_eq!((statement.list, statement.first), (id, next));
                assert!([";", "}", ":"].contains(&word(statement.last)), "{}", word(statement.last));
                next = statement.last + 1;
            }
            match list.braces {
                Some((_, close)) => assert_eq!(next, close),
                None => assert_eq!(list.statements.len(), 1),
            }
        }
    }

    #[test]
    fn all_kernels_of_the_repository_are_read() {
        let all = |folder| {
            let pattern = format!("{}/../../{folder}/**/*.cu*", env!("CARGO_MANIFEST_DIR"));
            glob::glob(&pattern).expect("a pattern").map(|path| path.expect("a folder that can be read"))
        };
        let (mut files, mut kernels) = (0, 0);
        for path in ["cuda", "exercises", "emulator/tests"].into_iter().flat_map(all) {
            let text = std::fs::read_to_string(&path).unwrap();
            let scan = scan(&text).unwrap_or_else(|_| panic!("{}", path.display()));
            let tree = parse(&text, &scan);
            check(&text, &scan, &tree);
            // Macros define some, which are not read.
            let words = scan.tokens.iter().map(|token| &text[token.bytes.clone()]);
            let marked = words.filter(|word| *word == "__global__").count();
            let declared = text.lines().filter(|line| line.starts_with("__global__") && line.ends_with(");")).count();
            let found = tree.functions.iter().filter(|function| {
                function.head.clone().any(|at| &text[scan.tokens[at].bytes.clone()] == "__global__")
            });
            let found: Vec<&str> = found.map(|function| function.name.as_str()).collect();
            assert_eq!(found.len(), marked - declared, "{}: {found:?}", path.display());
            for name in &found {
                assert!(text.contains(&format!("{name}(")), "{}: {name}", path.display());
            }
            kernels += found.len();
            files += 1;
        }
        assert!(files > 100 && kernels > 100, "{files} files, {kernels} kernels");
    }
}
