//! Instructions (PTX ISA, "Instruction statements", "Predicated execution").

use super::body::Scoped;
use super::parser::Parsed;
use crate::ast::{Guard, Instruction, Operand};
use crate::lexer::TokenKind;

impl Scoped<'_, '_> {
    /// `@!%p opcode.modifier operand, operand;`
    pub(super) fn instruction(&mut self) -> Parsed<()> {
        let line = self.parser.token.line;
        let guard = self.guard()?;
        let opcode = self.parser.expect_kind(TokenKind::Word, "an instruction")?;
        let mut modifiers = Vec::new();
        while self.parser.token.kind == TokenKind::Dot {
            modifiers.push(self.parser.advance().text[1..].into());
        }
        let mut operands = Vec::new();
        let scoped = &mut *self;
        if !scoped.parser.take(";") {
            loop {
                operands.push(match opcode.text {
                    "bra" => scoped.branch_target()?,
                    "ld" | "ldu" | "st" => scoped.accessed()?,
                    "call" if scoped.parser.at("(") => scoped.list()?,
                    _ => scoped.operand()?,
                });
                if scoped.parser.take(";") {
                    break;
                }
                if !scoped.parser.take(",") {
                    return Err(scoped.parser.unexpected("`,` or `;`"));
                }
            }
        }
        self.body.instructions.push(Instruction {
            guard,
            opcode: opcode.text.into(),
            modifiers,
            operands,
            loc: self.loc,
            line,
        });
        Ok(())
    }

    fn guard(&mut self) -> Parsed<Option<Guard>> {
        if !self.parser.take("@") {
            return Ok(None);
        }
        let negated = self.parser.take("!");
        Ok(Some(Guard { register: self.register()?, negated }))
    }

    fn branch_target(&mut self) -> Parsed<Operand> {
        let label = self.parser.expect_kind(TokenKind::Word, "a label")?;
        Ok(Operand::Label(self.names.use_label(label)))
    }
}
