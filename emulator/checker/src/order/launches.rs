//! The launches so far, and their order, which the host determines.

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
        LaunchRecord { order, work: WorkKind::Kernel { name, program, index, names }, sites: Sites::default() }
    }

    pub fn host(order: HostOrder, operation: HostOperation) -> LaunchRecord {
        LaunchRecord { order, work: WorkKind::Host(operation), sites: Sites::default() }
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
    /// True if all of them are ordered before the current one.
    all_before: bool,
    /// The latest time of any record, by agent.
    latest: Vec<u32>,
}

impl Past {
    /// True if every launch so far is ordered before the current one.
    #[inline(always)]
    pub fn are_all_before(&self) -> bool {
        self.all_before
    }

    /// Adds a launch or an operation, and returns its number.
    pub fn push(&mut self, record: LaunchRecord) -> u32 {
        let HostOrder { agent, clock } = &record.order;
        let known = |agent: usize| clock.get(agent).copied().unwrap_or(0);
        self.all_before = self.latest.iter().enumerate().all(|(agent, &latest)| known(agent) >= latest);
        let agent = *agent as usize;
        if self.latest.len() <= agent {
            self.latest.resize(agent + 1, 0);
        }
        self.latest[agent] = self.latest[agent].max(known(agent));
        self.current = record.order.clone();
        self.records.push(record);
        self.records.len() as u32
    }

    /// True if launch number `launch` is ordered before the current one.
    #[inline]
    pub fn is_before(&self, launch: u32) -> bool {
        self.all_before || self.precedes(launch, &self.current)
    }

    /// True if launch number `launch` is ordered before an operation at `order`.
    pub fn precedes(&self, launch: u32, order: &HostOrder) -> bool {
        // Number 0: no access.
        self.record(launch).is_none_or(|record| is_before(&record.order, order))
    }

    /// True if launch number `first` is ordered before launch number `second`.
    pub fn orders(&self, first: u32, second: u32) -> bool {
        self.record(second).is_some_and(|second| self.precedes(first, &second.order))
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

    /// Keeps the sites of a launch that has ended, which later launches need to name its accesses.
    pub fn keep_sites(&mut self, launch: u32, sites: Sites) {
        if let Some(record) = (launch as usize).checked_sub(1).and_then(|index| self.records.get_mut(index)) {
            record.sites = sites;
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
