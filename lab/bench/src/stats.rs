//! Medians and the intervals around them.

/// The middle one, or the mean of the middle two. `values` are not empty.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let n = sorted.len();
    if n % 2 == 1 { sorted[n / 2] } else { (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0 }
}

/// The interval in which the true median lies with a probability of at least 95 %, whatever the distribution is: from
/// the j-th smallest value to the j-th largest. With less than six values it is all of them, and promises less.
pub fn interval(values: &[f64]) -> (f64, f64) {
    let sorted = sorted(values);
    let j = rank(sorted.len());
    (sorted[j - 1], sorted[sorted.len() - j])
}

/// The largest j for which at most j - 1 of n coins fall on one side with a probability of at most 2.5 %; at least 1.
fn rank(n: usize) -> usize {
    let mut probability = 0.5f64.powi(n as i32);
    let mut sum = probability;
    let mut j = 0;
    while sum <= 0.025 {
        j += 1;
        probability *= (n - j + 1) as f64 / j as f64;
        sum += probability;
    }
    j.max(1)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    assert!(!values.is_empty(), "nothing was measured");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_the_middle_two() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn ranks_are_those_of_the_tables_for_the_sign_test() {
        // Both tails together at 5 %, from tables of the sign test: the critical count is j - 1.
        for (n, j) in [(1, 1), (5, 1), (6, 1), (8, 1), (9, 2), (15, 4), (20, 6), (25, 8), (30, 10), (50, 18)] {
            assert_eq!(rank(n), j, "{n}");
        }
    }

    #[test]
    fn the_interval_holds_the_median_and_leaves_outliers_out() {
        let mut values: Vec<f64> = (0..51).map(f64::from).collect();
        assert_eq!(interval(&values), (18.0, 32.0));
        values[50] = 1e9;
        assert_eq!(interval(&values), (18.0, 32.0));
        assert_eq!(interval(&[2.0]), (2.0, 2.0));
    }
}
