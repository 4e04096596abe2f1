//! Shrinks a run that shows something, a wrong answer or a finding: a student understands a run of two threads sooner
//! than one of a thousand.
//!
//! The first run with a wrong answer is shrunk, and the first with each finding that is shown. First the search reduces
//! the number of elements, then the number of the schedule's choices that are kept, with `in-order` for the rest.
//!
//! The attempts and their number are fixed, so that the same run always shrinks to the same one. That need not be the
//! smallest of all. But if the search ends before its budget does, the run shows nothing without any one of its
//! choices.

use crate::batch::FULL_CHECKS_UP_TO;
use crate::kept::Kept;
use crate::outcome::{FirstWrong, MergedFinding, Outcome, SHOWN};
use crate::run_id::RunId;
use crate::schedule::Schedule;
use crate::subject::Subject;
use crate::wrong::Wrong;
use emulator::{Observe, choice};

/// The limit of the attempts of a search.
const MAX_RUNS: u32 = 300;
/// Sizes to try, up to that of the run to shrink.
const SIZES: [usize; 22] = [1, 2, 3, 4, 5, 8, 12, 16, 24, 31, 32, 33, 40, 48, 64, 65, 96, 128, 192, 256, 512, 1024];
/// Seeds to try at each size, besides the run's own.
const SEEDS: u64 = 4;
/// The first launches of a run, whose choices can be kept; later launches run in order.
const LAUNCHES: u32 = 3;
/// The limit of the choices that a reader is shown in a replay token.
const MAX_READABLE: usize = 24;
/// The limit of the choices that are kept of a launch.
const MAX_CHOICES: u32 = 1 << 11;

/// The smallest run that was found, and why its answer was wrong. A run that shows a finding may have a right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smallest {
    pub run: RunId,
    pub wrong: Option<Wrong>,
}

impl Smallest {
    /// Returns true if no smaller run than the first one was found.
    pub fn is_same_as(&self, first: &FirstWrong) -> bool {
        self.run == first.run.clone().whole()
    }
}

/// Looks for a smaller run for each run of `outcome` that a reader is shown. `least` returns the smallest size to try
/// for a run of that many elements.
pub fn look_for_smaller(subject: &mut impl Subject, outcome: &mut Outcome, least: impl Fn(usize) -> usize) {
    // `None` for a size that the job does not support.
    let mut run = |attempt: &RunId| subject.run(&attempt.clone().batch(), Observe::default(), None);
    let why = |outcome: &Outcome| outcome.summary.first_wrong.as_ref().map(|first| first.why.clone());
    if let Some(FirstWrong { run: first, why: wrong }) = outcome.summary.first_wrong.clone()
        && !wrong.is_stopped()
        && first.size <= FULL_CHECKS_UP_TO
    {
        let least = least(first.size);
        let found = Smallest { run: first.whole(), wrong: Some(wrong) };
        outcome.smallest = Some(shrink(found, least, |attempt| {
            let wrong = why(&run(attempt)?).filter(|wrong| !wrong.is_stopped())?;
            Some(Smallest { run: attempt.clone(), wrong: Some(wrong) })
        }));
    }
    for merged in outcome.findings.iter_mut().take(SHOWN) {
        if !merged.finding.is_error() || merged.run.size > FULL_CHECKS_UP_TO {
            continue;
        }
        let found = Smallest { run: merged.run.clone().whole(), wrong: merged.wrong.clone() };
        let identity = merged.finding.identity();
        merged.smallest = Some(shrink(found, least(merged.run.size), |attempt| {
            let outcome = run(attempt)?;
            let shows = |other: &&MergedFinding| other.finding.is_error() && other.finding.identity() == identity;
            outcome.findings.iter().find(shows)?;
            Some(Smallest { run: attempt.clone(), wrong: why(&outcome) })
        }));
    }
}

/// Shrinks a run, down to at least `least` elements. `shows` makes an attempt, and returns `None` if that does not show
/// what `found` does.
fn shrink(found: Smallest, least: usize, shows: impl FnMut(&RunId) -> Option<Smallest>) -> Smallest {
    let mut search = SmallestSearch { best: found, left: MAX_RUNS, shows };
    search.reduce_size(least);
    search.reduce_choices();
    search.best
}

struct SmallestSearch<F> {
    /// The smallest run so far.
    best: Smallest,
    /// The number of attempts that are left.
    left: u32,
    shows: F,
}

impl<F: FnMut(&RunId) -> Option<Smallest>> SmallestSearch<F> {
    /// Makes an attempt. If it shows the same, it becomes the best run, and the result is true.
    fn accepts(&mut self, attempt: RunId) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let Some(smallest) = (self.shows)(&attempt) else { return false };
        self.best = smallest;
        true
    }

    /// Looks for the first size that shows the same, from the smallest up, then bisects. If there is none, tries the
    /// whole size in order.
    fn reduce_size(&mut self, least: usize) {
        let RunId { schedule, seed, size: whole, .. } = self.best.run;
        let mut too_small = None;
        let sizes = std::iter::once(least).chain(SIZES.into_iter().filter(|&size| size > least));
        for size in sizes.take_while(|&size| size < whole) {
            if self.accepts_size(schedule, seed, size) {
                return self.bisect_size(too_small);
            }
            too_small = Some(size);
        }
        if schedule != Schedule::InOrder {
            self.accepts(RunId::in_order(whole));
        }
    }

    /// Tries a size in order, then with the run's own seed, then with others.
    fn accepts_size(&mut self, schedule: Schedule, seed: u64, size: usize) -> bool {
        let with = |schedule, seed| RunId { schedule, seed, size, keep: None };
        if self.accepts(with(Schedule::InOrder, 0)) {
            return true;
        }
        match (schedule, schedule.takes_seed()) {
            (Schedule::InOrder, _) => false,
            (_, false) => self.accepts(with(schedule, 0)),
            (_, true) => {
                let others = (0..SEEDS).filter(|&other| other != seed);
                std::iter::once(seed).chain(others).any(|seed| self.accepts(with(schedule, seed)))
            }
        }
    }

    /// Bisects between a size that does not show the same and the best one.
    fn bisect_size(&mut self, too_small: Option<usize>) {
        let Some(mut too_small) = too_small else { return };
        while self.best.run.size - too_small > 1 {
            let size = too_small.midpoint(self.best.run.size);
            if !self.accepts(RunId { size, ..self.best.run.clone() }) {
                too_small = size;
            }
        }
    }

    /// Reduces the choices that are kept. If they remain too many to read, the run keeps all.
    fn reduce_choices(&mut self) {
        let whole = self.best.clone();
        self.minimize_choices();
        if self.best.run.keep.as_ref().and_then(Kept::numbers).is_some_and(|keep| keep.len() > MAX_READABLE) {
            self.best = whole;
        }
    }

    /// Finds how many first choices of each launch matter, then removes those of them that do not.
    fn minimize_choices(&mut self) {
        if !self.best.run.schedule.takes_seed() {
            return;
        }
        let from = self.best.run.clone().whole();
        let with = |keep: Vec<u64>| RunId { keep: Some(Kept::Numbers(keep)), ..from.clone() };
        // After so many choices in each launch, none matters.
        let mut count = 1;
        let mut keep = loop {
            let keep: Vec<u64> = (1..=LAUNCHES).flat_map(|l| (0..count).map(move |n| choice(l, n))).collect();
            if self.accepts(with(keep.clone())) {
                break keep;
            }
            count *= 2;
            if count > MAX_CHOICES {
                return;
            }
        };
        // Removes chunks of choices, of ever smaller size (delta debugging; Zeller and Hildebrandt, 2002).
        let mut chunk = keep.len().div_ceil(2);
        while self.left > 0 && !keep.is_empty() {
            let mut at = 0;
            let mut shrunk = false;
            while at < keep.len() {
                let end = (at + chunk).min(keep.len());
                let rest: Vec<u64> = keep[..at].iter().chain(&keep[end..]).copied().collect();
                if self.accepts(with(rest.clone())) {
                    keep = rest;
                    shrunk = true;
                } else {
                    at = end;
                }
            }
            if chunk == 1 && !shrunk {
                return;
            }
            chunk = chunk.div_ceil(2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrong::Mismatch;

    fn run(attempt: RunId) -> Smallest {
        Smallest { run: attempt, wrong: Some(Wrong::Answer(Mismatch::new("wrong"))) }
    }

    fn found(schedule: Schedule, seed: u64, size: usize) -> Smallest {
        run(RunId { schedule, seed, size, keep: None })
    }

    #[test]
    fn what_shows_in_order_needs_no_choices() {
        let shows = |attempt: &RunId| (attempt.size >= 30).then(|| run(attempt.clone()));
        for schedule in [Schedule::Random, Schedule::InOrder] {
            let result = shrink(found(schedule, 7, 4096), 1, shows);
            assert_eq!(result.run, RunId::in_order(30));
        }
    }

    #[test]
    fn between_two_sizes_the_search_goes_on() {
        for least in [129, 250, 251, 511, 512] {
            let shows = |attempt: &RunId| (attempt.size >= least).then(|| run(attempt.clone()));
            assert_eq!(shrink(found(Schedule::InOrder, 0, 4096), 1, shows).run.size, least);
        }
    }

    #[test]
    fn the_choices_that_matter_are_left() {
        let needed = [choice(1, 5), choice(1, 300)];
        let shows = |attempt: &RunId| {
            let keeps = |one: &u64| attempt.keep.as_ref().and_then(Kept::numbers).is_none_or(|keep| keep.contains(one));
            let shows = attempt.schedule == Schedule::Adversarial && attempt.size >= 2 && needed.iter().all(keeps);
            shows.then(|| Smallest {
                run: attempt.clone(),
                wrong: Some(Wrong::Answer(Mismatch::new(attempt.size.to_string()))),
            })
        };
        let result = shrink(found(Schedule::Adversarial, 9, 64), 1, shows);
        assert_eq!((result.run.size, result.run.seed, result.wrong), (2, 9, Some(Wrong::Answer(Mismatch::new("2")))));
        assert_eq!(result.run.keep.as_ref().and_then(Kept::numbers), Some(&needed[..]));
    }

    #[test]
    fn choices_that_are_too_many_to_read_are_not_told_one_by_one() {
        for (count, is_told) in [(MAX_READABLE as u64, true), (MAX_READABLE as u64 + 1, false)] {
            let shows = |attempt: &RunId| {
                let keeps = |number: u64| {
                    attempt
                        .keep
                        .as_ref()
                        .and_then(Kept::numbers)
                        .is_none_or(|keep| keep.contains(&choice(1, number as u32)))
                };
                let shows = attempt.schedule == Schedule::Adversarial && attempt.size >= 2 && (0..count).all(keeps);
                shows.then(|| run(attempt.clone()))
            };
            let result = shrink(found(Schedule::Adversarial, 9, 64), 1, shows);
            assert_eq!((result.run.size, result.run.keep.is_some()), (2, is_told), "{count}");
        }
    }

    #[test]
    fn a_search_ends_and_never_loses_what_it_has() {
        let mut runs = 0;
        let first = found(Schedule::Pct, 3, 64);
        let result = shrink(first.clone(), 1, |_| {
            runs += 1;
            None
        });
        assert_eq!(result, first);
        assert!(runs <= MAX_RUNS);
    }
}
