//! Small programs of a few threads, written down as data.

use explore::{
    Access, AccessKind, Action, AtomicUpdate, BarrierPart, EventId, Interrupt, Location, Program, ThreadPlace,
    ThreadRun, ThreadState, Values,
};
use finding::Scope;
use machine::exec::memory::{Ordering, Semantics};

/// A value: a constant, or a register of the thread and what is added to it.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Constant(u64),
    Register(usize, u64),
}

#[derive(Clone, Copy, Debug)]
pub enum Atomic {
    Add(u64),
    Exchange(u64),
    /// Compares with the first, writes the second.
    Swap(u64, u64),
}

#[derive(Clone, Copy, Debug)]
pub enum Does {
    /// Reads a place into a register.
    Load {
        place: u64,
        to: usize,
    },
    Store {
        place: u64,
        value: Value,
    },
    /// `to` is `None` for `red`.
    Update {
        place: u64,
        atomic: Atomic,
        to: Option<usize>,
    },
    Fence,
    /// The barrier of all threads of the block.
    Barrier,
    /// Leaves out the next instruction unless the register has this value.
    Unless {
        register: usize,
        value: u64,
    },
    /// Reads a place until it has this value.
    Await {
        place: u64,
        value: u64,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Instr {
    pub does: Does,
    pub ordering: Ordering,
    pub scope: Scope,
}

impl Instr {
    pub fn semantics(&self) -> Semantics {
        Semantics { ordering: self.ordering, scope: self.scope, volatile: false }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The block of each thread, and its instructions.
    pub threads: Vec<(u64, Vec<Instr>)>,
}

pub const REGISTERS: usize = 4;

/// Places from this one on are in the shared memory of a thread's block.
pub const SHARED: u64 = 16;

pub fn location(place: u64, block: u64) -> Location {
    Location { block: (place >= SHARED).then_some(block), address: 4 * place, bytes: 4 }
}

impl Atomic {
    pub fn apply(self, found: u64) -> Option<u64> {
        match self {
            Atomic::Add(value) => Some(found + value),
            Atomic::Exchange(value) => Some(value),
            Atomic::Swap(expected, value) => (found == expected).then_some(value),
        }
    }
}

/// A thread as far as it has run.
struct Thread<'a> {
    block: u64,
    value: &'a dyn Fn(usize) -> Option<u64>,
    registers: [Option<u64>; REGISTERS],
    run: ThreadRun,
    meetings: u64,
}

impl Thread<'_> {
    fn get(&self, value: Value) -> Option<u64> {
        match value {
            Value::Constant(value) => Some(value),
            Value::Register(register, more) => Some(self.registers[register]? + more),
        }
    }

    fn access(&mut self, place: u64, kind: AccessKind, semantics: Semantics) {
        let location = location(place, self.block);
        self.run.events.push(Action::Access(Access { location, kind, semantics }));
    }

    /// Runs the instructions; `false` if the thread cannot go on.
    fn run(&mut self, instrs: &[Instr], may_pass: &dyn Fn(u64) -> bool) -> bool {
        let mut at = 0;
        while let Some(instr) = instrs.get(at) {
            at += 1;
            let found = (self.value)(self.run.events.len());
            let semantics = instr.semantics();
            match instr.does {
                Does::Load { place, to } => {
                    self.registers[to] = found;
                    self.access(place, AccessKind::Load, semantics);
                }
                Does::Store { place, value } => self.access(place, AccessKind::Store(self.get(value)), semantics),
                Does::Update { place, atomic, to } => {
                    if let Some(to) = to {
                        self.registers[to] = found;
                    }
                    let update =
                        AtomicUpdate { writes: found.and_then(|found| atomic.apply(found)), returns: to.is_some() };
                    self.access(place, AccessKind::Update(update), semantics);
                }
                Does::Fence => self.run.events.push(Action::Fence(semantics)),
                Does::Barrier => {
                    let meeting = (self.block << 32) + self.meetings;
                    self.run.events.push(Action::Meet(BarrierPart { meeting, arrives: true, waits: true }));
                    if !may_pass(self.meetings) {
                        return false;
                    }
                    self.meetings += 1;
                }
                Does::Unless { register, value } => match self.registers[register] {
                    None => return false,
                    Some(found) => at += usize::from(found != value),
                },
                Does::Await { place, value } => {
                    self.access(place, AccessKind::Load, semantics);
                    match found {
                        None => return false,
                        Some(found) if found != value => {
                            self.run.state = ThreadState::Spins { since: self.run.events.len() - 1 };
                            return true;
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        true
    }
}

impl Model {
    fn run_thread(
        &self,
        thread: usize,
        value: &dyn Fn(EventId) -> Option<u64>,
        may_pass: &dyn Fn(u64) -> bool,
    ) -> (ThreadRun, u64) {
        let (block, instrs) = &self.threads[thread];
        let value = |index| value(EventId { thread, index });
        let mut state = Thread {
            block: *block,
            value: &value,
            registers: [Some(0); REGISTERS],
            run: ThreadRun::default(),
            meetings: 0,
        };
        if !state.run(instrs, may_pass) {
            state.run.state = ThreadState::Waits;
        }
        let arrived = state.run.events.iter().filter(|action| matches!(action, Action::Meet(_))).count() as u64;
        (state.run, arrived)
    }
}

impl Program for Model {
    fn threads(&self) -> Vec<ThreadPlace> {
        let place = |(thread, (block, _)): (usize, &(u64, _))| ThreadPlace { block: *block, thread: thread as u32 };
        self.threads.iter().enumerate().map(place).collect()
    }

    fn initial(&self, _: Location) -> u64 {
        0
    }

    fn run(&mut self, values: &Values) -> Result<Vec<ThreadRun>, Interrupt> {
        let value = &|id: EventId| values.get(&id).copied();
        // How many barriers each block has completed; a round shows which one is complete next.
        let mut passed = vec![0; self.threads.len()];
        loop {
            let runs: Vec<(ThreadRun, u64)> = (0..self.threads.len())
                .map(|thread| self.run_thread(thread, value, &|meeting| meeting < passed[thread]))
                .collect();
            let block = |thread: usize| self.threads[thread].0;
            let arrived = |thread: usize| {
                let peers = (0..runs.len()).filter(|&other| block(other) == block(thread));
                // A thread that has ended is waited for no longer.
                peers.filter(|&peer| runs[peer].0.state != ThreadState::Ended).map(|peer| runs[peer].1).min()
            };
            let next: Vec<u64> = (0..runs.len()).map(|thread| arrived(thread).unwrap_or(passed[thread])).collect();
            if next == passed {
                return Ok(runs.into_iter().map(|(run, _)| run).collect());
            }
            passed = next;
        }
    }
}
