//! Threads that leave the kernel before a `__syncthreads()` that others of their block reach: notes, if they are asked
//! for.
//!
//! The barrier does not wait for threads that have exited, since compute capability 7.0 (CUDA programming guide,
//! "Synchronization Functions"). So the program runs as intended, and many correct kernels guard their work with a
//! `return`. But the guide allows the barrier in conditional code only if the condition is the same for the whole
//! block.

use crate::evidence::barrier_sites::BarrierSites;
use crate::evidence::exited::Exited;
use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::sites::Sites;
use finding::{Access, Action, Cause, Finding, Severity, Slug, Where};
use machine::run::launch::Launch;

impl Findings {
    /// Reports a barrier of the whole block that has completed, before which threads of the block had `exited`. Makes
    /// one note for each pair of lines.
    pub fn left_before(&mut self, launch: &Launch, sites: &Sites, block: u64, barrier: BarrierSites, exited: &Exited) {
        let Some((comer, _)) = barrier.comers() else { return };
        for site in exited.places() {
            let lines = (self.line(launch, sites, site), self.line(launch, sites, comer.site));
            let key = (Slug::BarrierDivergence, lines.0, lines.1);
            if self.count(key, ONE_THREAD, None) {
                continue;
            }
            let threads = exited.threads(site);
            let end = |site: u32, thread: u32, action: Action| Access {
                thread: None,
                ..access(launch, sites, block, thread, site, action)
            };
            let reaches = Action::WarpCame { warp: comer.warp };
            let finding = Finding {
                slug: Slug::BarrierDivergence,
                severity: Severity::Note,
                kernel: launch.kernel.into(),
                accesses: vec![
                    end(site, threads.first(), Action::LeftKernel { threads: threads.clone() }),
                    end(comer.site, 32 * comer.warp, reaches),
                ],
                headline: None,
                place: Where::Block { block: launch.block_index(block) },
                cause: Cause::LeftBeforeBarrier,
                remedies: Vec::new(),
                count: 1,
            };
            self.add(key, finding, ONE_THREAD, None, None);
        }
    }
}
