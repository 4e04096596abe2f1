//! What each instruction does: one file per family, decoding beside execution.
//!
//! A family's `decode` turns the parser's instruction into an [`Op`] once, when a kernel
//! is prepared; an instruction it does not know in full is refused by name. Lane-by-lane
//! arithmetic becomes [`Op::Alu`]; everything that touches memory, other threads or the
//! program counter has an [`Op`] of its own, run by the machine.
//!
//! To add an instruction: add its line to the family's table, or a file with a `decode`
//! and a line in [`FAMILIES`], and a text file in `tests/conformance/`.

use crate::decode::{Decoder, Refused};
use crate::lanes::{Args, Kernel};
use crate::ptx::ast::Instruction;
use crate::watch::flow::Flow;

pub mod atomic;
pub mod barrier;
pub mod branch;
pub mod integer;
pub mod memory;
pub mod special;
pub mod warp;

/// A pure register-to-register instruction.
#[derive(Clone, Debug)]
pub struct Alu {
    pub kernel: Kernel,
    pub args: Args,
    /// How undefined bits pass from the sources to the results.
    pub flow: Flow,
}

/// A decoded instruction.
#[derive(Clone, Debug)]
pub enum Op {
    Alu(Alu),
    Special(special::Read),
    Branch(branch::Branch),
    Call(Box<branch::Call>),
    /// Back to the caller; from a kernel, the end of the thread.
    Return,
    Exit,
    Trap,
    Load(memory::Load),
    Store(memory::Store),
    Atomic(atomic::Atomic),
    Fence(barrier::Fence),
    Barrier(barrier::Barrier),
    Warp(warp::Collective),
    /// Which lanes are together now.
    ActiveMask(crate::registers::Reg),
    Nop,
}

type Decode = fn(&Instruction, &mut Decoder) -> Result<Op, Refused>;

/// Opcode to decoder.
pub const FAMILIES: &[(&[&str], Decode)] = &[
    (integer::OPCODES, integer::decode),
    (branch::OPCODES, branch::decode),
    (memory::OPCODES, memory::decode),
    (atomic::OPCODES, atomic::decode),
    (barrier::OPCODES, barrier::decode),
    (warp::OPCODES, warp::decode),
];

/// Decodes one instruction; what no family knows is refused by name.
pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let family = FAMILIES.iter().find(|(opcodes, _)| opcodes.contains(&instruction.opcode.as_str()));
    match family {
        Some((_, decode)) => decode(instruction, decoder),
        None => Err(Refused::unsupported()),
    }
}
