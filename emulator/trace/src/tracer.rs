//! Traces a run: what a device does between two questions, launch by launch.

use crate::bits::Bits;
use crate::data::{Bound, Launch, Trace, VERSION};
use crate::event::{Event, What};
use crate::found::{Finds, SoFar};
use crate::log::TraceLog;
use crate::recorder;
use crate::tables::Tables;
use finding::{Finding, HostOperation};
use machine::run::launch;
use machine::types::{Fault, LaunchReport};

/// A trace that grows.
#[derive(Debug)]
pub struct Tracer {
    pub(crate) log: TraceLog,
    pub(crate) tables: Tables,
    pub(crate) launches: Vec<Launch>,
    findings: Vec<crate::data::LocatedFinding>,
    pub(crate) time: u64,
    /// The findings of the last launch, until its report is complete.
    pub(crate) finds: Finds,
}

impl Tracer {
    pub fn new(bound: Bound) -> Tracer {
        Tracer {
            log: TraceLog::new(bound),
            tables: Tables::default(),
            launches: Vec::new(),
            findings: Vec::new(),
            time: 0,
            finds: Finds::default(),
        }
    }

    pub(crate) fn begin(&mut self, launch: &launch::Launch) {
        self.launches.push(Launch {
            kernel: launch.kernel.to_string(),
            first: self.log.events.len(),
            end: self.log.events.len(),
            is_traced: true,
            fault: None,
            grids: vec![recorder::grid(launch)],
        });
    }

    /// The launch that [`check`](crate::check) has traced is over, with this report.
    pub fn finish(&mut self, report: &LaunchReport) {
        let finds = std::mem::take(&mut self.finds);
        let so_far = SoFar { events: &self.log.events, sites: &self.tables.sites, launches: &self.launches };
        let found = report.findings.iter().map(|finding| finds.locate(finding.clone(), &so_far));
        self.findings.extend(found);
        if let Some(launch) = self.launches.last_mut() {
            (launch.end, launch.fault) = (self.log.events.len(), report.fault.as_ref().map(Fault::name));
        }
    }

    /// A launch without full checks has run.
    pub fn skip(&mut self, launch: &launch::Launch, report: &LaunchReport) {
        self.begin(launch);
        self.time += report.counters.thread_instructions;
        if let Some(launch) = self.launches.last_mut() {
            (launch.is_traced, launch.fault) = (false, report.fault.as_ref().map(Fault::name));
        }
    }

    /// The host has read or written memory, and this was found.
    pub fn host(&mut self, operation: HostOperation, writes: bool, address: u64, bytes: u64, findings: &[Finding]) {
        let what = What::Host { operation, writes, address: Bits(address), bytes };
        let time = self.time;
        let at = self.log.push(|| Event { time, who: None, what });
        let so_far = SoFar { events: &self.log.events, sites: &self.tables.sites, launches: &self.launches };
        self.findings.extend(findings.iter().map(|finding| so_far.found(finding.clone(), at)));
    }

    /// All of it.
    pub fn into_trace(self) -> Trace {
        let Tracer { log, tables, launches, findings, time, .. } = self;
        Trace {
            version: VERSION,
            launches,
            sites: tables.sites,
            arrays: tables.arrays,
            events: log.events,
            findings,
            bound: log.bound,
            left_out: log.left_out,
            time,
        }
    }
}
