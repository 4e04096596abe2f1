//! Outcomes of runs, and the executions that explain them.

use crate::model::Execution;
use crate::program::{Does, PLACES, Program};

/// Values of the registers, by event, and of the places at the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    pub registers: Vec<u32>,
    pub memory: [u32; PLACES],
}

impl Outcome {
    fn writes(&self, program: &Program, event: usize) -> bool {
        match program.events[event].does {
            Does::Load | Does::Fence | Does::Barrier | Does::WarpBarrier => false,
            Does::Swap(expected, _) => self.registers[event] == expected,
            _ => true,
        }
    }

    /// Each execution with this outcome, and the write (`None`: the initial value) that each place ends with. Values
    /// say what was read, but for a `red`: it may have read any write of its place. And where a value was looked at,
    /// the look may be what has been read. An outcome with values from nowhere has none.
    pub fn executions<'a>(&self, program: &'a Program) -> Vec<(Execution<'a>, [Option<usize>; PLACES])> {
        let writes: Vec<bool> = (0..program.events.len()).map(|event| self.writes(program, event)).collect();
        let hidden = |event: &usize| matches!(program.events[*event].does, Does::Reduce(_));
        let hidden: Vec<usize> = (0..program.events.len()).filter(hidden).collect();
        let mut choices = vec![vec![None; program.events.len()]];
        for &reduce in &hidden {
            let of_place = |write: &usize| program.events[*write].place == program.events[reduce].place;
            let sources = (0..program.events.len()).filter(|write| *write != reduce && writes[*write]).filter(of_place);
            let sources: Vec<Option<usize>> = std::iter::once(None).chain(sources.map(Some)).collect();
            let with = |choice: Vec<Option<usize>>| {
                let with = |&source: &Option<usize>| {
                    let mut choice = choice.clone();
                    choice[reduce] = source;
                    choice
                };
                sources.iter().map(with).collect::<Vec<_>>()
            };
            choices = choices.into_iter().flat_map(with).collect();
        }
        choices.into_iter().flat_map(|source| self.explain(program, &writes, source).unwrap_or_default()).collect()
    }

    fn explain<'a>(
        &self,
        program: &'a Program,
        writes: &[bool],
        source: Vec<Option<usize>>,
    ) -> Option<Vec<(Execution<'a>, [Option<usize>; PLACES])>> {
        let mut values = vec![0; program.events.len()];
        for write in (0..program.events.len()).filter(|&event| writes[event]) {
            values[write] = self.value(program, &source, write, program.events.len())?;
        }
        // The writes of a place with that value; 0 is the initial one.
        let find = |place: usize, value: u32, but: Option<usize>| {
            let is_it = |&write: &usize| {
                writes[write] && program.events[write].place == place && values[write] == value && Some(write) != but
            };
            let found = (0..program.events.len()).filter(is_it).map(Some);
            (value == 0).then_some(None).into_iter().chain(found).collect::<Vec<Option<usize>>>()
        };
        let mut all = vec![(source, [None; PLACES])];
        for event in program.seen() {
            let found = find(program.events[event].place, self.registers[event], Some(event));
            all = each_with(&all, &found, |(source, _), from| source[event] = from);
        }
        for place in 0..PLACES {
            let found = find(place, self.memory[place], None);
            all = each_with(&all, &found, |(_, last), from| last[place] = from);
        }
        // Looks that have read from each other in a circle have read nothing.
        all.retain(|(source, _)| {
            (0..source.len()).all(|event| {
                std::iter::successors(source[event], |&from| source[from]).take(source.len() + 1).count()
                    <= source.len()
            })
        });
        let execution = |(source, last)| (Execution { program, source, writes: writes.to_vec() }, last);
        Some(all.into_iter().map(execution).collect())
    }

    /// Returns the value that an event writes; `None` where reductions would read in a circle.
    fn value(&self, program: &Program, source: &[Option<usize>], write: usize, most: usize) -> Option<u32> {
        match program.events[write].does {
            Does::Store(value) | Does::Exchange(value) | Does::Swap(_, value) => Some(value),
            Does::Add(bit) => Some(self.registers[write].wrapping_add(bit)),
            Does::Look => Some(self.registers[write]),
            Does::Reduce(bit) => {
                let read = match source[write] {
                    Some(from) => self.value(program, source, from, most.checked_sub(1)?)?,
                    None => 0,
                };
                Some(read.wrapping_add(bit))
            }
            _ => None,
        }
    }
}

/// Each of `all` with each of `found`.
fn each_with<T: Clone>(all: &[T], found: &[Option<usize>], set: impl Fn(&mut T, Option<usize>)) -> Vec<T> {
    let with = |one: &T, &from: &Option<usize>| {
        let mut one = one.clone();
        set(&mut one, from);
        one
    };
    all.iter().flat_map(|one| found.iter().map(|from| with(one, from)).collect::<Vec<_>>()).collect()
}
