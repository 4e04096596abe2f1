//! `st.async` and `red.async` into shared memory of the cluster (PTX ISA, "st.async", "red.async"). When they write is
//! in `run/bulk_moves.rs`.
//!
//! Left out, and refused: the forms for global memory, which complete at no barrier object.

use super::atomic::parse_operation;
use super::bulk_copy::{Bulk, address, reduces};
use super::memory::{take_vector, vector};
pub use super::op::bulk_copy::AsyncStoreOp;
use super::op::{IS_WHOLE, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::memory::space::Space;
use crate::registers::Reg;
use ptx::ast::{Instruction, Type};

/// The most bytes that one store writes.
const MOST_BYTES: u32 = 16;

/// True for `st.async` and `red.async`, which share their opcodes with ordinary accesses.
pub fn is_async_store(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.as_str(), "st" | "red") && instruction.modifiers.iter().any(|name| name == "async")
}

/// Decodes `st.async` or `red.async`.
pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let is_reduction = instruction.opcode == "red";
    modifiers.take("async");
    modifiers.take(if is_reduction { "relaxed" } else { "weak" });
    modifiers.take("cluster");
    modifiers.take("shared::cluster");
    if !IS_WHOLE || !modifiers.take("mbarrier::complete_tx::bytes") {
        return Err(Refused::unsupported());
    }
    let operation = match is_reduction {
        true => Some(modifiers.take_map(parse_operation).ok_or_else(Refused::unsupported)?),
        false => None,
    };
    let elements = if is_reduction { None } else { take_vector(&mut modifiers) };
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    let is_allowed = match operation {
        Some(operation) => reduces(operation, ty, Space::Shared),
        None => {
            use Type::*;
            matches!(ty, B32 | U32 | S32 | F32 | B64 | U64 | S64 | F64)
                && elements.unwrap_or(1) * ty.bytes() <= MOST_BYTES
        }
    };
    if !is_allowed {
        return Err(Refused::unsupported());
    }
    decoder.arity(instruction, 3..=3)?;
    let to = address(&instruction.operands[0], decoder)?;
    let object = address(&instruction.operands[2], decoder)?;
    let written = vector(decoder, &instruction.operands[1], elements)?;
    let mut src = [Reg::NONE; 4];
    for (reg, operand) in src.iter_mut().zip(&written) {
        *reg = decoder.source(operand, ty)?;
    }
    let elements = elements.unwrap_or(1);
    Ok(Op::Bulk(Box::new(Bulk::Store(AsyncStoreOp { to, object, src, elements, ty, operation }))))
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::refused;

    #[test]
    fn what_is_left_out_is_refused() {
        for text in [
            "st.async.release.gpu.global.b32 [%d1], %r1",
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b16 [%r1], %h1, [%r2]",
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%r1], {%d1, %d2, %d3, %d4}, [%r2]",
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r1], %r3, [%r2]",
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [%r1], %f1, [%r2]",
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.exch.b32 [%r1], %r3, [%r2]",
            "red.async.relaxed.cluster.global.add.u32 [%d1], %r3",
        ] {
            refused(text);
        }
    }
}
