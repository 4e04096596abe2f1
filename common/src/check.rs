//! Is the answer right? Comparisons with the CPU reference, and the inputs that both sides get.
//!
//! Every comparison gives `Err` with a [`Mismatch`] for a wrong answer, so that several can follow each other with `?`.

use crate::device::buffer::POISON;
use approx::AbsDiffEq;
use std::collections::BTreeMap;
use std::fmt::Debug;
pub use trial::Mismatch;

fn mismatch(first: String) -> anyhow::Result<()> {
    Err(Mismatch::new(first).into())
}

fn same_length(got: usize, expected: usize) -> anyhow::Result<()> {
    if got == expected { Ok(()) } else { mismatch(say!("wrong-length", got, expected)) }
}

/// A value as it is printed; one that looks like what stood there before the launch says so.
fn written<T: Debug>(value: &T) -> String {
    let text = format!("{value:?}");
    let poison = [i32::from_ne_bytes([POISON; 4]).to_string(), u32::from_ne_bytes([POISON; 4]).to_string()];
    if poison.contains(&text) { say!("never-written", value = text) } else { text }
}

/// For a kernel that counts up to `most` elements.
pub fn at_most(n: usize, most: usize) -> anyhow::Result<()> {
    let shown = if most.is_power_of_two() { format!("2^{}", most.ilog2()) } else { most.to_string() };
    anyhow::ensure!(n <= most, say!("too-many", n = n.to_string(), most = shown));
    Ok(())
}

/// For an input of `n` elements whose sum the kernel cannot hold.
pub fn sum_too_large(n: usize) -> anyhow::Error {
    anyhow::anyhow!(say!("sum-too-large", n = n.to_string()))
}

/// The code that a kernel had of a launch of its own: 0, or the answer is wrong.
pub fn launched(code: i32) -> anyhow::Result<()> {
    if code == 0 { Ok(()) } else { mismatch(say!("device-launch-failed", code)) }
}

/// Element by element, exactly.
pub fn equal<T: PartialEq + Debug>(got: &[T], expected: &[T]) -> anyhow::Result<()> {
    if got == expected {
        return Ok(()); // The common case, as fast as memory.
    }
    same_length(got.len(), expected.len())?;
    let Some(at) = got.iter().zip(expected).position(|(got, expected)| got != expected) else { return Ok(()) };
    let (n, value, right) = (got.len(), written(&got[at]), format!("{:?}", expected[at]));
    if n == 1 {
        return Err(Mismatch::new(say!("wrong-value", got = value, expected = right)).at(at, got).into());
    }
    let wrong = got.iter().zip(expected).filter(|(got, expected)| got != expected).count();
    let first = Mismatch::new(say!("wrong-element", at, got = value, expected = right)).at(at, got);
    Err(first.and(say!("wrong-elements", wrong, n)).into())
}

/// One value, exactly.
pub fn equal_value<T: PartialEq + Debug>(got: T, expected: T) -> anyhow::Result<()> {
    equal(&[got], &[expected])
}

/// Floats against an `f64` reference, within `tolerance` of the larger of 1 and the expected magnitude.
/// NaN is close to nothing, itself included.
pub fn close<T: Copy + Into<f64>>(got: &[T], expected: &[f64], tolerance: f64) -> anyhow::Result<()> {
    same_length(got.len(), expected.len())?;
    for (at, (&got, &expected)) in got.iter().zip(expected).enumerate() {
        let value: f64 = got.into();
        if !is_close(value, expected, tolerance) {
            let (got, expected, tolerance) = (value.to_string(), expected.to_string(), format!("{tolerance:e}"));
            return mismatch(say!("not-close", at, got, expected, tolerance));
        }
    }
    Ok(())
}

fn is_close(got: f64, expected: f64, tolerance: f64) -> bool {
    // True only for `|got - expected| <= epsilon`, which no NaN fulfils.
    got.abs_diff_eq(&expected, tolerance * expected.abs().max(1.0))
}

/// The same elements, each as often, in any order.
pub fn multiset<T: Ord + Copy + Debug>(got: &[T], expected: &[T]) -> anyhow::Result<()> {
    let sorted = |values: &[T]| {
        let mut values = values.to_vec();
        values.sort_unstable();
        values
    };
    if sorted(got) == sorted(expected) {
        return Ok(());
    }
    // Only a wrong answer pays for the counts.
    let mut balance: BTreeMap<T, i64> = BTreeMap::new();
    expected.iter().for_each(|&value| *balance.entry(value).or_default() -= 1);
    got.iter().for_each(|&value| *balance.entry(value).or_default() += 1);
    let missing: i64 = balance.values().filter(|&&n| n < 0).map(|n| -n).sum();
    let surplus: i64 = balance.values().filter(|&&n| n > 0).sum();
    let (value, n) = balance.into_iter().find(|&(_, n)| n != 0).expect("two unequal multisets differ somewhere");
    let (got, expected, value) = (got.len(), expected.len(), format!("{value:?}"));
    let first = Mismatch::new(say!("wrong-multiset", same = got == expected, got, expected, missing, surplus));
    Err(first.and(say!("for-example", value, is_missing = n < 0)).into())
}

/// `0, 1, 2, …` as ints.
pub fn ramp(n: usize) -> Vec<i32> {
    (0..n).map(|i| i as i32).collect()
}

/// A small generator of reproducible inputs: the one behind the emulator's schedules.
#[derive(Clone, Debug)]
pub struct InputValues(u64);

impl InputValues {
    pub fn seeded(seed: u64) -> InputValues {
        InputValues(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        emulator::split_mix(&mut self.0)
    }

    /// A value below `end`, each equally often to within 2^-32 for an `end` below 2^32.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(end)) >> 64) as u64
    }

    /// `n` ints from `low` to `high`, both included.
    pub fn ints(&mut self, n: usize, low: i32, high: i32) -> Vec<i32> {
        let span = (i64::from(high) - i64::from(low) + 1) as u64;
        (0..n).map(|_| (i64::from(low) + self.below(span) as i64) as i32).collect()
    }

    /// `n` floats from 0 up to but not including 1, with 24 random bits each.
    pub fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| (self.next_u64() >> 40) as f32 / (1u32 << 24) as f32).collect()
    }

    /// `n` ints of which about `share` (0 to 1) are positive and the rest zero or negative.
    pub fn with_positive_share(&mut self, n: usize, share: f64) -> Vec<i32> {
        (0..n)
            .map(|_| {
                let magnitude = self.below(1 << 20) as i32;
                let is_positive = (self.next_u64() >> 11) as f64 / ((1u64 << 53) as f64) < share;
                if is_positive { magnitude + 1 } else { -magnitude }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn why(result: anyhow::Result<()>) -> String {
        result.unwrap_err().downcast::<Mismatch>().expect("a wrong answer is a Mismatch").to_string()
    }

    #[test]
    fn a_wrong_element_is_named_and_the_wrong_ones_are_counted() {
        assert_eq!(why(equal(&[1, 9, 9], &[1, 2, 3])), "element 1 is 9, expected 2; 2 of 3 are wrong");
        assert_eq!(why(equal(&[18], &[1000])), "got 18, expected 1000");
        assert_eq!(why(equal(&[1, 2], &[1])), "2 elements, expected 1");
        let untouched = i32::from_ne_bytes([POISON; 4]);
        let said = format!("got {untouched} (never written), expected 7");
        assert_eq!(why(equal_value(untouched, 7)), said);
        assert!(equal::<i32>(&[], &[]).is_ok());
    }

    #[test]
    fn nan_is_never_close() {
        assert!(close(&[f32::NAN], &[0.0], 1e9).is_err());
        assert!(close(&[0.0f32], &[f64::NAN], 1e9).is_err());
        assert!(close(&[f64::NAN], &[f64::NAN], 1e9).is_err());
        assert!(close(&[f64::INFINITY], &[1.0], 1e-3).is_err());
    }

    #[test]
    fn the_tolerance_is_relative_above_one_and_absolute_below() {
        assert!(close(&[1000.01f64], &[1000.0], 1e-4).is_ok());
        assert!(close(&[1000.2f64], &[1000.0], 1e-4).is_err());
        assert!(close(&[5e-5f64], &[0.0], 1e-4).is_ok());
        assert!(close(&[2e-4f64], &[0.0], 1e-4).is_err());
    }

    #[test]
    fn a_multiset_counts_what_is_missing_and_what_is_surplus() {
        assert!(multiset(&[3, 1, 1], &[1, 3, 1]).is_ok());
        let text = why(multiset(&[1, 1, 7], &[1, 2, 3]));
        assert!(text.contains("of 3 elements 2 are missing, and 2 are too many"), "{text}");
    }

    proptest! {
        #[test]
        fn a_shuffle_is_the_same_multiset_and_one_change_is_not(
            values in prop::collection::vec(-5i32..5, 1..50),
            at: prop::sample::Index,
        ) {
            let mut other = values.clone();
            other.reverse();
            prop_assert!(multiset(&other, &values).is_ok());
            let at = at.index(other.len());
            other[at] += 1;
            prop_assert!(multiset(&other, &values).is_err());
        }

        #[test]
        fn generated_values_stay_in_their_range(seed: u64, low in -100i32..0, span in 0i32..100) {
            let mut values = InputValues::seeded(seed);
            for value in values.ints(64, low, low + span) {
                prop_assert!((low..=low + span).contains(&value));
            }
            for value in values.floats(64) {
                prop_assert!((0.0..1.0).contains(&value));
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_values() {
        assert_eq!(InputValues::seeded(3).ints(8, 0, 99), InputValues::seeded(3).ints(8, 0, 99));
        assert_ne!(InputValues::seeded(3).ints(8, 0, 99), InputValues::seeded(4).ints(8, 0, 99));
    }

    #[test]
    fn the_share_of_positive_values_is_as_asked() {
        for share in [0.0, 0.01, 0.5, 1.0] {
            let kept = InputValues::seeded(1).with_positive_share(10_000, share).iter().filter(|&&v| v > 0).count();
            assert!((kept as f64 / 10_000.0 - share).abs() < 0.02, "{share}: {kept}");
        }
    }
}
