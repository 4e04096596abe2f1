//! Instructions: one file per family with its decoding, and its execution where that is lane by lane. What decoding
//! makes is in [`op`], as data.
//!
//! A family's `decode` turns the parser's instruction into an [`Op`] once, when a kernel is prepared. An instruction
//! that it does not know in full is refused by name. Lane-by-lane arithmetic becomes [`Op::Alu`]. Everything that
//! accesses memory, other threads or the program counter has an [`Op`] of its own, which the machine runs.
//!
//! To add an instruction: add its line to the family's table, or a file with a `decode` and a line in [`FAMILIES`], and
//! a case in `emulator/tests/conformance/`. Arithmetic also has unit tests (`cargo test -p unit-tests --test machine`).

pub use op::{Alu, GridDependency, IS_WHOLE, Op};

use crate::decode::{Decoder, Refused};
use ptx::ast::{Instruction, Type};

pub mod async_copy;
pub mod async_store;
pub mod atomic;
pub mod barrier;
pub mod bits;
pub mod branch;
pub mod bulk_copy;
pub mod carry;
pub mod class;
pub mod compare;
pub mod convert;
pub mod float;
#[cfg(test)]
mod harness;
pub mod integer;
pub mod logic;
pub mod matrix;
pub mod mbarrier;
pub mod memory;
pub mod moves;
pub mod multiply;
pub mod op;
pub mod operands;
pub mod permute;
pub mod runtime;
pub mod space;
pub mod special;
pub mod stack;
mod sums;
pub mod surface;
pub mod tensor_copy;
pub mod texture;
pub mod video;
pub mod warp;
pub mod wgmma;

type Decode = fn(&Instruction, &mut Decoder) -> Result<Op, Refused>;

/// The families of an instruction with a floating-point type, before [`FAMILIES`]: opcodes such as `add` have integer
/// and floating-point forms.
pub const FLOAT_FAMILIES: &[(&[&str], Decode)] = &[(float::OPCODES, float::decode)];

/// The opcodes of each family, and its decoder.
pub const FAMILIES: &[(&[&str], Decode)] = &[
    (convert::OPCODES, convert::decode),
    (integer::OPCODES, integer::decode),
    (multiply::OPCODES, multiply::decode),
    (carry::OPCODES, carry::decode),
    (bits::OPCODES, bits::decode),
    (logic::OPCODES, logic::decode),
    (permute::OPCODES, permute::decode),
    (compare::OPCODES, compare::decode),
    (moves::OPCODES, moves::decode),
    (space::OPCODES, space::decode),
    (stack::OPCODES, stack::decode),
    (video::OPCODES, video::decode),
    (branch::OPCODES, branch::decode),
    (memory::OPCODES, memory::decode),
    (async_copy::OPCODES, async_copy::decode),
    (atomic::OPCODES, atomic::decode),
    (barrier::OPCODES, barrier::decode),
    (mbarrier::OPCODES, mbarrier::decode),
    (warp::OPCODES, warp::decode),
    (matrix::OPCODES, matrix::decode),
    (wgmma::OPCODES, wgmma::decode),
    (texture::OPCODES, texture::decode),
    (surface::OPCODES, surface::decode),
    (tensor_copy::OPCODES, tensor_copy::decode),
];

/// The opcodes of PTX ISA 9.0 that no family decodes. They are those for newer tensor cores and memory of several
/// devices. `ldmatrix`, `stmatrix`, `movmatrix`, `wmma` and accesses to surfaces come here in
/// forms that `program::expand` does not take. A kernel with one of them is refused when it is launched. Any other name
/// is not PTX, and the assembler would refuse the whole module.
#[rustfmt::skip]
const UNSUPPORTED: &[&str] = &[
    "clusterlaunchcontrol", "istypep", "ldmatrix", "movmatrix", "multimem", "stmatrix", "suld", "sured", "sust",
    "tcgen05", "wmma",
];

/// Decodes one instruction. What no family knows is refused by name.
pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if async_store::is_async_store(instruction) {
        return async_store::decode(instruction, decoder);
    }
    let is_float = instruction.modifiers.iter().filter_map(|name| Type::parse(name)).any(Type::is_float);
    let first = if is_float { FLOAT_FAMILIES } else { &[] };
    let family = first.iter().chain(FAMILIES).find(|(opcodes, _)| opcodes.contains(&instruction.opcode.as_str()));
    match family {
        Some((_, decode)) => decode(instruction, decoder),
        None => {
            let opcode = instruction.opcode.as_str();
            let is_of_floats = FLOAT_FAMILIES.iter().any(|(opcodes, _)| opcodes.contains(&opcode));
            let is_known = is_of_floats || UNSUPPORTED.contains(&opcode);
            Err(if is_known { Refused::unsupported() } else { Refused::malformed("no instruction has this name") })
        }
    }
}
