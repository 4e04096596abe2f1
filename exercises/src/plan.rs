//! The runs of a verdict: the inputs that are tried, and the schedules for each.
//!
//! If all accesses are weak, a result that depends on the schedule comes from a data race, which any schedule shows
//! that makes both accesses. Strong accesses (atomic, volatile) do not race, so their bugs show in some schedules only.
//! An answer that has any is run under more schedules at each edge of the sizes: as many as a bound on instructions
//! allows. Small launches get most of them, and those are where drawn inputs are rare.

use crate::case::{Case, ScheduleAndSeed};
use crate::edges;
use crate::spec::Spec;
use trial::Schedule;

/// Parts of the sizes' ranges, from each of which one size is tried.
const PARTS: usize = 12;

/// Schedules for each special input: it is the values that are tried. Without strong accesses the first will do.
const FOR_SPECIAL: [Schedule; 2] = [Schedule::InOrder, Schedule::Adversarial];

/// Thread instructions that further schedules of one edge may take.
const INSTRUCTIONS: u64 = 1 << 16;

/// Further schedules of an edge, at most.
const MOST_RUNS: u64 = 10;

/// Further schedules by turns: `adversarial` finds an update that is lost between two atomic operations in one run of
/// five, `pct` a thread that is far behind.
const SEARCHING: [Schedule; 4] = [Schedule::Adversarial, Schedule::Adversarial, Schedule::Pct, Schedule::Adversarial];

/// The runs of a verdict on one exercise.
pub struct Plan {
    /// Drawn inputs and special ones, with the schedules of each.
    pub inputs: Vec<(Case, Vec<ScheduleAndSeed>)>,
    /// The number of drawn inputs; they come first.
    pub drawn: usize,
    /// Edges of the sizes, with the schedules that each answer is run under there.
    pub edges: Vec<(Case, Vec<ScheduleAndSeed>)>,
    /// Sizes all over their ranges, run in order: what is wrong in a window between edges shows here.
    pub spread: Vec<Case>,
}

impl Plan {
    pub fn new(spec: &Spec) -> Plan {
        let (cases, special) = (Case::draw(spec), Case::special(spec));
        let drawn = cases.len();
        let with_orders = |(number, case): (usize, Case)| {
            let mut orders = ScheduleAndSeed::all(spec, number);
            if number >= drawn {
                let first = |schedule| orders.iter().copied().find(|order| order.schedule == schedule);
                orders = FOR_SPECIAL.into_iter().filter_map(first).collect();
            }
            (case, orders)
        };
        let inputs = cases.into_iter().chain(special).enumerate().map(with_orders).collect();
        let edges = edges::cases(spec).into_iter().enumerate();
        let edges = edges.map(|(number, case)| (case, at_edge(number))).collect();
        Plan { inputs, drawn, edges, spread: Case::spread(spec, PARTS) }
    }

    /// Schedules for the input with this number of an answer with strong accesses or without.
    pub fn orders(&self, number: usize, is_strong: bool) -> &[ScheduleAndSeed] {
        let (_, orders) = &self.inputs[number];
        let is_first_enough = number >= self.drawn && !is_strong;
        if is_first_enough { &orders[..1] } else { orders }
    }

    /// Schedules for each special input.
    pub fn for_special(&self, is_strong: bool) -> usize {
        if self.inputs.len() == self.drawn { 0 } else { self.orders(self.drawn, is_strong).len() }
    }

    /// Schedules for each edge, at least, of an answer with strong accesses or without.
    pub fn for_edge(&self, is_strong: bool) -> usize {
        self.edges.first().map_or(0, |(_, orders)| orders.iter().filter(|order| is_needed(order, is_strong)).count())
    }
}

/// True for a schedule that edges are tried under. Without strong accesses two will do, of which one splits warps: a
/// race shows in any.
pub fn is_needed(order: &ScheduleAndSeed, is_strong: bool) -> bool {
    is_strong || matches!(order.schedule, Schedule::InOrder | Schedule::Adversarial)
}

/// Returns the first schedules for an edge of the sizes: both fixed ones and a seed of each that searches. Seeds
/// differ between edges.
fn at_edge(number: usize) -> Vec<ScheduleAndSeed> {
    let seed = number as u64 * (MOST_RUNS + 1);
    let fixed = [Schedule::InOrder, Schedule::Reverse].map(|schedule| ScheduleAndSeed { schedule, seed: 0 });
    let searching = [Schedule::Adversarial, Schedule::Pct].map(|schedule| ScheduleAndSeed { schedule, seed });
    fixed.into_iter().chain(searching).collect()
}

/// Returns further schedules for an edge where one run takes `instructions`, for an answer with strong accesses.
pub fn more_at_edge(number: usize, instructions: u64) -> impl Iterator<Item = ScheduleAndSeed> {
    let runs = (INSTRUCTIONS / instructions.max(1)).min(MOST_RUNS);
    let first = number as u64 * (MOST_RUNS + 1) + 1;
    (0..runs).map(move |run| ScheduleAndSeed { schedule: SEARCHING[run as usize % SEARCHING.len()], seed: first + run })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn small_launches_get_more_schedules_and_no_run_comes_twice() {
        let count = |instructions| more_at_edge(3, instructions).count();
        assert_eq!((count(0), count(100), count(INSTRUCTIONS / 4), count(2 * INSTRUCTIONS)), (10, 10, 4, 0));
        let all = (0..4).flat_map(|number| at_edge(number).into_iter().skip(2).chain(more_at_edge(number, 1)));
        let all: Vec<String> = all.map(|order| order.to_string()).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }
}
