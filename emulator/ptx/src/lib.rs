//! PTX text in, a syntax tree out (PTX ISA, "Syntax", "Directives").
//!
//! The parser knows the shape of PTX, not its instructions: any opcode with any
//! modifiers and operands parses. Which of them the emulator can run is decided
//! kernel by kernel in `decode`, so one unsupported instruction never hides its
//! neighbours. The same holds for syntax that a newer nvcc may write: what is not
//! understood costs the function that it stands in, not the module.

pub mod ast;
mod lexer;
mod parse;

use std::fmt;

/// Why a text is not PTX, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// The text that says what was found and what was expected.
    pub message: String,
    /// No newer PTX can mean this: the text is cut off, or says a thing twice.
    pub is_malformed: bool,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// Parses one PTX module. A body or a directive that is not understood is left out, and the tree says so
/// ([`ast::Body::not_understood`], [`ast::Module::skipped`]). Any text at all gets a module or an error, in time and
/// memory that follow the length of the text and not the numbers in it.
pub fn parse(text: &str) -> Result<ast::Module, Error> {
    parse::module(text)
}
