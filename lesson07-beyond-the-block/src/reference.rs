//! The slow, obvious answers.

/// The products of two vectors, wrapping, as the kernels do.
pub fn products(v: &[i32], w: &[i32]) -> Vec<i32> {
    v.iter().zip(w).map(|(&v, &w)| v.wrapping_mul(w)).collect()
}

/// The number of each value below `end`.
pub fn counts(values: &[i32], end: usize) -> Vec<u32> {
    let mut counts = vec![0; end];
    values.iter().for_each(|&value| counts[value as usize] += 1);
    counts
}

/// `before`, and added to it the product of two matrices whose rows have `depth` values. `b` is transposed.
pub fn multiplied(a: &[i32], b: &[i32], depth: usize, before: &[i32]) -> Vec<i32> {
    let (rows, columns) = (a.chunks(depth.max(1)), b.chunks(depth.max(1)));
    let pairs = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
    let dot = |(row, column): (&[i32], &[i32])| row.iter().zip(column).map(|(x, y)| x * y).sum::<i32>();
    let mut sums = before.to_vec();
    sums.iter_mut().zip(pairs).for_each(|(sum, pair)| *sum += dot(pair));
    sums
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

/// The squares, wrapping.
pub fn squares(values: &[i32]) -> Vec<i32> {
    products(values, values)
}

/// The sum of all, wrapping.
pub fn total(values: &[i32]) -> i32 {
    values.iter().fold(0, |sum: i32, &value| sum.wrapping_add(value))
}

/// One sum for each block: of every `blocks`th piece of `size` values.
pub fn sums_of_blocks(values: &[i32], size: usize, blocks: usize) -> Vec<i32> {
    let mut sums = vec![0i32; blocks];
    for (piece, values) in values.chunks(size).enumerate() {
        sums[piece % blocks] = sums[piece % blocks].wrapping_add(total(values));
    }
    sums
}

/// A square matrix of so many rows, transposed.
pub fn transposed(values: &[i32], side: usize) -> Vec<i32> {
    (0..side * side).map(|at| values[at % side * side + at / side]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_as_worked_out_by_hand() {
        assert_eq!(reversed_in_pieces(&[1, 2, 3, 4, 5], 2), [2, 1, 4, 3, 5]);
        assert_eq!(sums_of_blocks(&[1, 2, 3, 4, 5], 2, 2), [8, 7]);
        assert_eq!(shares(&[1, 2]), [333_333, 666_666]);
        assert_eq!(counts(&[2, 0, 2], 4), [1, 0, 2, 0]);
        assert_eq!(multiplied(&[1, 2, 3, 4], &[5, 6, 7, 8], 2, &[0, 1, 2, 3]), [17, 24, 41, 56]);
        assert_eq!(transposed(&[1, 2, 3, 4], 2), [1, 3, 2, 4]);
        assert_eq!(products(&[2, i32::MAX], &[3, 2]), [6, -2]);
    }
}
