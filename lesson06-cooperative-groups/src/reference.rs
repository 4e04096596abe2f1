//! The slow, obvious answers.

/// The sum of each `size` values, and of those that are left. Wraps, as the kernels do.
pub fn sums(values: &[i32], size: usize) -> Vec<i32> {
    values.chunks(size).map(total).collect()
}

/// The sum of all, wrapping.
pub fn total(values: &[i32]) -> i32 {
    values.iter().fold(0, |sum: i32, &value| sum.wrapping_add(value))
}

pub fn squares(values: &[i32]) -> Vec<i32> {
    values.iter().map(|&value| value.wrapping_mul(value)).collect()
}

/// Odd values as they are, even ones as 0: a thread with an even value takes no part.
pub fn odd_only(values: &[i32]) -> Vec<i32> {
    values.iter().map(|&value| if value & 1 != 0 { value } else { 0 }).collect()
}

pub fn reversed(values: &[i32]) -> Vec<i32> {
    values.iter().rev().copied().collect()
}

/// Each `size` values reversed.
pub fn reversed_in_pieces(values: &[i32], size: usize) -> Vec<i32> {
    values.chunks(size).flat_map(reversed).collect()
}

/// For each `size` values, one sum for each label.
pub fn sums_by_label(values: &[i32], size: usize, labels: usize, label: impl Fn(i32) -> usize) -> Vec<i32> {
    let mut all = Vec::new();
    for piece in values.chunks(size) {
        let mut sums = vec![0i32; labels];
        for &value in piece {
            sums[label(value)] = sums[label(value)].wrapping_add(value);
        }
        all.extend(sums);
    }
    all
}

/// `step` of `cuda/lesson06/barrier_cost.cu`, so many times for each thread's number.
pub fn stepped(threads: usize, steps: u32) -> Vec<u32> {
    let step = |value: u32| value.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (0..threads as u32).map(|i| (0..steps).fold(i, |value, _| step(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_of_whole_pieces_and_the_rest() {
        assert_eq!(sums(&[1, 2, 3, 4, 5], 2), [3, 7, 5]);
        assert_eq!(total(&[i32::MAX, 1]), i32::MIN);
        assert_eq!(odd_only(&[1, 2, -3]), [1, 0, -3]);
        assert_eq!(squares(&[3, -4]), [9, 16]);
    }

    #[test]
    fn labels_have_a_sum_each_in_every_piece() {
        assert_eq!(sums_by_label(&[1, 2, 3, 4, 5], 4, 2, |value| (value & 1) as usize), [6, 4, 0, 5]);
        assert_eq!(reversed_in_pieces(&[1, 2, 3, 4], 2), [2, 1, 4, 3]);
    }
}
