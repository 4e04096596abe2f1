//! The CPU's answers, each computed the slow and obvious way.

use common::check;

/// The exact sum; an error where an `int` cannot hold it.
pub fn sum(values: &[i32]) -> anyhow::Result<i32> {
    let mut sum = 0i64;
    for &value in values {
        sum += i64::from(value);
    }
    i32::try_from(sum).map_err(|_| check::sum_too_large(values.len()))
}

/// The largest value; `i32::MIN` where there is none.
pub fn maximum(values: &[i32]) -> i32 {
    let mut most = i32::MIN;
    for &value in values {
        if value > most {
            most = value;
        }
    }
    most
}

/// The largest value that is a number; minus infinity where there is none.
pub fn maximum_float(values: &[f32]) -> f32 {
    let mut most = f32::NEG_INFINITY;
    for &value in values {
        // False for a NaN.
        if value > most {
            most = value;
        }
    }
    most
}

/// Returns the balance of each account of a ring, all starting with nothing, when account `i % accounts` has paid
/// `transfers[i]` to the next one.
pub fn balances(transfers: &[i32], accounts: usize) -> Vec<i32> {
    let mut balances = vec![0; accounts];
    for (i, &amount) in transfers.iter().enumerate() {
        balances[i % accounts] -= amount;
        balances[(i + 1) % accounts] += amount;
    }
    balances
}

/// Returns the count of each byte value.
pub fn histogram(bytes: &[u8]) -> Vec<u32> {
    let mut bins = vec![0; 256];
    for &byte in bytes {
        bins[usize::from(byte)] += 1;
    }
    bins
}

/// The positive values, in their order.
pub fn filter(src: &[i32]) -> Vec<i32> {
    let mut dst = Vec::new();
    for &value in src {
        if value > 0 {
            dst.push(value);
        }
    }
    dst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_gives_the_neutral_answer() {
        assert_eq!(sum(&[]).unwrap(), 0);
        assert_eq!(maximum(&[]), i32::MIN);
        assert_eq!(maximum_float(&[]), f32::NEG_INFINITY);
        assert_eq!(histogram(&[]), [0; 256]);
        assert!(filter(&[]).is_empty());
        assert_eq!(balances(&[], 3), [0, 0, 0]);
    }

    #[test]
    fn answers_that_can_be_checked_by_hand() {
        assert_eq!(sum(&[1, -2, 40]).unwrap(), 39);
        assert_eq!(maximum(&[-7, -3, -9]), -3);
        assert_eq!(filter(&[3, 0, -1, 5]), [3, 5]);
        assert_eq!(balances(&[1, 20, 300, 4000], 3), [300 - 4001, 1 - 20 + 4000, 20 - 300]);
        let bins = histogram(&[0, 255, 0, 7]);
        assert_eq!((bins[0], bins[7], bins[255], bins.iter().sum::<u32>()), (2, 1, 1, 4));
    }

    #[test]
    fn a_sum_passes_beyond_an_int_only_on_the_way() {
        assert_eq!(sum(&[i32::MAX, 1, -1]).unwrap(), i32::MAX);
        assert!(sum(&[i32::MAX, 1]).is_err());
    }

    #[test]
    fn a_nan_is_passed_over() {
        assert_eq!(maximum_float(&[f32::NAN, -2.0, f32::NAN, -1.0]), -1.0);
        assert_eq!(maximum_float(&[f32::NAN, -f32::NAN]), f32::NEG_INFINITY);
        assert_eq!(maximum_float(&[1.0, f32::INFINITY, f32::NAN]), f32::INFINITY);
    }
}
