//! `mma.sync`: a warp multiplies two small matrices and adds a third (PTX ISA, "Warp Level Matrix Multiply-Accumulate
//! Instructions").
//!
//! Shapes `m16n8k8` and `m16n8k16` of f16 and bf16, `m16n8k4` and `m16n8k8` of tf32, `m16n8k32` of e4m3 and e5m2,
//! `m8n8k4`, `m16n8k4`, `m16n8k8` and `m16n8k16` of f64, and all shapes of integers and single bits. The others are
//! refused. `ldmatrix` and `stmatrix` are in `program::rows`, `wmma` in `program::wmma`.

pub use super::op::matrix::{Fragments, MatrixElement, Mma};
use super::op::{IS_WHOLE, Op};
use super::sums::sum_of_products;
use super::warp::{Collective, CollectiveKind};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::registers::{Reg, WARP, Width};
use half::{bf16, f16};
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["mma"];

impl MatrixElement {
    pub(super) fn parse(name: &str) -> Option<MatrixElement> {
        Some(match name {
            "f16" => MatrixElement::F16,
            "bf16" => MatrixElement::Bf16,
            "tf32" => MatrixElement::Tf32,
            "s8" => MatrixElement::S8,
            "u8" => MatrixElement::U8,
            "s4" => MatrixElement::S4,
            "u4" => MatrixElement::U4,
            "b1" => MatrixElement::B1,
            "e4m3" => MatrixElement::E4m3,
            "e5m2" => MatrixElement::E5m2,
            "f64" => MatrixElement::F64,
            _ => return None,
        })
    }

    /// Returns the number of elements that one register holds.
    pub(super) fn packed(self) -> usize {
        match self {
            MatrixElement::B1 => 32,
            MatrixElement::S4 | MatrixElement::U4 => 8,
            MatrixElement::S8 | MatrixElement::U8 | MatrixElement::E4m3 | MatrixElement::E5m2 => 4,
            MatrixElement::F16 | MatrixElement::Bf16 => 2,
            MatrixElement::Tf32 | MatrixElement::F64 => 1,
        }
    }

    pub(super) fn float(self, bits: u64, nth: usize) -> f64 {
        match self {
            MatrixElement::F16 => f16::from_bits((bits >> (16 * nth)) as u16).to_f64(),
            MatrixElement::Bf16 => bf16::from_bits((bits >> (16 * nth)) as u16).to_f64(),
            MatrixElement::Tf32 => f32::from_bits(bits as u32 & !0x1fff).into(),
            MatrixElement::E4m3 => e4m3((bits >> (8 * nth)) as u8),
            // The upper half of an f16.
            MatrixElement::E5m2 => f16::from_bits(u16::from((bits >> (8 * nth)) as u8) << 8).to_f64(),
            _ => f64::from_bits(bits),
        }
    }

    pub(super) fn integer(self, bits: u64, nth: usize) -> i64 {
        let width = 32 / self.packed();
        let bits = bits >> (width * nth);
        match self {
            MatrixElement::S8 => i64::from(bits as i8),
            MatrixElement::S4 => i64::from((bits as i8) << 4 >> 4),
            _ => (bits & ((1 << width) - 1)) as i64,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        use MatrixElement::{B1, S4, S8, U4, U8};
        matches!(self, S8 | U8 | S4 | U4 | B1)
    }
}

/// The value of an `e4m3`: four bits of exponent with bias 7, no infinity, and one pattern of NaN for each sign.
fn e4m3(bits: u8) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 3 & 15), f64::from(bits & 7));
    let magnitude = match (exponent, bits & 7) {
        (15, 7) => f64::NAN,
        (0, _) => fraction / 512.0,
        _ => (1.0 + fraction / 8.0) * 2f64.powi(exponent - 7),
    };
    if bits & 0x80 == 0 { magnitude } else { -magnitude }
}

/// One register of every lane.
pub type LaneRegister = [u64; WARP];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    if !(modifiers.take("sync") && modifiers.take("aligned")) {
        return Err(Refused::malformed("mma is .sync.aligned"));
    }
    let shape = modifiers.take_map(|name| match name {
        "m8n8k4" => Some((8, 4)),
        "m16n8k4" => Some((16, 4)),
        "m16n8k8" => Some((16, 8)),
        "m16n8k16" => Some((16, 16)),
        "m16n8k32" => Some((16, 32)),
        "m8n8k16" => Some((8, 16)),
        "m8n8k32" => Some((8, 32)),
        "m16n8k64" => Some((16, 64)),
        "m8n8k128" => Some((8, 128)),
        "m16n8k128" => Some((16, 128)),
        "m16n8k256" => Some((16, 256)),
        _ => None,
    });
    let (m, k) = shape.ok_or_else(Refused::unsupported)?;
    if !(modifiers.take("row") && modifiers.take("col")) {
        return Err(Refused::unsupported());
    }
    let saturates = modifiers.take("satfinite");
    let d = modifiers.ty()?;
    let [a, b] = [(); 2].map(|()| modifiers.take_map(MatrixElement::parse));
    let (a, b) = a.zip(b).ok_or_else(Refused::unsupported)?;
    let c = modifiers.ty()?;
    let is_xor = a == MatrixElement::B1 && modifiers.take("xor");
    if a == MatrixElement::B1 && !((is_xor || modifiers.take("and")) && modifiers.take("popc")) {
        return Err(Refused::malformed("a product of single bits is .and.popc or .xor.popc"));
    }
    modifiers.finish()?;
    let mma = Mma { m, k, a, b, c, d, saturates, is_xor };
    if !mma.is_known() {
        return Err(Refused::unsupported());
    }
    decoder.arity(instruction, 4..=4)?;
    let operands = &instruction.operands;
    let each = if a == MatrixElement::F64 { Type::F64 } else { Type::B32 };
    let (rows, steps) = (m / 8, k / (4 * a.packed()));
    let mut sources = |nth: usize, ty: Type, count: usize| {
        let list = elements(decoder, &operands[nth], count)?;
        list.iter().map(|operand| decoder.source(operand, ty)).collect::<Result<Vec<_>, _>>()
    };
    let (a, b) = (sources(1, each, rows * steps)?, sources(2, each, steps)?);
    let c = sources(3, accumulated(c), mma.accumulators(c))?;
    let list = elements(decoder, &operands[0], mma.accumulators(d))?;
    let d = list.iter().map(|operand| decoder.dest(operand, accumulated(d))).collect::<Result<Vec<_>, _>>()?;
    let all = decoder.constant(Constant::Bits(u64::from(u32::MAX)), Width::Word);
    let mut op = Collective::new(CollectiveKind::Mma(mma), all);
    op.fragments = Some(Box::new(Fragments { d, a, b, c }));
    Ok(Op::Warp(op))
}

/// The type of a register of accumulators.
pub(super) fn accumulated(ty: Type) -> Type {
    if ty == Type::F16 { Type::B32 } else { ty }
}

pub(super) fn elements(decoder: &Decoder, operand: &Operand, count: usize) -> Result<Vec<Operand>, Refused> {
    let list = match operand {
        Operand::Vector(list) => list.clone(),
        Operand::Register(id) => decoder.elements(*id).unwrap_or_else(|| vec![operand.clone()]),
        other => vec![other.clone()],
    };
    if list.len() == count {
        return Ok(list);
    }
    Err(Refused::malformed(format!("{} registers where {count} hold the matrix", list.len())))
}

impl Mma {
    /// Returns the number of products of an element of `a` and one of `b`.
    pub fn products(&self) -> u64 {
        (self.m * 8 * self.k) as u64
    }

    fn is_known(&self) -> bool {
        use MatrixElement::{B1, S4, S8, U4, U8};
        use Type::{F16, F32, F64, S32};
        let is_byte = |element| matches!(element, MatrixElement::E4m3 | MatrixElement::E5m2);
        let same = self.a == self.b || is_byte(self.a) && is_byte(self.b);
        let types = (self.d, self.c);
        !self.saturates
            && same
            && match self.a {
                MatrixElement::F16 => {
                    self.m == 16 && matches!(self.k, 8 | 16) && (types == (F32, F32) || types == (F16, F16))
                }
                MatrixElement::Bf16 => self.m == 16 && matches!(self.k, 8 | 16) && types == (F32, F32),
                MatrixElement::Tf32 => self.m == 16 && matches!(self.k, 4 | 8) && types == (F32, F32),
                MatrixElement::E4m3 | MatrixElement::E5m2 => (self.m, self.k) == (16, 32) && types == (F32, F32),
                MatrixElement::F64 => (self.m == 16 || self.k == 4) && self.k <= 16 && types == (F64, F64),
                _ => false,
            }
            || types == (S32, S32)
                && match (self.a, self.b) {
                    (S8 | U8, S8 | U8) => matches!((self.m, self.k), (8, 16) | (16, 16 | 32)),
                    (S4 | U4, S4 | U4) => matches!((self.m, self.k), (8, 32) | (16, 32 | 64)),
                    (B1, B1) => !self.saturates && matches!((self.m, self.k), (8, 128) | (16, 128 | 256)),
                    _ => false,
                }
    }

    fn is_integer(&self) -> bool {
        self.a.is_integer() && self.b.is_integer()
    }

    /// Registers of `c` or `d` in a lane.
    fn accumulators(&self, ty: Type) -> usize {
        (if ty == Type::F16 { 1 } else { 2 }) * self.m / 8
    }

    /// The position of the element of row `row` (of `a`) or column `row` (of `b`) and place `k`: register, lane,
    /// place in the register.
    fn place(&self, rows: usize, row: usize, k: usize) -> (usize, usize, usize) {
        let packed = self.a.packed();
        let (step, within) = (k / (4 * packed), k % (4 * packed));
        (step * rows + row / 8, row % 8 * 4 + within / packed, within % packed)
    }

    /// The registers of `d` after `d = a * b + c`.
    ///
    /// Integer sums are exact, and wrap to 32 bits or saturate. Floating-point ones are those of [`sum_of_products`].
    pub fn compute(&self, a: &[LaneRegister], b: &[LaneRegister], c: &[LaneRegister]) -> Vec<LaneRegister> {
        let mut d = vec![[0; WARP]; self.accumulators(self.d)];
        for lane in 0..WARP {
            for nth in 0..self.m / 4 {
                let (row, column) = (lane / 4 + nth / 2 * 8, lane % 4 * 2 + nth % 2);
                let pairs = (0..self.k).map(|k| {
                    let (register, from, part) = self.place(self.m / 8, row, k);
                    let (other, at, piece) = self.place(1, column, k);
                    ((a[register][from], part), (b[other][at], piece))
                });
                let old = match self.c {
                    Type::F16 => c[nth / 2][lane] >> (16 * (nth % 2)) & 0xffff,
                    _ => c[nth][lane],
                };
                if self.is_integer() {
                    let products = pairs.map(|((a, i), (b, j))| match (self.a.integer(a, i), self.b.integer(b, j)) {
                        (a, b) if self.is_xor => a ^ b,
                        (a, b) => a * b,
                    });
                    let sum = products.sum::<i64>() + i64::from(old as i32);
                    let sum = if self.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                    d[nth][lane] = u64::from(sum as u32);
                    continue;
                }
                let factors = pairs.map(|((a, i), (b, j))| (self.a.float(a, i), self.b.float(b, j)));
                let value = sum_of_products(([self.a, self.b], false), (self.c, old), self.d, factors);
                match self.d {
                    Type::F16 => d[nth / 2][lane] |= value << (16 * (nth % 2)),
                    _ => d[nth][lane] = value,
                }
            }
        }
        d
    }

    /// The registers of `a` that lie in the row of register `nth` of `d`. They are in the same lane, and so is `c`.
    pub fn rows_of<'f>(&self, fragments: &'f Fragments, nth: usize) -> impl Iterator<Item = Reg> + 'f {
        let rows = self.m / 8;
        let row = nth * rows / self.accumulators(self.d);
        fragments.a.iter().copied().skip(row).step_by(rows)
    }
}

#[cfg(test)]
mod tests;
