//! The CPU's answers, each computed the slow and obvious way.

use crate::WARP;
use common::check;

/// The sum of each `size` values.
pub fn sums(values: &[i32], size: usize) -> Vec<i32> {
    match values.is_empty() {
        true => vec![0],
        false => values.chunks(size).map(|piece| piece.iter().sum()).collect(),
    }
}

/// The exact sum of all; an error where an `int` cannot hold it.
pub fn total(values: &[i32]) -> anyhow::Result<i32> {
    let mut sum = 0i64;
    for &value in values {
        sum += i64::from(value);
    }
    i32::try_from(sum).map_err(|_| check::sum_too_large(values.len()))
}

/// For each of the values its warp's sum.
pub fn sums_everywhere(values: &[i32]) -> Vec<i32> {
    sums(values, WARP).into_iter().flat_map(|sum| [sum; WARP]).collect()
}

/// Returns how often `x` is tripled or halved until it is 1.
pub fn steps(mut x: u32) -> i32 {
    let mut rounds = 0;
    while x > 1 {
        x = if x % 2 == 1 { 3 * x + 1 } else { x / 2 };
        rounds += 1;
    }
    rounds
}

/// Tiles of 4 rows and 8 columns, each turned into 8 rows and 4 columns.
pub fn transposed(values: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; values.len().div_ceil(WARP).max(1) * WARP];
    for (at, &value) in values.iter().enumerate() {
        let (tile, row, column) = (at / WARP, at % WARP / 8, at % 8);
        out[tile * WARP + column * 4 + row] = value;
    }
    out
}

/// `__shfl_sync`: the lane of that number in the reader's piece of `width` lanes.
pub fn lane_by_index(lane: usize, from: usize, width: usize) -> usize {
    lane / width * width + from % width
}

/// `__shfl_up_sync`: a lane with none so far below it in its piece reads itself.
pub fn lane_up(lane: usize, delta: usize, width: usize) -> usize {
    if lane % width >= delta { lane - delta } else { lane }
}

/// `__shfl_down_sync`: a lane with none so far above it in its piece reads itself.
pub fn lane_down(lane: usize, delta: usize, width: usize) -> usize {
    if lane % width + delta < width { lane + delta } else { lane }
}

/// `__shfl_xor_sync`: earlier pieces may be read, later ones not.
pub fn lane_by_xor(lane: usize, mask: usize, width: usize) -> usize {
    let other = lane ^ mask;
    if other / width > lane / width { lane } else { other }
}

/// The members of which `holds` is true, as a mask.
pub fn lanes_with(members: u32, holds: impl Fn(usize) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..WARP {
        if members >> lane & 1 == 1 && holds(lane) {
            mask |= 1 << lane;
        }
    }
    mask
}

/// Returns the result of one of the four votes.
pub fn vote(kernel: &str, members: u32, predicates: u32) -> u32 {
    let yes = lanes_with(members, |lane| predicates >> lane & 1 == 1);
    let no = lanes_with(members, |lane| predicates >> lane & 1 == 0);
    match kernel {
        "vote_all" => u32::from(no == 0),
        "vote_any" => u32::from(yes != 0),
        "vote_uni" => u32::from(no == 0 || yes == 0),
        _ => yes,
    }
}

/// For each lane: does any other lane of its warp want?
pub fn others_want(wants: &[u32]) -> Vec<u32> {
    let mut out = Vec::new();
    for warp in wants.chunks(WARP) {
        for lane in 0..warp.len() {
            out.push(u32::from((0..warp.len()).any(|other| other != lane && warp[other] != 0)));
        }
    }
    out
}

/// One value after the other.
pub fn reduction(kernel: &str, values: impl Iterator<Item = u32>) -> u32 {
    let signed = |pick: fn(i32, i32) -> i32| move |a: u32, b: u32| pick(a as i32, b as i32) as u32;
    let combine: &dyn Fn(u32, u32) -> u32 = match kernel {
        "redux_add" => &|a: u32, b| a.wrapping_add(b),
        "redux_min" => &|a: u32, b| a.min(b),
        "redux_min_signed" => &signed(i32::min),
        "redux_max" => &|a: u32, b| a.max(b),
        "redux_max_signed" => &signed(i32::max),
        "redux_and" => &|a, b| a & b,
        "redux_or" => &|a, b| a | b,
        _ => &|a, b| a ^ b,
    };
    values.reduce(combine).expect("a mask has members")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_can_be_checked_by_hand() {
        assert_eq!(sums(&[1, 2, 3, 4, 5], 2), [3, 7, 5]);
        assert_eq!(sums(&[], 32), [0]);
        assert_eq!(total(&[1, -3]).unwrap(), -2);
        assert!(total(&[i32::MAX, 1]).is_err());
        assert_eq!([1, 2, 3, 6].map(steps), [0, 1, 7, 8]);
        let tile: Vec<f32> = (0..32u8).map(f32::from).collect();
        assert_eq!(transposed(&tile)[..6], [0.0, 8.0, 16.0, 24.0, 1.0, 9.0]);
        assert_eq!(others_want(&[0, 1, 0]), [1, 0, 1]);
        assert_eq!(others_want(&[1, 1]), [1, 1]);
    }

    #[test]
    fn lanes_of_the_guides_own_examples() {
        // A broadcast, a scan in pieces of eight, a butterfly.
        assert_eq!(lane_by_index(7, 0, 32), 0);
        assert_eq!(lane_by_index(13, 0, 8), 8);
        assert_eq!((lane_up(9, 1, 8), lane_up(8, 1, 8), lane_up(12, 4, 8)), (8, 8, 8));
        assert_eq!((lane_down(30, 1, 32), lane_down(31, 1, 32), lane_down(7, 1, 8)), (31, 31, 7));
        assert_eq!((lane_by_xor(5, 16, 32), lane_by_xor(5, 8, 8), lane_by_xor(13, 8, 8)), (21, 5, 5));
    }

    #[test]
    fn votes_of_two_lanes() {
        for (predicates, all, any, uni, ballot) in [(0b00, 0, 0, 1, 0), (0b01, 0, 1, 0, 1), (0b11, 1, 1, 1, 3)] {
            assert_eq!(vote("vote_all", 0b11, predicates), all);
            assert_eq!(vote("vote_any", 0b11, predicates), any);
            assert_eq!(vote("vote_uni", 0b11, predicates), uni);
            assert_eq!(vote("vote_ballot", 0b11, predicates), ballot);
        }
    }

    #[test]
    fn a_sign_matters_to_some_reductions_only() {
        let values = || [5, u32::MAX].into_iter();
        assert_eq!((reduction("redux_min", values()), reduction("redux_min_signed", values())), (5, u32::MAX));
        assert_eq!((reduction("redux_max", values()), reduction("redux_max_signed", values())), (u32::MAX, 5));
        assert_eq!((reduction("redux_add", values()), reduction("redux_xor", values())), (4, u32::MAX - 5));
    }
}
