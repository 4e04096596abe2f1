//! The first run that fails, made smaller before it is shown.

use super::trial::{AnswerTrial, RunMistakes};
use crate::case::{Case, ScheduleAndSeed, token};
use crate::reason::Reason;
use crate::spec::Spec;
use crate::verdict::Verdict;
use emulator::finding::Slug;
use trial::Schedule;

/// Runs that making a failure smaller may take.
const SMALLER: u32 = 60;

/// Sizes among which the smallest is looked for after that: under the order that failed, and under any.
const SIZES: usize = 64;
const SIZES_ANY: usize = 10;

/// Instructions of threads that this may take, and what else is looked for: about a second each.
const SPENT: u64 = 10_000_000;

/// Runs that it may take where each ends when its fuel is spent.
const SMALLER_ENDLESS: u32 = 4;

impl<'a> AnswerTrial<'a> {
    /// A smaller run that goes wrong in the same way, and the verdict about it. An answer that was wrong stays wrong,
    /// since a finding beside a right one looks harmless.
    pub(super) fn smaller(
        &mut self,
        case: &Case,
        order: ScheduleAndSeed,
        wrong: RunMistakes,
    ) -> Result<Verdict, String> {
        let endless = wrong.kinds[0] == Reason::Finding(Slug::Livelock);
        let runs = self.runs;
        let spec: &'a Spec = &self.exercise.spec;
        let (order, wrong) = self.told_by_its_answer(case, order, wrong)?;
        let first = case.clone();
        let is_alike =
            |again: &RunMistakes| again.kinds[0] == wrong.kinds[0] && again.result.is_some() >= wrong.result.is_some();
        let mut again = |case: &Case| self.wrong(case, order).map(|again| again.filter(is_alike));
        let most = if endless { SMALLER_ENDLESS } else { SMALLER };
        let case = case.shrink(spec, |case| matches!(again(case), Ok(Some(_))), most);
        let (case, order) = if endless { (case, order) } else { self.smallest(case, order)? };
        for case in case.plainer() {
            if let Some(wrong) = self.wrong(&case, order)?.filter(is_alike) {
                let also = if endless { String::new() } else { self.also(first, order, &wrong)? };
                self.runs = runs;
                return self.rejected(&case, order, wrong, true, &also);
            }
        }
        Err(say!("run-not-the-same"))
    }

    /// The smallest run that goes wrong as this one does, for the same cause. Halving finds it only if every larger
    /// size fails as well: here sizes are tried one by one, with plain values too, then under other schedules.
    fn smallest(&mut self, case: Case, order: ScheduleAndSeed) -> Result<(Case, ScheduleAndSeed), String> {
        let spec: &'a Spec = &self.exercise.spec;
        let Some(shown) = self.wrong(&case, order)? else { return Ok((case, order)) };
        let most = self.instructions + SPENT;
        let mut fails = |case: &Case, order: ScheduleAndSeed| -> Result<bool, String> {
            if self.instructions >= most {
                return Ok(false);
            }
            let again = self.wrong(case, order)?;
            Ok(again
                .is_some_and(|again| again.way() == shown.way() && again.result.is_some() >= shown.result.is_some()))
        };
        let (mut case, mut order) = (case, order);
        for (name, size) in &spec.sizes {
            'sizes: for smaller in case.below(name, size, SIZES) {
                for plainer in smaller.plainer() {
                    if fails(&plainer, order)? {
                        case = plainer;
                        break 'sizes;
                    }
                }
            }
        }
        for (name, size) in &spec.sizes {
            'sizes: for smaller in case.below(name, size, SIZES_ANY) {
                for other in ScheduleAndSeed::all(spec, 0) {
                    if other != order && fails(&smaller, other)? {
                        (case, order) = (smaller, other);
                        break 'sizes;
                    }
                }
            }
        }
        Ok((case, order))
    }

    /// The first thing that goes wrong elsewhere and not in the run that is shown: in the first that failed, at the
    /// largest sizes, with special values.
    fn also(&mut self, first: Case, order: ScheduleAndSeed, shown: &RunMistakes) -> Result<String, String> {
        let (spec, in_order) = (&self.exercise.spec, ScheduleAndSeed { schedule: Schedule::InOrder, seed: 0 });
        let others = [Case::largest(spec)].into_iter().chain(Case::special(spec)).map(|case| (case, in_order));
        let most = self.instructions + SPENT;
        for (case, order) in [(first, order)].into_iter().chain(others) {
            if self.instructions >= most {
                break;
            }
            let other = self.at(&case)?.wrong(self, order)?;
            let is_new = |kind: &&Reason| **kind != Reason::Answer && !shown.kinds.contains(kind);
            if let Some(kind) = other.iter().flat_map(|other| &other.kinds).find(is_new) {
                let (command, name) = (&self.task.command, self.exercise.short());
                let replay = format!("{command} run {name} --replay {}", token(&case, order));
                return Ok(say!("another-run-shows", kind = kind.as_str(), replay) + "\n");
            }
        }
        Ok(String::new())
    }

    /// A failure of this kind that has a wrong answer, under another schedule, if there is one; else this failure.
    fn told_by_its_answer(
        &mut self,
        case: &Case,
        order: ScheduleAndSeed,
        wrong: RunMistakes,
    ) -> Result<(ScheduleAndSeed, RunMistakes), String> {
        if wrong.result.is_some() || wrong.outcome.fault.is_some() {
            return Ok((order, wrong));
        }
        let scene = self.at(case)?;
        for order in ScheduleAndSeed::all(&self.exercise.spec, 0) {
            if let Some(other) = scene.wrong(self, order)?
                && other.result.is_some()
                && other.kinds[0] == wrong.kinds[0]
            {
                return Ok((order, other));
            }
        }
        Ok((order, wrong))
    }
}
