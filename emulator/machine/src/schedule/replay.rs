//! `replay`: a few choices of another schedule, and `in-order`'s for all the rest.
//!
//! Choices are numbered as they are made in a launch. Which ones to keep is a list, so a run
//! that went wrong can be cut down to the switches that it takes. Both schedules are asked
//! every time, so that each goes on as if it alone had decided.

use super::api::{BinaryChoice, ChoicePoint, Event, PartsAt, Schedule, ScheduleTraits, TurnOf};
use super::in_order::InOrder;
use crate::registers::Mask;

pub struct Replay {
    of: Box<dyn Schedule>,
    otherwise: InOrder,
    /// Choices to keep, ascending.
    keep: Vec<u64>,
    /// Choices made so far, and how many of `keep` lie behind.
    made: u64,
    passed: usize,
}

impl Replay {
    /// `keep` may hold choices of several launches ([`crate::types::choice`]); those of `launch` count.
    pub fn new(of: Box<dyn Schedule>, keep: &[u64], launch: u64) -> Replay {
        let of_launch = |choice: &u64| (choice >> 32 == launch).then_some(choice & 0xffff_ffff);
        let mut keep: Vec<u64> = keep.iter().filter_map(of_launch).collect();
        keep.sort_unstable();
        keep.dedup();
        Replay { of, otherwise: InOrder::default(), keep, made: 0, passed: 0 }
    }

    fn keep<T>(&mut self, theirs: T, otherwise: T) -> T {
        let is_kept = self.keep.get(self.passed) == Some(&self.made);
        self.passed += usize::from(is_kept);
        self.made += 1;
        if is_kept { theirs } else { otherwise }
    }
}

impl Schedule for Replay {
    fn traits(&self) -> ScheduleTraits {
        self.of.traits()
    }

    fn residents(&mut self, most: u64) -> u64 {
        let answers = (self.of.residents(most), self.otherwise.residents(most));
        self.keep(answers.0, answers.1)
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        // All or nothing: each block begins once.
        self.of.begins(nth, of)
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        let answers = (self.of.choose(question), self.otherwise.choose(question));
        self.keep(answers.0, answers.1)
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        let answers = (self.of.slice(of), self.otherwise.slice(of));
        self.keep(answers.0, answers.1)
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        let answers = (self.of.decide(question), self.otherwise.decide(question));
        self.keep(answers.0, answers.1)
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        let answers = (self.of.parts(mask, at), self.otherwise.parts(mask, at));
        self.keep(answers.0, answers.1)
    }

    fn observe(&mut self, event: Event) {
        // Stored tokens were made without it.
        if event != Event::Lingers {
            self.of.observe(event);
            self.otherwise.observe(event);
        }
    }
}
