//! Arithmetic on bytes and half-words of registers (PTX ISA, "Video Instructions": scalar and SIMD).
//!
//! GPUs since Volta have few of them in hardware and compilers hardly emit them, so each is decoded to a sequence of
//! simple steps. These extract the selected fields as 64-bit numbers, compute, clamp, and then accumulate the result or
//! insert it into a field.

use super::op::{Alu, IS_WHOLE, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::lanes::{Args, LaneFn, binary, quaternary, ternary, unary};
use crate::registers::{Reg, Width};
use crate::watch::flow;
use ptx::ast::{Instruction, Operand, Type};

/// Scalar instructions, then those on two half-words, then those on four bytes.
#[rustfmt::skip]
pub const OPCODES: &[&str] = &[
    "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset", "vmad",
    "vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2",
    "vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4", "vset4",
];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let modifiers = Modifiers::new(&instruction.modifiers);
    let mut sequence = Sequence { decoder, steps: Vec::new() };
    let opcode = instruction.opcode.as_str();
    match opcode.as_bytes().last() {
        Some(b'2') => sequence.simd(instruction, modifiers, &opcode[..opcode.len() - 1], 2)?,
        Some(b'4') => sequence.simd(instruction, modifiers, &opcode[..opcode.len() - 1], 4)?,
        _ if opcode == "vmad" => sequence.multiply_add(instruction, modifiers)?,
        _ => sequence.scalar(instruction, modifiers)?,
    }
    Ok(Op::Steps(sequence.steps.into()))
}

/// A field of a word that a selector names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    /// Its lowest bit.
    from: u32,
    bits: u32,
}

const WORD: Field = Field { from: 0, bits: 32 };

impl Field {
    /// Parses a selector: `b0` to `b3`, `h0` or `h1`.
    fn parse(name: &str) -> Option<Field> {
        let index = name.get(1..)?.parse::<u32>().ok()?;
        match (name.as_bytes()[0], name.len()) {
            (b'b', 2) if index < 4 => Some(Field { from: 8 * index, bits: 8 }),
            (b'h', 2) if index < 2 => Some(Field { from: 16 * index, bits: 16 }),
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

/// Splits an operand into its register and its selector, if it has one.
fn split_selector(operand: &Operand) -> (Operand, Option<&str>) {
    match operand {
        Operand::Part(id, name) => (Operand::Register(*id), Some(name)),
        whole => (whole.clone(), None),
    }
}

/// Returns the lane function of two numbers, by the opcode without its 2 or 4, and its modifiers.
fn operation(opcode: &str, modifiers: &mut Modifiers) -> Result<LaneFn, Refused> {
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

/// Shifts by at most 32 bits. Clamping keeps the result of 32 within 64 bits, and outside any range that `.sat` has.
#[inline(always)]
fn shift_left(a: i64, by: i64) -> i64 {
    if by == 32 { a.clamp(-1 << 31, (1 << 31) - 1) << 32 } else { a << by }
}

/// The steps of one instruction, as they are decoded.
struct Sequence<'c, 'd> {
    decoder: &'c mut Decoder<'d>,
    steps: Vec<Alu>,
}

impl Sequence<'_, '_> {
    /// Adds a step that writes `d`, and returns `d`.
    fn step(&mut self, kernel: LaneFn, d: Reg, sources: &[Reg]) -> Reg {
        let source = |i: usize| sources.get(i).copied().unwrap_or_default();
        let args = Args { d, a: source(0), b: source(1), c: source(2), q: source(3), ..Args::default() };
        self.steps.push(Alu { kernel, args, flow: flow::all });
        d
    }

    fn constant(&mut self, value: i64) -> Reg {
        self.decoder.constant(Constant::Bits(value as u64), Width::Double)
    }

    /// Extracts a field of a word as a number.
    fn extract(&mut self, word: Reg, field: Field, signed: bool) -> Reg {
        // Lanes that have not called this function may have anything in the registers of constants. So the shifts wrap.
        let [left, right] = [field.from + field.bits, field.bits]
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
        let (least, most) = (self.constant(least), self.constant(most));
        let d = self.decoder.scratch(Width::Double);
        self.step(ternary(|a: i64, least: i64, most: i64| a.max(least).min(most)), d, &[number, least, most])
    }

    /// Copies `into` to `d`, with a number inserted into one of its fields.
    fn insert(&mut self, d: Reg, number: Reg, field: Field, into: Reg) {
        let from = self.decoder.constant(Constant::Bits(field.from.into()), Width::Word);
        let mask = self.constant(((1i64 << field.bits) - 1) << field.from);
        let kernel = quaternary(|number: u64, into: u32, from: u32, mask: u64| {
            ((number.wrapping_shl(from) & mask) | (u64::from(into) & !mask)) as u32
        });
        self.step(kernel, d, &[number, into, from, mask]);
    }

    /// Decodes a scalar instruction. Its result stands alone, is combined with `c`, or is inserted into a field of `c`.
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
        let (to, selector) = split_selector(&instruction.operands[0]);
        let count = if second.is_some() || selector.is_some() { 4 } else { 3 };
        self.decoder.arity(instruction, count..=count)?;
        let target = match (selector, second) {
            (Some(_), Some(_)) => return Err(Refused::malformed("both a second operation and a place")),
            (Some(name), None) => Field::parse(name).ok_or_else(|| Refused::malformed(format!("no part .{name}")))?,
            (None, _) => WORD,
        };
        let d = self.decoder.dest(&to, Type::B32)?;
        let a = self.operand(&instruction.operands[1], a_signed)?;
        let b = self.operand(&instruction.operands[2], b_signed)?;
        let result = self.decoder.scratch(Width::Double);
        let mut result = self.step(kernel, result, &[a, b]);
        if saturates {
            result = self.clamp(result, signed, target.bits);
        }
        if count == 3 {
            self.step(unary(|a: u64| a as u32), d, &[result]);
            return Ok(());
        }
        let c = self.decoder.source(&instruction.operands[3], Type::B32)?;
        match second {
            None => self.insert(d, result, target, c),
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

    /// Extracts the field that an operand selects, as in `a`, `a.b1` or `a.h0`.
    fn operand(&mut self, operand: &Operand, signed: bool) -> Result<Reg, Refused> {
        let (whole, selector) = split_selector(operand);
        let field = match selector {
            Some(name) => Field::parse(name).ok_or_else(|| Refused::malformed(format!("no part .{name}")))?,
            None => WORD,
        };
        let word = self.decoder.source(&whole, Type::B32)?;
        Ok(self.extract(word, field, signed))
    }

    /// Decodes `vmad`: `±(a * b) ± c`, or with `.po` one more, scaled down by 7 or 15 bits.
    ///
    /// The full-precision result is signed if a factor is, or if anything is negated. That decides how `c` is read and
    /// what `.sat` clamps to.
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
        let scale = self.constant(match scale {
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

    /// Decodes a SIMD instruction such as `vadd2` or `vadd4`: the same operation on each half-word or byte of two
    /// operands, whose lanes are selected from `b:a`.
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
        let lanes = |selector: Option<&str>, default: &[u32], limit: u32| lane_list(selector, default, count, limit);
        let (to, mask) = split_selector(&instruction.operands[0]);
        let (a, a_lanes) = split_selector(&instruction.operands[1]);
        let (b, b_lanes) = split_selector(&instruction.operands[2]);
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
            let pick = |sequence: &mut Self, lanes: &[u32], signed: bool| {
                let chosen = lanes[lane as usize];
                let field = Field { from: chosen % count * bits, bits };
                sequence.extract(sources[(chosen / count) as usize], field, signed)
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
                self.insert(next, result, Field { from: lane * bits, bits }, so_far);
            }
            so_far = next;
        }
        self.step(unary(|a: u32| a), d, &[so_far]);
        Ok(())
    }
}

/// Parses a selector of SIMD lanes, such as `b3210` or `h10`. Returns numbers below `limit`, that for the lowest lane,
/// which is written last, first.
fn lane_list(selector: Option<&str>, default: &[u32], count: u32, limit: u32) -> Result<Vec<u32>, Refused> {
    let Some(selector) = selector else { return Ok(default.to_vec()) };
    let letter = if count == 2 { 'h' } else { 'b' };
    let digits = selector.strip_prefix(letter).and_then(|digits| {
        digits.chars().rev().map(|digit| digit.to_digit(10).filter(|&lane| lane < limit)).collect::<Option<Vec<_>>>()
    });
    digits.ok_or_else(|| Refused::malformed(format!("no selection .{selector}")))
}

#[cfg(test)]
mod tests;
