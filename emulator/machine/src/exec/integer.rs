//! Integer arithmetic without products (PTX ISA, "Integer Arithmetic Instructions").
//!
//! `add`, `sub`, `div`, `abs`, `neg`, `min` and `max` of floating-point types are in `float`;
//! `.cc` forms are in `carry`. Arithmetic wraps, as two's complement does on hardware.
//! A division by zero, which the ISA leaves open, gives all ones for quotient and
//! remainder; the most negative number divided by -1 wraps to itself, remainder 0.

use super::carry;
use super::op::{Alu, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::{LaneFn, binary, ternary, unary};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["add", "sub", "sad", "div", "rem", "abs", "neg", "min", "max"];

/// `$kernel`, a lane function over `T`, for each type of a list; the others do not go with the instruction.
macro_rules! by_type {
    // All six.
    ($ty:expr, $t:ident in integers, $kernel:expr) => {
        by_type!($ty, $t in [U16 = u16, S16 = i16, U32 = u32, S32 = i32, U64 = u64, S64 = i64], $kernel)
    };
    // All six, where the sign makes no difference.
    ($ty:expr, $t:ident in widths, $kernel:expr) => {
        by_type!($ty, $t in [U16 | S16 = u16, U32 | S32 = u32, U64 | S64 = u64], $kernel)
    };
    ($ty:expr, $t:ident in signed, $kernel:expr) => {
        by_type!($ty, $t in [S16 = i16, S32 = i32, S64 = i64], $kernel)
    };
    ($ty:expr, $t:ident in bits, $kernel:expr) => {
        by_type!($ty, $t in [B16 = u16, B32 = u32, B64 = u64], $kernel)
    };
    ($ty:expr, $t:ident in [$($($variant:ident)|+ = $int:ty),+], $kernel:expr) => {
        match $ty {
            $($(Type::$variant)|+ => {
                type $t = $int;
                $kernel
            })+
            other => return Err(Refused::malformed(format!(".{other} does not go with this instruction"))),
        }
    };
}
pub(super) use by_type;

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if modifiers.take("cc") {
        return carry::decode(instruction, decoder);
    }
    if let Some(packed) = modifiers.take_one_of(&["u16x2", "s16x2"]) {
        return decode_packed(instruction, decoder, modifiers, packed == "s16x2");
    }
    let ty = modifiers.ty()?;
    let opcode = instruction.opcode.as_str();
    let saturates = modifiers.take("sat");
    let relu = modifiers.take("relu");
    modifiers.finish()?;
    if saturates && !(matches!(opcode, "add" | "sub") && ty == Type::S32) {
        return Err(Refused::malformed(".sat is for .s32 sums"));
    }
    if relu && !(matches!(opcode, "min" | "max") && ty == Type::S32) {
        return Err(Refused::malformed(".relu is for .s32 and .s16x2"));
    }
    let (kernel, flow) = match opcode {
        "add" if saturates => (binary(|a: i32, b: i32| a.saturating_add(b)), flow::all as UndefinedFlow),
        "sub" if saturates => (binary(|a: i32, b: i32| a.saturating_sub(b)), flow::all as UndefinedFlow),
        "min" if relu => (binary(|a: i32, b: i32| a.min(b).max(0)), flow::all as UndefinedFlow),
        "max" if relu => (binary(|a: i32, b: i32| a.max(b).max(0)), flow::all as UndefinedFlow),
        _ => plain(opcode, ty)?,
    };
    let sources: &[Type] = match opcode {
        "abs" | "neg" => &[ty],
        "sad" => &[ty; 3],
        _ => &[ty; 2],
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, ty, sources)?))
}

fn plain(opcode: &str, ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    Ok(match opcode {
        "add" => (by_type!(ty, T in widths, binary(|a: T, b: T| a.wrapping_add(b))), flow::carry),
        "sub" => (by_type!(ty, T in widths, binary(|a: T, b: T| a.wrapping_sub(b))), flow::carry),
        "neg" => (by_type!(ty, T in signed, unary(|a: T| a.wrapping_neg())), flow::carry),
        "abs" => (by_type!(ty, T in signed, unary(|a: T| a.wrapping_abs())), flow::all),
        "min" => (by_type!(ty, T in integers, binary(|a: T, b: T| a.min(b))), flow::all),
        "max" => (by_type!(ty, T in integers, binary(|a: T, b: T| a.max(b))), flow::all),
        "div" => {
            (by_type!(ty, T in integers, binary(|a: T, b: T| if b == 0 { !0 } else { a.wrapping_div(b) })), flow::all)
        }
        "rem" => {
            (by_type!(ty, T in integers, binary(|a: T, b: T| if b == 0 { !0 } else { a.wrapping_rem(b) })), flow::all)
        }
        "sad" => match ty {
            Type::S16 => (ternary(|a: i16, b: i16, c: u16| c.wrapping_add(a.abs_diff(b))), flow::all),
            Type::S32 => (ternary(|a: i32, b: i32, c: u32| c.wrapping_add(a.abs_diff(b))), flow::all),
            Type::S64 => (ternary(|a: i64, b: i64, c: u64| c.wrapping_add(a.abs_diff(b))), flow::all),
            _ => (
                by_type!(ty, T in [U16 = u16, U32 = u32, U64 = u64],
                    ternary(|a: T, b: T, c: T| c.wrapping_add(a.abs_diff(b)))),
                flow::all,
            ),
        },
        _ => return Err(Refused::unsupported()),
    })
}

/// Two 16-bit numbers in one register.
fn decode_packed(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
    signed: bool,
) -> Result<Op, Refused> {
    let relu = modifiers.take("relu");
    modifiers.finish()?;
    let kernel = match (instruction.opcode.as_str(), signed, relu) {
        ("add", _, false) => binary(|a: u32, b: u32| halves(a, b, u16::wrapping_add)),
        ("min", false, false) => binary(|a: u32, b: u32| halves(a, b, u16::min)),
        ("max", false, false) => binary(|a: u32, b: u32| halves(a, b, u16::max)),
        ("min", true, false) => binary(|a: u32, b: u32| halves(a, b, |a, b| (a as i16).min(b as i16) as u16)),
        ("max", true, false) => binary(|a: u32, b: u32| halves(a, b, |a, b| (a as i16).max(b as i16) as u16)),
        ("min", true, true) => binary(|a: u32, b: u32| halves(a, b, |a, b| (a as i16).min(b as i16).max(0) as u16)),
        ("max", true, true) => binary(|a: u32, b: u32| halves(a, b, |a, b| (a as i16).max(b as i16).max(0) as u16)),
        _ => return Err(Refused::malformed("this instruction has no such packed form")),
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, by_halves, Type::B32, &[Type::B32; 2])?))
}

#[inline(always)]
fn halves(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    let high = f((a >> 16) as u16, (b >> 16) as u16);
    u32::from(high) << 16 | u32::from(f(a as u16, b as u16))
}

/// An undefined bit spoils its own half only.
fn by_halves(_: [u64; 4], u: [u64; 4]) -> u64 {
    let any = u[0] | u[1];
    let spoilt = |half: u64| if any & half != 0 { half } else { 0 };
    spoilt(0xffff) | spoilt(0xffff_0000)
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::{eval, refused};

    #[test]
    fn sums_wrap_and_saturate() {
        for (text, a, b, want) in [
            ("add.s32 %r1, %r2, %r3", 0x7fff_ffff, 1, 0x8000_0000),
            ("add.sat.s32 %r1, %r2, %r3", 0x7fff_ffff, 1, 0x7fff_ffff),
            ("add.s32.sat %r1, %r2, %r3", 0x8000_0000, 0xffff_ffff, 0x8000_0000),
            ("sub.sat.s32 %r1, %r2, %r3", 0x8000_0000, 1, 0x8000_0000),
            ("sub.u32 %r1, %r2, %r3", 0, 1, 0xffff_ffff),
            ("add.u16x2 %r1, %r2, %r3", 0x0001_ffff, 0x0001_0001, 0x0002_0000),
            ("min.s16x2 %r1, %r2, %r3", 0x8000_7fff, 0x0001_ffff, 0x8000_ffff),
            ("min.relu.s16x2 %r1, %r2, %r3", 0x8000_7fff, 0x0001_0005, 0x0000_0005),
            ("max.u16x2 %r1, %r2, %r3", 0x8000_7fff, 0x0001_ffff, 0x8000_ffff),
            ("max.s32 %r1, %r2, %r3", 0xffff_ffff, 1, 1),
            ("max.u32 %r1, %r2, %r3", 0xffff_ffff, 1, 0xffff_ffff),
            ("max.relu.s32 %r1, %r2, %r3", 0xffff_ffff, 0xffff_fffe, 0),
            ("sad.s32 %r1, %r2, %r3, 5", 0x8000_0000, 0x7fff_ffff, 4),
            ("sad.u32 %r1, %r2, %r3, 5", 3, 10, 12),
        ] {
            assert_eq!(eval(text, &[("%r2", a), ("%r3", b)], "%r1"), want, "{text}");
        }
    }

    #[test]
    fn sixteen_bits_stay_sixteen() {
        for (text, a, b, want) in [
            ("add.u16 %h1, %h2, %h3", 0xffff, 2, 1),
            ("sub.s16 %h1, %h2, %h3", 0, 1, 0xffff),
            ("neg.s16 %h1, %h2", 1, 0, 0xffff),
            ("abs.s16 %h1, %h2", 0x8000, 0, 0x8000),
            ("div.s16 %h1, %h2, %h3", 0x8000, 0xffff, 0x8000),
            ("rem.s16 %h1, %h2, %h3", 0xfff9, 3, 0xffff),
        ] {
            assert_eq!(eval(text, &[("%h2", a), ("%h3", b)], "%h1"), want, "{text}");
        }
    }

    #[test]
    fn division_never_stops_the_program() {
        let (least, minus_one) = (i64::MIN as u64, u64::MAX);
        for (text, a, b, want) in [
            ("div.s64 %d1, %d2, %d3", least, minus_one, least),
            ("rem.s64 %d1, %d2, %d3", least, minus_one, 0),
            ("div.u64 %d1, %d2, %d3", 7, 0, u64::MAX),
            ("rem.u64 %d1, %d2, %d3", 7, 0, u64::MAX),
            ("div.s64 %d1, %d2, %d3", -7i64 as u64, 2, -3i64 as u64),
            ("rem.s64 %d1, %d2, %d3", -7i64 as u64, 2, minus_one),
            ("div.u64 %d1, %d2, %d3", minus_one, 2, u64::MAX / 2),
        ] {
            assert_eq!(eval(text, &[("%d2", a), ("%d3", b)], "%d1"), want, "{text}");
        }
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        for text in [
            "add.sat.u32 %r1, %r2, %r3",
            "add.b32 %r1, %r2, %r3",
            "sub.u16x2 %r1, %r2, %r3",
            "neg.u32 %r1, %r2",
            "abs.u64 %d1, %d2",
            "min.relu.s64 %d1, %d2, %d3",
            "min.relu.u16x2 %r1, %r2, %r3",
            "add.wild.s32 %r1, %r2, %r3",
            "add.s32 %r1, %r2",
            "add.s32 %r1, %d2, %r3",
        ] {
            refused(text);
        }
    }
}
