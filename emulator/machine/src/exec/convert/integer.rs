//! Integers to integers: cut or extended; clamped with `.sat`.

use super::ConversionSteps;
use crate::decode::Constant;
use crate::lanes::{LaneFn, binary, ternary, unary};
use crate::registers::{Reg, Width};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::Type;

/// True for types of numbers; bit types convert nothing.
pub fn is_integer(ty: Type) -> bool {
    use Type::*;
    matches!(ty, U8 | U16 | U32 | U64 | S8 | S16 | S32 | S64)
}

/// The integer type of so many bytes.
pub fn of_size(bytes: u32, signed: bool) -> Type {
    use Type::*;
    match (bytes, signed) {
        (1, false) => U8,
        (1, true) => S8,
        (2, false) => U16,
        (2, true) => S16,
        (4, false) => U32,
        (4, true) => S32,
        (_, false) => U64,
        (_, true) => S64,
    }
}

/// Least and largest value.
fn range(ty: Type) -> (i128, i128) {
    let bits = 8 * ty.bytes();
    match ty.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

/// True if every value of `from` is one of `to`.
pub fn contains(to: Type, from: Type) -> bool {
    let ((least, most), (low, high)) = (range(to), range(from));
    least <= low && high <= most
}

/// `as` casts by type, with what they do to undefined bits: a sign bit spreads, a lost bit is gone.
macro_rules! casts {
    ($key:expr, $($pattern:pat => $from:ty as $to:ty,)*) => {
        match $key {
            $($pattern => (unary(|a: $from| a as $to), |_, u| u[0] as $from as $to as u64),)*
            _ => unreachable!("integers have 1, 2, 4 or 8 bytes"),
        }
    };
}

/// The low bits of `from`, extended by its own sign where `to` is wider.
pub fn plain(to: Type, from: Type) -> (LaneFn, UndefinedFlow) {
    casts! {
        (to.bytes(), from.bytes(), from.is_signed()),
        (1, 8, _) => u64 as u8,
        (1, ..) => u8 as u8,
        (2, 8, _) => u64 as u16,
        (2, 2 | 4, _) => u16 as u16,
        (2, 1, false) => u8 as u16,
        (2, 1, true) => i8 as i16,
        (4, 8, _) => u64 as u32,
        (4, 4, _) => u32 as u32,
        (4, 2, false) => u16 as u32,
        (4, 2, true) => i16 as i32,
        (4, 1, false) => u8 as u32,
        (4, 1, true) => i8 as i32,
        (8, 8, _) => u64 as u64,
        (8, 4, false) => u32 as u64,
        (8, 4, true) => i32 as i64,
        (8, 2, false) => u16 as u64,
        (8, 2, true) => i16 as i64,
        (8, 1, false) => u8 as u64,
        (8, 1, true) => i8 as i64,
    }
}

/// `.sat`: to the nearest value that `to` has. Done in 64 bits.
pub fn saturate(chain: &mut ConversionSteps, to: Type, from: Type) {
    let wide = of_size(8, from.is_signed());
    if from.bytes() < 8 {
        chain.then(plain(wide, from), wide);
    }
    let ((least, most), (low, high)) = (range(to), range(wide));
    let mut constant = |value: i128| -> Reg { chain.decoder.constant(Constant::Bits(value as u64), Width::Double) };
    let bounds = [constant(least.max(low)), constant(most.min(high))];
    match from.is_signed() {
        true => {
            let kernel = ternary(|a: i64, least: i64, most: i64| a.max(least).min(most));
            chain.then_with(kernel, flow::all, wide, bounds);
        }
        false => {
            let kernel = binary(|a: u64, most: u64| a.min(most));
            chain.then_with(kernel, flow::all, wide, [bounds[1], Reg::NONE]);
        }
    }
    if to.bytes() < 8 {
        chain.then(plain(to, wide), to);
    }
}
