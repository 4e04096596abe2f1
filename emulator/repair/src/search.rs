//! Which of the candidates holds: the smallest first, and two together where the first leaves something that the second
//! cures.

use finding::{Cause, Edit, Finding, Remedy};
use std::collections::VecDeque;

/// The results of runs of the changed kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum CandidateRuns {
    /// No finding, and a right answer where there is one to compare with.
    Nothing,
    /// Errors, or none and a wrong answer.
    Bad(Vec<Finding>),
    /// The remedy cannot be applied, or the changed kernel cannot be run.
    Unfit,
}

/// Runs a changed kernel.
pub trait CandidateRunner {
    /// Returns what may help against a finding.
    fn candidates(&mut self, finding: &Finding) -> Vec<Remedy>;
    /// Returns what may help where no candidate does, or where a wrong answer has no finding.
    fn guesses(&mut self, _: Option<&Finding>) -> Vec<Remedy> {
        Vec::new()
    }
    /// Returns what has fixed this before, with no edit too many: it is tried first, and as any other.
    fn known(&mut self, _: Option<&Finding>, _: &[Remedy]) -> Vec<Remedy> {
        Vec::new()
    }
    /// Returns true if this takes no compiler: then it is tried before what does.
    fn is_quick(&self, _: &Remedy) -> bool {
        true
    }
    /// From now on all are compiled: a compiler may put a barrier elsewhere than a change of the PTX does. False if
    /// nothing can be.
    fn compiles_all(&mut self) -> bool {
        false
    }
    /// These are tried next, unless one before them holds.
    fn expect(&mut self, _: &[Remedy]) {}
    /// A few runs, those among them that showed the finding.
    fn look(&mut self, remedy: &Remedy) -> CandidateRuns;
    /// All runs, and the changed source where it can be compiled: true if nothing is left.
    fn holds(&mut self, remedy: &Remedy) -> bool;
    /// Returns the findings of the last trial that did not hold, where they are known.
    fn shown_last(&mut self) -> Vec<Finding> {
        Vec::new()
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    pub remedy: Option<Remedy>,
    /// Remedies that were run.
    pub tried: usize,
}

/// Remedies that a search runs at most: they are many where a kernel has many lines, and a student waits.
const TRIES: usize = 48;
/// Those that are run again from the compiler's PTX, and guesses: most of them are in vain.
const MORE: usize = 24;
/// Whole trials: all but the last have failed under a schedule that the few runs do not have.
const WHOLE: usize = 4;
/// Candidates joined to one remedy.
const JOINED: usize = 3;

/// Looks for what fixes `finding`, or a wrong answer without one.
pub fn search(finding: Option<&Finding>, trial: &mut impl CandidateRunner) -> Searched {
    let mut found = Searched { remedy: None, tried: 0 };
    let candidates = finding.map_or_else(Vec::new, |finding| trial.candidates(finding));
    for remedy in trial.known(finding, &candidates) {
        found.tried += 1;
        if trial.look(&remedy) == CandidateRuns::Nothing && trial.holds(&remedy) {
            return Searched { remedy: Some(remedy), ..found };
        }
    }
    if let Some(finding) = finding {
        let is_moved = |edit: &Edit| matches!(edit, Edit::InsertBarrier { .. } | Edit::SplitUpdate { .. });
        let again = |remedy: &&Remedy| trial.is_quick(remedy) && remedy.iter().any(is_moved);
        let quick: Vec<Remedy> = candidates.iter().filter(again).cloned().collect();
        try_in_turn(candidates, (TRIES, Some(finding)), trial, &mut found);
        if found.remedy.is_none() && !quick.is_empty() && trial.compiles_all() {
            try_in_turn(quick, (MORE, Some(finding)), trial, &mut found);
        }
    }
    if found.remedy.is_none() {
        let guesses = trial.guesses(finding);
        try_in_turn(guesses, (MORE, None), trial, &mut found);
    }
    found
}

/// Tries these remedies in turn. A finding that is left of `finding` after one of them may be cured by another one.
fn try_in_turn(
    mut known: Vec<Remedy>,
    (most, finding): (usize, Option<&Finding>),
    trial: &mut impl CandidateRunner,
    found: &mut Searched,
) {
    // A remedy that leaves something out waits for all that a compiler makes.
    known.sort_by_cached_key(|remedy| match remedy.first() {
        Some(Edit::Guard { .. }) => 1,
        _ => u8::from(!trial.is_quick(remedy)),
    });
    trial.expect(&known);
    let mut queue: VecDeque<(Remedy, usize)> = known.iter().cloned().map(|one| (one, 1)).collect();
    let (mut tried, mut whole) = (0, 0);
    while let Some((remedy, joined)) = queue.pop_front().filter(|_| tried < most && whole < WHOLE) {
        let left = match trial.look(&remedy) {
            CandidateRuns::Unfit => continue,
            CandidateRuns::Nothing => {
                whole += 1;
                if trial.holds(&remedy) {
                    found.tried += tried + 1;
                    // The second of two alone may do where the compiler sees it.
                    if joined > 1 {
                        trial.compiles_all();
                    }
                    found.remedy = Some(least(remedy, trial));
                    return;
                }
                trial.shown_last()
            }
            CandidateRuns::Bad(left) => left,
        };
        tried += 1;
        // The finding is gone, or has another cause now: the rest may be cured too.
        let is_other = |next: &&Finding| joined < JOINED && finding.is_some_and(|finding| !is_same(next, finding));
        let Some(next) = left.first().filter(is_other) else { continue };
        let (from, room) = (known.len(), (most - tried).saturating_sub(queue.len()));
        for more in trial.candidates(next) {
            let both: Remedy = remedy.iter().chain(&more).cloned().collect();
            if !more.iter().any(|edit| remedy.contains(edit)) && !known.contains(&both) {
                known.push(both.clone());
                queue.push_back((both, joined + 1));
            }
        }
        trial.expect(&known[from..known.len().min(from + room)]);
    }
    found.tried += tried;
}

/// Without the edits that it holds without. A barrier that goes because threads part around it stays gone: alone in its
/// branch it may do no harm here, and is no less wrong.
fn least(mut remedy: Remedy, trial: &mut impl CandidateRunner) -> Remedy {
    let mut at = 0;
    while at < remedy.len() && remedy.len() > 1 {
        let mut fewer = remedy.clone();
        let is_kept = matches!(fewer.remove(at), Edit::RemoveBarrier { .. });
        match !is_kept && trial.look(&fewer) == CandidateRuns::Nothing && trial.holds(&fewer) {
            true => remedy = fewer,
            false => at += 1,
        }
    }
    remedy
}

/// The same cause in the same lines, in the order of the run: after a barrier between a write and a read, the read and
/// the next iteration's write are another.
fn is_same(one: &Finding, other: &Finding) -> bool {
    let lines = |finding: &Finding| -> Vec<_> {
        finding.accesses.iter().filter_map(|access| access.location.clone()).collect()
    };
    let side = |finding: &Finding| match &finding.cause {
        Cause::OutOfBounds { side, .. } | Cause::OutsideArray { side, .. } => Some(*side),
        _ => None,
    };
    (one.slug, one.cause.key(), side(one), lines(one)) == (other.slug, other.cause.key(), side(other), lines(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::{BarrierKind, Position, Severity, Slug, SourceLocation, Where};

    fn at(line: u32) -> SourceLocation {
        SourceLocation { file: "kernel.cu".into(), line, column: 1 }
    }

    fn barrier(line: u32) -> Remedy {
        vec![Edit::InsertBarrier { barrier: BarrierKind::Block, at: Position::Before { at: at(line) } }]
    }

    fn finding(slug: Slug) -> Finding {
        Finding {
            slug,
            severity: Severity::Error,
            kernel: "k".into(),
            accesses: Vec::new(),
            headline: None,
            place: Where::Nowhere,
            cause: Cause::CountsDiffer,
            remedies: Vec::new(),
            count: 1,
        }
    }

    /// A kernel that is right with the barriers of all `needed` lines.
    struct Kernel {
        needed: Vec<u32>,
        lucky: Option<u32>,
        looked: usize,
        known: Vec<Remedy>,
    }

    fn kernel(needed: &[u32], lucky: Option<u32>) -> Kernel {
        Kernel { needed: needed.to_vec(), lucky, looked: 0, known: Vec::new() }
    }

    impl Kernel {
        fn left(&self, remedy: &Remedy) -> Vec<u32> {
            self.needed.iter().copied().filter(|line| !remedy.contains(&barrier(*line)[0])).collect()
        }
    }

    impl CandidateRunner for Kernel {
        fn candidates(&mut self, _: &Finding) -> Vec<Remedy> {
            (1..=6).map(barrier).collect()
        }

        fn known(&mut self, _: Option<&Finding>, _: &[Remedy]) -> Vec<Remedy> {
            self.known.clone()
        }

        fn look(&mut self, remedy: &Remedy) -> CandidateRuns {
            self.looked += 1;
            match self.left(remedy).len() {
                _ if self.lucky.is_some_and(|line| *remedy == barrier(line)) => CandidateRuns::Nothing,
                0 => CandidateRuns::Nothing,
                left if left < self.needed.len() => CandidateRuns::Bad(vec![finding(Slug::Deadlock)]),
                _ => CandidateRuns::Bad(vec![finding(Slug::RaceShared)]),
            }
        }

        fn holds(&mut self, remedy: &Remedy) -> bool {
            self.left(remedy).is_empty()
        }

        fn shown_last(&mut self) -> Vec<Finding> {
            vec![finding(Slug::Deadlock)]
        }
    }

    fn found(needed: &[u32], lucky: Option<u32>) -> Searched {
        search(Some(&finding(Slug::RaceShared)), &mut kernel(needed, lucky))
    }

    #[test]
    fn one_that_holds_is_taken_and_two_where_one_is_not_enough() {
        assert_eq!(found(&[3], None), Searched { remedy: Some(barrier(3)), tried: 3 });
        let both = found(&[2, 5], None).remedy.expect("two barriers");
        assert!(both.len() == 2 && both.contains(&barrier(2)[0]) && both.contains(&barrier(5)[0]), "{both:?}");
    }

    #[test]
    fn what_fixed_it_before_is_tried_first_and_no_more_believed() {
        for (known, tried) in [(vec![barrier(5)], 1), (vec![barrier(1)], 6)] {
            let mut kernel = Kernel { known, ..kernel(&[5], None) };
            let found = search(Some(&finding(Slug::RaceShared)), &mut kernel);
            assert_eq!(found, Searched { remedy: Some(barrier(5)), tried });
        }
    }

    #[test]
    fn luck_in_a_few_runs_is_not_enough() {
        assert_eq!(found(&[4], Some(1)).remedy, Some(barrier(4)));
        // The findings of the whole trial are cured too.
        let both = found(&[2, 5], Some(2)).remedy.expect("two barriers");
        assert_eq!(both, [barrier(2), barrier(5)].concat());
    }

    #[test]
    fn a_barrier_that_goes_stays_gone() {
        let removed = vec![Edit::RemoveBarrier { at: at(9) }, barrier(3)[0].clone()];
        let mut kernel = kernel(&[3], None);
        assert_eq!(least(removed.clone(), &mut kernel), removed);
        let both = [barrier(5), barrier(3)].concat();
        assert_eq!(least(both, &mut kernel), barrier(3));
    }

    #[test]
    fn a_search_ends() {
        assert_eq!(found(&[7], None), Searched { remedy: None, tried: 6 });
        assert!(found(&[1, 2, 3, 4, 7], None).tried <= TRIES);
    }
}
