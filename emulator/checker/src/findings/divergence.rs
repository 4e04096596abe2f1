//! Barrier divergence: threads of one warp arrive at an aligned barrier from different instructions (PTX ISA, "bar,
//! barrier": `.aligned`). They count towards one phase and pair up, as on a GPU from compute capability 7.0 on; the run
//! continues like that.

use crate::findings::clue::Clue;
use crate::findings::list::{Findings, ONE_THREAD, access};
use crate::sites::Sites;
use finding::{Access, Action, BarrierName, Cause, Finding, Severity, Slug, Threads, Where};
use machine::exec::Op;
use machine::registers::Mask;
use machine::run::arrivals::Arrival;
use machine::watch::At;

impl Findings {
    /// Reports that lanes of a warp arrive at a barrier elsewhere than lanes that already wait there. The sites are
    /// those of the other lanes and of these.
    pub fn diverged(
        &mut self,
        at: &At,
        sites: &Sites,
        (theirs, mine): (u32, u32),
        id: u32,
        other: &Arrival,
        mask: Mask,
    ) {
        let (first, second) = (self.line(at.launch, sites, theirs), self.line(at.launch, sites, mine));
        let key = (Slug::BarrierDivergence, first.min(second), first.max(second));
        if self.count(key, ONE_THREAD, None) {
            return;
        }
        let code = at.launch.code;
        let end = |site: u32, mask: Mask| {
            let barrier = match &code.instrs[sites.pc(site) as usize].op {
                Op::Barrier(op) => op.name(id),
                _ => BarrierName::Number { number: id },
            };
            let threads = Threads::of_warp(at.warp, mask);
            let first = threads.first();
            let action = Action::CameToBarrier { threads, barrier };
            Access { thread: None, ..access(at.launch, sites, at.block, first, site, action) }
        };
        let places = [theirs, mine].map(|site| sites.user_lines(code, site));
        // One line of the source may be several copies in the code; calls are reported beside it.
        let one_line = places[0].0.is_some() && places[0] == places[1];
        let finding = Finding {
            slug: Slug::BarrierDivergence,
            severity: Severity::Error,
            kernel: at.launch.kernel.into(),
            accesses: vec![end(theirs, other.mask), end(mine, mask)],
            headline: None,
            place: Where::Warp { block: at.launch.block_index(at.block), warp: at.warp },
            // The code shows if it is in a loop.
            cause: Cause::BarrierDivergence { barrier: id, one_line, in_loop: false },
            remedies: Vec::new(),
            count: 1,
        };
        self.add(key, finding, ONE_THREAD, None, Some(Clue::Divergence { sites: [theirs, mine] }));
    }
}
