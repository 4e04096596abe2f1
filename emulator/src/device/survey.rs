//! Counts of all executions of a launch, for programs whose right answer is not known.

use super::explore::{LastRun, LaunchVisitor, NO_MEMORY, each_end};
use super::steps::{ExecutionRank, ExecutionSketch, ExecutionSteps};
use super::{Device, LoadedModule};
use checker::SpeculativeLoads;
use explore::launch::{ALONE, LaunchSearch, MOST_THREADS};
use explore::{Action, Bounds, EventId, Feature, Summary, Visited};
use finding::{HostMemory, SourceLocation};
use machine::code::KernelCode;
use machine::memory::Memory;
use machine::types::{Fault, LaunchConfig};
use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Memories that one execution may leave, at most: where writes race, each location may have several values.
const MOST_ENDS: usize = 64;
/// Pairs of racing lines at most.
const MOST_RACES: usize = 8;

/// The executions of a launch, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    pub executions: u64,
    /// All executions were visited.
    pub is_complete: bool,
    /// Executions with at least one of the following.
    pub wrong: u64,
    /// Those with a data race, without an end, with a trap or an assertion that fails, and with a forbidden access or
    /// barrier.
    pub racing: u64,
    pub endless: u64,
    pub trapped: u64,
    pub misplaced: u64,
    /// Executions all of whose races are of loads that the compiler may have moved before the branch that needs them.
    /// They are not wrong: the value may have no effect.
    pub undecided: u64,
    /// Different contents of memory after the launch. A lower bound where many locations are raced for.
    pub results: u64,
    /// The first lines with races, each pair once.
    pub races: Vec<RacingLines>,
    pub simplest: Option<ExecutionSteps>,
}

/// The two accesses of a race, in the order of their lines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RacingLines {
    pub ends: [RacingLine; 2],
    pub is_shared: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RacingLine {
    pub location: SourceLocation,
    pub access: RacingAccess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RacingAccess {
    Read,
    Write,
    Atomic,
}

/// The reason why a launch is not explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotExplored {
    Feature(Feature),
    /// The device's memory is larger than what each run may copy, or blocks of the heap are live.
    Memory,
    /// Some execution does not end, and the host may end it: it can write memory while the kernel runs.
    Host,
    /// The launch itself is refused.
    Launch,
}

impl NotExplored {
    /// In JSON, and as a key of messages.
    pub fn name(self) -> &'static str {
        match self {
            NotExplored::Feature(feature) => feature.name(),
            NotExplored::Memory => "memory",
            NotExplored::Host => "host",
            NotExplored::Launch => "launch",
        }
    }
}

impl Device {
    /// Visits the executions of a launch as [`Device::explore`] does, and counts them. The device stays as it is.
    pub fn survey(
        &self,
        module: &LoadedModule,
        kernel: usize,
        config: &LaunchConfig,
        parameters: &[u8],
        bounds: Bounds,
    ) -> Result<Survey, NotExplored> {
        let sides = config.grid.iter().chain(&config.block);
        if sides.fold(1, |threads: u64, &side| threads.saturating_mul(u64::from(side))) > MOST_THREADS {
            return Err(NotExplored::Feature(Feature::Threads));
        }
        let launch = self.to_explore(module, kernel, config, parameters).map_err(|error| match error {
            NO_MEMORY => NotExplored::Memory,
            _ => NotExplored::Launch,
        })?;
        let code = module.program.code(kernel).as_ref().map_err(|_| NotExplored::Launch)?;
        let search = LaunchSearch::new(bounds);
        let work = || {
            let mut surveyor = Surveyor::new(code);
            let summary = launch.search(&search, &mut surveyor);
            summary.map(|summary| (summary, surveyor))
        };
        let (first, others) = std::thread::scope(|scope| {
            let other = || search.goes_on_after(ALONE).then(work);
            let others: Vec<_> = (1..self.config.workers).map(|_| scope.spawn(other)).collect();
            let first = work();
            (first, others.into_iter().filter_map(|other| other.join().ok()?).collect::<Vec<_>>())
        });
        let (summary, mut surveyor) = first.map_err(|_| NotExplored::Launch)?;
        others.into_iter().flatten().for_each(|(_, other)| surveyor.merge(other));
        let survey = surveyor.finish(&summary)?;
        match survey.endless > 0 {
            true if self.is_shared_with_host() => Err(NotExplored::Host),
            _ => Ok(survey),
        }
    }

    fn is_shared_with_host(&self) -> bool {
        let mut places = self.memory.allocations().map(|(_, place)| place);
        places.any(|place| matches!(place, HostMemory::PageLocked | HostMemory::Unified | HostMemory::Registered))
    }
}

struct Surveyor<'a> {
    code: &'a KernelCode,
    /// Loads whose value may have no effect.
    speculative: SpeculativeLoads,
    found: Survey,
    /// Hashes of memory's contents.
    results: HashSet<u64>,
    races: BTreeSet<RacingLines>,
    simplest: Option<(ExecutionRank, ExecutionSteps)>,
}

impl LaunchVisitor for Surveyor<'_> {
    fn begins(&mut self) {
        self.found = Survey::default();
        self.results.clear();
        self.races.clear();
        self.simplest = None;
    }

    fn visit(&mut self, graph: &Visited, memory: &Memory, run: &LastRun) {
        let has_trapped = graph.is_deadlock && run.fault.as_ref().is_some_and(is_trap);
        let is_endless = graph.is_deadlock && !has_trapped;
        let is_racing = graph.races.iter().any(|race| !self.is_speculative(graph, run, race));
        let is_misplaced = !is_endless && (!run.given.findings().is_empty() || run.given.has_diverged());
        let found = &mut self.found;
        found.racing += u64::from(is_racing);
        found.undecided += u64::from(!is_racing && !graph.races.is_empty());
        found.endless += u64::from(is_endless);
        found.trapped += u64::from(has_trapped);
        found.misplaced += u64::from(is_misplaced);
        let is_wrong = is_racing || is_endless || has_trapped || is_misplaced;
        found.wrong += u64::from(is_wrong);
        if is_wrong {
            self.note_steps(graph, run, !is_racing || graph.is_deadlock, has_trapped);
        }
        if !graph.is_deadlock {
            self.note_results(graph, memory);
            self.note_races(graph, run);
        }
    }
}

/// Returns true for a fault that ends a launch at once.
fn is_trap(fault: &Fault) -> bool {
    matches!(fault, Fault::Assert | Fault::LaunchFailed | Fault::StackOverflow | Fault::IllegalInstruction)
}

impl Surveyor<'_> {
    fn new(code: &KernelCode) -> Surveyor<'_> {
        let speculative = SpeculativeLoads::new(code);
        Surveyor {
            code,
            speculative,
            found: Survey::default(),
            results: HashSet::new(),
            races: BTreeSet::new(),
            simplest: None,
        }
    }

    /// Returns true for a race of a load that the compiler may have moved before the branch that needs it. A run in
    /// order tells whether its value has an effect.
    fn is_speculative(&self, graph: &Visited, run: &LastRun, &(first, second): &(EventId, EventId)) -> bool {
        [first, second].into_iter().any(|event| {
            let action = graph.execution.number(event).map(|number| &graph.execution.actions[number]);
            action.is_some_and(|action| !action.writes())
                && run.given.pc(event).is_some_and(|pc| self.speculative.has(pc))
        })
    }

    fn note_results(&mut self, graph: &Visited, memory: &Memory) {
        let mut ends = 0;
        each_end(graph, memory, &mut || {
            self.results.insert(hash_of(memory));
            ends += 1;
            ends < MOST_ENDS
        });
    }

    fn note_races(&mut self, graph: &Visited, run: &LastRun) {
        for &(first, second) in graph.races {
            if !self.is_speculative(graph, run, &(first, second))
                && let (Some(a), Some(b)) = (self.line(graph, run, first), self.line(graph, run, second))
            {
                let number = graph.execution.number(first);
                let location = number.and_then(|number| graph.execution.actions[number].location());
                let is_shared = location.is_some_and(|location| location.block.is_some());
                let ends = if a <= b { [a, b] } else { [b, a] };
                self.races.insert(RacingLines { ends, is_shared });
                self.keep_first_races();
            }
        }
    }

    fn keep_first_races(&mut self) {
        while self.races.len() > MOST_RACES {
            self.races.pop_last();
        }
    }

    fn note_steps(&mut self, graph: &Visited, run: &LastRun, has_proof: bool, has_trapped: bool) {
        let best = self.simplest.as_ref().map(|(rank, _)| rank);
        let is_better = |sketch: &ExecutionSketch| best.is_none_or(|best| sketch.rank() < best);
        let Some(sketch) = ExecutionSketch::of(graph, has_proof).filter(is_better) else { return };
        let line = |event| self.code.user_lines(run.given.pc(event)?, &[]).0;
        let mut steps = sketch.steps(graph, &|location| run.given.initial(location), &line);
        (steps.endless, steps.trapped) = (steps.endless && !has_trapped, has_trapped);
        self.simplest = Some((sketch.rank().clone(), steps));
    }

    /// Adds what another worker of the same search has found.
    fn merge(&mut self, other: Surveyor) {
        let (found, more) = (&mut self.found, other.found);
        found.wrong += more.wrong;
        found.racing += more.racing;
        found.endless += more.endless;
        found.trapped += more.trapped;
        found.misplaced += more.misplaced;
        found.undecided += more.undecided;
        self.results.extend(other.results);
        self.races.extend(other.races);
        self.keep_first_races();
        let both = self.simplest.take().into_iter().chain(other.simplest);
        self.simplest = both.min_by(|(one, _), (two, _)| one.cmp(two));
    }

    /// Returns the line of an event. `None` where the PTX has no lines.
    fn line(&self, graph: &Visited, run: &LastRun, event: EventId) -> Option<RacingLine> {
        let location = self.code.user_lines(run.given.pc(event)?, &[]).0?;
        let action = &graph.execution.actions[graph.execution.number(event)?];
        Some(RacingLine { location, access: access_of(action) })
    }

    fn finish(self, summary: &Summary) -> Result<Survey, NotExplored> {
        if let Some(refusal) = &summary.refused {
            return Err(NotExplored::Feature(refusal.feature));
        }
        let Summary { executions, is_complete, .. } = *summary;
        let results = self.results.len() as u64;
        let simplest = self.simplest.map(|(_, steps)| steps);
        let races = self.races.into_iter().collect();
        Ok(Survey { executions, is_complete, results, races, simplest, ..self.found })
    }
}

fn access_of(action: &Action) -> RacingAccess {
    match (action.is_update(), action.writes()) {
        (true, _) => RacingAccess::Atomic,
        (false, true) => RacingAccess::Write,
        (false, false) => RacingAccess::Read,
    }
}

fn hash_of(memory: &Memory) -> u64 {
    let mut hasher = DefaultHasher::new();
    memory.contents().hash(&mut hasher);
    hasher.finish()
}
