//! The slow, obvious answers.

/// The products of two vectors, wrapping, as the kernels do.
pub fn products(v: &[i32], w: &[i32]) -> Vec<i32> {
    v.iter().zip(w).map(|(&v, &w)| v.wrapping_mul(w)).collect()
}

/// Each `size` values reversed.
pub fn reversed_in_pieces(values: &[i32], size: usize) -> Vec<i32> {
    values.chunks(size).flat_map(|piece| piece.iter().rev().copied()).collect()
}

/// Each value's share of the sum, in millionths, rounded down.
pub fn shares(values: &[i32]) -> Vec<i32> {
    let total: i64 = values.iter().map(|&value| i64::from(value)).sum();
    values.iter().map(|&value| (1_000_000 * i64::from(value) / total) as i32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_as_worked_out_by_hand() {
        assert_eq!(reversed_in_pieces(&[1, 2, 3, 4, 5], 2), [2, 1, 4, 3, 5]);
        assert_eq!(shares(&[1, 2]), [333_333, 666_666]);
        assert_eq!(products(&[2, i32::MAX], &[3, 2]), [6, -2]);
    }
}
