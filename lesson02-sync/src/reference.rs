//! The CPU's answers, each computed the slow and obvious way.

/// `input`, last element first.
pub fn reversed(input: &[i32]) -> Vec<i32> {
    input.iter().rev().copied().collect()
}

/// The sum of each `length` elements, and of those that are left.
pub fn sums(input: &[i32], length: usize) -> Vec<i32> {
    let mut sums = Vec::new();
    for (i, &value) in input.iter().enumerate() {
        if i % length == 0 {
            sums.push(0);
        }
        *sums.last_mut().expect("pushed for i = 0") += value;
    }
    sums
}

/// Each element's mean with its two neighbours, rounded towards zero; the ends as they were.
pub fn smoothed(input: &[i32]) -> Vec<i32> {
    let mut smoothed = input.to_vec();
    for i in 1..input.len().saturating_sub(1) {
        smoothed[i] = (input[i - 1] + input[i] + input[i + 1]) / 3;
    }
    smoothed
}

pub fn squares(input: &[i32]) -> Vec<i32> {
    input.iter().map(|value| value * value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_gives_nothing_out() {
        assert!(reversed(&[]).is_empty());
        assert!(sums(&[], 256).is_empty());
        assert!(smoothed(&[]).is_empty());
        assert!(squares(&[]).is_empty());
    }

    #[test]
    fn answers_that_can_be_checked_by_hand() {
        assert_eq!(reversed(&[1, 2, 3]), [3, 2, 1]);
        assert_eq!(sums(&[1, 2, 3, 4, 5], 2), [3, 7, 5]);
        assert_eq!(squares(&[3, -4]), [9, 16]);
    }

    #[test]
    fn ends_stay_and_means_round_towards_zero() {
        assert_eq!(smoothed(&[7]), [7]);
        assert_eq!(smoothed(&[7, 8]), [7, 8]);
        assert_eq!(smoothed(&[0, 1, 4, -10]), [0, 1, -1, -10]);
    }
}
