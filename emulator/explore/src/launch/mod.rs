//! A launch as a program: the machine runs its threads with given values.
//!
//! Each run begins with fresh memory. Its schedule ([`schedule`]) lets each thread go alone, an instruction at a time,
//! as long as it does not depend on a read whose value is not known. Its watcher ([`watch`]) notes the events, and puts
//! the value of each read into memory just before the machine reads it. So memory is a place to hand values over, and
//! the machine's order of threads decides nothing.
//!
//! Only accesses of locations that several threads access, at least one of them to write, are events. Which these are
//! is learned ([`footprint`]): a run that shows another one begins the search again.
//!
//! Fixed, and so not explored: every thread runs alone, so `activemask` gives one lane and coalesced groups have one
//! member.

mod footprint;
mod liveness;
mod run;
mod schedule;
mod taint;
mod watch;

use crate::event::{Location, ThreadPlace};
use crate::program::{Feature, Interrupt, Program, Refusal, ThreadRun, Values};
use finding::Finding;
use footprint::Footprint;
use liveness::Liveness;
use machine::run::launch::Launch;
use machine::run::worker::Worker;
use run::Run;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// Threads of a launch at most.
pub const MOST_THREADS: usize = 1024;

/// Starts the launch anew, with memory as it was before the first run, and hands it to the caller.
pub type Start<'s> = dyn FnMut(&mut dyn FnMut(&Arc<Launch>)) + 's;

/// A launch that is explored.
pub struct LaunchProgram<'s> {
    start: &'s mut Start<'s>,
    threads: Vec<ThreadPlace>,
    footprint: Footprint,
    initial: FxHashMap<Location, u64>,
    liveness: Option<Arc<Liveness>>,
    findings: Findings,
}

/// The findings of the last run: accesses that are not allowed.
pub type Findings = Rc<RefCell<Vec<Finding>>>;

impl<'s> LaunchProgram<'s> {
    /// `blocks` of `threads_per_block` threads each. Each run replaces `findings`.
    pub fn new(blocks: u64, threads_per_block: u32, start: &'s mut Start<'s>, findings: Findings) -> LaunchProgram<'s> {
        let threads = (0..blocks).flat_map(|block| (0..threads_per_block).map(move |thread| (block, thread)));
        let threads = threads.map(|(block, thread)| ThreadPlace { block, thread }).take(MOST_THREADS + 1);
        LaunchProgram {
            start,
            threads: threads.collect(),
            footprint: Footprint::default(),
            initial: FxHashMap::default(),
            liveness: None,
            findings,
        }
    }
}

impl Program for LaunchProgram<'_> {
    fn threads(&self) -> Vec<ThreadPlace> {
        self.threads.clone()
    }

    fn initial(&self, location: Location) -> u64 {
        self.initial.get(&location).copied().unwrap_or(0)
    }

    fn run(&mut self, values: &Values) -> Result<Vec<ThreadRun>, Interrupt> {
        if self.threads.len() > MOST_THREADS {
            return Err(Interrupt::Refused(Refusal { feature: Feature::Threads, pc: 0 }));
        }
        let run = Run::new(
            self.threads.len(),
            values.clone(),
            std::mem::take(&mut self.footprint),
            std::mem::take(&mut self.initial),
        );
        let run = Arc::new(Mutex::new(run));
        let liveness = &mut self.liveness;
        (self.start)(&mut |launch| {
            let liveness = liveness.get_or_insert_with(|| Arc::new(Liveness::of(launch.code)));
            let watch = watch::Explorer { run: run.clone(), liveness: liveness.clone() };
            let schedule = Box::new(schedule::OneByOne::new(run.clone(), launch.threads_per_block()));
            let mut worker = Worker::new(launch, None, watch, schedule);
            worker.run();
        });
        let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
        self.footprint = std::mem::take(&mut run.footprint);
        self.initial = std::mem::take(&mut run.initial);
        *self.findings.borrow_mut() = std::mem::take(&mut run.findings);
        if let Some(refusal) = run.refused.take() {
            return Err(Interrupt::Refused(refusal));
        }
        if self.footprint.settle() {
            return Err(Interrupt::Restart);
        }
        Ok(run.threads.drain(..).map(run::Thread::into_run).collect())
    }
}
