//! The resident blocks of a worker: how they begin, and how those that are done leave.

use super::Worker;
use crate::run::block::Block;
use crate::run::device_calls;
use crate::run::launch::Launch;
use crate::types::Fault;
use crate::watch::Watch;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Blocks kept for others of their shape.
pub(super) const MOST_SPARE: usize = 64;
/// Thread instructions that take as long as to make a further block of it.
const FUEL_OF_BLOCK: u64 = 128;

impl<'a, W: Watch> Worker<'a, W> {
    /// Begins blocks while fewer than `wanted` are resident, clusters are not whole, or a launch by a kernel finds no
    /// room. Breaks if the launch ends here.
    pub(super) fn begin_blocks(
        &mut self,
        resident: &mut Vec<Block<'a, W>>,
        spare: &mut Vec<Block<'a, W>>,
        wanted: u64,
    ) -> ControlFlow<()> {
        let in_cluster = self.launch.blocks_per_cluster() as usize;
        let must_begin = std::mem::take(&mut self.wants_room) && !self.is_crowded;
        while ((resident.len() as u64) < wanted
            || must_begin && self.has_no_room()
            || !resident.len().is_multiple_of(in_cluster))
            && !self.launch.stopped()
        {
            let Some((launch, block)) = self.next_block() else { break };
            let recycled = spare.iter().rposition(|block| block.is_shaped_for(&launch));
            let recycled = recycled.map(|at| spare.swap_remove(at));
            let linear = launch.first_block() + block;
            let Some(mut block) = recycled.or_else(|| Block::new(&launch)) else {
                self.launch.fail(Fault::Internal("the host has no memory for another block".into()));
                return ControlFlow::Break(());
            };
            block.restart(&launch, linear);
            if launch.number > 0 {
                self.launch.tree.burn(FUEL_OF_BLOCK);
            }
            if W::ON {
                self.announce(&mut block);
            }
            resident.push(block);
        }
        ControlFlow::Continue(())
    }

    /// Takes a block that is done out of the resident ones.
    pub(super) fn retire(&mut self, resident: &mut Vec<Block<'a, W>>, at: usize, spare: &mut Vec<Block<'a, W>>) {
        let is_in_cluster = self.launch.blocks_per_cluster() > 1;
        let block = &mut resident[at];
        if block.launch.number == 0 {
            self.launch.tree.blocks_done.fetch_add(1, Relaxed);
        }
        if W::ON && (is_in_cluster || self.launch.code.bulk_copies) {
            self.watch.end_block(&block.launch, block.linear, &mut block.watch);
        }
        if is_in_cluster {
            return self.end_in_cluster(resident, at, spare);
        }
        let block = resident.swap_remove(at);
        if let Some(runtime) = &self.runtime {
            let events = runtime.queue.end_block(&block.launch, block.linear);
            device_calls::tell(&mut self.watch, events);
        }
        if spare.len() < MOST_SPARE {
            spare.push(block);
        }
    }

    /// Tells the queue of grids whether [`MOST_WAITING`] is reached, so that no more blocks begin for the sake of
    /// others.
    pub(super) fn set_crowded(&mut self, is_crowded: bool) {
        if let Some(runtime) = self.runtime.as_ref().filter(|_| is_crowded != self.is_crowded) {
            runtime.queue.set_crowded(is_crowded);
        }
        self.is_crowded = is_crowded;
    }

    /// Takes a block that no worker has begun: its launch, and its index in the grid.
    fn next_block(&mut self) -> Option<(Arc<Launch<'a>>, u64)> {
        if let Some(runtime) = &self.runtime {
            return runtime.queue.begin_block(&mut *self.schedule);
        }
        if self.launch.has_peers() {
            return self.next_of_cluster().map(|block| (self.launch.clone(), block));
        }
        let (nth, of) = (self.launch.next_block.fetch_add(1, Relaxed), self.launch.blocks());
        (nth < of).then(|| (self.launch.clone(), self.schedule.begins(nth, of)))
    }

    /// True if no thread can launch before another grid has begun.
    fn has_no_room(&self) -> bool {
        self.runtime.as_ref().is_some_and(|runtime| runtime.queue.is_full())
    }

    fn announce(&mut self, block: &mut Block<W>) {
        let launch = &block.launch;
        self.watch.begin_block(launch, block.linear, &mut block.watch);
        for warp in &mut block.warps {
            let exists = warp.exists();
            self.watch.begin_warp(&mut warp.watch, &warp.regs, launch.entry(), exists);
            if launch.number > 0 {
                self.watch.inherit(launch.number, &mut warp.watch);
            }
        }
    }
}
