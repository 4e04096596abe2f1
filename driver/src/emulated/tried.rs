//! Fixes for a program that takes no reports: a launch is made again, on a copy of the memory from before it, with the kernel's PTX
//! changed. The program's own answer is not known here. So a change must leave nothing to find and the same memory under every
//! schedule, and it may only order what the kernel does.

use emulator::finding::{AtomicAccess, Edit, Finding, Remedy};
use emulator::{Checks, Config, Device, LaunchConfig, LoadedModule, Order, Policy, Program};
use repair::candidates::candidates_in;
use repair::patch;
use repair::search::{Searched, Shown, Trial, search};
use repair::source::{Source, text_edits};
use report::{Fix, changes};
use std::sync::Arc;

/// Memory that is copied before a launch, at most: a small program is tried, a large one is not slowed down.
const MOST: u64 = 4 << 20;

/// Instructions of one thread after another that a try may take.
const FUEL: u64 = 1 << 22;

/// A launch as it was made.
pub(crate) struct Before {
    device: Device,
    loaded: Arc<LoadedModule>,
    index: usize,
    config: LaunchConfig,
    parameters: Vec<u8>,
}

impl Before {
    /// `None` where it would take too much memory, or where nothing is checked.
    pub(crate) fn new(
        device: &Device,
        loaded: &Arc<LoadedModule>,
        index: usize,
        config: &LaunchConfig,
        parameters: &[u8],
    ) -> Option<Before> {
        if device.config().checks != Checks::Full {
            return None;
        }
        let (loaded, config, parameters) = (loaded.clone(), config.clone(), parameters.to_vec());
        Some(Before { device: device.fork(MOST)?, loaded, index, config, parameters })
    }

    /// What fixes `finding`, whose lines are in `file`, with the text `source`.
    pub(crate) fn fix(&self, finding: &Finding, file: &str, source: &str) -> Fix {
        let Searched { remedy, .. } = search(Some(finding), &mut Trying { before: self, finding, file, source });
        let told = remedy.and_then(|remedy| text_edits(source, &finding.kernel, &remedy).ok());
        match told {
            Some(edits) => {
                Fix::Tried { changes: changes(&edits, source), runs: policies().count() as u64, is_answer_known: false }
            }
            None => Fix::Idea,
        }
    }
}

/// The schedules of a trial, those that end soonest first.
fn policies() -> impl Iterator<Item = Policy> {
    let seeded = (0..8).flat_map(|seed| [Policy::Random { seed }, Policy::Adversarial { seed }]);
    [Policy::InOrder, Policy::Reverse].into_iter().chain(seeded)
}

struct Trying<'a> {
    before: &'a Before,
    finding: &'a Finding,
    file: &'a str,
    source: &'a str,
}

impl Trying<'_> {
    /// The module with a changed kernel; `None` where the change does not fit.
    fn changed(&self, remedy: &Remedy) -> Option<LoadedModule> {
        let loaded = &self.before.loaded;
        let kernel = &loaded.program.kernels()[self.before.index].name;
        text_edits(self.source, kernel, remedy).ok()?;
        let [ptx] = loaded.program.sources() else { return None };
        let ptx = patch::patched(ptx, kernel, remedy).ok()?;
        loaded.with(Program::from_ptx(&[&ptx]).ok()?)
    }

    /// Nothing is compiled here. So the code must have every store that the source has, of those that the finding is about.
    fn is_as_written(&self) -> bool {
        let loaded = &self.before.loaded;
        let (kernel, [ptx]) = (&loaded.program.kernels()[self.before.index].name, loaded.program.sources()) else {
            return false;
        };
        let places = self.finding.accesses.iter().filter_map(|access| access.location.as_ref());
        let source = Source::parse(self.source);
        source.is_ok_and(|source| {
            let mut places = places.filter(|at| at.file == self.file);
            places.all(|at| patch::has_stores(ptx, kernel, self.file, &source.stores_beside(at)))
        })
    }

    /// What a run shows, and the memory that it leaves if it shows nothing.
    fn run(&self, module: &LoadedModule, policy: Policy) -> Result<Vec<u8>, Shown> {
        let Before { device, index, config, parameters, .. } = self.before;
        let mut device = device.fork(MOST).ok_or(Shown::Unfit)?;
        device.configure(Config { checks: Checks::Full, workers: 1, policy, fuel: FUEL });
        let report = device.launch(module, *index, config, parameters, &Order::default()).map_err(|_| Shown::Unfit)?;
        // Two equal writes are a note, and may be what is left of a lost update.
        match report.findings.is_empty() && report.fault.is_none() {
            true => Ok(device.contents()),
            false => Err(Shown::Bad(report.findings)),
        }
    }
}

/// Whether it is known without the right answer that a change only orders what the kernel does. A bound may skip what is wanted, a
/// count that is returned may be wanted later, and a vote taken elsewhere has other voters.
fn only_orders(remedy: &Remedy) -> bool {
    remedy.iter().all(|edit| match edit {
        Edit::InsertBarrier { .. }
        | Edit::InsertFence { .. }
        | Edit::InsertWait { .. }
        | Edit::RemoveBarrier { .. }
        | Edit::WidenScope { .. }
        | Edit::SplitUpdate { .. } => true,
        Edit::MakeAtomic { access, .. } => matches!(access, AtomicAccess::Update { .. }),
        _ => false,
    })
}

impl Trial for Trying<'_> {
    fn candidates(&mut self, finding: &Finding) -> Vec<Remedy> {
        let mut all = candidates_in(self.source, |file| file == self.file, finding, &finding.kernel);
        all.retain(only_orders);
        all
    }

    fn look(&mut self, remedy: &Remedy) -> Shown {
        match self.changed(remedy) {
            None => Shown::Unfit,
            Some(module) => {
                let policy = self.before.device.config().policy.clone();
                self.run(&module, policy).map_or_else(|shown| shown, |_| Shown::Nothing)
            }
        }
    }

    fn holds(&mut self, remedy: &Remedy) -> bool {
        if !self.is_as_written() {
            return false;
        }
        let Some(module) = self.changed(remedy) else { return false };
        // What it computes must not depend on the schedule.
        let mut all = policies().map(|policy| self.run(&module, policy).ok());
        let first = all.next().flatten();
        first.is_some() && all.all(|memory| memory == first)
    }
}
