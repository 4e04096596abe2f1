//! The CPU's answers, each computed the slow and obvious way.

/// Every `stride`th element, `n` of them.
pub fn strided(input: &[i32], n: usize, stride: usize) -> Vec<i32> {
    (0..n).map(|i| input[i * stride]).collect()
}

/// `n` elements from `offset` on.
pub fn offset(input: &[i32], n: usize, offset: usize) -> Vec<i32> {
    (0..n).map(|i| input[i + offset]).collect()
}

/// Returns the elements that the kernel of this name reads.
pub fn read(kernel: &str, input: &[i32], n: usize, by: usize) -> Vec<i32> {
    if kernel == "access_strided" { strided(input, n, by) } else { offset(input, n, by) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_can_be_checked_by_hand() {
        let input = [10, 11, 12, 13, 14, 15];
        assert_eq!(strided(&input, 3, 2), [10, 12, 14]);
        assert_eq!(strided(&input, 2, 0), [10, 10]);
        assert_eq!(offset(&input, 3, 3), [13, 14, 15]);
        assert!(offset(&input, 0, 3).is_empty());
    }
}
