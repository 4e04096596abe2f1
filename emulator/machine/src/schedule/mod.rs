//! Which runnable thread goes next.
//!
//! A schedule chooses among what may run; it decides nothing about what is right. Every
//! schedule is fair to runnable groups, warps and resident blocks: each is chosen again
//! after finitely many steps, so a thread that spins on a lock cannot starve its holder.
//!
//! To add one: a file with a type that implements [`Schedule`], and a line in [`make`].

mod adversarial;
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

pub use coin::{mix, split_mix};

use crate::registers::Mask;
use crate::run::group::Group;
use crate::types::Policy;
use choices::Followed;

/// The properties of a schedule that do not change while a launch runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleTraits {
    /// It wants to hear of every write and barrier, may give loads older values and put stores behind others.
    pub is_adverse: bool,
    /// A group stops where another one waits to be joined.
    pub stops_to_converge: bool,
    /// A turn ends after whatever other threads could see, and the block's turn with it.
    pub shows_each_event: bool,
}

impl ScheduleTraits {
    /// A person chooses all that is open, event by event. Then nothing is asked that turns decide anyway.
    pub fn is_free(self) -> bool {
        self.is_adverse && self.shows_each_event
    }
}

/// One of several. The answers are numbered from 0.
#[derive(Clone, Copy)]
pub enum ChoicePoint<'a> {
    /// Which of the resident blocks, given by their linear indices, runs next.
    Block(&'a [u64]),
    /// From which of so many grids, in the order in which they became ready, the next block begins. Kernels have
    /// launched all but the first.
    Grid(usize),
    /// Which warp of `ready` (indices in order), the last one having been `last`; `usize::MAX` before the first.
    Warp { ready: &'a [usize], last: usize },
    /// Which of the warp's groups; `ready` holds indices into `groups`.
    Group { groups: &'a [Group], ready: &'a [usize] },
    /// Chooses which of this many asynchronous copies under way in a block, in the order in which they started, moves
    /// now. 0 is none.
    Copy(usize),
    /// Chooses how many writes back a load reads, of this many that the memory model allows; or which of this many
    /// places behind later writes an atomic operation finds and takes. 0 is the latest.
    Back(usize),
    /// Which of so many places behind later writes a store takes. 0 is the one in front.
    Behind(usize),
}

impl ChoicePoint<'_> {
    /// Returns the number of answers.
    pub fn answers(&self) -> usize {
        match *self {
            ChoicePoint::Block(resident) => resident.len(),
            ChoicePoint::Grid(ready) => ready,
            ChoicePoint::Warp { ready, .. } | ChoicePoint::Group { ready, .. } => ready.len(),
            ChoicePoint::Copy(others) | ChoicePoint::Back(others) | ChoicePoint::Behind(others) => 1 + others,
        }
    }
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryChoice {
    /// A thread has just launched a grid: it gets a place beside the blocks under way, and the turn ends.
    Begins,
    /// Groups that stand at the same instruction become one now.
    Converges,
    /// The group that runs has just written to memory: its turn ends.
    Wrote,
    /// A group that stands at a barrier does not arrive yet.
    HoldsBack,
}

/// Whose turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Block,
    Group,
}

/// The place where lanes may fall behind the others of their group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsAt {
    /// At a branch that all of them take.
    Branch,
    /// Before a turn, wherever the group stands.
    Turn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A group used its whole slice while others of its warp were ready, or the warp has run for long in several
    /// groups: one may be waiting for another.
    Spent,
    /// The warp that ran last used its whole slice looking at what others change, while other warps were ready.
    Lingers,
    /// A turn is over after so many warp instructions.
    Ran(u64),
}

/// The choices a schedule makes.
pub trait Schedule: Send {
    fn manner(&self) -> ScheduleTraits {
        ScheduleTraits::default()
    }
    /// Blocks that should be under way at once, of `most` that may be.
    fn residents(&mut self, most: u64) -> u64;
    /// Which of the grid's `of` blocks begins as the `nth`: every one once.
    fn begins(&self, nth: u64, of: u64) -> u64 {
        debug_assert!(nth < of);
        nth
    }
    /// Fewer than [`ChoicePoint::answers`].
    fn choose(&mut self, question: ChoicePoint) -> usize;
    /// Warp instructions before somebody else gets a turn.
    fn slice(&mut self, of: Of) -> u64;
    fn may(&mut self, doubt: BinaryChoice) -> bool;
    /// Returns the lanes of a group with `mask` that part from the others, or 0.
    fn parts(&mut self, _mask: Mask, _at: PartsAt) -> Mask {
        0
    }
    fn hears(&mut self, _event: Event) {}
    /// The launch goes no further: a choice is somebody's who has not made it, or one that was given does not fit.
    fn is_over(&self) -> bool {
        false
    }
    /// Returns what a schedule that follows given choices has done. `has_ended` says that the launch is at its end.
    fn followed(&mut self, _has_ended: bool) -> Option<Followed> {
        None
    }
}

/// The schedule for worker number `worker` under a policy.
pub fn make(policy: &Policy, launch: u64, worker: usize) -> Box<dyn Schedule> {
    let of_launch = |seed: &u64| seed ^ launch.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    match policy {
        Policy::InOrder => Box::new(in_order::InOrder::default()),
        Policy::Reverse => Box::new(reverse::Reverse::default()),
        Policy::Steps { seed, free } => Box::new(steps::Steps::new(seed.as_ref().map(of_launch), *free)),
        Policy::Random { seed } => Box::new(random::Random::new(of_launch(seed) ^ worker as u64)),
        // Workers must agree on the order in which blocks begin, so they share the seed.
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
    use crate::run::group::Wait;

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
            let slice = schedule.slice(Of::Group);
            schedule.hears(if round % 4 == 0 { Event::Spent } else { Event::Ran(slice) });
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
