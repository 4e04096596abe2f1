//! Records of launches of which all executions were explored.

use driver::emulated::Unexplored;
use driver::emulator::{ExecutionSteps, RacingAccess, RacingLine, RacingLines, Survey};
use serde::{Deserialize, Serialize};

/// The executions of a launch, or the reason why they were not explored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExploredRecord {
    pub kernel: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// The reason why they were not explored, as a key of messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    #[serde(flatten)]
    pub counts: ExecutionCounts,
    /// The lines of the first races.
    pub racing: Vec<RaceRecord>,
    /// The simplest wrong execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simplest: Option<ExecutionSteps>,
}

/// Numbers of executions, and of different contents of memory after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionCounts {
    pub executions: u64,
    pub complete: bool,
    pub wrong: u64,
    pub races: u64,
    pub endless: u64,
    pub trapped: u64,
    pub misplaced: u64,
    pub undecided: u64,
    pub results: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceRecord {
    /// `shared` or `global`.
    pub memory: String,
    pub accesses: [RaceLine; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceLine {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// `read`, `write` or `atomic`.
    pub access: String,
}

impl ExploredRecord {
    pub fn new(kernel: &str, [grid, block]: [[u32; 3]; 2], found: &Result<Survey, Unexplored>) -> ExploredRecord {
        let kernel = report::readable(kernel);
        let no = ExploredRecord { kernel, grid, block, ..ExploredRecord::default() };
        match found {
            Ok(survey) => ExploredRecord {
                counts: counts(survey),
                racing: survey.races.iter().map(of_race).collect(),
                simplest: survey.simplest.clone(),
                ..no
            },
            Err(why) => ExploredRecord { refused: Some(why.name().to_string()), ..no },
        }
    }

    /// Returns true if all executions were visited, and none comes to an end.
    pub fn never_ends(&self) -> bool {
        self.counts.complete && self.counts.endless == self.counts.executions
    }

    pub fn is_wrong(&self) -> bool {
        self.counts.wrong > 0 || self.never_ends()
    }
}

fn counts(survey: &Survey) -> ExecutionCounts {
    ExecutionCounts {
        executions: survey.executions,
        complete: survey.is_complete,
        wrong: survey.wrong,
        races: survey.racing,
        endless: survey.endless,
        trapped: survey.trapped,
        misplaced: survey.misplaced,
        undecided: survey.undecided,
        results: survey.results,
    }
}

fn of_race(race: &RacingLines) -> RaceRecord {
    let memory = if race.is_shared { "shared" } else { "global" };
    RaceRecord { memory: memory.to_string(), accesses: race.ends.each_ref().map(of_line) }
}

fn of_line(RacingLine { location, access }: &RacingLine) -> RaceLine {
    let access = match access {
        RacingAccess::Read => "read",
        RacingAccess::Write => "write",
        RacingAccess::Atomic => "atomic",
    };
    RaceLine { file: location.file.clone(), line: location.line, column: location.column, access: access.to_string() }
}
