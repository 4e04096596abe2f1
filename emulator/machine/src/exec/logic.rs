//! Bitwise logic and shifts (PTX ISA, "Logic and Shift Instructions").
//!
//! Shift amounts are unsigned and clamped to the width, except where `shf.wrap` takes them modulo 32.

use super::integer::by_type;
use super::op::{Alu, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::lanes::{Args, Combine, LaneFn, binary, compare, predicates, quaternary, ternary, unary};
use crate::registers::{Mask, Reg, Width};
use crate::watch::flow::{self, Equal, UndefinedFlow};
use ptx::ast::{Immediate, Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["and", "or", "xor", "not", "cnot", "lop3", "shf", "shl", "shr"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let opcode = instruction.opcode.as_str();
    match opcode {
        "lop3" => return decode_lop3(instruction, decoder, modifiers),
        "shf" => return decode_funnel(instruction, decoder, modifiers),
        _ => {}
    }
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    if ty == Type::Pred {
        return decode_predicates(instruction, decoder);
    }
    let (kernel, flow): (LaneFn, UndefinedFlow) = match opcode {
        "and" => (by_type!(ty, T in bits, binary(|a: T, b: T| a & b)), flow::and),
        "or" => (by_type!(ty, T in bits, binary(|a: T, b: T| a | b)), flow::or),
        "xor" => (by_type!(ty, T in bits, binary(|a: T, b: T| a ^ b)), flow::bitwise),
        "not" => (by_type!(ty, T in bits, unary(|a: T| !a)), flow::bitwise),
        "cnot" => (by_type!(ty, T in bits, unary(|a: T| T::from(a == 0))), logical_not),
        "shl" => shift_left(ty)?,
        _ => shift_right(ty)?,
    };
    let sources: &[Type] = match opcode {
        "not" | "cnot" => &[ty],
        "shl" | "shr" => &[ty, Type::U32],
        _ => &[ty, ty],
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, ty, sources)?))
}

/// One defined bit that is set makes the answer zero; the upper bits always are.
fn logical_not(v: [u64; 4], u: [u64; 4]) -> u64 {
    u64::from(v[0] & !u[0] == 0)
}

fn shift_left(ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    let kernel = by_type!(ty, T in bits, binary(|a: T, n: u32| a.checked_shl(n).unwrap_or(0)));
    let flow: UndefinedFlow = match ty {
        Type::B16 => |v, u| if u[1] != 0 { !0 } else { u64::from((u[0] as u16).checked_shl(v[1] as u32).unwrap_or(0)) },
        Type::B32 => |v, u| if u[1] != 0 { !0 } else { u64::from((u[0] as u32).checked_shl(v[1] as u32).unwrap_or(0)) },
        _ => |v, u| if u[1] != 0 { !0 } else { u[0].checked_shl(v[1] as u32).unwrap_or(0) },
    };
    Ok((kernel, flow))
}

fn shift_right(ty: Type) -> Result<(LaneFn, UndefinedFlow), Refused> {
    if ty.is_signed() {
        let kernel = by_type!(ty, T in signed, binary(|a: T, n: u32| a.fill_right(n)));
        // An undefined sign bit fills like any other.
        let flow: UndefinedFlow = match ty {
            Type::S16 => |v, u| if u[1] != 0 { !0 } else { u64::from((u[0] as i16).fill_right(v[1] as u32) as u16) },
            Type::S32 => |v, u| if u[1] != 0 { !0 } else { u64::from((u[0] as i32).fill_right(v[1] as u32) as u32) },
            _ => |v, u| if u[1] != 0 { !0 } else { (u[0] as i64).fill_right(v[1] as u32) as u64 },
        };
        return Ok((kernel, flow));
    }
    let kernel = by_type!(ty, T in [B16 | U16 = u16, B32 | U32 = u32, B64 | U64 = u64],
        binary(|a: T, n: u32| a.checked_shr(n).unwrap_or(0)));
    let flow: UndefinedFlow = match ty.bytes() {
        2 => |v, u| if u[1] != 0 { !0 } else { u64::from((u[0] as u16).checked_shr(v[1] as u32).unwrap_or(0)) },
        4 => |v, u| if u[1] != 0 { !0 } else { u64::from((u[0] as u32).checked_shr(v[1] as u32).unwrap_or(0)) },
        _ => |v, u| if u[1] != 0 { !0 } else { u[0].checked_shr(v[1] as u32).unwrap_or(0) },
    };
    Ok((kernel, flow))
}

/// A right shift that repeats the sign bit, as far as one likes.
trait FillRight {
    fn fill_right(self, amount: u32) -> Self;
}

macro_rules! fill_right {
    ($($int:ty)*) => {$(
        impl FillRight for $int {
            #[inline(always)]
            fn fill_right(self, amount: u32) -> $int {
                self >> amount.min(<$int>::BITS - 1)
            }
        }
    )*};
}

fill_right! { i16 i32 i64 }

/// `and.pred` and its kin: 32 lanes in one operation. A `!` may stand before a source.
fn decode_predicates(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    fn conjunction<const NOT_A: bool, const NOT_B: bool>(a: Mask, b: Mask, _: Mask) -> Mask {
        (if NOT_A { !a } else { a }) & (if NOT_B { !b } else { b })
    }
    fn disjunction<const NOT_A: bool, const NOT_B: bool>(a: Mask, b: Mask, _: Mask) -> Mask {
        (if NOT_A { !a } else { a }) | (if NOT_B { !b } else { b })
    }
    let opcode = instruction.opcode.as_str();
    let unary = opcode == "not";
    decoder.arity(instruction, if unary { 2..=2 } else { 3..=3 })?;
    let d = decoder.predicate_dest(&instruction.operands[0])?;
    let (a, not_a) = decoder.predicate_negatable(&instruction.operands[1])?;
    let (b, not_b) = if unary { (Reg::NONE, false) } else { decoder.predicate_negatable(&instruction.operands[2])? };
    // `a | b` is open exactly where `!a & !b` is.
    let (kernel, flow): (LaneFn, UndefinedFlow) = match (opcode, not_a, not_b) {
        ("and", false, false) => (predicates(conjunction::<false, false>), flow::and_signed::<false, false>),
        ("and", false, true) => (predicates(conjunction::<false, true>), flow::and_signed::<false, true>),
        ("and", true, false) => (predicates(conjunction::<true, false>), flow::and_signed::<true, false>),
        ("and", true, true) => (predicates(conjunction::<true, true>), flow::and_signed::<true, true>),
        ("or", false, false) => (predicates(disjunction::<false, false>), flow::and_signed::<true, true>),
        ("or", false, true) => (predicates(disjunction::<false, true>), flow::and_signed::<true, false>),
        ("or", true, false) => (predicates(disjunction::<true, false>), flow::and_signed::<false, true>),
        ("or", true, true) => (predicates(disjunction::<true, true>), flow::and_signed::<false, false>),
        ("xor", false, false) | ("xor", true, true) => (predicates(|a, b, _| a ^ b), flow::bitwise),
        ("xor", ..) => (predicates(|a, b, _| !(a ^ b)), flow::bitwise),
        ("not", false, _) => (predicates(|a, _, _| !a), flow::bitwise),
        ("not", true, _) => (predicates(|a, _, _| a), flow::bitwise),
        _ => return Err(Refused::malformed("no such instruction on predicates")),
    };
    if !d.is_some() {
        return Ok(Op::Nop);
    }
    Ok(Op::Alu(Alu { kernel, args: Args { d, a, b, ..Args::default() }, flow }))
}

/// `lop3.b32 d, a, b, c, immLut`, and `lop3.{and,or}.b32 d|p, a, b, c, immLut, q`: `p` also says whether `d` has a bit.
fn decode_lop3(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    let operator = modifiers.take_one_of(&["and", "or"]);
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    if ty != Type::B32 {
        return Err(Refused::malformed("lop3 is of .b32"));
    }
    let count = if operator.is_some() { 6 } else { 5 };
    decoder.arity(instruction, count..=count)?;
    let operands = &instruction.operands;
    let Operand::Immediate(Immediate::Int(table @ 0..=255)) = operands[4] else {
        return Err(Refused::malformed("lop3's table is a number below 256"));
    };
    let (d, p) = decoder.pair(&operands[0]);
    let args = Args {
        d: decoder.dest(d, Type::B32)?,
        a: decoder.source(&operands[1], Type::B32)?,
        b: decoder.source(&operands[2], Type::B32)?,
        c: decoder.source(&operands[3], Type::B32)?,
        q: decoder.constant(Constant::Bits(table as u64), Width::Word),
        ..Args::default()
    };
    let alu = match table {
        // A sum of bits, as in every hash: far fewer steps than the table.
        0x96 => Alu {
            kernel: ternary(|a: u32, b: u32, c: u32| a ^ b ^ c),
            args: Args { q: Reg::NONE, ..args },
            flow: flow::bitwise,
        },
        _ => Alu { kernel: quaternary(by_table), args, flow: table_flow },
    };
    let (Some(operator), Some(p)) = (operator, p) else {
        return match (operator, p) {
            (None, None) => Ok(Op::Alu(alu)),
            _ => Err(Refused::malformed("lop3 has a predicate result with .and or .or only")),
        };
    };
    let (q, negated) = decoder.predicate_negatable(&operands[5])?;
    let zero = decoder.constant(Constant::Bits(0), Width::Word);
    let test = Alu {
        kernel: compare(|d: u32, zero: u32| d != zero),
        args: Args {
            d: decoder.predicate_dest(p)?,
            a: args.d,
            b: zero,
            q,
            combine: match (operator, negated) {
                ("and", false) => Combine::And,
                ("and", true) => Combine::AndNot,
                (_, false) => Combine::Or,
                (_, true) => Combine::OrNot,
            },
            ..Args::default()
        },
        flow: match (operator == "and", negated) {
            (true, false) | (false, true) => flow::verdict_unless::<Equal, false>,
            _ => flow::verdict_unless::<Equal, true>,
        },
    };
    Ok(Op::Steps([alu, test].into()))
}

/// Bit `4a + 2b + c` of the table, at each place.
#[inline(always)]
fn by_table(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let entry = |i: u32| 0u32.wrapping_sub(table >> i & 1);
    let by_c = |pair: u32| entry(pair) ^ (c & (entry(pair) ^ entry(pair + 1)));
    let by_b = |four: u32| by_c(four) ^ (b & (by_c(four) ^ by_c(four + 2)));
    by_b(0) ^ (a & (by_b(0) ^ by_b(4)))
}

fn table_flow(v: [u64; 4], u: [u64; 4]) -> u64 {
    flow::by_trial(|v| by_table(v[0] as u32, v[1] as u32, v[2] as u32, v[3] as u32).into(), v, u)
}

/// `shf`: a shift of the 64 bits `b:a`; `.l` keeps the upper word, `.r` the lower.
fn decode_funnel(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    #[inline(always)]
    fn left<const WRAP: bool>(a: u32, b: u32, amount: u32) -> u32 {
        let amount = if WRAP { amount & 31 } else { amount.min(32) };
        ((u64::from(b) << 32 | u64::from(a)) << amount >> 32) as u32
    }
    #[inline(always)]
    fn right<const WRAP: bool>(a: u32, b: u32, amount: u32) -> u32 {
        let amount = if WRAP { amount & 31 } else { amount.min(32) };
        ((u64::from(b) << 32 | u64::from(a)) >> amount) as u32
    }
    fn moved<const LEFT: bool, const WRAP: bool>(v: [u64; 4], u: [u64; 4]) -> u64 {
        let shift = if LEFT { left::<WRAP> } else { right::<WRAP> };
        if u[2] != 0 { !0 } else { shift(u[0] as u32, u[1] as u32, v[2] as u32).into() }
    }
    let direction = modifiers.take_one_of(&["l", "r"]);
    let mode = modifiers.take_one_of(&["wrap", "clamp"]);
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    let (kernel, flow): (LaneFn, UndefinedFlow) = match (direction, mode, ty) {
        (Some("l"), Some("wrap"), Type::B32) => (ternary(left::<true>), moved::<true, true>),
        (Some("l"), Some("clamp"), Type::B32) => (ternary(left::<false>), moved::<true, false>),
        (Some("r"), Some("wrap"), Type::B32) => (ternary(right::<true>), moved::<false, true>),
        (Some("r"), Some("clamp"), Type::B32) => (ternary(right::<false>), moved::<false, false>),
        _ => return Err(Refused::malformed("shf is .l or .r, .wrap or .clamp, of .b32")),
    };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, Type::B32, &[Type::B32, Type::B32, Type::U32])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::harness::{eval, refused, run};

    #[test]
    fn every_table_of_lop3() {
        // One place for each choice of a, b, c: the result is the table itself.
        for table in 0..=255 {
            assert_eq!(by_table(0xf0, 0xcc, 0xaa, table) & 0xff, table);
            let text = format!("lop3.b32 %r1, 0xf0, 0xcc, 0xaa, {table}");
            assert_eq!(eval(&text, &[], "%r1") & 0xff, u64::from(table));
        }
    }

    #[test]
    fn lop3_knows_which_bits_matter() {
        // a & b: a defined zero in `a` hides the undefined bits of `b`; `c` never matters.
        assert_eq!(table_flow([0x0f, 0, 0, 0xc0], [0, 0xff, 0xff, 0]), 0x0f);
    }

    #[test]
    fn lop3_with_a_predicate() {
        for (text, p2, d, p) in [
            ("lop3.or.b32 %r1|%p1, %r2, %r3, 0, 0xc0, %p2", 0, 0, 0),
            ("lop3.or.b32 %r1|%p1, %r2, %r3, 0, 0xc0, !%p2", 0, 0, 1),
            ("lop3.and.b32 %r1|%p1, %r2, %r3, 0, 0xfc, %p2", 1, 0xff, 1),
            ("lop3.and.b32 %r1|%p1, %r2, %r3, 0, 0xfc, !%p2", 1, 0xff, 0),
        ] {
            let out = run(text, &[("%r2", 0x0f), ("%r3", 0xf0), ("%p2", p2)], &["%r1", "%p1"]);
            assert_eq!(out, [d, p], "{text}");
        }
        assert_eq!(eval("lop3.or.b32 _|%p1, %r2, 1, 0, 0xc0, %p2", &[("%r2", 3)], "%p1"), 1);
    }

    #[test]
    fn shifts_clamp_their_amounts() {
        for (text, a, n, want) in [
            ("shl.b32 %r1, %r2, %r3", 1, 31, 0x8000_0000),
            ("shl.b32 %r1, %r2, %r3", 1, 32, 0),
            ("shl.b32 %r1, %r2, %r3", 1, 0xffff_ffff, 0),
            ("shr.u32 %r1, %r2, %r3", 0x8000_0000, 31, 1),
            ("shr.b32 %r1, %r2, %r3", 0x8000_0000, 99, 0),
            ("shr.s32 %r1, %r2, %r3", 0x8000_0000, 99, 0xffff_ffff),
            ("shf.l.wrap.b32 %r1, %r2, 0x80000001, %r3", 0x4000_0000, 33, 0x0000_0002),
            ("shf.l.clamp.b32 %r1, %r2, 0x80000001, %r3", 0x4000_0000, 33, 0x4000_0000),
            ("shf.r.wrap.b32 %r1, %r2, 0x80000001, %r3", 0x4000_0000, 33, 0xa000_0000),
            ("shf.r.clamp.b32 %r1, %r2, 0x80000001, %r3", 0x4000_0000, 33, 0x8000_0001),
            ("shf.l.clamp.b32 %r1, %r2, 7, %r3", 0xffff_ffff, 0, 7),
        ] {
            assert_eq!(eval(text, &[("%r2", a), ("%r3", n)], "%r1"), want, "{text} by {n}");
        }
        for (text, a, n, want) in [
            ("shl.b16 %h1, %h2, %r3", 0x8001, 1, 2),
            ("shl.b16 %h1, %h2, %r3", 1, 16, 0),
            ("shr.u16 %h1, %h2, %r3", 0x8000, 16, 0),
            ("shr.s16 %h1, %h2, %r3", 0x8000, 16, 0xffff),
        ] {
            assert_eq!(eval(text, &[("%h2", a), ("%r3", n)], "%h1"), want, "{text} by {n}");
        }
        assert_eq!(eval("shr.s64 %d1, %d2, 64", &[("%d2", 1 << 63)], "%d1"), u64::MAX);
        assert_eq!(eval("shl.b64 %d1, %d2, 63", &[("%d2", 3)], "%d1"), 1 << 63);
    }

    #[test]
    fn logic_of_every_width() {
        assert_eq!(eval("not.b16 %h1, %h2", &[("%h2", 1)], "%h1"), 0xfffe);
        assert_eq!(eval("cnot.b32 %r1, %r2", &[("%r2", 0)], "%r1"), 1);
        assert_eq!(eval("cnot.b64 %d1, %d2", &[("%d2", 1 << 40)], "%d1"), 0);
        assert_eq!(eval("cnot.b64 %d1, %d2", &[("%d2", 0)], "%d1"), 1);
        assert_eq!(eval("xor.b64 %d1, %d2, -1", &[("%d2", 1)], "%d1"), !1);
        for (text, want) in [
            ("and.pred %p1, %p2, %p3", [0, 0, 0, 1]),
            ("and.pred %p1, %p2, !%p3", [0, 0, 1, 0]),
            ("and.pred %p1, !%p2, !%p3", [1, 0, 0, 0]),
            ("or.pred %p1, %p2, %p3", [0, 1, 1, 1]),
            ("or.pred %p1, !%p2, %p3", [1, 1, 0, 1]),
            ("xor.pred %p1, %p2, %p3", [0, 1, 1, 0]),
            ("xor.pred %p1, %p2, !%p3", [1, 0, 0, 1]),
            ("not.pred %p1, %p2", [1, 1, 0, 0]),
        ] {
            let row = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(a, b)| eval(text, &[("%p2", a), ("%p3", b)], "%p1"));
            assert_eq!(row, want, "{text}");
        }
    }

    #[test]
    fn an_unknown_operand_of_a_decided_or_does_not_matter() {
        // p2 | !p3 with p3 false: true whatever p2 is.
        assert_eq!(flow::and_signed::<true, false>([0; 4], [1, 0, 0, 0]) & 1, 0);
        assert_eq!(flow::and_signed::<true, false>([0, 1, 0, 0], [1, 0, 0, 0]) & 1, 1);
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        for text in [
            "and.u32 %r1, %r2, %r3",
            "cnot.pred %p1, %p2",
            "shl.u32 %r1, %r2, %r3",
            "lop3.xor.b32 %r1|%p1, %r2, %r3, %r4, 1, %p2",
            "lop3.and.b32 %r1, %r2, %r3, %r4, 1, %p2",
            "lop3.b32 %r1|%p1, %r2, %r3, %r4, 1",
            "lop3.b32 %r1, %r2, %r3, %r4, %r5",
            "lop3.b32 %r1, %r2, %r3, %r4, 256",
            "shf.r.clamp.b64 %d1, %d2, %d3, %r4",
        ] {
            refused(text);
        }
    }
}
