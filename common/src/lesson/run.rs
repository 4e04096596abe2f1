//! A trial: one kernel, run many times by the lesson's own closure.
//!
//! On the emulator the runs spread over the host's cores, each worker thread with a context of its own. What a run does
//! depends on its schedule, seed and size alone, never on the worker; the records are put in the plan's order.

use crate::device::beside::PeerRuns;
use crate::device::buffer;
use crate::device::context::{DeviceKind, Patch, Session};
use crate::device::function::Function;
use crate::device::timing::Stopwatch;
use crate::lesson::executions::Exhaust;
use crate::lesson::progress::RunsProgress;
use crate::table::kernel::{Kernel, KernelLibrary};
use anyhow::Context as _;
use cust::error::CudaError;
use cust::memory::bytemuck::Pod;
use cust::memory::{DeviceBuffer, DeviceCopy};
use cust::stream::Stream;
use cust_raw::CUresult;
use driver::emulated;
use emulator::finding::Finding;
use emulator::{Checks, Config, Judgement, Observe};
use peers::PeerCall;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;
use trial::{Batch, CountedLaunch, Counts, FUEL, FULL_CHECKS_UP_TO, Mismatch, Outcome, RunRecord, Wrong, fuel, misfit};

/// The argument of the lesson's closure: the size to work at, the kernel's function, and [`each`](Run::each).
pub struct Run<'a> {
    scene: &'a Scene<'a>,
    session: &'a Session,
    batch: &'a Batch,
    stopwatch: Stopwatch,
    beside: PeerRuns,
    /// The runs that are left.
    seeds: RefCell<Range<u64>>,
    records: RefCell<Vec<RunRecord>>,
    bytes: Cell<Option<u64>>,
    is_faulted: Cell<bool>,
}

/// The parts that all runs of a trial share.
pub struct Scene<'a> {
    pub kernel: &'a Kernel,
    pub library: &'a KernelLibrary,
    pub device: DeviceKind,
    /// The input of rows that read a file.
    pub input: &'a [u8],
    /// The checks of the emulator, where the command line says.
    pub checks: Option<Checks>,
    pub judgement: Judgement,
    /// Keeps what kernels print off stdout, where it would come once a schedule.
    pub captures_output: bool,
    pub progress: RunsProgress,
    /// These runs come beside the trial's own: attempts at smaller ones, or one that counts.
    pub is_extra: bool,
    /// The observations of the emulator besides findings.
    pub observe: Observe,
    /// Other PTX in place of a file's own.
    pub patch: Option<&'a Patch>,
    /// A search of all executions in place of the runs.
    pub exhaust: Option<&'a Exhaust>,
}

/// One run of a kernel by itself, outside any trial.
pub(crate) fn alone<T>(
    scene: &Scene<'_>,
    session: &Session,
    job: impl FnOnce(&Run) -> anyhow::Result<T>,
) -> anyhow::Result<(T, Option<f64>)> {
    let batch = Batch::in_order(scene.kernel.row.sizes.slide);
    let run = Run::new(scene, session, &batch, 0..0)?;
    let result = job(&run)?;
    Ok((result, run.stopwatch.take()?))
}

/// Returns the emulator's settings for such a run: fast, on all cores.
pub(crate) fn alone_config() -> Config {
    Config { checks: Checks::Fast, workers: cores(), fuel: 1 << 46, ..Config::default() }
}

impl<'a> Scene<'a> {
    /// Runs beside a trial's own, which print nothing and look for nothing but findings.
    pub fn extra(kernel: &'a Kernel, library: &'a KernelLibrary, device: DeviceKind) -> Scene<'a> {
        Scene {
            kernel,
            library,
            device,
            input: &[],
            checks: None,
            judgement: Judgement::Fast,
            captures_output: true,
            progress: RunsProgress::none(),
            is_extra: true,
            observe: Observe::default(),
            patch: None,
            exhaust: None,
        }
    }
}

impl<'a> Run<'a> {
    pub(super) fn new(
        scene: &'a Scene<'a>,
        session: &'a Session,
        batch: &'a Batch,
        seeds: Range<u64>,
    ) -> anyhow::Result<Run<'a>> {
        let is_timed = scene.device == DeviceKind::Gpu && batch.is_timed && !scene.is_extra;
        let beside = PeerRuns::of(scene.kernel.peer(), is_timed);
        let stopwatch = match beside.is_there() {
            true => Stopwatch::behind_a_copy()?,
            false => Stopwatch::new(scene.device == DeviceKind::Gpu),
        };
        Ok(Run {
            scene,
            session,
            batch,
            stopwatch,
            beside,
            seeds: RefCell::new(seeds),
            records: RefCell::default(),
            bytes: Cell::new(None),
            is_faulted: Cell::new(false),
        })
    }

    /// The kernel that is tried.
    pub fn kernel(&self) -> &Kernel {
        self.scene.kernel
    }

    /// Returns the number of elements to work on.
    pub fn size(&self) -> usize {
        self.batch.size
    }

    /// The kernel's function in this run's context.
    pub fn function(&self) -> anyhow::Result<Function<'_>> {
        self.function_named(&self.scene.kernel.name)
    }

    /// Another kernel of the lesson, for jobs that take several launches.
    pub fn function_named(&self, name: &str) -> anyhow::Result<Function<'_>> {
        let file = self.scene.library.file_of(name)?;
        Ok(Function {
            inner: self
                .session
                .module(file)?
                .get_function(name)
                .with_context(|| format!("the device does not find `{name}`"))?,
            name: name.to_string(),
            parameters: self.scene.library.parameters(file, name)?,
            stopwatch: &self.stopwatch,
        })
    }

    /// [`size`](Run::size) bytes of the row's sample, or of the file that `--input` names, over and over if it is
    /// shorter.
    pub fn input(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.batch.size);
        while bytes.len() < self.batch.size && !self.scene.input.is_empty() {
            let piece = self.scene.input.len().min(self.batch.size - bytes.len());
            bytes.extend_from_slice(&self.scene.input[..piece]);
        }
        bytes
    }

    /// A buffer for results that nothing has written yet: filled with [`POISON`](buffer::POISON), and on the emulator
    /// undefined besides.
    pub fn poisoned<T: DeviceCopy + Pod>(&self, len: usize) -> anyhow::Result<DeviceBuffer<T>> {
        let mut buffer = DeviceBuffer::zeroed(len)?;
        self.poison(&mut buffer)?;
        Ok(buffer)
    }

    /// Makes a buffer that is used again count as not written.
    pub fn poison<T: DeviceCopy + Pod>(&self, buffer: &mut DeviceBuffer<T>) -> anyhow::Result<()> {
        buffer::poison(self.scene.device, buffer)
    }

    /// True for a run beside the trial's own, such as an attempt at a smaller one: what a lesson gathers over its runs
    /// leaves it out.
    pub fn is_extra(&self) -> bool {
        self.scene.is_extra
    }

    /// Calls the row's peer, if it has one, on the memory of the launch before, whose output has been read already, and
    /// takes its time. `is_same` looks whether it has left the same answer there.
    ///
    /// # Safety
    ///
    /// The memory that `call` names is there, and no other work on `stream` or elsewhere uses it.
    pub unsafe fn beside(&self, stream: &Stream, call: PeerCall, is_same: impl FnOnce() -> anyhow::Result<()>) {
        // SAFETY: the caller's.
        unsafe { self.beside.call(&self.stopwatch, stream, call, is_same) }
    }

    /// Says how many bytes one run reads and writes, for the GB/s of a GPU's report.
    pub fn moves(&self, bytes: u64) {
        self.bytes.set(Some(bytes));
    }

    /// Calls `job` once for every run of this size: on the emulator one schedule each, on a GPU one launch each.
    /// Its `Err` is a wrong answer where it is a [`Mismatch`] or an error that the kernel brought about.
    pub fn each(&self, mut job: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
        if let Some(exhaust) = self.scene.exhaust {
            return exhaust.search(self.batch.size, job);
        }
        loop {
            let Some(seed) = self.seeds.borrow_mut().next() else { return Ok(()) };
            if self.scene.device == DeviceKind::Emulator {
                self.begin(seed)?;
            }
            let result = job();
            let (wrong, is_faulted) = match result {
                Ok(()) => (None, false),
                Err(error) => match (error.downcast_ref::<CudaError>(), error.downcast_ref::<Mismatch>()) {
                    (Some(&cause), _) if is_fault(cause) => (Some(Wrong::Stopped(cause.to_string())), true),
                    (_, Some(mismatch)) => (Some(Wrong::Answer(mismatch.clone())), false),
                    _ => return Err(error),
                },
            };
            let (ContextReports { findings, mut notes, elapsed, counted }, mut observed) = match self.scene.device {
                DeviceKind::Emulator => (reports()?, emulated::observed().map_err(silent)?),
                DeviceKind::Gpu => Default::default(),
            };
            notes.append(&mut observed.hints);
            let is_counting = self.scene.checks == Some(Checks::Counters);
            let milliseconds = if is_faulted { None } else { self.stopwatch.take()? };
            self.records.borrow_mut().push(RunRecord {
                run: self.batch.run(seed),
                wrong,
                findings,
                notes,
                milliseconds: milliseconds.filter(|_| self.batch.is_timed),
                peer: self.beside.take(),
                host_ms: self.scene.checks.map(|_| elapsed.as_secs_f64() * 1e3),
                counts: is_counting.then(|| Counts::of(self.batch.size, counted)),
                observed,
            });
            self.scene.progress.step();
            if is_faulted {
                // The context is lost; the rest runs in a new one.
                self.stopwatch.clear();
                self.is_faulted.set(true);
                return Ok(());
            }
        }
    }

    /// Configures the run of this seed and discards earlier reports.
    fn begin(&self, seed: u64) -> anyhow::Result<()> {
        emulated::configure(self.config(seed)).map_err(silent)?;
        reports()?;
        emulated::observe(self.scene.observe).map_err(silent)
    }

    fn config(&self, seed: u64) -> Config {
        let size = self.batch.size;
        // Checked launches share the cores among themselves; only a big one spreads its blocks, and loses its order.
        let (checks, workers) = match (self.scene.checks, size <= FULL_CHECKS_UP_TO) {
            (Some(checks), _) => (checks, 1),
            (None, true) => (Checks::Full, 1),
            (None, false) => (Checks::Fast, cores()),
        };
        // A change that is tried may leave a kernel waiting for ever.
        let fuel = if self.scene.patch.is_some() { fuel(size) - FUEL + (1 << 24) } else { fuel(size) };
        let judgement = self.scene.judgement;
        Config { checks, judgement, workers, policy: self.batch.policy(seed), fuel }
    }
}

/// The reports of the current context's launches and copies since last asked.
#[derive(Default)]
struct ContextReports {
    findings: Vec<Finding>,
    notes: Vec<Finding>,
    /// The time that they took the host.
    elapsed: Duration,
    counted: Vec<CountedLaunch>,
}

fn silent(code: CUresult) -> anyhow::Error {
    anyhow::anyhow!("the emulator does not answer: {code:?}")
}

fn reports() -> anyhow::Result<ContextReports> {
    let taken = emulated::take_reports().map_err(silent)?;
    let mut all = ContextReports::default();
    for report in taken {
        if let Some(why) = report.misfit {
            anyhow::bail!(misfit(&why));
        }
        all.findings.extend(report.findings);
        all.notes.extend(report.notes);
        all.elapsed += report.elapsed;
        if let (Some(kernel), Some(counted)) = (report.kernel, report.counters.counted) {
            all.counted.push(CountedLaunch { kernel, counted: *counted });
        }
    }
    Ok(all)
}

pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Errors that a kernel brings about, and that cost the context.
fn is_fault(error: CudaError) -> bool {
    use CudaError::*;
    matches!(
        error,
        IllegalAddress
            | LaunchTimeout
            | AssertError
            | HardwareStackError
            | IllegalInstruction
            | MisalignedAddress
            | InvalidAddressSpace
            | InvalidProgramCounter
            | LaunchFailed
    )
}

/// True if the device does not support it; on the emulator a line on stderr says what.
pub fn is_unsupported(error: &anyhow::Error) -> bool {
    error.downcast_ref::<CudaError>() == Some(&CudaError::NotSupported)
}

/// Some runs of one batch.
#[derive(Clone, Debug)]
struct Chunk {
    batch: usize,
    seeds: Range<u64>,
}

/// Runs the whole plan. A GPU's context and modules stay open in `kept` from one trial to the next.
pub fn run(
    scene: &Scene<'_>,
    plan: &[Batch],
    kept: &mut Option<Session>,
    job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<Outcome> {
    let workers = match scene.device {
        DeviceKind::Emulator => cores(),
        DeviceKind::Gpu => 1, // One launch at a time, or their times would mix.
    };
    let chunks = chunks(plan, workers);
    let queue = Mutex::new(chunks.iter().cloned().rev().collect::<Vec<_>>());
    let done = Mutex::new(Vec::new());
    let bytes = Mutex::new(None);

    let work = |session: &mut Option<Session>| -> anyhow::Result<()> {
        loop {
            let Some(mut chunk) = queue.lock().expect("no worker panics while it holds this").pop() else {
                return Ok(());
            };
            let batch = &plan[chunk.batch];
            while !chunk.seeds.is_empty() {
                let current = match session.take() {
                    Some(session) => session,
                    None => {
                        Session::open(scene.library.files, scene.device, scene.captures_output)?.with(scene.patch)?
                    }
                };
                let run = Run::new(scene, &current, batch, chunk.seeds.clone())?;
                let result = job(&run);
                let is_faulted = run.is_faulted.get();
                // After a fault the closure's own clean-up may fail too; only the fault counts.
                if !is_faulted {
                    result?;
                }
                let left = run.seeds.take();
                anyhow::ensure!(
                    left.start > chunk.seeds.start,
                    "the trial of `{}` never called `run.each`",
                    scene.kernel.name
                );
                chunk.seeds = left;
                if batch.is_timed {
                    *bytes.lock().expect("likewise") = run.bytes.get();
                }
                done.lock()
                    .expect("likewise")
                    .extend(run.records.take().into_iter().map(|record| (chunk.batch, record)));
                *session = (!is_faulted).then_some(current);
                if is_faulted && scene.device == DeviceKind::Gpu {
                    // After such an error the driver serves this process no more (CUDA Driver API, `CUresult`).
                    return Ok(());
                }
            }
        }
    };
    match scene.device {
        DeviceKind::Gpu => work(kept)?,
        DeviceKind::Emulator if chunks.len() == 1 => work(kept)?,
        DeviceKind::Emulator => thread::scope(|scope| {
            let handles: Vec<_> = (0..workers.min(chunks.len())).map(|_| scope.spawn(|| work(&mut None))).collect();
            handles.into_iter().try_for_each(|handle| match handle.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?,
    }

    let mut done = done.into_inner().expect("all workers have ended");
    done.sort_by_key(|(batch, record)| (*batch, record.run.seed));
    let bytes = bytes.into_inner().expect("all workers have ended");
    Ok(Outcome::of(done.into_iter().map(|(_, record)| record).collect(), bytes))
}

/// Cuts the plan so that no worker waits long for another.
fn chunks(plan: &[Batch], workers: usize) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (batch, Batch { seeds, .. }) in plan.iter().enumerate() {
        let pieces = if workers == 1 { 1 } else { 4 * workers as u64 };
        let length = (seeds.end - seeds.start).div_ceil(pieces).max(1);
        let mut start = seeds.start;
        while start < seeds.end {
            let end = start.saturating_add(length).min(seeds.end);
            chunks.push(Chunk { batch, seeds: start..end });
            start = end;
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use trial::Schedule;

    #[test]
    fn every_seed_is_in_exactly_one_chunk() {
        for (seeds, workers) in [(0..64, 1), (0..64, 2), (5..6, 8), (0..65, 3)] {
            let plan =
                [Batch { size: 1, schedule: Schedule::Random, seeds: seeds.clone(), is_timed: false, keep: None }];
            let covered: Vec<u64> = chunks(&plan, workers).into_iter().flat_map(|chunk| chunk.seeds).collect();
            assert_eq!(covered, seeds.collect::<Vec<_>>(), "{workers} workers");
        }
    }

    #[test]
    fn a_bad_address_is_the_kernels_doing_and_a_bad_handle_is_not() {
        assert!(is_fault(CudaError::IllegalAddress) && is_fault(CudaError::MisalignedAddress));
        assert!(!is_fault(CudaError::InvalidHandle) && !is_fault(CudaError::NotSupported));
    }
}
