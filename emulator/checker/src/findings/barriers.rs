//! Warps that meet at a barrier of the whole block from different lines: notes, not findings.
//!
//! `bar.sync` lets each warp arrive from any instruction (PTX ISA, "bar, barrier": `.aligned` concerns one warp). The
//! CUDA programming guide requires more of `__syncthreads()`: a condition around it must be the same for all threads of
//! the block. PTX cannot distinguish a `__syncthreads()` from an intended `bar.sync 0`, so this fails no kernel. Only
//! barrier 0 of the whole block counts, which is what `__syncthreads()` becomes; cooperative groups use the one that is
//! not aligned. Copies of one line that the compiler has made, and code without lines, are not reported.

use crate::evidence::barrier_sites::{BarrierSites, Comer};
use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::sites::Sites;
use finding::{Access, Action, Cause, Finding, Severity, Slug, Where};
use machine::run::launch::Launch;

impl Findings {
    /// Reports a barrier of the whole block that has completed, if warps have arrived at it from different lines.
    pub fn opened(&mut self, launch: &Launch, sites: &Sites, block: u64, barrier: BarrierSites) {
        if let Some((one, Some(other))) = barrier.comers() {
            self.met(launch, sites, block, one, other);
        }
    }

    fn met(&mut self, launch: &Launch, sites: &Sites, block: u64, one: Comer, other: Comer) {
        // Copies of one barrier that the compiler has made have the same column too.
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
