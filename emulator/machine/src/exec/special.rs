//! Special registers that change while a thread runs (PTX ISA, "Special Registers").
//!
//! An instruction takes one cycle, and the clock rate is 1 GHz, so both clocks count nanoseconds. `%clock` counts the
//! warp's own instructions, and `%globaltimer` those of the whole worker, from where the device's last launch ended.
//! `nanosleep` moves both. Both only ever grow, and both repeat exactly for a schedule.

use super::op::Op;
pub use super::op::special::{ClockRead, ClockRegister};
use crate::decode::{Decoder, Modifiers, Refused};
use ptx::ast::{Instruction, Operand, Type};

/// `mov d, %clock` and its kin; called by `mov` for a special register that is not fixed.
pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    decoder.arity(instruction, 2..=2)?;
    let Operand::Special(name) = &instruction.operands[1] else {
        return Err(Refused::unsupported());
    };
    let (part, global, bytes) = match name.as_str() {
        "%clock" => (ClockRegister::Low, false, 4),
        "%clock_hi" => (ClockRegister::High, false, 4),
        "%clock64" => (ClockRegister::Whole, false, 8),
        "%globaltimer_lo" => (ClockRegister::Low, true, 4),
        "%globaltimer_hi" => (ClockRegister::High, true, 4),
        "%globaltimer" => (ClockRegister::Whole, true, 8),
        _ => return Err(Refused::Unsupported(format!("special register {name}"))),
    };
    if bytes != ty.bytes() {
        return Err(Refused::malformed(format!("{name} has {bytes} bytes")));
    }
    let d = decoder.dest(&instruction.operands[0], if bytes == 8 { Type::B64 } else { Type::B32 })?;
    Ok(Op::Special(ClockRead { part, global, d }))
}
