//! `cp.async.bulk`, `cp.reduce.async.bulk`, their groups and their waits (PTX ISA, "Data Movement and Conversion
//! Instructions: Bulk copy"). What they do is in `run/bulk_copies.rs`.
//!
//! `.shared::cluster` may be the shared memory of another block of the cluster. Cache policies and prefetches change no
//! value. Copies of tensors are in `tensor_copy`.

use super::atomic::{Operation, parse_operation};
use super::op::async_copy::AsyncCopyAddress;
pub use super::op::bulk_copy::{AsyncStoreOp, Bulk, BulkCompletion, BulkCopyOp};
use super::op::{IS_WHOLE, Op};
use super::tensor_copy;
use crate::decode::{Decoder, Modifiers, Refused};
use crate::memory::space::Space;
use crate::registers::Reg;
use ptx::ast::{Immediate, Instruction, Operand, Type};

const SPACES: &[&str] = &["global", "shared::cta", "shared::cluster"];

/// The size and the alignment of a bulk copy are multiples of this.
pub const UNIT: u64 = 16;

/// Decodes what follows `cp.async.bulk`, or `cp.reduce.async.bulk` if it `reduces`.
pub fn decode(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
    reduces: bool,
) -> Result<Op, Refused> {
    let operation = match modifiers.take_one_of(&["prefetch", "tensor", "commit_group", "wait_group"]) {
        Some("prefetch") => return prefetch(instruction, decoder, modifiers),
        Some("tensor") => tensor_copy::copy(instruction, decoder, &mut modifiers, reduces)?,
        Some("commit_group") => {
            decoder.arity(instruction, 0..=0)?;
            Bulk::Commit
        }
        Some("wait_group") => {
            decoder.arity(instruction, 1..=1)?;
            let left = match &instruction.operands[0] {
                Operand::Immediate(Immediate::Int(left)) => u32::try_from(*left).ok(),
                _ => None,
            };
            let left = left.ok_or_else(|| Refused::malformed("the number of groups is a constant"))?;
            Bulk::Wait { left, reads: modifiers.take("read") }
        }
        // No lesson has them.
        _ if reduces && !IS_WHOLE => return Err(Refused::unsupported()),
        _ => Bulk::Start(copy(instruction, decoder, &mut modifiers, reduces)?),
    };
    modifiers.finish()?;
    Ok(Op::Bulk(Box::new(operation)))
}

/// `cp.async.bulk.prefetch.L2.global`, which changes no value.
fn prefetch(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    if modifiers.take("tensor") {
        return tensor_copy::prefetch(instruction, decoder, modifiers);
    }
    modifiers.take("L2");
    let policy = modifiers.take("L2::cache_hint");
    if !modifiers.take("global") {
        return Err(Refused::unsupported());
    }
    modifiers.finish()?;
    let count = 2 + usize::from(policy);
    decoder.arity(instruction, count..=count)?;
    address(&instruction.operands[0], decoder)?;
    decoder.source(&instruction.operands[1], Type::U32)?;
    if policy {
        decoder.source(&instruction.operands[2], Type::B64)?;
    }
    Ok(Op::Nop)
}

fn copy(
    instruction: &Instruction,
    decoder: &mut Decoder,
    modifiers: &mut Modifiers,
    reduces: bool,
) -> Result<BulkCopyOp, Refused> {
    let mut space = || modifiers.take_one_of(SPACES).ok_or_else(Refused::unsupported);
    let (to, from) = (space()?, space()?);
    let (to_space, from_space) = (space_of(to), space_of(from));
    let by_object = match modifiers.take_one_of(&["bulk_group", "mbarrier::complete_tx::bytes"]) {
        Some("bulk_group") => false,
        Some(_) => true,
        None => return Err(Refused::unsupported()),
    };
    // Global to shared, shared to shared and shared to global; the last by groups, the others by objects.
    let is_there = match (to_space, from_space) {
        (Space::Shared, Space::Global) => by_object && !reduces,
        (Space::Shared, _) => by_object && from == "shared::cta" && to == "shared::cluster",
        _ => !by_object && from == "shared::cta",
    };
    if !is_there {
        return Err(Refused::malformed("no such direction of a bulk copy"));
    }
    let multicast = modifiers.take("multicast::cluster");
    let masks = modifiers.take("cp_mask");
    let policy = modifiers.take("L2::cache_hint");
    let reduction = if reduces { Some(reduction(modifiers, to_space)?) } else { None };
    let count = 3 + usize::from(by_object) + [multicast, masks, policy].map(usize::from).iter().sum::<usize>();
    decoder.arity(instruction, count..=count)?;
    let mut operands = instruction.operands.iter();
    let mut next = || operands.next().expect("counted");
    let (to, from) = (address(next(), decoder)?, address(next(), decoder)?);
    let bytes = decoder.source(next(), Type::U32)?;
    let completion = match by_object {
        true => BulkCompletion::Transactions(address(next(), decoder)?),
        false => BulkCompletion::Group,
    };
    let multicast = if multicast { decoder.source(next(), Type::U16)? } else { Reg::NONE };
    if policy {
        decoder.source(next(), Type::B64)?;
    }
    let byte_mask = if masks { decoder.source(next(), Type::U16)? } else { Reg::NONE };
    Ok(BulkCopyOp { to_space, to, from_space, from, bytes, byte_mask, multicast, completion, reduction })
}

fn space_of(name: &str) -> Space {
    if name == "global" { Space::Global } else { Space::Shared }
}

pub(super) fn address(operand: &Operand, decoder: &mut Decoder) -> Result<AsyncCopyAddress, Refused> {
    let address = decoder.address(operand)?;
    Ok(AsyncCopyAddress { base: address.base, offset: address.offset })
}

fn reduction(modifiers: &mut Modifiers, to: Space) -> Result<(Operation, Type), Refused> {
    let operation = modifiers.take_map(parse_operation).ok_or_else(Refused::unsupported)?;
    modifiers.take("noftz");
    let ty = modifiers.ty()?;
    if !reduces(operation, ty, to) {
        return Err(Refused::unsupported());
    }
    Ok((operation, ty))
}

/// The table of types in the ISA's description of `cp.reduce.async.bulk`.
pub(super) fn reduces(operation: Operation, ty: Type, to: Space) -> bool {
    use Operation::*;
    use Type::*;
    let to_global = to == Space::Global;
    match operation {
        Add => matches!(ty, U32 | S32 | U64) || to_global && matches!(ty, S64 | F32 | F64 | F16 | Bf16),
        Min | Max => matches!(ty, U32 | S32) || to_global && matches!(ty, U64 | S64 | F16 | Bf16),
        Increment | Decrement => ty == U32,
        And | Or | Xor => ty == B32 || to_global && ty == B64,
        _ => false,
    }
}
