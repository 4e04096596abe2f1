//! PTX text in, a syntax tree out (PTX ISA, "Syntax", "Directives").
//!
//! The parser knows the shape of PTX, not its instructions: any opcode with any
//! modifiers and operands parses. Which of them the emulator can run is decided
//! kernel by kernel in `decode`, so one unsupported instruction never hides its
//! neighbours. The same holds for syntax that a newer nvcc may write: what is not
//! understood costs the function that it stands in, not the module.

pub mod ast;
mod error;
mod lexer;
mod parse;

pub use error::Error;

/// Parses one PTX module. A body or a directive that is not understood is left out, and the tree says so
/// ([`ast::Body::not_understood`], [`ast::Module::skipped`]). Any text at all gets a module or an error, in time and
/// memory that follow the length of the text and not the numbers in it.
pub fn parse(text: &str) -> Result<ast::Module, Error> {
    parse::module(text)
}
