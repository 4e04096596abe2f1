//! Arithmetic on bytes and halves of registers (PTX ISA, "Video Instructions": scalar and SIMD).
//!
//! GPUs since Volta have few of them in hardware and compilers hardly write them, so each becomes a
//! chain of small steps. It takes the parts out as 64-bit numbers, computes, clamps, then
//! accumulates or puts the result into its place.

use super::{Alu, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::lanes::{Args, Kernel, binary, quaternary, ternary, unary};
use crate::registers::{Reg, Width};
use crate::watch::flow;
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &[
    "vadd",
    "vsub",
    "vabsdiff",
    "vmin",
    "vmax",
    "vshl",
    "vshr",
    "vset",
    "vmad", //
    "vadd2",
    "vsub2",
    "vavrg2",
    "vabsdiff2",
    "vmin2",
    "vmax2",
    "vset2", //
    "vadd4",
    "vsub4",
    "vavrg4",
    "vabsdiff4",
    "vmin4",
    "vmax4",
    "vset4",
];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let modifiers = Modifiers::new(&instruction.modifiers);
    let mut chain = Chain { decoder, steps: Vec::new() };
    let opcode = instruction.opcode.as_str();
    match opcode.as_bytes().last() {
        Some(b'2') => chain.simd(instruction, modifiers, &opcode[..opcode.len() - 1], 2)?,
        Some(b'4') => chain.simd(instruction, modifiers, &opcode[..opcode.len() - 1], 4)?,
        _ if opcode == "vmad" => chain.multiply_add(instruction, modifiers)?,
        _ => chain.scalar(instruction, modifiers)?,
    }
    Ok(Op::Steps(chain.steps.into()))
}

/// A field of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    from: u32,
    bits: u32,
}

const WORD: Part = Part { from: 0, bits: 32 };

impl Part {
    /// `b0` to `b3`, `h0`, `h1`.
    fn parse(name: &str) -> Option<Part> {
        let index = name.get(1..)?.parse::<u32>().ok()?;
        match (name.as_bytes()[0], name.len()) {
            (b'b', 2) if index < 4 => Some(Part { from: 8 * index, bits: 8 }),
            (b'h', 2) if index < 2 => Some(Part { from: 16 * index, bits: 16 }),
            _ => None,
        }
    }
}

/// Returns the range that `.sat` clamps to.
fn range(signed: bool, bits: u32) -> (i64, i64) {
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn is_signed(ty: Type) -> Result<bool, Refused> {
    match ty {
        Type::U32 => Ok(false),
        Type::S32 => Ok(true),
        other => Err(Refused::malformed(format!("video instructions have no .{other}"))),
    }
}

/// The register and the name of its part, if one is written.
fn selected(operand: &Operand) -> (Operand, Option<&str>) {
    match operand {
        Operand::Part(id, name) => (Operand::Register(*id), Some(name)),
        whole => (whole.clone(), None),
    }
}

/// The function of two numbers, by opcode (without 2 or 4) and its modifiers.
fn operation(opcode: &str, modifiers: &mut Modifiers) -> Result<Kernel, Refused> {
    #[inline(always)]
    fn shift_left(a: i64, by: i64) -> i64 {
        // A word shifted by 32 stays in 64 bits, and on its side of every range.
        if by == 32 { a.clamp(-1 << 31, (1 << 31) - 1) << 32 } else { a << by }
    }
    Ok(match opcode {
        "vadd" => binary(|a: i64, b: i64| a.wrapping_add(b)),
        "vsub" => binary(|a: i64, b: i64| a.wrapping_sub(b)),
        "vabsdiff" => binary(|a: i64, b: i64| a.wrapping_sub(b).wrapping_abs()),
        "vmin" => binary(|a: i64, b: i64| a.min(b)),
        "vmax" => binary(|a: i64, b: i64| a.max(b)),
        // Rounds halves away from zero.
        "vavrg" => binary(|a: i64, b: i64| {
            let sum = a.wrapping_add(b);
            sum.wrapping_add(i64::from(sum >= 0)) >> 1
        }),
        "vset" => match modifiers.take_one_of(&["eq", "ne", "lt", "le", "gt", "ge"]) {
            Some("eq") => binary(|a: i64, b: i64| i64::from(a == b)),
            Some("ne") => binary(|a: i64, b: i64| i64::from(a != b)),
            Some("lt") => binary(|a: i64, b: i64| i64::from(a < b)),
            Some("le") => binary(|a: i64, b: i64| i64::from(a <= b)),
            Some("gt") => binary(|a: i64, b: i64| i64::from(a > b)),
            Some(_) => binary(|a: i64, b: i64| i64::from(a >= b)),
            None => return Err(Refused::malformed("no comparison operator")),
        },
        _ => match (opcode, modifiers.take_one_of(&["clamp", "wrap"])) {
            ("vshl", Some("clamp")) => binary(|a: i64, b: i64| shift_left(a, b.clamp(0, 32))),
            ("vshl", Some(_)) => binary(|a: i64, b: i64| shift_left(a, b & 31)),
            ("vshr", Some("clamp")) => binary(|a: i64, b: i64| a >> b.clamp(0, 32)),
            ("vshr", Some(_)) => binary(|a: i64, b: i64| a >> (b & 31)),
            _ => return Err(Refused::malformed("no .clamp or .wrap")),
        },
    })
}

/// The steps so far.
struct Chain<'c, 'd> {
    decoder: &'c mut Decoder<'d>,
    steps: Vec<Alu>,
}

impl Chain<'_, '_> {
    fn step(&mut self, kernel: Kernel, d: Reg, sources: &[Reg]) -> Reg {
        let source = |i: usize| sources.get(i).copied().unwrap_or_default();
        let args = Args { d, a: source(0), b: source(1), c: source(2), q: source(3), ..Args::default() };
        self.steps.push(Alu { kernel, args, flow: flow::all });
        d
    }

    fn number(&mut self, value: i64) -> Reg {
        self.decoder.constant(Constant::Bits(value as u64), Width::Double)
    }

    /// A part of a word as a number.
    fn take(&mut self, word: Reg, part: Part, signed: bool) -> Reg {
        // In lanes that have not called this function, constants may hold anything: shifts wrap.
        let [left, right] = [part.from + part.bits, part.bits]
            .map(|bits| self.decoder.constant(Constant::Bits(u64::from(64 - bits)), Width::Word));
        let kernel = match signed {
            true => ternary(|word: u32, left: u32, right: u32| {
                i64::from(word).wrapping_shl(left).wrapping_shr(right) as u64
            }),
            false => ternary(|word: u32, left: u32, right: u32| u64::from(word).wrapping_shl(left).wrapping_shr(right)),
        };
        let d = self.decoder.scratch(Width::Double);
        self.step(kernel, d, &[word, left, right])
    }

    fn clamp(&mut self, number: Reg, signed: bool, bits: u32) -> Reg {
        let (least, most) = range(signed, bits);
        let (least, most) = (self.number(least), self.number(most));
        let d = self.decoder.scratch(Width::Double);
        self.step(ternary(|a: i64, least: i64, most: i64| a.max(least).min(most)), d, &[number, least, most])
    }

    /// `into` with a number in one of its parts.
    fn put(&mut self, d: Reg, number: Reg, part: Part, into: Reg) {
        let from = self.decoder.constant(Constant::Bits(part.from.into()), Width::Word);
        let field = self.number(((1i64 << part.bits) - 1) << part.from);
        let kernel = quaternary(|number: u64, into: u32, from: u32, field: u64| {
            ((number.wrapping_shl(from) & field) | (u64::from(into) & !field)) as u32
        });
        self.step(kernel, d, &[number, into, from, field]);
    }

    /// One part against another: the result alone, combined with `c`, or put into a part of `c`.
    fn scalar(&mut self, instruction: &Instruction, mut modifiers: Modifiers) -> Result<(), Refused> {
        let opcode = instruction.opcode.as_str();
        let kernel = operation(opcode, &mut modifiers)?;
        let signed = opcode != "vset" && is_signed(modifiers.ty()?)?;
        let (a_signed, b_signed) = (is_signed(modifiers.ty()?)?, is_signed(modifiers.ty()?)?);
        let saturates = opcode != "vset" && modifiers.take("sat");
        let second = modifiers.take_one_of(&["add", "min", "max"]);
        modifiers.finish()?;
        if b_signed && matches!(opcode, "vshl" | "vshr") {
            return Err(Refused::malformed("a shift amount is .u32"));
        }
        let (to, place) = selected(&instruction.operands[0]);
        let count = if second.is_some() || place.is_some() { 4 } else { 3 };
        self.decoder.arity(instruction, count..=count)?;
        let place = match (place, second) {
            (Some(_), Some(_)) => return Err(Refused::malformed("both a second operation and a place")),
            (Some(name), None) => Part::parse(name).ok_or_else(|| Refused::malformed(format!("no part .{name}")))?,
            (None, _) => WORD,
        };
        let d = self.decoder.dest(&to, Type::B32)?;
        let a = self.operand(&instruction.operands[1], a_signed)?;
        let b = self.operand(&instruction.operands[2], b_signed)?;
        let result = self.decoder.scratch(Width::Double);
        let mut result = self.step(kernel, result, &[a, b]);
        if saturates {
            result = self.clamp(result, signed, place.bits);
        }
        if count == 3 {
            self.step(unary(|a: u64| a as u32), d, &[result]);
            return Ok(());
        }
        let c = self.decoder.source(&instruction.operands[3], Type::B32)?;
        match second {
            None => self.put(d, result, place, c),
            Some(second) => {
                let kernel = match (second, signed) {
                    ("add", _) => binary(|a: u64, c: u32| (a as u32).wrapping_add(c)),
                    ("min", true) => binary(|a: u64, c: i32| (a as i32).min(c)),
                    ("min", false) => binary(|a: u64, c: u32| (a as u32).min(c)),
                    (_, true) => binary(|a: u64, c: i32| (a as i32).max(c)),
                    (_, false) => binary(|a: u64, c: u32| (a as u32).max(c)),
                };
                self.step(kernel, d, &[result, c]);
            }
        }
        Ok(())
    }

    /// `a`, `a.b1`, `a.h0`.
    fn operand(&mut self, operand: &Operand, signed: bool) -> Result<Reg, Refused> {
        let (whole, name) = selected(operand);
        let part = match name {
            Some(name) => Part::parse(name).ok_or_else(|| Refused::malformed(format!("no part .{name}")))?,
            None => WORD,
        };
        let word = self.decoder.source(&whole, Type::B32)?;
        Ok(self.take(word, part, signed))
    }

    /// `vmad`: `±(a * b) ± c`, or with `.po` one more, scaled down by 7 or 15 bits.
    ///
    /// The full-precision result is signed if a factor is, or if anything is negated; that
    /// decides how `c` is read and what `.sat` clamps to.
    fn multiply_add(&mut self, instruction: &Instruction, mut modifiers: Modifiers) -> Result<(), Refused> {
        is_signed(modifiers.ty()?)?;
        let (a_signed, b_signed) = (is_signed(modifiers.ty()?)?, is_signed(modifiers.ty()?)?);
        let (plus_one, saturates) = (modifiers.take("po"), modifiers.take("sat"));
        let scale = modifiers.take_one_of(&["shr7", "shr15"]);
        modifiers.finish()?;
        self.decoder.arity(instruction, 4..=4)?;
        let negated = |index: usize| match &instruction.operands[index] {
            Operand::NegatedRegister(id) => (Operand::Register(*id), true),
            Operand::NegatedPart(id, name) => (Operand::Part(*id, name.clone()), true),
            other => (other.clone(), false),
        };
        let [(a, minus_a), (b, minus_b), (c, minus_c)] = [1, 2, 3].map(negated);
        if (plus_one && (minus_a || minus_b || minus_c)) || (minus_a != minus_b && minus_c) {
            return Err(Refused::malformed("the product or the sum is negated, not both, and neither with .po"));
        }
        let minus_product = minus_a != minus_b;
        let signed = a_signed || b_signed || minus_product || minus_c;
        let d = self.decoder.dest(&instruction.operands[0], Type::B32)?;
        let (mut a, b) = (self.operand(&a, a_signed)?, self.operand(&b, b_signed)?);
        let mut c = self.operand(&c, signed)?;
        for (number, minus) in [(&mut a, minus_product), (&mut c, minus_c)] {
            if minus {
                let d = self.decoder.scratch(Width::Double);
                *number = self.step(unary(|a: i64| a.wrapping_neg()), d, &[*number]);
            }
        }
        if plus_one {
            let d = self.decoder.scratch(Width::Double);
            c = self.step(unary(|c: i64| c.wrapping_add(1)), d, &[c]);
        }
        let scale = self.number(match scale {
            Some("shr7") => 7,
            Some(_) => 15,
            None => 0,
        });
        #[inline(always)]
        fn full(a: i64, b: i64, c: i64, scale: i64) -> i128 {
            (i128::from(a) * i128::from(b) + i128::from(c)) >> scale
        }
        let kernel = match (saturates, signed) {
            (false, _) => quaternary(|a: i64, b: i64, c: i64, scale: i64| full(a, b, c, scale & 15) as u32),
            (true, true) => quaternary(|a: i64, b: i64, c: i64, scale: i64| {
                full(a, b, c, scale & 15).clamp(i32::MIN.into(), i32::MAX.into()) as u32
            }),
            (true, false) => quaternary(|a: i64, b: i64, c: i64, scale: i64| {
                full(a, b, c, scale & 15).clamp(0, u32::MAX.into()) as u32
            }),
        };
        self.step(kernel, d, &[a, b, c, scale]);
        Ok(())
    }

    /// `vadd2`, `vadd4` and their kin: the same for each half or byte, chosen from `b:a`.
    fn simd(
        &mut self,
        instruction: &Instruction,
        mut modifiers: Modifiers,
        opcode: &str,
        count: u32,
    ) -> Result<(), Refused> {
        let kernel = operation(opcode, &mut modifiers)?;
        let signed = opcode != "vset" && is_signed(modifiers.ty()?)?;
        let (a_signed, b_signed) = (is_signed(modifiers.ty()?)?, is_signed(modifiers.ty()?)?);
        let saturates = opcode != "vset" && modifiers.take("sat");
        let accumulates = modifiers.take("add");
        modifiers.finish()?;
        if saturates && accumulates {
            return Err(Refused::malformed(".sat does not go with .add"));
        }
        self.decoder.arity(instruction, 4..=4)?;
        let bits = 32 / count;
        let lanes = |name: Option<&str>, default: &[u32], limit: u32| lane_list(name, default, count, limit);
        let (to, mask) = selected(&instruction.operands[0]);
        let (a, a_lanes) = selected(&instruction.operands[1]);
        let (b, b_lanes) = selected(&instruction.operands[2]);
        let every: Vec<u32> = (0..2 * count).collect();
        let mask = lanes(mask, &every[..count as usize], count)?;
        let a_lanes = lanes(a_lanes, &every[..count as usize], 2 * count)?;
        let b_lanes = lanes(b_lanes, &every[count as usize..], 2 * count)?;
        // The mask names its lanes highest first, each once.
        if a_lanes.len() != count as usize || b_lanes.len() != count as usize || !mask.is_sorted_by(|x, y| x < y) {
            return Err(Refused::malformed("a wrong selection of bytes or halves"));
        }
        let d = self.decoder.dest(&to, Type::B32)?;
        let sources = [self.decoder.source(&a, Type::B32)?, self.decoder.source(&b, Type::B32)?];
        let mut so_far = self.decoder.source(&instruction.operands[3], Type::B32)?;
        for lane in mask {
            let pick = |chain: &mut Self, lanes: &[u32], signed: bool| {
                let chosen = lanes[lane as usize];
                let part = Part { from: chosen % count * bits, bits };
                chain.take(sources[(chosen / count) as usize], part, signed)
            };
            let (a, b) = (pick(self, &a_lanes, a_signed), pick(self, &b_lanes, b_signed));
            let result = self.decoder.scratch(Width::Double);
            let mut result = self.step(kernel, result, &[a, b]);
            if saturates {
                result = self.clamp(result, signed, bits);
            }
            let next = self.decoder.scratch(Width::Word);
            if accumulates {
                self.step(binary(|a: u64, sum: u32| (a as u32).wrapping_add(sum)), next, &[result, so_far]);
            } else {
                self.put(next, result, Part { from: lane * bits, bits }, so_far);
            }
            so_far = next;
        }
        self.step(unary(|a: u32| a), d, &[so_far]);
        Ok(())
    }
}

/// `b3210` or `h10`: lane numbers below `limit`, the lowest lane's (written last) first.
fn lane_list(name: Option<&str>, default: &[u32], count: u32, limit: u32) -> Result<Vec<u32>, Refused> {
    let Some(name) = name else { return Ok(default.to_vec()) };
    let letter = if count == 2 { 'h' } else { 'b' };
    let digits = name.strip_prefix(letter).and_then(|digits| {
        digits.chars().rev().map(|digit| digit.to_digit(10).filter(|&lane| lane < limit)).collect::<Option<Vec<_>>>()
    });
    digits.ok_or_else(|| Refused::malformed(format!("no selection .{name}")))
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::{eval, refused};

    #[test]
    fn scalar_parts() {
        let inputs = [("%r2", 0x80ff_7f01), ("%r3", 0x0102_fffe), ("%r4", 0x1111_1111)];
        for (text, want) in [
            ("vadd.s32.s32.s32 %r1, %r2.b1, %r3.b0", 0x7f - 2),
            ("vadd.u32.u32.u32 %r1, %r2.b1, %r3.b0", 0x7f + 0xfe),
            ("vsub.s32.s32.s32 %r1, %r2.h1, %r3.h0", 0xffff_80ff + 2),
            ("vsub.u32.u32.u32.sat %r1, %r2.b0, %r3.b0", 0),
            ("vabsdiff.s32.s32.u32 %r1, %r2.b3, %r3.b3", 129),
            ("vadd.s32.s32.s32.sat %r1.b2, %r2.b1, %r2.b1, %r4", 0x117f_1111),
            ("vadd.s32.s32.s32 %r1.h1, %r2.b1, %r2.b1, %r4", 0x00fe_1111),
            ("vmin.s32.s32.s32.add %r1, %r2.h0, %r3.h0, %r4", 0x1111_110f),
            ("vmax.u32.u32.u32.min %r1, %r2, %r3, %r4", 0x1111_1111),
            ("vmax.s32.s32.s32.max %r1, %r2, %r3, %r4", 0x1111_1111),
            ("vshl.u32.u32.u32.sat.clamp %r1, %r2, 32", 0xffff_ffff),
            ("vshl.u32.u32.u32.clamp %r1, %r2, 32", 0),
            ("vshl.s32.s32.u32.sat.wrap %r1, %r2, 33", 0x8000_0000),
            ("vshr.s32.s32.u32.clamp %r1, %r2, 99", 0xffff_ffff),
            ("vshr.u32.u32.u32.wrap %r1, %r2, 36", 0x080f_f7f0),
            ("vset.s32.u32.lt %r1, %r2, %r3.b0", 1),
            ("vset.u32.u32.lt.add %r1, %r2.b0, %r3.b0, %r4", 0x1111_1112),
        ] {
            assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
        }
    }

    #[test]
    fn products() {
        let inputs = [("%r2", 0xffff_ffff), ("%r3", 3), ("%r4", 10)];
        for (text, want) in [
            ("vmad.s32.s32.s32 %r1, %r2, %r3, %r4", 7),
            ("vmad.u32.u32.u32.sat %r1, %r2, %r3, %r4", 0xffff_ffff),
            ("vmad.u32.u32.u32.sat %r1, -%r2, %r3, %r4", 0x8000_0000),
            ("vmad.s32.s32.s32 %r1, -%r2, %r3, %r4", 13),
            ("vmad.s32.s32.s32 %r1, %r2, %r3, -%r4", 0xffff_fff3),
            ("vmad.u32.u32.u32.po %r1, %r3, %r3, %r4", 20),
            ("vmad.u32.u32.u32.shr7 %r1, %r2.h0, %r3, %r4", (0xffff * 3 + 10) >> 7),
            ("vmad.s32.s32.s32.shr15 %r1, %r2, %r4, 0", 0xffff_ffff),
            ("vmad.u32.u32.u32 %r1, -%r2.h1, %r3, %r4", 0xfffd_000d),
            ("vmad.s32.s32.s32 %r1, -%r2.b3, -%r3.b0, %r4", 7),
            ("vmad.u32.u32.u32 %r1, %r3, %r3, -%r4", 0xffff_ffff),
        ] {
            assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
        }
    }

    #[test]
    fn halves_and_bytes_in_parallel() {
        let inputs = [("%r2", 0x80ff_7f01), ("%r3", 0x01ff_01ff), ("%r4", 0x1111_1111)];
        for (text, want) in [
            ("vadd4.u32.u32.u32 %r1, %r2, %r3, %r4", 0x81fe_8000),
            ("vadd4.u32.u32.u32.sat %r1, %r2, %r3, %r4", 0x81ff_80ff),
            ("vadd4.s32.s32.s32.sat %r1, %r2, %r3, %r4", 0x81fe_7f00),
            ("vadd4.s32.s32.s32.sat %r1.b20, %r2, %r3, %r4", 0x11fe_1100),
            ("vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, 1", 1 + 0x7f + 0x7e + 0xfe),
            ("vadd2.u32.u32.u32 %r1, %r2.h01, %r3, %r4", 0x8100_82fe),
            ("vsub2.s32.s32.s32 %r1.h1, %r2.h33, %r3.h32, %r4", 0x0000_1111),
            ("vavrg4.s32.s32.s32 %r1, %r2, %r3, %r4", 0xc0ff_4000),
            ("vavrg2.u32.u32.u32 %r1, %r2, %r3, %r4", 0x417f_4080),
            ("vmin4.s32.s32.s32 %r1, %r2, %r3, %r4", 0x80ff_01ff),
            ("vmax2.u32.u32.u32 %r1, %r2, %r3, %r4", 0x80ff_7f01),
            ("vset4.u32.u32.gt %r1, %r2, %r3, %r4", 0x0100_0100),
            ("vset2.s32.s32.lt.add %r1, %r2, %r3, 5", 6),
        ] {
            assert_eq!(eval(text, &inputs, "%r1"), want, "{text}");
        }
    }

    #[test]
    fn what_the_isa_does_not_allow_is_refused() {
        for text in [
            "vadd.s32.s32.s32 %r1.b0, %r2, %r3",
            "vadd.s32.s32.s32.add %r1.b0, %r2, %r3, %r4",
            "vadd.s32.s32.s32 %r1, %r2.b4, %r3",
            "vadd.s32.s32.s32 %r1, %r2, -%r3",
            "vshl.s32.s32.s32.clamp %r1, %r2, %r3",
            "vshl.s32.s32.u32 %r1, %r2, %r3",
            "vmad.s32.s32.s32.po %r1, -%r2, %r3, %r4",
            "vadd4.u32.u32.u32 %r1.b01, %r2, %r3, %r4",
            "vadd4.u32.u32.u32 %r1, %r2.b01, %r3, %r4",
            "vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r4",
            "vadd2.u32.u32.u32 %r1, %r2.b10, %r3, %r4",
        ] {
            refused(text);
        }
    }
}
