//! What filter makes of the greys, or of any other bytes, that it reads.

/// Greys above the average become positive, so that `src > 0` keeps what is bright.
pub fn above_average(greys: &[u8]) -> Vec<i32> {
    let sum: i64 = greys.iter().map(|&grey| i64::from(grey)).sum();
    // Just below the average, so that the brightest is kept even where all are alike.
    let average = (sum - 1).div_euclid(greys.len().max(1) as i64) as i32;
    greys.iter().map(|&grey| i32::from(grey) - average).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bright_are_positive_and_there_is_always_one() {
        assert_eq!(above_average(&[0, 10, 20]), [-9, 1, 11]);
        assert_eq!(above_average(&[7, 7]), [1, 1]);
        assert_eq!(above_average(&[0, 0]), [1, 1]);
        assert!(above_average(&[]).is_empty());
    }
}
