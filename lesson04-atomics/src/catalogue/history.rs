//! Could the atomics on one cell have come in some order?
//!
//! Each atomic turned an old value, which it returned, into a new one. Take values as points and atomics as
//! arrows from old to new: an order that explains them all is a walk from the first value to the
//! last that uses every arrow once. Euler settled in 1736 when there is one: every point is left as
//! often as it is reached, counting one more arrow from the last value back to the first, and all arrows
//! hang together. So no order has to be searched for, whatever the operation.

use std::collections::HashMap;

/// One atomic operation: the bits it found and the bits it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicStep {
    pub old: u64,
    pub new: u64,
}

/// `Err` says which value gives the contradiction away.
pub fn explained(first: u64, last: u64, steps: &[AtomicStep]) -> Result<(), String> {
    let back = AtomicStep { old: last, new: first };
    let arrows = || steps.iter().chain([&back]);

    let mut balance: HashMap<u64, i64> = HashMap::new();
    for step in arrows() {
        *balance.entry(step.old).or_default() -= 1;
        *balance.entry(step.new).or_default() += 1;
    }
    if let Some((value, surplus)) = balance.iter().filter(|(_, surplus)| **surplus != 0).min() {
        let times = surplus.unsigned_abs();
        let value = format!("{value:#x}");
        return Err(if surplus > &0 { say!("left-more", value, times) } else { say!("found-more", value, times) });
    }

    // If the balance holds everywhere, what can be reached from `first` can also be left again.
    let mut onward: HashMap<u64, Vec<u64>> = HashMap::new();
    for step in arrows() {
        onward.entry(step.old).or_default().push(step.new);
    }
    let mut open = vec![first];
    while let Some(value) = open.pop() {
        open.extend(onward.remove(&value).into_iter().flatten());
    }
    match onward.keys().min() {
        None => Ok(()),
        Some(value) => Err(say!("no-way-there", value = format!("{value:#x}"), first = format!("{first:#x}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn steps(pairs: &[(u64, u64)]) -> Vec<AtomicStep> {
        pairs.iter().map(|&(old, new)| AtomicStep { old, new }).collect()
    }

    #[test]
    fn no_atomics_leave_the_cell_alone() {
        assert!(explained(5, 5, &[]).is_ok());
        assert!(explained(5, 6, &[]).is_err());
    }

    #[test]
    fn a_lost_addition_is_no_history() {
        assert!(explained(0, 2, &steps(&[(1, 2), (0, 1)])).is_ok());
        // Both found 0 and left 1.
        assert!(explained(0, 1, &steps(&[(0, 1), (0, 1)])).is_err());
    }

    #[test]
    fn a_circle_on_its_own_is_no_history() {
        assert!(explained(0, 1, &steps(&[(0, 1), (7, 8), (8, 7)])).is_err());
        assert!(explained(0, 1, &steps(&[(0, 1), (1, 8), (8, 1)])).is_ok());
    }

    #[test]
    fn atomics_that_change_nothing_must_still_find_what_is_there() {
        assert!(explained(3, 3, &steps(&[(3, 3), (3, 3)])).is_ok());
        assert!(explained(3, 3, &steps(&[(4, 4)])).is_err());
    }

    proptest! {
        /// Few values, many steps: walks that cross themselves over and over.
        #[test]
        fn every_walk_is_explained_in_any_order(values in prop::collection::vec(0u64..6, 1..60), seed in any::<u64>()) {
            let mut walk: Vec<AtomicStep> = values.windows(2).map(|w| AtomicStep { old: w[0], new: w[1] }).collect();
            walk.sort_by_key(|step| (step.old ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ step.new);
            let (first, last) = (values[0], values[values.len() - 1]);
            prop_assert_eq!(explained(first, last, &walk), Ok(()));
            // An atomic that nobody made.
            walk.push(AtomicStep { old: first, new: 99 });
            prop_assert!(explained(first, last, &walk).is_err());
        }
    }
}
