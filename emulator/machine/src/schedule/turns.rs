//! `turns`: threads run in an order that is given, each as far as it says: an execution that a search has found. Around
//! them, and in other launches, everything is as in `steps` where all is open. So the choices that were made can be
//! given to `steps`.

use super::api::{BinaryChoice, ChoicePoint, Event, PartsAt, Schedule, ScheduleTraits, TurnOf};
use super::steps::Steps;
use crate::registers::{Mask, WARP, lanes};
use crate::types::ThreadTurn;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

pub struct Turns {
    otherwise: Steps,
    /// The turns that are left.
    turns: VecDeque<ThreadTurn>,
    /// Instructions that threads have run, by their block and their number in it.
    ran: FxHashMap<(u64, u32), u64>,
    /// The block, the warp and the lanes that run now.
    block: u64,
    warp: usize,
    running: Mask,
}

impl Turns {
    pub fn new(turns: &[ThreadTurn]) -> Turns {
        Turns {
            otherwise: Steps::new(None, true),
            turns: turns.iter().copied().collect(),
            ran: FxHashMap::default(),
            block: 0,
            warp: 0,
            running: 0,
        }
    }

    /// The block, the warp and the lane whose turn it is.
    fn next(&self) -> Option<(u64, usize, usize)> {
        let ThreadTurn { block, thread, .. } = *self.turns.front()?;
        Some((block, thread as usize / WARP, thread as usize % WARP))
    }

    /// Returns the answer that lets the next thread go on, if it is among those who may.
    fn wanted(&self, question: &ChoicePoint) -> Option<usize> {
        let (block, warp, lane) = self.next()?;
        match question {
            ChoicePoint::Block(resident) => resident.iter().position(|&it| it == block),
            ChoicePoint::Warp { ready, .. } if self.block == block => ready.iter().position(|&it| it == warp),
            ChoicePoint::Group { groups, ready } if (self.block, self.warp) == (block, warp) => {
                ready.iter().position(|&group| groups[group].mask >> lane & 1 != 0)
            }
            ChoicePoint::Back(most) => self.turns.front().map(|turn| turn.back.min(*most)),
            _ => None,
        }
    }
}

impl Schedule for Turns {
    fn traits(&self) -> ScheduleTraits {
        self.otherwise.traits()
    }

    fn residents(&mut self, most: u64) -> u64 {
        self.otherwise.residents(most)
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        let otherwise = self.otherwise.choose(question);
        let answer = self.wanted(&question).unwrap_or(otherwise);
        match question {
            ChoicePoint::Block(resident) => self.block = resident[answer],
            ChoicePoint::Warp { ready, .. } => self.warp = ready[answer],
            _ => {}
        }
        answer
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        self.otherwise.slice(of)
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        self.turns.is_empty() && self.otherwise.decide(question)
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        if at != PartsAt::Turn {
            return 0;
        }
        let wanted = |(block, warp, lane): (u64, usize, usize)| {
            (block, warp) == (self.block, self.warp) && mask >> lane & 1 != 0
        };
        let behind = match self.next().filter(|&next| wanted(next)) {
            Some((_, _, lane)) if mask.count_ones() > 1 => {
                let upper = upper_half(mask);
                if upper >> lane & 1 != 0 { mask & !upper } else { upper }
            }
            _ => 0,
        };
        self.running = mask & !behind;
        behind
    }

    fn observe(&mut self, event: Event) {
        self.otherwise.observe(event);
        let Event::Ran(instructions) = event else { return };
        for lane in lanes(self.running) {
            let thread = (WARP * self.warp + lane) as u32;
            *self.ran.entry((self.block, thread)).or_default() += instructions;
        }
        let ran = |turn: &ThreadTurn| self.ran.get(&(turn.block, turn.thread)).copied().unwrap_or(0);
        while self.turns.front().is_some_and(|turn| ran(turn) >= turn.until) {
            self.turns.pop_front();
        }
    }
}

/// Returns the upper half of some lanes. Of an odd number it has one more.
pub(super) fn upper_half(mask: Mask) -> Mask {
    (0..mask.count_ones() / 2).fold(mask, |left, _| left & (left - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::group::{Group, Wait};

    fn turn(block: u64, thread: u32, until: u64) -> ThreadTurn {
        ThreadTurn { block, thread, until, back: 2 }
    }

    #[test]
    fn a_thread_runs_alone_until_it_has_come_so_far() {
        let mut turns = Turns::new(&[turn(3, 34, 5), turn(2, 1, 4)]);
        assert_eq!(turns.choose(ChoicePoint::Block(&[2, 3])), 1);
        assert_eq!(turns.choose(ChoicePoint::Warp { ready: &[0, 1], last: usize::MAX }), 1);
        let group = |mask| Group { pc: 0, mask, frame: 0, wait: Wait::Ready };
        let groups = [group(0b1), group(0b1110)];
        assert_eq!(turns.choose(ChoicePoint::Group { groups: &groups, ready: &[0, 1] }), 1);
        assert_eq!(turns.parts(0b1110, PartsAt::Turn), 0b0010);
        assert_eq!(turns.parts(0b1100, PartsAt::Turn), 0b1000);
        assert_eq!(turns.parts(0b0100, PartsAt::Turn), 0);
        turns.observe(Event::Ran(4));
        assert_eq!(turns.choose(ChoicePoint::Block(&[2, 3])), 1);
        assert_eq!([1, 2, 3].map(|most| turns.choose(ChoicePoint::Back(most))), [1, 2, 2]);
        turns.observe(Event::Ran(1));
        assert_eq!(turns.choose(ChoicePoint::Block(&[2, 3])), 0);
    }

    #[test]
    fn others_run_while_the_next_thread_may_not() {
        let mut turns = Turns::new(&[turn(0, 40, 1)]);
        assert_eq!(turns.choose(ChoicePoint::Block(&[0])), 0);
        assert_eq!(turns.choose(ChoicePoint::Warp { ready: &[0], last: usize::MAX }), 0);
        assert_eq!(turns.parts(0b11, PartsAt::Turn), 0);
        turns.observe(Event::Ran(100));
        assert_eq!(turns.next(), Some((0, 1, 8)));
    }
}
