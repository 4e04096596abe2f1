//! Warps that meet at a barrier of the whole block from different lines, and barriers that open without threads which left between
//! them: notes, and no findings.
//!
//! `bar.sync` lets every warp come from where it likes (PTX ISA, "bar, barrier": `.aligned` speaks of one warp). The CUDA
//! programming guide asks more of `__syncthreads()`: a condition around it must be the same for all threads of the block. PTX cannot
//! tell a `__syncthreads()` from a `bar.sync 0` that somebody means so, and so this fails nothing. Only barrier 0 of the whole block
//! counts, which is what `__syncthreads()` becomes; cooperative groups use the one that is not aligned. Copies of one line that the
//! compiler has made, and code without lines, say nothing.
//!
//! Threads that have ended are not waited for. A guard at the top, `if (i >= n) return;`, and a `__syncthreads()` in a branch of the
//! first lines are one and the same in PTX, so threads that leave before the block's first barrier get no note. Those that leave
//! behind one get it at the next.

use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::sites::Sites;
use crate::trace::barrier_sites::{BarrierSites, Comer};
use crate::trace::exited::Exited;
use finding::{Access, Action, Cause, Finding, Severity, Slug, Threads, Where};
use machine::run::launch::Launch;

impl Findings {
    /// A barrier of the whole block is complete: warps have come to it from here and there, or threads that have passed an earlier
    /// one have ended since.
    pub fn opened(&mut self, launch: &Launch, sites: &Sites, block: u64, barrier: BarrierSites, exited: &Exited) {
        let Some((one, other)) = barrier.comers() else { return };
        if let Some(other) = other {
            self.met(launch, sites, block, one, other);
        }
        let mut left: Vec<(u32, Threads)> = Vec::new();
        for (warp, mask, site) in exited.left_between() {
            match left.iter_mut().find(|(known, _)| *known == site) {
                Some((_, threads)) => threads.add(warp, mask),
                None => left.push((site, Threads::of_warp(warp, mask))),
            }
        }
        for (site, threads) in left {
            self.without(launch, sites, block, one, (site, threads));
        }
    }

    fn without(&mut self, launch: &Launch, sites: &Sites, block: u64, barrier: Comer, (left, threads): (u32, Threads)) {
        if [barrier.site, left].into_iter().any(|site| sites.user_lines(launch.code, site).0.is_none()) {
            return;
        }
        let lines = [left, barrier.site].map(|site| self.line(launch, sites, site));
        let key = (Slug::BarrierDivergence, lines[0], lines[1]);
        if self.count(key, ONE_THREAD, None) {
            return;
        }
        let end = |site: u32, action| {
            let end = access(launch, sites, block, threads.first(), site, action);
            Access { thread: None, ..end }
        };
        let accesses =
            vec![end(left, Action::LeftKernel { threads: threads.clone() }), end(barrier.site, Action::OpenedWithout)];
        self.add(key, note(launch, block, accesses, Cause::OpensWithout), ONE_THREAD, None, None);
    }

    fn met(&mut self, launch: &Launch, sites: &Sites, block: u64, one: Comer, other: Comer) {
        // Copies that the compiler has made of one barrier stand in one column, too.
        let place = |comer: Comer| sites.user_lines(launch.code, comer.site).0;
        let (Some(a), Some(b)) = (place(one), place(other)) else { return };
        if a == b {
            return;
        }
        let lines = (self.line(launch, sites, one.site), self.line(launch, sites, other.site));
        let key = (Slug::BarrierDivergence, lines.0.min(lines.1), lines.0.max(lines.1));
        if self.count(key, ONE_THREAD, None) {
            return;
        }
        let end = |comer: Comer| {
            let action = Action::WarpCame { warp: comer.warp };
            Access { thread: None, ..access(launch, sites, block, 32 * comer.warp, comer.site, action) }
        };
        let cause = Cause::WarpsAtDifferentBarriers { one_line: (&a.file, a.line) == (&b.file, b.line) };
        self.add(key, note(launch, block, vec![end(one), end(other)], cause), ONE_THREAD, None, None);
    }
}

fn note(launch: &Launch, block: u64, accesses: Vec<Access>, cause: Cause) -> Finding {
    Finding {
        slug: Slug::BarrierDivergence,
        severity: Severity::Note,
        kernel: launch.kernel.into(),
        accesses,
        headline: None,
        place: Where::Block { block: launch.block_index(block) },
        cause,
        remedies: Vec::new(),
        count: 1,
    }
}
