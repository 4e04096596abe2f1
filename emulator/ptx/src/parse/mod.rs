//! The parser: recursive descent, one word ahead.
//!
//! | file | reads |
//! |---|---|
//! | `directive` | the module: `.version`, `.target`, `.file`, `.loc`, `.alias`, ... |
//! | `section` | `.section`, for the names that `.loc` points at |
//! | `variable`, `initializer` | declarations of variables and parameters |
//! | `function` | headers of `.entry` and `.func`, prototypes |
//! | `body` | statements, nested blocks, registers |
//! | `instruction`, `operand` | instructions |
//! | `names` | scopes: what a name stands for |
//! | `expression`, `number` | constants |
//! | `recover` | going on after what is not understood |
//!
//! ptxas is followed where it differs from the manual: labels belong to their block.

mod body;
mod directive;
mod expression;
mod function;
mod initializer;
mod instruction;
mod names;
mod number;
mod operand;
mod recover;
mod section;
mod variable;

use super::Error;
use super::ast::Module;
use super::lexer::{Kind, Lexer, Token};
use std::collections::HashMap;

type Parsed<T> = Result<T, Error>;

/// Deepest nesting of expressions, operands and initialisers: each level costs stack.
const DEEPEST: u32 = 64;

pub(super) fn module(text: &str) -> Parsed<Module> {
    let mut parser = Parser::new(text);
    parser.directives()?;
    section::name_inlined_functions(&mut parser)?;
    Ok(parser.module)
}

struct Parser<'a> {
    text: &'a str,
    /// Stands behind `token`.
    lexer: Lexer<'a>,
    /// The next word, not yet taken.
    token: Token<'a>,
    depth: u32,
    module: Module,
    globals: HashMap<&'a str, directive::Global>,
    /// Names in directives that were passed over: indices into `Module::skipped`.
    lost: HashMap<&'a str, usize>,
    strings: section::Strings<'a>,
    /// Zeros that initialisers may still be padded with, see `initializer`.
    padding: u64,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
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
            strings: section::Strings::default(),
            padding: initializer::MOST_PADDING,
        }
    }

    /// Takes the next word.
    fn advance(&mut self) -> Token<'a> {
        std::mem::replace(&mut self.token, self.lexer.next())
    }

    /// The word after the next.
    fn second(&self) -> Token<'a> {
        { self.lexer }.next()
    }

    fn at(&self, text: &str) -> bool {
        self.token.text == text
    }

    /// Takes the next word if it is this one.
    fn take(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<Token<'a>> {
        if self.at(text) { Ok(self.advance()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// Takes a word of this kind; `what` names it in the error.
    fn expect_kind(&mut self, kind: Kind, what: &str) -> Parsed<Token<'a>> {
        if self.token.kind == kind { Ok(self.advance()) } else { Err(self.unexpected(what)) }
    }

    #[cfg(test)]
    fn expect_end(&mut self) -> Parsed<Token<'a>> {
        self.expect_kind(Kind::End, "the end")
    }

    /// A number that fits 32 bits.
    fn small(&mut self) -> Parsed<u32> {
        let start = self.token;
        let value = self.integer()?;
        u32::try_from(value).map_err(|_| self.error(start, format!("{value} is not between 0 and {}", u32::MAX)))
    }

    /// One level deeper, up to a limit, so that no text can exhaust the stack.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(self.error(self.token, format!("more than {DEEPEST} levels of nesting")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// `item, item, ...` up to and with `end`; none at all is fine.
    fn list(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
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

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.token.kind {
            Kind::End => "the end of the text".into(),
            Kind::Bad(why) => format!("{why}: `{}`", shown(self.token.text)),
            _ => format!("`{}`", shown(self.token.text)),
        };
        self.error(self.token, format!("found {found}, expected {expected}"))
    }

    fn error(&self, at: Token<'_>, message: String) -> Error {
        let line_start = self.text[..at.start].rfind('\n').map_or(0, |newline| newline + 1);
        let column = self.text[line_start..at.start].chars().count() as u32 + 1;
        Error { line: at.line, column, message, is_malformed: false }
    }

    /// An error that no newer PTX explains.
    fn malformed(&self, at: Token<'_>, message: String) -> Error {
        Error { is_malformed: true, ..self.error(at, message) }
    }
}

/// A word of the text as an error quotes it: never long, never more than a line.
fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(LONGEST) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}...", &line[..end]),
    }
}

#[cfg(test)]
mod tests;
