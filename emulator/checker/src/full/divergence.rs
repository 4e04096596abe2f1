//! Barrier divergence in words: threads of one warp that come to an aligned barrier from
//! different instructions (PTX ISA, "bar, barrier": `.aligned`). They count towards one
//! phase and pair off, as on a GPU from compute capability 7.0 on; the run goes on like that.

use super::describe::{Findings, ONE_THREAD, access};
use super::rounds::is_in_loop;
use super::sites::Sites;
use finding::threads::Threads;
use finding::{Finding, Slug};
use machine::exec::Op;
use machine::registers::Mask;
use machine::run::arrivals::Arrival;
use machine::watch::At;

impl Findings {
    /// `sites` are where the other and this one stand.
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
        let rank = ONE_THREAD;
        if self.count(key, rank, None) {
            return;
        }
        let end = |site: u32, mask: Mask| {
            let name = match &at.launch.code.instrs[sites.pc(site) as usize].op {
                Op::Barrier(op) => op.name(id),
                _ => format!("barrier {id}"),
            };
            let threads = Threads::of_warp(at.warp, mask);
            let action = format!("{threads} came to {name} here");
            let mut end = access(at.launch, sites, at.block, threads.first(), site, action);
            end.thread = None;
            end
        };
        let [x, y, z] = at.launch.block_index(at.block);
        let code = at.launch.code;
        let places = [theirs, mine].map(|site| sites.user_lines(code, site));
        // What is one line of the source may be several copies in the code; calls are told beside it.
        let is_one_line = places[0].0.is_some() && places[0] == places[1];
        let in_loop = [theirs, mine].into_iter().any(|site| is_in_loop(code, sites.pc(site)));
        let out_of = "take the barrier out of the branch, so that all threads reach the same one";
        let finding = Finding {
            slug: Slug::BarrierDivergence,
            kernel: at.launch.kernel.into(),
            message: match is_one_line {
                true => format!(
                    "threads of one warp meet at barrier {id} in one line, in different rounds of a loop or branches"
                ),
                false => format!("threads of one warp meet at barrier {id} from different places"),
            },
            headline: None,
            accesses: vec![end(theirs, other.mask), end(mine, mask)],
            place: format!("block ({x},{y},{z}), warp {}", at.warp),
            why: "a barrier such as `__syncthreads()` may stand in a branch only if all threads take it alike: these \
                  pair off, and from here on every barrier may be taken for another"
                .into(),
            help: match in_loop || is_one_line {
                true => format!(
                    "{out_of}; where it stands in a loop, let all threads run the loop as often, and only its other lines \
                     depend on the thread"
                ),
                false => out_of.into(),
            },
            count: 1,
            benign: false,
            arguments: Vec::new(),
        };
        self.add(key, finding, rank, None);
    }
}
