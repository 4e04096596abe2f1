//! What launches and copies say about the program: kept until someone takes it.

use emulator::Fault;
use emulator::report::Finding;
use emulator::{Counters, LaunchReport};
use std::collections::VecDeque;
use std::io::Write;

/// What one launch did, or what a copy or a fill found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The kernel's name in the PTX; `None` for a copy or a fill.
    pub kernel: Option<String>,
    pub findings: Vec<Finding>,
    pub counters: Counters,
    /// What `printf` wrote, in order.
    pub printed: Vec<u8>,
    /// What ended the kernel, and with it the context.
    pub fault: Option<Fault>,
}

/// A program that never takes its reports keeps only the last of them.
const KEPT: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Reports {
    kept: VecDeque<Report>,
    /// Printed by kernels and not yet shown.
    pending: Vec<u8>,
    captured: bool,
}

impl Reports {
    pub(crate) fn take(&mut self) -> Vec<Report> {
        self.kept.drain(..).collect()
    }

    pub(crate) fn capture(&mut self, captured: bool) {
        self.captured = captured;
    }

    pub(crate) fn launched(&mut self, kernel: &str, report: LaunchReport) {
        let LaunchReport { findings, printed, counters, fault, .. } = report;
        if !self.captured {
            self.pending.extend_from_slice(&printed);
        }
        self.keep(Report { kernel: Some(kernel.to_string()), findings, counters, printed, fault });
    }

    pub(crate) fn moved(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.keep(Report { findings, ..Report::default() });
        }
    }

    fn keep(&mut self, report: Report) {
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(report);
    }

    /// What kernels printed goes to stdout when the host waits for them, as on a GPU.
    pub(crate) fn print(&mut self) {
        if !self.pending.is_empty() {
            let mut stdout = std::io::stdout().lock();
            // A closed stdout is no reason to fail a CUDA call.
            let _ = stdout.write_all(&self.pending).and_then(|()| stdout.flush());
            self.pending.clear();
        }
    }
}
