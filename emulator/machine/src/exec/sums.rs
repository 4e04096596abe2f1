//! The sums of floating-point products of matrices, `mma` and `wgmma`.
//!
//! The ISA leaves open in which order a sum is made, and how precise it is between. Here it is made as an H200 was seen
//! to make it (`lab/wgmma/`, `lab/bits/`). All products of an instruction and the old element are added at once. Each
//! product is exact. Then the terms are cut to a number of bits below the exponent of the largest one. A product has
//! the sum of its factors' exponents there, and a subnormal number has the smallest exponent of its type. The largest
//! exponent counts as -133 at least. The cut terms are added exactly. The sum is cut to `f32`, or rounded to nearest if
//! the result is an `f16`. A zero is positive, and all NaNs are one.
//!
//! Products of eight-bit numbers by a warpgroup keep fewer bits, also in an `f32` result. Those by `mma` are two sums
//! from zero on, as of `f16`: first the even pairs of `k`, then the odd ones. The old element is added last, rounded to
//! nearest.
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
/// The smallest exponents of normal numbers.
const LEAST: i32 = -126;
const LEAST_OF_HALF: i32 = -14;
const LEAST_OF_E4M3: i32 = -6;
/// The least that the largest exponent of all terms counts as.
const LEAST_OF_TERMS: i32 = -133;
/// Bits of the fraction of an `f16`, and more than one bit below.
const MORE_THAN_HALF: i32 = 18;
const NAN: u32 = 0x7fff_ffff;
const NAN_OF_HALF: u16 = 0x7fff;

/// Returns the bits of an element of `d`, of type `to`: the sum of products and of `old`, an element of type `from`.
pub(super) fn sum_of_products(
    (elements, of_warpgroup): ([MatrixElement; 2], bool),
    (from, old): (Type, u64),
    to: Type,
    pairs: impl Iterator<Item = (f64, f64)> + Clone,
) -> u64 {
    let (old, least_of_old) = match from {
        Type::F16 => (f16::from_bits(old as u16).to_f64(), LEAST_OF_HALF),
        Type::F32 => (f32::from_bits(old as u32).into(), LEAST),
        _ => (f64::from_bits(old), LEAST),
    };
    if to == Type::F64 {
        return pairs.fold(old, |sum, (a, b)| a.mul_add(b, sum)).to_bits();
    }
    let of_bytes = matches!(elements[0], MatrixElement::E4m3 | MatrixElement::E5m2);
    if of_bytes && !of_warpgroup {
        return in_two_sums(old as f32, pairs).into();
    }
    let (kept, fraction) = if of_bytes { (KEPT_OF_BYTES, KEPT_OF_BYTES) } else { (KEPT, FRACTION) };
    let least = elements.map(|element| match element {
        MatrixElement::E4m3 => LEAST_OF_E4M3,
        MatrixElement::E5m2 | MatrixElement::F16 => LEAST_OF_HALF,
        _ => LEAST,
    });
    let sum = cut_sum((old, least_of_old), (pairs, least), kept);
    match to {
        Type::F16 => half(sum).into(),
        _ => single(sum, fraction).into(),
    }
}

/// The sum that `mma` makes of products of eight-bit numbers.
fn in_two_sums(old: f32, pairs: impl Iterator<Item = (f64, f64)> + Clone) -> u32 {
    let sum = (0..2).fold(0.0, |sum: f32, odd| {
        let pairs = pairs.clone().enumerate().filter(move |(k, _)| k / 2 % 2 == odd).map(|(_, pair)| pair);
        f32::from_bits(single(cut_sum((sum.into(), LEAST), (pairs, [LEAST_OF_HALF; 2]), KEPT), FRACTION))
    });
    let sum = sum + old;
    if sum.is_nan() { NAN } else { sum.to_bits() }
}

/// Adds terms that are cut to `kept` bits below the largest exponent. Each kind of number has its smallest exponent.
fn cut_sum(
    (old, least_of_old): (f64, i32),
    (pairs, [least_of_a, least_of_b]): (impl Iterator<Item = (f64, f64)> + Clone, [i32; 2]),
    kept: i32,
) -> f64 {
    let plain = pairs.clone().fold(old, |sum, (a, b)| sum + a * b);
    if !plain.is_finite() {
        return plain;
    }
    let of_product =
        |(a, b): (f64, f64)| (a != 0.0 && b != 0.0).then(|| exponent(a).max(least_of_a) + exponent(b).max(least_of_b));
    let of_old = (old != 0.0).then(|| exponent(old).max(least_of_old));
    let Some(largest) = pairs.clone().filter_map(of_product).chain(of_old).max() else { return 0.0 };
    let largest = largest.max(LEAST_OF_TERMS);
    let (up, down) = (power(kept - largest), power(largest - kept));
    // A term is less than four times as large as its exponent says, so all of them fit.
    let units = |term: f64| (term * up) as i64;
    let sum = pairs.fold(units(old), |sum, (a, b)| sum + units(a * b));
    sum as f64 * down
}

/// Returns the bits of an `f32` with so many bits of the fraction: cut toward zero.
fn single(sum: f64, fraction: i32) -> u32 {
    let cut = match exponent(sum) {
        _ if sum.is_nan() => return NAN,
        below if below < LEAST => {
            let unit = power(LEAST - fraction);
            (sum / unit).trunc() * unit
        }
        _ => cut(sum, fraction),
    };
    // No zero is negative.
    (cut as f32 + 0.0).to_bits()
}

/// Returns the bits of the nearest `f16`; of two the even one.
fn half(sum: f64) -> u16 {
    let cut = cut(sum, MORE_THAN_HALF);
    // The lowest bit stands for all that were cut, since `half` rounds by way of `f32`.
    let all = if cut == sum { cut } else { f64::from_bits(cut.to_bits() | 1 << (WIDE_FRACTION - MORE_THAN_HALF)) };
    match f16::from_f64(all) {
        nan if nan.is_nan() => NAN_OF_HALF,
        zero if zero == f16::ZERO => 0,
        number => number.to_bits(),
    }
}

/// Returns the exponent of a number that is zero or normal as an `f64`. Zero has the smallest.
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
        f32::from_bits(sum_of_products(([element; 2], true), old, Type::F32, pairs.iter().copied()) as u32)
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
            ([MatrixElement::F16; 2], true),
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
    fn infinities_stay_and_no_zero_is_negative() {
        assert_eq!(sum(MatrixElement::F16, f32::INFINITY, &[(1.0, 1.0)]), f32::INFINITY);
        assert_eq!(sum(MatrixElement::F16, 0.0, &[(f64::INFINITY, 0.0)]).to_bits(), NAN);
        assert_eq!(sum(MatrixElement::F16, -0.0, &[(0.0, -1.0)]).to_bits(), 0);
        assert_eq!(sum(MatrixElement::Bf16, 0.0, &[(-power(-100), power(-100))]).to_bits(), 0);
    }

    #[test]
    fn subnormal_numbers_have_the_smallest_exponent_of_their_type() {
        // 2^-24 counts as 2^-14 there, so the small product is 26 bits below.
        let pairs = [(power(-24), 1.0), (power(-14), power(-26))];
        assert_eq!(sum(MatrixElement::F16, 0.0, &pairs), power(-24) as f32);
        assert_eq!(sum(MatrixElement::Bf16, 0.0, &pairs), (power(-24) + power(-40)) as f32);
    }

    #[test]
    fn each_factor_has_the_smallest_exponent_of_its_own_type() {
        let sum = |elements| {
            let old = (Type::F32, (power(-34) as f32).to_bits().into());
            let pairs = [(power(-9), power(-16))];
            f32::from_bits(sum_of_products((elements, true), old, Type::F32, pairs.into_iter()) as u32)
        };
        // The product counts as 2^-20, or as 2^-23.
        assert_eq!(sum([MatrixElement::E4m3, MatrixElement::E5m2]), power(-25) as f32);
        assert_eq!(sum([MatrixElement::E5m2, MatrixElement::E5m2]), (power(-25) + power(-34)) as f32);
    }

    #[test]
    fn a_subnormal_result_is_cut() {
        let pairs = [(power(-126), power(-23) * 1.75)];
        assert_eq!(sum(MatrixElement::Bf16, 0.0, &pairs).to_bits(), 1);
        // Bits below 2^-158 are cut before the terms are added.
        let pairs = |small: i32| [(power(-126), -power(-23)), (power(-80), power(small + 80))];
        assert_eq!(sum(MatrixElement::Bf16, 0.0, &pairs(-158)).to_bits(), 0);
        assert_eq!(sum(MatrixElement::Bf16, 0.0, &pairs(-159)).to_bits(), 0x8000_0001);
    }

    #[test]
    fn a_result_of_half_precision_is_rounded_once() {
        let half = |small: f64| {
            let pairs = [(1.0, power(-11)), (small, power(-12))];
            sum_of_products(([MatrixElement::F16; 2], true), (Type::F16, 0x3c00), Type::F16, pairs.into_iter())
        };
        assert_eq!(half(0.0), 0x3c00);
        assert_eq!(half(power(-12)), 0x3c01);
    }

    #[test]
    fn a_warp_adds_the_old_element_to_products_of_bytes_last() {
        let sum = |old: f32, pairs: &[(f64, f64)]| {
            let old = (Type::F32, old.to_bits().into());
            let sum = sum_of_products(([MatrixElement::E5m2; 2], false), old, Type::F32, pairs.iter().copied());
            f32::from_bits(sum as u32)
        };
        let tiny = power(-14);
        // Rounded to nearest, where a sum of all is cut.
        assert_eq!(sum(1.0 + f32::EPSILON, &[(tiny, power(-10))]), 1.0 + 2.0 * f32::EPSILON);
        // The pair of k = 2 is in the second sum, and is cut beside the first.
        let pairs = [(1.0, 1.0), (0.0, 0.0), (tiny, power(-12)), (-1.0, 1.0)];
        assert_eq!(sum(0.0, &pairs), 0.0);
        assert_eq!(sum(0.0, &[pairs[0], (-1.0, 1.0), pairs[2]]), (tiny * power(-12)) as f32);
    }
}
