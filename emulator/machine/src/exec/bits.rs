//! Counting, finding, extracting and inserting bits, and byte dot products
//! (PTX ISA, "Integer Arithmetic Instructions": popc to dp2a).
//!
//! `fns` with a base above 31, which the ISA leaves open, finds nothing.

use super::integer::by_type;
use super::op::{Alu, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::{LaneFn, binary, quaternary, ternary, unary};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::{Instruction, Type};

pub const OPCODES: &[&str] = &["popc", "clz", "bfind", "fns", "brev", "bfe", "bfi", "bmsk", "szext", "dp4a", "dp2a"];

/// The result of `bfind` and `fns` if there is no such bit.
const NOT_FOUND: u32 = u32::MAX;

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    use Type::{B32, S32, U32};
    let opcode = instruction.opcode.as_str();
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    let alu = match opcode {
        "popc" | "clz" => {
            let kernel = match opcode {
                "popc" => by_type!(ty, T in [B32 = u32, B64 = u64], unary(|a: T| a.count_ones())),
                _ => by_type!(ty, T in [B32 = u32, B64 = u64], unary(|a: T| a.leading_zeros())),
            };
            Alu::of(instruction, decoder, kernel, flow::all, U32, &[ty])?
        }
        "brev" => {
            let kernel = by_type!(ty, T in [B32 = u32, B64 = u64], unary(|a: T| a.reverse_bits()));
            let flow: UndefinedFlow =
                if ty == B32 { |_, u| u64::from((u[0] as u32).reverse_bits()) } else { |_, u| u[0].reverse_bits() };
            Alu::of(instruction, decoder, kernel, flow, ty, &[ty])?
        }
        "bfind" => {
            let kernel = if modifiers.take("shiftamt") {
                by_type!(ty, T in [U32 = u32, S32 = i32, U64 = u64, S64 = i64], unary(|a: T| a.highest().1))
            } else {
                by_type!(ty, T in [U32 = u32, S32 = i32, U64 = u64, S64 = i64], unary(|a: T| a.highest().0))
            };
            Alu::of(instruction, decoder, kernel, flow::all, U32, &[ty])?
        }
        "fns" => {
            if ty != B32 {
                return Err(Refused::malformed("fns is of .b32"));
            }
            let kernel = ternary(find_nth_set);
            Alu::of(instruction, decoder, kernel, flow::all, U32, &[B32, B32, S32])?
        }
        "bfe" => {
            let (kernel, flow) = extract_kernel(ty)?;
            Alu::of(instruction, decoder, kernel, flow, ty, &[ty, U32, U32])?
        }
        "bfi" => {
            let (kernel, flow): (LaneFn, UndefinedFlow) = match ty {
                B32 => (quaternary(insert32), |v, u| {
                    control(u[2] | u[3], || insert32(u[0] as u32, u[1] as u32, v[2] as u32, v[3] as u32).into())
                }),
                Type::B64 => (quaternary(insert64), |v, u| {
                    control(u[2] | u[3], || insert64(u[0], u[1], v[2] as u32, v[3] as u32))
                }),
                other => return Err(Refused::malformed(format!("bfi has no .{other}"))),
            };
            Alu::of(instruction, decoder, kernel, flow, ty, &[ty, ty, U32, U32])?
        }
        "bmsk" => {
            let kernel = match (modifiers.take_one_of(&["clamp", "wrap"]), ty) {
                (Some("clamp"), B32) => binary(|start: u32, width: u32| mask_of(start.min(32), width.min(32))),
                (Some(_), B32) => binary(|start: u32, width: u32| mask_of(start & 31, width & 31)),
                _ => return Err(Refused::malformed("bmsk is .clamp or .wrap, of .b32")),
            };
            Alu::of(instruction, decoder, kernel, flow::all, B32, &[B32; 2])?
        }
        "szext" => {
            let wraps = match modifiers.take_one_of(&["clamp", "wrap"]) {
                Some(mode) => mode == "wrap",
                None => return Err(Refused::malformed("szext needs .clamp or .wrap")),
            };
            let (kernel, flow) = extend_kernel(ty, wraps)?;
            Alu::of(instruction, decoder, kernel, flow, ty, &[ty, U32])?
        }
        _ => {
            let other = modifiers.ty()?;
            let kernel = dot_kernel(opcode, modifiers.take_one_of(&["lo", "hi"]), ty, other)?;
            let sum = if ty == U32 && other == U32 { U32 } else { S32 };
            Alu::of(instruction, decoder, kernel, flow::all, sum, &[B32, B32, sum])?
        }
    };
    modifiers.finish()?;
    Ok(Op::Alu(alu))
}

/// `moved` where the operands that steer an instruction are defined, nothing defined otherwise.
fn control(steering: u64, moved: impl FnOnce() -> u64) -> u64 {
    if steering != 0 { !0 } else { moved() }
}

/// The highest bit that is not a sign bit: its place, and how far left it can be shifted.
trait Highest {
    fn highest(self) -> (u32, u32);
}

macro_rules! highest {
    ($($int:ty: |$a:ident| $bits:expr;)*) => {$(
        impl Highest for $int {
            #[inline(always)]
            fn highest(self) -> (u32, u32) {
                let $a = self;
                match $bits.leading_zeros() {
                    <$int>::BITS => (NOT_FOUND, NOT_FOUND),
                    zeros => (<$int>::BITS - 1 - zeros, zeros),
                }
            }
        }
    )*};
}

highest! {
    u32: |a| a;
    u64: |a| a;
    i32: |a| if a < 0 { !a } else { a };
    i64: |a| if a < 0 { !a } else { a };
}

/// The bit that is `|offset|` set bits away from `base`, `base` itself counting as the first.
#[inline(always)]
fn find_nth_set(mask: u32, base: u32, offset: i32) -> u32 {
    if base > 31 {
        return NOT_FOUND;
    }
    if offset == 0 {
        return if mask >> base & 1 != 0 { base } else { NOT_FOUND };
    }
    // Downwards is upwards in the mirrored mask.
    let (mut rest, base) = if offset > 0 { (mask, base) } else { (mask.reverse_bits(), 31 - base) };
    rest &= u32::MAX << base;
    for _ in 1..offset.unsigned_abs().min(33) {
        rest &= rest.wrapping_sub(1);
    }
    match rest {
        0 => NOT_FOUND,
        _ if offset > 0 => rest.trailing_zeros(),
        _ => 31 - rest.trailing_zeros(),
    }
}

fn extract_kernel(ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    Ok(match ty {
        Type::U32 => (ternary(extract_u32), |v, u| {
            control(steering(u), || extract_u32(u[0] as u32, v[1] as u32, v[2] as u32).into())
        }),
        Type::S32 => (ternary(extract_s32), |v, u| {
            control(steering(u), || u64::from(extract_s32(u[0] as i32, v[1] as u32, v[2] as u32) as u32))
        }),
        Type::U64 => {
            (ternary(extract_u64), |v, u| control(steering(u), || extract_u64(u[0], v[1] as u32, v[2] as u32)))
        }
        Type::S64 => (ternary(extract_s64), |v, u| {
            control(steering(u), || extract_s64(u[0] as i64, v[1] as u32, v[2] as u32) as u64)
        }),
        other => return Err(Refused::malformed(format!("bfe has no .{other}"))),
    })
}

/// Position and length are read from their low 8 bits.
fn steering(u: [u64; 4]) -> u64 {
    (u[1] | u[2]) & 0xff
}

#[inline(always)]
fn low_bits(count: u32) -> u64 {
    ((1u128 << count.min(64)) - 1) as u64
}

#[inline(always)]
fn extract_u32(a: u32, position: u32, length: u32) -> u32 {
    (u64::from(a) >> (position & 0xff).min(32)) as u32 & ((1u64 << (length & 0xff).min(32)) - 1) as u32
}

/// The field's own top bit extends it, or `a`'s where the field reaches beyond.
#[inline(always)]
fn extract_s32(a: i32, position: u32, length: u32) -> i32 {
    let field = i64::from(a) >> (position & 0xff).min(32);
    let unused = 64 - (length & 0xff).min(32);
    if unused == 64 { 0 } else { (field << unused >> unused) as i32 }
}

#[inline(always)]
fn extract_u64(a: u64, position: u32, length: u32) -> u64 {
    a.checked_shr(position & 0xff).unwrap_or(0) & low_bits(length & 0xff)
}

#[inline(always)]
fn extract_s64(a: i64, position: u32, length: u32) -> i64 {
    let field = a >> (position & 0xff).min(63);
    let unused = 64 - (length & 0xff).min(64);
    if unused == 64 { 0 } else { field << unused >> unused }
}

#[inline(always)]
fn insert32(a: u32, b: u32, position: u32, length: u32) -> u32 {
    let position = (position & 0xff).min(32);
    let field = (((1u64 << (length & 0xff).min(32)) - 1) << position) as u32;
    (u64::from(a) << position) as u32 & field | b & !field
}

#[inline(always)]
fn insert64(a: u64, b: u64, position: u32, length: u32) -> u64 {
    let position = position & 0xff;
    let field = low_bits(length & 0xff).checked_shl(position).unwrap_or(0);
    a.checked_shl(position).unwrap_or(0) & field | b & !field
}

/// `width` ones from bit `start` up.
#[inline(always)]
fn mask_of(start: u32, width: u32) -> u32 {
    (((1u64 << width) - 1) << start) as u32
}

/// Keeps the low `n` bits, where a width of 32 and more keeps all (`.clamp`) or counts modulo 32 (`.wrap`).
fn extend_kernel(ty: Type, wraps: bool) -> Result<(LaneFn, UndefinedFlow), Refused> {
    #[inline(always)]
    fn kept(width: u32, wraps: bool) -> u32 {
        if wraps { width & 31 } else { width.min(32) }
    }
    #[inline(always)]
    fn unsigned<const WRAPS: bool>(a: u32, width: u32) -> u32 {
        extract_u32(a, 0, kept(width, WRAPS))
    }
    #[inline(always)]
    fn signed<const WRAPS: bool>(a: i32, width: u32) -> i32 {
        extract_s32(a, 0, kept(width, WRAPS))
    }
    fn moved<const WRAPS: bool>(v: [u64; 4], u: [u64; 4]) -> u64 {
        control(u[1], || unsigned::<WRAPS>(u[0] as u32, v[1] as u32).into())
    }
    fn moved_signed<const WRAPS: bool>(v: [u64; 4], u: [u64; 4]) -> u64 {
        control(u[1], || u64::from(signed::<WRAPS>(u[0] as i32, v[1] as u32) as u32))
    }
    Ok(match (ty, wraps) {
        (Type::U32, true) => (binary(unsigned::<true>), moved::<true>),
        (Type::U32, false) => (binary(unsigned::<false>), moved::<false>),
        (Type::S32, true) => (binary(signed::<true>), moved_signed::<true>),
        (Type::S32, false) => (binary(signed::<false>), moved_signed::<false>),
        _ => return Err(Refused::malformed("szext is of .u32 or .s32")),
    })
}

/// `dp4a`: four bytes by four bytes; `dp2a`: two halves of `a` by the low or high two bytes of `b`.
fn dot_kernel(opcode: &str, part: Option<&str>, a: Type, b: Type) -> Result<LaneFn, Refused> {
    #[inline(always)]
    fn byte<const SIGNED: bool>(word: u32, index: u32) -> u32 {
        let byte = (word >> (8 * index)) as u8;
        if SIGNED { byte as i8 as u32 } else { byte.into() }
    }
    #[inline(always)]
    fn half<const SIGNED: bool>(word: u32, index: u32) -> u32 {
        let half = (word >> (16 * index)) as u16;
        if SIGNED { half as i16 as u32 } else { half.into() }
    }
    #[inline(always)]
    fn four<const A: bool, const B: bool>(a: u32, b: u32, c: u32) -> u32 {
        (0..4).fold(c, |sum, i| sum.wrapping_add(byte::<A>(a, i).wrapping_mul(byte::<B>(b, i))))
    }
    #[inline(always)]
    fn two<const A: bool, const B: bool, const FROM: u32>(a: u32, b: u32, c: u32) -> u32 {
        (0..2).fold(c, |sum, i| sum.wrapping_add(half::<A>(a, i).wrapping_mul(byte::<B>(b, FROM + i))))
    }
    let signed = |ty: Type| match ty {
        Type::U32 => Ok(false),
        Type::S32 => Ok(true),
        other => Err(Refused::malformed(format!("no dot product of .{other}"))),
    };
    Ok(match (opcode, part, signed(a)?, signed(b)?) {
        ("dp4a", None, false, false) => ternary(four::<false, false>),
        ("dp4a", None, false, true) => ternary(four::<false, true>),
        ("dp4a", None, true, false) => ternary(four::<true, false>),
        ("dp4a", None, true, true) => ternary(four::<true, true>),
        ("dp2a", Some("lo"), false, false) => ternary(two::<false, false, 0>),
        ("dp2a", Some("lo"), false, true) => ternary(two::<false, true, 0>),
        ("dp2a", Some("lo"), true, false) => ternary(two::<true, false, 0>),
        ("dp2a", Some("lo"), true, true) => ternary(two::<true, true, 0>),
        ("dp2a", Some("hi"), false, false) => ternary(two::<false, false, 2>),
        ("dp2a", Some("hi"), false, true) => ternary(two::<false, true, 2>),
        ("dp2a", Some("hi"), true, false) => ternary(two::<true, false, 2>),
        ("dp2a", Some("hi"), true, true) => ternary(two::<true, true, 2>),
        _ => return Err(Refused::malformed("dp2a is .lo or .hi, dp4a neither")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::harness::{eval, refused};
    use proptest::prelude::*;

    /// The ISA's own formulation: bit by bit.
    fn extract_slowly(a: u64, position: u32, length: u32, bits: u32, signed: bool) -> u64 {
        let (position, length) = (position & 0xff, length & 0xff);
        let bit = |i: u32| a >> i & 1;
        let fill = if signed && length > 0 { bit((position + length - 1).min(bits - 1)) } else { 0 };
        (0..bits).fold(0, |d, i| d | (if i < length && position + i < bits { bit(position + i) } else { fill }) << i)
    }

    fn insert_slowly(a: u64, b: u64, position: u32, length: u32, bits: u32) -> u64 {
        let (position, length) = (position & 0xff, length & 0xff);
        (0..length).filter(|i| position + i < bits).fold(b, |d, i| {
            let at = position + i;
            d & !(1 << at) | (a >> i & 1) << at
        })
    }

    fn find_slowly(mask: u32, base: u32, offset: i32) -> u32 {
        if offset == 0 {
            return if base < 32 && mask >> base & 1 != 0 { base } else { NOT_FOUND };
        }
        let (mut at, mut left) = (i64::from(base), offset.unsigned_abs() - 1);
        while (0..32).contains(&at) {
            if mask >> at & 1 != 0 {
                if left == 0 {
                    return at as u32;
                }
                left -= 1;
            }
            at += i64::from(offset.signum());
        }
        NOT_FOUND
    }

    proptest! {
        #[test]
        fn fields_are_what_the_isa_spells_out(a: u64, b: u64, position in 0u32..300, length in 0u32..300) {
            let word = |value: u64| value & 0xffff_ffff;
            let extracted = |a: u64, bits: u32, signed: bool| extract_slowly(a, position, length, bits, signed);
            prop_assert_eq!(u64::from(extract_u32(a as u32, position, length)), extracted(word(a), 32, false));
            prop_assert_eq!(u64::from(extract_s32(a as i32, position, length) as u32), extracted(word(a), 32, true));
            prop_assert_eq!(extract_u64(a, position, length), extracted(a, 64, false));
            prop_assert_eq!(extract_s64(a as i64, position, length) as u64, extracted(a, 64, true));
            let inserted = insert_slowly(word(a), word(b), position, length, 32);
            prop_assert_eq!(u64::from(insert32(a as u32, b as u32, position, length)), inserted);
            prop_assert_eq!(insert64(a, b, position, length), insert_slowly(a, b, position, length, 64));
        }

        #[test]
        fn the_nth_set_bit(mask: u32, base in 0u32..40, offset in -40i32..40) {
            prop_assert_eq!(find_nth_set(mask, base, offset), find_slowly(mask, base, offset));
        }
    }

    #[test]
    fn short_fields_at_every_place() {
        for position in 0..40 {
            for length in 0..40 {
                let a = 0x8421_f00f_u32;
                let want = extract_slowly(a.into(), position, length, 32, true);
                assert_eq!(u64::from(extract_s32(a as i32, position, length) as u32), want, "{position} {length}");
            }
        }
    }

    #[test]
    fn counting_and_finding() {
        for (text, a, want) in [
            ("popc.b32 %r1, %r2", 0xf0f0_0001, 9),
            ("clz.b32 %r1, %r2", 0, 32),
            ("clz.b32 %r1, %r2", 1, 31),
            ("brev.b32 %r1, %r2", 1, 0x8000_0000),
            ("bfind.u32 %r1, %r2", 0, 0xffff_ffff),
            ("bfind.u32 %r1, %r2", 0x0001_0000, 16),
            ("bfind.s32 %r1, %r2", 0xffff_fffe, 0),
            ("bfind.s32 %r1, %r2", 0xffff_ffff, 0xffff_ffff),
            ("bfind.shiftamt.u32 %r1, %r2", 0x0001_0000, 15),
            ("bfind.shiftamt.u32 %r1, %r2", 0, 0xffff_ffff),
            ("fns.b32 %r1, %r2, 0, 2", 0b1011, 1),
            ("fns.b32 %r1, %r2, 2, -1", 0b1011, 1),
            ("bmsk.clamp.b32 %r1, %r2, 4", 8, 0xf00),
            ("bmsk.clamp.b32 %r1, %r2, 32", 8, 0xffff_ff00),
            ("bmsk.clamp.b32 %r1, %r2, 4", 40, 0),
            ("bmsk.wrap.b32 %r1, %r2, 36", 40, 0xf00),
            ("szext.clamp.s32 %r1, %r2, 8", 0x180, 0xffff_ff80),
            ("szext.clamp.u32 %r1, %r2, 8", 0x180, 0x80),
            ("szext.clamp.s32 %r1, %r2, 99", 0x180, 0x180),
            ("szext.wrap.s32 %r1, %r2, 32", 0x180, 0),
            ("dp4a.u32.u32 %r1, %r2, 0x04030201, 10", 0x0101_01ff, 10 + 255 + 2 + 3 + 4),
            ("dp4a.s32.s32 %r1, %r2, 0x04030201, 10", 0x0101_01ff, 10 - 1 + 2 + 3 + 4),
            ("dp2a.lo.s32.u32 %r1, %r2, 0x040302ff, 1", 0xffff_0002, 1 + 510 - 2),
            ("dp2a.hi.u32.s32 %r1, %r2, 0xff030201, 1", 0x0001_0002, 1 + 6 - 1),
        ] {
            assert_eq!(eval(text, &[("%r2", a)], "%r1"), want, "{text}");
        }
        assert_eq!(eval("popc.b64 %r1, %d2", &[("%d2", u64::MAX)], "%r1"), 64);
        assert_eq!(eval("clz.b64 %r1, %d2", &[("%d2", 1 << 40)], "%r1"), 23);
        assert_eq!(eval("bfind.shiftamt.s64 %r1, %d2", &[("%d2", !(1 << 40))], "%r1"), 23);
        assert_eq!(eval("bfi.b64 %d1, %d2, -1, 60, 8", &[("%d2", 0)], "%d1"), u64::MAX >> 4);
    }

    #[test]
    fn a_field_without_undefined_bits_is_defined() {
        let (_, flow) = extract_kernel(Type::U32).unwrap_or_else(|refused| panic!("{refused:?}"));
        assert_eq!(flow([0, 8, 8, 0], [0xffff_00ff, 0, 0, 0]), 0);
        let (_, flow) = extract_kernel(Type::S32).unwrap_or_else(|refused| panic!("{refused:?}"));
        assert_eq!(flow([0, 8, 8, 0], [0x8000, 0, 0, 0]), 0xffff_ff80);
        assert_eq!(flow([0, 8, 8, 0], [0, 1, 0, 0]), !0);
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        for text in [
            "popc.u32 %r1, %r2",
            "bfind.b32 %r1, %r2",
            "bfe.b32 %r1, %r2, %r3, %r4",
            "bmsk.b32 %r1, %r2, %r3",
            "dp4a.lo.u32.u32 %r1, %r2, %r3, %r4",
            "dp2a.u32.u32 %r1, %r2, %r3, %r4",
            "szext.u32 %r1, %r2, %r3",
        ] {
            refused(text);
        }
    }
}
