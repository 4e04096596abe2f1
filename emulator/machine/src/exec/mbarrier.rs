//! `mbarrier` and `cp.async.mbarrier.arrive` (PTX ISA, "Parallel Synchronization and Communication Instructions:
//! mbarrier"). What they do is in `run/mbarrier.rs`.
//!
//! The object's 64 bits are ours to choose, as the ISA leaves them open, and so are those of a state. A state's low 20
//! bits are the pending count, the highest one is the parity of the phase. Arrivals and
//! transactions may be of another block's object (`.shared::cluster`). Bulk copies complete
//! transactions (`run/bulk_copies.rs`).

use super::memory::{Ordering, Scope, Semantics, settle_space};
pub use super::op::mbarrier::{Arrive, Mbarrier, ObjectAction, Phase};
use super::op::{Alu, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::unary;
use crate::memory::space::Space;
use crate::registers::Reg;
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["mbarrier"];

/// The names of a block's shared memory.
const SHARED: &[&str] = &["shared", "shared::cta", "shared::cluster"];

/// An object's bytes.
pub const BYTES: u64 = 8;
/// Bits of a count.
pub const COUNT: u64 = (1 << 20) - 1;
/// The bit of a state that is the parity of its phase.
pub const PARITY: u32 = 63;

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    const OPERATIONS: &[&str] = &[
        "init",
        "inval",
        "arrive",
        "arrive_drop",
        "expect_tx",
        "complete_tx",
        "test_wait",
        "try_wait",
        "pending_count",
    ];
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let operation = modifiers.take_one_of(OPERATIONS).ok_or_else(Refused::unsupported)?;
    let expects = operation.starts_with("arrive") && modifiers.take("expect_tx");
    let no_complete = operation.starts_with("arrive") && modifiers.take("noComplete");
    let by_parity = operation.ends_with("wait") && modifiers.take("parity");
    let semantics = semantics(&mut modifiers, operation.starts_with("arrive"));
    let written = modifiers.take_one_of(SHARED).map(|_| Space::Shared);
    if modifiers.take_type() != Some(Type::B64) {
        return Err(Refused::malformed("an mbarrier is of .b64"));
    }
    modifiers.finish()?;
    let operands = &instruction.operands;
    if operation == "pending_count" {
        let count = unary(|state: u64| (state & COUNT) as u32);
        return Ok(Op::Alu(Alu::of(instruction, decoder, count, |_, u| u[0] & COUNT, Type::B32, &[Type::B64])?));
    }
    let number = |at: usize, decoder: &mut Decoder| decoder.source(&operands[at], Type::U32);
    let has_result = operation.starts_with("arrive") || operation.ends_with("wait");
    let address = usize::from(has_result);
    let (action, dst) = match operation {
        "init" | "expect_tx" | "complete_tx" => {
            decoder.arity(instruction, 2..=2)?;
            let value = number(1, decoder)?;
            let action = match operation {
                "init" => ObjectAction::Init(value),
                "expect_tx" => ObjectAction::ExpectTx(value),
                _ => ObjectAction::CompleteTx(value),
            };
            (action, Reg::NONE)
        }
        "inval" => {
            decoder.arity(instruction, 1..=1)?;
            (ObjectAction::Inval, Reg::NONE)
        }
        "arrive" | "arrive_drop" => {
            let least = if expects || no_complete { 3 } else { 2 };
            decoder.arity(instruction, least..=3)?;
            let third = if operands.len() == 3 { number(2, decoder)? } else { Reg::NONE };
            let (count, transactions) = if expects { (Reg::NONE, third) } else { (third, Reg::NONE) };
            let drops = operation == "arrive_drop";
            let dst = decoder.dest(&operands[0], Type::B64)?;
            (ObjectAction::Arrive(Arrive { count, drops, no_complete, transactions }), dst)
        }
        _ => {
            decoder.arity(instruction, 3..=if operation == "try_wait" { 4 } else { 3 })?;
            if let Some(limit) = operands.get(3) {
                // The limit of a thread's sleep is a time, which means nothing here.
                decoder.source(limit, Type::U32)?;
            }
            let phase = match by_parity {
                true => Phase::Parity(number(2, decoder)?),
                false => Phase::State(decoder.source(&operands[2], Type::B64)?),
            };
            (ObjectAction::Test(phase), decoder.predicate_dest(&operands[0])?)
        }
    };
    at(&operands[address], written, action, dst, semantics, decoder)
}

/// `cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [addr]`, behind `cp.async`.
pub fn decode_track(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    if !modifiers.take("arrive") {
        return Err(Refused::unsupported());
    }
    let adds = !modifiers.take("noinc");
    let written = modifiers.take_one_of(SHARED).map(|_| Space::Shared);
    if modifiers.take_type() != Some(Type::B64) {
        return Err(Refused::malformed("an mbarrier is of .b64"));
    }
    modifiers.finish()?;
    decoder.arity(instruction, 1..=1)?;
    at(&instruction.operands[0], written, ObjectAction::Track(adds), Reg::NONE, STRONG, decoder)
}

fn at(
    operand: &Operand,
    written: Option<Space>,
    action: ObjectAction,
    dst: Reg,
    semantics: Semantics,
    decoder: &mut Decoder,
) -> Result<Op, Refused> {
    let address = decoder.address(operand)?;
    let space = settle_space(written, address.named, decoder)?;
    let (base, offset) = (address.base, address.offset);
    Ok(Op::Mbarrier(Box::new(Mbarrier { action, space, base, offset, dst, semantics })))
}

/// The default semantics: `.release` for arrivals, `.acquire` for waits, of the block.
const STRONG: Semantics = Semantics { ordering: Ordering::AcqRel, scope: Scope::Block, volatile: false };

/// The ISA's default scope is the block's. Of an arrival it is the cluster's here: libraries leave it out where they
/// arrive at the object of another block, and mean an order.
fn semantics(modifiers: &mut Modifiers, is_arrival: bool) -> Semantics {
    let ordering = modifiers.take_one_of(&["release", "acquire", "relaxed"]);
    let scope = match modifiers.take_one_of(&["cta", "cluster"]) {
        Some("cluster") => Scope::Cluster,
        None if is_arrival => Scope::Cluster,
        _ => Scope::Block,
    };
    let ordering = if ordering == Some("relaxed") { Ordering::Relaxed } else { Ordering::AcqRel };
    Semantics { ordering, scope, ..STRONG }
}
