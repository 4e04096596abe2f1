//! The launches so far, and their order, which the host determines.

use crate::order::dependent::{GridWaits, Overlap, tick};
use crate::sites::Sites;
use finding::{Access, Action, Beyond, HostOperation, SourceLocation};
use machine::code::KernelCode;
use machine::place::LaunchNames;
use machine::program::Program;
use machine::run::sites::memory_access;
use machine::types::HostOrder;
use std::sync::Arc;

/// One launch, or one operation of the host, as later launches see it.
#[derive(Clone, Debug)]
pub struct LaunchRecord {
    pub order: HostOrder,
    pub work: WorkKind,
    /// The sites of its accesses.
    pub sites: Sites,
    /// The operations before it in its stream that it is not ordered after.
    pub overlap: Overlap,
    /// Its waits for the launches before it, once it has ended.
    pub waits: GridWaits,
}

/// The kind of work.
#[derive(Clone, Debug)]
pub enum WorkKind {
    /// A launch: the kernel, with its program for the source lines of its instructions.
    Kernel {
        name: String,
        program: Arc<Program>,
        index: usize,
        names: LaunchNames,
    },
    Host(HostOperation),
}

impl LaunchRecord {
    pub fn launch(
        order: HostOrder,
        name: String,
        program: Arc<Program>,
        index: usize,
        names: LaunchNames,
    ) -> LaunchRecord {
        LaunchRecord::new(order, WorkKind::Kernel { name, program, index, names })
    }

    pub fn host(order: HostOrder, operation: HostOperation) -> LaunchRecord {
        LaunchRecord::new(order, WorkKind::Host(operation))
    }

    fn new(order: HostOrder, work: WorkKind) -> LaunchRecord {
        LaunchRecord { order, work, sites: Sites::default(), overlap: Overlap::default(), waits: GridWaits::default() }
    }

    pub fn code(&self) -> Option<&KernelCode> {
        match &self.work {
            WorkKind::Kernel { program, index, .. } => program.code(*index).as_ref().ok(),
            WorkKind::Host(_) => None,
        }
    }

    /// Returns the operation of the host, if it was not a launch.
    pub fn host_operation(&self) -> Option<HostOperation> {
        match self.work {
            WorkKind::Kernel { .. } => None,
            WorkKind::Host(operation) => Some(operation),
        }
    }

    /// Returns the name of the kernel that was launched.
    pub fn kernel(&self) -> Option<&str> {
        match &self.work {
            WorkKind::Kernel { name, .. } => Some(name),
            WorkKind::Host(_) => None,
        }
    }

    /// Returns the kernel's first line.
    pub fn first_line(&self) -> Option<SourceLocation> {
        self.code()?.user_lines(0, &[]).0
    }

    /// Returns the names of a launch's memory and threads. `None` for work of the host.
    pub fn names(&self) -> Option<&LaunchNames> {
        match &self.work {
            WorkKind::Kernel { names, .. } => Some(names),
            WorkKind::Host(_) => None,
        }
    }

    /// Returns which argument of the kernel points into the allocation at `base`, and the offset of `address` from it.
    pub fn argument(&self, base: u64, address: u64) -> Option<Beyond> {
        let (argument, from) = self.names()?.argument(base, address)?;
        Some(Beyond { argument, offset: address - from })
    }

    /// Returns an action of this launch, as reported with an access of a later launch.
    pub fn earlier(&self, action: Action) -> Action {
        match &self.work {
            WorkKind::Kernel { name, .. } => Action::Earlier { action: Box::new(action), kernel: name.clone() },
            WorkKind::Host(operation) => Action::EarlierHost { operation: *operation },
        }
    }

    /// Returns an access that this launch made, as one side of a finding.
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
    records: Vec<LaunchRecord>,
    current: HostOrder,
    /// The operations that the current one overlaps with.
    overlap: Overlap,
    /// True if all of them are ordered before the current one.
    all_before: bool,
    /// The same for a thread that has waited for the grids that its launch depends on.
    all_before_waited: bool,
    /// The latest time of any record, by agent.
    latest: Vec<u32>,
}

impl Past {
    /// True if every launch so far is ordered before the current one.
    #[inline(always)]
    pub fn are_all_before(&self) -> bool {
        self.all_before
    }

    /// As [`Past::are_all_before`], for a thread that has waited for the grids that its launch depends on.
    #[inline(always)]
    pub fn are_all_before_waited(&self) -> bool {
        self.all_before_waited
    }

    /// True if the current launch overlaps with earlier ones until its threads wait.
    pub fn overlaps(&self) -> bool {
        !self.overlap.is_none(false)
    }

    /// Adds a launch or an operation, and returns its number.
    pub fn push(&mut self, mut record: LaunchRecord) -> u32 {
        record.overlap = Overlap::after(self.previous(&record.order), &record.order);
        let HostOrder { agent, clock, .. } = &record.order;
        let known = |agent: usize| clock.get(agent).copied().unwrap_or(0);
        let all_before = self.latest.iter().enumerate().all(|(agent, &latest)| known(agent) >= latest);
        self.all_before = all_before && record.overlap.is_none(false);
        self.all_before_waited = all_before && record.overlap.is_none(true);
        let agent = *agent as usize;
        if self.latest.len() <= agent {
            self.latest.resize(agent + 1, 0);
        }
        self.latest[agent] = self.latest[agent].max(known(agent));
        self.current = record.order.clone();
        self.overlap = record.overlap.clone();
        self.records.push(record);
        self.records.len() as u32
    }

    /// Returns the operation right before `order` in its stream, if `order` may overlap with it.
    fn previous(&self, order: &HostOrder) -> Option<&LaunchRecord> {
        order.overlaps?;
        let is_previous = |it: &&LaunchRecord| it.order.agent == order.agent && tick(&it.order) + 1 == tick(order);
        self.records.iter().rev().find(is_previous)
    }

    /// True if launch number `launch` is ordered before the current one, or before those of its threads that have
    /// waited for the grids that it depends on.
    #[inline]
    pub fn is_before(&self, launch: u32, has_waited: bool) -> bool {
        let are_all_before = if has_waited { self.all_before_waited } else { self.all_before };
        are_all_before || self.precedes(launch, &self.current) && !self.overlaps_with(launch, has_waited)
    }

    /// True if launch number `launch` comes before the current one in its stream, and is not ordered before it.
    pub fn overlaps_with(&self, launch: u32, has_waited: bool) -> bool {
        self.record(launch).is_some_and(|record| self.overlap.includes(&record.order, &self.current, has_waited))
    }

    /// Returns the launch before the current one because of which a wait does not cover all of its stream: it has not
    /// waited itself.
    pub fn waitless(&self) -> Option<&LaunchRecord> {
        let previous = |record: &LaunchRecord| self.previous(&record.order);
        let first = self.previous(&self.current);
        std::iter::successors(first, |record| previous(record)).find(|record| !record.waits.any)
    }

    /// True if launch number `launch` is ordered before an operation at `order`.
    pub fn precedes(&self, launch: u32, order: &HostOrder) -> bool {
        // Number 0: no access.
        self.record(launch).is_none_or(|record| is_before(&record.order, order))
    }

    /// True if launch number `first` is ordered before launch number `second`.
    pub fn orders(&self, first: u32, second: u32) -> bool {
        let Some(second) = self.record(second) else { return false };
        let overlaps = |first: &LaunchRecord| second.overlap.includes(&first.order, &second.order, false);
        self.precedes(first, &second.order) && !self.record(first).is_some_and(overlaps)
    }

    /// True for a kernel's launch, false for an operation of the host.
    pub fn is_kernel(&self, launch: u32) -> bool {
        self.record(launch).is_some_and(|record| record.kernel().is_some())
    }

    /// True if some launch so far is not ordered before `order`.
    pub fn any_unordered(&self, order: &HostOrder) -> bool {
        self.records.iter().any(|record| !is_before(&record.order, order))
    }

    /// Returns the launch of the last kernel.
    pub fn last_launch(&self) -> Option<&LaunchRecord> {
        self.records.iter().rev().find(|record| record.kernel().is_some())
    }

    /// Keeps the sites of a launch that has ended, which later launches need to name its accesses, and its waits.
    pub fn keep_sites(&mut self, launch: u32, sites: Sites, waits: GridWaits) {
        if let Some(record) = (launch as usize).checked_sub(1).and_then(|index| self.records.get_mut(index)) {
            record.sites = sites;
            record.waits = waits;
        }
    }

    pub fn record(&self, launch: u32) -> Option<&LaunchRecord> {
        self.records.get((launch as usize).checked_sub(1)?)
    }
}

/// True if the operation at one order happens before the operation at another.
pub fn is_before(earlier: &HostOrder, later: &HostOrder) -> bool {
    let agent = earlier.agent as usize;
    let done = |order: &HostOrder| order.clock.get(agent).copied().unwrap_or(0);
    done(later) >= done(earlier)
}
