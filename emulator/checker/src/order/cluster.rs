//! The order by the barrier of a cluster (PTX ISA, "barrier.cluster"), and what a thread knows of other blocks' lives.
//!
//! An arrival releases all that its thread has done, or with `.relaxed` what its fences cover, for the threads in their
//! scope. A wait acquires what all arrivals of the phase have released. However they arrive, all blocks of the cluster
//! have started by then. So each warp's first epoch has no accesses, and stands for its start: a view that has it comes
//! after that.

use crate::order::clock::{View, joined};
use crate::order::release::Carried;
use crate::order::warp::{START, WarpOrder};
use machine::registers::{Mask, lanes};
use machine::run::launch::Launch;
use machine::watch::At;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The barrier of a cluster: the phase that threads arrive for, and the last complete one.
#[derive(Default)]
struct ClusterBarrier {
    gathered: Rc<View>,
    complete: Rc<View>,
    /// The patterns that the arriving threads bring in addition to their views.
    told: Carried,
    told_to_all: Carried,
    /// The views that fences of scope `.cta` cover before relaxed arrivals, by block: of the phase, and of the last
    /// complete one.
    narrow: [FxHashMap<u64, Rc<View>>; 2],
}

/// The barriers of all clusters, by number.
#[derive(Default)]
pub struct ClusterBarriers(FxHashMap<u64, ClusterBarrier>);

impl ClusterBarriers {
    pub fn arrive(&mut self, at: &At, releases: bool, warp: &mut WarpOrder, mask: Mask) {
        let barrier = self.0.entry(at.launch.cluster_number(at.block)).or_default();
        for lane in lanes(mask) {
            if releases {
                barrier.gathered = joined(&barrier.gathered, &warp.views()[lane]);
            } else {
                for (reach, fenced) in &warp.patterns()[lane].fences {
                    let [narrow, _] = &mut barrier.narrow;
                    let gathered = match at.launch.has_peers() && !reach.wide && reach.cluster.is_none() {
                        true => narrow.entry(at.block).or_default(),
                        false => &mut barrier.gathered,
                    };
                    *gathered = joined(gathered, fenced);
                }
            }
        }
        if !releases {
            return;
        }
        let mut gathered = (*barrier.gathered).clone();
        warp.tell(&mut gathered, at.block, at.warp, mask);
        barrier.gathered = Rc::new(gathered);
        if warp.has_patterns() {
            lanes(mask).for_each(|lane| barrier.told.add(&warp.patterns()[lane]));
        }
        warp.advance();
    }

    /// Completes the phase of the cluster that a block is of.
    pub fn complete(&mut self, launch: &Launch, block: u64) {
        let number = launch.cluster_number(block);
        let barrier = self.0.entry(number).or_default();
        let mut gathered = std::mem::take(&mut barrier.gathered);
        if launch.has_peers() {
            let mut view = (*gathered).clone();
            for rank in 0..launch.blocks_per_cluster() {
                view.raise(launch.first_block() + launch.block_of_cluster(number, rank), 0, 1, START);
            }
            gathered = Rc::new(view);
        }
        barrier.complete = gathered;
        barrier.told_to_all = std::mem::take(&mut barrier.told);
        barrier.narrow = [FxHashMap::default(), std::mem::take(&mut barrier.narrow[0])];
    }

    /// Lanes have waited for it.
    pub fn pass(&self, at: &At, warp: &mut WarpOrder, mask: Mask) {
        let Some(barrier) = self.0.get(&at.launch.cluster_number(at.block)) else { return };
        for lane in lanes(mask) {
            warp.learn(lane, &barrier.complete);
            if let Some(narrow) = barrier.narrow[1].get(&at.block) {
                warp.learn(lane, narrow);
            }
            if !barrier.told_to_all.is_empty() {
                warp.patterns_mut(lane).told.clone_from(&barrier.told_to_all);
            }
        }
        if !barrier.told_to_all.fenced.is_empty() {
            warp.set_fenced();
        }
    }
}
