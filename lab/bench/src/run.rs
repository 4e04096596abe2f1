//! One run: what all jobs share, from the size of their inputs to the records of their times.

use crate::data::Host;
use crate::device::{Gpu, Step};
use crate::measure::{self, Group, Method, Samples};
use crate::nvml::Watch;
use crate::record::{Machine, Record, Report};
use crate::{library, output, stats};
use anyhow::{Context as _, Result};
use cust::error::CudaError;
use peers::{Peer, PeerCall, Peers};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// The extent of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Full,
    /// Fewer sizes, fewer rounds.
    Quick,
    /// Small inputs, answers only: for the emulated GPU.
    Check,
}

pub struct Run {
    pub gpu: Gpu,
    pub host: Host,
    /// `None` in a build without them, and on the emulated GPU: they talk to the driver themselves.
    pub peers: Option<Peers>,
    pub scale: Scale,
    pub records: Vec<Record>,
    /// The oddities of the run.
    pub notes: Vec<String>,
    /// Methods that gave a wrong answer, or failed.
    pub wrong: Vec<String>,
    watch: Option<Watch>,
}

impl Run {
    pub fn new(gpu: Gpu, scale: Scale) -> Result<Run> {
        let staging = if gpu.is_emulated { 1 << 12 } else { 64 << 20 };
        let host = Host::new(staging).context("no memory for copies between host and device")?;
        let peers = if gpu.is_emulated { None } else { Peers::start()? };
        let watch = if gpu.is_emulated { None } else { Watch::open().ok() };
        Ok(Run { gpu, host, peers, scale, records: Vec::new(), notes: Vec::new(), wrong: Vec::new(), watch })
    }

    /// One of three, by scale.
    pub fn at_scale<T>(&self, full: T, quick: T, check: T) -> T {
        match self.scale {
            Scale::Full => full,
            Scale::Quick => quick,
            Scale::Check => check,
        }
    }

    /// Returns the number of inputs of this size to use in turn: together they are four times as large as the L2 cache,
    /// so that nothing is there from the last time.
    pub fn inputs(&self, bytes: usize) -> usize {
        match self.scale {
            Scale::Check => 2,
            _ => (4 * self.gpu.l2_bytes).max(64 << 20).div_ceil(bytes.max(1)).max(2),
        }
    }

    /// On the emulated GPU, whose inputs are small: also prepares the launches for a full size, which are checked for
    /// their shape.
    pub fn also_at(&self, full: usize, prepare: impl Fn(u32) -> Result<()>) -> Result<()> {
        if self.scale == Scale::Check { prepare(full as u32) } else { Ok(()) }
    }

    /// A library's call, where there is the library.
    pub fn peer(&self, peer: Peer, from: u64, to: u64, kept: u64, n: u32) -> Result<Option<(Step, Rc<Cell<u32>>)>> {
        let step = |peers| library::step(&self.gpu, peers, peer, PeerCall { from, to, kept, n });
        self.peers.map(step).transpose().with_context(|| peer.name())
    }

    /// A library's function as a method, with a call for each input. `None` where the library is not there.
    pub fn peer_method<'a>(
        &self,
        peer: Peer,
        inputs: impl Iterator<Item = u64>,
        (to, n): (u64, u32),
        check: impl Fn(&Run, usize) -> Result<()> + 'a,
    ) -> Result<Option<Method<'a>>> {
        let calls: Option<Vec<_>> = inputs.map(|from| self.peer(peer, from, to, 0, n)).collect::<Result<_>>()?;
        Ok(calls.map(|calls| Method::new(peer.name(), calls.into_iter().map(|(step, _)| vec![step]).collect(), check)))
    }

    /// Tells why a part was not measured: there was no memory for it, or it failed.
    pub fn skip(&mut self, what: &str, why: &anyhow::Error) {
        let is_full = why.chain().any(|cause| cause.downcast_ref() == Some(&CudaError::OutOfMemory));
        match is_full {
            true => self.note(say!("skipped-part", what, why = format!("{why:#}"))),
            false => self.is_wrong(format!("{what}: {why:#}")),
        }
    }

    pub fn note(&mut self, text: String) {
        eprintln!("{}", say!("note", text = text.as_str()));
        self.notes.push(text);
    }

    /// Tells of a wrong answer, at once and at the end.
    pub fn is_wrong(&mut self, what: String) {
        eprintln!("{}", say!("wrong", what = what.as_str()));
        self.wrong.push(what);
    }

    /// Checks each method of a group. Gives the times of those that are right; on the emulated GPU, none.
    pub fn samples(&mut self, group: &Group) -> Result<Vec<Samples>> {
        let (mut right, mut wrong): (Vec<&Method>, Vec<String>) = Default::default();
        for method in &group.methods {
            match measure::check(self, group, method) {
                Ok(()) => right.push(method),
                Err(error) => {
                    let Group { job, input, n, .. } = group;
                    wrong.push(format!("{job}, {input}, n = {n}, {}: {error:#}", method.name));
                }
            }
        }
        wrong.into_iter().for_each(|what| self.is_wrong(what));
        if self.scale == Scale::Check || right.is_empty() {
            return Ok(Vec::new());
        }
        let samples = measure::time(&self.gpu, &right, self.at_scale(51, 9, 0))?;
        if let Some(watch) = &mut self.watch {
            watch.look();
        }
        Ok(samples)
    }

    /// Checks and times a group, and keeps its records.
    pub fn group(&mut self, group: &Group) -> Result<()> {
        let samples = self.samples(group)?;
        let peer = group.peer.and_then(|peer| samples.iter().find(|samples| samples.name == peer));
        for of in &samples {
            let record = record(group, of, peer.filter(|peer| peer.name != of.name));
            println!("{}", output::line(&record));
            self.records.push(record);
        }
        Ok(())
    }

    /// A record that is kept and shown.
    pub fn keep(&mut self, record: Record) {
        println!("{}", output::line(&record));
        self.records.push(record);
    }
}

/// The record of a method's times, beside the peer's.
pub fn record(group: &Group, of: &Samples, peer: Option<&Samples>) -> Record {
    let times = of.all();
    let ms = stats::median(&times);
    let (ms_low, ms_high) = stats::interval(&times);
    let peer_ms = peer.map(|peer| stats::median(&peer.all()));
    // The interval of ratios of rounds; the ratio of the medians is nearly always within.
    let ratio = peer.zip(peer_ms).map(|(peer, peer_ms)| {
        let both = peer.rounds.iter().zip(&of.rounds);
        let ratios: Vec<f64> = both.filter_map(|(&peer, &own)| Some(peer? / own?)).collect();
        let (low, high) = stats::interval(&ratios);
        (low.min(peer_ms / ms), high.max(peer_ms / ms))
    });
    Record {
        job: group.job.into(),
        input: group.input.clone(),
        n: group.n,
        method: of.name.clone(),
        ms,
        ms_low,
        ms_high,
        rounds: times.len() as u32,
        bytes: group.bytes,
        gb_per_s: (group.bytes > 0).then(|| group.bytes as f64 / (ms * 1e6)),
        peer: peer.map(|peer| peer.name.clone()),
        peer_ms,
        ratio: peer_ms.map(|peer| peer / ms),
        ratio_low: ratio.map(|ratio| ratio.0),
        ratio_high: ratio.map(|ratio| ratio.1),
    }
}

/// The copy's bandwidth must not differ by more than this part between beginning and end.
const DRIFT: f64 = 0.03;

pub struct Job {
    pub name: &'static str,
    pub run: fn(&mut Run) -> Result<()>,
}

/// Runs jobs, and watches whether the GPU stays as fast as it was.
pub fn all(mut run: Run, jobs: &[&Job]) -> Result<(Report, Vec<String>)> {
    const BYTES: usize = 1 << 30;
    let before = match run.scale {
        Scale::Check => 0.0,
        _ => {
            if let Some(busy) = run.watch.as_mut().and_then(Watch::busy_before) {
                run.note(busy);
            }
            let (from, to) = (run.gpu.room::<u8>(BYTES)?, run.gpu.room::<u8>(BYTES)?);
            let (from, to) = (from.as_device_ptr().as_raw(), to.as_device_ptr().as_raw());
            measure::warm_up(&run.gpu, &Step::Copy { to, from, bytes: BYTES }, Duration::from_millis(500))?;
            measure::copy_bandwidth(&run.gpu, to, from, BYTES)?
        }
    };
    if run.scale != Scale::Check {
        println!("{}", output::HEADING.trim_end());
    }
    for job in jobs {
        if let Err(error) = (job.run)(&mut run) {
            run.skip(job.name, &error);
        }
    }
    if run.scale != Scale::Check {
        let (from, to) = (run.gpu.room::<u8>(BYTES)?, run.gpu.room::<u8>(BYTES)?);
        let (from, to) = (from.as_device_ptr().as_raw(), to.as_device_ptr().as_raw());
        let after = measure::copy_bandwidth(&run.gpu, to, from, BYTES)?;
        if (after / before - 1.0).abs() > DRIFT {
            run.note(say!("drift", before = format!("{before:.0}"), after = format!("{after:.0}")));
        }
        if let Some(slowed) = run.watch.as_ref().and_then(Watch::slowed) {
            run.note(slowed);
        }
    }
    let cuda = cust::CudaApiVersion::get()?;
    let driver = run.watch.as_ref().and_then(Watch::driver).unwrap_or_else(|| "unknown".into());
    let (major, minor) = run.gpu.capability;
    let machine = Machine {
        gpu: run.gpu.name.clone(),
        compute_capability: format!("{major}.{minor}"),
        driver,
        cuda: format!("{}.{}", cuda.major(), cuda.minor()),
        cub: run.peers.map(|peers| peers.cub()),
        processes: 1,
        copy_gb_per_s: before,
        notes: std::mem::take(&mut run.notes),
    };
    Ok((Report { machine, records: std::mem::take(&mut run.records) }, std::mem::take(&mut run.wrong)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(name: &str, rounds: &[Option<f64>]) -> Samples {
        Samples { name: name.into(), rounds: rounds.to_vec() }
    }

    #[test]
    fn a_record_compares_round_with_round() {
        let group = Group {
            job: "sum",
            input: "x".into(),
            n: 1000,
            bytes: 4000,
            methods: Vec::new(),
            peer: Some("cub"),
            poison: Box::new(|_| Ok(())),
        };
        let own = samples("ours", &[Some(1.0), Some(2.0), None]);
        let peer = samples("cub", &[Some(2.0), Some(4.0), Some(100.0)]);
        let record = record(&group, &own, Some(&peer));
        assert_eq!((record.ms, record.rounds, record.peer_ms), (1.5, 2, Some(4.0)));
        // The third round is the peer's alone. The ratio of the medians is larger here than that of each round.
        assert_eq!((record.ratio_low, record.ratio_high), (Some(2.0), Some(4.0 / 1.5)));
        Report { records: vec![record], ..crate::record::tests::report(vec![]) }.check().unwrap();
    }
}
