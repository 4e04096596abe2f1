//! The launches so far, and how the host has ordered them.

use crate::sites::Sites;
use finding::{Access, Action, Beyond, HostOperation, SourceLocation};
use machine::code::Code;
use machine::place;
use machine::program::Program;
use machine::run::sites::memory_access;
use machine::types::Order;
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
        /// The arguments that may be pointers, by number from 1.
        pointers: Vec<(usize, u64)>,
    },
    Host(HostOperation),
}

impl Record {
    pub fn launch(
        order: Order,
        name: String,
        program: Arc<Program>,
        index: usize,
        pointers: Vec<(usize, u64)>,
    ) -> Record {
        Record { order, work: Work::Kernel { name, program, index, pointers }, sites: Sites::default() }
    }

    pub fn host(order: Order, operation: HostOperation) -> Record {
        Record { order, work: Work::Host(operation), sites: Sites::default() }
    }

    pub fn code(&self) -> Option<&Code> {
        match &self.work {
            Work::Kernel { program, index, .. } => program.code(*index).as_ref().ok(),
            Work::Host(_) => None,
        }
    }

    /// What the host did, if it was not a launch.
    pub fn host_operation(&self) -> Option<HostOperation> {
        match self.work {
            Work::Kernel { .. } => None,
            Work::Host(operation) => Some(operation),
        }
    }

    /// The kernel that was launched.
    pub fn kernel(&self) -> Option<&str> {
        match &self.work {
            Work::Kernel { name, .. } => Some(name),
            Work::Host(_) => None,
        }
    }

    /// The kernel's first line.
    pub fn first_line(&self) -> Option<SourceLocation> {
        self.code()?.user_lines(0, &[]).0
    }

    /// The byte at `address`, in the allocation at `base`, as one of what an argument of the kernel points to.
    pub fn argument(&self, base: u64, address: u64) -> Option<Beyond> {
        let Work::Kernel { pointers, .. } = &self.work else { return None };
        let (argument, from) = place::nearest(pointers, base, address)?;
        Some(Beyond { argument, offset: address - from })
    }

    /// What was done here, told beside an access of a later launch.
    pub fn earlier(&self, action: Action) -> Action {
        match &self.work {
            Work::Kernel { name, .. } => Action::Earlier { action: Box::new(action), kernel: name.clone() },
            Work::Host(operation) => Action::EarlierHost { operation: *operation },
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

    /// Gives a launch or an operation its number.
    pub fn push(&mut self, record: Record) -> u32 {
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
        self.records.len() as u32
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

    /// The launch of the last kernel.
    pub fn last_launch(&self) -> Option<&Record> {
        self.records.iter().rev().find(|record| record.kernel().is_some())
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

/// True if what was done at one order is done by another.
pub fn is_before(earlier: &Order, later: &Order) -> bool {
    let agent = earlier.agent as usize;
    let done = |order: &Order| order.clock.get(agent).copied().unwrap_or(0);
    done(later) >= done(earlier)
}
