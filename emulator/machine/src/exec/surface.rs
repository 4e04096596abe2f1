//! The address of an access to a surface: the first of the steps that `program::surface` makes of `suld`, `sust` and
//! `sured` (PTX ISA, "Surface Instructions"). It has no name in PTX, so no program can write it.

use super::op::{IS_WHOLE, Op};
use super::texture::{ImageOp, Locate, Outside, geometry, place};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::registers::Reg;
use finding::AccessKind;
use ptx::ast::{Instruction, Type};

/// Not an identifier.
pub const LOCATE: &str = "surface address";

pub const OPCODES: &[&str] = &[LOCATE];

/// `surface address.GEOMETRY.BYTES.OUTSIDE.ACCESS d, p, [handle, {..}]`
pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let geometry = geometry(&mut modifiers)?;
    let outside = modifiers.take_map(|name| {
        Some(match name {
            "trap" => Outside::Trap,
            "clamp" => Outside::Clamp,
            "zero" => Outside::Zero,
            _ => return None,
        })
    });
    let outside = outside.ok_or_else(Refused::unsupported)?;
    let kind = match modifiers.take_one_of(&["suld", "sust", "sured"]) {
        Some("suld") => AccessKind::Load,
        Some("sust") => AccessKind::Store,
        _ => AccessKind::Atomic,
    };
    let bytes = modifiers.take_map(|name| name.parse().ok()).ok_or_else(Refused::unsupported)?;
    modifiers.finish()?;
    decoder.arity(instruction, 3..=3)?;
    let dst = decoder.dest(&instruction.operands[0], Type::B64)?;
    let is_inside = match outside {
        Outside::Zero => decoder.predicate_dest(&instruction.operands[1])?,
        _ => Reg::NONE,
    };
    let place = place(&instruction.operands[2], geometry, decoder)?;
    Ok(Op::Image(Box::new(ImageOp::Locate(Locate { place, dst, is_inside, bytes, outside, kind }))))
}
