//! Fixes for a program that takes no reports: a launch is made again, on a copy of the memory from before it, with the
//! kernel's PTX changed. The program's own answer is not known here. So the launch must show the finding again as it
//! was, and a change must leave nothing to find and the same memory under every schedule, and it may only order what
//! the kernel does.

use driver::emulated::SavedLaunch;
use emulator::finding::{Access, Action, AtomicAccess, Cause, Edit, Finding, Remedy};
use emulator::{LoadedModule, Policy};
use repair::patch;
use repair::search::CandidateRuns;
use repair::source::SourceFile;
use trial::{Fix, Fixable, KernelToFix, Proof, policies};

/// Thread instructions that a run of a changed kernel may execute.
const FUEL: u64 = 1 << 22;

/// Seeds of each schedule under which a changed kernel must leave the same memory.
const SEEDS: u64 = 8;

/// Returns a fix of `finding`, which this launch shows, and whose lines are in `file`, with the text `source`.
pub(crate) fn fix(launch: &SavedLaunch, finding: &Finding, file: &str, source: &str) -> Fix {
    let mut fixing = LaunchFixes { launch, finding, file, source };
    if fixing.may_be_tried() { trial::fix(&mut fixing, Some(finding), 0) } else { Fix::Untried }
}

struct LaunchFixes<'a> {
    launch: &'a SavedLaunch,
    finding: &'a Finding,
    file: &'a str,
    source: &'a str,
}

impl LaunchFixes<'_> {
    /// Returns true if a fix can be judged. For that the unchanged launch must show the finding again on the copy, and
    /// none of its findings may be two writes of which an order would only choose the one that is lost.
    fn may_be_tried(&self) -> bool {
        let Err(CandidateRuns::Bad(all)) = self.run(self.launch.module(), self.launch.policy().clone()) else {
            return false;
        };
        let lines = |finding: &Finding| -> Vec<_> {
            finding.accesses.iter().map(|access| (access.location.clone(), access.ptx_line)).collect()
        };
        let is_it = |other: &Finding| other.slug == self.finding.slug && lines(other) == lines(self.finding);
        all.iter().any(is_it) && !all.iter().any(|finding| self.is_of_two_arrays(finding))
    }

    /// Two writes of different size share bytes, or the two lines assign to different arrays.
    fn is_of_two_arrays(&self, finding: &Finding) -> bool {
        if matches!(&finding.cause, Cause::Unordered(_)) && finding.cause.key() == "overlap" {
            return true;
        }
        let stored = |access: &Access| match (&access.action, &access.location) {
            (Action::Stored { .. }, Some(at)) if at.file == self.file => Some(at.line),
            _ => None,
        };
        let [Some(first), Some(second)] = [0, 1].map(|index| finding.accesses.get(index).and_then(stored)) else {
            return false;
        };
        SourceFile::parse(self.source).is_ok_and(|source| {
            let [first, second] = [first, second].map(|line| source.assigned_in(line));
            !first.is_empty() && !second.is_empty() && !first.iter().any(|name| second.contains(name))
        })
    }

    /// Nothing is compiled here. So the code must have every store that the source has, of those that the finding is
    /// about.
    fn is_as_written(&self) -> bool {
        let KernelToFix { ptx, launched, .. } = self.code();
        let places = self.finding.accesses.iter().filter_map(|access| access.location.as_ref());
        let source = SourceFile::parse(self.source);
        source.is_ok_and(|source| {
            let mut places = places.filter(|at| at.file == self.file);
            places.all(|at| {
                let stored = source.stored_in(at.line);
                patch::has_stores(ptx, launched, self.file, &source.stores_beside(at))
                    && stored.is_none_or(|stored| patch::stores_each_time(ptx, launched, at, stored))
            })
        })
    }

    /// Returns true if the file has barriers of parts of a block. Then a `__syncthreads()` that some threads skip is no
    /// fix, though they may have ended.
    fn has_barriers_of_parts(&self) -> bool {
        ["bar.sync", "barrier.sync"].iter().any(|barrier| self.source.contains(barrier))
    }

    /// Runs the kernel. Returns the memory that it leaves, or what the run shows.
    fn run(&self, module: &LoadedModule, policy: Policy) -> Result<Vec<u8>, CandidateRuns> {
        let undefined = self.launch.device().stored_undefined();
        let (report, device) = self.launch.run(module, policy, FUEL).ok_or(CandidateRuns::Unfit)?;
        // A barrier in each of two branches may order the threads here, and the CUDA guide does not allow it. Other
        // notes do not reject a change: two equal writes may be what is left of a lost update.
        let are_apart = report.notes.iter().any(|note| matches!(note.cause, Cause::WarpsAtDifferentBarriers { .. }));
        let is_skipped = self.has_barriers_of_parts() && report.notes.iter().any(is_of_skipped_barrier);
        match report.findings.is_empty() && report.fault.is_none() && !is_skipped && !are_apart {
            // The host would then copy what nothing has written, which is a finding of its own.
            true if device.stored_undefined() > undefined => Err(CandidateRuns::Unfit),
            true => Ok(device.contents()),
            false => Err(CandidateRuns::Bad(report.findings)),
        }
    }
}

/// Returns true for a note of a `__syncthreads()` that not all threads of the block come to.
fn is_of_skipped_barrier(note: &Finding) -> bool {
    matches!(note.cause, Cause::LeftBeforeBarrier | Cause::BarrierInBranch { lanes: false, .. })
}

/// Returns true if a change only orders what the kernel does, so that it can be judged without the right answer. A
/// bound may skip what is wanted, a returned count may be needed later, and a vote at another place has other voters.
fn only_orders(remedy: &Remedy) -> bool {
    remedy.iter().all(|edit| match edit {
        Edit::InsertBarrier { .. }
        | Edit::InsertFence { .. }
        | Edit::InsertWait { .. }
        | Edit::InsertBulkWait { .. }
        | Edit::InsertProductWait { .. }
        | Edit::InsertProductFence { .. }
        | Edit::InsertProxyFence { .. }
        | Edit::InsertGridWait { .. }
        | Edit::RemoveBarrier { .. }
        | Edit::WidenScope { .. }
        | Edit::SplitUpdate { .. } => true,
        Edit::MakeAtomic { access, .. } => matches!(access, AtomicAccess::Update { .. }),
        _ => false,
    })
}

impl Fixable for LaunchFixes<'_> {
    fn code(&self) -> KernelToFix<'_> {
        // If a module is linked from several files, none is changed.
        let ptx = match self.launch.module().program.sources() {
            [ptx] => ptx,
            _ => "",
        };
        KernelToFix { source: self.source, ptx, kernel: &self.finding.kernel, launched: self.launch.kernel() }
    }

    fn is_here(&self, file: &str) -> bool {
        file == self.file
    }

    fn proof(&self) -> Proof {
        Proof::Ptx
    }

    fn may_tell(&self, remedy: &Remedy) -> bool {
        only_orders(remedy)
    }

    fn guesses(&self) -> bool {
        false
    }

    fn look(&mut self, ptx: &str) -> CandidateRuns {
        let policy = self.launch.policy().clone();
        match self.launch.changed(ptx) {
            None => CandidateRuns::Unfit,
            Some(module) => match self.run(&module, policy) {
                Ok(_) => CandidateRuns::Nothing,
                Err(shown) => shown,
            },
        }
    }

    /// Checks that the kernel's result does not depend on the schedule.
    fn hold(&mut self, ptx: &str) -> Result<(), Vec<Finding>> {
        let module = self.launch.changed(ptx).filter(|_| self.is_as_written()).ok_or_else(Vec::new)?;
        let mut all = policies(SEEDS).map(|policy| self.run(&module, policy).ok());
        let first = all.next().flatten();
        let holds = first.is_some() && all.all(|memory| memory == first);
        if holds { Ok(()) } else { Err(Vec::new()) }
    }

    fn runs(&self) -> u64 {
        policies(SEEDS).count() as u64
    }

    fn knows_answer(&self) -> bool {
        false
    }
}
