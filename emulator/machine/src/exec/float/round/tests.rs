//! The `f64`-to-odd way against 128-bit integers, for every format and rounding.

use super::*;
use crate::exec::float::exact::Exact;
use crate::exec::float::half::{Binary16, Brain16, Half};
use proptest::prelude::*;

/// Bits of every kind of number: random, of middling size, subnormal, special.
fn bits(width: u32, fraction: u32) -> impl Strategy<Value = u64> {
    let all = u64::MAX >> (64 - width);
    let exponents = (1u64 << (width - 1 - fraction)) - 1;
    let sign = 1u64 << (width - 1);
    prop_oneof![
        any::<u64>().prop_map(move |bits| bits & all),
        (any::<u64>(), exponents / 2 - 4..exponents / 2 + 4)
            .prop_map(move |(bits, exponent)| { bits & (sign | ((1 << fraction) - 1)) | exponent << fraction }),
        (0u64..4, any::<bool>()).prop_map(move |(bits, negative)| bits | if negative { sign } else { 0 }),
    ]
}

fn single() -> impl Strategy<Value = f64> {
    bits(32, 23).prop_map(|bits| f64::from(f32::from_bits(bits as u32)))
}

/// `value` against the exact result, in format `F`; special values take another way and are left out.
fn check<F: FloatFormat, M: RoundingMode>(
    value: f64,
    exact: Exact,
    encode: impl Fn(f64) -> u64,
    sign: u32,
) -> Result<(), TestCaseError> {
    let (negative, magnitude) = exact.round_to::<F>(M::ROUNDING);
    let want = u64::from(negative) << sign | magnitude;
    prop_assert_eq!(encode(round::<F, M>(value)), want, "{:?} of {:e}", M::ROUNDING, value);
    Ok(())
}

fn all_modes<F: FloatFormat>(a: f64, b: f64, c: f64, sign: u32, encode: fn(f64) -> u64) -> Result<(), TestCaseError> {
    fn one<F: FloatFormat, M: RoundingMode>(
        a: f64,
        b: f64,
        c: f64,
        sign: u32,
        encode: fn(f64) -> u64,
    ) -> Result<(), TestCaseError> {
        if ![a, b, c].iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        let [x, y, z] = [a, b, c].map(Exact::of);
        check::<F, M>(sum::<M>(a, b), x.sum(y, M::ROUNDING), encode, sign)?;
        check::<F, M>(product(a, b), x.product(y), encode, sign)?;
        check::<F, M>(sum::<M>(product(a, b), c), x.product(y).sum(z, M::ROUNDING), encode, sign)?;
        if b != 0.0 {
            check::<F, M>(quotient(a, b), x.quotient(y), encode, sign)?;
        }
        check::<F, M>(root(a.abs()), Exact::of(a.abs()).root(), encode, sign)
    }
    one::<F, Nearest>(a, b, c, sign, encode)?;
    one::<F, TowardZero>(a, b, c, sign, encode)?;
    one::<F, Down>(a, b, c, sign, encode)?;
    one::<F, Up>(a, b, c, sign, encode)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn single_results(a in single(), b in single(), c in single()) {
        all_modes::<Single>(a, b, c, 31, |x| u64::from((x as f32).to_bits()))?;
    }

    #[test]
    fn half_results(a in bits(16, 10), b in bits(16, 10), c in bits(16, 10)) {
        let [a, b, c] = [a, b, c].map(|bits| Binary16::widen(bits as u16));
        all_modes::<Binary16>(a, b, c, 15, |x| u64::from(Binary16::narrow(x)))?;
    }

    #[test]
    fn brain_results(a in bits(16, 7), b in bits(16, 7), c in bits(16, 7)) {
        let [a, b, c] = [a, b, c].map(|bits| Brain16::widen(bits as u16));
        all_modes::<Brain16>(a, b, c, 15, |x| u64::from(Brain16::narrow(x)))?;
    }

    #[test]
    fn whole_numbers(x in any::<u64>(), shift in 0u32..64) {
        let x = x >> shift;
        let odd = integer(f64::from((x >> 32) as u32), x as u32);
        let encode = |x: f64| u64::from((x as f32).to_bits());
        check::<Single, Nearest>(odd, Exact::integer(false, x), encode, 31)?;
        check::<Single, Up>(odd, Exact::integer(false, x), encode, 31)?;
        prop_assert_eq!(odd as f32, x as f32);
    }

    #[test]
    fn doubles_to_singles(x in any::<u64>().prop_map(f64::from_bits)) {
        let nearest = round::<Single, Nearest>(x) as f32;
        prop_assert!(nearest == x as f32 || x.is_nan());
        prop_assert!(round::<Single, Down>(x) <= x || x.is_nan());
        prop_assert!(round::<Single, Up>(x) >= x || x.is_nan());
    }
}

#[test]
fn special_values_stay() {
    for x in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(round::<Single, TowardZero>(x).to_bits(), x.to_bits());
        assert_eq!(round::<Brain16, Up>(x).to_bits(), x.to_bits());
    }
    assert!(round::<Single, Up>(f64::NAN).is_nan());
    assert_eq!(quotient(1.0, 0.0), f64::INFINITY);
    assert_eq!(quotient(-1.0, f64::INFINITY).to_bits(), (-0.0f64).to_bits());
    assert!(quotient(0.0, 0.0).is_nan() && root(-1.0).is_nan());
    assert_eq!(root(f64::INFINITY), f64::INFINITY);
    assert_eq!(sum::<Down>(f64::INFINITY, 1.0), f64::INFINITY);
}
