//! Which runnable thread goes next.
//!
//! A schedule chooses among what may run; it decides nothing about what is right. Every
//! schedule is fair to runnable groups, warps and resident blocks: each is chosen again
//! after finitely many steps, so a thread that spins on a lock cannot starve its holder.
//!
//! To add one: a variant of [`Policy`], a file with a type that implements [`Schedule`], and a line in [`make`].
//! `ARCHITECTURE.md` tells how users name it.

mod adversarial;
mod api;
pub mod choices;
mod coin;
mod follow;
mod in_order;
mod patience;
mod pct;
mod random;
mod replay;
mod reverse;
mod steps;
mod turns;

pub use api::{BinaryChoice, ChoicePoint, Event, PartsAt, Schedule, ScheduleTraits, TurnOf};
pub use coin::{mix, split_mix};

use crate::types::Policy;

/// The schedule for worker number `worker` under a policy.
pub fn make(policy: &Policy, launch: u64, worker: usize) -> Box<dyn Schedule> {
    let of_launch = |seed: &u64| seed ^ launch.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    match policy {
        Policy::InOrder => Box::new(in_order::InOrder::default()),
        Policy::Reverse => Box::new(reverse::Reverse::default()),
        Policy::Steps { seed, free } => Box::new(steps::Steps::new(seed.as_ref().map(of_launch), *free)),
        Policy::Turns { launch: of, turns } => Box::new(turns::Turns::new(if *of == launch { turns } else { &[] })),
        Policy::Random { seed } => Box::new(random::Random::new(of_launch(seed) ^ worker as u64)),
        // Workers must agree on the order in which blocks begin, so these schedules have the same seed for all.
        Policy::Pct { seed, depth } => Box::new(pct::Pct::new(of_launch(seed), *depth)),
        Policy::Adversarial { seed } => Box::new(adversarial::Adversarial::new(of_launch(seed))),
        Policy::Follow { choices, then, stops } => {
            Box::new(follow::Follow::new(make(then, launch, worker), choices, stops, launch))
        }
        Policy::Replay { of, keep } => Box::new(replay::Replay::new(make(of, launch, worker), keep, launch)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::group::{Group, Wait};

    fn policies(seed: u64) -> Vec<Policy> {
        let seeded = [Policy::Random { seed }, Policy::Pct { seed, depth: 3 }, Policy::Adversarial { seed }];
        let kept = seeded.clone().map(|of| Policy::Replay { of: Box::new(of), keep: (0..200).step_by(3).collect() });
        let steps = [(None, false), (Some(seed), false), (None, true), (Some(seed), true)];
        let steps = steps.map(|(seed, free)| Policy::Steps { seed, free });
        [Policy::InOrder, Policy::Reverse].into_iter().chain(steps).chain(seeded).chain(kept).collect()
    }

    /// Answers to questions of all kinds, in turn.
    fn answers(schedule: &mut dyn Schedule, rounds: usize) -> Vec<usize> {
        let group = |lane: u32| Group { pc: lane % 3, mask: 1 << lane, frame: 0, wait: Wait::Ready };
        let groups: Vec<Group> = (0..8).map(group).collect();
        let (mut picks, mut last) = (Vec::new(), usize::MAX);
        for round in 0..rounds {
            let blocks: Vec<u64> = (0..1 + round as u64 % 5).map(|block| 7 * block).collect();
            let ready: Vec<usize> = (round % 2..8).step_by(1 + round % 3).collect();
            let questions = [
                ChoicePoint::Block(&blocks),
                ChoicePoint::Grid(2 + round % 3),
                ChoicePoint::Warp { ready: &ready, last },
                ChoicePoint::Group { groups: &groups, ready: &ready },
                ChoicePoint::Copy(1 + round % 4),
                ChoicePoint::Back(1 + round % 7),
                ChoicePoint::Behind(1 + round % 7),
            ];
            for question in questions {
                let pick = schedule.choose(question);
                assert!(pick < question.answers(), "round {round}: {pick} of {}", question.answers());
                picks.push(pick);
                if let ChoicePoint::Warp { ready, .. } = question {
                    last = ready[pick];
                }
            }
            let slice = schedule.slice(TurnOf::Group);
            schedule.observe(if round % 4 == 0 { Event::Spent } else { Event::Ran(slice) });
        }
        picks
    }

    #[test]
    fn every_answer_is_one_of_those_that_there_are() {
        for seed in 0..50 {
            for policy in policies(seed) {
                let [one, again] = [(); 2].map(|()| answers(&mut *make(&policy, 0, 0), 200));
                assert_eq!(one, again, "{policy:?}");
            }
        }
    }
}
