//! `follow`: given choices, then another schedule's. It records all choices, and may stop at the first that is not given and is
//! about whose turn it is.
//!
//! The other schedule is asked every time, so that it goes on as if it alone had decided: with the record of a run of its own
//! it makes that run again. Everything that is no choice it decides alone.

use super::choices::{Choice, Followed, Kind, Misfit, Stop};
use super::{Doubt, Event, Manner, Of, PartsAt, Question, Schedule};
use crate::registers::Mask;
use std::collections::VecDeque;

pub struct Follow {
    then: Box<dyn Schedule>,
    /// This launch's of the given choices that are left, with their places in the whole list.
    given: VecDeque<(usize, Choice)>,
    launch: u32,
    stops: bool,
    followed: Followed,
    /// A choice is somebody's now, or one does not fit: nothing counts any more.
    is_over: bool,
}

impl Follow {
    pub fn new(then: Box<dyn Schedule>, choices: &[Choice], stops: bool, launch: u64) -> Follow {
        let launch = launch as u32;
        let given = choices.iter().copied().enumerate().filter(|(_, choice)| choice.launch == launch);
        Follow { then, given: given.collect(), launch, stops, followed: Followed::default(), is_over: false }
    }

    /// The answer to a question of so many `answers`; `own` is the other schedule's.
    fn pick(&mut self, kind: Kind, answers: usize, own: usize) -> usize {
        if answers < 2 || self.is_over {
            return own;
        }
        let answers = answers as u32;
        let pick = match self.given.pop_front() {
            Some((place, given)) if (given.kind, given.answers) != (kind, answers) || given.pick >= answers => {
                self.is_over = true;
                self.followed.stop = Some(Stop::Misfit(Misfit { place, given, asked: Some((kind, answers)) }));
                return own;
            }
            Some((_, given)) => given.pick as usize,
            None if self.stops && kind.is_whose_turn() => {
                self.is_over = true;
                return own;
            }
            None => own,
        };
        self.followed.choices.push(Choice { launch: self.launch, kind, answers, pick: pick as u32 });
        pick
    }
}

impl Schedule for Follow {
    fn manner(&self) -> Manner {
        self.then.manner()
    }

    fn residents(&mut self, most: u64) -> u64 {
        self.then.residents(most)
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        self.then.begins(nth, of)
    }

    fn choose(&mut self, question: Question) -> usize {
        let own = self.then.choose(question);
        self.pick(Kind::of(&question), question.answers(), own)
    }

    fn slice(&mut self, of: Of) -> u64 {
        self.then.slice(of)
    }

    fn may(&mut self, doubt: Doubt) -> bool {
        let own = self.then.may(doubt);
        self.pick(Kind::of_doubt(doubt), 2, usize::from(own)) == 1
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        self.then.parts(mask, at)
    }

    fn hears(&mut self, event: Event) {
        self.then.hears(event);
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn followed(&mut self, has_ended: bool) -> Option<Followed> {
        let mut followed = std::mem::take(&mut self.followed);
        if let (true, None, Some((place, given))) = (has_ended, &followed.stop, self.given.pop_front()) {
            followed.stop = Some(Stop::Misfit(Misfit { place, given, asked: None }));
        }
        Some(followed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::in_order::InOrder;
    use super::*;

    fn asks(choices: &[Choice], stops: bool, ready: &[usize]) -> (Vec<usize>, bool, Followed) {
        let mut follow = Follow::new(Box::new(InOrder::default()), choices, stops, 1);
        let picks = ready.iter().map(|&count| {
            let ready: Vec<usize> = (0..count).collect();
            follow.choose(Question::Warp { ready: &ready, last: usize::MAX })
        });
        let picks = picks.collect();
        (picks, follow.is_over(), follow.followed(true).unwrap())
    }

    fn choice(answers: u32, pick: u32) -> Choice {
        Choice { launch: 1, kind: Kind::Warp, answers, pick }
    }

    #[test]
    fn given_choices_come_first_and_all_are_recorded() {
        let other_launch = Choice { launch: 2, ..choice(9, 8) };
        let (picks, is_over, followed) = asks(&[other_launch, choice(3, 2), choice(2, 1)], false, &[3, 1, 2, 4]);
        assert_eq!((picks, is_over), (vec![2, 0, 1, 0], false));
        assert_eq!(followed, Followed { choices: vec![choice(3, 2), choice(2, 1), choice(4, 0)], stop: None });
    }

    #[test]
    fn it_stops_where_nothing_is_given() {
        let (_, is_over, followed) = asks(&[choice(3, 2)], true, &[3, 1, 2, 4]);
        assert_eq!((is_over, followed.choices), (true, vec![choice(3, 2)]));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let none = Choice { kind: Kind::Block, ..choice(3, 0) };
        for (given, asked) in [
            (choice(2, 1), Some((Kind::Warp, 3))),
            (choice(3, 3), Some((Kind::Warp, 3))),
            (none, Some((Kind::Warp, 3))),
        ] {
            let (_, is_over, followed) = asks(&[choice(4, 1), given], false, &[4, 3, 3]);
            assert!(is_over);
            assert_eq!(followed.stop, Some(Stop::Misfit(Misfit { place: 1, given, asked })));
            assert_eq!(followed.choices, [choice(4, 1)]);
        }
        let (_, _, followed) = asks(&[choice(4, 1), choice(3, 1)], false, &[4]);
        assert_eq!(followed.stop, Some(Stop::Misfit(Misfit { place: 1, given: choice(3, 1), asked: None })));
    }
}
