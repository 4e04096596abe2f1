//! The simplest wrong execution of a kernel, as a list of steps.

use emulator::ThreadTurn;
use emulator::explore::launch::GivenRun;
use emulator::explore::{Interleaving, Location, ThreadPlace, Visited};
use serde::Serialize;
use std::sync::Arc;

/// Steps of an execution that is told, at most.
const MOST_STEPS: usize = 24;
/// Values farther from 0 are written in hexadecimal: most are bits of floating-point numbers.
const MOST_DECIMAL: u64 = 1 << 24;

/// The rank of an execution as a demonstration, best first: by its answer or end, by an order of its steps, by few of
/// them, and by few changes of thread.
type Rank = (bool, bool, usize, usize);

/// A wrong execution.
#[derive(Clone, Debug, Serialize)]
pub struct WrongExecution {
    #[serde(skip)]
    rank: Rank,
    /// Each read reads the latest write of a step before it.
    sequential: bool,
    /// Threads wait for ever after the last step.
    endless: bool,
    /// Threads of the launch in several blocks: each step tells its block.
    #[serde(skip)]
    has_blocks: bool,
    steps: Vec<Step>,
    /// The turns of its threads, if it ends, and each read comes after the write that it reads.
    #[serde(skip)]
    pub turns: Vec<ThreadTurn>,
    /// The token of a run that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// An event that other threads see.
#[derive(Clone, Debug, Serialize)]
struct Step {
    block: u64,
    thread: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(flatten)]
    does: Does,
}

/// The value of a word, its bits taken as an integer with a sign.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
struct Number(i64);

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "does", rename_all = "kebab-case")]
enum Does {
    Read { word: String, value: Number },
    Write { word: String, value: Number },
    Update { word: String, found: Number, value: Option<Number> },
    Fence,
    Barrier,
}

impl WrongExecution {
    /// Returns an execution that is simpler than `best`. `again` makes its run once more, and `initial` gives the value
    /// that a location has before the launch. `shows` is true if its end or its answer is wrong for certain.
    pub fn simpler(
        visited: &Visited,
        shows: bool,
        best: Option<&WrongExecution>,
        initial: &dyn Fn(Location) -> u64,
        again: impl FnOnce() -> Arc<GivenRun>,
    ) -> Option<WrongExecution> {
        let execution = visited.execution;
        if execution.is_empty() || execution.len() > MOST_STEPS {
            return None;
        }
        let interleaving = Interleaving::of(execution, visited.coherence);
        let rank = (!shows, !interleaving.is_sequential, execution.len(), interleaving.switches(execution));
        if best.is_some_and(|best| best.rank <= rank) {
            return None;
        }
        let run = again();
        let mut words = Words::default();
        let steps = interleaving.events.iter().map(|&event| {
            let ThreadPlace { block, thread } = execution.place(event);
            let line = run.line(execution.ids[event]);
            let does = does(visited, event, initial, &mut words);
            Step { block, thread, file: line.as_ref().map(|it| it.file.clone()), line: line.map(|it| it.line), does }
        });
        let has_blocks = execution.threads.iter().any(|place| place.block > 0);
        let (sequential, endless) = (interleaving.is_sequential, visited.is_deadlock);
        let (steps, distances) = (steps.collect(), interleaving.distances(execution).filter(|_| !endless));
        let events = interleaving.events.iter().zip(distances.unwrap_or_default());
        let turn = |(&event, back): (&usize, usize)| run.turn(execution.ids[event], execution.place(event), back);
        let turns = events.map_while(turn).collect();
        Some(WrongExecution { rank, sequential, endless, has_blocks, steps, turns, replay: None })
    }

    /// Returns a line for each step, and a sentence where no order of the steps explains them.
    pub fn text(&self) -> Vec<String> {
        let places: Vec<String> = self.steps.iter().map(|step| step.place(self.has_blocks)).collect();
        let lines: Vec<String> = self.steps.iter().map(Step::line).collect();
        let width = |all: &[String]| all.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let (first, second) = (width(&places), width(&lines));
        let steps = self.steps.iter().zip(places.iter().zip(&lines));
        let mut text: Vec<String> = steps
            .map(|(step, (place, line))| format!("    {place:<first$}  {line:<second$}  {}", step.does.text()))
            .collect();
        if self.endless {
            text.push(format!("    {}", say!("execution-endless")));
        }
        if !self.sequential {
            text.push(format!("    {}", say!("execution-weak")));
        }
        text
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

fn does(visited: &Visited, event: usize, initial: &dyn Fn(Location) -> u64, words: &mut Words) -> Does {
    let execution = visited.execution;
    let action = &execution.actions[event];
    let Some(location) = action.location() else {
        return if action.is_fence() { Does::Fence } else { Does::Barrier };
    };
    let word = words.name(location);
    let source = execution.source[event];
    let found = source.map_or_else(|| initial(location), |write| execution.actions[write].written().unwrap_or(0));
    let number = |value| Number::of(value, location.bytes);
    match action.written().map(number) {
        value if action.is_update() => Does::Update { word, found: number(found), value },
        Some(value) => Does::Write { word, value },
        None => Does::Read { word, value: number(found) },
    }
}

impl Step {
    fn place(&self, has_blocks: bool) -> String {
        let Step { block, thread, .. } = *self;
        if has_blocks { say!("execution-thread-of", block, thread) } else { say!("execution-thread", thread) }
    }

    fn line(&self) -> String {
        let name = |file: &String| file.rsplit('/').next().unwrap_or(file).to_string();
        self.file.as_ref().zip(self.line).map_or_else(String::new, |(file, line)| format!("{}:{line}", name(file)))
    }
}

impl Does {
    fn text(&self) -> String {
        match self {
            Does::Read { word, value } => say!("execution-read", word, value = value.text()),
            Does::Write { word, value } => say!("execution-write", word, value = value.text()),
            Does::Update { word, found, value: Some(value) } => {
                say!("execution-update", word, found = found.text(), value = value.text())
            }
            Does::Update { word, found, value: None } => say!("execution-failed", word, found = found.text()),
            Does::Fence => say!("execution-fence"),
            Does::Barrier => say!("execution-barrier"),
        }
    }
}

impl Number {
    fn of(value: u64, bytes: u32) -> Number {
        let unused = 64 - 8 * bytes.min(8);
        Number(((value << unused) as i64) >> unused)
    }

    fn text(self) -> String {
        match i32::try_from(self.0) {
            _ if self.0.unsigned_abs() < MOST_DECIMAL => self.0.to_string(),
            Ok(word) => format!("{word:#x}"),
            Err(_) => format!("{:#x}", self.0),
        }
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
    fn small_numbers_are_decimal_and_have_a_sign() {
        assert_eq!(Number::of(0xffff_fffb, 4).text(), "-5");
        assert_eq!(Number::of(0xffff_fffb, 8).text(), "0xfffffffb");
        assert_eq!(Number::of(0x3f80_0000, 4).text(), "0x3f800000");
        assert_eq!(Number::of(0xbf80_0000, 4).text(), "0xbf800000");
    }
}
