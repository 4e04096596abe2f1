//! Going on after what is not understood: an nvcc that is newer than this parser may write it.
//!
//! As little as possible is lost: a function if its header or its body is not understood, otherwise one directive. The
//! tree says what and where. Text that ends too early, or closes more braces than it opens, stays an error: what
//! follows it cannot be told from what stands inside.

use super::parser::{Parsed, Parser, shown};
use crate::Error;
use crate::ast::Body;
use crate::lexer::{Lexer, Token, TokenKind};

/// A place in the text to return to.
#[derive(Clone, Copy)]
pub(super) struct TokenMark<'a> {
    lexer: Lexer<'a>,
    pub token: Token<'a>,
}

/// The directives that begin a module's lines.
const DIRECTIVES: [&str; 16] = [
    ".target",
    ".address_size",
    ".file",
    ".section",
    ".loc",
    ".pragma",
    ".alias",
    ".extern",
    ".visible",
    ".weak",
    ".common",
    ".entry",
    ".func",
    ".global",
    ".const",
    ".shared",
];

impl<'a> Parser<'a> {
    pub(super) fn mark(&self) -> TokenMark<'a> {
        TokenMark { lexer: self.lexer, token: self.token }
    }

    fn return_to(&mut self, mark: TokenMark<'a>) {
        (self.lexer, self.token) = (mark.lexer, mark.token);
    }

    /// Passes over the directive at `start`, which ends with `;` or `}`, or before a line that begins with a known one.
    pub(super) fn skip_directive(&mut self, start: TokenMark<'a>, error: Error) -> Parsed<()> {
        if self.token.kind == TokenKind::End {
            return Err(error);
        }
        self.return_to(start);
        self.strings.forget_from(self.module.locs.len());
        self.strings.is_partial |= self.at(".section");
        loop {
            let token = self.skip_group()?;
            // A string or a comment that does not end takes all that follows.
            if matches!(token.kind, TokenKind::Bad(_)) && self.token.kind == TokenKind::End {
                return Err(error);
            }
            let ends = matches!(token.text, ";" | "{");
            if ends || self.token.kind == TokenKind::End || self.begins_a_directive() {
                break;
            }
        }
        // An initialiser's brace is not the end: `= {1, 2};`
        self.take(";");
        self.lose_names(start);
        self.module.skipped.push(error);
        Ok(())
    }

    /// Passes over the body at `start`, which is not understood for the reason given.
    pub(super) fn skip_body(&mut self, start: TokenMark<'a>, error: Error) -> Parsed<Body> {
        self.return_to(start);
        self.skip_group()?;
        let first = self.module.locs.len();
        Ok(Body { not_understood: Some(error), locs: first..first, ..Body::default() })
    }

    /// Passes over the rest of a function's header, up to its body. False if it has none.
    pub(super) fn skip_header(&mut self) -> bool {
        while !self.at("{") {
            if self.token.kind == TokenKind::End || self.at(";") || self.at("}") {
                return false;
            }
            self.advance();
        }
        true
    }

    /// The `.loc`s from number `first` on belong to no instruction.
    pub(super) fn forget_locs(&mut self, first: usize) {
        self.strings.forget_from(first);
        self.module.locs.truncate(first);
    }

    /// Takes one word, or all from an opening bracket to its closing one; gives the first.
    fn skip_group(&mut self) -> Parsed<Token<'a>> {
        let first = self.token;
        let mut depth = 0u32;
        loop {
            let token = self.advance();
            match (token.kind, token.text) {
                (TokenKind::Mark, "{" | "(") => depth += 1,
                (TokenKind::Mark, "}" | ")") if depth == 0 => {
                    let message = format!("found `{}`, which nothing opens: a line above it is missing", token.text);
                    return Err(self.malformed(token, message));
                }
                (TokenKind::Mark, "}" | ")") => depth -= 1,
                (TokenKind::End, _) => return Err(self.cut_off(first)),
                _ => {}
            }
            if depth == 0 {
                return Ok(first);
            }
        }
    }

    fn cut_off(&self, open: Token<'a>) -> Error {
        let message = format!(
            "the text ends before the `{}` of line {} is closed: the file is cut off or damaged, compile it again",
            open.text, open.line
        );
        self.malformed(self.token, message)
    }

    /// A known directive comes next, as the first word of its line.
    fn begins_a_directive(&self) -> bool {
        let line = self.text[..self.token.start].rfind('\n').map_or(0, |newline| newline + 1);
        DIRECTIVES.contains(&self.token.text) && self.text[line..self.token.start].trim().is_empty()
    }

    /// Whatever the words from `start` to here name, it is not declared.
    fn lose_names(&mut self, start: TokenMark<'a>) {
        let (number, mut lexer, mut token) = (self.module.skipped.len(), start.lexer, start.token);
        while token.start < self.token.start {
            if token.kind == TokenKind::Word {
                self.lost.entry(token.text).or_insert(number);
            }
            token = lexer.next();
        }
    }

    /// A name that nothing declares; `what` says what it should be.
    pub(super) fn undeclared(&self, what: &str, name: Token<'_>) -> Error {
        let why = self.lost.get(name.text).map(|&number| &self.module.skipped[number]);
        let why = why.map_or(String::new(), |why| format!(" (line {} is not understood: {})", why.line, why.message));
        self.error(name, format!("{what}`{}` is not declared{why}", shown(name.text)))
    }
}
