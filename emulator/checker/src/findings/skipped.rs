//! Aligned barriers in a branch that only some threads take, while all continue together after it.
//!
//! Within a warp that is an error: the threads of a warp must run such a barrier together, except those that have ended
//! (PTX ISA, "bar, barrier"). Within a block it is a note: PTX lets each warp wait at any barrier, and the CUDA
//! programming guide allows `__syncthreads()` in a branch only if all threads of the block take it. If the paths rejoin
//! only at the thread's end, nothing is reported: that is how a `return` looks in PTX.

use crate::evidence::ways::Parted;
use crate::findings::list::{Findings, ListedFinding, ONE_THREAD, access};
use crate::sites::Sites;
use finding::{Access, Action, BarrierName, Cause, Finding, Severity, Slug, Where};
use machine::exec::Op;
use machine::watch::At;

impl Findings {
    /// Reports the two sides of a branch in `parted`: `lanes` of one warp, or warps.
    pub fn skipped(&mut self, at: &At, sites: &Sites, parted: &Parted, lanes: bool) {
        let (code, Parted { with, without }) = (at.launch.code, parted);
        let Some((barrier, id)) = with.barrier else { return };
        let key = (
            Slug::BarrierDivergence,
            self.line(at.launch, sites, without.branch),
            self.line(at.launch, sites, barrier),
        );
        if self.count(key, ONE_THREAD, None) {
            return;
        }
        let name = match &code.instrs[sites.pc(barrier) as usize].op {
            Op::Barrier(op) => op.name(id),
            _ => BarrierName::Number { number: id },
        };
        let end = |site: u32, thread: u32, action| {
            let end = access(at.launch, sites, at.block, thread, site, action);
            Access { thread: None, ..end }
        };
        let waits = Action::CameToBarrier { threads: with.threads.clone(), barrier: name };
        let around = Action::WentAround { threads: without.threads.clone() };
        let block = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::BarrierDivergence,
            severity: if lanes { Severity::Error } else { Severity::Note },
            kernel: at.launch.kernel.into(),
            accesses: vec![
                end(without.branch, without.threads.first(), around),
                end(barrier, with.threads.first(), waits),
            ],
            headline: None,
            place: if lanes { Where::Warp { block, warp: at.warp } } else { Where::Block { block } },
            cause: Cause::BarrierInBranch { lanes, loops: with.loops || without.loops },
            remedies: Vec::new(),
            count: 1,
        };
        self.add(key, finding, ONE_THREAD, None, None);
    }
}

/// Keeps one finding for each barrier that some threads skipped. None is kept if the barrier has also met another one,
/// since that finding is more specific. If there are several branches around the barrier, the first in the code is
/// reported. A barrier in such a finding has none about threads that left the kernel before it.
pub fn told_once(list: &mut Vec<ListedFinding>) {
    let is_skipped = |entry: &ListedFinding| matches!(entry.finding.cause, Cause::BarrierInBranch { .. });
    let is_left = |entry: &ListedFinding| matches!(entry.finding.cause, Cause::LeftBeforeBarrier);
    let is_met = |entry: &ListedFinding, barrier: u32| {
        !is_skipped(entry)
            && !is_left(entry)
            && entry.finding.slug == Slug::BarrierDivergence
            && [entry.key.1, entry.key.2].contains(&barrier)
    };
    let branch = |entry: &ListedFinding| entry.finding.accesses[0].ptx_line;
    let told: Vec<bool> = list
        .iter()
        .map(|entry| {
            let of_it = |other: &&ListedFinding| is_skipped(other) && other.key.2 == entry.key.2;
            let first = list.iter().filter(of_it).map(branch).min();
            if is_left(entry) {
                return first.is_none() && !list.iter().any(|other| is_met(other, entry.key.2));
            }
            !is_skipped(entry) || !list.iter().any(|other| is_met(other, entry.key.2)) && Some(branch(entry)) == first
        })
        .collect();
    let mut told = told.into_iter();
    list.retain(|_| told.next() == Some(true));
}
