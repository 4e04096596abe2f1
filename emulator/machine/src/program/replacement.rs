//! Several instructions in the place of one.

use ptx::ast::{Guard, Immediate, Instruction, Operand, RegId, Register, Type};

/// The list of instructions that replace one: they have its guard and its place in the source.
pub struct Replacement<'a> {
    pub registers: &'a mut Vec<Register>,
    pub all: &'a mut Vec<Instruction>,
    pub guard: Option<Guard>,
    pub loc: Option<u32>,
    pub line: u32,
}

impl Replacement<'_> {
    /// `text` is an opcode with its modifiers; the result is a new register of type `ty`.
    pub fn make(&mut self, text: &str, ty: Type, sources: Vec<Operand>) -> Operand {
        let result = self.register(ty);
        self.push(text, [vec![result.clone()], sources].concat());
        result
    }

    pub fn register(&mut self, ty: Type) -> Operand {
        let id = RegId(self.registers.len() as u32);
        self.registers.push(Register { name: "%step".into(), ty, vector: 1 });
        Operand::Register(id)
    }

    pub fn push(&mut self, text: &str, operands: Vec<Operand>) {
        let mut words = text.split('.').map(String::from);
        let opcode = words.next().unwrap_or_default();
        let Replacement { guard, loc, line, .. } = *self;
        self.all.push(Instruction { guard, opcode, modifiers: words.collect(), operands, loc, line });
    }
}

/// A number as an operand.
pub fn number(value: i64) -> Operand {
    Operand::Immediate(Immediate::Int(value))
}
