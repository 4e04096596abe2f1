//! The parser: recursive descent, at most two tokens ahead.
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
mod parser;
mod recover;
mod section;
mod variable;

use super::ast::Module;
use parser::{Parsed, Parser};

pub(super) fn module(text: &str) -> Parsed<Module> {
    let mut parser = Parser::new(text);
    parser.directives()?;
    section::name_inlined_functions(&mut parser)?;
    Ok(parser.module)
}

#[cfg(test)]
mod tests;
