//! Outcomes that are allowed and that no interleaving of the threads explains.

use crate::axioms::{ordered, permutations};
use crate::model::Execution;
use crate::outcome::Outcome;
use crate::program::{Does, PLACES, Program};
use emulator::explore::relation::Relation;

/// Such outcomes of a program of loads, stores, exchanges and looks, that an executor can show which runs each thread
/// in program order.
pub fn weak_outcomes(program: &Program) -> Vec<Outcome> {
    // The values that each read may read, and that each place may hold at the end.
    let values = |place: usize, but: usize| -> Vec<u32> {
        let mut values = vec![0];
        for (_, event) in
            program.events.iter().enumerate().filter(|(number, event)| *number != but && event.place == place)
        {
            if let Does::Store(value) | Does::Exchange(value) = event.does {
                values.push(value);
            }
        }
        values
    };
    let reads: Vec<usize> = program.seen().collect();
    let lists: Vec<Vec<u32>> = reads
        .iter()
        .map(|&read| values(program.events[read].place, read))
        .chain((0..PLACES).map(|place| values(place, usize::MAX)))
        .collect();
    let mut outcomes = vec![Outcome { registers: vec![0; program.events.len()], memory: [0; PLACES] }];
    for (at, list) in lists.iter().enumerate() {
        let with = |outcome: &Outcome, value: u32| {
            let mut outcome = outcome.clone();
            match reads.get(at) {
                Some(&read) => outcome.registers[read] = value,
                None => outcome.memory[at - reads.len()] = value,
            }
            outcome
        };
        outcomes = outcomes.iter().flat_map(|outcome| list.iter().map(|&value| with(outcome, value))).collect();
    }
    outcomes.retain(|outcome| {
        let executions = outcome.executions(program);
        let in_order = |execution: &Execution| {
            let reads_from = Relation::of(execution.len(), |a, b| execution.source[b] == Some(a));
            execution.program_order().or(&reads_from)
        };
        let is_interleaved = |(execution, last): &(Execution, [Option<usize>; PLACES])| {
            is_interleaving(execution, &in_order(execution), last, 0)
        };
        let is_weak = |(execution, last): &(Execution, [Option<usize>; PLACES])| {
            in_order(execution).closed().is_irreflexive()
                && ordered(execution).iter().any(|ordered| ordered.is_valid(*last).is_ok())
        };
        executions.iter().any(is_weak) && !executions.iter().any(is_interleaved)
    });
    outcomes
}

/// Sequential consistency: program order, reads-from, coherence and from-reads, of all places together, make no cycle.
fn is_interleaving(execution: &Execution, before: &Relation, last: &[Option<usize>; PLACES], place: usize) -> bool {
    if place == PLACES {
        return before.clone().closed().is_irreflexive();
    }
    let all = execution.memory_at(place);
    let writes: Vec<usize> = all.iter().copied().filter(|&event| execution.writes[event]).collect();
    let mut found = false;
    permutations(&writes, &mut |order| {
        if found || order.last().copied() != last[place] {
            return;
        }
        let number = |write: Option<usize>| order.iter().position(|other| Some(*other) == write).map_or(0, |at| at + 1);
        let mut with = before.clone();
        for &write in order {
            for &other in all.iter().filter(|&&other| other != write) {
                let is_write = execution.writes[other];
                let reads = execution.program.events[other].reads();
                if is_write && number(Some(other)) < number(Some(write))
                    || reads && number(execution.source[other]) < number(Some(write))
                {
                    with.add(other, write);
                }
            }
        }
        found = is_interleaving(execution, &with, last, place + 1);
    });
    found
}
