//! Comparison and selection of every type (PTX ISA, "Comparison and Selection Instructions"
//! and "Half Precision Comparison Instructions").
//!
//! Five orders suffice for all operators: the others are these with `a` and `b` swapped, or
//! with the two results swapped (`ne` is `eq` with `p` and `q` exchanged). `set` and the
//! packed types take several steps over the same lane functions.

use super::op::{Alu, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::lanes::{Args, Combine, LaneFn, binary, compare, ternary, unary, with_pred};
use crate::registers::{Reg, RegisterValue, Width};
use crate::watch::flow::{self, Below, ComparisonVerdict, Equal, Less, Opaque, UndefinedFlow};
use half::{bf16, f16};
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["setp", "set", "selp", "slct"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let modifiers = Modifiers::new(&instruction.modifiers);
    match instruction.opcode.as_str() {
        "setp" => decode_setp(instruction, decoder, modifiers),
        "set" => decode_set(instruction, decoder, modifiers),
        "selp" => decode_selp(instruction, decoder, modifiers),
        _ => decode_slct(instruction, decoder, modifiers),
    }
}

/// The comparison that a lane function makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneComparison {
    Equal,
    Less,
    /// Numbers only below this line: integers need no more than two orders.
    LessOrEqual,
    /// Less or greater: `ne` of numbers, false with a NaN.
    Apart,
    /// Neither is a NaN.
    Ordered,
}

/// An operator, as one of the orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comparison {
    order: LaneComparison,
    /// `a` and `b` change places.
    swapped: bool,
    /// The outcome is the opposite.
    negated: bool,
}

impl Comparison {
    /// The operator's name for operands of type `ty`, if it exists for them.
    fn parse(name: &str, ty: Type) -> Option<Comparison> {
        use LaneComparison::*;
        let unsigned = matches!(ty, Type::U16 | Type::U32 | Type::U64);
        let bits = matches!(ty, Type::B16 | Type::B32 | Type::B64);
        let (order, swapped, negated) = match name {
            "eq" => (Equal, false, false),
            "ne" if ty.is_float() => (Apart, false, false),
            "ne" => (Equal, false, true),
            _ if bits => return None,
            "lt" => (Less, false, false),
            "gt" => (Less, true, false),
            "le" if ty.is_float() => (LessOrEqual, false, false),
            "ge" if ty.is_float() => (LessOrEqual, true, false),
            "le" => (Less, true, true),
            "ge" => (Less, false, true),
            "lo" if unsigned => (Less, false, false),
            "hi" if unsigned => (Less, true, false),
            "ls" if unsigned => (Less, true, true),
            "hs" if unsigned => (Less, false, true),
            _ if !ty.is_float() => return None,
            "equ" => (Apart, false, true),
            "neu" => (Equal, false, true),
            "ltu" => (LessOrEqual, true, true),
            "leu" => (Less, true, true),
            "gtu" => (LessOrEqual, false, true),
            "geu" => (Less, false, true),
            "num" => (Ordered, false, false),
            "nan" => (Ordered, false, true),
            _ => return None,
        };
        Some(Comparison { order, swapped, negated })
    }
}

const OPERATORS: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
];

/// The comparison of a `setp` or a `set`: modifiers after the result's type, and sources.
struct Test {
    ty: Type,
    comparison: Comparison,
    ftz: bool,
    a: Reg,
    b: Reg,
    q: Reg,
    combine: Combine,
}

impl Test {
    fn decode(
        instruction: &Instruction,
        decoder: &mut Decoder,
        mut modifiers: Modifiers,
        ty: Type,
    ) -> Result<Test, Refused> {
        let name = modifiers.take_one_of(OPERATORS).ok_or_else(|| Refused::malformed("no comparison operator"))?;
        let operator = modifiers.take_one_of(&["and", "or", "xor"]);
        let ftz = modifiers.take("ftz");
        modifiers.finish()?;
        if ftz && !matches!(ty, Type::F32 | Type::F16 | Type::F16x2) {
            return Err(Refused::malformed(format!(".ftz does not go with .{ty}")));
        }
        let comparison =
            Comparison::parse(name, ty).ok_or_else(|| Refused::malformed(format!(".{name} does not go with .{ty}")))?;
        let count = if operator.is_some() { 4 } else { 3 };
        decoder.arity(instruction, count..=count)?;
        let (a, b) = (decoder.source(&instruction.operands[1], ty)?, decoder.source(&instruction.operands[2], ty)?);
        let (q, negated) = match operator {
            Some(_) => decoder.predicate_negatable(&instruction.operands[3])?,
            None => (Reg::NONE, false),
        };
        let combine = match (operator, negated) {
            (None, _) => Combine::Alone,
            (Some("and"), false) => Combine::And,
            (Some("and"), true) => Combine::AndNot,
            (Some("or"), false) => Combine::Or,
            (Some("or"), true) => Combine::OrNot,
            (Some(_), false) => Combine::Xor,
            (Some(_), true) => Combine::XorNot,
        };
        Ok(Test { ty, comparison, ftz, a, b, q, combine })
    }

    /// `p = a op b` and `q = !(a op b)`, each combined.
    fn step(&self, ty: Type, a: Reg, b: Reg, p: Reg, q: Reg) -> Result<Alu, Refused> {
        let Comparison { order, swapped, negated } = self.comparison;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let (d, e) = if negated { (q, p) } else { (p, q) };
        let args = Args { d, e, a, b, q: self.q, combine: self.combine, ..Args::default() };
        Ok(Alu { kernel: kernel(ty, order, self.ftz)?, args, flow: flow_of(ty, order, self.combine) })
    }

    /// The two halves of a packed comparison: `low` and `high` are predicates.
    fn halves(&self, decoder: &mut Decoder, low: Reg, high: Reg) -> Result<Vec<Alu>, Refused> {
        let half = if self.ty == Type::F16x2 { Type::F16 } else { Type::Bf16 };
        let mut steps = Vec::new();
        let mut upper = |source: Reg| {
            let d = decoder.scratch(Width::Word);
            let args = Args { d, a: source, ..Args::default() };
            steps.push(Alu { kernel: unary(|a: u32| a >> 16), args, flow: |_, u| u[0] >> 16 });
            d
        };
        // A half-precision lane function reads the low half of a word.
        let (a, b) = (upper(self.a), upper(self.b));
        // The predicate source may be the first result too: the second half reads it first.
        if self.q == low {
            steps.push(self.step(half, a, b, high, Reg::NONE)?);
            steps.push(self.step(half, self.a, self.b, low, Reg::NONE)?);
        } else {
            steps.push(self.step(half, self.a, self.b, low, Reg::NONE)?);
            steps.push(self.step(half, a, b, high, Reg::NONE)?);
        }
        Ok(steps)
    }
}

fn is_packed(ty: Type) -> bool {
    matches!(ty, Type::F16x2 | Type::Bf16x2)
}

fn kernel(ty: Type, order: LaneComparison, ftz: bool) -> Result<LaneFn, Refused> {
    fn integers<T: RegisterValue + Ord>(order: LaneComparison) -> LaneFn {
        match order {
            LaneComparison::Equal => compare(|a: T, b: T| a == b),
            _ => compare(|a: T, b: T| a < b),
        }
    }
    fn numbers<T: RegisterValue + PartialOrd>(order: LaneComparison) -> LaneFn {
        match order {
            LaneComparison::Equal => compare(|a: T, b: T| a == b),
            LaneComparison::Less => compare(|a: T, b: T| a < b),
            LaneComparison::LessOrEqual => compare(|a: T, b: T| a <= b),
            LaneComparison::Apart => compare(|a: T, b: T| (a < b) | (a > b)),
            LaneComparison::Ordered => compare(|a: T, b: T| a.partial_cmp(&b).is_some()),
        }
    }
    /// Subnormal sources count as zero. Whether a value is a NaN does not change.
    fn flushed<T: RegisterValue + PartialOrd + Flush>(order: LaneComparison) -> LaneFn {
        match order {
            LaneComparison::Equal => compare(|a: T, b: T| a.flush() == b.flush()),
            LaneComparison::Less => compare(|a: T, b: T| a.flush() < b.flush()),
            LaneComparison::LessOrEqual => compare(|a: T, b: T| a.flush() <= b.flush()),
            LaneComparison::Apart => compare(|a: T, b: T| (a.flush() < b.flush()) | (a.flush() > b.flush())),
            LaneComparison::Ordered => numbers::<T>(order),
        }
    }
    use Type::*;
    Ok(match ty {
        B16 | U16 => integers::<u16>(order),
        B32 | U32 => integers::<u32>(order),
        B64 | U64 => integers::<u64>(order),
        S16 => integers::<i16>(order),
        S32 => integers::<i32>(order),
        S64 => integers::<i64>(order),
        F16 if ftz => flushed::<f16>(order),
        F32 if ftz => flushed::<f32>(order),
        F16 => numbers::<f16>(order),
        Bf16 => numbers::<bf16>(order),
        F32 => numbers::<f32>(order),
        F64 => numbers::<f64>(order),
        other => return Err(Refused::malformed(format!(".{other} cannot be compared"))),
    })
}

/// Subnormals to zero of the same sign.
trait Flush {
    fn flush(self) -> Self;
}

impl Flush for f32 {
    #[inline(always)]
    fn flush(self) -> f32 {
        let bits = self.to_bits();
        f32::from_bits(if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits })
    }
}

impl Flush for f16 {
    #[inline(always)]
    fn flush(self) -> f16 {
        let bits = self.to_bits();
        f16::from_bits(if bits & 0x7c00 == 0 { bits & 0x8000 } else { bits })
    }
}

fn flow_of(ty: Type, order: LaneComparison, combine: Combine) -> UndefinedFlow {
    fn combined<V: ComparisonVerdict>(combine: Combine) -> UndefinedFlow {
        match combine {
            Combine::And | Combine::OrNot => flow::verdict_unless::<V, false>,
            Combine::Or | Combine::AndNot => flow::verdict_unless::<V, true>,
            Combine::Alone | Combine::Xor | Combine::XorNot => flow::verdict::<V>,
        }
    }
    match (order, ty) {
        // Two zeros are equal and differ in a bit; so floats are not judged bit by bit.
        _ if ty.is_float() => combined::<Opaque>(combine),
        (LaneComparison::Equal, _) => combined::<Equal>(combine),
        (_, Type::S16) => combined::<Less<16>>(combine),
        (_, Type::S32) => combined::<Less<32>>(combine),
        (_, Type::S64) => combined::<Less<64>>(combine),
        _ => combined::<Below>(combine),
    }
}

fn decode_setp(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    let ty = modifiers.ty()?;
    let test = Test::decode(instruction, decoder, modifiers, ty)?;
    let (p, q) = decoder.pair(&instruction.operands[0]);
    if q.is_some() && matches!(ty, Type::F16 | Type::Bf16) {
        return Err(Refused::malformed(format!("setp of .{ty} has one result")));
    }
    let p = decoder.predicate_dest(p)?;
    let q = match q {
        Some(operand) => decoder.predicate_dest(operand)?,
        None => Reg::NONE,
    };
    if is_packed(ty) {
        return Ok(Op::Steps(test.halves(decoder, p, q)?.into()));
    }
    Ok(Op::Alu(test.step(ty, test.a, test.b, p, q)?))
}

/// `set`: a comparison whose outcome is a number, all ones or 1.0 where it holds.
fn decode_set(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    use Type::*;
    let (to, from) = (modifiers.ty()?, modifiers.ty()?);
    let holds = match (to, from) {
        (U32 | S32, F16x2 | Bf16x2) => 0xffff_ffff,
        (F16x2, F16x2) => 0x3c00_3c00,
        (Bf16x2, Bf16x2) => 0x3f80_3f80,
        (_, F16x2 | Bf16x2) => return Err(Refused::malformed(format!("no set.{to}.{from}"))),
        (U16 | S16, F16 | Bf16) => 0xffff,
        (U32 | S32, _) => 0xffff_ffff,
        (F16, from) if from != Bf16 => 0x3c00,
        (Bf16, _) => 0x3f80,
        (F32, from) if !matches!(from, F16 | Bf16) => 0x3f80_0000,
        _ => return Err(Refused::malformed(format!("no set.{to}.{from}"))),
    };
    let test = Test::decode(instruction, decoder, modifiers, from)?;
    if test.ftz && to == Bf16 {
        return Err(Refused::malformed(".ftz does not go with .bf16"));
    }
    let d = decoder.dest(&instruction.operands[0], to)?;
    let zero = decoder.constant(Constant::Bits(0), Width::Word);
    let pick = |decoder: &mut Decoder, d: Reg, bits: u64, q: Reg| {
        let a = decoder.constant(Constant::Bits(bits), Width::Word);
        let args = Args { d, a, b: zero, q, ..Args::default() };
        Alu { kernel: with_pred(|a: u32, b: u32, q| if q { a } else { b }), args, flow: flow::select }
    };
    let low = decoder.scratch(Width::Pred);
    if !is_packed(from) {
        let step = test.step(from, test.a, test.b, low, Reg::NONE)?;
        return Ok(Op::Steps([step, pick(decoder, d, holds, low)].into()));
    }
    let high = decoder.scratch(Width::Pred);
    let parts = [decoder.scratch(Width::Word), decoder.scratch(Width::Word)];
    let mut steps = test.halves(decoder, low, high)?;
    steps.push(pick(decoder, parts[0], holds & 0xffff, low));
    steps.push(pick(decoder, parts[1], holds & 0xffff_0000, high));
    let args = Args { d, a: parts[0], b: parts[1], ..Args::default() };
    steps.push(Alu { kernel: binary(|a: u32, b: u32| a | b), args, flow: flow::or });
    Ok(Op::Steps(steps.into()))
}

/// Types that `selp` and `slct` move.
fn is_selectable(ty: Type) -> bool {
    use Type::*;
    matches!(ty, B16 | B32 | B64 | U16 | U32 | U64 | S16 | S32 | S64 | F32 | F64)
}

fn decode_selp(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    if !is_selectable(ty) {
        return Err(Refused::malformed(format!("selp has no .{ty}")));
    }
    decoder.arity(instruction, 4..=4)?;
    let operands = &instruction.operands;
    let (q, negated) = decoder.predicate_negatable(&operands[3])?;
    let (a, b): (&Operand, &Operand) =
        if negated { (&operands[2], &operands[1]) } else { (&operands[1], &operands[2]) };
    let args = Args {
        d: decoder.dest(&operands[0], ty)?,
        a: decoder.source(a, ty)?,
        b: decoder.source(b, ty)?,
        q,
        ..Args::default()
    };
    let kernel = match ty.bytes() {
        8 => with_pred(|a: u64, b: u64, q| if q { a } else { b }),
        _ => with_pred(|a: u32, b: u32, q| if q { a } else { b }),
    };
    Ok(Op::Alu(Alu { kernel, args, flow: flow::select }))
}

/// `slct d, a, b, c`: `a` where `c` is not negative. -0.0 is not; a NaN picks `b`.
fn decode_slct(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    let ftz = modifiers.take("ftz");
    let (ty, by) = (modifiers.ty()?, modifiers.ty()?);
    modifiers.finish()?;
    if !is_selectable(ty) || (ftz && by != Type::F32) {
        return Err(Refused::malformed("no such slct"));
    }
    let (kernel, flow): (LaneFn, UndefinedFlow) = match (by, ftz, ty.bytes()) {
        (Type::S32, _, 8) => (ternary(|a: u64, b: u64, c: i32| if c >= 0 { a } else { b }), by_sign),
        (Type::S32, ..) => (ternary(|a: u32, b: u32, c: i32| if c >= 0 { a } else { b }), by_sign),
        (Type::F32, false, 8) => (ternary(|a: u64, b: u64, c: f32| if c >= 0.0 { a } else { b }), flow::all),
        (Type::F32, false, _) => (ternary(|a: u32, b: u32, c: f32| if c >= 0.0 { a } else { b }), flow::all),
        (Type::F32, true, 8) => (ternary(|a: u64, b: u64, c: f32| if c.flush() >= 0.0 { a } else { b }), flow::all),
        (Type::F32, true, _) => (ternary(|a: u32, b: u32, c: f32| if c.flush() >= 0.0 { a } else { b }), flow::all),
        _ => return Err(Refused::malformed("slct decides by .s32 or .f32")),
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, ty, &[ty, ty, by])?))
}

/// Only the sign bit of `c` decides.
fn by_sign(v: [u64; 4], u: [u64; 4]) -> u64 {
    let sign = |bits: u64| bits >> 31 & 1;
    flow::select([v[0], v[1], 0, 1 - sign(v[2])], [u[0], u[1], 0, sign(u[2])])
}

#[cfg(test)]
mod tests;
