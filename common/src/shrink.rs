//! From a wrong answer to the smallest run that still gives one: fewer elements first, then as few of the schedule's
//! choices as it takes, with `in-order` for the rest.
//!
//! What is tried is fixed, and so is how often, so the same trial always comes to the same run. It need not be the
//! smallest of all: only one with a wrong answer that gets a right one when any of its choices is taken back.

use crate::token::Schedule;
use driver::emulator::choice;

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub schedule: Schedule,
    pub seed: u64,
    pub size: usize,
    /// The choices of the schedule to keep; `None`: all.
    pub keep: Option<Vec<u64>>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smallest {
    pub attempt: Attempt,
    /// The wrong answer.
    pub why: String,
}

/// Runs that a search may take.
const RUNS: u32 = 300;
/// Sizes to try, up to the one that was wrong.
const SIZES: [usize; 22] = [1, 2, 3, 4, 5, 8, 12, 16, 24, 31, 32, 33, 40, 48, 64, 65, 96, 128, 192, 256, 512, 1024];
/// Seeds to try at each size.
const SEEDS: u64 = 4;
/// Launches of one run whose choices are cut down.
const LAUNCHES: u32 = 3;
/// Choices of a launch, at most.
const CHOICES: u32 = 1 << 11;

/// Searches from a wrong run of `found.size` elements down to `least`. `wrong` says why an attempt's answer is wrong.
pub fn smallest(found: Smallest, least: usize, wrong: impl FnMut(&Attempt) -> Option<String>) -> Smallest {
    let mut search = Search { best: found, left: RUNS, wrong };
    search.sizes(least);
    search.choices();
    search.best
}

struct Search<F> {
    best: Smallest,
    left: u32,
    wrong: F,
}

impl<F: FnMut(&Attempt) -> Option<String>> Search<F> {
    /// True if the attempt is wrong too, and so the best one now.
    fn accepts(&mut self, attempt: Attempt) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let Some(why) = (self.wrong)(&attempt) else { return false };
        self.best = Smallest { attempt, why };
        true
    }

    fn sizes(&mut self, least: usize) {
        let Attempt { schedule, seed, size: whole, .. } = self.best.attempt;
        for size in SIZES.into_iter().filter(|&size| size >= least).take_while(|&size| size < whole).chain([whole]) {
            let with = |schedule, seed| Attempt { schedule, seed, size, keep: None };
            if self.accepts(with(Schedule::InOrder, 0)) {
                return;
            }
            if !schedule.takes_seed() {
                if size != whole && self.accepts(with(schedule, 0)) {
                    return;
                }
                continue;
            }
            let seeds = (0..SEEDS).filter(|&other| other != seed);
            if size != whole && std::iter::once(seed).chain(seeds).any(|seed| self.accepts(with(schedule, seed))) {
                return;
            }
        }
    }

    fn choices(&mut self) {
        if !self.best.attempt.schedule.takes_seed() {
            return;
        }
        let from = Attempt { keep: None, ..self.best.attempt.clone() };
        let with = |keep: Vec<u64>| Attempt { keep: Some(keep), ..from.clone() };
        // How far into its launches the schedule's choices matter.
        let mut count = 1;
        let mut keep = loop {
            let keep: Vec<u64> = (1..=LAUNCHES).flat_map(|l| (0..count).map(move |n| choice(l, n))).collect();
            if self.accepts(with(keep.clone())) {
                break keep;
            }
            count *= 2;
            if count > CHOICES {
                return;
            }
        };
        // Take back ever smaller pieces (delta debugging; Zeller and Hildebrandt, 2002).
        let mut piece = keep.len().div_ceil(2);
        while self.left > 0 && !keep.is_empty() {
            let mut at = 0;
            let mut shrunk = false;
            while at < keep.len() {
                let end = (at + piece).min(keep.len());
                let rest: Vec<u64> = keep[..at].iter().chain(&keep[end..]).copied().collect();
                if self.accepts(with(rest.clone())) {
                    keep = rest;
                    shrunk = true;
                } else {
                    at = end;
                }
            }
            if piece == 1 && !shrunk {
                return;
            }
            piece = piece.div_ceil(2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(schedule: Schedule, seed: u64, size: usize) -> Smallest {
        Smallest { attempt: Attempt { schedule, seed, size, keep: None }, why: "wrong".to_string() }
    }

    #[test]
    fn what_is_wrong_in_order_needs_no_choices() {
        let result = smallest(found(Schedule::Random, 7, 4096), 1, |attempt| (attempt.size >= 30).then(String::new));
        assert_eq!(result.attempt, Attempt { schedule: Schedule::InOrder, seed: 0, size: 31, keep: None });
    }

    #[test]
    fn the_choices_that_matter_are_left() {
        let needed = [choice(1, 5), choice(1, 300)];
        let wrong = |attempt: &Attempt| {
            let keeps = |one: &u64| attempt.keep.as_ref().is_none_or(|keep| keep.contains(one));
            let shows = attempt.schedule == Schedule::Adversarial && attempt.size >= 2 && needed.iter().all(keeps);
            shows.then(|| attempt.size.to_string())
        };
        let result = smallest(found(Schedule::Adversarial, 9, 64), 1, wrong);
        assert_eq!((result.attempt.size, result.attempt.seed, result.why.as_str()), (2, 9, "2"));
        assert_eq!(result.attempt.keep.as_deref(), Some(&needed[..]));
    }

    #[test]
    fn a_search_ends_and_never_loses_what_it_has() {
        let mut runs = 0;
        let first = found(Schedule::Pct, 3, 64);
        let result = smallest(first.clone(), 1, |_| {
            runs += 1;
            None
        });
        assert_eq!(result, first);
        assert!(runs <= RUNS);
    }
}
