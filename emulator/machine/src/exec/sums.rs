//! The sums of floating-point products of matrices, `mma` and `wgmma`.
//!
//! The ISA leaves open in which order a sum is made, and how precise it is between. Here it is made as an H200 was seen
//! to make it (`lab/wgmma/`). All products of an instruction and the old element are added at once. Each product is
//! exact. Then the terms are cut to a number of bits below the exponent of the largest one, where a product has the sum
//! of its factors' exponents. The cut terms are added exactly. The sum is cut to `f32`, and then rounded to nearest if
//! the result is an `f16`.
//!
//! Products of eight-bit numbers by a warpgroup keep fewer bits, also in an `f32` result. Those by `mma` keep more on
//! an H200, and their last bits may differ from those here.
//!
//! `f64` is different: each step is a fused multiply-add, by rising `k`.

use super::matrix::MatrixElement;
use half::f16;
use ptx::ast::Type;

/// Bits that terms keep below the largest exponent.
const KEPT: i32 = 25;
/// The same for products of eight-bit numbers, and the bits of the fraction that their `f32` results have.
const KEPT_OF_BYTES: i32 = 13;
/// Bits of the fraction of an `f32`, and of an `f64`.
const FRACTION: i32 = 23;
const WIDE_FRACTION: i32 = 52;

/// Returns the bits of an element of `d`, of type `to`: the sum of products and of `old`, an element of type `from`.
pub(super) fn sum_of_products(
    (element, of_warpgroup): (MatrixElement, bool),
    (from, old): (Type, u64),
    to: Type,
    pairs: impl Iterator<Item = (f64, f64)> + Clone,
) -> u64 {
    let old = match from {
        Type::F16 => f16::from_bits(old as u16).to_f64(),
        Type::F32 => f32::from_bits(old as u32).into(),
        _ => f64::from_bits(old),
    };
    if to == Type::F64 {
        return pairs.fold(old, |sum, (a, b)| a.mul_add(b, sum)).to_bits();
    }
    let (kept, fraction) = match element {
        MatrixElement::E4m3 | MatrixElement::E5m2 if of_warpgroup => (KEPT_OF_BYTES, KEPT_OF_BYTES),
        _ => (KEPT, FRACTION),
    };
    let plain = pairs.clone().fold(old, |sum, (a, b)| sum + a * b);
    let sum = if plain.is_finite() { cut_sum(old, pairs, kept) } else { plain };
    match to {
        Type::F16 => f16::from_f64(cut(sum, FRACTION)).to_bits().into(),
        _ => (cut(sum, fraction) as f32).to_bits().into(),
    }
}

/// Adds terms that are cut to `kept` bits below the largest exponent.
fn cut_sum(old: f64, pairs: impl Iterator<Item = (f64, f64)> + Clone, kept: i32) -> f64 {
    let of_product = |(a, b): (f64, f64)| (a != 0.0 && b != 0.0).then(|| exponent(a) + exponent(b));
    let largest = pairs.clone().filter_map(of_product).chain((old != 0.0).then(|| exponent(old))).max();
    let Some(largest) = largest else { return pairs.fold(old, |sum, (a, b)| sum + a * b) };
    let (up, down) = (power(kept - largest), power(largest - kept));
    // A term is less than four times as large as its exponent says, so all of them fit.
    let units = |term: f64| (term * up) as i64;
    let sum = pairs.fold(units(old), |sum, (a, b)| sum + units(a * b));
    sum as f64 * down
}

/// Returns the exponent of a number that is not zero, and normal as an `f64`.
fn exponent(number: f64) -> i32 {
    (number.to_bits() >> WIDE_FRACTION & 0x7ff) as i32 - 1023
}

/// Returns 2 to the power of `exponent`, a normal number.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << WIDE_FRACTION)
}

/// Cuts a number to so many bits of its fraction, toward zero.
fn cut(number: f64, fraction: i32) -> f64 {
    f64::from_bits(number.to_bits() & (!0 << (WIDE_FRACTION - fraction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(element: MatrixElement, old: f32, pairs: &[(f64, f64)]) -> f32 {
        let old = (Type::F32, old.to_bits().into());
        f32::from_bits(sum_of_products((element, true), old, Type::F32, pairs.iter().copied()) as u32)
    }

    #[test]
    fn small_terms_are_cut_before_they_are_added() {
        let tiny = power(-25);
        // Four terms of 2^-25 are kept beside 1, and four of 2^-26 are not, although their sum is 2^-24.
        let beside = |term: f64| sum(MatrixElement::F16, 1.0, &[(term, 1.0); 8]);
        assert_eq!(beside(tiny), 1.0 + 8.0 * tiny as f32);
        assert_eq!(beside(tiny / 2.0), 1.0);
    }

    #[test]
    fn results_are_cut_toward_zero() {
        assert_eq!(sum(MatrixElement::F16, 1.0, &[(power(-12) * 1.5, power(-12))]), 1.0);
        assert_eq!(sum(MatrixElement::F16, -1.0, &[(-power(-12) * 1.5, power(-12))]), -1.0);
        let half = sum_of_products(
            (MatrixElement::F16, true),
            (Type::F16, 0x3c00),
            Type::F16,
            [(power(-11), 1.5)].into_iter(),
        );
        assert_eq!(half, 0x3c01, "rounded to nearest");
    }

    #[test]
    fn products_of_bytes_have_thirteen_bits() {
        assert_eq!(sum(MatrixElement::E4m3, 1.0, &[(power(-7), power(-6))]), 1.0 + power(-13) as f32);
        assert_eq!(sum(MatrixElement::E4m3, 1.0, &[(power(-7), power(-7)); 2]), 1.0);
    }

    #[test]
    fn zeros_and_infinities_stay() {
        assert_eq!(sum(MatrixElement::F16, -0.0, &[(0.0, -1.0)]).to_bits(), (-0f32).to_bits());
        assert_eq!(sum(MatrixElement::F16, f32::INFINITY, &[(1.0, 1.0)]), f32::INFINITY);
        assert!(sum(MatrixElement::F16, 0.0, &[(f64::INFINITY, 0.0)]).is_nan());
    }
}
