//! Methods that do the same job on the same buffers: each is checked, then all are timed in turns.
//!
//! A round has one turn for each method, so that what slows the GPU for a while slows all of them. A turn is one call
//! between two events, or a batch of them where a call takes too little time for that. The call before the first event
//! keeps the GPU busy while the host enqueues the rest; without it a short kernel's time would be that of its launch.

use crate::device::{Gpu, Step};
use crate::run::Run;
use crate::stats;
use anyhow::{Context as _, Result};
use cust::event::{Event, EventFlags};
use cust::stream::Stream;
use std::time::{Duration, Instant};

/// Calls between two events, where one alone takes less than [`SHORT`].
const BATCH: f64 = 100.0;
/// Milliseconds.
const SHORT: f64 = 0.2;
/// Milliseconds of a call beside which a launch is nothing.
const LONG: f64 = 2.0;
/// Milliseconds that a method's calls may take in one group; then it is left out of the remaining rounds.
const MOST: f64 = 500.0;
/// Rounds that every method has.
const LEAST_ROUNDS: usize = 9;

/// Looks at what a call left in the outputs; the number says which input it had.
type Check<'a> = Box<dyn Fn(&Run, usize) -> Result<()> + 'a>;

/// Makes the outputs count as not written.
type Poison<'a> = Box<dyn Fn(&Run) -> Result<()> + 'a>;

/// One way to do the job.
pub struct Method<'a> {
    pub name: String,
    /// The steps that a call enqueues, for each of the inputs that are used in turn.
    pub calls: Vec<Vec<Step>>,
    pub check: Check<'a>,
}

impl<'a> Method<'a> {
    pub fn new(
        name: impl Into<String>,
        calls: Vec<Vec<Step>>,
        check: impl Fn(&Run, usize) -> Result<()> + 'a,
    ) -> Method<'a> {
        Method { name: name.into(), calls, check: Box::new(check) }
    }
}

/// Methods that are compared.
pub struct Group<'a> {
    pub job: &'static str,
    pub input: String,
    pub n: u64,
    /// The bytes that the job must read and write at least.
    pub bytes: u64,
    pub methods: Vec<Method<'a>>,
    /// The method that the others are compared with.
    pub peer: Option<&'a str>,
    /// Poisons all outputs.
    pub poison: Poison<'a>,
}

/// A method's times, in milliseconds, by round; `None` in rounds that it was left out of.
#[derive(Clone, Debug)]
pub struct Samples {
    pub name: String,
    pub rounds: Vec<Option<f64>>,
}

impl Samples {
    pub fn all(&self) -> Vec<f64> {
        self.rounds.iter().copied().flatten().collect()
    }
}

/// One call with the first input and one with the last, each on poisoned outputs. The second one also shows whether the
/// first has left counters and flags as it found them.
pub fn check(run: &Run, group: &Group, method: &Method) -> Result<()> {
    let gpu = &run.gpu;
    let mut inputs = vec![0, method.calls.len() - 1];
    inputs.dedup();
    for input in inputs {
        (group.poison)(run)?;
        for step in &method.calls[input] {
            step.enqueue(&gpu.stream)?;
        }
        gpu.stream.synchronize().context("the call did not end well")?;
        gpu.check_findings()?;
        (method.check)(run, input)?;
    }
    Ok(())
}

/// The times of all methods, in `rounds` rounds after one of warm-up.
pub fn time(gpu: &Gpu, methods: &[&Method], rounds: usize) -> Result<Vec<Samples>> {
    let mut turns: Vec<BenchTurn> =
        methods.iter().map(|method| BenchTurn { method, next: 0, calls: 1, spent: 0.0, last: 0.0 }).collect();
    let events = [Event::new(EventFlags::DEFAULT)?, Event::new(EventFlags::DEFAULT)?];
    // Warm-up, and how long a call takes: the second one, since the first may load code.
    let mut shortest = f64::INFINITY;
    for turn in &mut turns {
        turn.timed(&gpu.stream, &events)?;
        shortest = shortest.min(turn.timed(&gpu.stream, &events)?);
        turn.spent = 0.0;
    }
    // If one method is short, all are batched, the slower ones less: a turn takes as long as BATCH short calls.
    if shortest < SHORT {
        turns.iter_mut().for_each(|turn| turn.calls = (BATCH * SHORT / turn.last).clamp(1.0, BATCH) as usize);
    }
    let mut samples: Vec<Samples> =
        methods.iter().map(|method| Samples { name: method.name.clone(), rounds: Vec::new() }).collect();
    for round in 0..rounds {
        for (turn, samples) in turns.iter_mut().zip(&mut samples) {
            let is_left_out = round >= LEAST_ROUNDS && turn.spent > MOST;
            let sample = if is_left_out { None } else { Some(turn.timed(&gpu.stream, &events)?) };
            samples.rounds.push(sample);
        }
    }
    Ok(samples)
}

struct BenchTurn<'a> {
    method: &'a Method<'a>,
    /// Which input comes next.
    next: usize,
    /// Calls between two events.
    calls: usize,
    /// Milliseconds of all timed calls.
    spent: f64,
    /// Milliseconds of a call, the last time.
    last: f64,
}

impl BenchTurn<'_> {
    fn call(&mut self, stream: &Stream) -> Result<()> {
        let calls = &self.method.calls;
        let call = &calls[self.next % calls.len()];
        self.next += 1;
        call.iter().try_for_each(|step| step.enqueue(stream))
    }

    /// Milliseconds of one call, from as many of them between two events as a turn has.
    fn timed(&mut self, stream: &Stream, [start, end]: &[Event; 2]) -> Result<f64> {
        if self.last < LONG {
            self.call(stream)?;
        }
        start.record(stream)?;
        for _ in 0..self.calls {
            self.call(stream)?;
        }
        end.record(stream)?;
        end.synchronize().with_context(|| format!("`{}` did not end well", self.method.name))?;
        let total = f64::from(end.elapsed_time_f32(start)?);
        self.spent += total;
        self.last = total / self.calls as f64;
        Ok(self.last)
    }
}

/// Keeps the GPU at work for a while, so that its clocks have risen before anything is timed.
pub fn warm_up(gpu: &Gpu, step: &Step, time: Duration) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < time {
        for _ in 0..10 {
            step.enqueue(&gpu.stream)?;
        }
        gpu.stream.synchronize()?;
    }
    Ok(())
}

/// GB/s of the driver's copy of 1 GiB within the device, read and written bytes together; median of eleven.
pub fn copy_bandwidth(gpu: &Gpu, to: u64, from: u64, bytes: usize) -> Result<f64> {
    let copy = Method::new("copy", vec![vec![Step::Copy { to, from, bytes }]], |_, _| Ok(()));
    let samples = time(gpu, &[&copy], 11)?;
    Ok(2.0 * bytes as f64 / (stats::median(&samples[0].all()) * 1e6))
}
