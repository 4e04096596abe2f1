//! `follow`: given choices, then another schedule's. It records all choices, and may stop at the first that is not
//! given and of a kind that somebody wants to choose.
//!
//! The other schedule is asked every time, so that it goes on as if it alone had decided: with the record of a run of
//! its own it makes that run again. Everything that is no choice it decides alone.

use super::api::{BinaryChoice, ChoicePoint, Event, PartsAt, Schedule, ScheduleTraits, TurnOf};
use super::choices::{ChoiceKind, ChoiceOptions, Followed, Misfit, ScheduleChoice, Stop};
use super::turns::upper_half;
use crate::registers::Mask;
use std::collections::VecDeque;

pub struct Follow {
    then: Box<dyn Schedule>,
    /// This launch's of the given choices that are left, with their places in the whole list.
    given: VecDeque<(usize, ScheduleChoice)>,
    launch: u32,
    stops: Box<[ChoiceKind]>,
    followed: Followed,
    /// A choice is somebody's now, or one does not fit: nothing counts any more.
    is_over: bool,
}

impl Follow {
    pub fn new(then: Box<dyn Schedule>, choices: &[ScheduleChoice], stops: &[ChoiceKind], launch: u64) -> Follow {
        let launch = launch as u32;
        let given = choices.iter().copied().enumerate().filter(|(_, choice)| choice.launch == launch);
        let stops = stops.into();
        Follow { then, given: given.collect(), launch, stops, followed: Followed::default(), is_over: false }
    }

    /// The answer to a question of so many `answers`; `own` is the other schedule's. `lanes`: those that it is about,
    /// if any.
    fn pick(&mut self, kind: ChoiceKind, answers: usize, own: usize, lanes: Mask) -> usize {
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
            None if self.stops.contains(&kind) => {
                self.is_over = true;
                // Whose turn it is can be told where it is asked.
                if !kind.is_whose_turn() {
                    let options = ChoiceOptions::Other { kind, answers, lanes };
                    self.followed.stop = Some(Stop::Unanswered(Box::new(options)));
                }
                return own;
            }
            None => own,
        };
        self.followed.choices.push(ScheduleChoice { launch: self.launch, kind, answers, pick: pick as u32 });
        pick
    }
}

impl Schedule for Follow {
    fn traits(&self) -> ScheduleTraits {
        self.then.traits()
    }

    fn residents(&mut self, most: u64) -> u64 {
        self.then.residents(most)
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        self.then.begins(nth, of)
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        let own = self.then.choose(question);
        self.pick(ChoiceKind::of(&question), question.answers(), own, 0)
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        self.then.slice(of)
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        let own = self.then.decide(question);
        self.pick(ChoiceKind::of_doubt(question), 2, usize::from(own), 0) == 1
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        let own = self.then.parts(mask, at);
        let count = mask.count_ones();
        if at != PartsAt::Turn || count < 2 || !self.traits().is_free() {
            return own;
        }
        // Half by half any lanes are reached.
        let upper = upper_half(mask);
        let own = if own == 0 { 0 } else { 1 + usize::from(own != upper) };
        match self.pick(ChoiceKind::Parts, 3, own, mask) {
            0 => 0,
            1 => upper,
            _ => mask & !upper,
        }
    }

    fn observe(&mut self, event: Event) {
        self.then.observe(event);
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

    fn asks(choices: &[ScheduleChoice], stops: bool, ready: &[usize]) -> (Vec<usize>, bool, Followed) {
        let stops: &[ChoiceKind] = if stops { &[ChoiceKind::Warp] } else { &[] };
        let mut follow = Follow::new(Box::new(InOrder::default()), choices, stops, 1);
        let picks = ready.iter().map(|&count| {
            let ready: Vec<usize> = (0..count).collect();
            follow.choose(ChoicePoint::Warp { ready: &ready, last: usize::MAX })
        });
        let picks = picks.collect();
        (picks, follow.is_over(), follow.followed(true).unwrap())
    }

    fn choice(answers: u32, pick: u32) -> ScheduleChoice {
        ScheduleChoice { launch: 1, kind: ChoiceKind::Warp, answers, pick }
    }

    #[test]
    fn given_choices_come_first_and_all_are_recorded() {
        let other_launch = ScheduleChoice { launch: 2, ..choice(9, 8) };
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
    fn other_kinds_are_asked_where_somebody_wants_them() {
        let mut follow = Follow::new(Box::new(InOrder::default()), &[], &[ChoiceKind::Back], 1);
        assert_eq!((follow.choose(ChoicePoint::Behind(2)), follow.is_over()), (0, false));
        assert_eq!((follow.choose(ChoicePoint::Back(2)), follow.is_over()), (0, true));
        let asked = ChoiceOptions::Other { kind: ChoiceKind::Back, answers: 3, lanes: 0 };
        assert_eq!(follow.followed(true).unwrap().stop, Some(Stop::Unanswered(Box::new(asked))));
    }

    #[test]
    fn lanes_part_by_halves_where_everything_is_open() {
        for (free, mask, pick, behind) in [
            (true, 0xff, 0, 0),
            (true, 0xff, 1, 0xf0),
            (true, 0xff, 2, 0x0f),
            (true, 0b10110, 1, 0b10100),
            (true, 0b100, 0, 0),
            (false, 0xff, 0, 0),
        ] {
            let steps = Box::new(super::super::steps::Steps::new(None, free));
            let given = ScheduleChoice { launch: 1, kind: ChoiceKind::Parts, answers: 3, pick };
            let mut follow = Follow::new(steps, &[given], &[], 1);
            assert_eq!(follow.parts(mask, PartsAt::Turn), behind, "{mask:#b} {pick}");
            assert_eq!(follow.parts(mask, PartsAt::Branch), 0);
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let none = ScheduleChoice { kind: ChoiceKind::Block, ..choice(3, 0) };
        for (given, asked) in [
            (choice(2, 1), Some((ChoiceKind::Warp, 3))),
            (choice(3, 3), Some((ChoiceKind::Warp, 3))),
            (none, Some((ChoiceKind::Warp, 3))),
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
