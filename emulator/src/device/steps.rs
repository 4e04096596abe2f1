//! An execution as a list of steps, for a person to follow; and the simplest one of many.

use explore::{EventId, Execution, Interleaving, Location, ThreadPlace, Visited};
use finding::SourceLocation;

/// Steps of an execution that is listed, at most.
const MOST_STEPS: usize = 24;

/// An execution as a list of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct ExecutionSteps {
    /// Each read reads the latest write of a step before it.
    pub sequential: bool,
    /// Threads wait for ever after the last step.
    pub endless: bool,
    /// A thread traps after its last step, or its assertion fails.
    pub trapped: bool,
    pub steps: Vec<ExecutionStep>,
}

/// An event that other threads see.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct ExecutionStep {
    pub block: u64,
    pub thread: u32,
    /// Absent where the PTX has no lines.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub file: Option<String>,
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub line: Option<u32>,
    #[cfg_attr(feature = "json", serde(flatten))]
    pub kind: StepKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(tag = "does", rename_all = "kebab-case"))]
pub enum StepKind {
    Read {
        word: String,
        value: WordValue,
    },
    Write {
        word: String,
        value: WordValue,
    },
    /// An atomic operation. Without a value it has written nothing.
    Update {
        word: String,
        found: WordValue,
        value: Option<WordValue>,
    },
    Fence,
    Barrier,
}

/// The value of a word, its bits taken as an integer with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(transparent))]
pub struct WordValue(pub i64);

/// An execution that may be shown.
pub struct ExecutionSketch {
    rank: ExecutionRank,
    interleaving: Interleaving,
}

/// The rank of an execution as a demonstration. The least is the best.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExecutionRank {
    has_proof: std::cmp::Reverse<bool>,
    is_sequential: std::cmp::Reverse<bool>,
    steps: usize,
    /// Changes of thread.
    switches: usize,
    /// Tells apart executions that are equal in all else: the events in order, and the source of each.
    events: Vec<(EventId, Option<EventId>)>,
}

impl ExecutionSketch {
    /// Returns an execution in an order of its steps. `None` if it is too long to be followed. `has_proof` is true if
    /// its answer or its end alone shows that it is wrong.
    pub fn of(visited: &Visited, has_proof: bool) -> Option<ExecutionSketch> {
        let execution = visited.execution;
        if execution.is_empty() || execution.len() > MOST_STEPS {
            return None;
        }
        let interleaving = Interleaving::of(execution, visited.coherence);
        let source = |event: usize| execution.source[event].map(|write| execution.ids[write]);
        let rank = ExecutionRank {
            has_proof: std::cmp::Reverse(has_proof),
            is_sequential: std::cmp::Reverse(interleaving.is_sequential),
            steps: execution.len(),
            switches: interleaving.switches(execution),
            events: interleaving.events.iter().map(|&event| (execution.ids[event], source(event))).collect(),
        };
        Some(ExecutionSketch { rank, interleaving })
    }

    pub fn rank(&self) -> &ExecutionRank {
        &self.rank
    }

    /// Returns its steps. `initial` gives the value that a location has before the launch.
    pub fn steps(
        &self,
        visited: &Visited,
        initial: &dyn Fn(Location) -> u64,
        line: &dyn Fn(EventId) -> Option<SourceLocation>,
    ) -> ExecutionSteps {
        let execution = visited.execution;
        let mut words = Words::default();
        let steps = self.interleaving.events.iter().map(|&event| {
            let ThreadPlace { block, thread } = execution.place(event);
            let line = line(execution.ids[event]);
            let kind = kind(execution, event, initial, &mut words);
            ExecutionStep {
                block,
                thread,
                file: line.as_ref().map(|it| it.file.clone()),
                line: line.map(|it| it.line),
                kind,
            }
        });
        let (sequential, endless) = (self.interleaving.is_sequential, visited.is_deadlock);
        ExecutionSteps { sequential, endless, trapped: false, steps: steps.collect() }
    }

    /// Returns the events in order, each with the number of writes between the one that it reads and it. `None` if
    /// threads wait for ever, or a read comes before its write.
    pub fn distances(&self, visited: &Visited) -> Option<impl Iterator<Item = (usize, usize)> + '_> {
        let distances = self.interleaving.distances(visited.execution).filter(|_| !visited.is_deadlock)?;
        Some(self.interleaving.events.iter().copied().zip(distances))
    }
}

/// Names for locations, in the order in which they are first accessed.
#[derive(Default)]
struct Words(Vec<Location>);

impl Words {
    fn name(&mut self, location: Location) -> String {
        let known = self.0.iter().position(|other| *other == location);
        let number = known.unwrap_or_else(|| {
            self.0.push(location);
            self.0.len() - 1
        });
        let letter = char::from(b'A' + (number % 26) as u8);
        if location.block.is_some() { format!("shared {letter}") } else { letter.to_string() }
    }
}

fn kind(execution: &Execution, event: usize, initial: &dyn Fn(Location) -> u64, words: &mut Words) -> StepKind {
    let action = &execution.actions[event];
    let Some(location) = action.location() else {
        return if action.is_fence() { StepKind::Fence } else { StepKind::Barrier };
    };
    let word = words.name(location);
    let source = execution.source[event];
    let found = source.map_or_else(|| initial(location), |write| execution.actions[write].written().unwrap_or(0));
    let value = |value| WordValue::of(value, location.bytes);
    match action.written().map(value) {
        written if action.is_update() => StepKind::Update { word, found: value(found), value: written },
        Some(value) => StepKind::Write { word, value },
        None => StepKind::Read { word, value: value(found) },
    }
}

impl WordValue {
    fn of(value: u64, bytes: u32) -> WordValue {
        let unused = 64 - 8 * bytes.min(8);
        WordValue(((value << unused) as i64) >> unused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_named_in_order_and_tell_shared_memory() {
        let at = |block, address| Location { block, address, bytes: 4 };
        let mut words = Words::default();
        let names = [at(None, 8), at(Some(0), 8), at(None, 8)].map(|location| words.name(location));
        assert_eq!(names, ["A", "shared B", "A"]);
    }

    #[test]
    fn the_sign_of_a_word_is_that_of_its_size() {
        let values =
            [(0xffff_fffb, 4), (0xffff_fffb, 8), (0x80, 1)].map(|(value, bytes)| WordValue::of(value, bytes).0);
        assert_eq!(values, [-5, 0xffff_fffb, -128]);
    }
}
