//! What outlives a launch: which memory is defined, who touched it last, and how the
//! host has ordered its operations.

use crate::access::cells::LINE;
use crate::access::judge::Memory;
use crate::access::overflow::Overflow;
use crate::access::touched::{How, Kind, Touched};
use crate::trace::sites::Sites;
use crate::undefined::bits::GlobalBits;
use crate::undefined::origins::{MemoryOrigins, Origins};
use finding::{Access, Action, Finding, HostOperation};
use machine::code::Code;
use machine::program::Program;
use machine::run::sites::memory_access;
use machine::types::Order;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One launch, or one operation of the host's, for those that come after it.
#[derive(Clone, Debug)]
pub struct Record {
    pub order: Order,
    pub work: Work,
    /// The sites of its accesses.
    pub sites: Sites,
}

/// What was done.
#[derive(Clone, Debug)]
pub enum Work {
    /// A launch: the kernel, with its program for the source lines of its instructions.
    Kernel {
        name: String,
        program: Arc<Program>,
        index: usize,
    },
    Host(HostOperation),
}

impl Record {
    pub fn launch(order: Order, name: String, program: Arc<Program>, index: usize) -> Record {
        Record { order, work: Work::Kernel { name, program, index }, sites: Sites::default() }
    }

    fn host(order: Order, operation: HostOperation) -> Record {
        Record { order, work: Work::Host(operation), sites: Sites::default() }
    }

    pub fn code(&self) -> Option<&Code> {
        match &self.work {
            Work::Kernel { program, index, .. } => program.code(*index).as_ref().ok(),
            Work::Host(_) => None,
        }
    }

    /// The kernel that was launched.
    pub fn kernel(&self) -> Option<&str> {
        match &self.work {
            Work::Kernel { name, .. } => Some(name),
            Work::Host(_) => None,
        }
    }

    /// What was done here, told beside an access of a later launch.
    pub fn earlier(&self, action: Action) -> Action {
        match &self.work {
            Work::Kernel { name, .. } => Action::Earlier { action: Box::new(action), kernel: name.clone() },
            Work::Host(operation) => Action::EarlierHost(*operation),
        }
    }

    /// One end of a finding: an access that this launch made.
    pub fn access(&self, site: u32, action: Action) -> Access {
        let (location, called_from) = self.code().map_or((None, Vec::new()), |code| self.sites.user_lines(code, site));
        let instr = self.code().and_then(|code| code.instrs.get(self.sites.pc(site) as usize));
        let ptx_line = instr.map_or(0, |instr| instr.line);
        let memory = instr.and_then(|instr| memory_access(&instr.op, &action));
        Access { location, called_from, ptx_line, thread: None, launched_by: Vec::new(), memory, action }
    }
}

/// The launches so far, as the current one sees them.
#[derive(Debug, Default)]
pub struct Past {
    records: Vec<Record>,
    current: Order,
    /// All of them are ordered before the current one.
    all_before: bool,
    /// By agent, the latest time of any of its records.
    latest: Vec<u32>,
}

impl Past {
    /// True if every launch so far is ordered before the current one.
    #[inline(always)]
    pub fn are_all_before(&self) -> bool {
        self.all_before
    }

    fn push(&mut self, record: Record) {
        let Order { agent, clock } = &record.order;
        let known = |agent: usize| clock.get(agent).copied().unwrap_or(0);
        self.all_before = self.latest.iter().enumerate().all(|(agent, &latest)| known(agent) >= latest);
        let agent = *agent as usize;
        if self.latest.len() <= agent {
            self.latest.resize(agent + 1, 0);
        }
        self.latest[agent] = self.latest[agent].max(known(agent));
        self.current = record.order.clone();
        self.records.push(record);
    }

    /// True if launch number `launch` is ordered before the current one.
    #[inline]
    pub fn is_before(&self, launch: u32) -> bool {
        self.all_before || self.precedes(launch, &self.current)
    }

    /// True if launch number `launch` is ordered before an operation at `order`.
    pub fn precedes(&self, launch: u32, order: &Order) -> bool {
        // Number 0: nobody has touched it.
        self.record(launch).is_none_or(|record| is_before(&record.order, order))
    }

    /// True for a kernel's launch, and not for an operation of the host's.
    pub fn is_kernel(&self, launch: u32) -> bool {
        self.record(launch).is_some_and(|record| record.kernel().is_some())
    }

    /// True if some launch so far is not ordered before `order`.
    pub fn any_unordered(&self, order: &Order) -> bool {
        self.records.iter().any(|record| !is_before(&record.order, order))
    }

    /// The kernel launched last.
    pub fn last_kernel(&self) -> Option<&str> {
        self.records.iter().rev().find_map(Record::kernel)
    }

    /// A launch is over: what later ones need to name its accesses.
    pub fn keep_sites(&mut self, launch: u32, sites: Sites) {
        if let Some(record) = (launch as usize).checked_sub(1).and_then(|index| self.records.get_mut(index)) {
            record.sites = sites;
        }
    }

    pub fn record(&self, launch: u32) -> Option<&Record> {
        self.records.get((launch as usize).checked_sub(1)?)
    }
}

fn is_before(earlier: &Order, later: &Order) -> bool {
    let agent = earlier.agent as usize;
    let done = |order: &Order| order.clock.get(agent).copied().unwrap_or(0);
    done(later) >= done(earlier)
}

/// An operation of the host's on a stream: part of an allocation, read or written.
#[derive(Clone, Debug)]
pub struct HostAccess {
    pub base: u64,
    pub offset: u64,
    pub bytes: u64,
    pub writes: bool,
    pub order: Order,
    pub operation: HostOperation,
}

/// One device's memory of what happened.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) bits: GlobalBits,
    /// Where undefined bits come from, if from absent lanes: what the numbers mean, and those of global memory.
    pub origins: Origins,
    pub memory_origins: MemoryOrigins,
    pub(crate) memories: FxHashMap<u64, Memory>,
    pub(crate) past: Past,
    /// Every access is judged by itself.
    pub(crate) one_by_one: bool,
    /// What to look for where an answer is wrong without a finding; asked for if there is a list.
    pub(crate) hints: Option<Vec<Finding>>,
    /// Accesses of words that raced.
    pub(crate) racing: u64,
    /// Asynchronous operations of the host's that are not in the cells yet, or that a later launch may not be ordered after.
    pub operations: Vec<HostAccess>,
}

impl State {
    /// From now on every access is judged by itself.
    pub fn judge_one_by_one(&mut self) {
        self.one_by_one = true;
    }

    /// From now on launches also look for what may explain a wrong answer.
    pub fn look_for_hints(&mut self) {
        self.hints = Some(Vec::new());
    }

    /// What was seen so far.
    pub fn take_hints(&mut self) -> Vec<Finding> {
        self.hints.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How many words accesses have raced for so far, each time counted.
    pub fn racing_accesses(&self) -> u64 {
        self.racing
    }

    /// An allocation is met for the first time: its bytes count as undefined or not.
    pub fn add_memory(&mut self, base: u64, bytes: u64, is_undefined: bool) {
        self.bits.add(base, bytes, is_undefined);
    }

    /// After a launch that was not watched nothing is known to be undefined.
    pub fn forget_bits(&mut self) {
        self.bits.forget();
    }

    /// Begins a launch; returns its number, from 1.
    pub fn begin(&mut self, record: Record) -> u32 {
        let mut operations = std::mem::take(&mut self.operations);
        operations.iter().for_each(|operation| self.enter(operation));
        // What this launch comes after is in the cells now, for launches of other streams. The rest must be found there
        // however much this launch touches.
        operations.retain(|operation| !is_before(&operation.order, &record.order));
        self.operations = operations;
        self.number(record)
    }

    /// Gives a launch or an operation its number.
    fn number(&mut self, record: Record) -> u32 {
        self.past.push(record);
        self.past.records.len() as u32
    }

    /// Puts an operation of the host's into the cells, as if a launch had done it.
    fn enter(&mut self, operation: &HostAccess) {
        let record = Record::host(operation.order.clone(), operation.operation);
        let launch = self.number(record);
        let kind = if operation.writes { Kind::Write } else { Kind::Read };
        let touched = Touched { thread: 0, clock: 1, how: How::new(0, 0xf, kind, None, 4) };
        let memory = self.memories.entry(operation.base).or_default();
        let (from, end) = (operation.offset & !3, operation.offset + operation.bytes);
        for at in (from & !(LINE - 1)..end).step_by(LINE as usize) {
            let (page, line) = memory.cells.page(at);
            page.renew(line, launch, true, &mut Overflow::default());
            let row = &mut page.lines[line];
            if from <= at && at + LINE <= end && (operation.writes || !row.has_cells()) {
                let (write, read) = if operation.writes { (touched, Touched::default()) } else { (row.write, touched) };
                row.set_rows(write, read);
                continue;
            }
            for word in (from.max(at)..end.min(at + LINE)).step_by(4) {
                let cell = &mut page.cells(line)[(word % LINE / 4) as usize];
                cell.read = Touched::default();
                *(if operation.writes { &mut cell.write } else { &mut cell.read }) = touched;
            }
        }
    }

    /// The same, to look at.
    pub fn known(&self, base: u64) -> Option<&Memory> {
        self.memories.get(&base)
    }

    /// The cells of an allocation that was touched.
    pub fn touched(&self, base: u64) -> Option<&Memory> {
        self.memories.get(&base)
    }

    /// The cells of the allocation at `base`, and the launches before.
    pub fn memory(&mut self, base: u64) -> (&mut Memory, &Past) {
        (self.memories.entry(base).or_default(), &self.past)
    }

    pub fn forget_memory(&mut self, base: u64) {
        if let Some(bits) = self.bits.remove(base) {
            self.memory_origins.forget(base, bits.bytes());
        }
        self.operations.retain(|operation| operation.base != base);
        self.memories.remove(&base);
    }
}
