//! `mov`: registers, constants, addresses, and the packing of small values into large ones
//! (PTX ISA, "Data Movement and Conversion Instructions": both pages named mov).

use super::op::{Alu, Op};
use super::special;
use crate::decode::{self, Decoder, Modifiers, Refused};
use crate::lanes::{Args, LaneFn, binary, predicates, quaternary, unary};
use crate::registers::{Reg, Width};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["mov"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let vector = modifiers.take_one_of(&["v2", "v4"]);
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    decoder.arity(instruction, 2..=2)?;
    check_braces(instruction, ty)?;
    let (to, from) = (expand(decoder, &instruction.operands[0]), expand(decoder, &instruction.operands[1]));
    match (vector, &to[..], &from[..]) {
        (Some(_), ..) => copy_elements(decoder, ty, &to, &from),
        // Clocks and the like: read anew each time.
        (None, [_], [Operand::Special(name)]) if ty != Type::Pred && decode::special(name).is_none() => {
            special::decode(instruction, decoder)
        }
        (None, [to], [from]) => Ok(one(copy(decoder, ty, to, from)?)),
        (None, [to], _) => pack(decoder, ty, to, &from),
        (None, _, [from]) => unpack(decoder, ty, &to, from),
        _ => Err(Refused::malformed("a vector on either side")),
    }
}

/// `mov.b32 {%r1}, %r2` moves one value. The braces need a `.b` type, and stand on one side.
fn check_braces(instruction: &Instruction, ty: Type) -> Result<(), Refused> {
    let one = |operand: &&Operand| matches!(operand, Operand::Vector(list) if list.len() == 1);
    let bare = matches!(ty, Type::B16 | Type::B32 | Type::B64 | Type::B128);
    let sink = |operand: &Operand| *operand == Operand::Vector(vec![Operand::Sink]);
    match instruction.operands.iter().filter(one).count() {
        0 => Ok(()),
        1 if bare && !instruction.operands.iter().any(sink) => Ok(()),
        1 => Err(Refused::malformed("braces around one value need a register and a .b type")),
        _ => Err(Refused::malformed("a vector on either side")),
    }
}

/// The elements of `{a, b}`, of a vector register, or of a special register written without `.x`.
fn expand(decoder: &Decoder, operand: &Operand) -> Vec<Operand> {
    match operand {
        Operand::Vector(elements) => elements.clone(),
        Operand::Register(id) => decoder.elements(*id).unwrap_or_else(|| vec![operand.clone()]),
        Operand::Special(name) if ["%tid", "%ntid", "%ctaid", "%nctaid"].contains(&name.as_str()) => {
            ["x", "y", "z", "w"].map(|axis| Operand::Special(format!("{name}.{axis}"))).into()
        }
        other => vec![other.clone()],
    }
}

fn one(mut steps: Vec<Alu>) -> Op {
    match steps.len() {
        0 => Op::Nop,
        1 => Op::Alu(steps.remove(0)),
        _ => Op::Steps(steps.into()),
    }
}

/// `mov.type d, a` of one value.
fn copy(decoder: &mut Decoder, ty: Type, to: &Operand, from: &Operand) -> Result<Vec<Alu>, Refused> {
    if ty == Type::Pred {
        let (a, negated) = decoder.predicate_negatable(from)?;
        let kernel = if negated { predicates(|a, _, _| !a) } else { predicates(|a, _, _| a) };
        let d = decoder.predicate_dest(to)?;
        let alu = Alu { kernel, args: Args { d, a, ..Args::default() }, flow: flow::bitwise };
        return Ok(if d.is_some() { vec![alu] } else { vec![] });
    }
    if matches!(ty, Type::B8 | Type::U8 | Type::S8 | Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2) {
        return Err(Refused::malformed(format!("mov has no .{ty}")));
    }
    let (d, a) = (decoder.dest(to, ty)?, decoder.source(from, ty)?);
    Ok(match halves(d).zip(halves(a)) {
        Some((d, a)) => vec![whole(Type::B64, d[0], a[0]), whole(Type::B64, d[1], a[1])],
        None => vec![whole(ty, d, a)],
    })
}

/// The two 64-bit registers that a 128-bit one consists of.
fn halves(reg: Reg) -> Option<[Reg; 2]> {
    (reg.width == Width::Quad).then(|| [0, 2].map(|at| Reg::new(reg.index + at, Width::Double)))
}

fn whole(ty: Type, d: Reg, a: Reg) -> Alu {
    // A 16-bit `mov` from a special register keeps its low bits.
    let kernel = match ty.bytes() {
        1 => unary(|a: u8| a),
        2 => unary(|a: u16| a),
        4 => unary(|a: u32| a),
        _ => unary(|a: u64| a),
    };
    Alu { kernel, args: Args { d, a, ..Args::default() }, flow: flow::bitwise }
}

/// `mov.v2` and `mov.v4`: element by element, all read before the first is written.
fn copy_elements(decoder: &mut Decoder, ty: Type, to: &[Operand], from: &[Operand]) -> Result<Op, Refused> {
    if to.len() != from.len() || to.len() < 2 || ty == Type::Pred || ty == Type::B128 {
        return Err(Refused::malformed("the two vectors do not match"));
    }
    let mut steps = Vec::new();
    let mut kept = Vec::new();
    for from in from {
        let a = decoder.source(from, ty)?;
        let d = decoder.scratch(a.width);
        steps.push(whole(ty, d, a));
        kept.push(d);
    }
    for (to, a) in to.iter().zip(kept) {
        steps.push(whole(ty, decoder.dest(to, ty)?, a));
    }
    Ok(one(steps))
}

/// The type of one of `count` parts of a `.b` type.
fn part(ty: Type, count: usize) -> Result<Type, Refused> {
    Ok(match (ty, count) {
        (Type::B16, 2) | (Type::B32, 4) => Type::B8,
        (Type::B32, 2) | (Type::B64, 4) => Type::B16,
        (Type::B64, 2) | (Type::B128, 4) => Type::B32,
        (Type::B128, 2) => Type::B64,
        _ => return Err(Refused::malformed(format!("{count} values do not make a .{ty}"))),
    })
}

/// `mov.b64 d, {a, b}`: the first part lowest.
fn pack(decoder: &mut Decoder, ty: Type, to: &Operand, from: &[Operand]) -> Result<Op, Refused> {
    let small = part(ty, from.len())?;
    let d = decoder.dest(to, ty)?;
    let sources = from.iter().map(|operand| decoder.source(operand, small)).collect::<Result<Vec<_>, _>>()?;
    let joined = |kernel: LaneFn, flow: UndefinedFlow, d: Reg, sources: &[Reg]| {
        let source = |i: usize| sources.get(i).copied().unwrap_or_default();
        Alu {
            kernel,
            args: Args { d, a: source(0), b: source(1), c: source(2), q: source(3), ..Args::default() },
            flow,
        }
    };
    let words = |d: Reg, sources: &[Reg]| {
        joined(binary(|a: u32, b: u32| u64::from(b) << 32 | u64::from(a)), flow_of_parts::<32>, d, sources)
    };
    Ok(one(match (ty, halves(d)) {
        (_, Some(d)) => match sources[..] {
            [low, high] => vec![whole(Type::B64, d[0], low), whole(Type::B64, d[1], high)],
            _ => vec![words(d[0], &sources[..2]), words(d[1], &sources[2..])],
        },
        (Type::B64, _) if sources.len() == 2 => vec![words(d, &sources)],
        (Type::B64, _) => {
            let kernel = quaternary(|a: u16, b: u16, c: u16, d: u16| {
                u64::from(d) << 48 | u64::from(c) << 32 | u64::from(b) << 16 | u64::from(a)
            });
            vec![joined(kernel, flow_of_parts::<16>, d, &sources)]
        }
        (Type::B32, _) if sources.len() == 2 => {
            vec![joined(binary(|a: u16, b: u16| u32::from(b) << 16 | u32::from(a)), flow_of_parts::<16>, d, &sources)]
        }
        (Type::B32, _) => {
            let kernel = quaternary(|a: u8, b: u8, c: u8, d: u8| u32::from_le_bytes([a, b, c, d]));
            vec![joined(kernel, flow_of_parts::<8>, d, &sources)]
        }
        _ => vec![joined(binary(|a: u8, b: u8| u16::from_le_bytes([a, b])), flow_of_parts::<8>, d, &sources)],
    }))
}

/// Each source's undefined bits at its own place.
fn flow_of_parts<const BITS: u32>(_: [u64; 4], u: [u64; 4]) -> u64 {
    let low = (1 << BITS) - 1;
    (0..4).rev().fold(0, |whole, i| whole << BITS | u[i] & low)
}

/// `mov.b64 {a, b}, d`: the inverse; parts named `_` are dropped.
fn unpack(decoder: &mut Decoder, ty: Type, to: &[Operand], from: &Operand) -> Result<Op, Refused> {
    let small = part(ty, to.len())?;
    let from = decoder.source(from, ty)?;
    let mut steps = Vec::new();
    for (index, to) in to.iter().enumerate() {
        if matches!(to, Operand::Sink) {
            continue;
        }
        let d = decoder.dest(to, small)?;
        steps.push(match (halves(from), small) {
            (Some(halves), Type::B64) => whole(Type::B64, d, halves[index]),
            (Some(halves), _) => word_of(index % 2, d, halves[index / 2]),
            (None, Type::B32) => word_of(index, d, from),
            (None, Type::B16) => match (ty, index) {
                (Type::B64, 0) => piece(unary(|a: u64| a as u16), flow_of_piece::<0, 16>, d, from),
                (Type::B64, 1) => piece(unary(|a: u64| (a >> 16) as u16), flow_of_piece::<16, 16>, d, from),
                (Type::B64, 2) => piece(unary(|a: u64| (a >> 32) as u16), flow_of_piece::<32, 16>, d, from),
                (Type::B64, _) => piece(unary(|a: u64| (a >> 48) as u16), flow_of_piece::<48, 16>, d, from),
                (_, 0) => piece(unary(|a: u32| a as u16), flow_of_piece::<0, 16>, d, from),
                _ => piece(unary(|a: u32| (a >> 16) as u16), flow_of_piece::<16, 16>, d, from),
            },
            (None, _) => match index {
                0 => piece(unary(|a: u32| a as u8), flow_of_piece::<0, 8>, d, from),
                1 => piece(unary(|a: u32| (a >> 8) as u8), flow_of_piece::<8, 8>, d, from),
                2 => piece(unary(|a: u32| (a >> 16) as u8), flow_of_piece::<16, 8>, d, from),
                _ => piece(unary(|a: u32| (a >> 24) as u8), flow_of_piece::<24, 8>, d, from),
            },
        });
    }
    Ok(one(steps))
}

fn piece(kernel: LaneFn, flow: UndefinedFlow, d: Reg, a: Reg) -> Alu {
    Alu { kernel, args: Args { d, a, ..Args::default() }, flow }
}

fn word_of(index: usize, d: Reg, a: Reg) -> Alu {
    match index {
        0 => piece(unary(|a: u64| a as u32), flow_of_piece::<0, 32>, d, a),
        _ => piece(unary(|a: u64| (a >> 32) as u32), flow_of_piece::<32, 32>, d, a),
    }
}

fn flow_of_piece<const FROM: u32, const BITS: u32>(_: [u64; 4], u: [u64; 4]) -> u64 {
    u[0] >> FROM & ((1 << BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::harness::{eval, refused, run};

    #[test]
    fn one_value() {
        assert_eq!(eval("mov.u32 %r1, 7", &[], "%r1"), 7);
        assert_eq!(eval("mov.f32 %f1, 0f3F800000", &[], "%f1"), 0x3f80_0000);
        assert_eq!(eval("mov.b16 %h1, -1", &[], "%h1"), 0xffff);
        assert_eq!(eval("mov.u64 %d1, tile+8", &[], "%d1"), 8);
        assert_eq!(eval("mov.pred %p1, !%p2", &[("%p2", 0)], "%p1"), 1);
        assert_eq!(eval("mov.pred %p1, 1", &[], "%p1"), 1);
        assert_eq!(eval("mov.u32 %r1, WARP_SZ", &[], "%r1"), 32);
    }

    #[test]
    fn one_value_in_braces() {
        assert_eq!(eval("mov.b32 {%r1}, %r2", &[("%r2", 5)], "%r1"), 5);
        assert_eq!(eval("mov.b32 %r1, {%f2}", &[("%f2", 5)], "%r1"), 5);
        assert_eq!(eval("mov.b64 {%d1}, 7", &[], "%d1"), 7);
    }

    #[test]
    fn packed_and_unpacked() {
        let bytes = [("%b1", 0x11), ("%b2", 0x22), ("%b3", 0x33), ("%b4", 0x44)];
        assert_eq!(eval("mov.b32 %r1, {%b1, %b2, %b3, %b4}", &bytes, "%r1"), 0x4433_2211);
        assert_eq!(eval("mov.b16 %h1, {%b1, %b2}", &bytes, "%h1"), 0x2211);
        let halves = [("%h1", 0x1111), ("%h2", 0x2222), ("%h3", 0x3333), ("%h4", 0x4444)];
        assert_eq!(eval("mov.b64 %d1, {%h1, %h2, %h3, %h4}", &halves, "%d1"), 0x4444_3333_2222_1111);
        assert_eq!(eval("mov.b32 %r1, {%h1, %h2}", &halves, "%r1"), 0x2222_1111);
        assert_eq!(eval("mov.b64 %d1, {%r1, 0}", &[("%r1", 5)], "%d1"), 5);
        assert_eq!(eval("mov.b64 %g1, {%r1, %f2}", &[("%r1", 5), ("%f2", 6)], "%g1"), 6 << 32 | 5);

        let double = [("%d1", 0x4444_3333_2222_1111)];
        let names = ["%h1", "%h2", "%h3", "%h4"];
        assert_eq!(run("mov.b64 {%h1, %h2, %h3, %h4}, %d1", &double, &names), [0x1111, 0x2222, 0x3333, 0x4444]);
        assert_eq!(run("mov.b64 {_, %r2}, %d1", &double, &["%r2"]), [0x4444_3333]);
        assert_eq!(run("mov.b32 {%h1, %h2}, %r1", &[("%r1", 0x2222_1111)], &["%h1", "%h2"]), [0x1111, 0x2222]);
        let names = ["%b1", "%b2", "%b3", "%b4"];
        assert_eq!(run("mov.b32 {%b1, %b2, %b3, %b4}, %r1", &[("%r1", 0x4433_2211)], &names), [0x11, 0x22, 0x33, 0x44]);
        assert_eq!(run("mov.b16 {%b1, %b2}, %h1", &[("%h1", 0x2211)], &["%b1", "%b2"]), [0x11, 0x22]);
    }

    #[test]
    fn sixteen_bytes() {
        let text =
            "mov.b128 %q1, {%d1, %d2}; mov.b128 %q2, %q1; mov.b128 {%d3, %d4}, %q2; mov.b128 {%r1, %r2, %r3, %r4}, %q1";
        let inputs = [("%d1", 0x2222_2222_1111_1111), ("%d2", 0x4444_4444_3333_3333)];
        let out = run(text, &inputs, &["%d3", "%d4", "%r1", "%r2", "%r3", "%r4"]);
        assert_eq!(out[..2], [0x2222_2222_1111_1111, 0x4444_4444_3333_3333]);
        assert_eq!(out[2..], [0x1111_1111, 0x2222_2222, 0x3333_3333, 0x4444_4444]);
    }

    #[test]
    fn vectors_are_read_before_they_are_written() {
        let swapped = run("mov.v2.u32 {%r1, %r2}, {%r2, %r1}", &[("%r1", 1), ("%r2", 2)], &["%r1", "%r2"]);
        assert_eq!(swapped, [2, 1]);
        let text = "mov.v4.b32 %w, {1, 2, 3, 4}; mov.b32 %w.y, 9; mov.b128 %q1, %w; \
            mov.b128 {%d1, %d2}, %q1; mov.u32 %r1, %w.z";
        assert_eq!(run(text, &[], &["%d1", "%d2", "%r1"]), [9 << 32 | 1, 4 << 32 | 3, 3]);
        assert_eq!(run("mov.b64 %v, %d1; mov.b64 %d2, %v", &[("%d1", 1 << 40 | 3)], &["%d2"]), [1 << 40 | 3]);
    }

    #[test]
    fn undefined_bits_keep_their_places() {
        assert_eq!(flow_of_parts::<16>([0; 4], [0x1_0001, 0, 0x8000, 0]), 0x8000_0000_0001);
        assert_eq!(flow_of_piece::<16, 16>([0; 4], [0xabcd_1234, 0, 0, 0]), 0xabcd);
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        for text in [
            "mov.f16 %h1, %h2",
            "mov.u64 %d1, {%r1, %r2}",
            "mov.b64 %d1, {%r1, %r2, %r3}",
            "mov.b64 %d1, {%h1, %h2}",
            "mov.b32 {%r1, %r2}, %r3",
            "mov.b32 {%h1, %h2}, {%h3, %h4}",
            "mov.v2.u32 {%r1, %r2}, %r3",
            "mov.b32 {%r1}, {%r2}",
            "mov.u32 {%r1}, %r2",
            "mov.b32 {_}, %r2",
            "mov.pred {%p1}, %p2",
            "mov.u32 %r1, %d1",
        ] {
            refused(text);
        }
    }
}
