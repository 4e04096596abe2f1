//! Products of small matrices.

use crate::registers::Reg;
use ptx::ast::Type;

/// The type of the elements of `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixElement {
    F16,
    Bf16,
    /// An f32 of which the lowest 13 bits do not count.
    Tf32,
    S8,
    U8,
    S4,
    U4,
    B1,
    E4m3,
    E5m2,
    F64,
}

/// One form of `mma.sync`: rows, the length of the sums, types. There are always eight columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mma {
    pub m: usize,
    pub k: usize,
    pub a: MatrixElement,
    pub b: MatrixElement,
    pub c: Type,
    pub d: Type,
    pub saturates: bool,
    /// For single bits: products are `a ^ b`. If not, they are `a & b`.
    pub is_xor: bool,
}

/// The registers of one lane.
#[derive(Clone, Debug)]
pub struct Fragments {
    pub d: Vec<Reg>,
    pub a: Vec<Reg>,
    pub b: Vec<Reg>,
    pub c: Vec<Reg>,
}
