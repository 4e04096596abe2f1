//! The values of `wgmma.mma_async`, for one warp: 16 rows of `a`, all columns of `b`.
//!
//! Fragments in registers are those of the ISA's figures. In a warp, `a` has the registers of `mma.m16n8k16` (or of its
//! sisters for other types), and `d` those of as many `mma.m16n8` as there are eights of columns.

use super::descriptor::{MatrixDescriptor, PIECE};
use super::{WARP_ROWS, Wgmma};
use crate::exec::matrix::{LaneRegister, MatrixElement};
use crate::exec::sums::sum_of_products;
use crate::registers::WARP;
use ptx::ast::Type;

/// The part of a matrix in shared memory that one warp reads: rows of `a`, or columns of `b`.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    descriptor: MatrixDescriptor,
    is_transposed: bool,
    first: usize,
    rows: usize,
    k: usize,
    /// Elements in a piece.
    per_piece: usize,
}

impl Operand {
    /// The rows of `a` that warp `warp` of the warpgroup multiplies.
    pub fn of_a(form: &Wgmma, bits: u64, warp: usize) -> Operand {
        Operand {
            descriptor: MatrixDescriptor::new(bits),
            is_transposed: form.a_is_transposed,
            first: WARP_ROWS * warp,
            rows: WARP_ROWS,
            k: form.k,
            per_piece: form.a.per_piece(),
        }
    }

    /// All columns of `b`.
    pub fn of_b(form: &Wgmma, bits: u64) -> Operand {
        let (rows, k, per_piece) = (form.n, form.k, form.b.per_piece());
        let descriptor = MatrixDescriptor::new(bits);
        Operand { descriptor, is_transposed: form.b_is_transposed, first: 0, rows, k, per_piece }
    }

    /// The addresses of its pieces, each with the row and the `k` of its first element.
    fn placed(&self) -> impl Iterator<Item = (u64, usize, usize)> {
        let Operand { descriptor, is_transposed, first, rows, k, per_piece } = *self;
        let (outer, inner) = if is_transposed { (rows / per_piece, k) } else { (rows, k / per_piece) };
        (0..outer * inner).map(move |nth| {
            let (row, along) = (nth / inner, nth % inner);
            if is_transposed {
                let piece = first / per_piece + row;
                (descriptor.mn_major(piece as u64, along as u64), row * per_piece, along)
            } else {
                (descriptor.k_major((first + row) as u64, along as u64), row, along * per_piece)
            }
        })
    }

    /// The addresses of its pieces of 16 bytes.
    pub fn pieces(&self) -> impl Iterator<Item = u64> {
        self.placed().map(|(address, ..)| address)
    }

    /// Returns the bits of its elements, row by row.
    pub fn read(&self, mut read: impl FnMut(u64, &mut [u8])) -> Vec<u64> {
        let mut all = vec![0; self.rows * self.k];
        let size = PIECE as usize / self.per_piece;
        for (address, row, k) in self.placed() {
            let mut piece = [0; PIECE as usize];
            read(address, &mut piece);
            for (nth, element) in piece.chunks_exact(size).enumerate() {
                let (row, k) = if self.is_transposed { (row + nth, k) } else { (row, k + nth) };
                all[row * self.k + k] = element.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            }
        }
        all
    }
}

impl MatrixElement {
    fn per_piece(self) -> usize {
        4 * self.packed()
    }
}

impl Wgmma {
    /// Returns the bits of the elements of `a` in a warp's registers, row by row.
    pub fn unpack(&self, registers: &[LaneRegister]) -> Vec<u64> {
        let packed = self.a.packed();
        let element = |row: usize, k: usize| {
            let (step, within) = (k / (4 * packed), k % (4 * packed));
            let bits = registers[2 * step + row / 8][row % 8 * 4 + within / packed];
            bits >> (32 / packed * (within % packed)) & (u64::MAX >> (64 - 32 / packed))
        };
        (0..WARP_ROWS * self.k).map(|nth| element(nth / self.k, nth % self.k)).collect()
    }

    /// Returns the registers of `d` after `d = a * b + d`. `None` as the old ones: `d = a * b`.
    pub fn compute(&self, a: &[u64], b: &[u64], old: Option<&[LaneRegister]>) -> Vec<LaneRegister> {
        let mut d = vec![[0; WARP]; self.accumulators()];
        let floats = |bits: &[u64], element: MatrixElement, negates: bool| -> Vec<f64> {
            let sign = if negates { -1.0 } else { 1.0 };
            let is_float = !element.is_integer();
            bits.iter().filter(|_| is_float).map(|&bits| sign * element.float(bits, 0)).collect()
        };
        let (x, y) = (floats(a, self.a, self.negates_a), floats(b, self.b, self.negates_b));
        for (row, column) in (0..WARP_ROWS * self.n).map(|nth| (nth / self.n, nth % self.n)) {
            let lane = row % 8 * 4 + column % 8 / 2;
            // Two rows of eight columns are four elements of a lane, in four registers or in two.
            let nth = column / 8 * 4 + row / 8 * 2 + column % 2;
            let (register, shift) = if self.d == Type::F16 { (nth / 2, 16 * (nth % 2)) } else { (nth, 0) };
            let before = old.map_or(0, |old| old[register][lane] >> shift);
            let (rows, columns) = (row * self.k..(row + 1) * self.k, column * self.k..(column + 1) * self.k);
            let value = if self.a.is_integer() {
                let pairs = a[rows].iter().zip(&b[columns]);
                let sum: i64 = pairs.map(|(&a, &b)| self.a.integer(a, 0) * self.b.integer(b, 0)).sum();
                let sum = sum + i64::from(before as i32);
                let sum = if self.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                u64::from(sum as u32)
            } else {
                let pairs = x[rows].iter().copied().zip(y[columns].iter().copied());
                sum_of_products(([self.a, self.b], true), (self.d, before), self.d, pairs)
            };
            d[register][lane] |= value << shift;
        }
        d
    }
}

#[cfg(test)]
mod tests;
