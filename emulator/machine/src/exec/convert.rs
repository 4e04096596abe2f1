//! `cvt`: between numbers of every type (PTX ISA, "Data Movement and Conversion Instructions": cvt).
//!
//! A conversion is a chain of at most a few steps, each exact but one: read the operand
//! (which may stand in a wider register), round, clamp, extend to the destination's register.
//! The usual ones (`cvt.u64.u32`, `cvt.rn.f32.s32`, `cvt.rzi.s32.f32`) are a single step.
//!
//! Which rounding modifier an instruction must or must not have follows ptxas. Conversions
//! that need sm_100 (`.rs`, `e2m1x2`, `ue8m0x2`, ...) are refused.

mod float;
mod integer;
mod pack;
mod tiny;

use super::float::Clamp;
use super::float::round::Rounding;
use super::op::{Alu, IS_WHOLE, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::{Args, LaneFn};
use crate::registers::{Reg, Width};
use crate::watch::flow::UndefinedFlow;
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["cvt"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if IS_WHOLE && modifiers.take("pack") {
        return pack::decode(instruction, decoder, modifiers);
    }
    if let Some(format) = modifiers.take_one_of(tiny::FORMATS).filter(|_| IS_WHOLE) {
        return tiny::decode(instruction, decoder, modifiers, format);
    }
    let (to, from) = (modifiers.ty()?, modifiers.ty()?);
    let wanted = CvtModifiers::take(modifiers)?;
    if matches!(to, Type::F16x2 | Type::Bf16x2) {
        return pack::halves(instruction, decoder, &wanted, to, from);
    }
    let number = |ty: Type| ty.is_float() && ty.bytes() != 4 || ty == Type::F32 || integer::is_integer(ty);
    if !number(to) || !number(from) {
        return Err(Refused::malformed(format!("no cvt.{to}.{from}")));
    }
    wanted.check(to, from)?;
    decoder.arity(instruction, 2..=2)?;
    let mut chain = ConversionSteps::of(decoder, &instruction.operands[1], from)?;
    match (to.is_float(), from.is_float()) {
        (false, false) if wanted.saturates => integer::saturate(&mut chain, to, from),
        (false, false) => chain.then(integer::plain(to, from), to),
        (false, true) => float::to_integer(&mut chain, &wanted, to, from),
        (true, false) => float::from_integer(&mut chain, &wanted, to, from),
        (true, true) => float::between(&mut chain, &wanted, to, from),
    }
    if to.is_float() && wanted.saturates {
        chain.clamp(Clamp::Saturate, to)?;
    }
    if wanted.relu {
        chain.clamp(Clamp::Relu, to)?;
    }
    chain.into(&instruction.operands[0], to)
}

/// The modifiers of a `cvt` that are no types.
#[derive(Clone, Copy, Debug, Default)]
struct CvtModifiers {
    /// `.rn` and its kin.
    rounding: Option<Rounding>,
    /// `.rni` and its kin.
    integral: Option<Rounding>,
    ftz: bool,
    /// `.sat`.
    saturates: bool,
    relu: bool,
    /// `.satfinite`: infinity becomes the largest finite number.
    finite: bool,
}

impl CvtModifiers {
    fn take(mut modifiers: Modifiers) -> Result<CvtModifiers, Refused> {
        let wanted = CvtModifiers {
            rounding: modifiers.take_map(Rounding::parse),
            integral: modifiers.take_map(Rounding::parse_integral),
            ftz: modifiers.take("ftz"),
            saturates: modifiers.take("sat"),
            relu: modifiers.take("relu"),
            finite: modifiers.take("satfinite"),
        };
        modifiers.finish()?;
        Ok(wanted)
    }

    /// Refuses what does not go with conversion from `from` to `to`.
    fn check(&self, to: Type, from: Type) -> Result<(), Refused> {
        use Type::*;
        let no = |what: &str| Err(Refused::malformed(format!("{what} in cvt.{to}.{from}")));
        let half = |ty: Type| matches!(ty, F16 | Bf16);
        let (needs, may): (bool, bool) = match (to.is_float(), from.is_float()) {
            (true, false) => (true, true),
            // One half type has the range, the other the precision; ptxas takes this without a rounding too.
            (true, true) if half(to) && half(from) && to != from => (false, true),
            // ptxas takes a rounding here too, which has nothing to round.
            (true, true) if from == Bf16 && matches!(to, F32 | F64) => (false, true),
            (true, true) => (to.bytes() < from.bytes(), to.bytes() < from.bytes()),
            _ => (false, false),
        };
        if self.rounding.is_some() && !may {
            return no("a rounding that changes nothing");
        }
        let needs_integral = from.is_float() && !to.is_float();
        if self.integral.is_some() && !(needs_integral || (from.is_float() && to == from)) {
            return no("rounding to an integer");
        }
        if (needs && self.rounding.is_none()) || (needs_integral && self.integral.is_none()) {
            return no("no rounding modifier");
        }
        if self.ftz && to != F32 && from != F32 {
            return no(".ftz without .f32");
        }
        if self.saturates && !self.may_saturate(to, from) {
            return no(".sat");
        }
        let special = self.relu || self.finite;
        let plain = matches!(self.rounding, Some(Rounding::Nearest | Rounding::Zero)) && !self.ftz && !self.saturates;
        if special && !(half(to) && from == F32 && plain) {
            return no(".relu or .satfinite");
        }
        Ok(())
    }

    fn may_saturate(&self, to: Type, from: Type) -> bool {
        if to.is_float() {
            return to != Type::Bf16 && from != Type::Bf16;
        }
        from.is_float() || !integer::contains(to, from)
    }
}

/// The steps of a conversion so far and where their result is.
struct ConversionSteps<'d, 'a> {
    decoder: &'d mut Decoder<'a>,
    steps: Vec<Alu>,
    value: Reg,
}

impl<'d, 'a> ConversionSteps<'d, 'a> {
    /// Starts from an operand of type `ty`, which may stand in a wider register (PTX ISA,
    /// "Operand Size Exceeding Instruction-Type Size").
    fn of(decoder: &'d mut Decoder<'a>, operand: &Operand, ty: Type) -> Result<ConversionSteps<'d, 'a>, Refused> {
        let value = decoder.any_source(operand, ty)?;
        check_size(decoder, operand, value, ty)?;
        let mut chain = ConversionSteps { decoder, steps: Vec::new(), value };
        if value.width != Width::for_bytes(ty.bytes()) {
            chain.then(integer::plain(Type::B32, Type::B64), Type::B32);
        }
        Ok(chain)
    }

    /// One more step, whose result is a `ty`.
    fn then(&mut self, (kernel, flow): (LaneFn, UndefinedFlow), ty: Type) {
        self.then_with(kernel, flow, ty, [Reg::NONE; 2]);
    }

    /// One more step, with constants for its second and third source.
    fn then_with(&mut self, kernel: LaneFn, flow: UndefinedFlow, ty: Type, [b, c]: [Reg; 2]) {
        let d = self.decoder.scratch(Width::for_bytes(ty.bytes()));
        self.steps.push(Alu { kernel, args: Args { d, a: self.value, b, c, ..Args::default() }, flow });
        self.value = d;
    }

    fn clamp(&mut self, clamp: Clamp, ty: Type) -> Result<(), Refused> {
        let d = self.decoder.scratch(self.value.width);
        self.steps.push(clamp.step(ty, d, self.value)?);
        self.value = d;
        Ok(())
    }

    /// Ends at the destination of type `ty`, extended where its register is wider.
    fn into(mut self, operand: &Operand, ty: Type) -> Result<Op, Refused> {
        let d = self.decoder.any_dest(operand, Width::for_bytes(ty.bytes()))?;
        check_size(self.decoder, operand, d, ty)?;
        let declared = match operand {
            Operand::Register(id) | Operand::Element(id, _) => self.decoder.register_type(*id).bytes(),
            _ => ty.bytes(),
        };
        // Narrow values are zero-extended in their slots already.
        if declared > ty.bytes() && (ty.is_signed() || declared > 4) {
            let from = integer::of_size(ty.bytes(), ty.is_signed());
            let register = integer::of_size(declared, ty.is_signed());
            self.then(integer::plain(register, from), register);
        }
        let last = self.steps.last_mut().expect("a conversion has a step");
        last.args.d = d;
        Ok(match self.steps.len() {
            1 => Op::Alu(self.steps.remove(0)),
            _ => Op::Steps(self.steps.into()),
        })
    }
}

/// A register must be at least as wide as the type, and a wider one no floating-point register.
fn check_size(decoder: &Decoder, operand: &Operand, reg: Reg, ty: Type) -> Result<(), Refused> {
    let declared = match operand {
        Operand::Register(id) | Operand::Element(id, _) => decoder.register_type(*id),
        _ => return Ok(()),
    };
    let fits = match declared.bytes().cmp(&ty.bytes()) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => !declared.is_float() && declared.bytes() <= 8,
    };
    if fits && matches!(reg.width, Width::Word | Width::Double) {
        return Ok(());
    }
    Err(Refused::malformed(format!("a register of another size stands where .{ty} belongs")))
}

#[cfg(test)]
mod tests;
