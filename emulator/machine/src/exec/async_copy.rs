//! `cp.async`, its groups and its waits (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy", the
//! non-bulk ones). What they do is in `run/async_copies.rs`.
//!
//! Cache operators, prefetch sizes and cache policies change no value and are accepted for what they are. A size at the
//! source that is larger than the copy is undefined in the ISA; it counts as the copy's own. Bulk copies are in
//! `bulk_copy`.

use super::bulk_copy;
use super::mbarrier;
use super::op::Op;
pub use super::op::async_copy::{Async, AsyncCopyAddress, AsyncCopyOp, Given};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::memory::space::Space;
use ptx::ast::{Immediate, Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["cp"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let reduces = modifiers.take("reduce");
    match (modifiers.take("async"), modifiers.take("bulk")) {
        (true, true) => return bulk_copy::decode(instruction, decoder, modifiers, reduces),
        (true, false) if !reduces => {}
        _ => return Err(Refused::unsupported()),
    }
    if modifiers.take("mbarrier") {
        return mbarrier::decode_track(instruction, decoder, modifiers);
    }
    let what = modifiers.take_one_of(&["commit_group", "wait_group", "wait_all", "ca", "cg"]);
    let operation = match what.ok_or_else(Refused::unsupported)? {
        "commit_group" => {
            decoder.arity(instruction, 0..=0)?;
            Async::Commit
        }
        "wait_all" => {
            decoder.arity(instruction, 0..=0)?;
            Async::WaitAll
        }
        "wait_group" => {
            decoder.arity(instruction, 1..=1)?;
            let groups = number(&instruction.operands[0]).and_then(|groups| u32::try_from(groups).ok());
            Async::WaitGroup(groups.ok_or_else(|| Refused::malformed("the number of groups is a constant"))?)
        }
        cache => Async::Start(copy(instruction, decoder, &mut modifiers, cache == "ca")?),
    };
    modifiers.finish()?;
    Ok(Op::Async(Box::new(operation)))
}

fn copy(
    instruction: &Instruction,
    decoder: &mut Decoder,
    modifiers: &mut Modifiers,
    any_size: bool,
) -> Result<AsyncCopyOp, Refused> {
    let to_shared = modifiers.take_one_of(&["shared", "shared::cta"]).is_some();
    if !to_shared || !modifiers.take("global") {
        return Err(Refused::unsupported());
    }
    let policy = modifiers.take("L2::cache_hint");
    modifiers.take_one_of(&["L2::64B", "L2::128B", "L2::256B"]);
    let least = 3 + usize::from(policy);
    decoder.arity(instruction, least..=least + 1)?;
    let operands = &instruction.operands;
    let bytes = match number(&operands[2]) {
        Some(bytes @ (4 | 8)) if any_size => bytes as u32,
        Some(16) => 16,
        Some(bytes) => return Err(Refused::malformed(format!("no such copy of {bytes} bytes"))),
        None => return Err(Refused::malformed("the size is a constant")),
    };
    if policy {
        decoder.source(&operands[operands.len() - 1], Type::B64)?;
    }
    let given = match operands.get(3).filter(|_| operands.len() > least) {
        None => Given::All,
        Some(size) => given(size, bytes, decoder)?,
    };
    Ok(AsyncCopyOp {
        to: address(&operands[0], Space::Shared, decoder)?,
        from: address(&operands[1], Space::Global, decoder)?,
        bytes,
        given,
    })
}

/// The fourth operand: a number of bytes, or a predicate.
fn given(operand: &Operand, bytes: u32, decoder: &mut Decoder) -> Result<Given, Refused> {
    let is_predicate = match operand {
        Operand::NotRegister(_) => true,
        Operand::Register(register) => decoder.register_type(*register) == Type::Pred,
        _ => false,
    };
    if is_predicate {
        let (register, negated) = decoder.predicate_negatable(operand)?;
        return Ok(Given::NotIf(register, negated));
    }
    match number(operand) {
        Some(all) if all == i64::from(bytes) => Ok(Given::All),
        _ => Ok(Given::Bytes(decoder.source(operand, Type::U32)?)),
    }
}

fn address(operand: &Operand, space: Space, decoder: &mut Decoder) -> Result<AsyncCopyAddress, Refused> {
    let address = decoder.address(operand)?;
    if address.named.is_some_and(|named| named != space) {
        return Err(Refused::malformed(format!("the variable is not in .{} memory", space.name())));
    }
    Ok(AsyncCopyAddress { base: address.base, offset: address.offset })
}

fn number(operand: &Operand) -> Option<i64> {
    match operand {
        Operand::Immediate(Immediate::Int(value)) => Some(*value),
        _ => None,
    }
}
