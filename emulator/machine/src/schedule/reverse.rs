//! `reverse`: what `in-order` does first comes last. The last block begins first and runs
//! alone as far as it can; in it the last warp, and in a diverged warp the group of the
//! highest lane. Groups that meet do not join before something makes them: whatever a later
//! thread hopes an earlier one has done is not done yet.
//!
//! Fair as `in-order` is: a group that uses up its slice while others of its warp could run
//! gives way, and slices get short for as long as that goes on.

use super::api::{BinaryChoice, ChoicePoint, Event, Schedule, TurnOf};
use super::patience::Patience;

/// Long enough for a critical section.
const SHORT: u64 = 32;
const BLOCK_SLICE: u64 = 1 << 16;

pub struct Reverse {
    patience: Patience,
    block: usize,
}

impl Default for Reverse {
    fn default() -> Self {
        Reverse { patience: Patience::new(SHORT), block: 0 }
    }
}

impl Schedule for Reverse {
    fn residents(&mut self, _: u64) -> u64 {
        1
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        of - 1 - nth
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        match question {
            ChoicePoint::Block(resident) => {
                self.block = (self.block + 1) % resident.len();
                self.block
            }
            ChoicePoint::Grid(ready) => ready - 1,
            ChoicePoint::Warp { ready, last } => ready.iter().rposition(|&warp| warp < last).unwrap_or(ready.len() - 1),
            ChoicePoint::Group { groups, ready } => self.patience.another(ready.len()).unwrap_or_else(|| {
                (0..ready.len()).max_by_key(|&nth| groups[ready[nth]].mask).expect("some group is ready")
            }),
            ChoicePoint::Copy(under_way) => under_way,
            ChoicePoint::Back(_) | ChoicePoint::Behind(_) => 0,
        }
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        match of {
            TurnOf::Block => BLOCK_SLICE,
            TurnOf::Group => self.patience.slice(),
        }
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        question == BinaryChoice::Begins
    }

    fn observe(&mut self, event: Event) {
        if event == Event::Spent {
            self.patience.spent();
        }
    }
}
