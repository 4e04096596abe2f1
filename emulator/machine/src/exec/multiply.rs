//! Integer products (PTX ISA, "Integer Arithmetic Instructions": mul, mad, mul24, mad24).
//!
//! The 24-bit forms read the low 24 bits of their factors, sign-extended for `.s32`.

use super::carry;
use super::carry::High;
use super::integer::by_type;
use super::op::{Alu, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::{LaneFn, binary, ternary};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["mul", "mad", "mul24", "mad24"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if modifiers.take("cc") {
        return carry::decode(instruction, decoder);
    }
    let ty = modifiers.ty()?;
    let mode =
        modifiers.take_one_of(&["lo", "hi", "wide"]).ok_or_else(|| Refused::malformed("no .lo, .hi or .wide"))?;
    let saturates = modifiers.take("sat");
    modifiers.finish()?;
    let opcode = instruction.opcode.as_str();
    if saturates && !(matches!(opcode, "mad" | "mad24") && mode == "hi" && ty == Type::S32) {
        return Err(Refused::malformed(".sat is for mad.hi.s32 and mad24.hi.s32"));
    }
    let (kernel, flow) = match opcode {
        "mul" => product(mode, ty)?,
        "mad" if saturates => {
            (ternary(|a: i32, b: i32, c: i32| a.high(b).saturating_add(c)), flow::all as UndefinedFlow)
        }
        "mad" => product_and_sum(mode, ty)?,
        _ => (product24(opcode == "mad24", mode, ty, saturates)?, flow::all as UndefinedFlow),
    };
    let dest = match mode {
        "wide" => widened(ty)?,
        _ => ty,
    };
    let sources: &[Type] = if opcode.starts_with("mul") { &[ty, ty] } else { &[ty, ty, dest] };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, dest, sources)?))
}

fn widened(ty: Type) -> Result<Type, Refused> {
    Ok(match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        other => return Err(Refused::malformed(format!(".{other} has no .wide product"))),
    })
}

fn product(mode: &str, ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    Ok(match mode {
        "lo" => (by_type!(ty, T in widths, binary(|a: T, b: T| a.wrapping_mul(b))), flow::carry),
        "wide" => match ty {
            Type::U16 => (binary(|a: u16, b: u16| u32::from(a) * u32::from(b)), flow::carry),
            Type::S16 => (binary(|a: i16, b: i16| i32::from(a) * i32::from(b)), flow::carry),
            Type::U32 => (binary(|a: u32, b: u32| u64::from(a) * u64::from(b)), flow::carry),
            _ => (binary(|a: i32, b: i32| i64::from(a) * i64::from(b)), flow::carry),
        },
        _ => (by_type!(ty, T in integers, binary(|a: T, b: T| a.high(b))), flow::all),
    })
}

fn product_and_sum(mode: &str, ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    Ok(match mode {
        "lo" => (by_type!(ty, T in widths, ternary(|a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c))), flow::carry),
        "wide" => match ty {
            Type::U16 => (ternary(|a: u16, b: u16, c: u32| (u32::from(a) * u32::from(b)).wrapping_add(c)), flow::carry),
            Type::S16 => (ternary(|a: i16, b: i16, c: i32| (i32::from(a) * i32::from(b)).wrapping_add(c)), flow::carry),
            Type::U32 => (ternary(|a: u32, b: u32, c: u64| (u64::from(a) * u64::from(b)).wrapping_add(c)), flow::carry),
            _ => (ternary(|a: i32, b: i32, c: i64| (i64::from(a) * i64::from(b)).wrapping_add(c)), flow::carry),
        },
        _ => (by_type!(ty, T in integers, ternary(|a: T, b: T, c: T| a.high(b).wrapping_add(c))), flow::all),
    })
}

/// The 48-bit product: bits 31 to 0 for `.lo`, bits 47 to 16 for `.hi`.
fn product24(adds: bool, mode: &str, ty: Type, saturates: bool) -> Result<LaneFn, Refused> {
    #[inline(always)]
    fn unsigned(a: u32, b: u32) -> u64 {
        u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)
    }
    #[inline(always)]
    fn signed(a: i32, b: i32) -> i64 {
        i64::from(a << 8 >> 8) * i64::from(b << 8 >> 8)
    }
    Ok(match (adds, mode, ty) {
        (false, "lo", Type::U32) => binary(|a: u32, b: u32| unsigned(a, b) as u32),
        (false, "hi", Type::U32) => binary(|a: u32, b: u32| (unsigned(a, b) >> 16) as u32),
        (false, "lo", Type::S32) => binary(|a: i32, b: i32| signed(a, b) as i32),
        (false, "hi", Type::S32) => binary(|a: i32, b: i32| (signed(a, b) >> 16) as i32),
        (true, "lo", Type::U32) => ternary(|a: u32, b: u32, c: u32| (unsigned(a, b) as u32).wrapping_add(c)),
        (true, "hi", Type::U32) => ternary(|a: u32, b: u32, c: u32| ((unsigned(a, b) >> 16) as u32).wrapping_add(c)),
        (true, "lo", Type::S32) => ternary(|a: i32, b: i32, c: i32| (signed(a, b) as i32).wrapping_add(c)),
        (true, "hi", Type::S32) if saturates => {
            ternary(|a: i32, b: i32, c: i32| ((signed(a, b) >> 16) as i32).saturating_add(c))
        }
        (true, "hi", Type::S32) => ternary(|a: i32, b: i32, c: i32| ((signed(a, b) >> 16) as i32).wrapping_add(c)),
        _ => return Err(Refused::malformed("24-bit products are .lo or .hi of .u32 or .s32")),
    })
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::{eval, refused};

    #[test]
    fn each_part_of_a_product() {
        for (text, a, b, want) in [
            ("mul.lo.s32 %r1, %r2, %r3", 0xffff_ffff, 3, 0xffff_fffd),
            ("mul.hi.s32 %r1, %r2, %r3", 0xffff_ffff, 3, 0xffff_ffff),
            ("mul.hi.u32 %r1, %r2, %r3", 0xffff_ffff, 3, 2),
            ("mad.hi.sat.s32 %r1, %r2, %r3, 0x7fffffff", 0x4000_0000, 4, 0x7fff_ffff),
            ("mad.hi.s32 %r1, %r2, %r3, 0x7fffffff", 0x4000_0000, 4, 0x8000_0000),
            ("mad.lo.u32 %r1, %r2, %r3, 1", 0x8000_0001, 2, 3),
            ("mul24.lo.s32 %r1, %r2, %r3", 0xff_ffff, 2, 0xffff_fffe),
            ("mul24.hi.u32 %r1, %r2, %r3", 0xff_ffff, 0xff_ffff, 0xffff_fe00),
            ("mul24.hi.s32 %r1, %r2, %r3", 0x80_0000, 0x80_0000, 0x4000_0000),
            ("mad24.hi.sat.s32 %r1, %r2, %r3, 0x7fffffff", 0x80_0000, 0x80_0000, 0x7fff_ffff),
            ("mad24.lo.u32 %r1, %r2, %r3, 4", 0x0100_0003, 5, 19),
        ] {
            assert_eq!(eval(text, &[("%r2", a), ("%r3", b)], "%r1"), want, "{text}");
        }
    }

    #[test]
    fn widths_beyond_and_below_a_word() {
        let max = u64::MAX;
        assert_eq!(eval("mul.hi.u64 %d1, %d2, %d3", &[("%d2", max), ("%d3", max)], "%d1"), max - 1);
        assert_eq!(eval("mul.hi.s64 %d1, %d2, %d3", &[("%d2", max), ("%d3", max)], "%d1"), 0);
        assert_eq!(eval("mad.lo.s64 %d1, %d2, %d3, -4", &[("%d2", 3), ("%d3", max)], "%d1"), -7i64 as u64);
        assert_eq!(eval("mul.wide.s32 %d1, %r2, %r3", &[("%r2", 0xffff_ffff), ("%r3", 5)], "%d1"), -5i64 as u64);
        assert_eq!(eval("mul.wide.u32 %d1, %r2, %r3", &[("%r2", 0xffff_ffff), ("%r3", 5)], "%d1"), 0x4_ffff_fffb);
        assert_eq!(eval("mad.wide.u16 %r1, %h2, %h3, 7", &[("%h2", 0xffff), ("%h3", 0xffff)], "%r1"), 0xfffe_0008);
        assert_eq!(eval("mul.wide.s16 %r1, %h2, %h3", &[("%h2", 0xffff), ("%h3", 2)], "%r1"), 0xffff_fffe);
        assert_eq!(eval("mul.hi.s16 %h1, %h2, %h3", &[("%h2", 0x8000), ("%h3", 0x8000)], "%h1"), 0x4000);
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        for text in [
            "mul.s32 %r1, %r2, %r3",
            "mul.wide.u64 %q1, %d2, %d3",
            "mad.lo.sat.s32 %r1, %r2, %r3, %r4",
            "mad.hi.sat.u32 %r1, %r2, %r3, %r4",
            "mul24.lo.s64 %d1, %d2, %d3",
            "mul.lo.b32 %r1, %r2, %r3",
        ] {
            refused(text);
        }
    }
}
