//! Barrier divergence in words: threads of one warp that come to an aligned barrier from
//! different instructions (PTX ISA, "bar, barrier": `.aligned`). They count towards one
//! phase and pair off, as on a GPU from compute capability 7.0 on; the run goes on like that.

use super::describe::{Distance, Findings, location};
use crate::exec::Op;
use crate::machine::barrier::Arrival;
use crate::machine::grid::access;
use crate::registers::Mask;
use crate::report::threads::Threads;
use crate::report::{Finding, Slug};
use crate::watch::At;

impl Findings {
    pub fn diverged(&mut self, at: &At, id: u32, other: &Arrival, mask: Mask) {
        let (first, second) = (location(at.launch, other.pc), location(at.launch, at.pc));
        let key = (Slug::BarrierDivergence, first.min(second), first.max(second));
        if self.count(key, false, Distance::Warp) {
            return;
        }
        let end = |pc: u32, mask: Mask| {
            let name = match &at.launch.code.instrs[pc as usize].op {
                Op::Barrier(op) => op.name(id),
                _ => format!("barrier {id}"),
            };
            let threads = Threads::of_warp(at.warp, mask);
            let mut end = access(at.launch, at.block, threads.first(), pc, format!("{threads} came to {name} here"));
            end.thread = None;
            end
        };
        let [x, y, z] = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::BarrierDivergence,
            kernel: at.launch.kernel.into(),
            message: format!("threads of one warp meet at barrier {id} from different places"),
            accesses: vec![end(other.pc, other.mask), end(at.pc, mask)],
            place: format!("block ({x},{y},{z}), warp {}", at.warp),
            why: "a barrier such as `__syncthreads()` may stand in a branch only if all threads take it alike: these \
                  pair off, and from here on every barrier may be taken for another"
                .into(),
            help: "take the barrier out of the branch, so that all threads reach the same one".into(),
            count: 1,
            benign: false,
        };
        self.add(key, finding, Distance::Warp);
    }
}
