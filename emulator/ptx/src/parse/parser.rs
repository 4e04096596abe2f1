//! The parser's state: the next token, and what the module has so far.

use crate::Error;
use crate::ast::Module;
use crate::lexer::{Lexer, Token, TokenKind};
use std::collections::HashMap;

pub type Parsed<T> = Result<T, Error>;

/// Deepest nesting of expressions, operands and initialisers: each level costs stack.
pub const DEEPEST: u32 = 64;

/// Zeros that one module may be padded with: `x[2][1000000000] = {{1}, {2}}` is a short
/// text. nvcc writes flat lists, which need none.
pub const MOST_PADDING: u64 = 1 << 20;

pub struct Parser<'a> {
    pub text: &'a str,
    /// Stands behind `token`.
    pub lexer: Lexer<'a>,
    /// The next token, not yet taken.
    pub token: Token<'a>,
    pub depth: u32,
    pub module: Module,
    pub globals: HashMap<&'a str, Global>,
    /// Names in directives that were passed over: indices into `Module::skipped`.
    pub lost: HashMap<&'a str, usize>,
    pub strings: Strings<'a>,
    /// Zeros that initialisers may still be padded with, see `initializer`.
    pub padding: u64,
}

/// The object or function of a module-scope name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    pub is_function: bool,
    /// A body or storage, not only an announcement: there can be one.
    pub defined: bool,
}

/// The strings of `.debug_str`, and who asked for them.
#[derive(Default)]
pub struct Strings<'a> {
    pub bytes: Vec<u8>,
    /// The offset of each label in `bytes`.
    pub labels: HashMap<&'a str, usize>,
    /// (index of the `.loc`, label, offset).
    pub wanted: Vec<(usize, Token<'a>, u64)>,
    /// A section was passed over: some labels may be missing.
    pub is_partial: bool,
}

impl<'a> Strings<'a> {
    /// Notes that `.loc` number `loc` was inlined from the function that `label + offset` names.
    pub fn want_name(&mut self, loc: usize, label: Token<'a>, offset: u64) {
        self.wanted.push((loc, label, offset));
    }

    /// Nobody asks any more for the names of the `.loc`s from number `first` on.
    pub fn forget_from(&mut self, first: usize) {
        let kept = self.wanted.iter().take_while(|(loc, ..)| *loc < first).count();
        self.wanted.truncate(kept);
    }
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Parser {
            text,
            lexer,
            token,
            depth: 0,
            module: Module::default(),
            globals: HashMap::new(),
            lost: HashMap::new(),
            strings: Strings::default(),
            padding: MOST_PADDING,
        }
    }

    /// Takes the next token.
    pub fn advance(&mut self) -> Token<'a> {
        std::mem::replace(&mut self.token, self.lexer.next())
    }

    /// The token after the next, read by a copy of the lexer.
    pub fn second(&self) -> Token<'a> {
        { self.lexer }.next()
    }

    pub fn at(&self, text: &str) -> bool {
        self.token.text == text
    }

    /// Takes the next token if its text is this.
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, text: &str) -> Parsed<Token<'a>> {
        if self.at(text) { Ok(self.advance()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// Takes a token of this kind; `what` names it in the error.
    pub fn expect_kind(&mut self, kind: TokenKind, what: &str) -> Parsed<Token<'a>> {
        if self.token.kind == kind { Ok(self.advance()) } else { Err(self.unexpected(what)) }
    }

    #[cfg(test)]
    pub fn expect_end(&mut self) -> Parsed<Token<'a>> {
        self.expect_kind(TokenKind::End, "the end")
    }

    /// A number that fits 32 bits.
    pub fn small(&mut self) -> Parsed<u32> {
        let start = self.token;
        let value = self.integer()?;
        u32::try_from(value).map_err(|_| self.error(start, format!("{value} is not between 0 and {}", u32::MAX)))
    }

    /// One level deeper, up to a limit, so that no text can exhaust the stack.
    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(self.error(self.token, format!("more than {DEEPEST} levels of nesting")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// `item, item, ...` up to and with `end`; none at all is fine.
    pub fn list(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        if self.take(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.take(end) {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.unexpected(&format!("`,` or `{end}`")));
            }
        }
    }

    pub fn unexpected(&self, expected: &str) -> Error {
        let found = match self.token.kind {
            TokenKind::End => "the end of the text".into(),
            TokenKind::Bad(why) => format!("{why}: `{}`", shown(self.token.text)),
            _ => format!("`{}`", shown(self.token.text)),
        };
        self.error(self.token, format!("found {found}, expected {expected}"))
    }

    pub fn error(&self, at: Token<'_>, message: String) -> Error {
        let line_start = self.text[..at.start].rfind('\n').map_or(0, |newline| newline + 1);
        let column = self.text[line_start..at.start].chars().count() as u32 + 1;
        Error { line: at.line, column, message, is_malformed: false }
    }

    /// An error that no newer PTX explains.
    pub fn malformed(&self, at: Token<'_>, message: String) -> Error {
        Error { is_malformed: true, ..self.error(at, message) }
    }
}

/// A word of the text as an error quotes it: never long, never more than a line.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(LONGEST) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}...", &line[..end]),
    }
}
