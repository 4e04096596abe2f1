//! `in-order`: what hardware mostly does. Blocks and warps run one after the other, each as
//! far as it can. A diverged warp runs its deepest call and lowest address first, so that
//! branches meet again as early as the code allows. Where a group uses up its slice while
//! others of its warp could run, it may be spinning until one of them acts. Then another
//! goes next, and slices are short for as long as that goes on. They are as short where a
//! warp or a block may be spinning until another warp or block acts.

use super::api::{BinaryChoice, ChoicePoint, Event, Schedule, ScheduleTraits, TurnOf};
use super::patience::Patience;

/// Long enough for a critical section.
const SHORT: u64 = 64;
const BLOCK_SLICE: u64 = 1 << 16;
/// The slice where several blocks are under way: one that has used it up may be waiting for another.
const SHORT_BLOCK_SLICE: u64 = 1 << 11;

pub struct InOrder {
    patience: Patience,
    block: usize,
    blocks: usize,
}

impl Default for InOrder {
    fn default() -> Self {
        InOrder { patience: Patience::new(SHORT / 2), block: 0, blocks: 1 }
    }
}

impl Schedule for InOrder {
    fn traits(&self) -> ScheduleTraits {
        ScheduleTraits { stops_to_converge: true, ..ScheduleTraits::default() }
    }

    fn residents(&mut self, _: u64) -> u64 {
        1
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        match question {
            ChoicePoint::Block(resident) => {
                self.block = (self.block + 1) % resident.len();
                self.blocks = resident.len();
                self.block
            }
            ChoicePoint::Warp { ready, last } => {
                ready.iter().position(|&warp| last != usize::MAX && warp > last).unwrap_or(0)
            }
            ChoicePoint::Group { groups, ready } => self.patience.another(ready.len()).unwrap_or_else(|| {
                // Frames are numbered as calls are made, so a deeper call has a higher number.
                let order = |&nth: &usize| (std::cmp::Reverse(groups[ready[nth]].frame), groups[ready[nth]].pc);
                (0..ready.len()).min_by_key(order).expect("some group is ready")
            }),
            ChoicePoint::Grid(_) | ChoicePoint::Copy(_) | ChoicePoint::Back(_) | ChoicePoint::Behind(_) => 0,
        }
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        match of {
            TurnOf::Block if self.blocks > 1 => SHORT_BLOCK_SLICE,
            TurnOf::Block => BLOCK_SLICE,
            TurnOf::Group => self.patience.slice(),
        }
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        question == BinaryChoice::Converges
    }

    fn observe(&mut self, event: Event) {
        match event {
            Event::Spent => self.patience.spent(),
            Event::Lingers => self.patience.shorten(),
            Event::Ran(_) => {}
        }
    }
}
