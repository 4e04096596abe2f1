//! Warps that meet at a barrier of the whole block from different lines: notes, and no findings.
//!
//! `bar.sync` lets every warp come from where it likes (PTX ISA, "bar, barrier": `.aligned` speaks of one warp). The CUDA
//! programming guide asks more of `__syncthreads()`: a condition around it must be the same for all threads of the block. PTX cannot
//! tell a `__syncthreads()` from a `bar.sync 0` that somebody means so, and so this fails nothing. Only barrier 0 of the whole block
//! counts, which is what `__syncthreads()` becomes; cooperative groups use the one that is not aligned. Copies of one line that the
//! compiler has made, and code without lines, say nothing.

use crate::evidence::barrier_sites::{BarrierSites, Comer};
use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::sites::Sites;
use finding::{Access, Action, Cause, Finding, Severity, Slug, Where};
use machine::run::launch::Launch;

impl Findings {
    /// A barrier of the whole block is complete: warps have come to it from here and there.
    pub fn opened(&mut self, launch: &Launch, sites: &Sites, block: u64, barrier: BarrierSites) {
        if let Some((one, Some(other))) = barrier.comers() {
            self.met(launch, sites, block, one, other);
        }
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
