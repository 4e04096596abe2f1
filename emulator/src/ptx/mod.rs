//! PTX text in, a syntax tree out (PTX ISA, "Syntax", "Directives").
//!
//! The parser knows the shape of PTX, not its instructions: any opcode with any
//! modifiers and operands parses. Which of them the emulator can run is decided
//! kernel by kernel in `decode`, so one unsupported instruction never hides its
//! neighbours.

pub mod ast;
